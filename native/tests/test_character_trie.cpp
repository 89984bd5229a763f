// The tries of SentencePiece maps: what is in one is found, and a damaged one is refused or does no
// harm. The same of the keys that are made of it.
#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support.hpp"
#include "wordsplit/text/character_trie.hpp"
#include "wordsplit/text/map_keys.hpp"
#include "wordsplit/text/utf8_check.hpp"

using namespace wordsplit;

namespace {

using Pairs = std::map<std::string, std::string>;

struct Written {
  std::vector<std::uint32_t> units = std::vector<std::uint32_t>(512);
  std::string replacements;
};

// Writes the keys from `first` to `last`, which share `depth` bytes, below the node with this base.
void write(Pairs::const_iterator first, Pairs::const_iterator last, std::size_t depth,
           std::uint32_t base, Written& out) {
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
    write(first, end, depth + 1, child, out);
    first = end;
  }
}

Pairs random_pairs(support::Random& random) {
  const char* const parts[] = {"a", "b", "\xC3\xA9", "\xCC\x81", "\xE2\x96\x81", " ", "\xC3"};
  const auto text = [&](std::uint32_t least) {
    std::string out;
    for (std::uint32_t n = least + random.below(4); n--;) out += parts[random.below(7)];
    return out;
  };
  Pairs out;
  for (std::uint32_t n = random.below(12); n--;) out[text(1)] = "x" + text(0);
  return out;
}

Pairs pairs_of(const CharacterTrie& trie) {
  Pairs out;
  trie.each([&](std::string_view key, std::string_view text) { out.emplace(key, text); });
  return out;
}

void check(std::uint64_t seed) {
  support::Random random(seed);
  const Pairs pairs = random_pairs(random);
  Written written;
  written.units[0] = 256 << 10;
  write(pairs.begin(), pairs.end(), 0, 256, written);
  const CharacterTrie trie(written.units, written.replacements);
  if (pairs_of(trie) != pairs) support::fail("other keys", written.replacements, seed);

  const MapKeys keys = keys_of(trie, {" "}, 1000, true);
  for (const auto& [key, text] : pairs) {
    if (!is_utf8(reinterpret_cast<const std::uint8_t*>(key.data()), key.size())) continue;
    std::string becomes = text;
    std::replace(becomes.begin(), becomes.end(), ' ', WordMap::kSpaceChar);
    const std::string* const found = keys.clusters.find(key);
    if (!found || *found != becomes) support::fail("a key is not found", key, seed);
    if (keys.clusters.find(key + "!")) support::fail("no key is found", key, seed);
  }

  for (int i = 0; i < 40; ++i) {
    Written damaged = written;
    for (std::uint32_t n = 1 + random.below(3); n--;) {
      const auto at = random.below(static_cast<std::uint32_t>(damaged.units.size()));
      damaged.units[at] ^= 1U << random.below(32);
      if (random.below(2)) damaged.units[at] |= random.below(256);
    }
    try {
      const CharacterTrie other(damaged.units, damaged.replacements);
      (void)keys_of(other, {" "}, random.below(2) * 5, random.below(2));
    } catch (const std::invalid_argument&) {  // refused
    }
  }
}

}  // namespace

int main() {
  for (std::uint64_t seed = 1; seed <= support::rounds(300); ++seed) check(seed);
}
