// A double array against a set of all prefixes of its keys: random keys, of few and of many bytes,
// with zeros, and with more successors of a state than a block has room for.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support.hpp"
#include "wordsplit/encoders/double_array.hpp"

using support::Random;
using wordsplit::DoubleArray;

namespace {

std::string random_key(Random& random, std::uint32_t letters, std::uint32_t most) {
  std::string out;
  for (std::uint32_t n = random.below(most + 1); n--;) {
    out += static_cast<char>(random.below(letters));
  }
  return out;
}

void check(const std::set<std::string>& keys, std::uint64_t seed) {
  const std::vector<std::string> sorted(keys.begin(), keys.end());
  const DoubleArray array(sorted.size(),
                          [&](std::size_t k) { return std::string_view(sorted[k]); });
  std::map<std::string, std::uint32_t> states = {{"", DoubleArray::kRoot}};
  for (const std::string& key : sorted) {
    for (std::size_t n = 1; n <= key.size(); ++n) {
      const auto byte = static_cast<std::uint8_t>(key[n - 1]);
      const std::uint32_t before = states.at(key.substr(0, n - 1)), to = array.step(before, byte);
      if (to == DoubleArray::kRoot) support::fail("a lost state", key, seed);
      const auto [known, is_new] = states.insert({key.substr(0, n), to});
      if (known->second != to) support::fail("another state", key, seed);
    }
  }
  std::set<std::uint32_t> different;
  for (const auto& [text, state] : states) {
    if (!different.insert(state).second) support::fail("two states at a place", text, seed);
    const auto found = keys.find(text);
    if (array.ends_at(state) != (found != keys.end())) support::fail("another end", text, seed);
    if (found != keys.end() && sorted[array.key_at(state)] != text) {
      support::fail("another key", text, seed);
    }
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      const auto next = states.find(text + static_cast<char>(byte));
      const std::uint32_t want = next == states.end() ? DoubleArray::kRoot : next->second;
      if (array.step(state, static_cast<std::uint8_t>(byte)) != want) {
        support::fail("a step to another state", text, seed);
      }
    }
  }
}

}  // namespace

int main() {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const std::uint32_t letters = seed % 3 == 0 ? 256 : seed % 3 == 1 ? 2 : 20;
    std::set<std::string> keys;
    for (std::uint32_t n = random.below(seed % 4 ? 60 : 800); n--;) {
      keys.insert(random_key(random, letters, seed % 5 ? 4 : 30));
    }
    check(keys, seed);
  }
}
