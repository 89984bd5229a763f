// The span cache of one thread: its hot cache (hot_cache.hpp) before the shared cache
// (shared_cache.hpp).
//
// Spans are looked up in blocks, and each step is done for all spans that need it, so that their
// cache misses overlap. Nearly all are found in the hot cache, in a handful of instructions each
// and without a branch that depends on the span. The others are listed, their lines of the shared
// cache prefetched, and looked up in a second pass.
//
// While only one thread has used the caches, a span is in the shared cache only if the hot cache
// had no room for it or does not take spans of its kind: writing it twice, and reading that memory,
// takes 5 to 14 % of a pass over text never seen before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/growing.hpp"
#include "wordsplit/cache/hot_cache.hpp"
#include "wordsplit/cache/shared_cache.hpp"

namespace wordsplit {

class SpanCache {
 public:
  static constexpr std::size_t kLongest = SharedCache::kLongest;
  static constexpr std::size_t kBlock = SpanBlock::kMost;

  // The hot cache uses at most half of what `shared` was given, which must outlive this.
  SpanCache(SharedCache& shared, SimdLevel level) : shared_(shared), writer_(shared) {
    if (shared.enabled()) hot_ = HotCache(shared.limit() / 2, level);
  }

  // Of the hot cache.
  std::size_t bytes() const { return hot_.bytes(); }
  std::size_t entries() const { return hot_.entries(); }
  bool enabled() const { return hot_.enabled(); }
  void clear() {
    if (enabled()) hot_.clear();
  }

  // The results for a block. found[i] is the only id of the span, if below kListed; or kListed plus
  // the index of its list in the hot cache; or kKept plus the offset in `more` of the number of its
  // ids, which the ids follow; or kNothing. `rare` lists the spans whose result is not an id,
  // `missed` those still to be found, both ascending.
  struct Spans : BlockKeys {
    static constexpr HotCache::Found kListed = HotCache::kListed, kKept = HotCache::kNone;
    static constexpr HotCache::Found kNothing = ~HotCache::Found{};

    std::size_t missed_count;
    std::uint16_t missed[kBlock + 1];
    const HotCache::List* lists = nullptr;
    Output more;

    void keep(std::size_t i, const std::uint32_t* ids, std::size_t count) {
      std::uint32_t* to = more.reserve(1 + count);
      found[i] = kKept + static_cast<HotCache::Found>(more.size());
      *to = static_cast<std::uint32_t>(count);
      std::memcpy(to + 1, ids, 4 * count);
      more.advance_to(to + 1 + count);
    }
    bool is_known(std::size_t i) const { return found[i] != kNothing; }
    // The number of ids of a known span.
    std::size_t count_of(std::size_t i) const {
      std::size_t count = 1;
      if (found[i] >= kListed) (void)ids_of(i, count);
      return count;
    }
    // The ids of a known span of `rare`; their number goes to `count`. Eight may be read.
    const std::uint32_t* ids_of(std::size_t i, std::size_t& count) const {
      const std::uint32_t* const ids =
          found[i] < kKept ? &lists[found[i] - kListed].count : more.data() + (found[i] - kKept);
      count = *ids;
      return ids + 1;
    }
  };

  // Ends the use of all results, whose lists may change from now on. Must be called before each
  // block, but not before one of parts, since the results of the block they are of are still read.
  void begin_block() { hot_.free_lists(); }

  // Looks all spans of the block up in the hot cache.
  void find_hot(const SpanBlock& block, Spans& spans) {
    hot_.find(block, spans);
    spans.lists = &hot_.list(Spans::kListed);
    // Branch-free: which of the rare spans are listed and which are missed is unpredictable.
    std::size_t missed = 0;
    for (std::size_t k = 0; k < spans.rare_count; ++k) {
      const std::size_t i = spans.rare[k];
      const HotCache::Found found = spans.found[i];
      const bool is_listed = found < HotCache::kLong;
      prefetch_line(spans.lists + (is_listed ? found - Spans::kListed : 0));
      spans.missed[missed] = static_cast<std::uint16_t>(i);
      missed += !is_listed;
    }
    spans.missed_count = missed;
    if (spans.missed_count) find_late(block, spans);
  }

  // Looks the missed spans up in the shared cache.
  void find_shared(const SpanBlock& block, Spans& spans) {
    std::uint64_t hashes[kBlock];
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const std::size_t i = spans.missed[k];
      hashes[k] = SharedCache::hash_of(spans.keys[i], block.text + block.begin(i), block.size(i));
      shared_.prefetch(hashes[k]);
    }
    std::uint8_t candidates[kBlock];
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      candidates[k] = shared_.candidates(hashes[k]);
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const std::size_t i = spans.missed[k], size = block.size(i);
      const std::uint8_t* const span = block.text + block.begin(i);
      std::uint32_t ids[kLongest];
      const std::size_t count = shared_.find(candidates[k], hashes[k], span, size, ids);
      if (count) {
        spans.keep(i, ids, count);
        (void)insert_hot(spans.keys[i], span, size, ids, count);
      } else {
        spans.missed[kept++] = static_cast<std::uint16_t>(i);
      }
    }
    spans.missed_count = kept;
  }

  // Inserts a span with a short key and one id into the hot cache only.
  void insert_hot(const SpanKey& key, std::uint32_t id) {
    (void)hot_.insert(key, nullptr, 0, &id, 1);
  }
  // Inserts a span into the hot cache, and into the shared one if another thread may look for it
  // there, or if the hot cache had no room. Precondition: n <= kLongest; `key` is the span's.
  void insert(const SpanKey& key, const std::uint8_t* span, std::size_t n, const std::uint32_t* ids,
              std::size_t count) {
    if (insert_hot(key, span, n, ids, count) && !shared_.has_several_writers()) return;
    insert_shared(key, span, n, ids, count);
  }
  // The same into the shared cache only.
  void insert_shared(const SpanKey& key, const std::uint8_t* span, std::size_t n,
                     const std::uint32_t* ids, std::size_t count) {
    writer_.insert(SharedCache::hash_of(key, span, n), span, n, ids, count);
  }

 private:
  // Whether the hot cache had room.
  bool insert_hot(const SpanKey& key, const std::uint8_t* span, std::size_t n,
                  const std::uint32_t* ids, std::size_t count) {
    return (key.is_short() || key.is_hash()) && count <= HotCache::kMostIds &&
           hot_.insert(key, span, n, ids, count);
  }

  // Removes from the list of missed spans those that the hot cache holds in another set of the
  // group or as longer spans, whose text must be compared, and those longer than kLongest.
  void find_late(const SpanBlock& block, Spans& spans) {
    std::uint16_t again[kBlock];
    std::size_t again_count = 0, kept = 0;
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const std::size_t i = spans.missed[k];
      if (spans.found[i] < HotCache::kNone) {
        prefetch_line(&hot_.long_list(spans.found[i]));
      } else if (hot_.prepare_again(spans, i)) {
        again[again_count++] = static_cast<std::uint16_t>(i);
      }
    }
    for (std::size_t k = 0; k < again_count; ++k) {
      spans.found[again[k]] = hot_.find_again(spans, again[k]);
    }
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const std::size_t i = spans.missed[k];
      const HotCache::Found found = spans.found[i];
      const bool is_long = found >= HotCache::kLong && found < HotCache::kNone;
      if (found >= HotCache::kListed && found < HotCache::kLong) continue;  // read where it is
      if (found < HotCache::kListed) {
        spans.keep(i, &found, 1);
      } else if (is_long &&
                 hot_.long_list(found).is_of(block.text + block.begin(i), block.size(i))) {
        const HotCache::LongList& held = hot_.long_list(found);
        spans.keep(i, held.ids, held.count);
      } else {
        spans.found[i] = Spans::kNothing;
        spans.missed[kept] = static_cast<std::uint16_t>(i);
        kept += block.size(i) <= kLongest;
      }
    }
    spans.missed_count = kept;
  }

  SharedCache& shared_;
  SharedCache::Writer writer_;
  HotCache hot_;
};

}  // namespace wordsplit
