// Code points as the scanners see them: one byte of class bits each, and bit masks over 64 of them.
//
// Every pattern here asks only for general categories, White_Space, a few literal characters and,
// in two schemes, a script or a range of ideographs. So a code point becomes eight bits, and a
// window of up to 64 code points becomes one 64-bit mask a class, bit i standing for code point i.
// The families (gpt2_family.hpp, cl100k_family.hpp, ...) work on those masks alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "wordsplit/base/bits.hpp"
#include "wordsplit/base/compiler.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit::scanners {

// Class bits. Exclusive of each other except for kFlag, and all clear for controls, format
// characters, unassigned code points and bytes that are not UTF-8.
inline constexpr std::uint8_t kUpper = 1;     // Lu Lt
inline constexpr std::uint8_t kLower = 2;     // Ll
inline constexpr std::uint8_t kCaseless = 4;  // Lm Lo
inline constexpr std::uint8_t kMark = 8;      // M
inline constexpr std::uint8_t kNumber = 16;   // N
inline constexpr std::uint8_t kSpace = 32;    // White_Space, which is \s
inline constexpr std::uint8_t kPunct = 64;    // P S
inline constexpr std::uint8_t kFlag = 128;    // Han script, or the scheme's own ideographs
inline constexpr std::uint8_t kLetter = kUpper | kLower | kCaseless;

constexpr std::uint8_t bits_of_class(std::uint8_t cls) {
  const std::uint32_t category = 1u << (cls & 31);
  const std::uint8_t flag = (cls & kFlagHan) ? kFlag : 0;
  if (cls & kFlagSpace) return kSpace | flag;
  if (category & (1u << Lu | 1u << Lt)) return kUpper | flag;
  if (category & 1u << Ll) return kLower | flag;
  if (category & (1u << Lm | 1u << Lo)) return kCaseless | flag;
  if (category & kMaskM) return kMark | flag;
  if (category & kMaskN) return kNumber | flag;
  if (category & (kMaskP | kMaskS)) return kPunct | flag;
  return flag;
}

// A class byte of unicode.hpp -> class bits. A second lookup, but in one L1-resident 256-byte
// table, and so one set of Unicode tables serves everything.
inline constexpr auto kBitsOfClass = [] {
  std::array<std::uint8_t, 256> table{};
  for (unsigned cls = 0; cls < 256; ++cls)
    table[cls] = bits_of_class(static_cast<std::uint8_t>(cls));
  return table;
}();

// Class bits of U+0080-07FF (two bytes in UTF-8), one load where class_of and kBitsOfClass take
// three: letters of Latin, Greek, Cyrillic, Hebrew and Arabic text.
inline constexpr auto kTwoByteBits = [] {
  std::array<std::uint8_t, 2048> table{};
  for (unsigned cp = 0; cp < 2048; ++cp) {
    const unsigned block = unicode_data::kClassIndex[cp >> unicode_data::kShift];
    const std::size_t at =
        (std::size_t{block} << unicode_data::kShift) + (cp & ((1u << unicode_data::kShift) - 1));
    table[cp] = kBitsOfClass[unicode_data::kClassBlocks[at]] & static_cast<std::uint8_t>(~kFlag);
  }
  return table;
}();

// Which code points carry kFlag.
enum class Flag { None, Han, DeepSeek };

// U+4E00-9FA5 and U+3040-30FF: the ideographs and kana of DeepSeek's second step.
WORDSPLIT_INLINE bool is_deepseek_cjk(std::uint32_t cp) {
  return cp - 0x4E00 <= 0x9FA5 - 0x4E00 || cp - 0x3040 <= 0x30FF - 0x3040;
}

// Precondition: cp < 0x110000.
template <Flag F>
WORDSPLIT_INLINE std::uint8_t bits_of(std::uint32_t cp) {
  const std::uint8_t bits = kBitsOfClass[class_of(cp)];
  if constexpr (F == Flag::Han) return bits;
  if constexpr (F == Flag::None) return bits & static_cast<std::uint8_t>(~kFlag);
  return static_cast<std::uint8_t>((bits & ~kFlag) | (is_deepseek_cjk(cp) ? kFlag : 0));
}

// One decoded code point, for the paths that go one at a time.
struct Char {
  std::uint32_t value;
  std::uint32_t size;
  std::uint8_t bits;
  bool any(std::uint8_t mask) const { return bits & mask; }
  bool newline() const { return value == '\n' || value == '\r'; }
};

// Precondition: at < n.
template <Flag F>
inline Char char_at(const std::uint8_t* text, std::size_t n, std::size_t at) {
  const CodePoint cp = decode_utf8(text + at, text + n);
  return {cp.value, cp.size, bits_of<F>(cp.value)};
}

// The end of the run of code points from `at` for which `in` holds.
template <Flag F, class In>
inline std::size_t run_end(const std::uint8_t* text, std::size_t n, std::size_t at, In in) {
  while (at < n) {
    const Char c = char_at<F>(text, n, at);
    if (!in(c)) break;
    at += c.size;
  }
  return at;
}

// Up to 64 code points from a span start on, a mask a class. Bits from `count` on are clear.
struct Masks {
  std::uint64_t upper, lower, caseless, mark, number, space, punct, flag;
  std::uint64_t ascii_letter, ascii_punct, blank, newline, apostrophe, slash;
  std::uint64_t valid;        // bits below count
  unsigned count;             // code points in the window
  bool at_end;                // the window's end is the text's
  const std::uint8_t* ascii;  // count bytes: the code points below 0x80; anything above for others
  const std::uint8_t* text;   // the first byte of the window
  const std::uint32_t* offset;  // byte offset of each code point, and of the end

  WORDSPLIT_INLINE std::uint64_t letter() const { return upper | lower | caseless; }
  WORDSPLIT_INLINE std::uint64_t last() const { return std::uint64_t{1} << (count - 1); }
};

// The first bit after each run of `run` that begins at a bit of `seeds`: adding a run's first bit
// carries through it to the bit behind. Precondition: seeds are first bits of runs.
WORDSPLIT_INLINE std::uint64_t after_runs(std::uint64_t run, std::uint64_t seeds) {
  return (run + seeds) & ~run;
}

}  // namespace wordsplit::scanners
