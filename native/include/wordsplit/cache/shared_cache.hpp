// Shared cache: the encoded spans that all threads of an engine share, bounded in bytes.
//
// Spans and ids are in a log (span_log.hpp), which is written from its beginning and so touches no
// more memory than it needs; an index (slot_table.hpp) says where each is. The bytes of a span are
// compared, so a hit is certain. No thread waits for another: while one takes memory or grows the
// index, the others do not store new entries.
#pragma once

#include <atomic>
#include <cstdint>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/hash.hpp"
#include "wordsplit/cache/slot_table.hpp"
#include "wordsplit/cache/span_log.hpp"
#include "wordsplit/tables/span_key.hpp"

namespace wordsplit {

class SharedCache {
 public:
  static constexpr std::size_t kLongest = SpanLog::kMostBytes;

  // Uses at most `bytes` of memory; disabled below 4 KB. An entry takes 24 to 56 bytes in the log
  // and eight in the index, in which the sets are two thirds full before one has no room.
  explicit SharedCache(std::size_t bytes) : limit_(bytes) {
    if (bytes < 4096) return;
    slots_.reset(bytes / 8);
    log_.reset(bytes / 2 + bytes / 8);
  }

  bool enabled() const { return slots_.most_bytes() > 0; }
  // The bytes it was given, those in use, and the most that may be.
  std::size_t limit() const { return limit_; }
  std::size_t bytes() const { return enabled() ? slots_.bytes() + log_.bytes() : 0; }
  std::size_t most_bytes() const { return slots_.most_bytes() + log_.most_bytes(); }
  std::size_t entries() const { return enabled() ? slots_.used() : 0; }
  // Whether more than one thread has ever been given a Writer.
  bool has_several_writers() const { return writers_.load(std::memory_order_relaxed) > 1; }
  void clear() {
    if (enabled()) slots_.clear();
  }

  static std::uint64_t hash_of(const SpanKey& key, const std::uint8_t* span, std::size_t n) {
    if (key.is_short()) return key.hash();
    return key.is_hash() ? key.low : hash_bytes(span, n);
  }

  // Look-ups take three steps, between which many spans take the one before, so that their memory
  // accesses overlap: prefetch(); candidates(), which prefetches again; find() if there are any.
  void prefetch(std::uint64_t hash) const { fetch_line(slots_.set(hash)); }
  std::uint8_t candidates(std::uint64_t hash) const {
    const SlotTable::Slot* const set = slots_.set(hash);
    const std::uint8_t found = SlotTable::candidates(set, hash);
    if (found) {
      log_.prefetch(
          SlotTable::place_of(set[lowest_bit(unsigned{found})].load(std::memory_order_relaxed)));
    }
    return found;
  }
  // Writes the ids, and returns their number; 0 if the span is not there.
  std::size_t find(unsigned candidates, std::uint64_t hash, const std::uint8_t* span, std::size_t n,
                   std::uint32_t* ids) const {
    const SlotTable::Slot* const set = slots_.set(hash);
    for (; candidates; candidates &= candidates - 1) {
      const SlotTable::Slot& held = set[lowest_bit(candidates)];
      const std::uint64_t slot = held.load(std::memory_order_acquire);
      if (slot == 0) continue;
      const std::size_t place = SlotTable::place_of(slot);
      const std::uint32_t version = log_.version_at(place);
      if (held.load(std::memory_order_acquire) != slot) continue;
      const std::size_t count = log_.read(place, span, n, ids);
      if (count && log_.version_at(place) == version) return count;
    }
    return 0;
  }

  // The means of a thread to insert. The cache must outlive it.
  class Writer {
   public:
    explicit Writer(SharedCache& cache) : cache_(cache) { ++cache.writers_; }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { cache_.log_.close(chunk_); }

    // Inserts a span that was not found. Precondition: n is at most kLongest.
    void insert(std::uint64_t hash, const std::uint8_t* span, std::size_t n,
                const std::uint32_t* ids, std::size_t count) {
      cache_.insert(chunk_, hash, span, n, ids, count);
    }

   private:
    SharedCache& cache_;
    SpanLog::Chunk chunk_;
  };

 private:
  void insert(SpanLog::Chunk& chunk, std::uint64_t hash, const std::uint8_t* span, std::size_t n,
              const std::uint32_t* ids, std::size_t count) {
    if (count > SpanLog::kMostIds) return;
    std::uint32_t held[SpanLog::kMostIds];
    const unsigned same = SlotTable::candidates(slots_.set(hash), hash);
    if (same && find(same, hash, span, n, held)) return;  // inserted by another thread
    if (!SpanLog::has_room(chunk, n, count) && !open(chunk)) return;
    const std::uint64_t slot = SlotTable::slot_for(hash, log_.append(chunk, span, n, ids, count));
    if (!slots_.add(slot) && !(grow() && slots_.add(slot))) slots_.write_over(slot);
  }

  // Takes a new chunk of the log; false if another thread is changing the cache.
  bool open(SpanLog::Chunk& chunk) {
    log_.close(chunk);
    return alone([&] {
      return log_.open(chunk, [&](std::size_t place, const std::uint8_t* span, std::size_t n) {
        slots_.remove(SlotTable::slot_for(hash_of(SpanKey::of(span, n), span, n), place));
      });
    });
  }
  bool grow() {
    return slots_.is_crowded() && alone([&] { return slots_.grow(), true; });
  }
  template <class Change>
  bool alone(Change&& change) {
    if (changing_.test_and_set(std::memory_order_acquire)) return false;
    const bool done = change();
    changing_.clear(std::memory_order_release);
    return done;
  }

  std::size_t limit_;
  SlotTable slots_;
  SpanLog log_;
  std::atomic_flag changing_;
  std::atomic<std::size_t> writers_{0};
};

}  // namespace wordsplit
