// A bounded cache of encoded spans, in three tiers by what an entry holds.
//
//   tier     entry      spans          ids
//   small    16 bytes   1-7 bytes      1-2
//   middle   32 bytes   1-15 bytes     1-3
//   large    16 bytes   1-128 bytes    any number; the entry points into a ring of bytes
//
// A small or middle key is the span itself with its length; in the ring stand the span's bytes and its ids,
// and the bytes are compared: so a hit is certain, and never a hash alone. Entries stand in sets of one cache
// line; a new one goes to the front of its set and pushes the last one out. The ring is written round and round, and an
// entry whose place has been written over since is known by its position. So memory is fixed when the cache is made,
// nothing is allocated or freed later, and a look-up touches one line, which can be prefetched (and for the large tier
// the place in the ring).
#pragma once

#include <cstdint>
#include <cstring>

#include "wordsplit/hash.hpp"
#include "wordsplit/memory.hpp"

namespace wordsplit {

// A span's bytes as a key: zero-padded, its length in the last byte.
struct SpanKey {
  std::uint64_t words[2];  // of a span of 15 bytes at most
  std::uint64_t hash;
};

class SpanCache {
 public:
  static constexpr std::size_t kLongest = 128;

  // Takes at most `bytes` of memory, and none at all below 4 KB.
  explicit SpanCache(std::size_t bytes) {
    if (bytes < 4096) return;
    // Shares that natural text of many languages fills about evenly.
    small_.reset(bytes / 16 * 4);
    middle_.reset(bytes / 16 * 5);
    large_.reset(bytes / 16 * 2);
    ring_.reset(bytes / 16 * 4);
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

  // `readable` bytes may be read from `span` on, n of which are the span.
  static SpanKey key_of(const std::uint8_t* span, std::size_t n, std::size_t readable) {
    SpanKey key;
    if (n <= 7) {
      std::uint64_t word;
      if (readable >= 8) {  // nearly always, and without a branch on n
        std::memcpy(&word, span, 8);
        word &= ~std::uint64_t{0} >> (64 - 8 * n);
      } else {
        word = load_up_to_8(span, n);
      }
      key.words[0] = word | std::uint64_t{n} << 56;
      key.words[1] = 0;
      key.hash = mix(key.words[0]);
    } else if (n <= 15) {
      std::memcpy(&key.words[0], span, 8);
      std::uint64_t last;  // the last 8 bytes, less those of the first word
      std::memcpy(&last, span + n - 8, 8);
      key.words[1] = (n == 8 ? 0 : last >> (8 * (16 - n))) | std::uint64_t{n} << 56;
      key.hash = mix(key.words[0] ^ mix(key.words[1]));
    } else {
      key.hash = n <= kLongest ? hash_bytes(span, n) : 0;
    }
    return key;
  }

  void prefetch(const SpanKey& key, std::size_t n) const {
    if (n <= 7) {
      __builtin_prefetch(small_.set(key.hash));
    } else if (n <= 15) {
      __builtin_prefetch(middle_.set(key.hash));
    } else if (n <= kLongest) {
      __builtin_prefetch(large_.set(key.hash));
    }
  }

  // Writes the ids of a held span to `out`, which has room for 3 or for n, whichever is more, and returns how
  // many; 0 if it is not held.
  std::size_t find(const SpanKey& key, const std::uint8_t* span, std::size_t n,
                   std::uint32_t* out) const {
    if (n <= 7) {
      const Small* set = small_.set(key.hash);
      for (std::size_t i = 0; i < Array<Small>::kWays; ++i) {
        if (set[i].key == key.words[0]) {
          std::memcpy(out, set[i].ids, 8);
          return set[i].ids[1] == kNone ? 1 : 2;
        }
      }
    }
    if (n <= 15) {
      const Middle* set = middle_.set(key.hash);
      for (std::size_t i = 0; i < Array<Middle>::kWays; ++i) {
        if (set[i].words[0] == key.words[0] && set[i].words[1] == key.words[1]) {
          std::memcpy(out, set[i].ids, 12);
          return set[i].count;
        }
      }
    }
    if (n <= kLongest) {
      const Large* set = large_.set(key.hash);
      for (std::size_t i = 0; i < Array<Large>::kWays; ++i) {
        const Large& entry = set[i];
        if (entry.tag != tag_of(key.hash) || entry.length != n || !ring_.holds(entry.position)) {
          continue;
        }
        const std::uint8_t* held = ring_.at(entry.position);
        if (std::memcmp(held, span, n) != 0) continue;
        std::memcpy(out, held + n, 4 * std::size_t{entry.count});
        return entry.count;
      }
    }
    return 0;
  }

  // Takes in a span of kLongest bytes at most.
  void insert(const SpanKey& key, const std::uint8_t* span, std::size_t n, const std::uint32_t* ids,
              std::size_t count) {
    if (n <= 7 && count <= 2) {
      small_.push({key.words[0], {ids[0], count == 2 ? ids[1] : kNone}}, key.hash);
    } else if (n <= 15 && count <= 3) {
      Middle entry{{key.words[0], key.words[1]}, {}, static_cast<std::uint32_t>(count)};
      std::memcpy(entry.ids, ids, 4 * count);
      middle_.push(entry, key.hash);
    } else {
      std::uint64_t position;
      std::uint8_t* place = ring_.take(n + 4 * count, position);
      if (!place) return;
      std::memcpy(place, span, n);
      std::memcpy(place + n, ids, 4 * count);
      large_.push({position, tag_of(key.hash), static_cast<std::uint16_t>(n),
                   static_cast<std::uint16_t>(count)},
                  key.hash);
    }
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

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
    const Entry* set(std::uint64_t hash) const { return data_.data() + (hash & (sets_ - 1)) * kWays; }
    void push(const Entry& entry, std::uint64_t hash) {
      Entry* set = data_.data() + (hash & (sets_ - 1)) * kWays;
      for (std::size_t i = kWays - 1; i > 0; --i) set[i] = set[i - 1];
      set[0] = entry;
    }

   private:
    std::size_t sets_ = 0;
    ZeroedArray<Entry> data_;
  };

  // Bytes written round and round. A position counts all bytes ever written, so that it tells whether what
  // stood there still stands.
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
