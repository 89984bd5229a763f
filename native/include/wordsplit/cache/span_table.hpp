// A lock-free hash table of encoded spans: sets of entries of fixed size, in address space that is
// reserved as a whole and put to use as the table fills.
//
// It grows in place. The index of a set is some bits of the hash, one more with each doubling: the
// entries whose new bit is set move, the others stay. A reader that uses the old index meanwhile
// finds an entry that has not moved yet, or none.
//
// The first touch of memory costs 0.1 to 3 ms a megabyte, as much as hundreds of spans, so that a
// short text should not touch what it leaves empty.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "wordsplit/base/memory.hpp"

namespace wordsplit {

// An entry under a sequence lock. The low half of its first word is the owner's (0: empty); the
// high half is the version, whose highest bit says that a write is in progress.
template <std::size_t kWords>
class SpanEntry {
 public:
  std::uint64_t peek(std::size_t i) const { return words_[i].load(std::memory_order_acquire); }
  bool empty() const { return static_cast<std::uint32_t>(peek(0)) == 0; }

  // Whether the words peeked since peek(0) returned `version` belong to one write. If one of them
  // comes from a later write, acquiring it makes that write's mark visible here.
  bool is_still(std::uint64_t version) const { return peek(0) == version && !(version & kBusy); }
  void write(const std::uint64_t* in) {
    std::uint64_t before = peek(0);
    if ((before & kBusy) || !words_[0].compare_exchange_strong(before, before | kBusy)) return;
    for (std::size_t i = 1; i < kWords; ++i) words_[i].store(in[i], std::memory_order_release);
    const std::uint64_t version = ((before >> 32) + 1) & 0x7FFFFFFF;
    words_[0].store(version << 32 | (in[0] & 0xFFFFFFFF), std::memory_order_release);
  }
  // Returns false if the entry is empty or being written.
  bool read(std::uint64_t* out) const {
    for (std::size_t i = 0; i < kWords; ++i) out[i] = peek(i);
    return static_cast<std::uint32_t>(out[0]) != 0 && is_still(out[0]);
  }

 private:
  static constexpr std::uint64_t kBusy = std::uint64_t{1} << 63;
  std::atomic<std::uint64_t> words_[kWords];
};

// Sets of kWays entries.
template <std::size_t kWords, std::size_t kWays>
class SpanTable {
 public:
  using Item = SpanEntry<kWords>;
  static_assert(sizeof(Item) == 8 * kWords);
  static constexpr std::size_t kPayload = kWords - 1;

  // Reserves at most `bytes`. Must be called once, before any other function.
  void reset(std::size_t bytes) {
    std::size_t most = 2;
    shift_ = 63;
    for (; 2 * most * kSet <= bytes; --shift_) most *= 2;
    items_ = ZeroedArray<Item>(most * kWays, Pages::AsUsed);
    const std::size_t sets = std::min(most, kFirst / kSet);
    last_ = sets - 1;
    items_.use(sets * kWays);
  }

  // Bytes in use, and the most that may be.
  std::size_t bytes() const { return sets() * kSet; }
  std::size_t most_bytes() const { return items_.size() * sizeof(Item); }
  std::size_t used() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < sets() * kWays; ++i) count += !items_[i].empty();
    return count;
  }
  void clear() {
    for (std::size_t i = 0; i < sets() * kWays; ++i) {
      if (!items_[i].empty()) items_[i].write(kEmpty);
    }
  }

  // A hash of the paired set.
  std::uint64_t beside(std::uint64_t hash) const { return hash ^ std::uint64_t{1} << shift_; }
  const Item* set(std::uint64_t hash) const { return &items_[set_of(hash) * kWays]; }

  // Writes to the first empty entry of the set; false if there is none.
  bool write_empty(std::uint64_t hash, const std::uint64_t* words) {
    Item* items = &items_[set_of(hash) * kWays];
    for (Item* item = items; item < items + kWays; ++item) {
      if (item->empty()) return item->write(words), true;
    }
    return false;
  }
  // Overwrites one entry of the set, chosen by the hash.
  void write_over(std::uint64_t hash, const std::uint64_t* words) {
    items_[set_of(hash) * kWays + hash % kWays].write(words);
  }

  // Must be called when an entry has found no empty place. Grows the table if that has happened
  // often, and returns false if it has not or another thread is growing it. `hash_at(words, i)`,
  // for i < places, are the hashes by which an entry may have been placed.
  template <class HashAt>
  bool grow(std::size_t places, HashAt&& hash_at) {
    const std::size_t before = sets(), most = items_.size() / kWays;
    if (before == most || refused_.fetch_add(1, std::memory_order_relaxed) < before * kWays / 32)
      return false;
    if (growing_.test_and_set()) return false;
    if (before == sets()) {
      refused_.store(0, std::memory_order_relaxed);
      const std::size_t sets = std::min(most, before * (before * kSet < kLarge ? 4 : 2));
      items_.use(sets * kWays);
      last_.store(sets - 1, std::memory_order_release);
      for (std::size_t i = 0; i < before * kWays; ++i) {
        move(items_[i], i / kWays, before - 1, places, hash_at);
      }
    }
    growing_.clear();
    return true;
  }

 private:
  static constexpr std::size_t kSet = kWays * sizeof(Item);
  // Bytes. A first use makes few entries, and to clear 128 KB for each table takes as long as all
  // else of a new engine: one with a text of 2 KB takes 0.25 ms instead of 0.4.
  static constexpr std::size_t kFirst = 32 << 10, kLarge = 2 << 20;
  static constexpr std::uint64_t kEmpty[kWords] = {};

  std::size_t sets() const { return last_.load(std::memory_order_acquire) + 1; }
  // The high bits of the hash, which are the well mixed ones.
  std::size_t set_of(std::uint64_t hash) const {
    return (hash >> shift_) & last_.load(std::memory_order_relaxed);
  }

  // Moves an entry of set `from`, its index under the old mask, to the set it belongs to now.
  template <class HashAt>
  void move(Item& item, std::size_t from, std::size_t mask, std::size_t places, HashAt&& hash_at) {
    std::uint64_t words[kWords];
    if (!item.read(words)) return;
    for (std::size_t place = 0; place < places; ++place) {
      const std::uint64_t hash = hash_at(words, place);
      const std::size_t to = set_of(hash);
      if ((to & mask) != from) continue;
      if (to == from) return;
      (void)write_empty(hash, words);
      item.write(kEmpty);
      return;
    }
  }

  unsigned shift_ = 63;
  std::atomic<std::size_t> last_{0};     // the number of sets less one
  std::atomic<std::size_t> refused_{0};  // entries that found no place since the last growth
  std::atomic_flag growing_;
  ZeroedArray<Item> items_;
};

}  // namespace wordsplit
