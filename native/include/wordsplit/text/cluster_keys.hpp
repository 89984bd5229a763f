// The keys of a SentencePiece map, and the text that replaces each. A map may have 200,000 keys,
// with far fewer different texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wordsplit/text/names_table.hpp"

namespace wordsplit {

class ClusterKeys {
 public:
  // Makes room for so many keys.
  void reserve(std::size_t count) { keys_.reserve(count); }

  // Adds a text, and returns its number for set().
  std::uint32_t add_text(std::string text) {
    texts_.push_back(std::move(text));
    return static_cast<std::uint32_t>(texts_.size() - 1);
  }
  const std::string& text(std::uint32_t number) const { return texts_[number]; }

  // Sets the number of the text that replaces a key.
  void set(std::string_view key, std::uint32_t text) { keys_.set(key, text); }

  std::size_t size() const { return keys_.size(); }

  // The text that replaces a key; null if it is none.
  const std::string* find(std::string_view key) const {
    const auto found = keys_.find(key);
    return found ? &texts_[*found] : nullptr;
  }

  // Calls visit(key, text) for all keys, in no order.
  template <class Visit>
  void each(Visit&& visit) const {
    keys_.each([&](std::string_view key, std::uint32_t text) { visit(key, texts_[text]); });
  }

  std::map<std::string_view, std::string_view> sorted() const {
    std::map<std::string_view, std::string_view> out;
    each([&](std::string_view key, const std::string& text) { out.emplace(key, text); });
    return out;
  }

 private:
  NamesTable keys_;
  std::vector<std::string> texts_;
};

}  // namespace wordsplit
