// Encoded spans, bounded in bytes, shared by all threads of an engine: what one has found, no other
// need find again.
//
//   table    entry       spans                     entries a set
//   short    32 bytes    1-15 bytes, 1-3 ids       4
//   medium   64 bytes    to 32 bytes and 8 ids     2
//   large    256 bytes   bytes + 3 x ids <= 248    2
//
// Medium and large entries have a second set to be in where their own is full.
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

  // A set is two cache lines. It is filled from the front, so that the second is seldom needed.
  void prefetch(const SpanKey& key) const { __builtin_prefetch(short_.set(key.hash())); }
  bool find(const SpanKey& key, ShortIds& out) const {
    const Entry<4>* set = short_.set(key.hash());
    return find_in_line(set, key, out) || (!set[1].empty() && find_in_line(set + 2, key, out));
  }
  void insert(const SpanKey& key, const ShortIds& found) {
    ShortIds held;
    if (find(key, held)) return;
    const std::uint64_t words[4] = {found.count << 24 | found.ids[2], key.low, key.high,
                                    std::uint64_t{found.ids[1]} << 32 | found.ids[0]};
    if (!short_.write_empty(key.hash(), words)) short_.write_over(key.hash(), words);
  }

  // Spans of kLongest bytes at most that are longer, or have more ids. `hash` is hash_bytes of
  // them.

  void prefetch(std::size_t n, std::uint64_t hash) const {
    if (n <= kMediumSpan) {
      for (std::size_t way = 0; way < 2; ++way) __builtin_prefetch(medium_.set(hash) + way);
    } else {
      for (std::size_t way = 0; way < 2; ++way) __builtin_prefetch(large_.set(hash) + way);
    }
  }
  // Writes the ids and returns how many; 0 if it is not held.
  std::size_t find(const std::uint8_t* span, std::size_t n, std::uint64_t hash,
                   std::uint32_t* ids) const {
    const std::size_t count = n <= kMediumSpan ? find_in(medium_, span, n, hash, ids) : 0;
    return count ? count : find_in(large_, span, n, hash, ids);
  }
  void insert(const std::uint8_t* span, std::size_t n, std::uint64_t hash, const std::uint32_t* ids,
              std::size_t count) {
    if (n <= kMediumSpan && n + 3 * count <= medium_.kPayload) {
      insert_in(medium_, span, n, hash, ids, count);
    } else if (n + 3 * count <= large_.kPayload) {
      insert_in(large_, span, n, hash, ids, count);
    }
  }

 private:
  static constexpr std::size_t kMediumSpan = 32;

  // Words that are read and written as one. The low half of the first is the holder's (0: empty);
  // above it are the version and, as the highest bit, whether it is being written.
  template <std::size_t kWords>
  class Entry {
   public:
    std::uint64_t peek(std::size_t i) const { return words_[i].load(std::memory_order_relaxed); }
    bool empty() const { return static_cast<std::uint32_t>(peek(0)) == 0; }

    bool read(std::uint64_t (&out)[kWords]) const {
      out[0] = words_[0].load(std::memory_order_acquire);
      for (std::size_t i = 1; i < kWords; ++i) out[i] = peek(i);
      std::atomic_thread_fence(std::memory_order_acquire);
      return peek(0) == out[0] && !(out[0] & kBusy);
    }
    void write(const std::uint64_t (&in)[kWords]) {
      std::uint64_t before = peek(0);
      if ((before & kBusy) ||
          !words_[0].compare_exchange_strong(before, before | kBusy, std::memory_order_acquire)) {
        return;
      }
      std::atomic_thread_fence(std::memory_order_release);
      for (std::size_t i = 1; i < kWords; ++i) words_[i].store(in[i], std::memory_order_relaxed);
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
    static constexpr std::size_t kPayload = 8 * (kWords - 1);

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
        if (!items_[i].empty()) items_[i].write({});
      }
    }
    const Item* set(std::uint64_t hash) const { return &items_[(hash >> shift_) * kWays]; }

    // To the first empty place of the set, if there is one.
    bool write_empty(std::uint64_t hash, const std::uint64_t (&words)[kWords]) {
      Item* items = &items_[(hash >> shift_) * kWays];
      for (Item* item = items; item < items + kWays; ++item) {
        if (item->empty()) return item->write(words), true;
      }
      return false;
    }
    // Over one of the set, as the hash names it.
    void write_over(std::uint64_t hash, const std::uint64_t (&words)[kWords]) {
      items_[(hash >> shift_) * kWays + hash % kWays].write(words);
    }

   private:
    std::size_t sets_ = 0;
    unsigned shift_ = 63;  // a set goes by the high bits of the hash
    ZeroedArray<Item> items_;
  };

  static bool find_in_line(const Entry<4>* line, const SpanKey& key, ShortIds& out) {
    const Entry<4>& entry = line[!(SpanKey{line[0].peek(1), line[0].peek(2)} == key)];
    std::uint64_t words[4];
    if (!(SpanKey{entry.peek(1), entry.peek(2)} == key) || !entry.read(words)) return false;
    const auto head = static_cast<std::uint32_t>(words[0]);
    out = {{static_cast<std::uint32_t>(words[3]), static_cast<std::uint32_t>(words[3] >> 32),
            head & 0xFFFFFF},
           head >> 24};
    return SpanKey{words[1], words[2]} == key && out.count != 0;
  }

  static std::uint32_t head_of(std::uint64_t hash, std::size_t n, std::size_t count) {
    return static_cast<std::uint32_t>((hash & 0xFFFF) << 16 | n << 8 | count);
  }

  // A span that found no place in its own set is in a second one.
  template <std::size_t kWords, std::size_t kWays>
  static std::size_t find_in(const Table<kWords, kWays>& table, const std::uint8_t* span,
                             std::size_t n, std::uint64_t hash, std::uint32_t* ids) {
    const std::size_t count = find_in_set<kWords, kWays>(table.set(hash), span, n, hash, ids);
    return count ? count : find_in_set<kWords, kWays>(table.set(mix(hash)), span, n, hash, ids);
  }

  template <std::size_t kWords, std::size_t kWays>
  static std::size_t find_in_set(const Entry<kWords>* set, const std::uint8_t* span, std::size_t n,
                                 std::uint64_t hash, std::uint32_t* ids) {
    for (std::size_t way = 0; way < kWays; ++way) {
      std::uint64_t words[kWords];
      if ((set[way].peek(0) & 0xFFFFFF00) != head_of(hash, n, 0) || !set[way].read(words)) continue;
      const std::size_t count = words[0] & 0xFF;
      const auto* payload = reinterpret_cast<const std::uint8_t*>(words + 1);
      if (head_of(hash, n, count) != static_cast<std::uint32_t>(words[0]) ||
          std::memcmp(payload, span, n) != 0) {
        continue;
      }
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t* id = payload + n + 3 * i;
        ids[i] = id[0] | id[1] << 8 | id[2] << 16;
      }
      return count;
    }
    return 0;
  }

  template <std::size_t kWords, std::size_t kWays>
  static void insert_in(Table<kWords, kWays>& table, const std::uint8_t* span, std::size_t n,
                        std::uint64_t hash, const std::uint32_t* ids, std::size_t count) {
    std::uint32_t held[kLongest];
    if (find_in(table, span, n, hash, held)) return;  // another thread was quicker
    std::uint64_t words[kWords] = {head_of(hash, n, count)};
    auto* payload = reinterpret_cast<std::uint8_t*>(words + 1);
    std::memcpy(payload, span, n);
    for (std::size_t i = 0; i < count; ++i) {
      for (unsigned byte = 0; byte < 3; ++byte) {
        payload[n + 3 * i + byte] = static_cast<std::uint8_t>(ids[i] >> 8 * byte);
      }
    }
    if (!table.write_empty(hash, words) && !table.write_empty(mix(hash), words)) {
      table.write_over(hash, words);
    }
  }

  Table<4, 4> short_;
  Table<8, 2> medium_;
  Table<32, 2> large_;
};

}  // namespace wordsplit
