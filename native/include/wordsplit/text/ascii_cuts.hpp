// The cuts in a run of ASCII: 64 pairs of neighbours at once, by a table of all pairs.
//
// With AVX-512, sixteen pairs are looked up by one gather, and the places of the cuts are written
// sixteen at a time, so that no step depends on how many there are.
#pragma once

#include <array>
#include <cstdint>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/simd.hpp"

namespace wordsplit {

// By the left character: the right ones with which there is no cut.
using CrossedPairs = const std::uint64_t (*)[2];

// Writes base + i for each cut between p[i] and p[i + 1], i < pairs; returns how many there are.
// Preconditions: at most 64 pairs, all of them ASCII; kAsciiCutsRoom numbers may be written.
using AsciiCuts = std::size_t (*)(CrossedPairs crossed, const std::uint8_t* p, std::size_t pairs,
                                  std::uint32_t base, std::uint32_t* to);
inline constexpr std::size_t kAsciiCutsRoom = 64 + kKeepRoom;

namespace ascii_cuts_detail {

template <class Simd>
struct Stages {
  // A branch for each boundary would be mispredicted at each cut, so they are collected first.
  static WORDSPLIT_INLINE std::uint64_t find(CrossedPairs crossed, const std::uint8_t* p,
                                             std::size_t pairs) {
    std::uint64_t cuts = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      cuts |= (~(crossed[p[i]][p[i + 1] >> 6] >> (p[i + 1] & 63)) & 1) << i;
    }
    return cuts;
  }
};

#if defined(WORDSPLIT_TARGET_AVX512)

template <>
struct Stages<simd::Avx512> {
  WORDSPLIT_TARGET_AVX512 static inline __m512i widened(const std::uint8_t* p, __mmask16 kept) {
    return _mm512_maskz_cvtepu8_epi32(0xFFFF, _mm_maskz_loadu_epi8(kept, p));
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t find(CrossedPairs crossed,
                                                           const std::uint8_t* p,
                                                           std::size_t pairs) {
    static_assert(std::endian::native == std::endian::little);  // the words are read in halves
    const __m512i ones = _mm512_set1_epi32(1), low = _mm512_set1_epi32(31);
    std::uint64_t cuts = 0;
    for (std::size_t i = 0; i < pairs; i += 16) {
      const std::size_t left = pairs - i;
      const auto kept = static_cast<__mmask16>(left < 16 ? (1U << left) - 1 : 0xFFFF);
      const __m512i a = widened(p + i, kept), b = widened(p + i + 1, kept);
      const __m512i at = _mm512_add_epi32(_mm512_maskz_slli_epi32(0xFFFF, a, 2),
                                          _mm512_maskz_srli_epi32(0xFFFF, b, 5));
      const __m512i words =
          _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), kept, at, crossed, 4);
      const __m512i bits = _mm512_maskz_srlv_epi32(0xFFFF, words, _mm512_and_si512(b, low));
      cuts |= std::uint64_t{_mm512_mask_testn_epi32_mask(kept, bits, ones)} << i;
    }
    return cuts;
  }
};

#endif

struct Kernel {
  using Function = AsciiCuts;
  template <class Simd>
  static WORDSPLIT_INLINE std::size_t run(CrossedPairs crossed, const std::uint8_t* p,
                                          std::size_t pairs, std::uint32_t base,
                                          std::uint32_t* to) {
    const std::uint64_t cuts = Stages<Simd>::find(crossed, p, pairs);
    return Simd::keep(cuts, simd::kCounting.data(), base, to);
  }
};

}  // namespace ascii_cuts_detail

inline AsciiCuts ascii_cuts_at(SimdLevel level) {
  return kernel_at<ascii_cuts_detail::Kernel>(level);
}

}  // namespace wordsplit
