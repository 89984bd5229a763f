// The GPT-2 family: every word, number and punctuation run may take one space before it.
//
//     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// The text consists of runs of letters, of numbers, of white space and of all other characters. A
// span starts at each run, or at the space before it; at the last white-space character of a run;
// and at the apostrophe of a contraction, which ends after its letters. All of that is bit algebra
// on one window.
//
// A family has two functions that agree: `next_end` finds one span by the regex, in time linear in
// the span; `starts` finds the certain span starts of a window, whose bit 0 is always one. If it
// stops before the window's end for another reason than unknown text after it, it clears at_end.
//
// Rules:  kContractions   which apostrophe rule
//         kMaxDigits      0 (no limit), or 1 where numbers are cut one by one in an earlier step
//         kPieces         class bits of the pieces of earlier steps, see spaces.hpp
#pragma once

#include "wordsplit/scanners/contractions.hpp"
#include "wordsplit/scanners/spaces.hpp"

namespace wordsplit::scanners {

struct Gpt2Rules {
  static constexpr Flag kFlagged = Flag::None;
  static constexpr Contractions kContractions = Contractions::CaseSensitive;
  static constexpr unsigned kMaxDigits = 0;
  static constexpr std::uint8_t kPieces = 0;
  static constexpr bool kNewlines = false;
  static constexpr bool kSpacesToEnd = false;
};

template <class Rules>
struct Gpt2Family {
  static constexpr Flag kFlagged = Rules::kFlagged;

  // Preconditions: pos < n, pos is a span start.
  static std::size_t next_end(const std::uint8_t* text, std::size_t n, std::size_t pos) {
    const Char first = char_at<kFlagged>(text, n, pos);
    const std::size_t next = pos + first.size;
    if (first.value == '\'') {
      if (const std::size_t size = contraction_size<Rules::kContractions>(text, n, next)) {
        return next + size;
      }
    }
    std::size_t at = pos;
    Char body = first;
    if (first.value == ' ' && next < n) {
      const Char c = char_at<kFlagged>(text, n, next);
      if (!c.any(kSpace | Rules::kPieces)) at = next, body = c;
    }
    if (body.any(kSpace)) return space_end<Rules>(text, n, pos);
    if (body.any(kNumber)) return number_end<kFlagged, Rules::kMaxDigits>(text, n, at);
    if (body.any(kLetter)) {
      return run_end<kFlagged>(text, n, at, [](const Char& c) { return c.any(kLetter); });
    }
    return run_end<kFlagged>(text, n, at,
                             [](const Char& c) { return !c.any(kLetter | kNumber | kSpace); });
  }

  static WORDSPLIT_INLINE std::uint64_t starts(const Masks& k) {
    const std::uint64_t letter = k.letter();
    const std::uint64_t other = k.valid & ~(letter | k.number | k.space);
    const std::uint64_t fresh = ~(k.blank << 1);  // no space before, which would start the span
    const std::uint64_t others = other & ~(other << 1) & fresh;
    std::uint64_t words = letter & ~(letter << 1) & fresh;
    std::uint64_t numbers = number_starts<Rules::kMaxDigits>(k.number);
    if constexpr (!Rules::kPieces) numbers &= fresh;
    std::uint64_t cut = 0;
    for (std::uint64_t at = k.apostrophe & others & (letter >> 1); at; at &= at - 1) {
      const unsigned i = lowest(at);
      if (const unsigned count = contraction_count<Rules::kContractions>(k, i)) {
        words &= ~(std::uint64_t{2} << i);
        // Shifted in two steps, as i + 1 + count may be 64.
        cut |= std::uint64_t{2} << i << count;
      } else if (!k.at_end && i + 2 >= k.count) {
        words &= ~(std::uint64_t{2} << i);  // 'r, 'v or 'l whose second letter is not seen yet
      }
    }
    return (others | words | numbers | cut | space_starts<Rules>(k, k.space, k.newline, 0).starts) &
           k.valid;
  }
};

}  // namespace wordsplit::scanners
