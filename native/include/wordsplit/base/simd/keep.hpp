// Numbers chosen by bits; one at a time, for instruction sets without an instruction for it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "wordsplit/base/bits.hpp"
#include "wordsplit/base/compiler.hpp"

namespace wordsplit::simd {

// The numbers from 0 on, to keep some of them.
alignas(64) inline constexpr auto kCounting = [] {
  std::array<std::uint32_t, 65> numbers{};
  for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  return numbers;
}();

// Writes number_of(i) for each bit i that is set, and returns how many. May write up to
// kBitsRoom numbers more, and call number_of(64) for them.
inline constexpr std::size_t kBitsRoom = 3;

template <class Number, class Of>
WORDSPLIT_INLINE std::size_t keep_bits(std::uint64_t bits, Of&& number_of, Number* to) {
  Number* const end = to + std::popcount(bits);
  // In fours, past the last: one branch for four.
  for (Number* out = to; out < end; out += 4) {
    for (unsigned i = 0; i < 4; ++i, bits &= bits - 1) {
      out[i] = static_cast<Number>(number_of(lowest(bits)));
    }
  }
  return static_cast<std::size_t>(end - to);
}

WORDSPLIT_INLINE std::size_t keep_one_by_one(std::uint64_t bits, const std::uint32_t* from,
                                             std::uint32_t base, std::uint32_t* to) {
  return keep_bits(bits, [=](unsigned i) { return base + from[i & 63]; }, to);
}

}  // namespace wordsplit::simd
