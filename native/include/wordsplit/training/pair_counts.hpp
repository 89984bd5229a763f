// A table of pairs of symbols: how often each stands in the spans, by weight and by place.
//
// Linear probing over (left, right) as one word. Counts of pairs are made by many threads, each
// over spans of its own, and added up: see count_pairs().
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "wordsplit/batch.hpp"
#include "wordsplit/hash.hpp"
#include "wordsplit/memory.hpp"
#include "wordsplit/training/symbols.hpp"

namespace wordsplit::training {

struct Pair {
  std::uint64_t key;  // left symbol in the high half, right symbol in the low
  std::uint64_t weight = 0;
  std::uint32_t places = 0;  // an upper bound
  std::uint32_t list = 0;    // for the index of places

  std::uint32_t left() const { return static_cast<std::uint32_t>(key >> 32); }
  std::uint32_t right() const { return static_cast<std::uint32_t>(key); }
};

inline std::uint64_t pair_key(std::uint32_t left, std::uint32_t right) {
  return std::uint64_t{left} << 32 | right;
}

class PairCounts {
 public:
  PairCounts() : PairCounts(0) {}
  explicit PairCounts(std::size_t expected) {
    std::size_t size = 1024;
    while (size < 2 * expected) size *= 2;
    resize(size);
  }

  // The entry of a pair, made if it is not there. Valid until the next one is made.
  Pair& of(std::uint64_t key) {
    std::size_t at = place(key);
    if (slots_[at].key != kFree) return slots_[at];
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
    return found.key == kFree ? nullptr : &found;
  }
  const Pair* find(std::uint64_t key) const { return const_cast<PairCounts*>(this)->find(key); }
  void prefetch(std::uint64_t key) const { prefetch_line(&slots_[mix(key) & mask_]); }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Pair& pair : slots_) {
      if (pair.key != kFree) visit(pair);
    }
  }
  std::size_t size() const { return size_; }

 private:
  // No key: an edge is no symbol of a pair.
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  std::size_t place(std::uint64_t key) const {
    std::size_t at = mix(key) & mask_;
    while (slots_[at].key != key && slots_[at].key != kFree) at = (at + 1) & mask_;
    return at;
  }
  void resize(std::size_t size) {
    slots_ = ZeroedArray<Pair>(size);
    mask_ = size - 1;
    for (Pair& pair : slots_) pair.key = kFree;
  }
  void grow() {
    const ZeroedArray<Pair> before = std::move(slots_);
    resize(2 * before.size());
    for (const Pair& pair : before) {
      if (pair.key != kFree) slots_[place(pair.key)] = pair;
    }
  }

  ZeroedArray<Pair> slots_;
  std::size_t mask_ = 0, size_ = 0;
};

// A stretch of slots that begins and ends with spans.
struct Stretch {
  std::uint32_t start, end;
};

// Cuts the slots into at most `count` stretches of about equal size.
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

// Counts the pairs of a stretch whose symbols are all one slot wide. With `by_span` a pair weighs
// once in a span, however often it stands there.
inline void count_pairs(const Symbols& symbols, Stretch stretch, bool by_span, PairCounts& counts) {
  const auto& slots = symbols.slots();
  Symbols::Weights weights(symbols.blocks(), stretch.start);
  std::vector<std::uint64_t> keys;  // of one span
  for (std::uint32_t at = stretch.start; at < stretch.end; ++at) {
    const std::uint64_t weight = weights.at(at);
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
    if (!by_span) continue;
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const std::uint64_t key : keys) counts.of(key).weight += weight;
  }
}

}  // namespace wordsplit::training
