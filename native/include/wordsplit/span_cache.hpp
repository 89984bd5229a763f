// A bounded cache of encoded spans.
//
//   tier     entry      spans                      where
//   near     32 bytes   1-15 bytes, 1-3 ids        a copy of what is asked for most; stays in L2
//   far      32 bytes   1-15 bytes, 1-3 ids        all of them
//   large    16 bytes   the others to 128 bytes    an index of places in a ring of bytes
//
// A near or far key is the span itself with its length; in the ring stand the span's bytes and its
// ids, and the bytes are compared: so a hit is certain, and never a hash alone. Entries stand in
// sets of one cache line; a new one goes to the front of its set and pushes the last one out. The
// ring is written round and round, and an entry whose place has been written over since is known by
// its position. So memory is fixed when the cache is made, and nothing is allocated or freed later.
//
// Spans are looked up in blocks. Nearly all are found near, at a handful of instructions each and
// without a branch that goes by the span; those that are not are listed, their far lines prefetched
// together, and looked up in a second pass.
#pragma once

#include <cstdint>
#include <cstring>

#include "wordsplit/hash.hpp"
#include "wordsplit/memory.hpp"

namespace wordsplit {

// What of 16 bytes that are read belongs to a span of n, and n in the last byte. A span of 16 or
// more gets a length that none has.
struct KeyMasks {
  struct Mask {
    std::uint64_t low = 0, high = 0, length = 0;
  };
  Mask of[17];

  constexpr KeyMasks() : of() {
    for (std::uint64_t n = 0; n < 16; ++n) {
      of[n].low = n >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * n) - 1;
      of[n].high = n > 8 ? (std::uint64_t{1} << 8 * (n - 8)) - 1 : 0;
      of[n].length = n << 56;
    }
    of[16].length = std::uint64_t{0xFF} << 56;
  }
};
inline constexpr KeyMasks kKeyMasks{};

// A span of 15 bytes at most, with its length in the last byte: equal keys are equal spans.
struct SpanKey {
  static constexpr std::size_t kLongest = 15;
  std::uint64_t low, high;  // high is 0 in no key

  bool operator==(const SpanKey& other) const {
    return ((low ^ other.low) | (high ^ other.high)) == 0;  // one branch, or none
  }
  std::uint64_t hash() const {
    return low * 0x9E3779B97F4A7C15ULL + high * 0xD6E8FEB86659FD93ULL;  // its high bits are good
  }
  // Reads 16 bytes whatever the length; a longer span gets a key that equals none.
  static SpanKey of_16_readable(const std::uint8_t* span, std::size_t n) {
    const KeyMasks::Mask& mask = kKeyMasks.of[n < 16 ? n : 16];
    SpanKey key;
    std::memcpy(&key, span, 16);
    return {key.low & mask.low, (key.high & mask.high) | mask.length};
  }
  static SpanKey of(const std::uint8_t* span, std::size_t n) {
    std::uint8_t readable[16] = {};
    std::memcpy(readable, span, n);
    return of_16_readable(readable, n);
  }
};

class SpanCache {
 public:
  static constexpr std::size_t kLongest = 128;
  static constexpr std::size_t kBlock = 256;  // what is kept of a block stays in L1

  // Takes at most `bytes` of memory, and none at all below 4 KB.
  explicit SpanCache(std::size_t bytes) {
    if (bytes < 4096) return;
    near_.reset(bytes / 8);
    far_.reset(bytes / 2);
    large_.reset(bytes / 8);
    ring_.reset(bytes / 4);
  }

  std::size_t bytes() const { return near_.bytes() + far_.bytes() + large_.bytes() + ring_.size; }
  bool enabled() const { return near_.bytes() > 0; }
  std::size_t entries() const { return far_.used() + large_.used(); }

  void clear() {
    near_.clear();
    far_.clear();
    large_.clear();
    ring_.head = 0;
  }

  // What is held of one span.
  struct Found {
    std::uint32_t ids[3];
    std::uint32_t count;  // 0: not held

    // More than 3 ids are appended to `more`, and ids[0] says where they begin.
    template <class More>
    void set(const std::uint32_t* from, std::size_t n, More& more) {
      std::uint32_t* to = ids;
      if (n > 3) {
        ids[0] = static_cast<std::uint32_t>(more.size());
        to = more.reserve(n);
        more.advance_to(to + n);
      }
      std::memcpy(to, from, 4 * n);
      count = static_cast<std::uint32_t>(n);
    }
  };

  // A block of consecutive spans of text[0, n), which may be read: the first begins at `start`, and
  // span i ends at ends[i].
  struct Block {
    const std::uint8_t* text;
    std::size_t n, start;
    const std::uint32_t* ends;
    std::size_t count;

    std::size_t begin(std::size_t i) const { return i ? ends[i - 1] : start; }
    std::size_t size(std::size_t i) const { return ends[i] - begin(i); }
  };

  // The spans of a block that are not found: which, ascending, and their keys.
  struct Missed {
    std::size_t count = 0;
    std::uint16_t at[kBlock + 1];
    SpanKey keys[kBlock + 1];

    void keep(std::size_t& kept, std::size_t k) {
      at[kept] = at[k];
      keys[kept++] = keys[k];
    }
  };

  // Looks every span of the block up near, and lists those that are not there, for which
  // found[i].count is 0.
  void find_near(const Block& block, Found* found, Missed& missed) const {
    std::size_t misses = 0, begin = block.start;
    const auto find = [&](std::size_t i, const std::uint8_t* span) {
      const std::size_t end = block.ends[i];
      const SpanKey key = SpanKey::of_16_readable(span, end - begin);
      const Entry* set = near_.set(key.hash());
      const Entry* entry = set + !set[0].is(key);
      const bool hit = entry->is(key);
      std::memcpy(&found[i], entry->ids, sizeof(Found));
      found[i].count = hit ? found[i].count : 0;
      missed.at[misses] = static_cast<std::uint16_t>(i);
      missed.keys[misses] = key;
      misses += !hit;
      begin = end;
    };
    // At the text's end, keys are read from a copy of it.
    std::size_t i = 0;
    for (; i < block.count && begin + 16 <= block.n; ++i) find(i, block.text + begin);
    if (i < block.count) {
      std::uint8_t last[32] = {};
      const std::size_t from = block.n < 16 ? 0 : block.n - 16;
      std::memcpy(last, block.text + from, block.n - from);
      for (; i < block.count; ++i) find(i, last + (begin - from));
    }
    missed.count = misses;
  }

  // Looks those up that were not found near, and takes those off the list that are held, or longer
  // than kLongest: these with count 0.
  template <class More>
  void find_far(const Block& block, Found* found, Missed& missed, More& more) {
    for (std::size_t k = 0; k < missed.count; ++k) {
      __builtin_prefetch(far_.set(missed.keys[k].hash()));
      __builtin_prefetch(far_.set(missed.keys[k].hash()) + 2);
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < missed.count; ++k) {
      const SpanKey key = missed.keys[k];
      const Entry* set = far_.set(key.hash());
      const unsigned match =
          static_cast<unsigned>(set[0].is(key)) | static_cast<unsigned>(set[1].is(key)) << 1 |
          static_cast<unsigned>(set[2].is(key)) << 2 | static_cast<unsigned>(set[3].is(key)) << 3;
      if (match) {
        const Entry& entry = set[__builtin_ctz(match)];
        std::memcpy(&found[missed.at[k]], entry.ids, sizeof(Found));
        near_.push_front(entry, key.hash());
      } else {
        missed.keep(kept, k);
      }
    }
    missed.count = kept;
    if (kept) find_in_ring(block, found, missed, more);
  }

  // Takes in a span of kLongest bytes at most, unless it is held already.
  void insert(const std::uint8_t* span, std::size_t n, const std::uint32_t* ids,
              std::size_t count) {
    if (n <= SpanKey::kLongest && count <= 3) {
      const SpanKey key = SpanKey::of(span, n);
      for (const Entry *entry = far_.set(key.hash()), *end = entry + 4; entry < end; ++entry) {
        if (entry->is(key)) return;
      }
      Entry entry = {key, {0, 0, 0}, static_cast<std::uint32_t>(count)};
      std::memcpy(entry.ids, ids, 4 * count);
      near_.push_front(entry, key.hash());
      far_.push(entry, key.hash());
      return;
    }
    const std::uint64_t hash = hash_bytes(span, n);
    std::uint64_t position;
    if (find_large(span, n, hash)) return;
    if (std::uint8_t* place = ring_.take(n + 4 * count, position)) {
      std::memcpy(place, span, n);
      std::memcpy(place + n, ids, 4 * count);
      large_.push({position, tag_of(hash), static_cast<std::uint16_t>(n),
                   static_cast<std::uint16_t>(count)},
                  hash);
    }
  }

 private:
  template <class More>
  void find_in_ring(const Block& block, Found* found, Missed& missed, More& more) const {
    std::uint64_t hashes[kBlock];
    std::size_t kept = 0;
    for (std::size_t k = 0; k < missed.count; ++k) {
      const std::size_t i = missed.at[k], size = block.size(i);
      if (size > kLongest) continue;
      hashes[kept] = hash_bytes(block.text + block.begin(i), size);
      __builtin_prefetch(large_.set(hashes[kept]));
      missed.keep(kept, k);
    }
    missed.count = kept;
    kept = 0;
    for (std::size_t k = 0; k < missed.count; ++k) {
      const std::size_t i = missed.at[k], size = block.size(i);
      const Large* entry = find_large(block.text + block.begin(i), size, hashes[k]);
      if (!entry) {
        missed.keep(kept, k);
        continue;
      }
      std::uint32_t ids[kLongest];
      std::memcpy(ids, ring_.at(entry->position) + size, 4 * std::size_t{entry->count});
      found[i].set(ids, entry->count, more);
    }
    missed.count = kept;
  }

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }

  // All zero bytes are an empty entry, so that a table needs no writing before its first use.
  struct Entry {
    SpanKey key;
    std::uint32_t ids[3];
    std::uint32_t count;
    bool is(const SpanKey& other) const { return key == other; }
    bool empty() const { return count == 0; }
  };
  struct Large {
    std::uint64_t position;
    std::uint32_t tag;
    std::uint16_t length, count;
    bool empty() const { return length == 0; }
  };
  static_assert(sizeof(Entry) == 32 && sizeof(Large) == 16);
  static_assert(offsetof(Entry, count) - offsetof(Entry, ids) == offsetof(Found, count));

  // Sets of kWays items, the last of which falls out when a full one takes a new item.
  template <class Item, std::size_t kWays>
  class Array {
   public:
    static constexpr std::size_t kSetBytes = kWays * sizeof(Item);

    void reset(std::size_t bytes) {
      sets_ = 2;
      shift_ = 63;
      for (; 2 * sets_ * kSetBytes <= bytes; --shift_) sets_ *= 2;
      data_ = ZeroedArray<Item>(sets_ * kWays);
    }
    void clear() {
      if (sets_) std::memset(static_cast<void*>(data_.data()), 0, bytes());
    }
    std::size_t bytes() const { return sets_ * kSetBytes; }
    std::size_t used() const {
      std::size_t count = 0;
      for (std::size_t i = 0; i < sets_ * kWays; ++i) count += !data_[i].empty();
      return count;
    }
    const Item* set(std::uint64_t hash) const { return data_.data() + (hash >> shift_) * kWays; }
    void push_front(const Item& item, std::uint64_t hash) {
      Item* first = data_.data() + (hash >> shift_) * kWays;
      for (std::size_t i = kWays - 1; i > 0; --i) first[i] = first[i - 1];
      first[0] = item;
    }
    // To the first empty place, else to the front.
    void push(const Item& item, std::uint64_t hash) {
      Item* first = data_.data() + (hash >> shift_) * kWays;
      for (Item* place = first; place < first + kWays; ++place) {
        if (place->empty()) {
          *place = item;
          return;
        }
      }
      push_front(item, hash);
    }

   private:
    std::size_t sets_ = 0;
    unsigned shift_ = 63;  // a set goes by the high bits of the hash
    ZeroedArray<Item> data_;
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

  // The entry of a span that is held in the ring, or null.
  const Large* find_large(const std::uint8_t* span, std::size_t n, std::uint64_t hash) const {
    const Large* set = large_.set(hash);
    for (const Large* entry = set; entry < set + kLargeWays; ++entry) {
      if (entry->tag == tag_of(hash) && entry->length == n && ring_.holds(entry->position) &&
          std::memcmp(ring_.at(entry->position), span, n) == 0) {
        return entry;
      }
    }
    return nullptr;
  }

  static constexpr std::size_t kLargeWays = 4;
  Array<Entry, 2> near_;  // a set of one cache line, for a look-up without a branch
  Array<Entry, 4> far_;
  Array<Large, kLargeWays> large_;
  Ring ring_;
};

}  // namespace wordsplit
