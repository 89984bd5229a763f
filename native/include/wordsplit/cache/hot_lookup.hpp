// Look-ups in a thread's hot cache: a block of spans at once, in sets of four entries, a cache line
// each. All keys are made and their lines prefetched before the first is compared, and no branch
// depends on a span.
//
// With AVX2, keys are made eight at a time, two in each register.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/memory.hpp"
#include "wordsplit/base/simd.hpp"
#include "wordsplit/tables/key_sets.hpp"
#include "wordsplit/tables/span_key.hpp"

namespace wordsplit {

// A block of consecutive spans of text[0, n): the first begins at `start`, span i ends at ends[i].
struct SpanBlock {
  static constexpr std::size_t kMost = 2048;

  const std::uint8_t* text;
  std::size_t n, start;
  const std::uint32_t* ends;
  std::size_t count;

  std::size_t begin(std::size_t i) const { return i ? ends[i - 1] : start; }
  std::size_t size(std::size_t i) const { return ends[i] - begin(i); }
};

// The result of a look-up. Below kListed: the span's only id. Below kLong: kListed plus the index
// of its list of ids. Below kNone: kLong plus the index of the list of a longer span, whose text
// must be compared. From kNone on: not found.
struct HotHit {
  using Type = std::uint32_t;
  static constexpr Type kListed = Type{1} << 18, kLong = kListed + (Type{1} << 19);
  static constexpr Type kNone = Type{1} << 20;
};

// The keys of a block, where their sets are, and the results.
struct BlockKeys {
  static constexpr std::size_t kMost = SpanBlock::kMost;
  // Spans whose keys are made, and lines prefetched, before the first of them is compared.
  static constexpr std::size_t kStep = 256;
  SpanKey keys[kMost];
  std::uint32_t offsets[kMost];    // of the keys' sets, in bytes
  HotHit::Type found[kMost + 32];  // with room for whole vectors to be read and written
  // The indexes of the spans for which no single id was found, ascending.
  std::size_t rare_count;
  std::uint16_t rare[kMost + 16];

  std::size_t set_of(std::size_t i) const { return offsets[i] / sizeof(KeySet); }
  void note(std::size_t i, const SpanKey& key, const KeySet* sets, unsigned shift) {
    const std::uint64_t set = key.hash() >> shift;
    keys[i] = key;
    offsets[i] = static_cast<std::uint32_t>(set * sizeof(KeySet));
    prefetch_line(&sets[set]);
  }
};

// Looks up all spans of a block. The index of a set is the hash shifted right by `shift`.
// Precondition: the memory after the last set may be read, as far as one more set.
using HotLookup = void (*)(const KeySet* sets, unsigned shift, const SpanBlock& block,
                           BlockKeys& keys);

namespace hot_detail {

// The value of the entry at a place in its set. If the key was not found, the place is after the
// last: then the first entry of the next set is read and kNone added, since a choice would compile
// to a branch.
inline HotHit::Type found_at(const std::uint8_t* set, std::size_t place) {
  static_assert(HotHit::kNone == sizeof(KeySet) << 14);
  KeyEntry entry;
  std::memcpy(&entry, set + place, sizeof entry);
  return entry.value() | static_cast<HotHit::Type>(place << 14 & HotHit::kNone);
}

// Makes the keys of spans [first, last), too close to the end of the text to read 16 bytes, from a
// copy.
inline void prepare_last(const KeySet* sets, unsigned shift, const SpanBlock& block,
                         std::size_t first, std::size_t last, BlockKeys& keys) {
  constexpr std::size_t kCopied = 15;
  std::uint8_t copy[32] = {};
  const std::size_t copied = std::max(block.n, kCopied) - kCopied;
  if (copied > 0) {
    std::memcpy(copy, block.text + copied, kCopied);
  } else {  // not a call of memcpy, which would take as long as the rest
    const std::uint64_t low = load_up_to_8(block.text, std::min<std::size_t>(block.n, 8));
    const std::uint64_t high = block.n > 8 ? load_up_to_8(block.text + 8, block.n - 8) : 0;
    std::memcpy(copy, &low, 8);
    std::memcpy(copy + 8, &high, 8);
  }
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t begin = block.begin(i), n = block.size(i);
    keys.note(i, SpanKey::of(block.text + begin, n, copy + (begin - copied)), sets, shift);
  }
}

// Writes the spans of [first, last), 64 or more, that mask(i) gives for 64 from i on, and returns
// how many. Writes up to simd::kBitsRoom numbers more.
template <class Mask>
WORDSPLIT_INLINE std::size_t list(std::size_t first, std::size_t last, Mask&& mask,
                                  std::uint16_t* to) {
  std::uint16_t* out = to;
  for (std::size_t i = first; i < last; i += 64) {
    const std::size_t at = std::min(i, last - 64);
    out += simd::keep_bits(mask(at) >> (i - at), [i](unsigned k) { return i + k; }, out);
  }
  return static_cast<std::size_t>(out - to);
}

// Makes the keys of several spans at once, with the instructions for it.
template <class Simd>
struct KeysAtOnce {
  // Makes those of spans from `first` on, which is not 0, as if all were short, and returns the
  // first span that is left.
  static WORDSPLIT_INLINE std::size_t make(const KeySet*, unsigned, const SpanBlock&,
                                           std::size_t first, std::size_t, BlockKeys&) {
    return first;
  }
};

#if defined(WORDSPLIT_TARGET_AVX2)

template <>
struct KeysAtOnce<simd::Avx2> {
  WORDSPLIT_TARGET_AVX2 static inline std::size_t make(const KeySet* sets, unsigned shift,
                                                       const SpanBlock& block, std::size_t first,
                                                       std::size_t last, BlockKeys& keys) {
    const auto sixteen = [&](std::size_t begin) WORDSPLIT_TARGET_AVX2 {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(block.text + begin));
    };
    const __m256i places =
        twice(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    const __m256i length = twice(_mm_set_epi64x(0xFFLL << 40, 0));
    const __m256i factors = twice(_mm_set_epi64x(static_cast<long long>(SpanKey::kHighFactor),
                                                 static_cast<long long>(SpanKey::kLowFactor)));
    const __m256i crossed = _mm256_shuffle_epi32(factors, kSwapped);
    const __m128i by = _mm_cvtsi32_si128(static_cast<int>(shift));
    std::size_t i = first;
    for (; i + 8 <= last; i += 8) {
      const std::uint32_t* const ends = block.ends + i;
      const __m256i sizes = _mm256_sub_epi32(eight(ends), eight(ends - 1));
      __m256i found[4];  // the sets of spans i + k and i + k + 4
      for (int k = 0; k < 4; ++k) {
        const __m256i two =
            _mm256_permutevar8x32_epi32(sizes, _mm256_setr_m128i(four(k), four(k + 4)));
        const __m256i size = _mm256_shuffle_epi8(two, _mm256_setzero_si256());
        __m256i bytes = _mm256_setr_m128i(sixteen(ends[k - 1]), sixteen(ends[k + 3]));
        bytes = _mm256_and_si256(bytes, _mm256_cmpgt_epi8(size, places));
        bytes = _mm256_or_si256(bytes, _mm256_and_si256(size, length));  // above the bytes
        store(&keys.keys[i + static_cast<std::size_t>(k)], _mm256_castsi256_si128(bytes));
        store(&keys.keys[i + static_cast<std::size_t>(k) + 4], _mm256_extracti128_si256(bytes, 1));
        // The products of words, from those of their halves.
        const __m256i cross = _mm256_mullo_epi32(bytes, crossed);
        const __m256i sum = _mm256_add_epi32(cross, _mm256_srli_epi64(cross, 32));
        const __m256i product =
            _mm256_add_epi64(_mm256_mul_epu32(bytes, factors), _mm256_slli_epi64(sum, 32));
        const __m256i other = _mm256_shuffle_epi32(product, 0x4E);
        found[k] = _mm256_srl_epi64(_mm256_add_epi64(product, other), by);
      }
      const __m256i in_order =
          _mm256_blend_epi32(pairs(found[0], found[1]), pairs(found[2], found[3]), 0xCC);
      static_assert(sizeof(KeySet) == 1 << 6);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(&keys.offsets[i]),
                          _mm256_slli_epi32(in_order, 6));
      for (std::size_t k = i; k < i + 8; ++k) {
        prefetch_line(reinterpret_cast<const std::uint8_t*>(sets) + keys.offsets[k]);
      }
    }
    return i;
  }

 private:
  static constexpr int kSwapped = 0xB1;  // the halves of words
  WORDSPLIT_TARGET_AVX2 static inline __m256i twice(__m128i x) {
    return _mm256_broadcastsi128_si256(x);
  }
  WORDSPLIT_TARGET_AVX2 static inline __m128i four(int number) { return _mm_set1_epi32(number); }
  WORDSPLIT_TARGET_AVX2 static inline __m256i eight(const std::uint32_t* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  // Of words below 2^32: those of a in the lower halves, of b in the upper ones.
  WORDSPLIT_TARGET_AVX2 static inline __m256i pairs(__m256i a, __m256i b) {
    return _mm256_blend_epi32(a, _mm256_slli_epi64(b, 32), 0xAA);
  }
  // In one piece: compare() would wait for a key that is stored in two.
  WORDSPLIT_TARGET_AVX2 static inline void store(SpanKey* to, __m128i key) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), key);
  }
};

template <>
struct KeysAtOnce<simd::Avx512> : KeysAtOnce<simd::Avx2> {};  // wider vectors gain nothing

#endif

// Makes the keys of spans [first, last), kStep at most, as if all were short; then those of the
// others, so that no branch depends on a length. Precondition: 16 bytes from the start of each may
// be read.
template <class Simd>
WORDSPLIT_INLINE void prepare(const KeySet* sets, unsigned shift, const SpanBlock& block,
                              std::size_t first, std::size_t last, BlockKeys& keys) {
  const auto make = [&](std::size_t i) {
    const std::uint8_t* const span = block.text + block.begin(i);
    keys.note(i, SpanKey::of_16_readable(span, block.size(i) & 15), sets, shift);
  };
  std::uint16_t longer[BlockKeys::kStep + simd::kBitsRoom];
  std::size_t longer_count = 0;
  const auto note_if_longer = [&](std::size_t i) {
    longer[longer_count] = static_cast<std::uint16_t>(i);
    longer_count += block.size(i) > SpanKey::kLongest;
  };
  if (first == 0) {  // it has no end before it
    make(first);
    note_if_longer(first++);
  }
  std::size_t i = KeysAtOnce<Simd>::make(sets, shift, block, first, last, keys);
  for (; i < last; ++i) make(i);
  if (last - first < 64) {
    for (i = first; i < last; ++i) note_if_longer(i);
  } else {
    longer_count += list(
        first, last,
        [&](std::size_t k) { return Simd::rises(block.ends + k, SpanKey::kLongest + 1); },
        longer + longer_count);
  }
  for (std::size_t k = 0; k < longer_count; ++k) {
    const std::size_t at = longer[k];
    keys.note(at, SpanKey::of_longer(block.text + block.begin(at), block.size(at)), sets, shift);
  }
}

template <class Simd>
WORDSPLIT_INLINE HotHit::Type look_up(const KeySet* sets, const BlockKeys& keys, std::size_t i) {
  const SpanKey& key = keys.keys[i];
  const auto* const set = reinterpret_cast<const std::uint8_t*>(sets) + keys.offsets[i];
  return found_at(
      set, Simd::find_quarter(set, {key.low, key.high}, {~std::uint64_t{0}, KeyEntry::kKeyBits}));
}

template <class Simd>
WORDSPLIT_INLINE void compare(const KeySet* sets, std::size_t first, std::size_t last,
                              BlockKeys& keys) {
  std::size_t rare = keys.rare_count;
  if (last - first < 64) {
    for (std::size_t i = first; i < last; ++i) {
      const HotHit::Type found = look_up<Simd>(sets, keys, i);
      keys.found[i] = found;
      keys.rare[rare] = static_cast<std::uint16_t>(i);
      rare += found >= HotHit::kListed;
    }
  } else {
    WORDSPLIT_UNROLL_4
    for (std::size_t i = first; i < last; ++i) keys.found[i] = look_up<Simd>(sets, keys, i);
    rare += list(
        first, last, [&](std::size_t i) { return Simd::at_least(keys.found + i, HotHit::kListed); },
        keys.rare + rare);
  }
  keys.rare_count = rare;
}

struct LookUp {
  using Function = HotLookup;
  template <class Simd>
  static WORDSPLIT_INLINE void run(const KeySet* sets, unsigned shift, const SpanBlock& block,
                                   BlockKeys& keys) {
    std::size_t readable = block.count;
    while (readable > 0 && block.begin(readable - 1) + 16 > block.n) --readable;
    keys.rare_count = 0;
    for (std::size_t first = 0, last; first < block.count; first = last) {
      last = std::min(first + BlockKeys::kStep, block.count);
      if (first < readable) {
        prepare<Simd>(sets, shift, block, first, std::min(last, readable), keys);
      }
      if (last > readable) {
        prepare_last(sets, shift, block, std::max(first, readable), last, keys);
      }
      compare<Simd>(sets, first, last, keys);
    }
  }
};

}  // namespace hot_detail

inline HotLookup hot_lookup_at(SimdLevel level) { return kernel_at<hot_detail::LookUp>(level); }

}  // namespace wordsplit
