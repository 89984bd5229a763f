// 64 bytes into bit masks, for each instruction set.
//
// `ascii_masks` sets the masks of the code points below 0x80 and returns the mask of the other
// bytes: compares, a few instructions a class. `add_masks` adds the classes of decoded code points,
// one byte of class bits each. Precondition of both: 64 readable bytes.
//
// Vector functions carry their own target attribute and are inlined into scan functions that have
// the same, so that the rest is compiled for the baseline (scanners.hpp).
#pragma once

#include <cstring>

#include "wordsplit/base/simd_level.hpp"
#include "wordsplit/scanners/decode.hpp"

namespace wordsplit::scanners {

// ASCII for the portable path: class bits, and bits for the literals the patterns ask for.
inline constexpr std::uint8_t kBlank = 1, kNewline = 2, kApostrophe = 4, kSlash = 8,
                              kNotAscii = 128;
inline constexpr auto kAsciiBits = [] {
  std::array<std::uint8_t, 256> table{};
  for (unsigned c = 0; c < 128; ++c) table[c] = kTwoByteBits[c];
  return table;
}();
inline constexpr auto kAsciiLiteral = [] {
  std::array<std::uint8_t, 256> table{};
  for (unsigned c = 128; c < 256; ++c) table[c] = kNotAscii;
  table[' '] = kBlank;
  table['\n'] = table['\r'] = kNewline;
  table['\''] = kApostrophe;
  table['/'] = kSlash;
  return table;
}();

struct Portable {
  template <Flag F>
  static WORDSPLIT_INLINE void decode(const std::uint8_t* text, std::size_t n, Decoded& out) {
    decode_window<F>(text, n, out);
  }
  // Bit i of the result is the low bit of byte i: a multiplication gathers eight.
  static WORDSPLIT_INLINE std::uint64_t gather(const std::uint8_t* bytes, unsigned bit) {
    std::uint64_t mask = 0;
    for (unsigned i = 0; i < 64; i += 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes + i, 8);
      mask |= (((word >> bit & 0x0101010101010101u) * 0x0102040810204080u) >> 56) << i;
    }
    return mask;
  }

  static inline std::uint64_t ascii_masks(const std::uint8_t* text, Masks& k) {
    std::uint8_t bits[64], literal[64];
    for (unsigned i = 0; i < 64; ++i)
      bits[i] = kAsciiBits[text[i]], literal[i] = kAsciiLiteral[text[i]];
    k.upper = gather(bits, 0);
    k.lower = gather(bits, 1);
    k.number = gather(bits, 4);
    k.space = gather(bits, 5);
    k.punct = k.ascii_punct = gather(bits, 6);
    k.ascii_letter = k.upper | k.lower;
    k.caseless = k.mark = k.flag = 0;
    k.blank = gather(literal, 0);
    k.newline = gather(literal, 1);
    k.apostrophe = gather(literal, 2);
    k.slash = gather(literal, 3);
    return gather(literal, 7);
  }

  static inline void add_masks(const std::uint8_t* bits, Masks& k) {
    k.upper |= gather(bits, 0);
    k.lower |= gather(bits, 1);
    k.caseless |= gather(bits, 2);
    k.mark |= gather(bits, 3);
    k.number |= gather(bits, 4);
    k.space |= gather(bits, 5);
    k.punct |= gather(bits, 6);
    k.flag |= gather(bits, 7);
  }
};

#if defined(__x86_64__)
struct Avx2 {
  template <Flag F>
  static WORDSPLIT_INLINE void decode(const std::uint8_t* text, std::size_t n, Decoded& out) {
    decode_window<F>(text, n, out);
  }
  struct Half {
    __m256i lo, hi;
  };
  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t mask(__m256i lo, __m256i hi) {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(lo)) |
           std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(hi))} << 32;
  }
  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t equal(Half v, char c) {
    const __m256i x = _mm256_set1_epi8(c);
    return mask(_mm256_cmpeq_epi8(v.lo, x), _mm256_cmpeq_epi8(v.hi, x));
  }
  // Bytes from first to first + size - 1.
  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t range(Half v, char first, char size) {
    const __m256i base = _mm256_set1_epi8(first),
                  top = _mm256_set1_epi8(static_cast<char>(size - 1));
    const __m256i lo = _mm256_sub_epi8(v.lo, base), hi = _mm256_sub_epi8(v.hi, base);
    return mask(_mm256_cmpeq_epi8(_mm256_min_epu8(lo, top), lo),
                _mm256_cmpeq_epi8(_mm256_min_epu8(hi, top), hi));
  }
  WORDSPLIT_TARGET_AVX2 static inline Half load(const std::uint8_t* p) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)),
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32))};
  }

  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t ascii_masks(const std::uint8_t* text,
                                                                Masks& k) {
    const Half v = load(text);
    k.upper = range(v, 'A', 26);
    k.lower = range(v, 'a', 26);
    k.number = range(v, '0', 10);
    k.blank = equal(v, ' ');
    k.space = range(v, '\t', 5) | k.blank;
    k.newline = equal(v, '\n') | equal(v, '\r');
    k.apostrophe = equal(v, '\'');
    k.slash = equal(v, '/');
    k.ascii_letter = k.upper | k.lower;
    k.punct = k.ascii_punct = range(v, '!', '~' - '!' + 1) & ~(k.ascii_letter | k.number);
    k.caseless = k.mark = k.flag = 0;
    return mask(v.lo, v.hi);
  }
  template <int Bit>
  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t bit(Half v) {
    return mask(_mm256_slli_epi16(v.lo, 7 - Bit), _mm256_slli_epi16(v.hi, 7 - Bit));
  }
  WORDSPLIT_TARGET_AVX2 static inline void add_masks(const std::uint8_t* bits, Masks& k) {
    const Half v = load(bits);
    k.upper |= bit<0>(v);
    k.lower |= bit<1>(v);
    k.caseless |= bit<2>(v);
    k.mark |= bit<3>(v);
    k.number |= bit<4>(v);
    k.space |= bit<5>(v);
    k.punct |= bit<6>(v);
    k.flag |= bit<7>(v);
  }
};

struct Avx512 {
  template <Flag F>
  WORDSPLIT_TARGET_AVX512 static inline void decode(const std::uint8_t* text, std::size_t n,
                                                    Decoded& out) {
    if (!decode_avx512<F>(text, n, out)) decode_window<F>(text, n, out);
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t equal(__m512i v, char c) {
    return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c));
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t range(__m512i v, char first, char size) {
    return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(v, _mm512_set1_epi8(first)),
                                  _mm512_set1_epi8(size));
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t ascii_masks(const std::uint8_t* text,
                                                                  Masks& k) {
    const __m512i v = _mm512_loadu_si512(text);
    k.upper = range(v, 'A', 26);
    k.lower = range(v, 'a', 26);
    k.number = range(v, '0', 10);
    k.blank = equal(v, ' ');
    k.space = range(v, '\t', 5) | k.blank;
    k.newline = equal(v, '\n') | equal(v, '\r');
    k.apostrophe = equal(v, '\'');
    k.slash = equal(v, '/');
    k.ascii_letter = k.upper | k.lower;
    k.punct = k.ascii_punct = range(v, '!', '~' - '!' + 1) & ~(k.ascii_letter | k.number);
    k.caseless = k.mark = k.flag = 0;
    return _mm512_movepi8_mask(v);
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t bit(__m512i v, int b) {
    return _mm512_test_epi8_mask(v, _mm512_set1_epi8(static_cast<char>(1 << b)));
  }
  WORDSPLIT_TARGET_AVX512 static inline void add_masks(const std::uint8_t* bits, Masks& k) {
    const __m512i v = _mm512_loadu_si512(bits);
    k.upper |= bit(v, 0);
    k.lower |= bit(v, 1);
    k.caseless |= bit(v, 2);
    k.mark |= bit(v, 3);
    k.number |= bit(v, 4);
    k.space |= bit(v, 5);
    k.punct |= bit(v, 6);
    k.flag |= bit(v, 7);
  }
};
#endif

}  // namespace wordsplit::scanners
