// The spans that a thread asks for most, in as little memory as may be: the less it is, the more of
// it stays in the second-level cache.
//
// An entry is 16 bytes: the span's key (13 bytes of text at most) and, in the 20 bits that the key
// leaves free, the id of a span that has just one, as nine in ten have; else where its ids stand
// among the lists of such. Four entries are a cache line and a set; a new one pushes the oldest to
// another set of the group of four, or out where these are full. Of a longer span the entry has a
// hash, and its text stands with its ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "wordsplit/cache/near_keys.hpp"
#include "wordsplit/cache/hot_lookup.hpp"
#include "wordsplit/base/memory.hpp"
#include "wordsplit/base/simd_level.hpp"
#include "wordsplit/tables/span_key.hpp"

namespace wordsplit {

class NearSpans {
 public:
  // Ids of a span that has several.
  static constexpr std::size_t kMostIds = 7;
  struct List {
    std::uint32_t count;
    std::uint32_t ids[kMostIds];
  };

  // Ids and text of a longer span. The text's length is with it: an entry may come to belong to
  // another span's list, and words do not tell "aaaa" from "aaaaa".
  struct LongList {
    SpanWords text;
    std::uint16_t count, length;
    std::uint32_t ids[kMostIds];

    bool is_of(const std::uint8_t* span, std::size_t n) const {
      return n == length && SpanWords::of(span, n) == text;
    }
  };

  // What is found, until the next insert().
  using Found = NearFound::Type;
  static constexpr Found kListed = NearFound::kListed, kLong = NearFound::kLong;
  static constexpr Found kNone = NearFound::kNone;

  NearSpans() = default;
  // Takes at most `bytes` of memory, and little of it at first. Every level finds the same.
  NearSpans(std::size_t bytes, SimdLevel level) : look_up_(near_look_up_at(level)) {
    std::size_t sets = kGroup;
    while (2 * sets * kOfSet <= bytes && 2 * kWays * sets <= kLong - kListed) sets *= 2;
    most_sets_ = sets;
    while (sets > kGroup && sets > most_sets_ / kFirst) sets /= 2;
    reset(sets);
  }

  std::size_t bytes() const { return sets() * kOfSet; }
  void clear() {
    std::memset(static_cast<void*>(sets_.data()), 0, sets_.size() * sizeof(KeySet));
    lists_ever_ = 0;
    free_ = kNoList;
  }

  // Looks up all spans of a block.
  void find(const SpanBlock& block, NearKeys& keys) const {
    look_up_(sets_.data(), shift_, block, keys);
  }
  // Whether a key that was not found may stand in another set of the group, whose memory is asked
  // for then; and what is found of it there. It moves to its own set.
  bool prepare_again(const NearKeys& keys, std::size_t i) const {
    if (!sets_[keys.sets[i]].is_full()) return false;
    for (std::size_t k = 1; k < kGroup; ++k) prefetch_line(&sets_[keys.sets[i] ^ k]);
    return true;
  }
  Found find_again(const NearKeys& keys, std::size_t i) {
    for (std::size_t k = 1; k < kGroup; ++k) {
      KeySet& other = sets_[keys.sets[i] ^ k];
      const std::size_t way = other.way(keys.keys[i]);
      if (way < kWays) {
        const Found found = other.entries[way].value();
        other.entries[way] = sets_[keys.sets[i]].push(other.entries[way]);
        return found;
      }
    }
    return kNone;
  }
  const List& list(Found found) const { return lists_[found - kListed]; }
  const LongList& long_list(Found found) const { return long_lists_[found - kLong]; }

  // Takes in a span that has a key and kMostIds ids at most. Where the group is full, one in four,
  // over the oldest of its own set: were it each, spans that come in turn would push each other
  // out.
  void insert(const SpanKey& key, const std::uint8_t* span, std::size_t n, const std::uint32_t* ids,
              std::size_t count) {
    std::size_t room = room_for(key);
    if (room == kGroup && sets() < most_sets_) {
      grow();
      room = room_for(key);
    }
    if (room == kGroup) {
      if (++came_when_full_ % 4 != 0) return;
      give_back(sets_[key.hash() >> shift_].entries[kWays - 1].value());
    }
    place(key, found_for(key, span, n, ids, count), room);
  }

 private:
  static constexpr std::size_t kWays = KeySet::kWays, kGroup = 4;
  static constexpr std::size_t kOfSet = sizeof(KeySet) + kWays * sizeof(List) + sizeof(LongList);
  static constexpr std::size_t kFirst = 16;  // as large as that part of what it may be, at first

  std::size_t sets() const { return long_lists_.size(); }
  void reset(std::size_t sets) {
    shift_ = 64 - static_cast<unsigned>(__builtin_ctzll(sets));
    sets_ = ZeroedArray<KeySet>(sets + 1);  // the last one stays empty
    lists_ = ZeroedArray<List>(kWays * sets, Pages::AsUsed);
    long_lists_ = ZeroedArray<LongList>(sets, Pages::AsUsed);
  }

  // Which set of the group, from the key's own on, has room; kGroup if none.
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

  // Goes on with all the memory; the oldest of each set are taken over first.
  void grow() {
    NearSpans larger;
    larger.look_up_ = look_up_;
    larger.most_sets_ = most_sets_;
    larger.reset(most_sets_);
    for (std::size_t way = kWays; way-- > 0;) {
      for (const KeySet& set : sets_) {
        const KeyEntry& entry = set.entries[way];
        if (!entry.empty()) larger.take_over(*this, entry.key(), entry.value());
      }
    }
    *this = std::move(larger);
  }
  void take_over(const NearSpans& other, const SpanKey& key, Found found) {
    const std::size_t room = room_for(key);
    if (room == kGroup) return;
    if (found >= kLong) {
      const LongList& list = other.long_list(found);
      if (list.text.hash(list.length) != key.low) return;  // another span's by now
      const Found at = next_long();
      long_lists_[at] = list;
      found = kLong + at;
    } else if (found >= kListed) {
      const Found at = take();
      lists_[at] = other.list(found);
      found = kListed + at;
    }
    place(key, found, room);
  }

  // An id, or where ids are put on a list.
  Found found_for(const SpanKey& key, const std::uint8_t* span, std::size_t n,
                  const std::uint32_t* ids, std::size_t count) {
    if (key.is_hash()) {  // over the oldest: the entry that it belongs to finds another text there
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
    lists_[at].count = static_cast<std::uint32_t>(count);
    std::memcpy(lists_[at].ids, ids, 4 * count);
    return kListed + at;
  }
  Found next_long() {
    const Found at = next_long_;
    next_long_ = (next_long_ + 1) % static_cast<Found>(long_lists_.size());
    return at;
  }

  // Lists: as many as entries, so that there is always one. Those given back are a chain, by their
  // first id.
  static constexpr Found kNoList = ~Found{0};
  Found take() {
    if (free_ == kNoList) return lists_ever_++;
    const Found list = free_;
    free_ = lists_[list].ids[0];
    return list;
  }
  void give_back(Found found) {
    if (found < kListed || found >= kLong) return;  // has none
    lists_[found - kListed].ids[0] = free_;
    free_ = found - kListed;
  }

  unsigned shift_ = 62;  // a set goes by the high bits of the hash
  std::size_t most_sets_ = kGroup;
  ZeroedArray<KeySet> sets_;
  ZeroedArray<List> lists_;
  ZeroedArray<LongList> long_lists_;
  Found lists_ever_ = 0, free_ = kNoList, next_long_ = 0;
  std::uint32_t came_when_full_ = 0;
  NearLookUp look_up_ = nullptr;
};

}  // namespace wordsplit
