// What is asked of near_spans.hpp and found there, a block of spans at a time.
#pragma once

#include <cstdint>

#include "wordsplit/tables/key_sets.hpp"
#include "wordsplit/base/memory.hpp"
#include "wordsplit/tables/span_key.hpp"

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

// The keys of a block, the sets in which they would stand, and what was found.
struct NearKeys {
  static constexpr std::size_t kMost = SpanBlock::kMost;
  SpanKey keys[kMost];
  std::uint32_t sets[kMost];
  NearFound::Type found[kMost + 32];  // 32 more may be read and written
  // Those of which no id was found: which, ascending.
  std::size_t rare_count;
  std::uint16_t rare[kMost + 16];

  void note(std::size_t i, const SpanKey& key, const KeySet* in, unsigned shift) {
    keys[i] = key;
    sets[i] = static_cast<std::uint32_t>(key.hash() >> shift);
    prefetch_line(&in[sets[i]]);
  }
};

}  // namespace wordsplit
