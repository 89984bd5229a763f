// Encoded spans, bounded in bytes, shared by all threads of an engine: what one has found, no other
// need find again.
//
//   table    entry       spans                      where it may stand
//   short    32 bytes    1-13 bytes, 1-3 ids        in a set of four entries, or the one beside
//   medium   64 bytes    to 32 bytes, 56 with ids   in one of two places
//   large    256 bytes   to 248 bytes with ids      in one of four places
//
// A span whose ids do not fit stands in its table all the same, without them, and with them in the
// next: what is not found in its own table is nowhere.
//
// An entry holds the span's bytes and its ids, and the bytes are compared: a hit is certain, never
// a hash alone. All its words are atomic, and the first has a version that changes with every write
// (a sequence lock): who reads an entry while it is written sees that, and takes it for a miss; who
// writes one that another is writing lets it be. Nobody waits. Memory is fixed when the tables are
// made.
#pragma once

#include <atomic>
#include <cstdint>

#include "wordsplit/cache/longer_spans.hpp"
#include "wordsplit/cache/span_table.hpp"
#include "wordsplit/tables/span_key.hpp"

namespace wordsplit {

class SharedSpans {
 public:
  static constexpr std::size_t kLongest = 128;

  // Takes at most `bytes` of memory, and none at all below 4 KB.
  explicit SharedSpans(std::size_t bytes) {
    if (bytes < 4096) return;
    short_.reset(bytes / 4);
    medium_.reset(bytes / 2);
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

  // One that has more ids has their number and the first of them here. A set is two cache lines. It
  // is filled from the front, so that the second is seldom needed, and the set beside it only when
  // it is full.
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

  // Spans of kLongest bytes at most that are longer, or have more ids: to kMediumSpan bytes in
  // medium(), else in large(), as those that have no room in medium().

  static constexpr std::size_t kMediumSpan = 32;
  using Medium = LongerSpans<8, 2>;
  using Large = LongerSpans<32, 4>;
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
