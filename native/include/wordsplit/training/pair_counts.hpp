// The weight and the number of places of each pair of adjacent symbols.
//
// A hash table with linear probing over (left, right) as one word. Several threads count, each the
// spans of its own section, and the counts are added up: see count_pairs().
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "wordsplit/base/hash.hpp"
#include "wordsplit/base/memory.hpp"
#include "wordsplit/base/threads.hpp"
#include "wordsplit/training/symbols.hpp"

namespace wordsplit::training {

// A pair in one word, which compares as (left, right) does and is never 0.
inline std::uint64_t pair_key(std::uint32_t left, std::uint32_t right) {
  return (std::uint64_t{left} + 1) << 32 | right;
}
inline std::uint32_t left_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> 32) - 1;
}
inline std::uint32_t right_of(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

struct Pair {
  std::uint64_t key;  // 0 in no pair
  std::uint64_t weight;
  std::uint32_t places;  // how many
  std::uint32_t list;    // the number of the list of them, in an index

  std::uint32_t left() const { return left_of(key); }
  std::uint32_t right() const { return right_of(key); }
};

class PairCounts {
 public:
  PairCounts() : PairCounts(0) {}
  explicit PairCounts(std::size_t expected) {
    std::size_t size = 1024;
    while (size < 2 * expected) size *= 2;
    resize(size);
  }

  // The entry of a pair, made if necessary. Valid until the next one is made.
  Pair& of(std::uint64_t key) {
    std::size_t at = place(key);
    if (slots_[at].key) return slots_[at];
    if (2 * ++size_ > slots_.size()) {
      grow();
      at = place(key);
    }
    slots_[at].key = key;
    return slots_[at];
  }
  // The entry of a pair, or null.
  Pair* find(std::uint64_t key) {
    Pair& found = slots_[place(key)];
    return found.key ? &found : nullptr;
  }
  const Pair* find(std::uint64_t key) const { return const_cast<PairCounts*>(this)->find(key); }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Pair& pair : slots_) {
      if (pair.key) visit(pair);
    }
  }
  std::size_t size() const { return size_; }

 private:
  std::size_t place(std::uint64_t key) const {
    std::size_t at = mix(key) & mask_;
    while (slots_[at].key != key && slots_[at].key) at = (at + 1) & mask_;
    return at;
  }
  void resize(std::size_t size) {
    slots_ = ZeroedArray<Pair>(size);
    mask_ = size - 1;
  }
  void grow() {
    const ZeroedArray<Pair> before = std::move(slots_);
    resize(2 * before.size());
    for (const Pair& pair : before) {
      if (pair.key) slots_[place(pair.key)] = pair;
    }
  }

  ZeroedArray<Pair> slots_;
  std::size_t mask_ = 0, size_ = 0;
};

// A stretch of slots that begins and ends with whole spans.
struct Stretch {
  std::uint32_t start, end;
};

// Divides the slots into at most `count` stretches of about equal size.
inline std::vector<Stretch> stretches(const std::vector<std::uint32_t>& slots, std::size_t count) {
  std::vector<Stretch> out;
  std::size_t start = 1;
  for (std::size_t k = 1; k <= count && start < slots.size(); ++k) {
    std::size_t end = std::max(start + 1, slots.size() * k / count);
    if (end < slots.size()) {
      while (slots[end - 1] != Symbols::kEdge) ++end;
    }
    out.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end)});
    start = end;
  }
  return out;
}

// Counts the pairs of a stretch. With `by_span` a pair counts once in a span, however often it
// occurs there. reported(slots) is called now and then. Precondition: all symbols are one slot
// wide.
template <class Reported>
void count_pairs(const Symbols& symbols, Stretch stretch, bool by_span, PairCounts& counts,
                 Reported&& reported) {
  const auto& slots = symbols.slots();
  Symbols::Weights weights(symbols.blocks(), stretch.start);
  std::vector<std::uint64_t> keys;  // of one span
  for (std::uint32_t at = stretch.start; at < stretch.end; ++at) {
    const std::uint64_t weight = weights.at(at);
    const std::uint32_t start = at;
    keys.clear();
    for (; slots[at + 1] != Symbols::kEdge; ++at) {
      const std::uint64_t key = pair_key(slots[at], slots[at + 1]);
      Pair& pair = counts.of(key);
      ++pair.places;
      if (by_span) {
        keys.push_back(key);
      } else {
        pair.weight += weight;
      }
    }
    ++at;  // the edge
    reported(at - start);
    if (!by_span) continue;
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const std::uint64_t key : keys) counts.of(key).weight += weight;
  }
}

}  // namespace wordsplit::training
