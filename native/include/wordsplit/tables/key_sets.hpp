// Sets of span keys with values: four entries of 16 bytes, in one cache line.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/tables/span_key.hpp"

namespace wordsplit {

// A span's key and, in the 20 bits that it leaves free, a value. An empty entry is all zero, so
// that zeroed memory is an empty table.
struct KeyEntry {
  using Value = std::uint32_t;
  static constexpr unsigned kValueBits = 64 - SpanKey::kBits;
  static constexpr std::uint64_t kKeyBits = (std::uint64_t{1} << SpanKey::kBits) - 1;
  std::uint64_t low, rest;

  KeyEntry() = default;
  KeyEntry(const SpanKey& key, Value value)
      : low(key.low), rest(key.high | std::uint64_t{value} << SpanKey::kBits) {}
  bool empty() const { return rest == 0; }
  SpanKey key() const { return {low, rest & kKeyBits}; }
  Value value() const { return static_cast<Value>(rest >> SpanKey::kBits); }
};

struct KeySet {
  static constexpr std::size_t kWays = 4;
  KeyEntry entries[kWays];

  bool is_full() const { return !entries[kWays - 1].empty(); }
  // Removes the last entry, and returns it.
  KeyEntry drop_last() { return std::exchange(entries[kWays - 1], KeyEntry()); }
  // Inserts an entry at the front, and returns the last one, which is removed.
  KeyEntry push(KeyEntry entry) {
    const KeyEntry last = entries[kWays - 1];
    std::memmove(&entries[1], &entries[0], (kWays - 1) * sizeof(KeyEntry));
    entries[0] = entry;
    return last;
  }
  // The index of the entry with this key; kWays if there is none.
  std::size_t way(const SpanKey& key) const {
    unsigned which = 1U << kWays;
    for (std::size_t i = 0; i < kWays; ++i) which |= unsigned{entries[i].key() == key} << i;
    return lowest_bit(which);
  }
};

}  // namespace wordsplit
