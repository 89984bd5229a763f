// Windows of up to 64 code points, and the loop that turns them into spans.
//
// A window begins at a span start, so nothing is carried from one to the next. Its bytes are
// classified into masks (classify.hpp): all ASCII, by vector compares on the text itself; else the
// code points are decoded into two arrays of 64 bytes first (decode.hpp), and those are compared. A
// family then gives the span starts it is certain of, and the next window begins at the last of
// them. A span longer than the window is found by the family's next_end.
//
// Linear: a window costs O(1) and ends at least one span, or next_end does. At the text's end
// windows are copied, so no byte outside [text, text + n) is ever read.
#pragma once

#include <cstring>

#include "wordsplit/scanners/decode.hpp"
#include "wordsplit/scanners/decode_avx512.hpp"
#include "wordsplit/scanners/masks.hpp"

namespace wordsplit::scanners {

// Writes the offsets of the set bits, at most `cap`, and returns how many.
template <class Simd>
WORDSPLIT_INLINE std::size_t write_ends(std::uint64_t starts, const Masks& k, std::uint32_t base,
                                        std::uint32_t* ends, std::size_t cap) {
  const auto count = static_cast<std::size_t>(std::popcount(starts));
  if (count + kKeepRoom <= cap) return Simd::keep(starts, k.offset, base, ends);
  std::size_t i = 0;
  for (; i < count && i < cap; ++i, starts &= starts - 1) ends[i] = base + k.offset[lowest(starts)];
  return i;
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
    k.offset = simd::kCounting.data();
    const std::size_t left = n - at;
    k.count = left < 64 ? static_cast<unsigned>(left) : 64;
    if (left < 64) {
      if constexpr (requires { Simd::copy_padded(text, left, decoded.ascii); }) {
        Simd::copy_padded(text + at, left, decoded.ascii);
      } else {
        std::memcpy(decoded.ascii, text + at, left);
        std::memset(decoded.ascii + left, 0, 64 - left);
      }
      k.ascii = decoded.ascii;
    }
    std::size_t bytes = k.count;
    const bool is_ascii = ascii_masks<Simd>(k.ascii, k) == 0;
    if (!is_ascii) {
      WindowDecoder<Simd, Scheme::kFlagged>::decode(text + at, left, decoded);
      ascii_masks<Simd>(decoded.ascii, k);
      add_masks<Simd>(decoded.bits, k);
      k.ascii = decoded.ascii;
      k.offset = decoded.offset;
      k.count = decoded.count;
      bytes = decoded.offset[decoded.count];
    }
    k.valid = below(k.count);
    k.at_end = bytes == left;
    const std::uint64_t starts = Scheme::starts(k) & ~std::uint64_t{1};
    if (starts) {
      written += write_ends<Simd>(starts, k, static_cast<std::uint32_t>(at), ends + written,
                                  cap - written);
      // The next window depends on this: the end just written would come later, and the offset of a
      // byte of ASCII, too.
      const unsigned last = highest(starts);
      at = written == cap ? ends[written - 1] : at + (is_ascii ? last : k.offset[last]);
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
