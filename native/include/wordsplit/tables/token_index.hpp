// Tokens by their bytes: a hash table of sets of four (key_sets.hpp), at most two thirds full. An
// entry whose set is full goes to the next set that is not.
//
// The key of a token of up to 13 bytes holds its bytes, as in the span cache: a look-up reads one
// cache line and compares nothing else. The key of a longer token is a hash, and the caller
// compares the bytes.
#pragma once

#include <bit>
#include <cstdint>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/counters.hpp"
#include "wordsplit/base/hash.hpp"
#include "wordsplit/base/memory.hpp"
#include "wordsplit/tables/key_sets.hpp"

namespace wordsplit {

class TokenIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // A table for `count` tokens, numbered from 0.
  explicit TokenIndex(std::size_t count = 0) {
    std::size_t sets = 4;
    while (2 * KeySet::kWays * sets < 3 * count) sets *= 2;
    sets_ = ZeroedArray<KeySet>(sets);
    if (count > kMostInEntry) numbers_ = ZeroedArray<std::uint32_t>(KeySet::kWays * sets);
    settle();
  }

  // The key of a token of n bytes. Precondition: n > 0.
  static SpanKey key_of(const std::uint8_t* p, std::size_t n) {
    if (n <= SpanWords::kLongest) return SpanKey::of(p, n);
    return {hash_bytes(p, n), SpanKey::kTooLong | (n & 0xFFFFFFFF)};
  }

  void prefetch(const SpanKey& key) const { fetch_line(&sets_[set_of(key)]); }

  // The number of the token with this key; kNone if there is none. Precondition: key.is_short().
  std::uint32_t find(const SpanKey& key) const {
    for (std::size_t at = set_of(key);; at = after(at)) {
      const std::size_t way = sets_[at].way(key);
      if (way < KeySet::kWays) return number_at(at, way);
      if (!sets_[at].is_full()) return kNone;
    }
  }
  // The number of a longer token with this key for which is_it(number) holds; else kNone.
  template <class IsIt>
  std::uint32_t find(const SpanKey& key, IsIt&& is_it) const {
    for (std::size_t at = set_of(key);; at = after(at)) {
      for (std::size_t way = 0; way < KeySet::kWays; ++way) {
        if (!(sets_[at].entries[way].key() == key)) continue;
        if (const std::uint32_t number = number_at(at, way); is_it(number)) return number;
      }
      if (!sets_[at].is_full()) return kNone;
    }
  }

  void insert(const SpanKey& key, std::uint32_t number) {
    std::size_t at = set_of(key);
    while (sets_[at].is_full()) at = after(at);
    std::size_t way = 0;
    while (!sets_[at].entries[way].empty()) ++way;
    sets_[at].entries[way] = {key, numbers_.size() ? 0 : number};
    if (numbers_.size()) numbers_[KeySet::kWays * at + way] = number;
  }

  // Calls part(array) for each of the table's arrays, to write them to a file or to set them.
  template <class Part>
  void each_part(Part&& part) {
    part(sets_);
    part(numbers_);
  }

  // Must be called when each_part() has set the arrays. False if a look-up would not end, or could
  // find a number of `count` or more, or one whose key is not key_at(number).
  template <class KeyAt>
  bool adopt(std::size_t count, KeyAt&& key_at) {
    const std::size_t sets = sets_.size(), wide = count > kMostInEntry ? KeySet::kWays * sets : 0;
    if (sets == 0 || (sets & (sets - 1)) != 0 || numbers_.size() != wide) return false;
    if (KeySet::kWays * sets <= count) return false;
    settle();
    std::size_t used = 0, full = 0;
    for (std::size_t at = 0; at < sets; ++at) {
      full += sets_[at].is_full();
      for (std::size_t way = 0; way < KeySet::kWays; ++way) {
        if (sets_[at].entries[way].empty()) continue;
        const std::uint32_t number = number_at(at, way);
        if (number >= count || !(key_at(number) == sets_[at].entries[way].key())) return false;
        ++used;
      }
    }
    return used <= count && full < sets;  // else a look-up would not end
  }

 private:
  // With more tokens than that, numbers are in an array of their own.
  static constexpr std::size_t kMostInEntry = std::size_t{1} << KeyEntry::kValueBits;

  void settle() { shift_ = 64 - static_cast<unsigned>(std::countr_zero(sets_.size())); }
  std::size_t set_of(const SpanKey& key) const { return key.hash() >> shift_; }
  std::size_t after(std::size_t at) const { return (at + 1) & (sets_.size() - 1); }
  std::uint32_t number_at(std::size_t at, std::size_t way) const {
    return numbers_.size() ? numbers_[KeySet::kWays * at + way] : sets_[at].entries[way].value();
  }

  ZeroedArray<KeySet> sets_;
  ZeroedArray<std::uint32_t> numbers_;
  unsigned shift_ = 0;
};

}  // namespace wordsplit
