// A bounded cache of encoded spans, in three tiers by what an entry holds.
//
//   tier     entry      spans          ids
//   small    16 bytes   1-7 bytes      1-2
//   middle   32 bytes   8-15 bytes     1-3
//   large    16 bytes   1-128 bytes    the others; the entry points into a ring of bytes
//
// A small or middle key is the span itself with its length; in the ring stand the span's bytes and
// its ids, and the bytes are compared: so a hit is certain, and never a hash alone. Entries stand
// in sets of one cache line; a new one goes to the front of its set and pushes the last one out.
// The ring is written round and round, and an entry whose place has been written over since is
// known by its position. So memory is fixed when the cache is made, nothing is allocated or freed
// later, and a look-up touches one line (and for the large tier the place in the ring).
#pragma once

#include <cstdint>
#include <cstring>

#include "wordsplit/hash.hpp"
#include "wordsplit/memory.hpp"

namespace wordsplit {

class SpanCache {
 public:
  static constexpr std::size_t kLongest = 128;
  static constexpr std::size_t kBlock =
      256;  // spans looked up at once: what is kept of them stays in L1

  // Takes at most `bytes` of memory, and none at all below 4 KB.
  explicit SpanCache(std::size_t bytes) {
    if (bytes < 4096) return;
    // Shares that natural text of many languages fills about evenly.
    small_.reset(bytes / 16 * 2);
    middle_.reset(bytes / 16 * 4);
    large_.reset(bytes / 16 * 2);
    ring_.reset(bytes / 16 * 8);
  }

  std::size_t bytes() const {
    return small_.bytes() + middle_.bytes() + large_.bytes() + ring_.size;
  }
  bool enabled() const { return small_.bytes() > 0; }
  std::size_t entries() const { return small_.used() + middle_.used() + large_.used(); }

  void clear() {
    small_.clear();
    middle_.clear();
    large_.clear();
    ring_.head = 0;
  }

  // What is held of one span.
  struct Found {
    std::uint32_t ids[3];
    std::uint32_t count;  // 0: not held, or held in the ring
  };

  // Looks a block of consecutive spans up: found[i] is of the span that ends at ends[i], the first
  // of which begins at `start`. Spans of more than 15 bytes, and those of more than 3 ids, are not
  // looked for: find_large is for them. text[0, n) may be read.
  //
  // Short and longer spans are sorted apart first, so that the loops that do the work have no
  // branch that goes by the span: in text one span in six is longer, at random, and a branch
  // guessed wrong costs more than the look-up does.
  void find_block(const std::uint8_t* text, std::size_t n, std::size_t start,
                  const std::uint32_t* ends, std::size_t count, Found* found) const {
    std::uint32_t begins[kBlock];
    std::uint16_t smalls[kBlock + 1], middles[kBlock + 1];
    std::uint64_t hashes[kBlock];
    std::uint64_t keys[kBlock][2];
    std::size_t small_count = 0, middle_count = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t size = ends[i] - start;
      begins[i] = static_cast<std::uint32_t>(start);
      start = ends[i];
      found[i].count = 0;
      smalls[small_count] = middles[middle_count] = static_cast<std::uint16_t>(i);
      small_count += size <= 7;
      middle_count += size > 7 && size <= 15;
    }
    for (std::size_t k = 0; k < small_count; ++k) {
      const std::size_t i = smalls[k];
      keys[i][0] = small_key(text + begins[i], ends[i] - begins[i], n - begins[i]);
      hashes[i] = mix(keys[i][0]);
      __builtin_prefetch(small_.set(hashes[i]));
    }
    for (std::size_t k = 0; k < middle_count; ++k) {
      const std::size_t i = middles[k];
      middle_key(text + begins[i], ends[i] - begins[i], keys[i]);
      hashes[i] = middle_hash(keys[i]);
      __builtin_prefetch(middle_.set(hashes[i]));
    }
    for (std::size_t k = 0; k < small_count; ++k) {
      const std::size_t i = smalls[k];
      const Small* set = small_.set(hashes[i]);
      const std::uint64_t key = keys[i][0];
      const unsigned match = static_cast<unsigned>(set[0].key == key) |
                             static_cast<unsigned>(set[1].key == key) << 1 |
                             static_cast<unsigned>(set[2].key == key) << 2 |
                             static_cast<unsigned>(set[3].key == key) << 3;
      const Small& entry = set[match ? __builtin_ctz(match) : 0];
      std::memcpy(found[i].ids, entry.ids, 8);
      found[i].count = match ? 1 + (entry.ids[1] != kNone) : 0;
    }
    for (std::size_t k = 0; k < middle_count; ++k) {
      const std::size_t i = middles[k];
      const Middle* set = middle_.set(hashes[i]);
      const bool first = (set[0].words[0] == keys[i][0]) & (set[0].words[1] == keys[i][1]);
      const bool second = (set[1].words[0] == keys[i][0]) & (set[1].words[1] == keys[i][1]);
      std::memcpy(&found[i], set[second].ids, 16);
      found[i].count = first | second ? found[i].count : 0;
    }
  }

  // The ids of a span of kLongest bytes at most that is held in the ring, written to `out`; how
  // many, or 0.
  std::size_t find_large(const std::uint8_t* span, std::size_t n, std::uint32_t* out) const {
    const std::uint64_t hash = hash_bytes(span, n);
    const Large* set = large_.set(hash);
    for (std::size_t i = 0; i < Array<Large>::kWays; ++i) {
      const Large& entry = set[i];
      if (entry.tag != tag_of(hash) || entry.length != n || !ring_.holds(entry.position)) continue;
      const std::uint8_t* held = ring_.at(entry.position);
      if (std::memcmp(held, span, n) != 0) continue;
      std::memcpy(out, held + n, 4 * std::size_t{entry.count});
      return entry.count;
    }
    return 0;
  }

  // Takes in a span of kLongest bytes at most.
  void insert(const std::uint8_t* span, std::size_t n, const std::uint32_t* ids,
              std::size_t count) {
    if (n <= 7 && count <= 2) {
      const std::uint64_t key = small_key(span, n, n);
      small_.push({key, {ids[0], count == 2 ? ids[1] : kNone}}, mix(key));
    } else if (n > 7 && n <= 15 && count <= 3) {
      Middle entry{};
      middle_key(span, n, entry.words);
      entry.count = static_cast<std::uint32_t>(count);
      std::memcpy(entry.ids, ids, 4 * count);
      middle_.push(entry, middle_hash(entry.words));
    } else {
      std::uint64_t position;
      std::uint8_t* place = ring_.take(n + 4 * count, position);
      if (!place) return;
      std::memcpy(place, span, n);
      std::memcpy(place + n, ids, 4 * count);
      const std::uint64_t hash = hash_bytes(span, n);
      large_.push({position, tag_of(hash), static_cast<std::uint16_t>(n),
                   static_cast<std::uint16_t>(count)},
                  hash);
    }
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // A span of 7 bytes at most with its length above it. `readable` bytes may be read from `span`
  // on.
  static std::uint64_t small_key(const std::uint8_t* span, std::size_t n, std::size_t readable) {
    if (readable >= 8) {  // nearly always, and without a branch on n
      std::uint64_t word;
      std::memcpy(&word, span, 8);
      return (word & ~std::uint64_t{0} >> (64 - 8 * n)) | std::uint64_t{n} << 56;
    }
    return load_up_to_8(span, n) | std::uint64_t{n} << 56;
  }

  // A span of 8 to 15 bytes: its first 8, and the others with its length above them.
  static void middle_key(const std::uint8_t* span, std::size_t n, std::uint64_t* words) {
    std::uint64_t last;
    std::memcpy(&words[0], span, 8);
    std::memcpy(&last, span + n - 8, 8);
    words[1] = (last >> 8 >> (8 * (15 - n))) | std::uint64_t{n} << 56;
  }

  static std::uint64_t middle_hash(const std::uint64_t* words) {
    return mix(words[0] ^ mix(words[1]));
  }

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  // All zero bytes are an empty entry, so that a table needs no writing before its first use.
  struct Small {
    std::uint64_t key;  // 0: empty, since a key has its length in it
    std::uint32_t ids[2];
    bool empty() const { return key == 0; }
  };
  struct Middle {
    std::uint64_t words[2];
    std::uint32_t ids[3];
    std::uint32_t count;
    bool empty() const { return count == 0; }
  };
  struct Large {
    std::uint64_t position;
    std::uint32_t tag;
    std::uint16_t length, count;
    bool empty() const { return length == 0; }
  };
  static_assert(sizeof(Small) == 16 && sizeof(Middle) == 32 && sizeof(Large) == 16);

  template <class Entry>
  class Array {
   public:
    static constexpr std::size_t kWays = 64 / sizeof(Entry);

    void reset(std::size_t bytes) {
      sets_ = 1;
      while (2 * sets_ * 64 <= bytes) sets_ *= 2;
      data_ = ZeroedArray<Entry>(sets_ * kWays);
    }
    void clear() {
      if (sets_) std::memset(static_cast<void*>(data_.data()), 0, bytes());
    }
    std::size_t bytes() const { return sets_ * 64; }
    std::size_t used() const {
      std::size_t count = 0;
      for (std::size_t i = 0; i < sets_ * kWays; ++i) count += !data_[i].empty();
      return count;
    }
    const Entry* set(std::uint64_t hash) const {
      return data_.data() + (hash & (sets_ - 1)) * kWays;
    }
    void push(const Entry& entry, std::uint64_t hash) {
      Entry* set = data_.data() + (hash & (sets_ - 1)) * kWays;
      for (std::size_t i = kWays - 1; i > 0; --i) set[i] = set[i - 1];
      set[0] = entry;
    }

   private:
    std::size_t sets_ = 0;
    ZeroedArray<Entry> data_;
  };

  // Bytes written round and round. A position counts all bytes ever written, so that it tells
  // whether what stood there still stands.
  struct Ring {
    ZeroedArray<std::uint8_t> memory;
    std::size_t size = 0;
    std::uint64_t head = 0;

    void reset(std::size_t bytes) {
      size = 1;
      while (2 * size <= bytes) size *= 2;
      memory = ZeroedArray<std::uint8_t>(size);
    }
    std::uint8_t* at(std::uint64_t position) const {
      return memory.data() + (position & (size - 1));
    }
    bool holds(std::uint64_t position) const { return head - position <= size; }
    // Room for n bytes in one piece; null if they do not fit at all.
    std::uint8_t* take(std::size_t n, std::uint64_t& position) {
      if (n > size) return nullptr;
      const std::size_t left = size - (head & (size - 1));
      if (left < n) head += left;
      position = head;
      head += n;
      return at(position);
    }
  };

  Array<Small> small_;
  Array<Middle> middle_;
  Array<Large> large_;
  Ring ring_;
};

}  // namespace wordsplit
