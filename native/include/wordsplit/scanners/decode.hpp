// Decodes a window of code points from text that is not all ASCII.
#pragma once

#include <cstring>

#include "wordsplit/scanners/classify.hpp"

namespace wordsplit::scanners {

// A decoded window: `bits` are the class bits of the code points that are not ASCII (0 for ASCII),
// `ascii` the code points that are (0x80 for the others). There is room for vector stores past the
// last of the 64.
struct Decoded {
  static constexpr unsigned kMost = 64;
  alignas(64) std::uint8_t bits[kMost];
  alignas(64) std::uint8_t ascii[2 * kMost];
  std::uint32_t offset[2 * kMost + 1];
  unsigned count;
};

// Decodes up to 64 code points from `text`. Precondition: n > 0.
template <Flag F>
inline void decode_window(const std::uint8_t* text, std::size_t n, Decoded& out) {
  std::memset(out.bits, 0, sizeof out.bits);
  std::size_t at = 0;
  unsigned i = 0;
  // Eight bytes at a time, while eight are left.
  while (i <= 56 && at + 8 <= n) {
    std::uint64_t word;
    std::memcpy(&word, text + at, 8);
    const std::uint64_t high = word & 0x8080808080808080u;
    // The number of ASCII bytes before the first other one. All eight are written; those behind are
    // overwritten later.
    const unsigned ascii = high ? lowest(high) / 8 : 8;
    std::memcpy(out.ascii + i, &word, 8);
    for (unsigned j = 0; j < 8; ++j) out.offset[i + j] = static_cast<std::uint32_t>(at + j);
    i += ascii;
    at += ascii;
    // Then the others, in a loop of their own, since scripts come in runs. Reads four bytes at
    // once.
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
      out.offset[i] = static_cast<std::uint32_t>(at);
      at += size;
      ++i;
    }
  }
  // A window need not be full, but the last one must reach the end of the text.
  if (at + 8 <= n) n = at;
  for (; i < 64 && at < n; ++i) {
    const CodePoint c = decode_utf8(text + at, text + n);
    out.offset[i] = static_cast<std::uint32_t>(at);
    out.ascii[i] = c.value < 0x80 ? static_cast<std::uint8_t>(c.value) : 0x80;
    out.bits[i] = c.value < 0x80 ? 0 : bits_of<F>(c.value);
    at += c.size;
  }
  out.count = i;
  out.offset[i] = static_cast<std::uint32_t>(at);
  // Clear what groups of eight bytes have written past the end.
  for (; i < 64; ++i) out.ascii[i] = 0x80;
}

// The decoding of a window with an instruction set; decode_avx512.hpp has a faster way for one.
template <class Simd, Flag F>
struct WindowDecoder {
  static WORDSPLIT_INLINE void decode(const std::uint8_t* text, std::size_t n, Decoded& out) {
    decode_window<F>(text, n, out);
  }
};

}  // namespace wordsplit::scanners
