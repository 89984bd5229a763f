// Finds out whether bytes are UTF-8.
#pragma once

#include <cstdint>
#include <cstring>

#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

// Whether text[0, n) is valid UTF-8: the shortest forms, no surrogates, nothing above U+10FFFF.
inline bool is_utf8(const std::uint8_t* text, std::size_t n) {
  constexpr std::size_t kWords = 8;  // of ASCII, skipped at a time
  const std::uint8_t* p = text;
  const std::uint8_t* const end = text + n;
  while (p < end) {
    while (static_cast<std::size_t>(end - p) >= 8 * kWords) {
      std::uint64_t words[kWords], all = 0;
      std::memcpy(words, p, sizeof(words));
      for (const std::uint64_t word : words) all |= word;
      if (all & 0x8080808080808080U) break;
      p += sizeof(words);
    }
    // Code point by code point for as many bytes, so that non-ASCII text is not searched for ASCII
    // at each of them.
    for (const std::uint8_t* const stop = end - p < 64 ? end : p + 64; p < stop;) {
      const CodePoint found = decode_utf8(p, end);
      if (is_invalid(found)) return false;
      p += found.size;
    }
  }
  return true;
}

}  // namespace wordsplit
