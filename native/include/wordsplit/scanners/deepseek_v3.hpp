// DeepSeek V3: three steps, each applied inside the pieces of the one before.
//
//     \p{N}{1,3}
//     [一-龥぀-ゟ゠-ヿ]+
//     [!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+
//     | ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// Differences from the cl100k family: marks belong to words; there are no contractions; white space
// before a number or an ideograph is at the end of its piece; punctuation is \p{P}\p{S} only, and
// is the prefix of a word only if both are ASCII, and then the word ends with its ASCII letters.
// All other characters (controls, format characters, unassigned code points, invalid bytes: "gaps"
// here) match only as the one-character prefix of a word, so a run of them is one span, without
// that prefix.
//
// The third step splits the pieces of the second: their letters and marks, and their punctuation
// (such as U+30FB), are separate runs, without prefixes. The three unassigned code points in
// that range are left to next_end.
#pragma once

#include "wordsplit/scanners/spaces.hpp"

namespace wordsplit::scanners {

struct DeepSeekV3 {
  static constexpr Flag kFlagged = Flag::DeepSeek;
  static constexpr std::uint8_t kPieces = kNumber | kFlag;
  static constexpr bool kNewlines = true;
  static constexpr bool kSpacesToEnd = false;

  static bool word(const Char& c) { return c.any(kLetter | kMark) && !c.any(kFlag); }
  static bool punct(const Char& c) { return c.any(kPunct) && !c.any(kFlag); }
  static bool gap(const Char& c) { return !c.bits; }
  static bool ascii_letter(const Char& c) { return c.value < 0x80 && c.any(kLetter); }

  // The end of a span in a piece of the second step. Precondition: at < n is at a code point of
  // such a piece.
  static std::size_t cjk_end(const std::uint8_t* text, std::size_t n, std::size_t at) {
    const auto letter = [](const Char& c) { return c.any(kFlag) && c.any(kLetter | kMark); };
    const auto unassigned = [](const Char& c) { return c.bits == kFlag; };
    const Char first = char_at<kFlagged>(text, n, at);
    const std::size_t next = at + first.size;
    if (letter(first)) return run_end<kFlagged>(text, n, next, letter);
    if (!unassigned(first)) {
      return run_end<kFlagged>(text, n, next,
                               [](const Char& c) { return c.any(kFlag) && c.any(kPunct); });
    }
    return gap_end(text, n, at, unassigned, letter);
  }

  // The end of the span at a run of gap characters: the whole run, without its last character if a
  // word follows; or that word, if the run is only that character.
  template <class Gap, class Word>
  static std::size_t gap_end(const std::uint8_t* text, std::size_t n, std::size_t at, Gap in_gap,
                             Word in_word) {
    std::size_t last = at, p = at;
    while (p < n) {
      const Char c = char_at<kFlagged>(text, n, p);
      if (!in_gap(c)) {
        if (!in_word(c)) return p;
        return last == at ? run_end<kFlagged>(text, n, p, in_word) : last;
      }
      last = p;
      p += c.size;
    }
    return n;
  }

  // Preconditions: pos < n, pos is a span start.
  static std::size_t next_end(const std::uint8_t* text, std::size_t n, std::size_t pos) {
    const Char first = char_at<kFlagged>(text, n, pos);
    const std::size_t next = pos + first.size;
    if (first.any(kNumber)) return number_end<kFlagged, 3>(text, n, pos);
    if (first.any(kFlag)) return cjk_end(text, n, pos);
    if (word(first)) return run_end<kFlagged>(text, n, next, word);
    if (gap(first)) return gap_end(text, n, pos, gap, word);
    std::size_t at = pos;
    if (next < n) {
      const Char second = char_at<kFlagged>(text, n, next);
      if (punct(first) && first.value < 0x80 && ascii_letter(second)) {
        return run_end<kFlagged>(text, n, next, ascii_letter);
      }
      if (first.any(kSpace) && !first.newline() && word(second)) {
        return run_end<kFlagged>(text, n, next, word);
      }
      if (first.value == ' ' && punct(second)) at = next;
    }
    if (at == pos && first.any(kSpace)) return space_end<DeepSeekV3>(text, n, pos);
    at = run_end<kFlagged>(text, n, at, punct);
    while (at < n && (text[at] == '\n' || text[at] == '\r')) ++at;
    return at;
  }

  static WORDSPLIT_INLINE std::uint64_t starts(Masks& k) {
    std::uint64_t limit = k.valid;
    const std::uint64_t letter = k.letter() | k.mark;
    if (const std::uint64_t odd = k.flag & ~(letter | k.punct)) limit &= below(lowest(odd));
    const std::uint64_t word = letter & ~k.flag, cjk_word = letter & k.flag;
    const std::uint64_t punct = k.punct & ~k.flag, cjk_punct = k.punct & k.flag;
    const std::uint64_t gap = k.valid & ~(letter | k.punct | k.number | k.space | k.flag);

    const std::uint64_t puncts = punct & ~(punct << 1) & ~(k.blank << 1);
    const std::uint64_t joined = ((puncts & k.ascii_punct) << 1) & k.ascii_letter;
    const std::uint64_t prefixes = (k.space & ~k.newline) | gap;
    std::uint64_t all = puncts | (word & ~(word << 1) & ~(prefixes << 1) & ~joined);
    all |= after_runs(k.ascii_letter, joined) & word;
    all |= gap & ~(gap << 1);
    all |= gap & (word >> 1);
    all |= (cjk_word & ~(cjk_word << 1)) | (cjk_punct & ~(cjk_punct << 1));
    all |= number_starts<3>(k.number);
    const SpaceStarts spaces =
        space_starts<DeepSeekV3>(k, k.space, k.newline, k.newline & (punct << 1));
    const std::uint64_t result =
        certain<DeepSeekV3>(k, (all | spaces.starts) & k.valid, spaces.runs) & limit;
    k.at_end &= limit == k.valid;
    return result;
  }
};

}  // namespace wordsplit::scanners
