// Writes code points as UTF-8 with AVX2: each is expanded to its bytes in a separate lane, from
// the end of the lane, and a shuffle that is looked up by the sizes of four code points moves their
// bytes together.
//
// Bits are not extracted with `pext`, which takes a hundred cycles on the processors Zen and Zen 2.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "wordsplit/base/simd.hpp"
#include "wordsplit/text/utf8_writer.hpp"

#if defined(WORDSPLIT_TARGET_AVX2)

namespace wordsplit::utf8_detail {

// For four lanes: where the byte at each place of the result comes from. The index has a bit for
// each lane that holds at least two bytes, and in its high half one for each that holds three.
struct Packing {
  alignas(16) std::uint8_t from[256][16];
};
inline constexpr Packing kPacking = [] {
  Packing out{};
  for (unsigned which = 0; which < 256; ++which) {
    unsigned count = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
      const unsigned size = 1 + (which >> lane & 1) + (which >> (4 + lane) & 1);
      for (unsigned k = 4 - size; k < 4; ++k) {
        out.from[which][count++] = static_cast<std::uint8_t>(4 * lane + k);
      }
    }
  }
  return out;
}();

WORDSPLIT_TARGET_AVX2 inline __m256i each32(std::uint32_t value) {
  return _mm256_set1_epi32(static_cast<int>(value));
}

// Writes four lanes packed, and returns their end.
WORDSPLIT_TARGET_AVX2 inline std::uint8_t* pack_four(__m128i lanes, unsigned two, unsigned three,
                                                     std::uint8_t* to) {
  const auto* const from = reinterpret_cast<const __m128i*>(kPacking.from[two | three << 4]);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(lanes, _mm_load_si128(from)));
  return to + 4 + std::popcount(two) + std::popcount(three);
}

// For 8 code points below 0x10000. Notes surrogates in `surrogates`.
WORDSPLIT_TARGET_AVX2 inline std::uint8_t* write_8(__m256i x, __m256i& surrogates,
                                                   std::uint8_t* to) {
  surrogates = _mm256_or_si256(
      surrogates, _mm256_cmpeq_epi32(_mm256_and_si256(x, each32(0xFFFFF800)), each32(0xD800)));
  const __m256i two = _mm256_cmpgt_epi32(x, each32(0x7F));
  const __m256i three = _mm256_cmpgt_epi32(x, each32(0x7FF));
  // The last three bytes of a lane, each of them a continuation byte if a byte of the code point
  // precedes it.
  const __m256i six = each32(0x3F), next = each32(0x80);
  const __m256i last = _mm256_blendv_epi8(x, _mm256_or_si256(_mm256_and_si256(x, six), next), two);
  const __m256i shifted = _mm256_srli_epi32(x, 6);
  const __m256i middle =
      _mm256_blendv_epi8(_mm256_or_si256(shifted, each32(0xC0)),
                         _mm256_or_si256(_mm256_and_si256(shifted, six), next), three);
  const __m256i first = _mm256_or_si256(_mm256_srli_epi32(x, 12), each32(0xE0));
  const __m256i lanes =
      _mm256_or_si256(_mm256_slli_epi32(last, 24),
                      _mm256_or_si256(_mm256_slli_epi32(middle, 16), _mm256_slli_epi32(first, 8)));
  const auto twos = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(two)));
  const auto threes = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(three)));
  to = pack_four(_mm256_castsi256_si128(lanes), twos & 15, threes & 15, to);
  return pack_four(_mm256_extracti128_si256(lanes, 1), twos >> 4, threes >> 4, to);
}

template <>
struct Writer<simd::Avx2> {
  WORDSPLIT_TARGET_AVX2 static inline std::uint8_t* write(const std::uint8_t* p, std::size_t n,
                                                          std::uint8_t* to) {
    __m256i none = _mm256_setzero_si256();
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16) {
      const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
      if (_mm_movemask_epi8(x) == 0) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), x);
        to += 16;
      } else {
        to = write_8(_mm256_cvtepu8_epi32(x), none, to);
        to = write_8(_mm256_cvtepu8_epi32(_mm_srli_si128(x, 8)), none, to);
      }
    }
    return write_portable(p + i, n - i, to);
  }

  WORDSPLIT_TARGET_AVX2 static inline std::uint8_t* write(const std::uint16_t* p, std::size_t n,
                                                          std::uint8_t* to) {
    __m256i surrogates = _mm256_setzero_si256();
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16) {
      const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
      const __m128i y = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i + 8));
      if (_mm_testz_si128(_mm_or_si128(x, y), _mm_set1_epi16(static_cast<short>(0xFF80)))) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(x, y));
        to += 16;
      } else {
        to = write_8(_mm256_cvtepu16_epi32(x), surrogates, to);
        to = write_8(_mm256_cvtepu16_epi32(y), surrogates, to);
      }
    }
    if (!_mm256_testz_si256(surrogates, surrogates)) return nullptr;
    return write_portable(p + i, n - i, to);
  }

  WORDSPLIT_TARGET_AVX2 static inline std::uint8_t* write(const std::uint32_t* p, std::size_t n,
                                                          std::uint8_t* to) {
    __m256i surrogates = _mm256_setzero_si256();
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
      const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + i));
      if (_mm256_testz_si256(x, each32(0xFFFF0000))) {
        to = write_8(x, surrogates, to);
      } else {
        to = write_portable(p + i, 8, to);
        if (!to) return nullptr;
      }
    }
    if (!_mm256_testz_si256(surrogates, surrogates)) return nullptr;
    return write_portable(p + i, n - i, to);
  }
};

}  // namespace wordsplit::utf8_detail

#endif
