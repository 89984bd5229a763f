// A bounded cache of encoded spans: set-associative, in three arrays by the length of a span.
//
//   length   entry                                  ids
//   1-7      16 bytes: 8 of key, 2 ids              1-2
//   1-15     32 bytes: 16 of key, 3 ids, count      1-3
//   1-39     64 bytes: 40 of key, 5 ids, count      1-5
//
// The key is the span itself with its length, so that a hit is certain and never a hash alone. A
// set is one cache line (of two, for the largest entries); a new entry goes to its front and pushes
// the last one out. So memory is fixed when the cache is made, nothing is ever allocated or freed,
// and a look-up touches one line, which can be prefetched. Spans that fit nowhere are not held.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "wordsplit/hash.hpp"

namespace wordsplit {

// A span's bytes as a key: zero-padded, its length in the last byte.
struct SpanKey {
  std::uint64_t words[2];  // of a span of 15 bytes at most; of a longer one, a hash
  std::uint64_t hash;
};

class SpanCache {
 public:
  static constexpr std::size_t kLongest = 39;

  // Takes at most `bytes` of memory, and none at all below 4 KB.
  explicit SpanCache(std::size_t bytes) {
    if (bytes < 4096) return;
    // Half for short spans, a third of the rest for the longest: 8 : 5 : 3 of 16.
    small_.reset(bytes / 16 * 8);
    middle_.reset(bytes / 16 * 5);
    large_.reset(bytes / 16 * 3);
  }

  std::size_t bytes() const { return small_.bytes() + middle_.bytes() + large_.bytes(); }
  bool enabled() const { return small_.bytes() > 0; }

  void clear() {
    small_.clear();
    middle_.clear();
    large_.clear();
  }

  std::size_t entries() const { return small_.used() + middle_.used() + large_.used(); }

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
      key.words[1] = load_up_to_8(span + 8, n - 8) | std::uint64_t{n} << 56;
      key.hash = mix(key.words[0] ^ mix(key.words[1]));
    } else {
      key.hash = hash_bytes(span, n);
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

  // Writes the ids of a held span to `out`, which has room for 5, and returns how many; 0 if it is
  // not held.
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
        if (set[i].length == n && std::memcmp(set[i].span, span, n) == 0) {
          std::memcpy(out, set[i].ids, 20);
          return set[i].count;
        }
      }
    }
    return 0;
  }

  void insert(const SpanKey& key, const std::uint8_t* span, std::size_t n, const std::uint32_t* ids,
              std::size_t count) {
    if (n <= 7 && count <= 2) {
      small_.push({key.words[0], {ids[0], count == 2 ? ids[1] : kNone}}, key.hash);
    } else if (n <= 15 && count <= 3) {
      Middle entry{{key.words[0], key.words[1]}, {}, static_cast<std::uint32_t>(count)};
      std::memcpy(entry.ids, ids, 4 * count);
      middle_.push(entry, key.hash);
    } else if (n <= kLongest && count <= 5) {
      Large entry{};
      std::memcpy(entry.span, span, n);
      std::memcpy(entry.ids, ids, 4 * count);
      entry.length = static_cast<std::uint8_t>(n);
      entry.count = static_cast<std::uint8_t>(count);
      large_.push(entry, key.hash);
    }
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

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
    std::uint8_t span[kLongest];
    std::uint8_t length;
    std::uint32_t ids[5];
    std::uint8_t count;
    bool empty() const { return count == 0; }
  };
  static_assert(sizeof(Small) == 16 && sizeof(Middle) == 32 && sizeof(Large) == 64);

  template <class Entry>
  class Array {
   public:
    static constexpr std::size_t kWays = sizeof(Entry) == 64 ? 2 : 64 / sizeof(Entry);

    void reset(std::size_t bytes) {
      sets_ = 1;
      while (2 * sets_ * kWays * sizeof(Entry) <= bytes) sets_ *= 2;
      data_.reset(
          static_cast<Entry*>(::operator new(sets_ * kWays * sizeof(Entry), std::align_val_t{64})));
      clear();
    }
    void clear() {
      if (data_) std::memset(static_cast<void*>(data_.get()), 0, bytes());
    }
    std::size_t bytes() const { return sets_ * kWays * sizeof(Entry); }
    std::size_t used() const {
      std::size_t count = 0;
      for (std::size_t i = 0; i < sets_ * kWays; ++i) count += !data_.get()[i].empty();
      return count;
    }
    const Entry* set(std::uint64_t hash) const {
      return data_.get() + (hash & (sets_ - 1)) * kWays;
    }
    void push(const Entry& entry, std::uint64_t hash) {
      Entry* set = data_.get() + (hash & (sets_ - 1)) * kWays;
      for (std::size_t i = kWays - 1; i > 0; --i) set[i] = set[i - 1];
      set[0] = entry;
    }

   private:
    struct Free {
      void operator()(Entry* p) const { ::operator delete(p, std::align_val_t{64}); }
    };
    std::size_t sets_ = 0;
    std::unique_ptr<Entry, Free> data_;
  };

  Array<Small> small_;
  Array<Middle> middle_;
  Array<Large> large_;
};

}  // namespace wordsplit
