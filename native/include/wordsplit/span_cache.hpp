// What a thread knows of spans: those it asks for most are near, the others in what all threads
// share (shared_spans.hpp).
//
// A near entry is 32 bytes, of a span of 1-15 bytes with 1-3 ids, with the span itself for a key.
// Two stand in a cache line; a new one pushes the older one out.
//
// Spans are looked up in blocks. Nearly all are found near, at a handful of instructions each and
// without a branch that goes by the span; those that are not are listed, the shared lines
// prefetched together, and looked up in a second pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "wordsplit/hash.hpp"
#include "wordsplit/memory.hpp"
#include "wordsplit/output.hpp"
#include "wordsplit/shared_spans.hpp"

namespace wordsplit {

class SpanCache {
 public:
  static constexpr std::size_t kLongest = SharedSpans::kLongest;
  static constexpr std::size_t kBlock = 256;  // what is kept of a block stays in L1

  // Takes an eighth of what `shared` does, which must outlive it.
  explicit SpanCache(SharedSpans& shared) : shared_(shared) {
    if (!shared.enabled()) return;
    std::size_t sets = 2;
    for (; 2 * sets * sizeof(Set) <= shared.bytes() / 8; --shift_) sets *= 2;
    near_ = ZeroedArray<Set>(sets);
  }

  std::size_t bytes() const { return near_.size() * sizeof(Set); }
  bool enabled() const { return near_.size() > 0; }
  void clear() {
    if (enabled()) std::memset(static_cast<void*>(near_.data()), 0, bytes());
  }

  // What is held of one span. Of more than 3 ids, ids[0] says where they begin in another place.
  struct Found : ShortIds {  // count 0: not held
    void set(const std::uint32_t* from, std::size_t n, Output& more) {
      if (n > 3) {
        ids[0] = static_cast<std::uint32_t>(more.size());
        more.append(from, n);
      } else {
        std::memcpy(ids, from, 4 * n);
      }
      count = static_cast<std::uint32_t>(n);
    }
  };

  // A block of consecutive spans of text[0, n), which may be read: the first begins at `start`, and
  // span i ends at ends[i].
  struct Block {
    const std::uint8_t* text;
    std::size_t n, start;
    const std::uint32_t* ends;
    std::size_t count;

    std::size_t begin(std::size_t i) const { return i ? ends[i - 1] : start; }
    std::size_t size(std::size_t i) const { return ends[i] - begin(i); }
  };

  // The spans of a block that are not found: which, ascending, and their keys.
  struct Missed {
    std::size_t count = 0;
    std::uint16_t at[kBlock + 1];
    SpanKey keys[kBlock + 1];
  };

  // Looks every span of the block up near, and lists those that are not there, for which
  // found[i].count is 0.
  void find_near(const Block& block, Found* found, Missed& missed) const {
    std::size_t misses = 0, begin = block.start;
    const auto find = [&](std::size_t i, const std::uint8_t* span) {
      const std::size_t end = block.ends[i];
      const SpanKey key = SpanKey::of_16_readable(span, end - begin);
      const Entry* entry = near_[key.hash() >> shift_].entries;
      entry += !(entry->key == key);
      const bool hit = entry->key == key;
      std::memcpy(static_cast<void*>(&found[i]), &entry->ids, sizeof(Found));
      found[i].count = hit ? found[i].count : 0;
      missed.at[misses] = static_cast<std::uint16_t>(i);
      missed.keys[misses] = key;
      misses += !hit;
      begin = end;
    };
    // At the text's end, keys are read from a copy of it.
    std::size_t i = 0;
    for (; i < block.count && begin + 16 <= block.n; ++i) find(i, block.text + begin);
    if (i < block.count) {
      std::uint8_t last[32] = {};
      const std::size_t from = block.n < 16 ? 0 : block.n - 16;
      std::memcpy(last, block.text + from, block.n - from);
      for (; i < block.count; ++i) find(i, last + (begin - from));
    }
    missed.count = misses;
  }

  // Looks those up that were not found near, and takes those off the list that are held, or longer
  // than kLongest: these with count 0. Ids that are more than 3 are appended to `more`.
  void find_shared(const Block& block, Found* found, Missed& missed, Output& more) {
    std::uint64_t hashes[kBlock];
    const auto hash_longer = [&](std::size_t k) {
      const std::size_t i = missed.at[k], size = block.size(i);
      hashes[k] = hash_bytes(block.text + block.begin(i), std::min(size, kLongest));
      shared_.prefetch(0, size, hashes[k]);
    };
    for (std::size_t k = 0; k < missed.count; ++k) {
      if (missed.keys[k].is_short()) {
        shared_.prefetch(missed.keys[k]);
      } else {
        hash_longer(k);
      }
    }
    std::size_t kept = 0;
    const auto keep = [&](std::size_t k) {
      missed.at[kept] = missed.at[k];
      missed.keys[kept] = missed.keys[k];
      hashes[kept++] = hashes[k];
    };
    for (std::size_t k = 0; k < missed.count; ++k) {
      const SpanKey key = missed.keys[k];
      ShortIds& ids = found[missed.at[k]];
      if (key.is_short() && shared_.find(key, ids)) {
        keep_near(key, ids);
        continue;
      }
      ids.count = 0;
      if (block.size(missed.at[k]) > kLongest) continue;
      if (key.is_short()) hash_longer(k);  // it may have more ids
      keep(k);
    }
    missed.count = kept;
    for (std::size_t place = 0; place < SharedSpans::kPlaces && missed.count; ++place) {
      if (place > 0) {
        for (std::size_t k = 0; k < missed.count; ++k) {
          shared_.prefetch(place, block.size(missed.at[k]), hashes[k]);
        }
      }
      kept = 0;
      for (std::size_t k = 0; k < missed.count; ++k) {
        const std::size_t i = missed.at[k];
        std::uint32_t ids[kLongest + 1];
        const std::size_t count =
            shared_.find(place, block.text + block.begin(i), block.size(i), hashes[k], ids);
        if (count) {
          found[i].set(ids, count, more);
        } else {
          keep(k);
        }
      }
      missed.count = kept;
    }
  }

  // Takes in a span of kLongest bytes at most.
  void insert(const std::uint8_t* span, std::size_t n, const std::uint32_t* ids,
              std::size_t count) {
    if (n > SpanKey::kLongest || count > 3) {
      shared_.insert(span, n, hash_bytes(span, n), ids, count);
      return;
    }
    const SpanKey key = SpanKey::of(span, n);
    ShortIds kept = {{0, 0, 0}, static_cast<std::uint32_t>(count)};
    std::memcpy(kept.ids, ids, 4 * count);
    keep_near(key, kept);
    shared_.insert(key, kept);
  }

 private:
  // All zero bytes are an empty entry, so that a table needs no writing before its first use.
  struct Entry {
    SpanKey key;
    ShortIds ids;
  };
  struct Set {
    Entry entries[2];
  };
  static_assert(sizeof(Set) == 64 && sizeof(Found) == sizeof(ShortIds));

  void keep_near(const SpanKey& key, const ShortIds& ids) {
    Set& set = near_[key.hash() >> shift_];
    set.entries[1] = set.entries[0];
    set.entries[0] = {key, ids};
  }

  SharedSpans& shared_;
  unsigned shift_ = 63;  // a set goes by the high bits of the hash
  ZeroedArray<Set> near_;
};

}  // namespace wordsplit
