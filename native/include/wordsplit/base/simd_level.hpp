// The instruction sets that kernels are written for, as values: what a machine has is in simd.hpp.
#pragma once

#include <cstddef>

#include "wordsplit/base/byte_order.hpp"  // first: its message should stand above all others

namespace wordsplit {

// Scalar runs anywhere. All levels give the same results. A machine has some of them; among those,
// a later one is faster.
enum class SimdLevel { Scalar, Simd128, Neon, Avx2, Avx512 };
inline constexpr std::size_t kSimdLevels = 5;

constexpr const char* name_of(SimdLevel level) {
  constexpr const char* kNames[kSimdLevels] = {"scalar", "simd128", "neon", "avx2", "avx512"};
  return kNames[static_cast<std::size_t>(level)];
}

}  // namespace wordsplit
