// Refuses big-endian machines: text is read and hashed in words whose first byte is the lowest.
#pragma once

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error \
    "wordsplit's native code does not run on big-endian machines. Install the pure-Python build, which gives the same ids: WORDSPLIT_PURE_PYTHON=1 pip install wordsplit"
#endif
