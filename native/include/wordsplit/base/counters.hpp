// Counting what the kernels do, for the test that work grows in proportion to text.
//
// WORDSPLIT_COUNT stands at each look-up, heap operation and step. It is nothing at all unless
// WORDSPLIT_COUNTERS is defined before the first header of the library, for the whole program.
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
