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
#include "wordsplit/span_key.hpp"
#include "wordsplit/span_table.hpp"

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

  bool enabled() const { return short_.most_bytes() > 0; }
  // What is in use, and what may be.
  std::size_t bytes() const {
    return enabled() ? short_.bytes() + medium_.bytes() + large_.bytes() : 0;
  }
  std::size_t most_bytes() const {
    return short_.most_bytes() + medium_.most_bytes() + large_.most_bytes();
  }
  std::size_t entries() const {
    return enabled() ? short_.used() + medium_.used() + large_.used() : 0;
  }
  void clear() {
    if (!enabled()) return;
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
    const SpanEntry<4>* set = short_.set(hash);
    if (find_in_line(set, key, out)) return true;
    if (set[1].empty()) return false;
    if (find_in_line(set + 2, key, out)) return true;
    if (set[3].empty()) return false;
    const SpanEntry<4>* beside = short_.set(short_.beside(hash));
    return find_in_line(beside, key, out) || find_in_line(beside + 2, key, out);
  }
  void insert(const SpanKey& key, const ShortIds& found) {
    ShortIds held;
    if (find(key, held)) return;
    const std::uint64_t words[4] = {found.count << 24 | found.ids[2], key.low, key.high,
                                    std::uint64_t{found.ids[1]} << 32 | found.ids[0]};
    const std::uint64_t hash = key.hash();
    const auto write = [&] {
      return short_.write_empty(hash, words) || short_.write_empty(short_.beside(hash), words);
    };
    const auto hash_at = [&](const std::uint64_t* held, std::size_t place) {
      const std::uint64_t own = SpanKey{held[1], held[2]}.hash();
      return place ? short_.beside(own) : own;
    };
    if (!write() && !(short_.grow(2, hash_at) && write())) short_.write_over(hash, words);
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
    const auto write = [&] {
      for (std::size_t place = medium ? 0 : kMediumPlaces; place < kPlaces; ++place) {
        const std::uint64_t by = hash_at(place, hash);
        if (place < kMediumPlaces ? medium_.write_empty(by, words)
                                  : large_.write_empty(by, words)) {
          return true;
        }
      }
      return false;
    };
    const auto grow = [&] {
      return medium ? grow_longer(medium_, 0, kMediumPlaces)
                    : grow_longer(large_, kMediumPlaces, kLargePlaces);
    };
    if (write() || (grow() && write())) return;
    if (medium) {
      medium_.write_over(hash, words);
    } else {
      large_.write_over(hash, words);
    }
  }

  // Of a span that is not short, or has more ids.
  static std::uint64_t hash_of(const SpanKey& key, const std::uint8_t* span, std::size_t n) {
    return key.is_hash() ? key.low : hash_bytes(span, n);
  }

 private:
  static constexpr std::size_t kMediumSpan = 32;

  static bool find_in_line(const SpanEntry<4>* line, const SpanKey& key, ShortIds& out) {
    const SpanEntry<4>& entry = line[!(SpanKey{line[0].peek(1), line[0].peek(2)} == key)];
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

  template <class Table>
  static bool grow_longer(Table& table, std::size_t first, std::size_t places) {
    return table.grow(places, [&](const std::uint64_t* held, std::size_t place) {
      const auto* span = reinterpret_cast<const std::uint8_t*>(held + 1);
      const std::size_t n = held[0] >> 8 & 0xFF;
      return hash_at(first + place, hash_of(SpanKey::of(span, n), span, n));
    });
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
  static std::size_t find_in(const SpanEntry<kWords>& entry, const std::uint8_t* span,
                             std::size_t n, std::uint64_t hash, std::uint32_t* ids) {
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
  static bool holds(const SpanEntry<kWords>& entry, const std::uint8_t* span, std::size_t n) {
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

  SpanTable<4, 4> short_;
  SpanTable<8, 1> medium_;
  SpanTable<32, 1> large_;
};

}  // namespace wordsplit
