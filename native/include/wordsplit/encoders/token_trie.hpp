// Tokens as a trie, for encoders that look for all tokens, or the longest, at a position.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "wordsplit/base/counters.hpp"
#include "wordsplit/base/hash.hpp"
#include "wordsplit/base/memory.hpp"
#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

// Tokens as a trie in one flat hash table.
class TokenTrie : public EncoderIndex {
 public:
  // Tokens are added in order of their bytes, in which each shares its first states with the one
  // before. So each state is made once, without a look-up, and their number is known beforehand.
  template <class Included>
  TokenTrie(const VocabTables& tables, Included&& included)
      : next_prefix_(tables.count(), kNoToken) {
    std::vector<std::uint32_t> order;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < tables.count(); ++i) {
      if (!included(i)) continue;
      order.push_back(static_cast<std::uint32_t>(i));
      longest = std::max(longest, tables.bytes_at(i).size());
    }
    const auto bytes_of = [&](std::uint32_t index) { return tables.bytes_at(index); };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return bytes_of(a) < bytes_of(b); });
    const auto shared_with_last = [&](std::size_t k) {
      if (k == 0) return std::size_t{0};
      const std::string_view last = bytes_of(order[k - 1]), token = bytes_of(order[k]);
      const auto differ = std::mismatch(last.begin(), last.end(), token.begin(), token.end());
      return static_cast<std::size_t>(differ.second - token.begin());
    };
    std::size_t states = 1;
    for (std::size_t k = 0; k < order.size(); ++k) {
      states += bytes_of(order[k]).size() - shared_with_last(k);
    }
    if (states >= std::size_t{1} << 24) {
      throw std::length_error("the vocab's trie has too many states");
    }
    std::size_t size = 16;
    while (size < 2 * states) size *= 2;
    edges_ = ZeroedArray<Edge>(size);
    token_at_.reserve(states);
    token_at_.push_back(kNoToken);  // state 0: the root
    // For the previous token, by depth: the state, and the longest token that ends there or above.
    std::vector<std::uint32_t> path(longest + 1, 0), ended(longest + 1, kNoToken);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::string_view token = bytes_of(order[k]);
      for (std::size_t depth = shared_with_last(k); depth < token.size(); ++depth) {
        const auto state = static_cast<std::uint32_t>(token_at_.size());
        put({path[depth] << 8 | static_cast<std::uint8_t>(token[depth]), state});
        token_at_.push_back(kNoToken);
        path[depth + 1] = state;
        ended[depth + 1] = ended[depth];
      }
      next_prefix_[order[k]] = ended[token.size() - 1];
      token_at_[path[token.size()]] = ended[token.size()] = order[k];
    }
  }

  static constexpr std::uint32_t kRoot = 0;

  // The index of the longest token at the start of [p, end); kNoToken if there is none. From
  // another state than the root, of the tokens that begin with what leads there.
  std::uint32_t longest(const std::uint8_t* p, const std::uint8_t* end,
                        std::uint32_t state = kRoot) const {
    std::uint32_t best = kNoToken;
    for (; p < end; ++p) {
      state = step(state, *p);
      if (state == kRoot) break;
      if (token_at_[state] != kNoToken) best = token_at_[state];
    }
    return best;
  }

  // The index of the longest token that is a proper prefix of a token; kNoToken if there is none.
  std::uint32_t next_prefix(std::uint32_t index) const { return next_prefix_[index]; }

  std::size_t states() const { return token_at_.size(); }
  // The index of the token that ends at a state; kNoToken if none does.
  std::uint32_t token_at(std::uint32_t state) const { return token_at_[state]; }

  // The state after a byte; kRoot if no token goes on so.
  std::uint32_t step(std::uint32_t state, std::uint8_t byte) const {
    WORDSPLIT_COUNT(1);
    const std::uint32_t key = state << 8 | byte;
    for (std::size_t at = slot(key);; at = (at + 1) & (edges_.size() - 1)) {
      if (edges_[at].to == 0 || edges_[at].key == key) return edges_[at].to;
    }
  }

 private:
  struct Edge {
    std::uint32_t key;  // state << 8 | byte; no edge leads to state 0
    std::uint32_t to;
  };

  std::size_t slot(std::uint32_t key) const { return mix(key) & (edges_.size() - 1); }

  void put(Edge edge) {
    std::size_t at = slot(edge.key);
    while (edges_[at].to != 0) at = (at + 1) & (edges_.size() - 1);
    edges_[at] = edge;
  }

  ZeroedArray<Edge> edges_;
  std::vector<std::uint32_t> token_at_;     // by state: index of a token
  std::vector<std::uint32_t> next_prefix_;  // by index of a token
};

}  // namespace wordsplit
