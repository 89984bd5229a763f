// The merges of a BPE model whose file has only pieces and scores: all ways to divide a piece into
// two others. `wordsplit.vocabs.formats.sentencepiece.merges` in Python says why their order does
// what the scores do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "wordsplit/tables/token_table.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

struct ScoreMerges {
  std::vector<std::uint32_t> flat;   // left and right id of each merge, in order of rank
  std::vector<std::uint32_t> ranks;  // the rank of each
  bool tied = false;                 // whether merges share ranks that their order does not express
};

// ends[i] is the end of piece i in the blob, ids[i] its id and scores[i] its score. Precondition:
// the pieces differ, and are UTF-8.
class PieceDivider {
 public:
  PieceDivider(std::string_view blob, const std::uint32_t* ends, const std::uint32_t* ids,
               const double* scores, std::size_t count)
      : ids_(ids), scores_(scores), pieces_(blob, ends, numbers(count).data(), count, {}) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t size = pieces_.bytes_at(i).size();
      if (size >= has_size_.size()) has_size_.resize(size + 1);
      has_size_[size] = true;
    }
  }

  ScoreMerges merges() const {
    ScoreMerges out;
    std::uint32_t rank = 0, dividable = 0;  // of the pieces with this score, those that merges make
    bool varied = false;                    // whether one of them has different characters
    const std::vector<Piece> made = in_order();
    for (std::size_t at = 0; at < made.size(); ++at) {
      if (at && scores_[made[at].number] != scores_[made[at - 1].number]) {
        ++rank;
        dividable = 0;
        varied = false;
      }
      const std::string_view piece = pieces_.bytes_at(made[at].number);
      if (!divide(piece, out.flat)) continue;
      out.ranks.resize(out.flat.size() / 2, rank);
      varied |= has_different_characters(piece);
      out.tied |= ++dividable > 1 && varied;
    }
    return out;
  }

 private:
  struct Piece {
    std::uint32_t number, characters;
  };

  static std::vector<std::uint32_t> numbers(std::size_t count) {
    std::vector<std::uint32_t> out(count);
    std::iota(out.begin(), out.end(), 0u);
    return out;
  }

  static bool begins_character(char c) { return !is_continuation(static_cast<std::uint8_t>(c)); }

  static bool has_different_characters(std::string_view piece) {
    std::size_t first = 1;
    while (first < piece.size() && !begins_character(piece[first])) ++first;
    return piece.substr(first) != piece.substr(0, piece.size() - first);
  }

  // The pieces of more than one character, by score and length, the greatest first.
  std::vector<Piece> in_order() const {
    std::vector<Piece> out;
    for (std::uint32_t i = 0; i < pieces_.count(); ++i) {
      const std::string_view piece = pieces_.bytes_at(i);
      const auto* p = reinterpret_cast<const std::uint8_t*>(piece.data());
      const std::size_t characters = count_characters(p, piece.size());
      if (characters > 1) out.push_back({i, static_cast<std::uint32_t>(characters)});
    }
    std::stable_sort(out.begin(), out.end(), [this](const Piece& a, const Piece& b) {
      const double one = scores_[a.number], other = scores_[b.number];
      return one != other ? one > other : a.characters > b.characters;
    });
    return out;
  }

  // Appends the ids of all pairs that make a piece, the longest left part first. False if none do.
  bool divide(std::string_view piece, std::vector<std::uint32_t>& flat) const {
    const std::size_t before = flat.size();
    for (std::size_t cut = piece.size() - 1; cut > 0; --cut) {
      if (!begins_character(piece[cut])) continue;
      const std::uint32_t left = find(piece.substr(0, cut));
      if (left == TokenTable::kNone) continue;
      const std::uint32_t right = find(piece.substr(cut));
      if (right == TokenTable::kNone) continue;
      flat.push_back(ids_[left]);
      flat.push_back(ids_[right]);
    }
    return flat.size() > before;
  }

  std::uint32_t find(std::string_view part) const {
    if (!has_size_[part.size()]) return TokenTable::kNone;
    const auto* p = reinterpret_cast<const std::uint8_t*>(part.data());
    return pieces_.find(TokenIndex::key_of(p, part.size()), p, part.size());
  }

  const std::uint32_t* ids_;
  const double* scores_;
  TokenTable pieces_;
  std::vector<bool> has_size_;  // so that a long piece is looked up only where it can be divided
};

}  // namespace wordsplit
