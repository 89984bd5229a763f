// White space, which all patterns here treat in nearly the same way, and digits.
//
//     \s*[\r\n]+     up to the last newline of the run            (Rules::kNewlines)
//     \s++$          or all of it, where the text ends with it    (Rules::kSpacesToEnd)
//     \s+(?!\S)      else all but its last character, unless the text ends here
//     \s+            which is a span if no branch takes it as a prefix
//
// In a scheme of several steps each step's pieces are separate texts: a run that an earlier
// step's piece follows (Rules::kPieces, a mask of class bits) is at its text's end.
//
// Punctuation may take the newlines after it (Rules::kTail) before any of this applies.
#pragma once

#include "wordsplit/scanners/classify.hpp"

namespace wordsplit::scanners {

// The characters that a punctuation span takes at its end: [\r\n]* or [\r\n/]*.
enum class Tail { None, Newlines, NewlinesAndSlashes };

// The end of the white-space span at `at`. Linear in the run: a run has at most three spans, so it
// is read at most three times. Precondition: text[at] begins a white-space character.
template <class Rules>
inline std::size_t space_end(const std::uint8_t* text, std::size_t n, std::size_t at) {
  std::size_t p = at, last = at, after_newline = 0;
  bool ends_text = true;
  while (p < n) {
    const Char c = char_at<Rules::kFlagged>(text, n, p);
    if (!c.any(kSpace)) {
      ends_text = false;
      if (c.any(Rules::kPieces)) ends_text = true;
      break;
    }
    last = p;
    p += c.size;
    if (c.newline()) after_newline = p;
  }
  if (Rules::kSpacesToEnd && p == n) return n;
  if (Rules::kNewlines && after_newline) return after_newline;
  return ends_text || last == at ? p : last;
}

// The span starts of white space in a window.
struct SpaceStarts {
  std::uint64_t starts;  // span starts at white space, and just after it where newlines end a span
  std::uint64_t runs;    // the starts among them that hold whatever follows the window
};

// `space` and `newline` are those of `k`, without what punctuation took; `tails` are the newlines
// that directly follow the last character of a punctuation span.
template <class Rules>
WORDSPLIT_INLINE SpaceStarts space_starts(const Masks& k, std::uint64_t space,
                                          std::uint64_t newline, std::uint64_t tails) {
  std::uint64_t pieces = 0;
  if constexpr (Rules::kPieces & kNumber) pieces |= k.number;
  if constexpr (Rules::kPieces & kFlag) pieces |= k.flag;
  // The last character of a run is apart, as the next span's prefix or alone. The text after the
  // window is not known, so its last code point is not decided here.
  const std::uint64_t followed = ~(space >> 1) & ~(pieces >> 1) & ~k.last();
  if constexpr (!Rules::kNewlines) {
    const std::uint64_t runs = space & ~(space << 1);
    return {runs | (space & followed), runs};
  } else {
    const std::uint64_t inner = space & ~newline;
    const std::uint64_t runs =
        (space & ~(space << 1) & ~tails) | (after_runs(newline, tails) & space);
    // Space after a newline starts a span, unless there are newlines after that space.
    std::uint64_t behind = (newline << 1) & inner;
    for (std::uint64_t bad = after_runs(inner, behind) & newline; bad; bad &= bad - 1) {
      const std::uint64_t before = behind & below(lowest(bad));
      behind &= ~(std::uint64_t{1} << highest(before));
    }
    return {runs | behind | (inner & followed), runs};
  }
}

// Removes the starts that depend on the text after the window: of a run of white space that
// reaches the window's end, only the first start is certain. With \s++$ the whole run is one span.
template <class Rules>
WORDSPLIT_INLINE std::uint64_t certain(const Masks& k, std::uint64_t starts, std::uint64_t runs) {
  if (!Rules::kNewlines || (k.at_end && !Rules::kSpacesToEnd)) return starts;
  if (!(k.space & k.last())) return starts;
  const std::uint64_t others = k.valid & ~k.space;
  const unsigned begin = others ? 64 - static_cast<unsigned>(std::countl_zero(others)) : 0;
  return starts & (below(begin) | runs);
}

// The starts of number spans of at most MaxDigits digits; 0 is no limit. Numbers take no prefix but
// ` ?`, see the callers.
template <unsigned MaxDigits>
WORDSPLIT_INLINE std::uint64_t number_starts(std::uint64_t number) {
  if constexpr (MaxDigits == 1) return number;
  std::uint64_t starts = number & ~(number << 1);
  if constexpr (MaxDigits == 3) {
    const std::uint64_t fourth = number & (number << 1) & (number << 2) & (number << 3);
    for (std::uint64_t at = (starts << 3) & fourth; at; at = (at << 3) & fourth) starts |= at;
  }
  return starts;
}

template <Flag F, unsigned MaxDigits>
inline std::size_t number_end(const std::uint8_t* text, std::size_t n, std::size_t at) {
  unsigned left = MaxDigits;
  return run_end<F>(
      text, n, at, [&](const Char& c) { return c.any(kNumber) && (MaxDigits == 0 || left-- > 0); });
}

}  // namespace wordsplit::scanners
