// Finds out whether bytes are UTF-8.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

namespace utf8_detail {

// Four bytes, the first one lowest.
inline std::uint32_t load_four(const std::uint8_t* p) {
  return p[0] | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16 | std::uint32_t{p[3]} << 24;
}

// The size of the valid code point that four bytes begin with; 0 if it is not ASCII and not valid.
// The masks select the bits of lead and continuation bytes that are fixed, and then those that
// forbid longer forms than needed, surrogates, and code points above U+10FFFF.
inline std::size_t valid_size(std::uint32_t four) {
  if ((four & 0x00C0C0F0) == 0x008080E0) {
    const std::uint32_t top = four & 0x0000200F;
    return top != 0 && top != 0x0000200D ? 3 : 0;
  }
  if ((four & 0x00000080) == 0) return 1;
  if ((four & 0x0000C0E0) == 0x000080C0) return (four & 0x0000001E) != 0 ? 2 : 0;
  if ((four & 0xC0C0C0F8) != 0x808080F0) return 0;
  const std::uint32_t top = four & 0x00003007;
  return top != 0 && ((top & 4) == 0 || top == 4) ? 4 : 0;
}

}  // namespace utf8_detail

// Whether text[0, n) is valid UTF-8: the shortest forms, no surrogates, nothing above U+10FFFF.
inline bool is_utf8(const std::uint8_t* text, std::size_t n) {
  constexpr std::size_t kWords = 8;  // of ASCII, skipped at a time
  const std::uint8_t* p = text;
  const std::uint8_t* const end = text + n;
  while (end - p >= 4) {
    while (static_cast<std::size_t>(end - p) >= 8 * kWords) {
      std::uint64_t words[kWords], all = 0;
      std::memcpy(words, p, sizeof(words));
      for (const std::uint64_t word : words) all |= word;
      if (all & 0x8080808080808080U) break;
      p += sizeof(words);
    }
    // Code point by code point for as many bytes, so that other text is not searched for ASCII at
    // each of them.
    const std::uint8_t* const stop = p + std::min<std::ptrdiff_t>(end - p - 3, 64);
    while (p < stop) {
      const std::size_t size = utf8_detail::valid_size(utf8_detail::load_four(p));
      if (size == 0) return false;
      p += size;
    }
  }
  while (p < end) {
    const CodePoint found = decode_utf8(p, end);
    if (is_invalid(found)) return false;
    p += found.size;
  }
  return true;
}

}  // namespace wordsplit
