// The pair-rank table: (left id, right id) -> (merge rank, merged id).
//
// A hash table of buckets of four entries, one cache line, at most two thirds full. A pair whose
// bucket is full is in the next one that is not. Most pairs that are looked up do not merge, and
// the table is larger than L2. So a filter of 8 to 16 bits a pair is read first: it stays in L2 and
// rejects nine in ten of those pairs.
//
// A pair's position in its bucket is unpredictable, so the search of a bucket has no branch that
// depends on it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "wordsplit/base/counters.hpp"
#include "wordsplit/base/hash.hpp"
#include "wordsplit/base/memory.hpp"

namespace wordsplit {

inline constexpr std::uint32_t kNoRank = 0xFFFFFFFF;

struct Merge {
  std::uint32_t rank;  // kNoRank: the pair does not merge
  std::uint32_t merged;
};

class PairTable {
  struct Entry {
    std::uint64_t key;
    std::uint64_t merge;  // rank plus one in the high half, the merged id in the low one
  };
  static constexpr std::size_t kWays = 4;

 public:
  struct Bucket {
    Entry entries[kWays];
  };

  explicit PairTable(std::size_t count = 0) {
    std::size_t size = 16;
    // Up to four fifths full: half the memory of two thirds for o200k_base, and no slower.
    while (4 * kWays * size < 5 * count) size *= 2;
    buckets_ = ZeroedArray<Bucket>(size);
    shift_ = shift_of(size);
    filter_ = ZeroedArray<std::uint64_t>(size * kWays / 8);  // eight bits an entry
  }

  // Calls part(array) for each of the table's arrays, to write them to a file or to set them.
  template <class Part>
  void each_part(Part&& part) {
    part(buckets_);
    part(filter_);
  }

  // Must be called when each_part() has set the arrays. False if their sizes do not fit, or if all
  // buckets are full, so that a look-up would not end.
  bool adopt() {
    const std::size_t size = buckets_.size();
    if (size < 16 || (size & (size - 1)) != 0) return false;
    shift_ = shift_of(size);
    if (filter_.size() != size * kWays / 8) return false;
    return std::any_of(buckets_.begin(), buckets_.end(), [](const Bucket& bucket) {
      return bucket.entries[kWays - 1].key == kEmpty;
    });
  }

  // Whether holds(left, right, merge) is true of all pairs.
  template <class Holds>
  bool all_of(Holds&& holds) const {
    for (const Bucket& bucket : buckets_) {
      for (const Entry& entry : bucket.entries) {
        if (entry.key == kEmpty) continue;
        const std::uint64_t pair = entry.key - 1;
        if (!holds(static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair),
                   merge_of(entry.merge))) {
          return false;
        }
      }
    }
    return true;
  }

  // Adds a pair. A pair that is inserted twice keeps the later rank, as in `tokenizers`.
  void insert(std::uint32_t left, std::uint32_t right, Merge merge) {
    const std::uint64_t key = key_of(left, right), hash = mix(key);
    filter_[word_of(hash)] |= bit_of(hash);
    for (std::size_t at = hash >> shift_;; at = after(at)) {
      for (Entry& entry : buckets_[at].entries) {
        if (entry.key != kEmpty && entry.key != key) continue;
        entry = {key, (std::uint64_t{merge.rank} + 1) << 32 | merge.merged};
        return;
      }
    }
  }

  Merge find(std::uint32_t left, std::uint32_t right) const {
    const std::uint64_t hash = hash_of(left, right);
    return may_have(hash) ? find_in(bucket(hash), left, right) : Merge{kNoRank, 0};
  }

  // The steps of find(), for callers that interleave look-ups: the filter, the bucket, the search.
  static std::uint64_t hash_of(std::uint32_t left, std::uint32_t right) {
    return mix(key_of(left, right));
  }
  bool may_have(std::uint64_t hash) const { return filter_[word_of(hash)] >> (hash & 63) & 1; }
  const Bucket* bucket(std::uint64_t hash) const { return &buckets_[hash >> shift_]; }
  Merge find_in(const Bucket* bucket, std::uint32_t left, std::uint32_t right) const {
    WORDSPLIT_COUNT(1);
    const std::uint64_t key = key_of(left, right);
    while (true) {
      std::uint64_t found = 0;
      for (const Entry& entry : bucket->entries) {
        found |= entry.merge & (0 - static_cast<std::uint64_t>(entry.key == key));
      }
      if ((found != 0) | (bucket->entries[kWays - 1].key == kEmpty)) {
        return merge_of(found);
      }
      bucket = &buckets_[after(static_cast<std::size_t>(bucket - buckets_.data()))];
    }
  }

 private:
  static constexpr std::uint64_t kEmpty = 0;  // not a key: key_of() adds one

  static std::uint64_t key_of(std::uint32_t left, std::uint32_t right) {
    return (std::uint64_t{left} << 32 | right) + 1;
  }
  static Merge merge_of(std::uint64_t packed) {
    return {static_cast<std::uint32_t>(packed >> 32) - 1, static_cast<std::uint32_t>(packed)};
  }
  static unsigned shift_of(std::size_t size) {
    return 64 - static_cast<unsigned>(std::countr_zero(size));
  }
  std::size_t after(std::size_t at) const { return (at + 1) & (buckets_.size() - 1); }
  // The filter uses the low bits of the hash, the table the high ones.
  std::size_t word_of(std::uint64_t hash) const { return (hash >> 6) & (filter_.size() - 1); }
  static std::uint64_t bit_of(std::uint64_t hash) { return std::uint64_t{1} << (hash & 63); }

  ZeroedArray<Bucket> buckets_;
  ZeroedArray<std::uint64_t> filter_;
  unsigned shift_;
};

}  // namespace wordsplit
