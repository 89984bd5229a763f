// The keys of a SentencePiece map as rules of words look them up, in the map's own trie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wordsplit/text/character_trie.hpp"
#include "wordsplit/text/utf8.hpp"
#include "wordsplit/text/utf8_check.hpp"

namespace wordsplit {

class ClusterKeys {
 public:
  static constexpr char kSpace = '\xFE';  // of the words, which UTF-8 does not have

  // No keys.
  ClusterKeys() = default;
  // Each of some spaces becomes kSpace in the texts that replace keys.
  ClusterKeys(CharacterTrie map, std::vector<std::string> spaces)
      : map_(std::move(map)), spaces_(std::move(spaces)) {}

  // The map; null if there are no keys.
  const CharacterTrie* map() const { return map_ ? &*map_ : nullptr; }
  const std::vector<std::string>& spaces() const { return spaces_; }

  // What replaces the shortest key with which text[0, n) begins, if it begins with one.
  std::optional<std::string> shortest(const std::uint8_t* text, std::size_t n) const {
    std::optional<std::string> out;
    if (!map_) return out;
    map_->each_prefix(text, n, [&](std::size_t, std::string_view replacement) {
      out = with_spaces(replacement, spaces_);
      return false;
    });
    return out;
  }

  // What replaces the longest key that is text[0, end) for one of some ends, which ascend. Sets
  // `size` to that end.
  std::optional<std::string> longest(const std::uint8_t* text, std::span<const std::size_t> ends,
                                     std::size_t& size) const {
    std::optional<std::string_view> found;
    if (!map_ || ends.empty()) return std::nullopt;
    map_->each_prefix(text, ends.back(), [&](std::size_t n, std::string_view replacement) {
      while (ends.front() < n) ends = ends.subspan(1);
      if (ends.front() == n) found = replacement, size = n;
      return true;
    });
    return found ? std::optional(with_spaces(*found, spaces_)) : std::nullopt;
  }

  // Calls visit(key, text) for each key of several characters.
  template <class Visit>
  void each_of_several(Visit&& visit) const {
    if (!map_) return;
    std::unordered_map<const char*, std::string> texts;  // far fewer than keys
    map_->each([&](std::string_view key, std::string_view replacement) {
      const auto* p = reinterpret_cast<const std::uint8_t*>(key.data());
      if (decode_utf8(p, p + key.size()).size == key.size() || !is_utf8(p, key.size())) return;
      const auto [found, is_new] = texts.try_emplace(replacement.data());
      if (is_new) found->second = with_spaces(replacement, spaces_);
      visit(key, std::as_const(found->second));
    });
  }

  // A text in which each of some spaces is kSpace.
  static std::string with_spaces(std::string_view text, const std::vector<std::string>& spaces) {
    std::string out(text);
    for (const std::string& space : spaces) {
      for (std::size_t at = 0; (at = out.find(space, at)) != out.npos; ++at) {
        out.replace(at, space.size(), 1, kSpace);
      }
    }
    return out;
  }

 private:
  std::optional<CharacterTrie> map_;
  std::vector<std::string> spaces_;
};

}  // namespace wordsplit
