// A trie that finds all keys in a text in one pass: those that end at a position, longest first.
//
// The state at a position is that of the longest suffix of the text before it that begins a key.
// Where no key goes on with the next byte, shorter suffixes are tried, by links from state to
// state; since each try shortens the suffix, there are no more of them than bytes. The keys that
// end at a position are found by links, too: from a state to the longest one, and from a key to the
// longest shorter one that is its suffix. Source: Aho and Corasick, 1975.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wordsplit/base/counters.hpp"
#include "wordsplit/base/memory.hpp"
#include "wordsplit/encoders/double_array.hpp"

namespace wordsplit {

class SuffixTrie {
 public:
  static constexpr std::uint32_t kRoot = DoubleArray::kRoot;
  static constexpr std::uint32_t kNoKey = 0xFFFFFFFF;

  // What is read of a key together, weight included, is in one place.
  struct Key {
    double weight = 0;
    std::uint32_t shorter = kNoKey;  // the longest key that is a suffix of this
    std::uint32_t size = 0;
  };

  // keys(k) is the k-th of `count` keys, in ascending order, and weight(k) what it weighs. Of equal
  // keys the last one counts.
  template <class Keys, class Weight>
  SuffixTrie(std::size_t count, Keys&& keys, Weight&& weight)
      : SuffixTrie(DoubleArray(count, keys), count) {
    for (std::size_t k = 0; k < count; ++k) {
      keys_[k].weight = weight(k);
      keys_[k].size = static_cast<std::uint32_t>(keys(k).size());
    }
  }

  std::uint32_t step(std::uint32_t state, std::uint8_t byte) const {
    while (true) {
      WORDSPLIT_COUNT(1);
      const std::uint32_t place = states_[state].base ^ byte;
      if (states_[place].parent == state) return place;
      if (state == kRoot) return kRoot;
      state = states_[state].suffix;
    }
  }
  // The number of the longest key that ends at a state; kNoKey if there is none.
  std::uint32_t longest_at(std::uint32_t state) const { return states_[state].longest; }
  const Key& key(std::uint32_t number) const { return keys_[number]; }

 private:
  struct State {
    std::uint32_t base, parent;  // as in DoubleArray
    std::uint32_t suffix;        // the state of the longest suffix that begins a key
    std::uint32_t longest;
  };

  SuffixTrie(const DoubleArray& trie, std::size_t count) : states_(trie.size()), keys_(count) {
    for (std::uint32_t place = 0; place < trie.size(); ++place) {
      states_[place] = {trie.base_of(place), trie.parent_of(place), kRoot, kNoKey};
    }
    // Shorter ones first, since a link leads to a shorter one.
    for (const std::uint32_t state : trie.by_depth()) {
      const std::uint32_t before = states_[state].parent;
      const auto byte = static_cast<std::uint8_t>(states_[before].base ^ state);
      const std::uint32_t suffix = before == kRoot ? kRoot : step(states_[before].suffix, byte);
      states_[state].suffix = suffix;
      states_[state].longest = states_[suffix].longest;
      if (trie.ends_at(state)) {
        keys_[trie.key_at(state)].shorter = states_[suffix].longest;
        states_[state].longest = trie.key_at(state);
      }
    }
  }

  ZeroedArray<State> states_;
  std::vector<Key> keys_;
};

}  // namespace wordsplit
