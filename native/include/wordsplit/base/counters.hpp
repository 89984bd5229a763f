// Counters of the kernels' work, for the test that it is linear in the text.
//
// WORDSPLIT_COUNT is called at each look-up, heap operation and step. It compiles to nothing unless
// WORDSPLIT_COUNTERS is defined before the first header of the library, in the whole program.
#pragma once

#ifdef WORDSPLIT_COUNTERS
#include <cstdint>

namespace wordsplit {
inline thread_local std::uint64_t work_done = 0;
}

#define WORDSPLIT_COUNT(n) (::wordsplit::work_done += (n))
#else
#define WORDSPLIT_COUNT(n) static_cast<void>(0)
#endif
