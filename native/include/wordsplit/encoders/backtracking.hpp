// Longest matches of a trie, with steps back where a boundary is not a valid one.
//
// Two neighbouring tokens are valid if they encode to just themselves (VocabTables::is_valid_pair);
// a sequence in which all neighbours are valid is the encoding, and there is exactly one. At each
// place the longest token is tried, then the next shorter that is its prefix; with none left, the
// walk steps back over the token before and shortens that. A bit a position remembers dead ends.
//
// O(n) for n bytes: a position is left by each token that begins there once at most. Memory: n bits
// besides the ids. Source: van Antwerpen and Neubeck, 2023 (crate `bpe`); ranks are apart from ids
// here.
//
// Precondition: VocabTables::proper().
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wordsplit/counters.hpp"
#include "wordsplit/encoders/scratch.hpp"

namespace wordsplit {

// The tokens that merges make, as a trie in one flat hash table.
class TokenTrie {
 public:
  explicit TokenTrie(const VocabTables& tables) : next_prefix_(tables.count(), kNoToken) {
    grow(1 << 12);
    token_at_.push_back(kNoToken);  // state 0: the root
    std::vector<std::uint32_t> order;
    for (std::size_t i = 0; i < tables.count(); ++i) {
      if (tables.made_by(tables.id_at(i)).rank_plus_1 != kNoRank) {
        order.push_back(static_cast<std::uint32_t>(i));
      }
    }
    for (const std::uint32_t index : order) token_at_[insert(tables.bytes_at(index))] = index;
    for (const std::uint32_t index : order) {
      std::uint32_t state = 0, last = kNoToken;
      for (const char c : tables.bytes_at(index)) {
        if (token_at_[state] != kNoToken) last = token_at_[state];
        state = step(state, static_cast<std::uint8_t>(c));
      }
      next_prefix_[index] = last;
    }
  }

  // The index of the longest token that [p, end) begins with; kNoToken if there is none.
  std::uint32_t longest(const std::uint8_t* p, const std::uint8_t* end) const {
    std::uint32_t state = 0, best = kNoToken;
    for (; p < end; ++p) {
      state = step(state, *p);
      if (state == 0) break;
      if (token_at_[state] != kNoToken) best = token_at_[state];
    }
    return best;
  }

  // The index of the longest token that is a proper prefix of one; kNoToken if there is none.
  std::uint32_t next_prefix(std::uint32_t index) const { return next_prefix_[index]; }

 private:
  struct Edge {
    std::uint32_t key;  // state << 8 | byte; no edge leads to state 0
    std::uint32_t to;
  };

  std::uint32_t step(std::uint32_t state, std::uint8_t byte) const {
    WORDSPLIT_COUNT(1);
    const std::uint32_t key = state << 8 | byte;
    for (std::size_t at = slot(key);; at = (at + 1) & (edges_.size() - 1)) {
      if (edges_[at].to == 0 || edges_[at].key == key) return edges_[at].to;
    }
  }

  std::size_t slot(std::uint32_t key) const { return mix(key) & (edges_.size() - 1); }

  void put(Edge edge) {
    std::size_t at = slot(edge.key);
    while (edges_[at].to != 0) at = (at + 1) & (edges_.size() - 1);
    edges_[at] = edge;
  }

  void grow(std::size_t size) {
    std::vector<Edge> old(size, Edge{0, 0});
    old.swap(edges_);
    for (const Edge edge : old) {
      if (edge.to != 0) put(edge);
    }
  }

  std::uint32_t insert(std::string_view token) {
    std::uint32_t state = 0;
    for (const char c : token) {
      const auto byte = static_cast<std::uint8_t>(c);
      std::uint32_t to = step(state, byte);
      if (to == 0) {
        to = static_cast<std::uint32_t>(token_at_.size());
        if (to >= 1u << 24) throw std::length_error("the vocab's trie has too many states");
        token_at_.push_back(kNoToken);
        put({state << 8 | byte, to});
        if (2 * token_at_.size() > edges_.size()) grow(2 * edges_.size());
      }
      state = to;
    }
    return state;
  }

  std::vector<Edge> edges_;
  std::vector<std::uint32_t> token_at_;     // by state: index of a token
  std::vector<std::uint32_t> next_prefix_;  // by index of a token
};

inline std::size_t backtracking(const VocabTables& tables, const TokenTrie& trie,
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
      index = chosen[--count];  // an encoding exists, so there is a token to step back over
      at -= tables.bytes_at(index).size();
    }
  }
  return count;
}

}  // namespace wordsplit
