// What near_spans.hpp is made of: sets of entries, and what is asked of them and found, a block of
// spans at a time.
#pragma once

#include <cstdint>
#include <cstring>

#include "wordsplit/memory.hpp"
#include "wordsplit/span_key.hpp"

namespace wordsplit {

// A block of consecutive spans of text[0, n), which may be read: the first begins at `start`, and
// span i ends at ends[i].
struct SpanBlock {
  static constexpr std::size_t kMost = 256;  // so that what is kept of a block stays in L1

  const std::uint8_t* text;
  std::size_t n, start;
  const std::uint32_t* ends;
  std::size_t count;

  std::size_t begin(std::size_t i) const { return i ? ends[i - 1] : start; }
  std::size_t size(std::size_t i) const { return ends[i] - begin(i); }
};

// What is found of a span: below kListed, its only id; below kLong, where its ids are listed; below
// kNone, where its ids are if its text is there; else nothing.
struct NearFound {
  using Type = std::uint32_t;
  static constexpr Type kListed = Type{1} << 19, kLong = kListed + (Type{1} << 18);
  static constexpr Type kNone = Type{1} << 20;
};

// An entry: a span's key and, in the bits that it leaves free, what is found of the span. All zero
// bytes are an empty one, so that a table needs no writing before its first use.
struct NearEntry {
  static constexpr std::uint64_t kKeyBits = (std::uint64_t{1} << SpanKey::kBits) - 1;
  std::uint64_t low, rest;

  NearEntry() = default;
  NearEntry(const SpanKey& key, NearFound::Type found)
      : low(key.low), rest(key.high | std::uint64_t{found} << SpanKey::kBits) {}
  SpanKey key() const { return {low, rest & kKeyBits}; }
  NearFound::Type found() const { return static_cast<NearFound::Type>(rest >> SpanKey::kBits); }
};

struct NearSet {
  static constexpr std::size_t kWays = 4;
  NearEntry entries[kWays];

  bool is_full() const { return entries[kWays - 1].rest != 0; }
  // Puts an entry first, and returns the last one, which has no place any more.
  NearEntry push(NearEntry entry) {
    const NearEntry last = entries[kWays - 1];
    std::memmove(&entries[1], &entries[0], (kWays - 1) * sizeof(NearEntry));
    entries[0] = entry;
    return last;
  }
  // Which entry is that of a key; kWays if none.
  std::size_t way(const SpanKey& key) const {
    unsigned which = 1U << kWays;
    for (std::size_t i = 0; i < kWays; ++i) which |= unsigned{entries[i].key() == key} << i;
    return static_cast<std::size_t>(__builtin_ctz(which));
  }
};

// The keys of a block, the sets in which they would stand, and what was found.
struct NearKeys {
  static constexpr std::size_t kMost = SpanBlock::kMost;
  SpanKey keys[kMost];
  std::uint32_t sets[kMost];
  NearFound::Type found[kMost + 32];  // 32 more may be read and written
  // Those of which no id was found: which, ascending.
  std::size_t rare_count;
  std::uint16_t rare[kMost + 16];

  void note(std::size_t i, const SpanKey& key, const NearSet* in, unsigned shift) {
    keys[i] = key;
    sets[i] = static_cast<std::uint32_t>(key.hash() >> shift);
    prefetch_line(&in[sets[i]]);
  }
};

}  // namespace wordsplit
