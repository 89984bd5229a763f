// What the keys of a SentencePiece map are: those of one character, and the characters of others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wordsplit/text/character_trie.hpp"
#include "wordsplit/text/cluster_keys.hpp"
#include "wordsplit/text/utf8.hpp"
#include "wordsplit/text/word_map.hpp"

namespace wordsplit {

struct MapKeys {
  // What becomes of single characters; none for a text with the mark of spaces.
  std::unordered_map<std::uint32_t, std::optional<std::string>> characters;
  std::size_t most = 0;      // characters in a key
  bool ends_within = false;  // some keys end within a character, as no text does
  bool has_mark = false;     // the text of a cluster has the mark of spaces
  // Whether each code point begins a key of several, and whether it is elsewhere in one.
  std::vector<bool> firsts = std::vector<bool>(0x110000), others = firsts;
};

// Reads the keys of a map, in whose texts each of some spaces becomes ClusterKeys::kSpace. Clusters
// are the keys of several characters, or else (`most_bytes` > 0) those of any number of characters
// that have at most so many bytes. `marks_are_text`: texts may have the mark of spaces.
inline MapKeys keys_of(const CharacterTrie& map, const std::vector<std::string>& spaces,
                       std::size_t most_bytes, bool marks_are_text) {
  MapKeys out;
  std::unordered_map<const char*, std::optional<std::string>> texts;  // far fewer than keys
  const auto text_of = [&](std::string_view text) -> const std::optional<std::string>& {
    const auto [found, is_new] = texts.try_emplace(text.data());
    if (!is_new) return found->second;
    std::string to = ClusterKeys::with_spaces(text, spaces);
    if (marks_are_text || to.find(WordMap::kMark) == to.npos) found->second = std::move(to);
    return found->second;
  };
  map.each([&](std::string_view key, std::string_view replacement) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(key.data());
    const std::uint8_t* const end = p + key.size();
    std::uint32_t points[CharacterTrie::kLongest];
    std::size_t count = 0;
    while (p != end) {
      const CodePoint c = decode_utf8(p, end);
      if (is_invalid(c)) {
        out.ends_within = true;
        return;
      }
      points[count++] = c.value;
      p += c.size;
    }
    const std::optional<std::string>& text = text_of(replacement);
    const bool is_one = count == 1;
    if (is_one) {
      out.characters[points[0]] = text;
    } else {
      out.firsts[points[0]] = true;
      for (std::size_t i = 1; i < count; ++i) out.others[points[i]] = true;
    }
    out.most = std::max(out.most, count);
    const bool in_cluster = most_bytes > 0 ? key.size() <= most_bytes : !is_one;
    out.has_mark |= in_cluster && !text;
  });
  return out;
}

}  // namespace wordsplit
