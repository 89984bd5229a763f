// Encoded spans that do not fit two words, shared by threads: entries with the span's bytes and,
// behind them, its ids. Part of shared_spans.hpp.
//
// A span may stand in any of kPlaces places, most of them in the first, and in none after one that
// is empty. So look for many spans in the first place, then for those not found in the second, and
// each time prefetch them all before.
#pragma once

#include <cstdint>
#include <cstring>

#include "wordsplit/cache/span_table.hpp"
#include "wordsplit/base/hash.hpp"
#include "wordsplit/tables/span_key.hpp"

namespace wordsplit {

template <std::size_t kWords, std::size_t kOfPlaces>
class LongerSpans : public SpanTable<kWords, 1> {
  using Table = SpanTable<kWords, 1>;
  using Entry = typename Table::Item;

 public:
  static constexpr std::size_t kPlaces = kOfPlaces;
  // What find() answers of a span that stands neither in this place nor in a later one; and of one
  // that stands here, but whose ids had no room.
  static constexpr std::size_t kNowhere = ~std::size_t{0}, kElsewhere = kNowhere - 1;

  // Of the spans here and their hashes.
  static std::uint64_t hash_of(const SpanKey& key, const std::uint8_t* span, std::size_t n) {
    return key.is_hash() ? key.low : hash_bytes(span, n);
  }

  void prefetch(std::size_t place, std::uint64_t hash) const {
    prefetch_line(Table::set(hash_at(place, hash)));
  }

  // Writes the ids, and perhaps one word more, and returns how many; 0 if it does not stand here.
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

  // Takes in a span whose bytes fit, with its ids if they do.
  void insert(const std::uint8_t* span, std::size_t n, std::uint64_t hash, const std::uint32_t* ids,
              std::size_t count) {
    std::uint32_t held[256];
    for (std::size_t place = 0; place < kPlaces; ++place) {
      const std::size_t found = find(place, span, n, hash, held);
      if (found == kNowhere) break;
      if (found) return;  // another thread was quicker
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

}  // namespace wordsplit
