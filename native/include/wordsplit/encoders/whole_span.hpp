// A word that is not a token as a whole is unknown.
//
// A span is one word, or several, each of which begins with the prefix of the model's rules. Then a
// run of unknown ones gives one id.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

inline std::string whole_span_obstacle(const VocabTables& tables) {
  return tables.model().kind == ModelKind::WordLevel ? "" : "is for WordLevel models";
}

// The first word of a text that is not empty.
inline std::string_view first_word(const ModelRules& model, std::string_view text) {
  const std::string_view start(model.prefix, model.prefix_size);
  return start.empty() ? text : text.substr(0, text.find(start, 1));
}

// The id of a word; kNoToken if it is unknown.
inline std::uint32_t find_word(const VocabTables& tables, std::string_view word) {
  return tables.find(reinterpret_cast<const std::uint8_t*>(word.data()), word.size());
}

inline std::size_t whole_span(const VocabTables& tables, const std::uint8_t* span, std::size_t n,
                              std::uint32_t* out, Scratch&) {
  const ModelRules& model = tables.model();
  std::size_t count = 0;
  bool unknown = false;  // whether the last word was
  for (std::string_view rest(reinterpret_cast<const char*>(span), n), word; !rest.empty();
       rest.remove_prefix(word.size())) {
    word = first_word(model, rest);
    const std::uint32_t found = find_word(tables, word);
    if (found != kNoToken) {
      out[count++] = found;
    } else if (model.has_fallback()) {
      for (const char byte : word) out[count++] = model.fallback[static_cast<std::uint8_t>(byte)];
    } else if (!unknown) {
      out[count++] = model.unk_id;
    }
    unknown = found == kNoToken;
  }
  return count;
}

}  // namespace wordsplit
