// The o200k family: as cl100k, but words also break between letter cases, marks belong to words,
// and a contraction belongs to the word before it.
//
//     [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|...|'d)?
//     |[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|...|'d)?
//     |\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// Let U be the letters in the first class only, l those in the second only, and X those in both
// (caseless letters and marks). Working out the backtracking of the first branch, spans break
// within a run of them before a run of U's after an l or X in two cases: if the X's just before it
// follow an l; or if it ends the whole run, with only U's and X's between the span's start and it
// (the branch steps back to the last X, and a run of U's is left). Both are bit algebra on a
// window.
//
// Marks are also in [^\s\p{L}\p{N}]. A mark after a letter, a space or the first punctuation
// character of a span belongs to the word; after longer punctuation it does not. `starts` does not
// distinguish the two: it stops at a mark after punctuation, and next_end decides.
//
// Rules:  kContractions, kMaxDigits, kTail, kSpacesToEnd   as in cl100k_family.hpp
//         kFlagged        Flag::Han if runs of Han script are separate spans (kimi_k2.hpp);
//                         those of its characters that are not letters are left to next_end
#pragma once

#include "wordsplit/scanners/contractions.hpp"
#include "wordsplit/scanners/spaces.hpp"

namespace wordsplit::scanners {

struct O200kRules {
  static constexpr Flag kFlagged = Flag::None;
  static constexpr Contractions kContractions = Contractions::AnyCase;
  static constexpr unsigned kMaxDigits = 3;
  static constexpr Tail kTail = Tail::NewlinesAndSlashes;
  static constexpr std::uint8_t kPieces = 0;
  static constexpr bool kNewlines = true;
  static constexpr bool kSpacesToEnd = false;
};

template <class Rules>
struct O200kFamily {
  static constexpr Flag kFlagged = Rules::kFlagged;
  static constexpr bool kHan = kFlagged == Flag::Han;

  static bool han(const Char& c) { return kHan && c.any(kFlag); }
  static bool first_class(const Char& c) { return c.any(kUpper | kCaseless | kMark) && !han(c); }
  static bool second_class(const Char& c) { return c.any(kLower | kCaseless | kMark) && !han(c); }
  static bool other(const Char& c) { return !c.any(kLetter | kNumber | kSpace); }

  // The end of the word at `at` by the first branch, else by the second; 0 if neither matches.
  // Reads at most twice the word's length: the header explains the result of stepping back.
  static std::size_t first_branch(const std::uint8_t* text, std::size_t n, std::size_t at) {
    std::size_t back = 0;
    for (; at < n;) {
      const Char c = char_at<kFlagged>(text, n, at);
      if (!first_class(c)) {
        if (second_class(c)) return run_end<kFlagged>(text, n, at, second_class);
        break;
      }
      at += c.size;
      if (!c.any(kUpper)) back = at;
    }
    return back;
  }
  static std::size_t second_branch(const std::uint8_t* text, std::size_t n, std::size_t at) {
    const std::size_t end = run_end<kFlagged>(text, n, at, first_class);
    return end == at ? 0 : end;  // no second_class follows, or the first branch had matched
  }

  // Preconditions: pos < n, pos is a span start.
  static std::size_t next_end(const std::uint8_t* text, std::size_t n, std::size_t pos) {
    const Char first = char_at<kFlagged>(text, n, pos);
    const std::size_t next = pos + first.size;
    if (han(first)) return run_end<kFlagged>(text, n, next, han);
    const bool prefix = !first.newline() && !first.any(kLetter | kNumber);
    std::size_t end = prefix ? first_branch(text, n, next) : 0;
    if (!end) end = first_branch(text, n, pos);
    if (!end && prefix) end = second_branch(text, n, next);
    if (!end) end = second_branch(text, n, pos);
    if (end) {
      if (Rules::kContractions == Contractions::None || end >= n || text[end] != '\'') return end;
      const std::size_t size = contraction_size<Rules::kContractions>(text, n, end + 1);
      return size ? end + 1 + size : end;
    }
    if (first.any(kNumber)) return number_end<kFlagged, Rules::kMaxDigits>(text, n, pos);
    std::size_t at = run_end<kFlagged>(text, n, first.value == ' ' ? next : pos, other);
    if (at == pos || (first.value == ' ' && at == next)) return space_end<Rules>(text, n, pos);
    while (at < n && (text[at] == '\n' || text[at] == '\r' ||
                      (Rules::kTail == Tail::NewlinesAndSlashes && text[at] == '/'))) {
      ++at;
    }
    return at;
  }

  static WORDSPLIT_INLINE std::uint64_t starts(Masks& k) {
    std::uint64_t limit = k.valid;  // what follows the lowest bit missing here is not certain
    const std::uint64_t han = kHan ? k.flag & k.caseless : 0;
    if constexpr (kHan) {
      if (const std::uint64_t odd = k.flag & ~k.caseless) limit &= below(lowest(odd));
    }
    const std::uint64_t both = (k.caseless | k.mark) & ~han;
    const std::uint64_t word = k.upper | k.lower | both;
    std::uint64_t other = k.valid & ~(word | han | k.number | k.space);
    if (const std::uint64_t odd = (other << 1) & k.mark) limit &= below(lowest(odd));

    // What punctuation takes after it. Newlines alone are left to space_starts(). If slashes follow
    // them, the whole tail is removed from the masks, one tail at a time.
    std::uint64_t space = k.space, newline = k.newline;
    std::uint64_t tails = newline & (other << 1);
    if constexpr (Rules::kTail == Tail::NewlinesAndSlashes) {
      if ((newline << 1) & k.slash) {
        const std::uint64_t tail = newline | k.slash;
        while (tails) {
          const std::uint64_t seed = tails & (~tails + 1);
          const std::uint64_t after = (tail + seed) & ~tail;
          const std::uint64_t taken = (after ? after - 1 : ~std::uint64_t{0}) & ~(seed - 1);
          other &= ~taken;
          space &= ~taken;
          newline &= ~taken;
          tails &= ~taken;
        }
      }
    }

    const std::uint64_t others = other & ~(other << 1) & ~(k.blank << 1);
    const std::uint64_t prefixes = (space & ~newline) | others;
    std::uint64_t words = word & ~(word << 1) & ~(prefixes << 1);
    // Breaks within a run: before U's that follow l X*, or that end the run after an X.
    words |= (k.lower << 1) & k.upper;
    if (both) {
      words |= after_runs(both, (k.lower << 1) & both) & k.upper;
      // From each U that no word character follows, back to the first of its run.
      const std::uint64_t behind_both = k.upper & ~(k.upper << 1) & (both << 1);
      const std::uint64_t final_upper = k.upper & ~(word >> 1) & ~k.last();
      const std::uint64_t ends = after_runs(k.upper, behind_both) & (final_upper << 1);
      for (std::uint64_t at = ends; at; at &= at - 1) {
        const std::uint64_t before = behind_both & below(lowest(at));
        words |= std::uint64_t{1} << (63 - std::countl_zero(before));
      }
      // A run at the window's end is certainly complete only at the end of the text. Else its start
      // may be left out, since no other start is after it.
      if (k.at_end && (k.upper & k.last())) {
        const std::uint64_t rest = k.valid & ~k.upper;
        const unsigned begin = rest ? 64 - static_cast<unsigned>(std::countl_zero(rest)) : 0;
        words |= behind_both & (std::uint64_t{1} << begin);
      }
    }

    std::uint64_t all =
        others | words | (han & ~(han << 1)) | number_starts<Rules::kMaxDigits>(k.number);
    if constexpr (Rules::kContractions != Contractions::None) {
      unsigned free = 0;  // where the last contraction ended: none follows it directly
      for (std::uint64_t at = k.apostrophe & (word << 1) & others; at; at &= at - 1) {
        const unsigned i = lowest(at);
        if (i == free) continue;
        if (const unsigned count = contraction_count<Rules::kContractions>(k, i)) {
          all &= below(i) | ~below(i + 1 + count);
          all |= std::uint64_t{2} << i << count;
          free = i + 1 + count;
          // The breaks above took the letters of the contraction for the start of the word here.
          if (both >> 1 >> i >> count & 1) limit &= below(free + 1);
        } else if (!k.at_end && i + 2 >= k.count) {
          limit &= below(i);
        }
      }
    }
    const SpaceStarts spaces = space_starts<Rules>(k, space, newline, tails);
    all |= spaces.starts;
    const std::uint64_t result = certain<Rules>(k, all & k.valid, spaces.runs) & limit;
    k.at_end &= limit == k.valid;
    return result;
  }
};

}  // namespace wordsplit::scanners
