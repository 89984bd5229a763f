// Windows of up to 64 code points, and the loop that turns them into spans.
//
// A window begins at a span start, so nothing is carried from one to the next. Its bytes are
// classified into masks (classify.hpp): all ASCII, by vector compares on the text itself; else the
// code points are decoded into two arrays of 64 bytes first, ASCII in eights, and those are
// compared. A family then gives the span starts it is certain of, and the next window begins at the
// last of them. A span longer than the window is found by the family's next_end.
//
// Linear: a window costs O(1) and ends at least one span, or next_end does. At the text's end
// windows are copied, so no byte outside [text, text + n) is ever read.
#pragma once

#include <cstring>

#include "wordsplit/scanners/classify.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace wordsplit::scanners {

// Class bits of U+0080-07FF (two bytes in UTF-8), one load where class_of and kBitsOfClass take
// three: letters of Latin, Greek, Cyrillic, Hebrew and Arabic text.
inline constexpr auto kTwoByteBits = [] {
  std::array<std::uint8_t, 2048> table{};
  for (unsigned cp = 0; cp < 2048; ++cp) {
    const unsigned block = unicode_data::kClassIndex[cp >> unicode_data::kShift];
    const std::size_t at = (std::size_t{block} << unicode_data::kShift) +
                           (cp & ((1u << unicode_data::kShift) - 1));
    table[cp] = kBitsOfClass[unicode_data::kClassBlocks[at]] & static_cast<std::uint8_t>(~kFlag);
  }
  return table;
}();

// A window decoded: `bits` of the code points that are not ASCII (0 for ASCII), `ascii` the code
// points that are (0x80 for others).
struct Decoded {
  alignas(64) std::uint8_t bits[64];
  alignas(64) std::uint8_t ascii[64];
  std::uint16_t offset[65];
  unsigned count;
};

// Decodes up to 64 code points from `text`. Precondition: n > 0.
template <Flag F>
inline void decode_window(const std::uint8_t* text, std::size_t n, Decoded& out) {
  std::memset(out.bits, 0, sizeof out.bits);
  std::size_t at = 0;
  unsigned i = 0;
  // Eight bytes are looked at together, so while eight are left.
  while (i <= 56 && at + 8 <= n) {
    std::uint64_t word;
    std::memcpy(&word, text + at, 8);
    const std::uint64_t high = word & 0x8080808080808080u;
    // The ASCII bytes before the first other one; more may be written, to be written over.
    const unsigned ascii = high ? lowest(high) / 8 : 8;
    std::memcpy(out.ascii + i, &word, 8);
    for (unsigned j = 0; j < 8; ++j) out.offset[i + j] = static_cast<std::uint16_t>(at + j);
    i += ascii;
    at += ascii;
    // Then the others, in a loop of their own: scripts come in runs. Four bytes are read at once.
    while (i < 64 && at + 4 <= n && text[at] >= 0x80) {
      const std::uint32_t b0 = text[at];
      const std::uint32_t b1 = text[at + 1] ^ 0x80u, b2 = text[at + 2] ^ 0x80u;
      std::uint8_t bits;
      unsigned size;
      if (b0 - 0xC2 < 0xE0 - 0xC2 && b1 < 0x40) {
        bits = kTwoByteBits[(b0 & 0x1F) << 6 | b1];
        size = 2;
      } else {
        const std::uint32_t cp = (b0 & 0x0F) << 12 | b1 << 6 | b2;
        if ((b0 & 0xF0) == 0xE0 && (b1 | b2) < 0x40 && cp >= 0x800 && cp - 0xD800 >= 0x800) {
          bits = bits_of<F>(cp);
          size = 3;
        } else {
          const CodePoint c = decode_utf8(text + at, text + n);
          bits = bits_of<F>(c.value);
          size = c.size;
        }
      }
      out.ascii[i] = 0x80;
      out.bits[i] = bits;
      out.offset[i] = static_cast<std::uint16_t>(at);
      at += size;
      ++i;
    }
  }
  // A window need not be full, but at the text's end it must be complete.
  if (at + 8 <= n) n = at;
  for (; i < 64 && at < n; ++i) {
    const CodePoint c = decode_utf8(text + at, text + n);
    out.offset[i] = static_cast<std::uint16_t>(at);
    out.ascii[i] = c.value < 0x80 ? static_cast<std::uint8_t>(c.value) : 0x80;
    out.bits[i] = c.value < 0x80 ? 0 : bits_of<F>(c.value);
    at += c.size;
  }
  out.count = i;
  out.offset[i] = static_cast<std::uint16_t>(at);
  // The eights may have left bytes behind the end: they are no code points of the window.
  for (; i < 64; ++i) out.ascii[i] = 0x80;
}

// The instruction sets. Each has `ascii_masks`, which sets the masks of the code points below 0x80
// among 64 bytes and returns a mask of the others, and `add_masks`, which adds those of 64 class
// bytes. Precondition of both: 64 readable bytes.

// ASCII for the portable path: class bits, and bits for the literals the patterns ask for.
inline constexpr std::uint8_t kBlank = 1, kNewline = 2, kApostrophe = 4, kSlash = 8, kNotAscii = 128;
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
    for (unsigned i = 0; i < 64; ++i) bits[i] = kAsciiBits[text[i]], literal[i] = kAsciiLiteral[text[i]];
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
#define WORDSPLIT_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt")))
#define WORDSPLIT_TARGET_AVX512 \
  __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vbmi,bmi,bmi2,lzcnt")))

struct Avx2 {
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
    const __m256i base = _mm256_set1_epi8(first), top = _mm256_set1_epi8(static_cast<char>(size - 1));
    const __m256i lo = _mm256_sub_epi8(v.lo, base), hi = _mm256_sub_epi8(v.hi, base);
    return mask(_mm256_cmpeq_epi8(_mm256_min_epu8(lo, top), lo),
                _mm256_cmpeq_epi8(_mm256_min_epu8(hi, top), hi));
  }
  WORDSPLIT_TARGET_AVX2 static inline Half load(const std::uint8_t* p) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)),
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32))};
  }

  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t ascii_masks(const std::uint8_t* text, Masks& k) {
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
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t equal(__m512i v, char c) {
    return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c));
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t range(__m512i v, char first, char size) {
    return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(v, _mm512_set1_epi8(first)), _mm512_set1_epi8(size));
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t ascii_masks(const std::uint8_t* text, Masks& k) {
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

// Writes the offsets of the set bits, at most `cap`, and returns how many.
WORDSPLIT_INLINE std::size_t write_ends(std::uint64_t starts, const Masks& k, std::uint32_t base,
                                        std::uint32_t* ends, std::size_t cap) {
  std::size_t count = static_cast<std::size_t>(std::popcount(starts));
  if (count > cap) count = cap;
  std::size_t i = 0;
  // In fours, past the count where there is room: one branch for four spans.
  for (; i < count && i + 4 <= cap; i += 4) {
    for (unsigned j = 0; j < 4; ++j) {
      const unsigned bit = lowest(starts) & 63;
      ends[i + j] = base + (k.offset ? k.offset[bit] : bit);
      starts &= starts - 1;
    }
  }
  for (; i < count; ++i, starts &= starts - 1) {
    ends[i] = base + static_cast<std::uint32_t>(k.byte_offset(lowest(starts)));
  }
  return count;
}

// The scan function (scanners.hpp says what that is) of a family or scheme on an instruction set.
template <class Scheme, class Simd>
WORDSPLIT_INLINE std::size_t scan_windows(const std::uint8_t* text, std::size_t n, std::size_t& pos,
                                          std::uint32_t* ends, std::size_t cap) {
  std::size_t at = pos, written = 0;
  Decoded decoded;
  while (at < n && written < cap) {
    Masks k;
    k.text = k.ascii = text + at;
    k.offset = nullptr;
    const std::size_t left = n - at;
    k.count = left < 64 ? static_cast<unsigned>(left) : 64;
    if (left < 64) {
      std::memcpy(decoded.ascii, text + at, left);
      std::memset(decoded.ascii + left, 0, 64 - left);
      k.ascii = decoded.ascii;
    }
    std::size_t bytes = k.count;
    if (Simd::ascii_masks(k.ascii, k)) {
      decode_window<Scheme::kFlagged>(text + at, left, decoded);
      Simd::ascii_masks(decoded.ascii, k);
      Simd::add_masks(decoded.bits, k);
      k.ascii = decoded.ascii;
      k.offset = decoded.offset;
      k.count = decoded.count;
      bytes = decoded.offset[decoded.count];
    }
    k.valid = below(k.count);
    k.at_end = bytes == left;
    const std::uint64_t starts = Scheme::starts(k) & ~std::uint64_t{1};
    if (starts) {
      written += write_ends(starts, k, static_cast<std::uint32_t>(at), ends + written, cap - written);
      at = ends[written - 1];
    }
    if (written < cap && (k.at_end || !starts)) {
      // The text's last span, or one longer than the window.
      at = k.at_end ? n : Scheme::next_end(text, n, at);
      ends[written++] = static_cast<std::uint32_t>(at);
    }
  }
  pos = at;
  return written;
}

}  // namespace wordsplit::scanners
