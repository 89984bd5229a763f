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

#include "wordsplit/scanners/simd.hpp"

namespace wordsplit::scanners {

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
      written +=
          write_ends(starts, k, static_cast<std::uint32_t>(at), ends + written, cap - written);
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
