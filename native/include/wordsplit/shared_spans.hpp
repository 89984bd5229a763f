// Encoded spans, bounded in bytes, shared by all threads of an engine: what one has found, no other
// need find again.
//
//   table    entry       spans                      where it may stand
//   short    32 bytes    1-13 bytes, 1-3 ids        in a set of four entries, or the one beside
//   medium   64 bytes    to 32 bytes, 56 with ids   in one of two places
//   large    256 bytes   to 248 bytes with ids      in one of four places
//
// An entry holds the span's bytes and its ids, and the bytes are compared: a hit is certain, never
// a hash alone. All its words are atomic, and the first has a version that changes with every write
// (a sequence lock): who reads an entry while it is written sees that, and takes it for a miss; who
// writes one that another is writing lets it be. Nobody waits. Memory is fixed when the tables are
// made.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "wordsplit/hash.hpp"
#include "wordsplit/memory.hpp"
#include "wordsplit/span_key.hpp"

namespace wordsplit {

class SharedSpans {
 public:
  static constexpr std::size_t kLongest = 128;

  // Takes at most `bytes` of memory, and none at all below 4 KB.
  explicit SharedSpans(std::size_t bytes) {
    if (bytes < 4096) return;
    short_.reset(bytes / 2);
    medium_.reset(bytes / 4);
    large_.reset(bytes / 4);
  }

  bool enabled() const { return short_.bytes() > 0; }
  std::size_t bytes() const { return short_.bytes() + medium_.bytes() + large_.bytes(); }
  std::size_t entries() const { return short_.used() + medium_.used() + large_.used(); }
  void clear() {
    short_.clear();
    medium_.clear();
    large_.clear();
  }

  // Short spans.

  // A span that has more ids stands here, too, with their number and only the first of them: what
  // is not found here is nowhere. A set is two cache lines. It is filled from the front, so that
  // the second is seldom needed, and the set beside it only when it is full.
  void prefetch(const SpanKey& key) const { prefetch_line(short_.set(key.hash())); }
  bool find(const SpanKey& key, ShortIds& out) const {
    const std::uint64_t hash = key.hash();
    const Entry<4>* set = short_.set(hash);
    if (find_in_line(set, key, out)) return true;
    if (set[1].empty()) return false;
    if (find_in_line(set + 2, key, out)) return true;
    if (set[3].empty()) return false;
    const Entry<4>* beside = short_.set(short_.beside(hash));
    return find_in_line(beside, key, out) || find_in_line(beside + 2, key, out);
  }
  void insert(const SpanKey& key, const ShortIds& found) {
    ShortIds held;
    if (find(key, held)) return;
    const std::uint64_t words[4] = {found.count << 24 | found.ids[2], key.low, key.high,
                                    std::uint64_t{found.ids[1]} << 32 | found.ids[0]};
    const std::uint64_t hash = key.hash();
    if (!short_.write_empty(hash, words) && !short_.write_empty(short_.beside(hash), words)) {
      short_.write_over(hash, words);
    }
  }

  // Spans of kLongest bytes at most that are longer, or have more ids. `hash` is hash_bytes of
  // them. One may stand in any of kPlaces places, most of them in the first: so look for many spans
  // in the first place, then for those not found in the second, and each time prefetch them all
  // before.

  static constexpr std::size_t kMediumPlaces = 2, kLargePlaces = 4;
  static constexpr std::size_t kPlaces = kMediumPlaces + kLargePlaces;

  void prefetch(std::size_t place, std::size_t n, std::uint64_t hash) const {
    at_place(place, n, hash, [](const auto& entry) { prefetch_line(&entry); });
  }
  // Writes the ids, and perhaps one word more, and returns how many; 0 if it does not stand there.
  std::size_t find(std::size_t place, const std::uint8_t* span, std::size_t n, std::uint64_t hash,
                   std::uint32_t* ids) const {
    std::size_t count = 0;
    at_place(place, n, hash,
             [&](const auto& entry) { count = find_in(entry, span, n, hash, ids); });
    return count;
  }
  void insert(const std::uint8_t* span, std::size_t n, std::uint64_t hash, const std::uint32_t* ids,
              std::size_t count) {
    std::uint32_t held[kLongest + 1];
    for (std::size_t place = 0; place < kPlaces; ++place) {
      if (find(place, span, n, hash, held)) return;  // another thread was quicker
    }
    // A medium one that finds both its places taken may stand among the large.
    const std::size_t size = words_of(n) + (count + 1) / 2;
    const bool medium = n <= kMediumSpan && size <= medium_.kPayload;
    std::uint64_t words[1 + decltype(large_)::kPayload] = {head_of(hash, n, count)};
    if (size > large_.kPayload) return;
    std::memcpy(words + 1, span, n);
    std::memcpy(words + 1 + words_of(n), ids, 4 * count);
    for (std::size_t place = medium ? 0 : kMediumPlaces; place < kPlaces; ++place) {
      const std::uint64_t by = hash_at(place, hash);
      if (place < kMediumPlaces ? medium_.write_empty(by, words) : large_.write_empty(by, words)) {
        return;
      }
    }
    if (medium) {
      medium_.write_over(hash, words);
    } else {
      large_.write_over(hash, words);
    }
  }

 private:
  static constexpr std::size_t kMediumSpan = 32;

  // Words that are read and written as one. The low half of the first is the holder's (0: empty);
  // above it are the version and, as the highest bit, whether it is being written.
  template <std::size_t kWords>
  class Entry {
   public:
    std::uint64_t peek(std::size_t i) const { return words_[i].load(std::memory_order_acquire); }
    bool empty() const { return static_cast<std::uint32_t>(peek(0)) == 0; }

    // Whether what was peeked since peek(0) gave `version` is whole. A word that a later write has
    // released, once acquired, lets that write's mark be seen here.
    bool is_still(std::uint64_t version) const { return peek(0) == version && !(version & kBusy); }
    void write(const std::uint64_t* in) {
      std::uint64_t before = peek(0);
      if ((before & kBusy) || !words_[0].compare_exchange_strong(before, before | kBusy)) return;
      for (std::size_t i = 1; i < kWords; ++i) words_[i].store(in[i], std::memory_order_release);
      const std::uint64_t version = ((before >> 32) + 1) & 0x7FFFFFFF;
      words_[0].store(version << 32 | (in[0] & 0xFFFFFFFF), std::memory_order_release);
    }

   private:
    static constexpr std::uint64_t kBusy = std::uint64_t{1} << 63;
    std::atomic<std::uint64_t> words_[kWords];
  };

  // Sets of kWays entries.
  template <std::size_t kWords, std::size_t kWays>
  class Table {
   public:
    using Item = Entry<kWords>;
    static_assert(sizeof(Item) == 8 * kWords);
    static constexpr std::size_t kPayload = kWords - 1;

    void reset(std::size_t bytes) {
      sets_ = 2;
      shift_ = 63;
      for (; 2 * sets_ * kWays * sizeof(Item) <= bytes; --shift_) sets_ *= 2;
      items_ = ZeroedArray<Item>(sets_ * kWays);
    }
    std::size_t bytes() const { return sets_ * kWays * sizeof(Item); }
    std::size_t used() const {
      std::size_t count = 0;
      for (std::size_t i = 0; i < sets_ * kWays; ++i) count += !items_[i].empty();
      return count;
    }
    void clear() {
      for (std::size_t i = 0; i < sets_ * kWays; ++i) {
        constexpr std::uint64_t kEmpty[kWords] = {};
        if (!items_[i].empty()) items_[i].write(kEmpty);
      }
    }
    // The hash of the other set of a pair.
    std::uint64_t beside(std::uint64_t hash) const { return hash ^ std::uint64_t{1} << shift_; }
    const Item* set(std::uint64_t hash) const { return &items_[(hash >> shift_) * kWays]; }

    // To the first empty place of the set, if there is one.
    bool write_empty(std::uint64_t hash, const std::uint64_t* words) {
      Item* items = &items_[(hash >> shift_) * kWays];
      for (Item* item = items; item < items + kWays; ++item) {
        if (item->empty()) return item->write(words), true;
      }
      return false;
    }
    // Over one of the set, as the hash names it.
    void write_over(std::uint64_t hash, const std::uint64_t* words) {
      items_[(hash >> shift_) * kWays + hash % kWays].write(words);
    }

   private:
    std::size_t sets_ = 0;
    unsigned shift_ = 63;  // a set goes by the high bits of the hash
    ZeroedArray<Item> items_;
  };

  static bool find_in_line(const Entry<4>* line, const SpanKey& key, ShortIds& out) {
    const Entry<4>& entry = line[!(SpanKey{line[0].peek(1), line[0].peek(2)} == key)];
    const std::uint64_t version = entry.peek(0), two = entry.peek(3);
    const bool same = SpanKey{entry.peek(1), entry.peek(2)} == key;
    const auto head = static_cast<std::uint32_t>(version);
    out = {
        head >> 24,
        {static_cast<std::uint32_t>(two), static_cast<std::uint32_t>(two >> 32), head & 0xFFFFFF}};
    return same && entry.is_still(version);
  }

  static std::uint32_t head_of(std::uint64_t hash, std::size_t n, std::size_t count) {
    return static_cast<std::uint32_t>((hash & 0xFFFF) << 16 | n << 8 | count);
  }

  static std::uint64_t hash_at(std::size_t place, std::uint64_t hash) {
    std::size_t times = place < kMediumPlaces ? place : place - kMediumPlaces;
    for (; times > 0; --times) hash = mix(hash);
    return hash;
  }

  template <class Use>
  void at_place(std::size_t place, std::size_t n, std::uint64_t hash, Use&& use) const {
    if (n > kMediumSpan) place += kMediumPlaces;
    if (place >= kPlaces) return;
    const std::uint64_t by = hash_at(place, hash);
    if (place < kMediumPlaces) {
      use(*medium_.set(by));
    } else {
      use(*large_.set(by));
    }
  }

  template <std::size_t kWords>
  static std::size_t find_in(const Entry<kWords>& entry, const std::uint8_t* span, std::size_t n,
                             std::uint64_t hash, std::uint32_t* ids) {
    const std::uint64_t version = entry.peek(0);
    const auto head = static_cast<std::uint32_t>(version);
    const std::size_t count = head & 0xFF;
    if (head != head_of(hash, n, count) || !holds(entry, span, n)) return 0;
    for (std::size_t i = 0; i < count; i += 2) {  // two ids a word
      const std::uint64_t two = entry.peek(1 + words_of(n) + i / 2);
      std::memcpy(ids + i, &two, 8);
    }
    return entry.is_still(version) ? count : 0;
  }

  template <std::size_t kWords>
  static bool holds(const Entry<kWords>& entry, const std::uint8_t* span, std::size_t n) {
    std::uint64_t differ = 0;
    std::size_t word = 1;
    for (; n > 8; n -= 8, span += 8) {
      std::uint64_t bytes;
      std::memcpy(&bytes, span, 8);
      differ |= bytes ^ entry.peek(word++);
    }
    return (differ | (load_up_to_8(span, n) ^ entry.peek(word))) == 0;
  }

  static constexpr std::size_t words_of(std::size_t n) { return (n + 7) / 8; }

  Table<4, 4> short_;
  Table<8, 1> medium_;
  Table<32, 1> large_;
};

}  // namespace wordsplit
