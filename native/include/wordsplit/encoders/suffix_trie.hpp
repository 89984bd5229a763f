// A trie that finds all keys in a text in one pass: those that end at a position, longest first.
//
// The state at a position is that of the longest suffix of the text before it that begins a key.
// Where no key continues with the next byte, shorter suffixes are tried, by links from state to
// state; since each try shortens the suffix, there are no more of them than bytes. The keys that
// end at a position are also found by links: from a state to the longest one, and from a key to the
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
  // A text of kMostWalked bytes at most, and the longest key that ends after each of them.
  static constexpr std::size_t kMostWalked = 64;
  struct Walk {
    const std::uint8_t* text;
    std::size_t size;
    std::uint32_t longest[kMostWalked];
  };
  // Steps through several texts in turn, one try a turn, so that what they wait for from memory
  // overlaps. Without branches on what a try finds, since nobody could predict them.
  static constexpr std::size_t kMostWalks = 32;
  void walk(Walk* walks, std::size_t count) const {
    struct Lane {
      const std::uint8_t *p, *end;
      std::uint32_t* longest;
      std::uint32_t state;
    };
    Lane lanes[kMostWalks];
    std::size_t walking = 0;
    for (std::size_t k = 0; k < count; ++k) {
      Walk& each = walks[k];
      if (each.size) lanes[walking++] = {each.text, each.text + each.size, each.longest, kRoot};
    }
    while (walking) {
      for (std::size_t k = 0; k < walking;) {
        WORDSPLIT_COUNT(1);
        Lane& lane = lanes[k];
        const State& from = states_[lane.state];
        const std::uint32_t place = from.base ^ *lane.p;
        const bool goes_on = states_[place].parent == lane.state;
        const bool is_done = goes_on | (lane.state == kRoot);
        const std::uint32_t mask = 0 - static_cast<std::uint32_t>(goes_on);
        lane.state = (place & mask) | (from.suffix & ~mask);
        const std::uint32_t longest = states_[lane.state].longest;
        *lane.longest = longest;
        prefetch_line(keys_.data() + (longest & (std::uint32_t{longest == kNoKey} - 1)));
        lane.longest += is_done;
        lane.p += is_done;
        if (lane.p == lane.end) {
          lane = lanes[--walking];
        } else {
          prefetch_line(&states_[states_[lane.state].base ^ *lane.p]);
          ++k;
        }
      }
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
