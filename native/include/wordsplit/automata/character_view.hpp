// A part of a text as a step of pre-tokenization sees it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wordsplit/text/unicode.hpp"

namespace wordsplit::automata {

// The characters of text[begin, end). A byte that belongs to none counts as U+10FFFF; if on_bytes,
// each byte is a character, the code point of its number.
struct CharacterView {
  const std::uint8_t* text;
  std::size_t begin, end;
  bool on_bytes = false;

  // The character that begins at `at` < end.
  CodePoint at(std::size_t at) const {
    return on_bytes ? CodePoint{text[at], 1} : decode_utf8(text + at, text + end);
  }
  // Where the character begins that byte `at` < end is of.
  std::size_t start_of(std::size_t at) const {
    return on_bytes ? at : code_point_start(text, end, at);
  }
};

}  // namespace wordsplit::automata
