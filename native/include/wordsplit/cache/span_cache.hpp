// What a thread knows of spans: those it asks for most are near (near_spans.hpp), the others in
// what all threads share (shared_spans.hpp).
//
// Spans are looked up in blocks, and at each step those that need it together, so that one does not
// wait for the memory that another one reads. Nearly all are found near, at a handful of
// instructions each and without a branch that goes by the span; those that are not are listed, the
// shared lines prefetched, and looked up in a second pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "wordsplit/cache/hot_cache.hpp"
#include "wordsplit/cache/shared_cache.hpp"
#include "wordsplit/base/hash.hpp"
#include "wordsplit/base/growing.hpp"

namespace wordsplit {

class SpanCache {
 public:
  static constexpr std::size_t kLongest = SharedSpans::kLongest;
  static constexpr std::size_t kList = sizeof(NearSpans::List) / sizeof(std::uint32_t);
  static constexpr std::size_t kBlock = SpanBlock::kMost;

  // Takes half of what `shared` does, at most, which must outlive it.
  SpanCache(SharedSpans& shared, SimdLevel level) : shared_(shared) {
    if (shared.enabled()) near_ = NearSpans(shared.most_bytes() / 2, level);
  }

  std::size_t bytes() const { return near_.bytes(); }
  bool enabled() const { return near_.bytes() > 0; }
  void clear() {
    if (enabled()) near_.clear();
  }

  // What is found of the spans of a block. found[i] is an id, if the span has only one and it is
  // below kSeveral; or kSeveral plus where in `more` its ids stand, their number before them; or
  // kNothing. `rare` lists all that are not ids, ascending, `missed` those that are to be merged.
  struct Spans : NearKeys {
    static constexpr NearSpans::Found kSeveral = NearSpans::kListed, kNothing = ~NearSpans::Found{};

    std::size_t missed_count;
    std::uint16_t missed[kBlock + 1];
    Output more;

    void keep(std::size_t i, const std::uint32_t* ids, std::size_t count) {
      std::uint32_t* to = more.reserve(1 + count);
      found[i] = kSeveral + static_cast<NearSpans::Found>(more.size());
      *to = static_cast<std::uint32_t>(count);
      std::memcpy(to + 1, ids, 4 * count);
      more.advance_to(to + 1 + count);
    }
    void keep_near(std::size_t i, const std::uint32_t (&ids)[NearSpans::kMostIds],
                   std::size_t count) {
      std::uint32_t* to = more.reserve(kList);
      found[i] = kSeveral + static_cast<NearSpans::Found>(more.size());
      *to = static_cast<std::uint32_t>(count);
      std::memcpy(to + 1, ids, sizeof ids);
      more.advance_to(to + 1 + count);
    }
    bool is_known(std::size_t i) const { return found[i] != kNothing; }
    // The ids of a span of `rare` that is known; how many they are.
    const std::uint32_t* ids_of(std::size_t i, std::size_t& count) const {
      const std::uint32_t* ids = more.data() + (found[i] - kSeveral);
      count = *ids;
      return ids + 1;
    }
  };

  // Looks every span of the block up among those that are near.
  void find_near(const SpanBlock& block, Spans& spans) {
    near_.find(block, spans);
    // Without a branch: which of the rare are listed and which are missed is anyone's guess.
    std::uint32_t* const lists = spans.more.reserve(kList * (spans.rare_count + 1));
    std::size_t missed = 0, listed = 0;
    for (std::size_t k = 0; k < spans.rare_count; ++k) {
      const std::size_t i = spans.rare[k];
      const NearSpans::Found found = spans.found[i];
      const bool is_listed = found < NearSpans::kLong;
      const NearSpans::List& list = near_.list(is_listed ? found : NearSpans::kListed);
      std::memcpy(lists + kList * listed, &list, sizeof list);
      const auto at = Spans::kSeveral + static_cast<NearSpans::Found>(kList * listed);
      spans.found[i] = is_listed ? at : found;
      spans.missed[missed] = static_cast<std::uint16_t>(i);
      listed += is_listed;
      missed += !is_listed;
    }
    spans.more.advance_to(lists + kList * listed);
    spans.missed_count = missed;
    if (spans.missed_count) find_late(block, spans);
  }

  // Looks those that are missed up in what is shared.
  void find_shared(const SpanBlock& block, Spans& spans) {
    Sought medium, large;
    std::uint16_t nowhere[kBlock];
    std::size_t nowhere_count = 0;
    const auto look_longer = [&](std::size_t i) {
      const std::size_t size = block.size(i);
      const std::uint64_t hash = hash_of(spans.keys[i], block.text + block.begin(i), size);
      if (size <= SharedSpans::kMediumSpan) {
        shared_.medium().prefetch(0, hash);
        medium.add(i, hash);
      } else {
        shared_.large().prefetch(0, hash);
        large.add(i, hash);
      }
    };
    std::size_t short_count = 0;
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const std::size_t i = spans.missed[k];
      const SpanKey& key = spans.keys[i];
      if (key.is_short()) {
        shared_.prefetch(key);
        spans.missed[short_count++] = static_cast<std::uint16_t>(i);
      } else {
        look_longer(i);
      }
    }
    for (std::size_t k = 0; k < short_count; ++k) {
      const std::size_t i = spans.missed[k];
      ShortIds ids;
      if (!shared_.find(spans.keys[i], ids)) {
        nowhere[nowhere_count++] = static_cast<std::uint16_t>(i);
      } else if (ids.count <= ShortIds::kMost) {
        near_.insert(spans.keys[i], nullptr, 0, ids.ids, ids.count);
        spans.keep(i, ids.ids, ids.count);
      } else {
        look_longer(i);
      }
    }
    const auto nowhere_too = [&](std::size_t i, std::uint64_t) {
      nowhere[nowhere_count++] = static_cast<std::uint16_t>(i);
    };
    find_in_places(shared_.medium(), medium, block, spans, nowhere_too,
                   [&](std::size_t i, std::uint64_t hash) {
                     shared_.large().prefetch(0, hash);
                     large.add(i, hash);
                   });
    find_in_places(shared_.large(), large, block, spans, nowhere_too, nowhere_too);
    std::memcpy(spans.missed, nowhere, nowhere_count * sizeof *nowhere);
    spans.missed_count = nowhere_count;
  }

  // Takes in, near alone, a span with a short key and one id.
  void insert_near(const SpanKey& key, std::uint32_t id) { near_.insert(key, nullptr, 0, &id, 1); }
  // Takes in a span of kLongest bytes at most, whose key it is.
  void insert(const SpanKey& key, const std::uint8_t* span, std::size_t n, const std::uint32_t* ids,
              std::size_t count) {
    insert_near(key, span, n, ids, count);
    const bool is_short = key.is_short();
    if (is_short) {
      ShortIds kept = {static_cast<std::uint32_t>(count), {0, 0, 0}};
      std::memcpy(kept.ids, ids, 4 * std::min(count, ShortIds::kMost));
      shared_.insert(key, kept);
    }
    if (!is_short || count > ShortIds::kMost) {
      shared_.insert(span, n, hash_of(key, span, n), ids, count);
    }
  }

 private:
  // Longer spans of a block that are looked for, and their hashes.
  struct Sought {
    std::size_t count = 0;
    std::uint16_t spans[kBlock];
    std::uint64_t hashes[kBlock];
    void add(std::size_t i, std::uint64_t hash) {
      spans[count] = static_cast<std::uint16_t>(i);
      hashes[count++] = hash;
    }
  };

  // Looks for them in one place of the table after another, the first of which is prefetched, and
  // calls nowhere(i, hash) for those that it does not have, elsewhere(i, hash) for those whose ids
  // it does not have.
  template <class Table, class Nowhere, class Elsewhere>
  void find_in_places(const Table& table, Sought& sought, const SpanBlock& block, Spans& spans,
                      Nowhere&& nowhere, Elsewhere&& elsewhere) {
    for (std::size_t place = 0; sought.count; ++place) {
      const std::size_t count = sought.count;
      sought.count = 0;
      for (std::size_t k = 0; place > 0 && k < count; ++k) table.prefetch(place, sought.hashes[k]);
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = sought.spans[k], size = block.size(i);
        const std::uint8_t* const span = block.text + block.begin(i);
        const std::uint64_t hash = sought.hashes[k];
        std::uint32_t ids[kLongest + 1];
        const std::size_t found = table.find(place, span, size, hash, ids);
        if (found == 0) {
          sought.add(i, hash);
        } else if (found == Table::kNowhere) {
          nowhere(i, hash);
        } else if (found == Table::kElsewhere) {
          elsewhere(i, hash);
        } else {
          spans.keep(i, ids, found);
          insert_near(spans.keys[i], span, size, ids, found);
        }
      }
    }
  }

  static std::uint64_t hash_of(const SpanKey& key, const std::uint8_t* span, std::size_t n) {
    return SharedSpans::Medium::hash_of(key, span, n);
  }
  void insert_near(const SpanKey& key, const std::uint8_t* span, std::size_t n,
                   const std::uint32_t* ids, std::size_t count) {
    if ((key.is_short() || key.is_hash()) && count <= NearSpans::kMostIds) {
      near_.insert(key, span, n, ids, count);
    }
  }

  // Takes those off the list of the missed that are near after all, in another place or with their
  // text to be compared, and those that are longer than kLongest. Of all others, nothing is found.
  void find_late(const SpanBlock& block, Spans& spans) {
    std::uint16_t again[kBlock];
    std::size_t again_count = 0, kept = 0;
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const std::size_t i = spans.missed[k];
      if (spans.found[i] < NearSpans::kNone) {
        prefetch_line(&near_.long_list(spans.found[i]));
      } else if (near_.prepare_again(spans, i)) {
        again[again_count++] = static_cast<std::uint16_t>(i);
      }
    }
    for (std::size_t k = 0; k < again_count; ++k) {
      spans.found[again[k]] = near_.find_again(spans, again[k]);
    }
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const std::size_t i = spans.missed[k];
      const NearSpans::Found found = spans.found[i];
      const bool is_long = found >= NearSpans::kLong && found < NearSpans::kNone;
      if (found < NearSpans::kListed) {
        spans.keep(i, &found, 1);
      } else if (found < NearSpans::kLong) {
        const NearSpans::List& held = near_.list(found);
        spans.keep_near(i, held.ids, held.count);
      } else if (is_long &&
                 near_.long_list(found).is_of(block.text + block.begin(i), block.size(i))) {
        const NearSpans::LongList& held = near_.long_list(found);
        spans.keep_near(i, held.ids, held.count);
      } else {
        spans.found[i] = Spans::kNothing;
        spans.missed[kept] = static_cast<std::uint16_t>(i);
        kept += block.size(i) <= kLongest;
      }
    }
    spans.missed_count = kept;
  }

  SharedSpans& shared_;
  NearSpans near_;
};

}  // namespace wordsplit
