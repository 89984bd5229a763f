// A suffix trie against its definition: at each position of a text all keys that end there, the
// longest first. Random keys of few and of many letters, and texts made of them.
#include <map>
#include <string>
#include <vector>

#include "support.hpp"
#include "wordsplit/encoders/suffix_trie.hpp"

using support::Random;
using wordsplit::SuffixTrie;

namespace {

std::string letters(Random& random, std::uint32_t kinds, std::uint32_t size) {
  std::string out;
  while (size--) out += static_cast<char>(random.below(kinds));
  return out;
}

// Parts of texts that are walked through in turn have the keys that steps through each find.
void check_walks(const SuffixTrie& trie, const std::vector<std::string>& texts, Random& random,
                 std::uint64_t seed) {
  const std::size_t count = 1 + random.below(SuffixTrie::kMostWalks);
  std::vector<support::Exact> exact;
  std::vector<SuffixTrie::Walk> walks(count);
  for (SuffixTrie::Walk& walk : walks) {
    const std::string& text = texts[random.below(static_cast<std::uint32_t>(texts.size()))];
    const std::size_t begin =
        text.empty() ? 0 : random.below(static_cast<std::uint32_t>(text.size()));
    exact.emplace_back(text.substr(begin, random.below(SuffixTrie::kMostWalked + 1)));
    walk.text = exact.back().data.get();
    walk.size = exact.back().n;
  }
  trie.walk(walks.data(), count);
  for (const SuffixTrie::Walk& walk : walks) {
    std::uint32_t state = SuffixTrie::kRoot;
    for (std::size_t i = 0; i < walk.size; ++i) {
      state = trie.step(state, walk.text[i]);
      if (walk.longest[i] != trie.longest_at(state)) {
        support::fail("another key on a walk",
                      std::string(reinterpret_cast<const char*>(walk.text), walk.size), seed);
      }
    }
  }
}

}  // namespace

int main() {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const std::uint32_t kinds = seed % 3 == 0 ? 256 : seed % 3 == 1 ? 2 : 9;
    std::map<std::string, double> weights;
    for (std::uint32_t n = random.below(seed % 7 ? 60 : 600); n--;) {
      weights[letters(random, kinds, 1 + random.below(seed % 5 ? 5 : 40))] = random.below(1000);
    }
    std::vector<std::string> keys;
    for (const auto& [key, weight] : weights) keys.push_back(key);
    const SuffixTrie trie(
        keys.size(), [&](std::size_t k) { return std::string_view(keys[k]); },
        [&](std::size_t k) { return weights[keys[k]]; });
    std::vector<std::string> texts;
    for (int round = 0; round < 5; ++round) {
      std::string& text = texts.emplace_back();
      for (int part = 0; part < 30; ++part) {
        text += keys.empty() || random.below(3) == 0
                    ? letters(random, kinds, random.below(4))
                    : keys[random.below(static_cast<std::uint32_t>(keys.size()))];
      }
      std::uint32_t state = SuffixTrie::kRoot;
      for (std::size_t end = 1; end <= text.size(); ++end) {
        state = trie.step(state, static_cast<std::uint8_t>(text[end - 1]));
        std::uint32_t found = trie.longest_at(state);
        for (std::size_t begin = 0; begin < end; ++begin) {
          const auto wanted = weights.find(text.substr(begin, end - begin));
          if (wanted == weights.end()) continue;
          if (found == SuffixTrie::kNoKey) support::fail("a key is not found", text, seed);
          if (keys[found] != wanted->first) support::fail("another key is found", text, seed);
          const SuffixTrie::Key& key = trie.key(found);
          if (key.size != end - begin || key.weight != wanted->second) {
            support::fail("a key with another size or weight", text, seed);
          }
          found = key.shorter;
        }
        if (found != SuffixTrie::kNoKey) support::fail("a key that is not there", text, seed);
      }
    }
    check_walks(trie, texts, random, seed);
  }
}
