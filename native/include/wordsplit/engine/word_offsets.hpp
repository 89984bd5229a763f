// The characters of each id in the original text, for WordPiece with a map of characters.
//
// The map says what each character becomes. The tokens of a word, without what those within it
// begin with, are that; so each token has the characters that became it. An unknown token has those
// of its word.
#pragma once

#include <algorithm>
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
// that cannot be done, or there are no ids. Throws NotInCore.
// Precondition: a map that `treats_by_character()`, and no prefix.
inline bool encode_with_word_map(const Engine& engine, const Decoder& decoder,
                                 const ModelRules& model, const std::uint8_t* text, std::size_t n,
                                 AsText as_text, Engine::State& state, Offsets& out) {
  constexpr char kBreak = static_cast<char>(WordRules::kBreak);
  const std::string_view within(model.prefix, model.prefix_size);
  std::string normal;
  std::vector<std::uint32_t> origins;  // of each byte of it, the character
  std::uint32_t character = 0;         // the number of the one at `counted`
  const std::uint8_t* counted = text;
  const auto count_to = [&](const std::uint8_t* to) {
    character += static_cast<std::uint32_t>(
        std::count_if(counted, to, [](std::uint8_t byte) { return (byte & 0xC0) != 0x80; }));
    counted = to;
  };
  const auto locate = [&](const std::uint8_t* p, std::size_t size, std::size_t first) {
    normal.clear();
    origins.clear();
    normal.reserve(size);
    origins.reserve(size);
    for (std::size_t at = 0; at < size; ++character) {
      at += engine.config().words->append(p + at, p + size, normal);
      origins.resize(normal.size(), character);
    }
    counted = p + size;
    std::size_t at = 0;
    for (std::size_t i = first; i < out.ids.size(); ++i) {
      const std::size_t before = at;
      while (at < normal.size() && normal[at] == kBreak) ++at;
      const bool begins = at > before || i == first;
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
  bool found = true;
  out.clear();
  engine.pieces(text, n, as_text, state,
                [&](const std::uint8_t* p, std::size_t size, const AddedToken* token) {
                  if (!found) return;
                  const std::size_t first = out.ids.size();
                  count_to(p);
                  if (!token) {
                    engine.encode_range(p, size, 0, size, state, out.ids);
                    found = locate(p, size, first);
                    return;
                  }
                  out.ids.push(token->id);
                  out.span_starts.push(static_cast<std::int64_t>(first));
                  out.char_starts.push(character);
                  count_to(p + size);
                  out.char_ends.push(character);
                });
  return found && out.ids.size() > 0;
}

}  // namespace wordsplit
