// 16 bytes as two words.
#pragma once

#include <cstdint>

namespace wordsplit::simd {

struct Pair {
  std::uint64_t low, high;
};

}  // namespace wordsplit::simd
