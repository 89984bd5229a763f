// Counts spans: the first phase of training.
//
// Two hash tables with linear probing. A span of up to 15 bytes, as nearly all are, is stored in
// its entry, so that counting it takes one memory access; the bytes of longer ones are in an arena.
// Spans are counted in groups, whose entries are prefetched first. O(bytes) for any input; the
// memory depends on the distinct spans only: see memory().
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/hash.hpp"
#include "wordsplit/base/memory.hpp"

namespace wordsplit::training {

// A span of 1 to 15 bytes in two words: its bytes, zeros, and its length in the last byte. Equal
// keys are equal spans, and no key has a `high` of 0.
struct CountKey {
  static constexpr std::size_t kLongest = 15;
  std::uint64_t low, high;

  bool operator==(const CountKey& other) const {
    return ((low ^ other.low) | (high ^ other.high)) == 0;
  }
  // The high bits are well mixed.
  std::uint64_t hash() const { return low * 0x9E3779B97F4A7C15ULL + high * 0xD6E8FEB86659FD93ULL; }
  std::size_t size() const { return high >> 56; }

  // Masks for the bytes of a span among 16 that are read.
  struct Mask {
    std::uint64_t low, high;
  };
  static constexpr std::array<Mask, kLongest + 1> kMasks = [] {
    std::array<Mask, kLongest + 1> out{};
    for (std::uint64_t n = 0; n <= kLongest; ++n) {
      out[n].low = n >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * n) - 1;
      out[n].high = n > 8 ? (std::uint64_t{1} << 8 * (n - 8)) - 1 : 0;
    }
    return out;
  }();
  // Reads 16 bytes whatever the length.
  static CountKey of_16_readable(const std::uint8_t* span, std::size_t n) {
    CountKey key;
    std::memcpy(&key, span, 16);
    const Mask& mask = kMasks[n];
    return {key.low & mask.low, (key.high & mask.high) | std::uint64_t{n} << 56};
  }
  static CountKey of(const std::uint8_t* span, std::size_t n) {
    std::uint8_t readable[16] = {};
    std::memcpy(readable, span, n);
    return of_16_readable(readable, n);
  }
};

class SpanCounts {
 public:
  // Counts the spans of text[0, n) that end at ends[0, count), the first from `start` on.
  void add_spans(const std::uint8_t* text, std::size_t n, std::size_t start,
                 const std::uint32_t* ends, std::size_t count) {
    constexpr std::size_t kRun = 64;
    for (std::size_t first = 0; first < count; first += kRun) {
      const std::size_t size = std::min(kRun, count - first);
      make_room(size);
      CountKey keys[kRun];
      Short* places[kRun];
      std::size_t shorts = 0;
      Short* const table = short_.data();  // here and not in the object, which stores might change
      const unsigned shift = short_shift_;
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t end = ends[first + i];
        const std::size_t length = end - start;
        const std::uint8_t* span = text + start;
        if (length <= CountKey::kLongest) [[likely]] {
          const CountKey key =
              start + 16 <= n ? CountKey::of_16_readable(span, length) : CountKey::of(span, length);
          keys[shorts] = key;
          places[shorts] = table + (key.hash() >> shift);
          prefetch_line(places[shorts]);
          ++shorts;
        } else {
          add_long(span, length, 1);
        }
        start = end;
      }
      for (std::size_t i = 0; i < shorts; ++i) {
        if (places[i]->key == keys[i]) [[likely]] {
          ++places[i]->count;
        } else {
          ++find_short(keys[i], static_cast<std::size_t>(places[i] - table));
        }
      }
    }
  }

  // Counts one span `times` more. Precondition: n > 0.
  void add(const std::uint8_t* span, std::size_t n, std::uint64_t times) {
    make_room(1);
    if (n > CountKey::kLongest) return add_long(span, n, times);
    const CountKey key = CountKey::of(span, n);
    find_short(key, key.hash() >> short_shift_) += times;
  }

  // Calls visit(span, count) for every span, in unspecified order. The views are of the tables.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Short& entry : short_) {
      if (entry.key.high) visit(entry.span(), entry.count);
    }
    for (const Long& entry : long_) {
      if (entry.bytes) visit(entry.span(), entry.count);
    }
  }

  // The number of distinct spans.
  std::size_t size() const { return shorts_ + longs_; }
  // Bytes in use.
  std::size_t memory() const {
    return short_.size() * sizeof(Short) + long_.size() * sizeof(Long) + arena_bytes_;
  }
  void clear() { *this = SpanCounts(); }

 private:
  struct Short {
    CountKey key;
    std::uint64_t count;

    std::string_view span() const { return {reinterpret_cast<const char*>(&key), key.size()}; }
  };
  struct Long {
    std::uint64_t hash;
    const std::uint8_t* bytes;  // null: free
    std::uint64_t size, count;

    std::string_view span() const {
      return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
    }
  };
  static constexpr std::size_t kFewest = std::size_t{1} << 12;  // entries of a new table
  static constexpr std::size_t kBlock = std::size_t{1} << 18;   // of the arena

  // Makes room for `more` spans in both tables, so that none moves while they are added.
  void make_room(std::size_t more) {
    if ((shorts_ + more) * 3 > short_.size() * 2) grow_short();
    if ((longs_ + more) * 3 > long_.size() * 2) grow_long();
  }
  void grow_short() {
    ZeroedArray<Short> before = std::move(short_);
    short_ = ZeroedArray<Short>(std::max(kFewest, 2 * before.size()));
    short_mask_ = short_.size() - 1;
    short_shift_ = 64 - static_cast<unsigned>(std::countr_zero(short_.size()));
    for (const Short& entry : before) {
      if (!entry.key.high) continue;
      std::size_t at = entry.key.hash() >> short_shift_;
      while (short_[at].key.high) at = (at + 1) & short_mask_;
      short_[at] = entry;
    }
  }
  void grow_long() {
    ZeroedArray<Long> before = std::move(long_);
    long_ = ZeroedArray<Long>(std::max(kFewest, 2 * before.size()));
    for (const Long& entry : before) {
      if (!entry.bytes) continue;
      std::size_t at = entry.hash & (long_.size() - 1);
      while (long_[at].bytes) at = (at + 1) & (long_.size() - 1);
      long_[at] = entry;
    }
  }

  // The count of a key, searched from the index of its hash on.
  std::uint64_t& find_short(const CountKey& key, std::size_t at) {
    while (!(short_[at].key == key)) {
      if (!short_[at].key.high) {
        short_[at].key = key;
        ++shorts_;
        break;
      }
      at = (at + 1) & short_mask_;
    }
    return short_[at].count;
  }
  void add_long(const std::uint8_t* span, std::size_t n, std::uint64_t times) {
    const std::uint64_t hash = hash_bytes(span, n);
    std::size_t at = hash & (long_.size() - 1);
    for (; long_[at].bytes; at = (at + 1) & (long_.size() - 1)) {
      Long& entry = long_[at];
      if (entry.hash == hash && entry.size == n && std::memcmp(entry.bytes, span, n) == 0) {
        entry.count += times;
        return;
      }
    }
    long_[at] = {hash, keep(span, n), n, times};
    ++longs_;
  }
  const std::uint8_t* keep(const std::uint8_t* span, std::size_t n) {
    if (n > room_) {
      room_ = std::max(n, kBlock);
      arena_.push_back(std::unique_ptr<std::uint8_t[]>(new std::uint8_t[room_]));
      arena_bytes_ += room_;
      next_ = arena_.back().get();
    }
    std::uint8_t* kept = next_;
    std::memcpy(kept, span, n);
    next_ += n, room_ -= n;
    return kept;
  }

  ZeroedArray<Short> short_;
  ZeroedArray<Long> long_;
  std::size_t short_mask_ = 0, shorts_ = 0, longs_ = 0;
  unsigned short_shift_ = 0;
  std::vector<std::unique_ptr<std::uint8_t[]>> arena_;
  std::uint8_t* next_ = nullptr;
  std::size_t room_ = 0, arena_bytes_ = 0;
};

}  // namespace wordsplit::training
