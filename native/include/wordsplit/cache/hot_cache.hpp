// Hot cache: the frequent spans of one thread. A look-up reads one cache line.
//
// An entry is 16 bytes: the span's key (up to 13 bytes of text) and a value in the 20 bits that the
// key leaves free. The value is the id of a span that has just one, as nine in ten have; else the
// index of its list of ids. Four entries are a set, in one cache line. A new entry moves the oldest
// of its set to another set of the group of four, or evicts it when these are full. The key of a
// longer span is a hash; the text is stored with its ids.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/memory.hpp"
#include "wordsplit/base/simd_level.hpp"
#include "wordsplit/cache/hot_lookup.hpp"
#include "wordsplit/tables/span_key.hpp"

namespace wordsplit {

class HotCache {
 public:
  // The ids of a span that has several.
  static constexpr std::size_t kMostIds = 7;
  struct List {
    std::uint32_t count;
    std::uint32_t ids[kMostIds];
  };

  // The ids and the text of a longer span. An entry's list may have been reused for another span,
  // so text and length are compared: the words alone do not tell "aaaa" from "aaaaa".
  struct LongList {
    SpanWords text;
    std::uint16_t count, length;
    std::uint32_t ids[kMostIds];

    bool is_of(const std::uint8_t* span, std::size_t n) const {
      return n == length && SpanWords::of(span, n) == text;
    }
  };

  // The result of a look-up.
  using Found = HotHit::Type;
  static constexpr Found kListed = HotHit::kListed, kLong = HotHit::kLong;
  static constexpr Found kNone = HotHit::kNone;

  HotCache() = default;
  // Uses at most `bytes` of memory: a 64th at first, then half, then all. The SIMD level changes no
  // result.
  HotCache(std::size_t bytes, SimdLevel level) : look_up_(hot_lookup_at(level)) {
    std::size_t most = kGroup;
    while (2 * most * kOfSet <= bytes && 2 * kWays * most <= kLong - kListed) most *= 2;
    sets_ = ZeroedArray<KeySet>(most + 1, Pages::AsUsed);  // the last one stays empty
    lists_ = ZeroedArray<List>(kWays * most, Pages::AsUsed);
    long_lists_ = ZeroedArray<LongList>(most, Pages::AsUsed);
    use(std::max(kGroup, most / kFirst));
  }

  std::size_t bytes() const {
    return count_ * sizeof(KeySet) + lists_ever_ * sizeof(List) + longs_ever_ * sizeof(LongList);
  }
  std::size_t entries() const {
    std::size_t entries = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      for (const KeyEntry& entry : sets_[i].entries) entries += !entry.empty();
    }
    return entries;
  }
  bool enabled() const { return count_ > 0; }
  void clear() {
    std::memset(static_cast<void*>(sets_.data()), 0, count_ * sizeof(KeySet));
    lists_ever_ = 0;
    given_back_.clear();
    usable_ = 0;
  }

  // Looks up all spans of a block.
  void find(const SpanBlock& block, BlockKeys& keys) const {
    look_up_(sets_.data(), shift_, block, keys);
  }
  // Whether a key that was not found may be in another set of its group; prefetches those sets.
  bool prepare_again(const BlockKeys& keys, std::size_t i) const {
    if (!sets_[keys.set_of(i)].is_full()) return false;
    for (std::size_t k = 1; k < kGroup; ++k) prefetch_line(&sets_[keys.set_of(i) ^ k]);
    return true;
  }
  // Looks a key up in the other sets of its group, and moves its entry to its own set, where it is
  // already if the block has the span twice.
  Found find_again(const BlockKeys& keys, std::size_t i) {
    const KeySet& own = sets_[keys.set_of(i)];
    if (const std::size_t way = own.way(keys.keys[i]); way < kWays) return own.entries[way].value();
    for (std::size_t k = 1; k < kGroup; ++k) {
      KeySet& other = sets_[keys.set_of(i) ^ k];
      const std::size_t way = other.way(keys.keys[i]);
      if (way < kWays) {
        const Found found = other.entries[way].value();
        other.entries[way] = sets_[keys.set_of(i)].push(other.entries[way]);
        return found;
      }
    }
    return kNone;
  }
  // Stays as it is until the next free_lists(), even if the entry is evicted; a long list may be
  // written over by the next insert().
  const List& list(Found found) const { return lists_[found - kListed]; }
  const LongList& long_list(Found found) const { return long_lists_[found - kLong]; }

  // Lets lists of evicted spans be used for others. Must be called before each block, but not while
  // the results of another are still to be read.
  void free_lists() { usable_ = given_back_.size(); }

  // Inserts a span. Precondition: count <= kMostIds, and the key is not that of a span too long.
  // When the group is full, only one in four insertions replaces the oldest entry of the set: if
  // each did, spans that come in turn would evict each other. Returns whether there was room for
  // all.
  bool insert(const SpanKey& key, const std::uint8_t* span, std::size_t n, const std::uint32_t* ids,
              std::size_t count) {
    std::size_t room = room_for(key);
    if (room == kGroup && count_ < most_sets() && came_when_full_ >= count_ / kFullBeforeGrowth) {
      grow();
      room = room_for(key);
    }
    if (room == kGroup) {
      if (++came_when_full_ % 4 != 0) return false;
      give_back(sets_[key.hash() >> shift_].drop_last().value());
    }
    const bool writes_over = key.is_hash() && longs_ever_ == long_lists_.size();
    const Found found = found_for(key, span, n, ids, count);
    if (found == kNone) return false;
    place(key, found, room);
    return room < kGroup && !writes_over;
  }

 private:
  static constexpr std::size_t kWays = KeySet::kWays, kGroup = 4;
  static constexpr std::size_t kOfSet = sizeof(KeySet) + kWays * sizeof(List) + sizeof(LongList);
  static constexpr std::size_t kFirst = 64;  // the divisor of the size at first
  // The cache grows when insertions have found their group full, one for so many sets. The first
  // says nothing, since keys are not spread evenly, and growing takes milliseconds.
  static constexpr std::size_t kFullBeforeGrowth = 16;

  std::size_t most_sets() const { return long_lists_.size(); }
  // Sets how many sets are in use, at the front of all.
  void use(std::size_t count) {
    count_ = count;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(count));
    came_when_full_ = 0;
  }

  // Which set of the group, counted from the key's own, has room; kGroup if none.
  std::size_t room_for(const SpanKey& key) const {
    const std::uint64_t own = key.hash() >> shift_;
    std::size_t room = 0;
    while (room < kGroup && sets_[own ^ room].is_full()) ++room;
    return room;
  }
  void place(const SpanKey& key, Found found, std::size_t room) {
    const std::uint64_t own = key.hash() >> shift_;
    const KeyEntry last = sets_[own].push({key, found});
    if (room > 0 && room < kGroup) (void)sets_[own ^ room].push(last);
  }

  // Spreads the entries over half of all sets, or over all, the oldest of each set first. Those of
  // a group go to groups that it alone fills: from the last on, no group is written before it is
  // read.
  void grow() {
    const std::size_t before = count_;
    use(2 * before < most_sets() ? most_sets() / 2 : most_sets());
    sets_.use(count_);
    for (std::size_t first = before; first > 0;) {
      first -= kGroup;
      KeySet group[kGroup];
      std::memcpy(group, &sets_[first], sizeof group);
      std::memset(static_cast<void*>(&sets_[first]), 0, sizeof group);
      for (std::size_t way = kWays; way-- > 0;) {
        for (const KeySet& set : group) {
          const KeyEntry& entry = set.entries[way];
          if (!entry.empty()) place(entry.key(), entry.value(), room_for(entry.key()));
        }
      }
    }
  }

  // The value of an entry: the id itself, or the index of the list to which the ids are written;
  // kNone if no list is free in this block.
  Found found_for(const SpanKey& key, const std::uint8_t* span, std::size_t n,
                  const std::uint32_t* ids, std::size_t count) {
    if (key.is_hash()) {  // the oldest list is reused; its entry will find another text there
      const Found at = next_long();
      LongList& list = long_lists_[at];
      list.text = SpanWords::of(span, n);
      list.count = static_cast<std::uint16_t>(count);
      list.length = static_cast<std::uint16_t>(n);
      std::memcpy(list.ids, ids, 4 * count);
      return kLong + at;
    }
    if (count == 1 && ids[0] < kListed) return ids[0];
    const Found at = take();
    if (at == kNone) return kNone;
    lists_[at].count = static_cast<std::uint32_t>(count);
    std::memcpy(lists_[at].ids, ids, 4 * count);
    return kListed + at;
  }
  Found next_long() {
    const Found at = next_long_;
    next_long_ = (next_long_ + 1) % static_cast<Found>(long_lists_.size());
    if (at == longs_ever_) take_next(longs_ever_, longs_in_use_, long_lists_);
    return at;
  }

  // Takes the next list that was never used, and gets memory for many at a time: with a page fault
  // for each page of lists, text never seen before is encoded at 0.93 of the speed.
  template <class T>
  static void take_next(Found& ever, std::size_t& in_use, ZeroedArray<T>& lists) {
    if (ever++ == in_use) in_use = lists.use_at_least(ever);
  }

  // The index of a free list; kNone if there is none.
  Found take() {
    if (usable_ == 0) {
      if (lists_ever_ == lists_.size()) return kNone;
      take_next(lists_ever_, lists_in_use_, lists_);
      return lists_ever_ - 1;
    }
    std::swap(given_back_[--usable_], given_back_.back());
    const Found list = given_back_.back();
    given_back_.pop_back();
    return list;
  }
  void give_back(Found found) {
    if (found >= kListed && found < kLong) given_back_.push_back(found - kListed);
  }

  unsigned shift_ = 62;    // the index of a set is the high bits of the hash
  std::size_t count_ = 0;  // of the sets in use
  ZeroedArray<KeySet> sets_;
  ZeroedArray<List> lists_;
  ZeroedArray<LongList> long_lists_;
  // Lists of evicted spans: the first `usable_` are free, those of the rest may still be read.
  std::vector<Found> given_back_;
  std::size_t usable_ = 0;
  Found lists_ever_ = 0, longs_ever_ = 0, next_long_ = 0;
  std::size_t lists_in_use_ = 0, longs_in_use_ = 0;
  std::uint32_t came_when_full_ = 0;
  HotLookup look_up_ = nullptr;
};

}  // namespace wordsplit
