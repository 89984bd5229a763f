// Unicode classes of code points (Unicode 16, as in the oracles) and UTF-8 decoding.
//
// A class byte holds the general category in its low five bits and three flags above. Two-stage
// tables: two dependent loads per code point, 42 KB in all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/text/unicode_data.hpp"

namespace wordsplit {

// Indices of unicode_data::kCategories.
enum Category : std::uint8_t {
  Lu,
  Ll,
  Lt,
  Lm,
  Lo,
  Mn,
  Mc,
  Me,
  Nd,
  Nl,
  No,
  Pc,
  Pd,
  Ps,
  Pe,
  Pi,
  Pf,
  Po,
  Sm,
  Sc,
  Sk,
  So,
  Zs,
  Zl,
  Zp,
  Cc,
  Cf,
  Cs,
  Co,
  Cn
};

inline constexpr std::uint32_t kMaskL = 1u << Lu | 1u << Ll | 1u << Lt | 1u << Lm | 1u << Lo;
inline constexpr std::uint32_t kMaskM = 1u << Mn | 1u << Mc | 1u << Me;
inline constexpr std::uint32_t kMaskN = 1u << Nd | 1u << Nl | 1u << No;
inline constexpr std::uint32_t kMaskP =
    1u << Pc | 1u << Pd | 1u << Ps | 1u << Pe | 1u << Pi | 1u << Pf | 1u << Po;
inline constexpr std::uint32_t kMaskS = 1u << Sm | 1u << Sc | 1u << Sk | 1u << So;

inline constexpr std::uint8_t kFlagSpace = 32, kFlagHan = 64, kFlagWord = 128;

// Whether a byte of UTF-8 is of the character that begins before it.
inline bool is_continuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

// The number of characters that begin within bytes of UTF-8.
inline std::size_t count_characters(const std::uint8_t* p, std::size_t n) {
  return n - static_cast<std::size_t>(std::count_if(p, p + n, is_continuation));
}

// The class byte of `cp`. Precondition: cp < 0x110000.
inline std::uint8_t class_of(std::uint32_t cp) {
  using namespace unicode_data;
  return kClassBlocks[(std::size_t{kClassIndex[cp >> kShift]} << kShift) +
                      (cp & ((1u << kShift) - 1))];
}

inline bool in_categories(std::uint8_t cls, std::uint32_t mask) { return (mask >> (cls & 31)) & 1; }
inline bool is_space(std::uint8_t cls) { return cls & kFlagSpace; }

// A decoded code point and its size in bytes. A byte that starts no valid sequence is decoded alone
// as kInvalid (an unassigned class), so every byte belongs to exactly one code point.
struct CodePoint {
  std::uint32_t value;
  std::uint32_t size;
};

inline constexpr std::uint32_t kInvalid = 0x10FFFF;  // a noncharacter: category Cn

// Whether this is an invalid byte (and not U+10FFFF itself, which has four bytes).
inline bool is_invalid(CodePoint cp) { return cp.value == kInvalid && cp.size == 1; }

// Decodes the code point at p. Precondition: p < end. For loops that do little else.
WORDSPLIT_INLINE CodePoint decode_utf8_inline(const std::uint8_t* p, const std::uint8_t* end) {
  const std::uint32_t b0 = p[0];
  if (b0 < 0x80) return {b0, 1};
  const std::size_t left = static_cast<std::size_t>(end - p);
  const auto tail = [&](std::size_t i) { return is_continuation(p[i]); };
  if (b0 >= 0xC2 && b0 < 0xE0) {
    if (left >= 2 && tail(1)) return {(b0 & 0x1F) << 6 | (p[1] & 0x3Fu), 2};
  } else if (b0 >= 0xE0 && b0 < 0xF0) {
    if (left >= 3 && tail(1) && tail(2)) {
      const std::uint32_t cp = (b0 & 0x0F) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
      if (cp >= 0x800 && (cp < 0xD800 || cp > 0xDFFF)) return {cp, 3};
    }
  } else if (b0 >= 0xF0 && b0 < 0xF5) {
    if (left >= 4 && tail(1) && tail(2) && tail(3)) {
      const std::uint32_t cp =
          (b0 & 0x07) << 18 | (p[1] & 0x3Fu) << 12 | (p[2] & 0x3Fu) << 6 | (p[3] & 0x3Fu);
      if (cp >= 0x10000 && cp < 0x110000) return {cp, 4};
    }
  }
  return {kInvalid, 1};
}
// The same as a call.
inline CodePoint decode_utf8(const std::uint8_t* p, const std::uint8_t* end) {
  return decode_utf8_inline(p, end);
}

// The start of the code point to which text[at] belongs. Precondition: at < n.
inline std::size_t code_point_start(const std::uint8_t* text, std::size_t n, std::size_t at) {
  std::size_t from = at;
  while (from > 0 && at - from < 3 && is_continuation(text[from])) --from;
  return from + decode_utf8(text + from, text + n).size > at ? from : at;
}

// Leaves white space at the ends of a text out.
inline void trim_white_space(const std::uint8_t*& text, std::size_t& n, bool left, bool right) {
  for (CodePoint c; left && n > 0; text += c.size, n -= c.size) {
    c = decode_utf8(text, text + n);
    if (!is_space(class_of(c.value))) break;
  }
  while (right && n > 0) {
    const std::size_t start = code_point_start(text, n, n - 1);
    if (!is_space(class_of(decode_utf8(text + start, text + n).value))) break;
    n = start;
  }
}

// Writes the UTF-8 of a code point, at most four bytes, and returns its end.
inline std::uint8_t* put_utf8(std::uint32_t cp, std::uint8_t* to) {
  const auto low = [cp](unsigned shift) {
    return static_cast<std::uint8_t>(0x80 | (cp >> shift & 0x3F));
  };
  if (cp < 0x80) {
    *to++ = static_cast<std::uint8_t>(cp);
    return to;
  }
  if (cp < 0x800) {
    *to++ = static_cast<std::uint8_t>(0xC0 | cp >> 6);
  } else {
    if (cp < 0x10000) {
      *to++ = static_cast<std::uint8_t>(0xE0 | cp >> 12);
    } else {
      *to++ = static_cast<std::uint8_t>(0xF0 | cp >> 18);
      *to++ = low(12);
    }
    *to++ = low(6);
  }
  *to++ = low(0);
  return to;
}

}  // namespace wordsplit
