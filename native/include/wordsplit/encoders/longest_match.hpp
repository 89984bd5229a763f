// The longest token at each position of a word, as WordPiece does; or the unknown token.
//
// O(n) for most words, since tokens are found by walking a trie.
#pragma once

#include <cstdint>
#include <string>

#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/encoders/token_trie.hpp"
#include "wordsplit/tables/vocab_tables.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

inline std::string longest_match_obstacle(const VocabTables& tables) {
  return tables.model().kind == ModelKind::WordPiece ? "" : "is for WordPiece models";
}

// All tokens, and where in their trie those within a word begin.
class WordPieces : public TableIndex {
 public:
  explicit WordPieces(const VocabTables& tables) : WordPieces(tables, all_tokens(tables)) {}

  // The id of the longest token at the start of [p, end), of a word or within one, and its size; 0
  // if there is none.
  std::size_t longest(const std::uint8_t* p, const std::uint8_t* end, bool is_within,
                      std::uint32_t& id) const {
    if (is_within && !has_within_) return 0;
    std::uint32_t number = 0;
    const std::size_t size = trie_.longest(p, end, number, is_within ? within_ : TokenTrie::kRoot);
    if (size > 0) id = ids_[number];
    return size;
  }

 private:
  WordPieces(const VocabTables& tables, const std::vector<std::uint32_t>& order)
      : trie_(tables, order), ids_(ids_of(tables, order)) {
    const ModelRules& model = tables.model();
    for (std::size_t i = 0; i < model.prefix_size && has_within_; ++i) {
      within_ = trie_.step(within_, static_cast<std::uint8_t>(model.prefix[i]));
      has_within_ = within_ != TokenTrie::kRoot;
    }
  }

  TokenTrie trie_;
  std::vector<std::uint32_t> ids_;           // by the trie's numbers
  std::uint32_t within_ = TokenTrie::kRoot;  // the state after the prefix of tokens within a word
  bool has_within_ = true;
};

inline std::size_t longest_match(const VocabTables& tables, const WordPieces& pieces,
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
  std::size_t count = 0;
  for (std::size_t at = 0; at < n;) {
    const std::size_t size = pieces.longest(span + at, span + n, at > 0, out[count]);
    if (size == 0) return unknown();
    at += size;
    ++count;
  }
  return count;
}

}  // namespace wordsplit
