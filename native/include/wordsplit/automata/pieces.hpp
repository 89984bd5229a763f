// The matches of a pattern in a text, and the text between them.
#pragma once

#include <cstdint>

#include "wordsplit/automata/scanner.hpp"

namespace wordsplit::automata {

// Calls piece(begin, end, is_match) for each of them, in order. They tile text[0, n), which has
// less than 4 GiB; see Attempts::piece() about empty matches.
template <class Do>
void for_each_piece(const Scanner& scanner, const std::uint8_t* text, std::size_t n, Do&& piece) {
  // A scan finds the ends of pieces, several at a time, and an attempt at each says what it is.
  const CharacterView view{text, 0, n};
  Attempts of_scan(scanner.automaton(), view), attempts(scanner.automaton(), view);
  std::uint32_t ends[256];
  std::size_t begin = 0;
  for (std::size_t at = 0; at < n;) {
    const std::size_t count = scanner.scan(at, ends, std::size(ends), of_scan);
    for (std::size_t i = 0; i < count; begin = ends[i++]) {
      const std::size_t match = attempts.match(begin);
      piece(begin, std::size_t{ends[i]}, match != Attempts::kNone && match > begin);
    }
  }
}

}  // namespace wordsplit::automata
