// The tries of SentencePiece maps: what is in one is found, and a damaged one is refused or does no
// harm. The same of look-ups in it, and of what is read of its keys.
#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "character_tries.hpp"
#include "support.hpp"
#include "wordsplit/text/character_trie.hpp"
#include "wordsplit/text/map_keys.hpp"

using namespace wordsplit;

namespace {

using support::Pairs;

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
  const support::WrittenTrie written = support::write_trie(pairs);
  const CharacterTrie trie(written.units, written.replacements);
  if (pairs_of(trie) != pairs) support::fail("other keys", written.replacements, seed);

  const ClusterKeys keys(trie, {" "});
  for (const auto& [key, text] : pairs) {
    std::string becomes = text;
    std::replace(becomes.begin(), becomes.end(), ' ', ClusterKeys::kSpace);
    const support::Exact exact(key + "!");
    const std::uint8_t* const p = exact.data.get();
    const std::size_t n = key.size(), ends[] = {n, n + 1};
    std::size_t size = 0;
    if (keys.longest(p, ends, size) != becomes || size != n) {
      support::fail("a key is not found", key, seed);
    }
    if (keys.longest(p, std::span(ends).subspan(1), size)) {
      support::fail("no key is found", key, seed);
    }
    std::size_t least = 1;
    while (!pairs.count(key.substr(0, least))) ++least;
    becomes = pairs.at(key.substr(0, least));
    std::replace(becomes.begin(), becomes.end(), ' ', ClusterKeys::kSpace);
    if (keys.shortest(p, n) != becomes) support::fail("the shortest key", key, seed);
    if (keys.shortest(p, least - 1)) support::fail("a key that is longer", key, seed);
  }

  for (int i = 0; i < 40; ++i) {
    support::WrittenTrie damaged = written;
    for (std::uint32_t n = 1 + random.below(3); n--;) {
      const auto at = random.below(static_cast<std::uint32_t>(damaged.units.size()));
      damaged.units[at] ^= 1U << random.below(32);
      if (random.below(2)) damaged.units[at] |= random.below(256);
    }
    try {
      const CharacterTrie other(damaged.units, damaged.replacements);
      (void)keys_of(other, {" "}, random.below(2) * 5, random.below(2));
      for (const auto& [key, text] : pairs) {
        const support::Exact exact(key);
        (void)ClusterKeys(other, {}).shortest(exact.data.get(), exact.n);
      }
    } catch (const std::invalid_argument&) {  // refused
    }
  }
}

}  // namespace

int main() {
  for (std::uint64_t seed = 1; seed <= support::rounds(300); ++seed) check(seed);
}
