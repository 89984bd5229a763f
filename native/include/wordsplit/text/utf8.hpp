// Converts texts to UTF-8 from code points of one, two or four bytes each, CPython's representation
// of text that is not ASCII.
//
// CPython itself keeps the UTF-8 of such a text beside it for good: twice the memory, at 0.9 GB/s
// for text that is mostly not ASCII. Here the thread that encodes a text converts it, in memory
// that is reused.
//
// With AVX-512, each code point is expanded to its bytes in a lane of its own, and unused bytes are
// removed by compression.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "wordsplit/base/growing.hpp"
#include "wordsplit/base/simd_level.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

// A text: UTF-8 if width is 0, else `length` code points of `width` bytes. Without data it is null,
// a missing text, which is not an empty one.
struct Text {
  const void* data = nullptr;
  std::size_t length = 0;
  unsigned width = 0;

  bool is_null() const { return !data; }
  // The approximate size of its UTF-8.
  std::size_t bytes() const { return width < 2 ? length : length + length / 2; }
};

// A surrogate, which has no UTF-8.
struct LoneSurrogate : std::runtime_error {
  LoneSurrogate() : std::runtime_error("a lone surrogate") {}
};

namespace utf8_detail {

// Each function below writes the UTF-8 of n code points and returns its end, or null if there is a
// surrogate. It may write up to 64 bytes past the end.

template <class Char>
std::uint8_t* write_portable(const Char* p, std::size_t n, std::uint8_t* to) {
  std::size_t i = 0;
  while (i < n) {
    for (; i + 8 <= n; i += 8, to += 8) {
      std::uint32_t all = 0;
      for (std::size_t k = 0; k < 8; ++k) all |= p[i + k];
      if (all >= 0x80) break;
      for (std::size_t k = 0; k < 8; ++k) to[k] = static_cast<std::uint8_t>(p[i + k]);
    }
    for (const std::size_t end = i + 8 <= n ? i + 8 : n; i < end; ++i) {
      if ((p[i] & 0xFFFFF800U) == 0xD800) return nullptr;
      to = put_utf8(p[i], to);
    }
  }
  return to;
}

#if defined(__x86_64__)

// Stores the bytes of a register that are marked in `kept`, packed.
WORDSPLIT_TARGET_AVX512 inline std::uint8_t* squeeze(__m512i bytes, __m512i kept,
                                                     std::uint8_t* to) {
  const __mmask64 mask = _mm512_movepi8_mask(kept);
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(mask, bytes));
  return to + __builtin_popcountll(mask);
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

WORDSPLIT_TARGET_AVX512 inline std::uint8_t* write_avx512(const std::uint8_t* p, std::size_t n,
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

WORDSPLIT_TARGET_AVX512 inline std::uint8_t* write_avx512(const std::uint16_t* p, std::size_t n,
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

WORDSPLIT_TARGET_AVX512 inline std::uint8_t* write_avx512(const std::uint32_t* p, std::size_t n,
                                                          std::uint8_t* to) {
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    to = write_16(_mm512_loadu_si512(p + i), to);
    if (!to) return nullptr;
  }
  return write_portable(p + i, n - i, to);
}

#endif

template <class Char>
std::uint8_t* write([[maybe_unused]] SimdLevel level, const void* data, std::size_t n,
                    std::uint8_t* to) {
  const Char* const p = static_cast<const Char*>(data);
#if defined(__x86_64__)
  if (level == SimdLevel::Avx512) return write_avx512(p, n, to);
#endif
  return write_portable(p, n, to);
}

}  // namespace utf8_detail

// The UTF-8 of a text: the text itself, or written to `buffer` and valid until that is reused.
// Throws LoneSurrogate. All levels give the same.
inline std::string_view utf8_of(const Text& text, SimdLevel level, Growing<char>& buffer) {
  if (text.width == 0) return {static_cast<const char*>(text.data), text.length};
  const std::size_t most = text.width == 1 ? 2 : text.width == 2 ? 3 : 4;
  buffer.clear();
  auto* const to = reinterpret_cast<std::uint8_t*>(buffer.reserve(most * text.length + 64));
  const auto write = text.width == 1   ? utf8_detail::write<std::uint8_t>
                     : text.width == 2 ? utf8_detail::write<std::uint16_t>
                                       : utf8_detail::write<std::uint32_t>;
  const std::uint8_t* const end = write(level, text.data, text.length, to);
  if (!end) throw LoneSurrogate();
  buffer.advance_to(reinterpret_cast<const char*>(end));
  return {buffer.data(), buffer.size()};
}

}  // namespace wordsplit
