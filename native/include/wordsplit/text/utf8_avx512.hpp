// Writes code points as UTF-8 with AVX-512: each is expanded to its bytes in a separate lane, and
// unused bytes are removed by compression.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "wordsplit/base/simd.hpp"
#include "wordsplit/text/utf8_writer.hpp"

#if defined(WORDSPLIT_TARGET_AVX512)

namespace wordsplit::utf8_detail {

// Stores the bytes of a register that are marked in `kept`, packed.
WORDSPLIT_TARGET_AVX512 inline std::uint8_t* squeeze(__m512i bytes, __m512i kept,
                                                     std::uint8_t* to) {
  const __mmask64 mask = _mm512_movepi8_mask(kept);
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(mask, bytes));
  return to + std::popcount(mask);
}

// For 32 code points below 0x800.
WORDSPLIT_TARGET_AVX512 inline std::uint8_t* write_32(__m512i x, std::uint8_t* to) {
  const __mmask32 two = _mm512_cmpge_epu16_mask(x, _mm512_set1_epi16(0x80));
  const __m512i low =
      _mm512_or_si512(_mm512_and_si512(x, _mm512_set1_epi16(0x3F)), _mm512_set1_epi16(0x80));
  const __m512i last = _mm512_mask_mov_epi16(x, two, low);
  const __m512i lead = _mm512_or_si512(_mm512_srli_epi16(x, 6), _mm512_set1_epi16(0xC0));
  const __m512i bytes = _mm512_or_si512(lead, _mm512_slli_epi16(last, 8));
  const __m512i kept = _mm512_mask_mov_epi16(_mm512_set1_epi16(static_cast<short>(0x8000)), two,
                                             _mm512_set1_epi16(static_cast<short>(0x8080)));
  return squeeze(bytes, kept, to);
}

WORDSPLIT_TARGET_AVX512 inline __m512i every(std::uint32_t value) {
  return _mm512_set1_epi32(static_cast<int>(value));
}

// For any 16 code points.
WORDSPLIT_TARGET_AVX512 inline std::uint8_t* write_16(__m512i x, std::uint8_t* to) {
  if (_mm512_cmpeq_epi32_mask(_mm512_and_si512(x, every(0xFFFFF800)), every(0xD800)))
    return nullptr;
  const __mmask16 two = _mm512_cmpge_epu32_mask(x, every(0x80));
  const __mmask16 three = _mm512_cmpge_epu32_mask(x, every(0x800));
  const __mmask16 four = _mm512_cmpge_epu32_mask(x, every(0x10000));
  // One byte of each code point: a continuation byte if more bytes precede it, else the lead byte.
  const auto part = [&](unsigned shift, __mmask16 more,
                        std::uint32_t lead) WORDSPLIT_TARGET_AVX512 {
    const __m512i shifted =
        _mm512_maskz_srl_epi32(0xFFFF, x, _mm_cvtsi32_si128(static_cast<int>(shift)));
    const __m512i low = _mm512_or_si512(_mm512_and_si512(shifted, every(0x3F)), every(0x80));
    return _mm512_mask_mov_epi32(_mm512_or_si512(shifted, every(lead)), more, low);
  };
  __m512i bytes = _mm512_maskz_slli_epi32(0xFFFF, part(0, two, 0), 24);
  bytes = _mm512_or_si512(bytes, _mm512_maskz_slli_epi32(0xFFFF, part(6, three, 0xC0), 16));
  bytes = _mm512_or_si512(bytes, _mm512_maskz_slli_epi32(0xFFFF, part(12, four, 0xE0), 8));
  bytes = _mm512_or_si512(bytes, part(18, 0, 0xF0));
  __m512i kept = every(0x80000000);
  kept = _mm512_mask_or_epi32(kept, two, kept, every(0x00800000));
  kept = _mm512_mask_or_epi32(kept, three, kept, every(0x00008000));
  kept = _mm512_mask_or_epi32(kept, four, kept, every(0x00000080));
  return squeeze(bytes, kept, to);
}

template <>
struct Writer<simd::Avx512> {
  WORDSPLIT_TARGET_AVX512 static inline std::uint8_t* write(const std::uint8_t* p, std::size_t n,
                                                            std::uint8_t* to) {
    std::size_t i = 0;
    for (; i + 32 <= n; i += 32) {
      const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + i));
      if (_mm256_movemask_epi8(x) == 0) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), x);
        to += 32;
      } else {
        to = write_32(_mm512_cvtepu8_epi16(x), to);
      }
    }
    return write_portable(p + i, n - i, to);
  }

  WORDSPLIT_TARGET_AVX512 static inline std::uint8_t* write(const std::uint16_t* p, std::size_t n,
                                                            std::uint8_t* to) {
    std::size_t i = 0;
    for (; i + 32 <= n; i += 32) {
      const __m512i x = _mm512_loadu_si512(p + i);
      if (_mm512_cmpge_epu16_mask(x, _mm512_set1_epi16(0x80)) == 0) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_maskz_cvtepi16_epi8(~0U, x));
        to += 32;
      } else if (_mm512_cmpge_epu16_mask(x, _mm512_set1_epi16(0x800)) == 0) {
        to = write_32(x, to);
      } else {
        for (const std::size_t half : {0, 16}) {
          const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + i + half));
          to = write_16(_mm512_maskz_cvtepu16_epi32(0xFFFF, some), to);
          if (!to) return nullptr;
        }
      }
    }
    return write_portable(p + i, n - i, to);
  }

  WORDSPLIT_TARGET_AVX512 static inline std::uint8_t* write(const std::uint32_t* p, std::size_t n,
                                                            std::uint8_t* to) {
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16) {
      to = write_16(_mm512_loadu_si512(p + i), to);
      if (!to) return nullptr;
    }
    return write_portable(p + i, n - i, to);
  }
};

}  // namespace wordsplit::utf8_detail

#endif
