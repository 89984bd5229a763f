// The characters of each id in the original text, for WordPiece with a map of characters.
//
// The map says what each character becomes. The tokens of a word, without what those within it
// begin with, are that; so each token has the characters that became it. An unknown token has those
// of its word.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/engine/decoder.hpp"
#include "wordsplit/engine/engine.hpp"
#include "wordsplit/engine/offsets.hpp"
#include "wordsplit/text/word_map.hpp"

namespace wordsplit {

// Sets the ids of a text, the characters of each, and which of them begin a word. Returns false if
// that cannot be done, as with added tokens, or there are no ids. Throws NotInCore.
// Precondition: a map that `treats_by_character()`, and no prefix.
inline bool encode_with_word_map(const Engine& engine, const Decoder& decoder,
                                 const ModelRules& model, const std::uint8_t* text, std::size_t n,
                                 AsText as_text, Engine::State& state, Offsets& out) {
  constexpr char kBreak = static_cast<char>(WordRules::kBreak);
  const std::string_view within(model.prefix, model.prefix_size);
  const auto locate = [&](const std::uint8_t* p, std::size_t size) {
    std::string normal;
    std::vector<std::uint32_t> origins;  // of each byte of it, the character
    normal.reserve(size);
    origins.reserve(size);
    std::uint32_t character = 0;
    for (std::size_t at = 0; at < size; ++character) {
      at += engine.config().words->append(p + at, p + size, normal);
      origins.resize(normal.size(), character);
    }
    std::size_t at = 0;
    for (std::size_t i = 0; i < out.ids.size(); ++i) {
      const std::size_t before = at;
      while (at < normal.size() && normal[at] == kBreak) ++at;
      const bool begins = at > before || i == 0;
      std::size_t end = at;
      if (begins && out.ids.data()[i] == model.unk_id) {
        while (end < normal.size() && normal[end] != kBreak) ++end;
      } else {
        const auto token = decoder.find(out.ids.data()[i]);
        if (!token || (!begins && !token->starts_with(within))) return false;
        const std::string_view spelled = begins ? *token : token->substr(within.size());
        if (std::string_view(normal).substr(at, spelled.size()) != spelled) return false;
        end += spelled.size();
      }
      if (end == at) return false;
      out.char_starts.push(origins[at]);
      out.char_ends.push(origins[end - 1] + 1);
      if (begins) out.span_starts.push(static_cast<std::int64_t>(i));
      at = end;
    }
    return normal.find_first_not_of(kBreak, at) == std::string::npos;
  };
  return encode_and_locate(engine, text, n, as_text, state, out, locate);
}

}  // namespace wordsplit
