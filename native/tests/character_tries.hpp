// Writes tries of SentencePiece maps, for tests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "wordsplit/text/character_trie.hpp"

namespace support {

using Pairs = std::map<std::string, std::string>;

struct WrittenTrie {
  std::vector<std::uint32_t> units = std::vector<std::uint32_t>(512);
  std::string replacements;
};

// Writes the keys from `first` to `last`, which share `depth` bytes, below the node with this base.
inline void write_trie(Pairs::const_iterator first, Pairs::const_iterator last, std::size_t depth,
                       std::uint32_t base, WrittenTrie& out) {
  if (first != last && first->first.size() == depth) {
    out.units[base] = 1U << 31 | static_cast<std::uint32_t>(out.replacements.size());
    (out.replacements += first->second) += '\0';
    ++first;
  }
  while (first != last) {
    const char byte = first->first[depth];
    auto end = first;
    while (end != last && end->first[depth] == byte) ++end;
    const std::uint32_t label = static_cast<std::uint8_t>(byte), at = base ^ label;
    const auto child = static_cast<std::uint32_t>(out.units.size());  // a block to itself
    out.units.resize(out.units.size() + 256);
    const std::uint32_t ends = first->first.size() == depth + 1 ? 1U << 8 : 0;
    out.units[at] = label | ends | (at ^ child) << 10;
    write_trie(first, end, depth + 1, child, out);
    first = end;
  }
}

inline WrittenTrie write_trie(const Pairs& pairs) {
  WrittenTrie out;
  out.units[0] = 256 << 10;
  write_trie(pairs.begin(), pairs.end(), 0, 256, out);
  return out;
}

inline wordsplit::CharacterTrie trie_of(const Pairs& pairs) {
  WrittenTrie written = write_trie(pairs);
  return {std::move(written.units), std::move(written.replacements)};
}

}  // namespace support
