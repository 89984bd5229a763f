// Longest match with backtracking at boundaries that are not valid.
//
// Two adjacent tokens are valid if they encode to just themselves (VocabTables::is_valid_pair). The
// encoding is the one sequence of tokens in which all adjacent pairs are valid. At each position
// the longest token is tried, then the next shorter one that is its prefix. When none is left, the
// search steps back over the previous token and shortens that. One bit a position remembers dead
// ends.
//
// O(n) time for n bytes, since each token that begins at a position is tried there once at most,
// and n bits of memory besides the ids. Source: van Antwerpen and Neubeck, 2023 (crate `bpe`); here
// ranks are separate from ids.
//
// Precondition: VocabTables::supports_backtracking().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/base/counters.hpp"
#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/encoders/heap_merge.hpp"
#include "wordsplit/encoders/token_trie.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

// The tokens that merges make.
class MadeTokens : public TableIndex {
 public:
  explicit MadeTokens(const VocabTables& tables)
      : indices_(made_tokens(tables)),
        trie_(tables, indices_),
        next_prefix_(tables.count(), kNoToken) {
    std::uint32_t last = kNoToken;  // the token before, in order of their bytes
    for (const std::uint32_t index : indices_) {
      const auto begins_with = [&](std::uint32_t other) {
        return tables.bytes_at(index).starts_with(tables.bytes_at(other));
      };
      while (last != kNoToken && !begins_with(last)) last = next_prefix_[last];
      next_prefix_[index] = last;
      last = index;
    }
  }

  // The index of the longest token at the start of [p, end); kNoToken if there is none.
  std::uint32_t longest(const std::uint8_t* p, const std::uint8_t* end) const {
    std::uint32_t number = 0;
    return trie_.longest(p, end, number) > 0 ? indices_[number] : kNoToken;
  }
  // The index of the longest token that is a proper prefix of a token; kNoToken if there is none.
  std::uint32_t next_prefix(std::uint32_t index) const { return next_prefix_[index]; }

 private:
  static std::vector<std::uint32_t> made_tokens(const VocabTables& tables) {
    return sorted_tokens(tables, [&](std::size_t i) {
      return tables.made_by(tables.id_at(i)).rank_plus_1 != kNoRank;
    });
  }

  std::vector<std::uint32_t> indices_;  // by the trie's numbers
  TokenTrie trie_;
  std::vector<std::uint32_t> next_prefix_;  // by index of a token
};

inline std::string backtracking_obstacle(const VocabTables& tables) {
  if (tables.model().kind > ModelKind::Characters) return "is for models that merge pairs";
  if (tables.supports_backtracking()) return {};
  return "needs the merges of a token's parts to rank before its own, and those of token " +
         std::to_string(tables.out_of_order_token()) + " do not";
}

inline std::size_t backtracking(const VocabTables& tables, const MadeTokens& trie,
                                const std::uint8_t* span, std::size_t n, std::uint32_t* out,
                                Scratch& scratch) {
  auto& dead = scratch.bits;
  dead.assign(n / 64 + 1, 0);
  auto& chosen = scratch.tokens;  // indices of the tokens in `out`
  chosen.resize(n);
  std::size_t count = 0, at = 0;
  std::uint32_t index = trie.longest(span, span + n);
  while (at < n) {
    WORDSPLIT_COUNT(1);
    scratch.report(16);
    const std::size_t end = at + tables.bytes_at(index).size();
    const std::uint32_t id = tables.id_at(index);
    if (!(dead[end / 64] >> (end % 64) & 1) &&
        (count == 0 || tables.is_valid_pair(out[count - 1], id))) {
      chosen[count] = index;
      out[count++] = id;
      at = end;
      if (at < n) index = trie.longest(span + at, span + n);
      continue;
    }
    index = trie.next_prefix(index);
    if (index == kNoToken) {
      dead[at / 64] |= std::uint64_t{1} << (at % 64);
      // An encoding exists, so there is a previous token, unless the tables were forged.
      if (count == 0) return heap_merge(tables, span, n, out, scratch);
      index = chosen[--count];
      at -= tables.bytes_at(index).size();
    }
  }
  return count;
}

}  // namespace wordsplit
