// Tokens as a trie, for encoders that look for all tokens, or the longest, at a position.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "wordsplit/encoders/double_array.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

// The indices of the tokens for which included(index) holds, in order of their bytes.
template <class Included>
std::vector<std::uint32_t> sorted_tokens(const VocabTables& tables, Included&& included) {
  struct Token {
    std::uint64_t begin;  // the first eight bytes as a number, which decides nearly always
    std::uint32_t index;
  };
  std::vector<Token> order;
  order.reserve(tables.count());
  for (std::size_t i = 0; i < tables.count(); ++i) {
    if (!included(i)) continue;
    const std::string_view token = tables.bytes_at(i);
    std::uint64_t begin = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      begin = begin << 8 | (k < token.size() ? static_cast<std::uint8_t>(token[k]) : 0U);
    }
    order.push_back({begin, static_cast<std::uint32_t>(i)});
  }
  std::sort(order.begin(), order.end(), [&](const Token& a, const Token& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    return tables.bytes_at(a.index) < tables.bytes_at(b.index);
  });
  std::vector<std::uint32_t> out(order.size());
  std::transform(order.begin(), order.end(), out.begin(), [](const Token& t) { return t.index; });
  return out;
}

// All tokens that text can give, in order of their bytes.
inline std::vector<std::uint32_t> all_tokens(const VocabTables& tables) {
  return sorted_tokens(tables, [&](std::size_t i) {
    const std::string_view token = tables.bytes_at(i);
    const auto* p = reinterpret_cast<const std::uint8_t*>(token.data());
    return tables.find(p, token.size()) == tables.id_at(i);
  });
}

// A trie of tokens, given by their indices in order of their bytes. Each has its place in that
// order as number.
class TokenTrie : public DoubleArray {
 public:
  TokenTrie(const VocabTables& tables, const std::vector<std::uint32_t>& order)
      : DoubleArray(order.size(), [&](std::size_t k) { return tables.bytes_at(order[k]); }) {}

  // The size of the longest token at the start of [p, end), and its number; 0 if there is none.
  // From another state than the root, of the tokens that begin with what leads there, without that.
  std::size_t longest(const std::uint8_t* p, const std::uint8_t* end, std::uint32_t& number,
                      std::uint32_t state = kRoot) const {
    std::size_t size = 0;
    walk(p, 0, static_cast<std::size_t>(end - p), state, [&](std::size_t at, std::uint32_t found) {
      number = found;
      size = at;
    });
    return size;
  }
};

// By the number of a token in a trie.
inline std::vector<std::uint32_t> ids_of(const VocabTables& tables,
                                         const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> out(order.size());
  std::transform(order.begin(), order.end(), out.begin(),
                 [&](std::uint32_t index) { return tables.id_at(index); });
  return out;
}

}  // namespace wordsplit
