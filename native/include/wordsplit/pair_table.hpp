// The pair-rank table: (left id, right id) -> (merge rank, merged id).
//
// Open addressing with linear probing over 16-byte entries, four to a cache line, at most half
// full. A look-up is one multiplication and, nearly always, one cache line.
#pragma once

#include <cstdint>
#include <vector>

#include "wordsplit/hash.hpp"

namespace wordsplit {

inline constexpr std::uint32_t kNoRank = 0xFFFFFFFF;

struct Merge {
  std::uint32_t rank;  // kNoRank: the pair does not merge
  std::uint32_t merged;
};

class PairTable {
 public:
  explicit PairTable(std::size_t count = 0) {
    std::size_t size = 16;
    while (size < 2 * count) size *= 2;
    entries_.assign(size, Entry{kEmpty, {kNoRank, 0}});
    shift_ = 64 - static_cast<unsigned>(__builtin_ctzll(size));
  }

  // Adds a pair; one that is there already gets the later rank, as in `tokenizers`.
  void insert(std::uint32_t left, std::uint32_t right, Merge merge) {
    const std::uint64_t key = key_of(left, right);
    std::size_t at = mix(key) >> shift_;
    while (entries_[at].key != kEmpty && entries_[at].key != key) at = (at + 1) & mask();
    entries_[at] = {key, merge};
  }

  Merge find(std::uint32_t left, std::uint32_t right) const {
    const std::uint64_t key = key_of(left, right);
    std::size_t at = mix(key) >> shift_;
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
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};  // ids are below 2^24: no pair is this

  static std::uint64_t key_of(std::uint32_t left, std::uint32_t right) {
    return std::uint64_t{left} << 32 | right;
  }
  std::size_t mask() const { return entries_.size() - 1; }

  std::vector<Entry> entries_;
  unsigned shift_;
};

}  // namespace wordsplit
