// A trie in one array, a double array: the state after a byte is found by one exclusive or. The
// data that say whether it is a successor of this state, and what ends there, are next to it. So a
// step is one memory access, to an array that is little larger than its states, where a hash table
// of edges takes two, to tables three times as large.
//
// States are numbered by their places. The place of a state's successor by a byte is its `base` xor
// the byte. Successors of one state are therefore in one block of 256 places, and a base is chosen
// so that all of them are free. Source: Aoe, 1989; the search for a base tries all of a block at
// once.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "wordsplit/base/counters.hpp"
#include "wordsplit/base/memory.hpp"

namespace wordsplit {

class DoubleArray {
 public:
  static constexpr std::uint32_t kRoot = 0;

  // keys(k) is the k-th of `count` keys, in ascending order. Of equal keys the last one counts.
  template <class Keys>
  DoubleArray(std::size_t count, Keys&& keys) {
    Builder builder;
    std::vector<Range> open = {{kRoot, 0, count, 0}};
    while (!open.empty()) {
      Range range = open.back();
      open.pop_back();
      for (; range.first < range.last && keys(range.first).size() == range.depth; ++range.first) {
        builder.states[range.state].ends = 1;
        builder.states[range.state].key = static_cast<std::uint32_t>(range.first);
      }
      if (range.first == range.last) continue;
      Labels labels;
      const std::size_t begin = open.size();
      for (std::size_t k = range.first; k < range.last; ++k) {
        const auto byte = static_cast<std::uint8_t>(keys(k)[range.depth]);
        if (labels.count == 0 || labels.bytes[labels.count - 1] != byte) {
          labels.bytes[labels.count++] = byte;
          open.push_back({byte, k, k, range.depth + 1});
        }
        ++open.back().last;
      }
      const std::uint32_t base = builder.place(range.state, labels);
      for (std::size_t i = begin; i < open.size(); ++i) open[i].state ^= base;
      std::reverse(open.begin() + static_cast<std::ptrdiff_t>(begin), open.end());
    }
    states_ = ZeroedArray<State>(builder.states.data(), builder.states.size());
  }

  // The state after a byte; kRoot if no key goes on so.
  std::uint32_t step(std::uint32_t state, std::uint8_t byte) const {
    WORDSPLIT_COUNT(1);
    const std::uint32_t to = states_[state].base ^ byte;
    return states_[to].parent == state ? to : kRoot;
  }
  // Calls found(end, key) for each key that ends at text[end] if `state` is that of text[at].
  template <class Found>
  void walk(const std::uint8_t* text, std::size_t at, std::size_t n, std::uint32_t state,
            Found&& found) const {
    while (at < n) {
      state = step(state, text[at++]);
      if (state == kRoot) return;
      if (ends_at(state)) found(at, key_at(state));
    }
  }
  // Whether a key ends at a state, and the number of that key, if so.
  bool ends_at(std::uint32_t state) const { return states_[state].ends; }
  std::uint32_t key_at(std::uint32_t state) const { return states_[state].key; }

  // What a trie with more in its states is made of. The number of places; and of each its base and
  // its parent, which is kNone if it is the root or no state.
  static constexpr std::uint32_t kNone = 0x7FFFFFFF;
  std::size_t size() const { return states_.size(); }
  std::uint32_t base_of(std::uint32_t place) const { return states_[place].base; }
  std::uint32_t parent_of(std::uint32_t place) const { return states_[place].parent; }
  // The states but the root, those of fewer bytes first.
  std::vector<std::uint32_t> by_depth() const {
    std::vector<std::uint32_t> depths(size()), ends;  // 0: not known yet
    const auto has_parent = [&](std::uint32_t place) { return parent_of(place) != kNone; };
    for (std::uint32_t place = 0; place < size(); ++place) {
      std::uint32_t steps = 0, at = place;  // up to the root, or to a state whose depth is known
      for (; has_parent(at) && depths[at] == 0; at = parent_of(at)) ++steps;
      std::uint32_t depth = depths[at] + steps;
      for (at = place; has_parent(at) && depths[at] == 0; at = parent_of(at)) depths[at] = depth--;
      if (depths[place] == 0) continue;
      if (ends.size() <= depths[place]) ends.resize(depths[place] + std::size_t{1});
      ++ends[depths[place]];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<std::uint32_t> out(ends.empty() ? 0 : ends.back());
    for (std::uint32_t place = static_cast<std::uint32_t>(size()); place-- > 0;) {
      if (depths[place]) out[--ends[depths[place]]] = place;
    }
    return out;
  }

 private:
  struct State {
    std::uint32_t base = 0;  // of a state without successors, too: no place there has it as parent
    std::uint32_t parent : 31 = kNone;
    std::uint32_t ends : 1 = 0;
    std::uint32_t key = 0;
  };

  // The keys [first, last), which share `depth` bytes and a state.
  struct Range {
    std::uint32_t state;
    std::size_t first, last, depth;
  };

  struct Labels {
    std::size_t count = 0;
    std::array<std::uint8_t, 256> bytes;
  };

  // 256 bits, one a place of a block.
  struct Bits {
    std::array<std::uint64_t, 4> words;

    // Bit i is bit i ^ byte of this.
    Bits moved(std::uint8_t byte) const {
      static constexpr std::uint64_t kLow[6] = {0x5555555555555555, 0x3333333333333333,
                                                0x0F0F0F0F0F0F0F0F, 0x00FF00FF00FF00FF,
                                                0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
      Bits out;
      for (unsigned i = 0; i < 4; ++i) {
        std::uint64_t word = words[i ^ byte >> 6];
        for (unsigned k = 0; k < 6; ++k) {
          const unsigned shift = 1U << k;
          if (byte & shift) word = (word & kLow[k]) << shift | (word >> shift & kLow[k]);
        }
        out.words[i] = word;
      }
      return out;
    }
    // The index of the lowest bit; 256 if there is none.
    unsigned lowest() const {
      for (unsigned i = 0; i < 4; ++i) {
        if (words[i]) return 64 * i + static_cast<unsigned>(std::countr_zero(words[i]));
      }
      return 256;
    }
  };

  struct Builder {
    static constexpr std::size_t kTried = 8;  // blocks, before a new one is made

    std::vector<State> states;
    std::vector<Bits> free;            // by block
    std::vector<std::uint32_t> rooms;  // the blocks that are not full, ascending
    std::vector<unsigned> free_count;  // by block

    Builder() {
      add_block();
      take(kRoot);
    }

    // Chooses the base of a state, and makes its successors.
    std::uint32_t place(std::uint32_t state, const Labels& labels) {
      const std::uint32_t base = base_for(labels);
      states[state].base = base;
      for (std::size_t i = 0; i < labels.count; ++i) {
        const std::uint32_t to = base ^ labels.bytes[i];
        take(to);
        states[to].parent = state;
      }
      if (free_count[base >> 8] == 0) {
        rooms.erase(std::lower_bound(rooms.begin(), rooms.end(), base >> 8));
      }
      return base;
    }

   private:
    std::uint32_t base_for(const Labels& labels) {
      // One successor fits in any free place; several are looked for in the newest blocks.
      const std::size_t first =
          labels.count == 1 || rooms.size() < kTried ? 0 : rooms.size() - kTried;
      for (std::size_t k = first; k < rooms.size(); ++k) {
        const std::uint32_t block = rooms[k];
        if (free_count[block] < labels.count) continue;
        Bits fits = free[block].moved(labels.bytes[0]);
        for (std::size_t i = 1; i < labels.count; ++i) {
          const Bits other = free[block].moved(labels.bytes[i]);
          for (unsigned w = 0; w < 4; ++w) fits.words[w] &= other.words[w];
        }
        if (const unsigned low = fits.lowest(); low < 256) return block << 8 | low;
      }
      add_block();
      return static_cast<std::uint32_t>(states.size() - 256);
    }
    void add_block() {
      if (states.size() + 256 > kNone) throw std::length_error("a trie has too many states");
      rooms.push_back(static_cast<std::uint32_t>(free.size()));
      free.push_back(
          {{~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}}});
      free_count.push_back(256);
      states.resize(states.size() + 256);
    }
    void take(std::uint32_t place) {
      free[place >> 8].words[place >> 6 & 3] &= ~(std::uint64_t{1} << (place & 63));
      --free_count[place >> 8];
    }
  };

  ZeroedArray<State> states_;
};

}  // namespace wordsplit
