// The spans that a thread asks for most, in as little memory as may be: the less it is, the more of
// it stays in the second-level cache.
//
// An entry is 16 bytes: the span's key (13 bytes of text at most) and, in the 20 bits that the key
// leaves free, the id of a span that has just one, as nine in ten have; else where its ids stand
// among the lists of such. Four entries are a cache line and a set; a new one pushes the oldest to
// another set of the group of four, or out where these are full. Of a longer span the entry has a
// hash, and its text stands with its ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "wordsplit/memory.hpp"
#include "wordsplit/simd_level.hpp"
#include "wordsplit/span_key.hpp"

namespace wordsplit {

class NearSpans {
 public:
  static constexpr std::size_t kBlock = 256;

  // Ids of a span that has several.
  static constexpr std::size_t kMostIds = 7;
  struct List {
    std::uint32_t count;
    std::uint32_t ids[kMostIds];
  };

  // Ids and text of a longer span. The text's length is with it: an entry may come to belong to
  // another span's list, and words do not tell "aaaa" from "aaaaa".
  struct LongList {
    SpanWords text;
    std::uint16_t count, length;
    std::uint32_t ids[kMostIds];

    bool is_of(const std::uint8_t* span, std::size_t n) const {
      return n == length && SpanWords::of(span, n) == text;
    }
  };

  // What is found of a span: below kListed, its only id; below kLong, where its ids are listed;
  // below kNone, where its ids are if its text is there; until the next insert().
  using Found = std::uint32_t;
  static constexpr Found kListed = Found{1} << 19, kLong = kListed + (Found{1} << 18);
  static constexpr Found kNone = Found{1} << 20;

  // Keys to be looked up, the sets in which they would stand, and what was found.
  struct Keys {
    SpanKey keys[kBlock];
    std::uint32_t sets[kBlock];
    Found found[kBlock + 8];  // 8 more may be read and written
    // Those of which no id was found: which, ascending.
    std::size_t rare_count;
    std::uint16_t rare[kBlock + 1];
  };

  NearSpans() = default;
  // Takes at most `bytes` of memory, and little of it at first. Every level finds the same.
  NearSpans(std::size_t bytes, SimdLevel level) : find_(find_for(level)) {
    std::size_t sets = kGroup;
    while (2 * sets * kOfSet <= bytes && 2 * kWays * sets <= kLong - kListed) sets *= 2;
    most_sets_ = sets;
    while (sets > kGroup && sets > most_sets_ / kFirst) sets /= 2;
    reset(sets);
  }

  std::size_t bytes() const { return sets_.size() * kOfSet; }
  void clear() {
    std::memset(static_cast<void*>(sets_.data()), 0, sets_.size() * sizeof(Set));
    lists_ever_ = 0;
    free_ = kNoList;
  }

  // Notes key number i of those to be looked up, and asks for the memory where it would stand.
  void prepare(Keys& keys, std::size_t i, const SpanKey& key) const {
    keys.keys[i] = key;
    keys.sets[i] = static_cast<std::uint32_t>(key.hash() >> shift_);
    prefetch_line(&sets_[keys.sets[i]]);
  }
  // Looks up the first `count` of those prepared.
  void find(Keys& keys, std::size_t count) const { find_(sets_.data(), keys, count); }
  // Whether a key that was not found may stand in another set of the group, whose memory is asked
  // for then; and what is found of it there. It moves to its own set.
  bool prepare_again(const Keys& keys, std::size_t i) const {
    const Set* set = &sets_[keys.sets[i]];
    if (!is_full(*set)) return false;
    for (std::size_t k = 1; k < kGroup; ++k) prefetch_line(&sets_[keys.sets[i] ^ k]);
    return true;
  }
  Found find_again(const Keys& keys, std::size_t i) {
    for (std::size_t k = 1; k < kGroup; ++k) {
      Set& other = sets_[keys.sets[i] ^ k];
      const std::size_t way = Portable::way(other, keys.keys[i]);
      if (way < kWays) {
        const Found found = found_in(other.entries[way]);
        other.entries[way] = push(sets_[keys.sets[i]], other.entries[way]);
        return found;
      }
    }
    return kNone;
  }
  const List& list(Found found) const { return lists_[found - kListed]; }
  const LongList& long_list(Found found) const { return long_lists_[found - kLong]; }

  // Takes in a span that has a key and kMostIds ids at most. Where the group is full, one in four,
  // over the oldest of its own set: were it each, spans that come in turn would push each other
  // out.
  void insert(const SpanKey& key, const std::uint8_t* span, std::size_t n, const std::uint32_t* ids,
              std::size_t count) {
    if (room_for(key) == kGroup && sets_.size() < most_sets_) grow();
    if (room_for(key) == kGroup) {
      if (++came_when_full_ % 4 != 0) return;
      give_back(found_in(sets_[key.hash() >> shift_].entries[kWays - 1]));
    }
    place(key, found_for(key, span, n, ids, count));
  }

 private:
  // All zero bytes are an empty entry, so that a table needs no writing before its first use.
  struct Entry {
    std::uint64_t low, rest;
  };
  static constexpr std::size_t kWays = 4, kGroup = 4;
  struct Set {
    Entry entries[kWays];
  };
  static constexpr std::uint64_t kKeyBits = (std::uint64_t{1} << SpanKey::kBits) - 1;

  static constexpr std::size_t kOfSet = sizeof(Set) + kWays * sizeof(List) + sizeof(LongList);
  static constexpr std::size_t kFirst = 16;  // as large as that part of what it may be, at first

  void reset(std::size_t sets) {
    shift_ = 64 - static_cast<unsigned>(__builtin_ctzll(sets));
    sets_ = ZeroedArray<Set>(sets);
    lists_ = ZeroedArray<List>(kWays * sets);
    long_lists_ = ZeroedArray<LongList>(sets);
  }

  // Which set of the group, from the key's own on, has room; kGroup if none.
  std::size_t room_for(const SpanKey& key) const {
    const std::uint64_t own = key.hash() >> shift_;
    std::size_t room = 0;
    while (room < kGroup && is_full(sets_[own ^ room])) ++room;
    return room;
  }
  void place(const SpanKey& key, Found found) {
    const std::uint64_t own = key.hash() >> shift_;
    const std::size_t room = room_for(key);
    const Entry last =
        push(sets_[own], {key.low, key.high | std::uint64_t{found} << SpanKey::kBits});
    if (room > 0 && room < kGroup) (void)push(sets_[own ^ room], last);
  }

  // Goes on with all the memory; the oldest of each set are taken over first.
  void grow() {
    NearSpans larger;
    larger.find_ = find_;
    larger.most_sets_ = most_sets_;
    larger.reset(most_sets_);
    for (std::size_t way = kWays; way-- > 0;) {
      for (const Set& set : sets_) {
        const Entry& entry = set.entries[way];
        if (entry.rest != 0)
          larger.take_over(*this, {entry.low, entry.rest & kKeyBits}, found_in(entry));
      }
    }
    *this = std::move(larger);
  }
  void take_over(const NearSpans& other, const SpanKey& key, Found found) {
    if (room_for(key) == kGroup) return;
    if (found >= kLong) {
      const LongList& list = other.long_list(found);
      if (list.text.hash(list.length) != key.low) return;  // another span's by now
      const Found at = next_long();
      long_lists_[at] = list;
      found = kLong + at;
    } else if (found >= kListed) {
      const Found at = take();
      lists_[at] = other.list(found);
      found = kListed + at;
    }
    place(key, found);
  }

  // Puts an entry first, and returns the last one, which has no place any more.
  static Entry push(Set& set, Entry entry) {
    const Entry last = set.entries[kWays - 1];
    std::memmove(&set.entries[1], &set.entries[0], (kWays - 1) * sizeof(Entry));
    set.entries[0] = entry;
    return last;
  }
  static bool is_full(const Set& set) { return set.entries[kWays - 1].rest != 0; }
  // An id, or where ids are put on a list.
  Found found_for(const SpanKey& key, const std::uint8_t* span, std::size_t n,
                  const std::uint32_t* ids, std::size_t count) {
    if (key.is_hash()) {  // over the oldest: the entry that it belongs to finds another text there
      const Found at = next_long();
      LongList& list = long_lists_[at];
      list.text = SpanWords::of(span, n);
      list.count = static_cast<std::uint16_t>(count);
      list.length = static_cast<std::uint16_t>(n);
      std::memcpy(list.ids, ids, 4 * count);
      return kLong + at;
    }
    if (count == 1 && ids[0] < kListed) return ids[0];
    const Found at = take();
    lists_[at].count = static_cast<std::uint32_t>(count);
    std::memcpy(lists_[at].ids, ids, 4 * count);
    return kListed + at;
  }
  static Found found_in(const Entry& entry) {
    return static_cast<Found>(entry.rest >> SpanKey::kBits);
  }

  // Each answers which entry of a set is that of a key; kWays if none.
  struct Portable {
    static inline __attribute__((always_inline)) std::size_t way(const Set& set,
                                                                 const SpanKey& key) {
      unsigned which = 1U << kWays;
      for (std::size_t i = 0; i < kWays; ++i) {
        const Entry& entry = set.entries[i];
        which |= unsigned{((entry.low ^ key.low) | ((entry.rest ^ key.high) & kKeyBits)) == 0} << i;
      }
      return static_cast<std::size_t>(__builtin_ctz(which));
    }
  };
#if defined(__x86_64__)
  struct Avx2 {
    WORDSPLIT_TARGET_AVX2 static inline std::size_t way(const Set& set, const SpanKey& key) {
      const __m256i wanted =
          _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&key)));
      const __m256i bits = _mm256_set_epi64x(static_cast<long long>(kKeyBits), -1,
                                             static_cast<long long>(kKeyBits), -1);
      const auto same = [&](const Entry* two) WORDSPLIT_TARGET_AVX2 {
        const __m256i held = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(two));
        const __m256i equal = _mm256_cmpeq_epi64(_mm256_and_si256(held, bits), wanted);
        return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(equal)));
      };
      return first(same(&set.entries[0]) | same(&set.entries[2]) << 4);
    }
    // Of two bits an entry, one for each of its words.
    WORDSPLIT_TARGET_AVX2 static inline std::size_t first(unsigned words) {
      return static_cast<std::size_t>(__builtin_ctz((words & words >> 1 & 0x55) | 0x100)) / 2;
    }
  };
  struct Avx512 {
    WORDSPLIT_TARGET_AVX512 static inline std::size_t way(const Set& set, const SpanKey& key) {
      const __m512i wanted = _mm512_maskz_broadcast_i32x4(
          0xFFFF, _mm_loadu_si128(reinterpret_cast<const __m128i*>(&key)));
      const __m512i bits = _mm512_maskz_broadcast_i32x4(
          0xFFFF, _mm_set_epi64x(static_cast<long long>(kKeyBits), -1));
      const __m512i differ = _mm512_xor_si512(_mm512_loadu_si512(&set), wanted);
      const auto words = static_cast<unsigned>(_mm512_testn_epi64_mask(differ, bits));
      return static_cast<std::size_t>(__builtin_ctz((words & words >> 1 & 0x55) | 0x100)) / 2;
    }
  };
#endif

  template <class Isa>
  static inline
      __attribute__((always_inline)) void find_by(const Set* sets, Keys& keys, std::size_t count) {
    std::size_t rare = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Set& set = sets[keys.sets[i]];
      const std::size_t way = Isa::way(set, keys.keys[i]);
      const Found held = found_in(set.entries[way % kWays]);
      const Found found = way == kWays ? kNone : held;
      keys.found[i] = found;
      keys.rare[rare] = static_cast<std::uint16_t>(i);
      rare += found >= kListed;
    }
    keys.rare_count = rare;
  }
  static void find_portable(const Set* sets, Keys& keys, std::size_t count) {
    find_by<Portable>(sets, keys, count);
  }
#if defined(__x86_64__)
  WORDSPLIT_TARGET_AVX2 static void find_avx2(const Set* sets, Keys& keys, std::size_t count) {
    find_by<Avx2>(sets, keys, count);
  }
  WORDSPLIT_TARGET_AVX512 static void find_avx512(const Set* sets, Keys& keys, std::size_t count) {
    find_by<Avx512>(sets, keys, count);
  }
#endif

  using FindFn = void (*)(const Set*, Keys&, std::size_t);
  static FindFn find_for(SimdLevel level) {
#if defined(__x86_64__)
    if (level == SimdLevel::Avx512) return find_avx512;
    if (level == SimdLevel::Avx2) return find_avx2;
#endif
    return find_portable;
  }

  Found next_long() {
    const Found at = next_long_;
    next_long_ = (next_long_ + 1) % static_cast<Found>(long_lists_.size());
    return at;
  }

  // Lists: as many as entries, so that there is always one. Those given back are a chain, by their
  // first id.
  static constexpr Found kNoList = ~Found{0};
  Found take() {
    if (free_ == kNoList) return lists_ever_++;
    const Found list = free_;
    free_ = lists_[list].ids[0];
    return list;
  }
  void give_back(Found found) {
    if (found < kListed || found >= kLong) return;  // has none
    lists_[found - kListed].ids[0] = free_;
    free_ = found - kListed;
  }

  unsigned shift_ = 62;  // a set goes by the high bits of the hash
  std::size_t most_sets_ = kGroup;
  ZeroedArray<Set> sets_;
  ZeroedArray<List> lists_;
  ZeroedArray<LongList> long_lists_;
  Found lists_ever_ = 0, free_ = kNoList, next_long_ = 0;
  std::uint32_t came_when_full_ = 0;
  FindFn find_ = nullptr;
};

}  // namespace wordsplit
