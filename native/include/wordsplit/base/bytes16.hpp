// 16 bytes in a register that every machine of an architecture has, by the compiler's vectors.
#pragma once

#include <cstdint>
#include <cstring>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/simd.hpp"

namespace wordsplit {

typedef std::uint8_t Bytes16 __attribute__((vector_size(16)));

inline Bytes16 every16(std::uint8_t c) {
  Bytes16 out;
  std::memset(&out, c, sizeof out);
  return out;
}

inline Bytes16 load16(const std::uint8_t* p) {
  Bytes16 out;
  std::memcpy(&out, p, sizeof out);
  return out;
}

// The index of the first byte that is not 0, of bytes that are 0 or 0xFF; 16 if all are 0.
inline unsigned first_set(Bytes16 bytes) {
#if defined(__SSE2__)
  const int mask = _mm_movemask_epi8(reinterpret_cast<__m128i>(bytes));
  return lowest_bit(static_cast<unsigned>(mask) | 0x10000U);
#elif defined(__aarch64__)
  const uint8x8_t halves = vshrn_n_u16(reinterpret_cast<uint16x8_t>(bytes), 4);
  return static_cast<unsigned>(std::countr_zero(vget_lane_u64(vreinterpret_u64_u8(halves), 0))) / 4;
#elif defined(__wasm_simd128__)
  return lowest_bit(wasm_i8x16_bitmask(reinterpret_cast<v128_t>(bytes)) | 0x10000U);
#else
  std::uint64_t words[2];
  std::memcpy(words, &bytes, sizeof words);
  const auto first = [](std::uint64_t word) {
    return static_cast<unsigned>(std::countr_zero(word)) / 8;
  };
  return words[0] ? first(words[0]) : 8 + first(words[1]);
#endif
}

}  // namespace wordsplit
