// Cuts: boundaries between characters that no token crosses.
//
// Vocabs of characters have no pattern, and a text is one span. But a merge across the boundary
// between two characters a|b joins a token that ends in a with one that begins with b. If no merge
// of the vocab does, then none ever crosses that boundary, wherever it is: the text on its left
// and the text on its right are encoded separately, and the text may be cut there. Neither the
// order of merges nor their ranks change, since merges on both sides are independent of each other.
// A Unigram model has no merges; there a cut is where no token contains both characters.
//
// An unknown character is a separate token which may join unknown neighbours; in that case there is
// no cut between two unknown characters. In a Unigram model the unknown token, where a text holds
// it literally, joins such neighbours, too; so the characters at its ends count as unknown.
//
// A pair of characters may be taken for one that a token crosses (character_pairs.hpp): the spans
// are longer then, and the ids the same. A span is also cut before each space if the vocab requires
// it (`at_spaces`).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "wordsplit/tables/character_pairs.hpp"
#include "wordsplit/tables/vocab_tables.hpp"
#include "wordsplit/text/scan_cuts.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

// Calls visit(left, right) for each pair of characters that a token crosses, perhaps repeatedly.
template <class Visit>
void for_each_crossed_pair(const VocabTables& tables, Visit&& visit) {
  const auto character = [](std::string_view token, std::size_t at) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(token.data());
    return decode_utf8(p + at, p + token.size());
  };
  if (tables.model().kind == ModelKind::Unigram) {
    for (std::size_t i = 0; i < tables.count(); ++i) {
      const std::string_view token = tables.bytes_at(i);
      std::uint32_t last = 0;
      for (std::size_t at = 0; at < token.size();) {
        const CodePoint c = character(token, at);
        if (at > 0) visit(last, c.value);
        last = c.value;
        at += c.size;
      }
    }
    return;
  }
  const std::uint32_t made = tables.model().made_characters;
  tables.pairs().all_of([&](std::uint32_t left, std::uint32_t right, Merge merge) {
    if (merge.rank < made) return true;
    const std::string_view l = tables.bytes_at(tables.index_of(left)),
                           r = tables.bytes_at(tables.index_of(right));
    std::size_t last = l.size() - 1;
    while (last > 0 && is_continuation(static_cast<std::uint8_t>(l[last]))) --last;
    visit(character(l, last).value, character(r, 0).value);
    return true;
  });
}

// Whether unknown characters that are beside each other are one token.
inline bool joins_unknown(const ModelRules& model) {
  return model.kind == ModelKind::Unigram || (!model.has_fallback() && model.fuse_unk);
}

// The characters that are tokens, and join no unknown neighbour.
class KnownCharacters {
 public:
  explicit KnownCharacters(const VocabTables& tables) : bits_(0x110000 / 32) {
    for (std::size_t i = 0; i < tables.count(); ++i) {
      const std::string_view token = tables.bytes_at(i);
      if (token.empty() || tables.id_at(i) >= tables.model().first_virtual) continue;
      const auto* p = reinterpret_cast<const std::uint8_t*>(token.data());
      const CodePoint c = decode_utf8(p, p + token.size());
      if (c.value == kInvalid) continue;  // which stands for bytes that are not UTF-8, too
      if (c.size == token.size() && tables.find(p, token.size()) == tables.id_at(i)) {
        bits_[c.value / 32] |= std::uint32_t{1} << (c.value & 31);
      }
    }
    const std::size_t unknown = tables.index_of(tables.model().unk_id);
    if (tables.model().kind == ModelKind::Unigram && unknown < tables.count()) {
      remove_ends_of(tables.bytes_at(unknown));
    }
  }

  bool has(std::uint32_t c) const { return bits_[c / 32] >> (c & 31) & 1; }

  // Bit i for a lane of known characters.
  template <class Lanes>
  WORDSPLIT_INLINE std::uint64_t has(const Lanes& c) const {
    return (Lanes::look_up(bits_.data(), c >> Lanes::of(5)) >> (c & Lanes::of(31))).have(1);
  }

 private:
  void remove_ends_of(std::string_view token) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(token.data());
    const std::uint8_t* end = p + token.size();
    const std::uint8_t* last = end;
    while (last > p && is_continuation(*--last)) {
    }
    for (const std::uint8_t* at : {p, last}) {
      const std::uint32_t c = at < end ? decode_utf8(at, end).value : kInvalid;
      if (c != kInvalid) bits_[c / 32] &= ~(std::uint32_t{1} << (c & 31));
    }
  }

  std::vector<std::uint32_t> bits_;
};

class CutTable {
 public:
  CutTable(const VocabTables& tables, bool at_spaces) : at_spaces_(at_spaces) {
    if (tables.model().kind == ModelKind::Unigram) {  // only between words, see viterbi.hpp
      crossed_ = CharacterPairs::all();
      if (at_spaces) crossed_.remove_ascii_before(' ');
      return;
    }
    find_crossed(tables);
  }

  // The boundaries that no token contains, and no run of unknown characters.
  static CutTable of_tokens(const VocabTables& tables) {
    CutTable cuts;
    cuts.find_crossed(tables);
    return cuts;
  }

  // For scan_cuts().
  CrossedPairs crossed() const { return crossed_.ascii(); }
  bool is_cut_between(std::uint32_t left, std::uint32_t right) const {
    const bool in_ascii = (left | right) < 0x80;
    if (at_spaces_ && right == ' ' && !in_ascii) return true;
    if (crossed_.may_have(left, right)) return false;
    return in_ascii || !known_ || known_->has(left) || known_->has(right);
  }

 private:
  CutTable() : at_spaces_(false) {}

  void find_crossed(const VocabTables& tables) {
    for_each_crossed_pair(tables, [&](std::uint32_t left, std::uint32_t right) {
      if (!at_spaces_ || right != ' ') crossed_.add(left, right);
    });
    if (joins_unknown(tables.model())) {
      const KnownCharacters& known = known_.emplace(tables);
      for (std::uint32_t a = 0; a < 0x80; ++a) {
        for (std::uint32_t b = 0; b < 0x80; ++b) {
          if (!known.has(a) && !known.has(b)) crossed_.add(a, b);
        }
      }
    }
    crossed_.finish();
  }

  template <class Simd, class Boundaries>
  friend struct PointCuts;

  bool at_spaces_;
  CharacterPairs crossed_;
  std::optional<KnownCharacters> known_;  // none if unknown characters are not joined
};

template <simd::HasLanes Simd>
struct PointCuts<Simd, CutTable> {
  static WORDSPLIT_INLINE std::uint64_t find(const CutTable& table, const CodePoints& points) {
    using Lanes = typename Simd::Lanes;
    std::uint64_t crossed = 0, spaces = 0, others = 0, known = 0;
    for (unsigned i = 0; i < points.count; i += Lanes::kCount) {
      const Lanes left = Lanes::load(points.value + i), right = Lanes::load(points.value + i + 1);
      crossed |= table.crossed_.may_have(left, right) << i;
      others |= left.have(~std::uint32_t{0x7F}) << i;
      spaces |= (~(right ^ Lanes::of(' ')).have(~std::uint32_t{0}) & below(Lanes::kCount)) << i;
      if (table.known_) known |= table.known_->has(left) << i;
    }
    std::uint64_t cuts = ~crossed;
    if (table.known_) cuts &= known | known >> 1;
    if (table.at_spaces_) cuts |= spaces & others;
    return cuts & below(points.count - 1);
  }
};

}  // namespace wordsplit
