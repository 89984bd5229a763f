// Decodes UTF-8 in groups of 64 bytes, with AVX-512.
//
// Each lead byte is moved together with the two bytes after it (compressed), and the code points
// are computed at once in lanes of 16 bits. It rejects code points above U+FFFF and errors.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "wordsplit/base/bits.hpp"
#include "wordsplit/base/simd.hpp"

#if defined(WORDSPLIT_TARGET_AVX512)

namespace wordsplit::utf8 {

alignas(64) inline constexpr auto kByteNumbers = [] {
  std::array<std::uint8_t, 64> numbers{};
  for (unsigned i = 0; i < 64; ++i) numbers[i] = static_cast<std::uint8_t>(i);
  return numbers;
}();

// Widens 32 bytes to words.
WORDSPLIT_TARGET_AVX512 inline __m512i words_of(const std::uint8_t* bytes) {
  return _mm512_cvtepu8_epi16(_mm256_load_si256(reinterpret_cast<const __m256i*>(bytes)));
}
WORDSPLIT_TARGET_AVX512 inline __m512i low_bits(__m512i words, short bits) {
  return _mm512_and_si512(words, _mm512_set1_epi16(bits));
}

// Up to 64 bytes decoded: code points below U+10000, with the offset of each.
struct Points {
  __m512i leads;  // their first bytes
  alignas(64) std::uint16_t code[64];
  alignas(64) std::uint8_t offset[64];
  unsigned count;
  unsigned size;  // in bytes
};

// Decodes up to 64 of n bytes. False if there is a code point of four bytes or an error.
WORDSPLIT_TARGET_AVX512 inline bool decode_points(const std::uint8_t* text, std::size_t n,
                                                  Points& out) {
  const auto least = [](__m512i bytes, unsigned value) WORDSPLIT_TARGET_AVX512 -> std::uint64_t {
    return _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(static_cast<char>(value)));
  };
  const auto equal = [](__m512i bytes, unsigned value) WORDSPLIT_TARGET_AVX512 -> std::uint64_t {
    return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(static_cast<char>(value)));
  };
  const unsigned there = n < 64 ? static_cast<unsigned>(n) : 64;
  const __m512i bytes = _mm512_maskz_loadu_epi8(below(there), text);
  const __m512i second = _mm512_maskz_loadu_epi8(below(there) >> 1, text + 1);
  const __m512i third = _mm512_maskz_loadu_epi8(below(there) >> 2, text + 2);
  const std::uint64_t lead = least(bytes, 0xC0), three = least(bytes, 0xE0);
  const std::uint64_t following = _mm512_movepi8_mask(bytes) & ~lead;
  // A code point that is cut off begins at the last byte or the one before. It is left to the next
  // call, or it is an error if the text ends here.
  const std::uint64_t cut =
      (lead & ~below(there - 1)) | (three & ~below(there < 2 ? 0 : there - 2));
  const std::uint64_t whole = below(cut ? lowest(cut) : there);
  const std::uint64_t errors = (((lead << 1 | three << 2) ^ following) & below(there)) |
                               least(bytes, 0xF0) | equal(bytes, 0xC0) | equal(bytes, 0xC1) |
                               (equal(bytes, 0xE0) & ~least(second, 0xA0) & whole) |
                               (equal(bytes, 0xED) & least(second, 0xA0));
  if (errors || (cut && n <= 64)) return false;

  const std::uint64_t first = whole & ~following;
  out.count = static_cast<unsigned>(std::popcount(first));
  out.size = static_cast<unsigned>(std::popcount(whole));
  out.leads = _mm512_maskz_compress_epi8(first, bytes);
  alignas(64) std::uint8_t column[3][64];
  _mm512_store_si512(column[0], out.leads);
  _mm512_store_si512(column[1], _mm512_maskz_compress_epi8(first, second));
  _mm512_store_si512(column[2], _mm512_maskz_compress_epi8(first, third));
  _mm512_store_si512(out.offset,
                     _mm512_maskz_compress_epi8(first, _mm512_load_si512(kByteNumbers.data())));
  for (unsigned half = 0; half < 64; half += 32) {
    const __m512i a = words_of(column[0] + half);
    const __m512i two = _mm512_or_si512(_mm512_slli_epi16(low_bits(a, 0x1F), 6),
                                        low_bits(words_of(column[1] + half), 0x3F));
    // The fifth bit of the lead byte is shifted out at the top, which leaves 16 bits.
    const __m512i all =
        _mm512_or_si512(_mm512_slli_epi16(two, 6), low_bits(words_of(column[2] + half), 0x3F));
    const __mmask32 is_three = _mm512_cmpge_epu16_mask(a, _mm512_set1_epi16(0xE0));
    // ASCII characters are their first bytes.
    const __mmask32 is_more = _mm512_cmpge_epu16_mask(a, _mm512_set1_epi16(0x80));
    _mm512_store_si512(out.code + half, _mm512_mask_mov_epi16(
                                            _mm512_mask_mov_epi16(a, is_more, two), is_three, all));
  }
  return true;
}

// Writes base + the offset of each; 64 numbers, of which those from `count` on mean nothing.
WORDSPLIT_TARGET_AVX512 inline void write_offsets(const Points& points, std::uint32_t base,
                                                  std::uint32_t* to) {
  for (unsigned part = 0; part < 64; part += 16) {
    const __m128i some = _mm_load_si128(reinterpret_cast<const __m128i*>(points.offset + part));
    _mm512_storeu_si512(to + part, _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(base)),
                                                    _mm512_maskz_cvtepu8_epi32(0xFFFF, some)));
  }
}

}  // namespace wordsplit::utf8

#endif
