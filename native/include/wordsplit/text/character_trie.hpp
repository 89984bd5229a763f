// The trie of a SentencePiece map (`precompiled_charsmap`), from byte strings to replacements.
// src/wordsplit/charsmap.py describes the format, and is the same in Python.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wordsplit/text/utf8.hpp"

namespace wordsplit {

class CharacterTrie {
 public:
  static constexpr std::size_t kLongest = 64;  // bytes of a key

  // Throws std::invalid_argument if the units are damaged. Precondition: there is one.
  CharacterTrie(std::vector<std::uint32_t> units, std::string replacements)
      : units_(std::move(units)), replacements_(std::move(replacements)) {
    find_children();
    check_values(count_paths());
  }

  const std::vector<std::uint32_t>& units() const { return units_; }
  const std::string& replacements() const { return replacements_; }

  // Calls visit(size, replacement) for each key with which text[0, n) begins, the shortest first,
  // until it returns false.
  template <class Visit>
  void each_prefix(const std::uint8_t* text, std::size_t n, Visit&& visit) const {
    std::uint32_t base = offset_of(units_[0]);
    for (std::size_t i = 0; i < n && i < kLongest && text[i] != 0; ++i) {
      const std::uint32_t at = base ^ text[i], unit = units_[at];
      if ((unit & kLabel) != text[i]) return;
      base = at ^ offset_of(unit);
      if ((unit & kKeyEnds) != 0 && !visit(i + 1, replacement(units_[base] & kValueBits))) return;
    }
  }

  // Calls visit(key, replacement) for each key of up to kLongest bytes.
  template <class Visit>
  void each(Visit&& visit) const {
    struct Node {
      std::uint32_t base;
      std::size_t depth;
      char last;
    };
    std::array<char, kLongest> key;
    std::vector<Node> pending = {{offset_of(units_[0]), 0, 0}};
    while (!pending.empty()) {
      const Node node = pending.back();
      pending.pop_back();
      if (node.depth > 0) key[node.depth - 1] = node.last;
      if (node.depth == kLongest) continue;  // no text has what is longer
      for (const std::uint32_t at : children(node.base)) {
        const std::uint32_t unit = units_[at], base = at ^ offset_of(unit);
        const char byte = static_cast<char>(unit & kLabel);
        if ((unit & kKeyEnds) != 0 && base < units_.size()) {
          key[node.depth] = byte;
          visit(std::string_view(key.data(), node.depth + 1),
                replacement(units_[base] & kValueBits));
        }
        if (!children(base).empty()) pending.push_back({base, node.depth + 1, byte});
      }
    }
  }

 private:
  static constexpr std::uint32_t kKeyEnds = 1U << 8, kValueBits = (1U << 31) - 1,
                                 kLabel = 1U << 31 | 0xFF;
  static constexpr std::int64_t kMostPaths = 1 << 22;
  static constexpr std::int64_t kUnknown = -2, kPending = -1;

  static std::uint32_t offset_of(std::uint32_t unit) {
    return unit >> 10 << ((unit & 1U << 9) >> 6);
  }
  static bool is_child(std::uint32_t unit) { return (unit & kLabel) - 1 < 255; }

  // The indexes of the children of the node with a base, in ascending order.
  std::span<const std::uint32_t> children(std::uint32_t base) const {
    if (base >= firsts_.size() - 1) return {};
    return std::span(children_).subspan(firsts_[base], firsts_[base + 1] - firsts_[base]);
  }

  void find_children() {
    firsts_.assign((units_.size() | 0xFF) + 2, 0);
    for (std::uint32_t at = 0; at < units_.size(); ++at) {
      if (is_child(units_[at])) ++firsts_[(at ^ (units_[at] & kLabel)) + 1];
    }
    for (std::size_t i = 1; i < firsts_.size(); ++i) firsts_[i] += firsts_[i - 1];
    std::vector<std::uint32_t> ends(firsts_);
    children_.resize(firsts_.back());
    for (std::uint32_t at = 0; at < units_.size(); ++at) {
      if (is_child(units_[at])) children_[ends[at ^ (units_[at] & kLabel)]++] = at;
    }
  }

  // The number of paths from each node that a look-up can reach, by its base. Several may share a
  // node.
  std::vector<std::int64_t> count_paths() {
    std::vector<std::int64_t> paths(units_.size(), kUnknown);
    std::vector<std::uint32_t> pending = {offset_of(units_[0])};
    while (!pending.empty()) {
      const std::uint32_t base = pending.back();
      if ((base | 0xFF) >= units_.size()) {
        throw std::invalid_argument("a node of its trie has children at " + std::to_string(base) +
                                    ", and the trie has " + in_units());
      }
      if (paths[base] != kUnknown) {  // and all below it are done
        pending.pop_back();
        std::int64_t sum = 0;
        for (const std::uint32_t at : children(base)) {
          sum += 1 + paths[at ^ offset_of(units_[at])];
        }
        if (sum > kMostPaths) throw std::invalid_argument("its trie has more than 4,194,304 keys");
        paths[base] = sum;
        continue;
      }
      paths[base] = kPending;
      for (const std::uint32_t at : children(base)) {
        const std::uint32_t node = at ^ offset_of(units_[at]);
        const std::int64_t known = node < paths.size() ? paths[node] : kUnknown;
        if (known == kUnknown) {
          pending.push_back(node);
        } else if (known == kPending) {
          throw std::invalid_argument("the node of its trie with children at " +
                                      std::to_string(node) + " leads back to itself");
        }
      }
    }
    return paths;
  }

  void check_values(const std::vector<std::int64_t>& paths) const {
    for (std::uint32_t at = 0; at < units_.size(); ++at) {
      const std::uint32_t unit = units_[at];
      if (!is_child(unit) || (unit & kKeyEnds) == 0) continue;
      const std::uint32_t parent = at ^ (unit & kLabel), value = at ^ offset_of(unit);
      if (parent >= paths.size() || paths[parent] == kUnknown) continue;
      if (value >= units_.size()) {
        throw std::invalid_argument("a value of its trie is at " + std::to_string(value) +
                                    ", and the trie has " + in_units());
      }
      const std::size_t start = units_[value] & kValueBits;
      const bool inside = start < replacements_.size() &&
                          is_continuation(static_cast<std::uint8_t>(replacements_[start]));
      if (start > replacements_.size() || inside) {
        throw std::invalid_argument("a replacement begins at byte " + std::to_string(start) +
                                    ", where no character does");
      }
    }
  }

  std::string in_units() const { return std::to_string(units_.size()) + " units"; }

  std::string_view replacement(std::size_t start) const {
    const std::string_view rest = std::string_view(replacements_).substr(start);
    return rest.substr(0, rest.find('\0'));
  }

  std::vector<std::uint32_t> units_;
  std::string replacements_;
  std::vector<std::uint32_t> firsts_, children_;  // the children of a base begin at firsts_[base]
};

}  // namespace wordsplit
