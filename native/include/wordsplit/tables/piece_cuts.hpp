// Cuts of raw text within the words of a map, where no token crosses.
//
// A word is encoded in pieces (cuts.hpp), and its pieces are in many words: of a text's words that
// are new, most consist of pieces that are known. So the pieces are the spans of the text, which
// the span cache holds. A piece that goes on with a word begins with no space, and all other spans
// but the first begin with one, so that the first byte tells them apart (word_map.hpp).
//
// A boundary is decided by what the map makes of the characters beside it. There is a cut only
// between two that stay as they are, or of which the right one may be replaced together with marks
// after it: by something that no token joins to the left one either. So a pair counts as crossed
// if a token crosses it, or one that the right character may become.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wordsplit/tables/character_pairs.hpp"
#include "wordsplit/tables/cuts.hpp"
#include "wordsplit/text/word_map.hpp"

namespace wordsplit {

class PieceCuts {
 public:
  // Whether there are such cuts: the tokens are of words, each of which begins with a space.
  static bool suit(const WordMap& words) {
    return words.rules().longest_keys && !words.rules().joined;
  }

  // The map must outlive it.
  PieceCuts(const WordMap& words, const VocabTables& tables)
      : words_(words), kinds_(0x110000 / kInWord) {
    std::optional<KnownCharacters> known;
    if (joins_unknown(tables.model())) known.emplace(tables);
    const auto known_kind = [&](std::uint32_t c) {
      return !known || known->has(c) ? kKnown | kAlwaysKnown : 0;
    };
    for (std::uint32_t c = 0; c < 0x110000; ++c) {
      if (words.stays(c)) set(c, kStays | kNeverNothing | known_kind(c));
    }
    // The results that a character may have, with marks after it.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> becomes;  // backwards, for look-ups
    std::vector<bool> may_be(0x110000);
    words.rules().keys.each_of_several([&](std::string_view key, const std::string& text) {
      const std::uint32_t c = first_of(key);
      if (!(kind_of(c) & kStays)) return;
      if (text.empty()) {
        clear(c, kNeverNothing);
        return;
      }
      const std::uint32_t other = first_of(text);
      if (!(known_kind(other) & kKnown)) clear(c, kAlwaysKnown);
      may_be[other] = true;
      becomes.emplace_back(other, c);
    });
    std::sort(becomes.begin(), becomes.end());
    becomes.erase(std::unique(becomes.begin(), becomes.end()), becomes.end());
    for_each_crossed_pair(tables, [&](std::uint32_t left, std::uint32_t right) {
      crossed_.add(left, right);
      if (!may_be[right]) return;
      auto each = std::lower_bound(becomes.begin(), becomes.end(), std::pair(right, 0U));
      for (; each != becomes.end() && each->first == right; ++each)
        crossed_.add(left, each->second);
    });
    crossed_.finish();
    for (std::uint32_t left = 0; left < 128; ++left) {
      for (std::uint32_t right = 0; right < 128; ++right) {
        const bool is_crossed = !is_cut_between(left, right);
        ascii_[left][right >> 6] |= std::uint64_t{is_crossed} << (right & 63);
      }
    }
  }

  // For scan_cuts().
  CrossedPairs crossed() const { return ascii_; }
  bool is_cut_between(std::uint32_t left, std::uint32_t right) const {
    if (words_.is_cut_between(left, right)) return true;
    const std::uint32_t l = kind_of(left), r = kind_of(right);
    return l & kStays && r & kNeverNothing && (l & kKnown || r & kAlwaysKnown) &&
           !crossed_.may_have(left, right);
  }

 private:
  template <class Simd, class Boundaries>
  friend struct PointCuts;

  // Of a character that stays as it is unless marks follow it: it is known, or need not be; it does
  // not become nothing, nor something unknown, whatever follows it.
  static constexpr std::uint32_t kStays = 1, kKnown = 2, kNeverNothing = 4, kAlwaysKnown = 8;
  static constexpr std::uint32_t kBits = 4, kInWord = 32 / kBits;
  std::uint32_t kind_of(std::uint32_t c) const {
    return kinds_[c / kInWord] >> kBits * (c % kInWord);
  }
  void set(std::uint32_t c, std::uint32_t kind) {
    kinds_[c / kInWord] |= kind << kBits * (c % kInWord);
  }
  void clear(std::uint32_t c, std::uint32_t kind) {
    kinds_[c / kInWord] &= ~(kind << kBits * (c % kInWord));
  }

  static std::uint32_t first_of(std::string_view text) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    return decode_utf8(p, p + text.size()).value;
  }

  const WordMap& words_;
  std::vector<std::uint32_t> kinds_;
  CharacterPairs crossed_;
  std::uint64_t ascii_[128][2] = {};
};

template <simd::HasLanes Simd>
struct PointCuts<Simd, PieceCuts> {
  static WORDSPLIT_INLINE std::uint64_t find(const PieceCuts& cuts, const CodePoints& points) {
    using Lanes = typename Simd::Lanes;
    std::uint64_t crossed = 0, stays = 0, known = 0, never_nothing = 0, always_known = 0;
    for (unsigned i = 0; i < points.count; i += Lanes::kCount) {
      const Lanes c = Lanes::load(points.value + i), next = Lanes::load(points.value + i + 1);
      crossed |= cuts.crossed_.may_have(c, next) << i;
      static_assert(PieceCuts::kInWord == 8 && PieceCuts::kBits == 4);
      const Lanes kind = Lanes::look_up(cuts.kinds_.data(), c >> Lanes::of(3)) >>
                         ((c & Lanes::of(7)) << Lanes::of(2));
      stays |= kind.have(PieceCuts::kStays) << i;
      known |= kind.have(PieceCuts::kKnown) << i;
      never_nothing |= kind.have(PieceCuts::kNeverNothing) << i;
      always_known |= kind.have(PieceCuts::kAlwaysKnown) << i;
    }
    const std::uint64_t tokens =
        stays & never_nothing >> 1 & (known | always_known >> 1) & ~crossed;
    return PointCuts<Simd, WordMap>::find(cuts.words_, points) | (tokens & below(points.count - 1));
  }
};

}  // namespace wordsplit
