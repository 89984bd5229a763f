// The cl100k family: a word may take one character before it, whatever that is but a newline, a
// letter or a number; punctuation takes the newlines after it; newlines end a white-space span.
//
//     (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*
//     |\s*[\r\n]+|\s+(?!\S)|\s+
//
// Let a letter run begin at i. Its span begins at i - 1 if that is white space other than a newline
// (always free to be a prefix: no other branch takes the last character of its run), or if that is
// a punctuation run of one character that has no space before it (a longer run, or one after a
// space, is a separate span). Else at i. All of that is bit algebra on one window; the functions
// are those of gpt2_family.hpp.
//
// Rules:  kContractions   which apostrophe rule
//         kWord           class bits that make words: letters, or letters and marks
//         kMaxDigits      1 or 3
//         kTail           what punctuation takes after it
//         kSpacesToEnd    whether \s++$ comes before the newline rule
#pragma once

#include "wordsplit/scanners/contractions.hpp"
#include "wordsplit/scanners/spaces.hpp"

namespace wordsplit::scanners {

struct Cl100kRules {
  static constexpr Flag kFlagged = Flag::None;
  static constexpr Contractions kContractions = Contractions::AnyCase;
  static constexpr std::uint8_t kWord = kLetter;
  static constexpr unsigned kMaxDigits = 3;
  static constexpr Tail kTail = Tail::Newlines;
  static constexpr std::uint8_t kPieces = 0;
  static constexpr bool kNewlines = true;
  static constexpr bool kSpacesToEnd = false;
};

template <class Rules>
struct Cl100kFamily {
  static constexpr Flag kFlagged = Rules::kFlagged;

  static bool word(const Char& c) { return c.any(Rules::kWord); }
  static bool other(const Char& c) { return !c.any(Rules::kWord | kNumber | kSpace); }

  // Preconditions: pos < n, pos is a span start.
  static std::size_t next_end(const std::uint8_t* text, std::size_t n, std::size_t pos) {
    const Char first = char_at<kFlagged>(text, n, pos);
    const std::size_t next = pos + first.size;
    if (first.value == '\'') {
      if (const std::size_t size = contraction_size<Rules::kContractions>(text, n, next)) {
        return next + size;
      }
    }
    if (word(first)) return run_end<kFlagged>(text, n, next, word);
    if (first.any(kNumber)) return number_end<kFlagged, Rules::kMaxDigits>(text, n, pos);
    std::size_t at = pos;
    if (next < n && !first.newline()) {
      const Char second = char_at<kFlagged>(text, n, next);
      if (word(second)) return run_end<kFlagged>(text, n, next, word);
      if (first.value == ' ' && other(second)) at = next;
    }
    if (at == pos && first.any(kSpace)) return space_end<Rules>(text, n, pos);
    at = run_end<kFlagged>(text, n, at, other);
    if constexpr (Rules::kTail == Tail::Newlines) {
      while (at < n && (text[at] == '\n' || text[at] == '\r')) ++at;
    }
    return at;
  }

  static WORDSPLIT_INLINE std::uint64_t starts(const Masks& k) {
    std::uint64_t letter = k.letter();
    if constexpr (Rules::kWord & kMark) letter |= k.mark;
    const std::uint64_t other = k.valid & ~(letter | k.number | k.space);
    const std::uint64_t others = other & ~(other << 1) & ~(k.blank << 1);
    const std::uint64_t prefixes = (k.space & ~k.newline) | others;
    const std::uint64_t words = letter & ~(letter << 1) & ~(prefixes << 1);
    std::uint64_t cut = 0;
    for (std::uint64_t at = k.apostrophe & others & (letter >> 1); at; at &= at - 1) {
      const unsigned i = lowest(at);
      // Shifted in two steps, as i + 1 + count may be 64.
      const unsigned count = contraction_count<Rules::kContractions>(k, i);
      if (count) cut |= std::uint64_t{2} << i << count;
    }
    const std::uint64_t tails = Rules::kTail == Tail::None ? 0 : k.newline & (other << 1);
    const SpaceStarts spaces = space_starts<Rules>(k, k.space, k.newline, tails);
    const std::uint64_t all =
        others | words | cut | number_starts<Rules::kMaxDigits>(k.number) | spaces.starts;
    return certain<Rules>(k, all & k.valid, spaces.runs);
  }
};

}  // namespace wordsplit::scanners
