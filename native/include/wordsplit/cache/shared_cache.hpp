// Shared cache: the encoded spans that all threads of an engine share, bounded in bytes.
//
//   table    entry       spans                                where a span may be
//   short    32 bytes    1 to 13 bytes, 1 to 3 ids            a set of four entries, or its pair
//   medium   64 bytes    up to 32 bytes, 56 with the ids      one of two places
//   large    256 bytes   up to 248 bytes with the ids         one of four places
//
// A span whose ids do not fit its table's entry is stored there without them, and with them in the
// next table. So a span that is not in its own table is in none.
//
// An entry holds the span's bytes and its ids. The bytes are compared, so a hit is certain. All
// words of an entry are atomic, and the first holds a version that changes with every write (a
// sequence lock): a reader that meets a write treats the entry as a miss, and a writer skips an
// entry that another thread is writing. No thread waits. Memory is fixed when the tables are made.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/hash.hpp"
#include "wordsplit/cache/span_table.hpp"
#include "wordsplit/tables/span_key.hpp"

namespace wordsplit {

// Spans that do not fit two words: an entry holds the span's bytes and behind them its ids.
//
// A span may be in any of kPlaces places, usually the first, and never behind an empty one. So look
// many spans up in their first places, then those not found in their second, and prefetch all of
// them before each pass.
template <std::size_t kWords, std::size_t kOfPlaces>
class LongSpanTable : public SpanTable<kWords, 1> {
  using Table = SpanTable<kWords, 1>;
  using Entry = typename Table::Item;

 public:
  static constexpr std::size_t kPlaces = kOfPlaces;
  // Results of find(): the span is neither in this place nor in a later one; or it is here, but its
  // ids did not fit.
  static constexpr std::size_t kNowhere = ~std::size_t{0}, kElsewhere = kNowhere - 1;

  static std::uint64_t hash_of(const SpanKey& key, const std::uint8_t* span, std::size_t n) {
    return key.is_hash() ? key.low : hash_bytes(span, n);
  }

  void prefetch(std::size_t place, std::uint64_t hash) const {
    prefetch_line(Table::set(hash_at(place, hash)));
  }

  // Writes the ids, and up to one word behind them, and returns their number; 0 if the span is not
  // in this place but may be in a later one.
  std::size_t find(std::size_t place, const std::uint8_t* span, std::size_t n, std::uint64_t hash,
                   std::uint32_t* ids) const {
    const Entry& entry = *Table::set(hash_at(place, hash));
    const std::uint64_t version = entry.peek(0);
    const auto head = static_cast<std::uint32_t>(version);
    if (head == 0) return kNowhere;
    const std::size_t count = head & 0xFF, words = words_of(n);
    if (head != head_of(hash, n, count) || !holds(entry, span, n)) {
      return place + 1 < kPlaces ? 0 : kNowhere;
    }
    if (!fits(n, count)) return entry.is_still(version) ? kElsewhere : kNowhere;
    for (std::size_t i = 0; i < count; i += 2) {  // two ids a word
      const std::uint64_t two = entry.peek(1 + words + i / 2);
      std::memcpy(ids + i, &two, 8);
    }
    return entry.is_still(version) ? count : kNowhere;
  }

  static bool fits(std::size_t n, std::size_t count) {
    return words_of(n) + (count + 1) / 2 <= Table::kPayload;
  }

  // Inserts a span, with its ids if they fit. Precondition: its bytes fit.
  void insert(const std::uint8_t* span, std::size_t n, std::uint64_t hash, const std::uint32_t* ids,
              std::size_t count) {
    std::uint32_t held[256];
    for (std::size_t place = 0; place < kPlaces; ++place) {
      const std::size_t found = find(place, span, n, hash, held);
      if (found == kNowhere) break;
      if (found) return;  // inserted by another thread
    }
    std::uint64_t words[kWords] = {head_of(hash, n, count)};
    std::memcpy(words + 1, span, n);
    if (fits(n, count)) std::memcpy(words + 1 + words_of(n), ids, 4 * count);
    const auto write = [&] {
      for (std::size_t place = 0; place < kPlaces; ++place) {
        if (Table::write_empty(hash_at(place, hash), words)) return true;
      }
      return false;
    };
    const auto hash_at_place = [](const std::uint64_t* words, std::size_t place) {
      const auto* span = reinterpret_cast<const std::uint8_t*>(words + 1);
      const std::size_t n = words[0] >> 8 & 0xFF;
      return hash_at(place, hash_of(SpanKey::of(span, n), span, n));
    };
    if (!write() && !(Table::grow(kPlaces, hash_at_place) && write())) {
      Table::write_over(hash, words);
    }
  }

 private:
  static std::uint32_t head_of(std::uint64_t hash, std::size_t n, std::size_t count) {
    return static_cast<std::uint32_t>((hash & 0xFFFF) << 16 | n << 8 | count);
  }
  static std::uint64_t hash_at(std::size_t place, std::uint64_t hash) {
    for (; place > 0; --place) hash = mix(hash);
    return hash;
  }
  static constexpr std::size_t words_of(std::size_t n) { return (n + 7) / 8; }

  static bool holds(const Entry& entry, const std::uint8_t* span, std::size_t n) {
    std::uint64_t differ = 0;
    std::size_t word = 1;
    for (; n > 8; n -= 8, span += 8) {
      std::uint64_t bytes;
      std::memcpy(&bytes, span, 8);
      differ |= bytes ^ entry.peek(word++);
    }
    return (differ | (load_up_to_8(span, n) ^ entry.peek(word))) == 0;
  }
};

class SharedCache {
 public:
  static constexpr std::size_t kLongest = 128;

  // Uses at most `bytes` of memory; disabled below 4 KB.
  explicit SharedCache(std::size_t bytes) {
    if (bytes < 4096) return;
    short_.reset(bytes / 4);
    medium_.reset(bytes / 2);
    large_.reset(bytes / 8);
  }

  bool enabled() const { return short_.most_bytes() > 0; }
  // Bytes in use, and the most that may be.
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

  // Short spans. An entry whose span has more than three ids holds their number only; the ids are
  // in medium(). A set is two cache lines and is filled from the front, so that the second is
  // seldom read, and the paired set only when the first is full.
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

  // Longer spans, up to kLongest bytes, and short ones with more ids: in medium() up to kMediumSpan
  // bytes, else, or if the ids do not fit there, in large().
  static constexpr std::size_t kMediumSpan = 32;
  using Medium = LongSpanTable<8, 2>;
  using Large = LongSpanTable<32, 4>;
  const Medium& medium() const { return medium_; }
  const Large& large() const { return large_; }
  void insert(const std::uint8_t* span, std::size_t n, std::uint64_t hash, const std::uint32_t* ids,
              std::size_t count) {
    if (n <= kMediumSpan) medium_.insert(span, n, hash, ids, count);
    if (n <= kMediumSpan && Medium::fits(n, count)) return;
    if (Large::fits(n, count)) large_.insert(span, n, hash, ids, count);
  }

 private:
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

  SpanTable<4, 4> short_;
  Medium medium_;
  Large large_;
};

}  // namespace wordsplit
