// The longest token at each position of a word, as WordPiece does; or the unknown token.
//
// O(n) for most words, since tokens are found by walking a trie.
#pragma once

#include <cstdint>
#include <string>

#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/encoders/viterbi.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

inline std::string longest_match_obstacle(const VocabTables& tables) {
  return tables.model().kind == ModelKind::WordPiece ? "" : "is for WordPiece models";
}

inline std::size_t longest_match(const VocabTables& tables, const AllTokens& trie,
                                 const std::uint8_t* span, std::size_t n, std::uint32_t* out,
                                 Scratch&) {
  const ModelRules& model = tables.model();
  const auto unknown = [&] {
    out[0] = model.unk_id;
    return std::size_t{1};
  };
  if (n > model.most_characters) {
    std::size_t characters = 0;
    for (std::size_t at = 0; at < n; ++characters) at += decode_utf8(span + at, span + n).size;
    if (characters > model.most_characters) return unknown();
  }
  std::uint32_t within = TokenTrie::kRoot;  // the state of tokens within a word
  for (std::size_t i = 0; i < model.prefix_size; ++i) {
    within = trie.step(within, static_cast<std::uint8_t>(model.prefix[i]));
    if (within == TokenTrie::kRoot) break;  // there are none
  }
  std::size_t count = 0;
  for (std::size_t at = 0; at < n;) {
    if (at > 0 && within == TokenTrie::kRoot && model.prefix_size > 0) return unknown();
    const std::uint32_t found = trie.longest(span + at, span + n, at ? within : TokenTrie::kRoot);
    if (found == kNoToken) return unknown();
    at += tables.bytes_at(found).size() - (at ? model.prefix_size : 0);
    out[count++] = tables.id_at(found);
  }
  return count;
}

}  // namespace wordsplit
