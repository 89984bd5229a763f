// The pair-rank table: (left id, right id) -> (merge rank, merged id).
//
// Open addressing with linear probing over 16-byte entries, four to a cache line, at most two
// thirds full. Most pairs that are asked for do not merge, and the table is larger than any near
// cache: so a filter of 8 to 16 bits a pair is asked first. It stays in the second-level cache and
// answers nine in ten of those questions.
#pragma once

#include <cstdint>
#include <vector>

#include "wordsplit/counters.hpp"
#include "wordsplit/hash.hpp"
#include "wordsplit/memory.hpp"

namespace wordsplit {

inline constexpr std::uint32_t kNoRank = 0xFFFFFFFF;

struct Merge {
  std::uint32_t rank;  // kNoRank: the pair does not merge
  std::uint32_t merged;
};

class PairTable {
 public:
  explicit PairTable(std::size_t count = 0) {
    std::size_t size = 64;
    while (2 * size < 3 * count) size *= 2;
    entries_ = ZeroedArray<Entry>(size);
    shift_ = 64 - static_cast<unsigned>(__builtin_ctzll(size));
    filter_.assign(size / 8, 0);  // eight bits an entry
  }

  // Adds a pair; one that is there already gets the later rank, as in `tokenizers`.
  void insert(std::uint32_t left, std::uint32_t right, Merge merge) {
    const std::uint64_t key = key_of(left, right);
    const std::uint64_t hash = mix(key);
    filter_[word_of(hash)] |= bit_of(hash);
    std::size_t at = hash >> shift_;
    while (entries_[at].key != kEmpty && entries_[at].key != key) at = (at + 1) & mask();
    entries_[at] = {key, merge};
  }

  Merge find(std::uint32_t left, std::uint32_t right) const {
    WORDSPLIT_COUNT(1);
    const std::uint64_t key = key_of(left, right);
    const std::uint64_t hash = mix(key);
    if (!(filter_[word_of(hash)] & bit_of(hash))) return {kNoRank, 0};
    std::size_t at = hash >> shift_;
    while (true) {
      const Entry& entry = entries_[at];
      if (entry.key == key) return entry.merge;
      if (entry.key == kEmpty) return {kNoRank, 0};
      at = (at + 1) & mask();
    }
  }

 private:
  struct Entry {
    std::uint64_t key;
    Merge merge;
  };
  static constexpr std::uint64_t kEmpty = 0;  // no pair's key: one is added

  static std::uint64_t key_of(std::uint32_t left, std::uint32_t right) {
    return (std::uint64_t{left} << 32 | right) + 1;
  }
  std::size_t mask() const { return entries_.size() - 1; }
  // The filter goes by the low bits of the hash, the table by the high ones.
  std::size_t word_of(std::uint64_t hash) const { return (hash >> 6) & (filter_.size() - 1); }
  static std::uint64_t bit_of(std::uint64_t hash) { return std::uint64_t{1} << (hash & 63); }

  ZeroedArray<Entry> entries_;
  std::vector<std::uint64_t> filter_;
  unsigned shift_;
};

}  // namespace wordsplit
