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

#include "wordsplit/hash.hpp"
#include "wordsplit/near_spans.hpp"
#include "wordsplit/output.hpp"
#include "wordsplit/shared_spans.hpp"

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

  // Looks every span of the block up.
  void find(const SpanBlock& block, Spans& spans) {
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
    if (spans.missed_count) find_shared(block, spans);
  }

  // Takes in a span of kLongest bytes at most.
  void insert(const std::uint8_t* span, std::size_t n, const std::uint32_t* ids,
              std::size_t count) {
    const SpanKey key = SpanKey::of(span, n);
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
  static std::uint64_t hash_of(const SpanKey& key, const std::uint8_t* span, std::size_t n) {
    return SharedSpans::hash_of(key, span, std::min(n, kLongest));
  }
  void insert_near(const SpanKey& key, const std::uint8_t* span, std::size_t n,
                   const std::uint32_t* ids, std::size_t count) {
    if ((key.is_short() || key.is_hash()) && count <= NearSpans::kMostIds) {
      near_.insert(key, span, n, ids, count);
    }
  }

  // Takes those off the list of the missed that are near after all: in another place, or with their
  // text to be compared.
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
        spans.missed[kept++] = static_cast<std::uint16_t>(i);
      }
    }
    spans.missed_count = kept;
  }

  // Looks up those that are missed, and takes those off the list that are held, or longer than
  // kLongest: of these, nothing is found.
  void find_shared(const SpanBlock& block, Spans& spans) {
    std::uint64_t hashes[kBlock];
    std::uint16_t* missed = spans.missed;
    const auto hash_longer = [&](std::size_t k) {
      const std::size_t i = missed[k], size = block.size(i);
      hashes[k] = hash_of(spans.keys[i], block.text + block.begin(i), size);
      shared_.prefetch(0, size, hashes[k]);
    };
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const SpanKey& key = spans.keys[missed[k]];
      if (key.is_short()) {
        shared_.prefetch(key);
      } else {
        hash_longer(k);
      }
    }
    std::size_t kept = 0, nowhere_count = 0;
    std::uint16_t nowhere[kBlock];
    const auto keep = [&](std::size_t k) {
      missed[kept] = missed[k];
      hashes[kept++] = hashes[k];
    };
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const std::size_t i = missed[k];
      const SpanKey& key = spans.keys[i];
      spans.found[i] = Spans::kNothing;
      if (!key.is_short()) {
        if (block.size(i) <= kLongest) keep(k);
        continue;
      }
      ShortIds ids;
      if (!shared_.find(key, ids)) {
        nowhere[nowhere_count++] = missed[k];
      } else if (ids.count <= ShortIds::kMost) {
        near_.insert(key, nullptr, 0, ids.ids, ids.count);
        spans.keep(i, ids.ids, ids.count);
      } else {
        hash_longer(k);
        keep(k);
      }
    }
    spans.missed_count = kept;
    for (std::size_t place = 0; place < SharedSpans::kPlaces && spans.missed_count; ++place) {
      if (place > 0) {
        for (std::size_t k = 0; k < spans.missed_count; ++k) {
          shared_.prefetch(place, block.size(missed[k]), hashes[k]);
        }
      }
      kept = 0;
      for (std::size_t k = 0; k < spans.missed_count; ++k) {
        const std::size_t i = missed[k];
        std::uint32_t ids[kLongest + 1];
        const std::size_t count =
            shared_.find(place, block.text + block.begin(i), block.size(i), hashes[k], ids);
        if (count) {
          spans.keep(i, ids, count);
          insert_near(spans.keys[i], block.text + block.begin(i), block.size(i), ids, count);
        } else {
          keep(k);
        }
      }
      spans.missed_count = kept;
    }
    std::memcpy(missed + spans.missed_count, nowhere, nowhere_count * sizeof *nowhere);
    spans.missed_count += nowhere_count;
  }

  SharedSpans& shared_;
  NearSpans near_;
};

}  // namespace wordsplit
