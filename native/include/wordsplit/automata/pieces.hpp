// The matches of a pattern in the pieces of a text, and the text between them.
#pragma once

#include <cstdint>

#include "wordsplit/automata/scanner.hpp"

namespace wordsplit::automata {

// Calls piece(begin, end, is_match) for each of them, in order. They tile `text`, which is divided
// into pieces that end at ends[0, count); see Attempts::piece() about empty matches.
template <class Do>
void for_each_piece(const Scanner& scanner, const CharacterView& text, const std::uint32_t* ends,
                    std::size_t count, Do&& piece) {
  // A scan finds where they end, several at a time, and an attempt at each says what it is.
  Scanner::Pieces of_scan, of_attempts;
  of_scan.set(0, ends, count);
  of_attempts.set(0, ends, count);
  std::uint32_t found[256];
  std::size_t begin = 0;
  for (std::size_t at = 0; at < of_scan.end();) {
    const std::size_t some = scanner.scan_within(text, of_scan, at, found, std::size(found));
    for (std::size_t i = 0; i < some; begin = found[i++]) {
      Attempts& attempts = of_attempts.attempts_at(begin, scanner.automaton(), text);
      const std::size_t match = attempts.match(begin);
      piece(begin, std::size_t{found[i]}, match != Attempts::kNone && match > begin);
    }
  }
}

}  // namespace wordsplit::automata
