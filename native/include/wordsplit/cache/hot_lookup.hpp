// Look-ups in a thread's hot cache: a block of spans at once, in sets of four entries, a cache line
// each. All keys are made and their lines prefetched before the first is compared, and no branch
// depends on a span.
//
// With AVX-512, keys are made four at a time: the bytes of four spans in the quarters of a
// register, the bytes behind each span masked off, all four hashed by one multiplication.
#pragma once

#include <algorithm>
#include <bit>
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

// The keys of a block, the index of each key's set, and the results.
struct BlockKeys {
  static constexpr std::size_t kMost = SpanBlock::kMost;
  // Spans whose keys are made, and lines prefetched, before the first of them is compared.
  static constexpr std::size_t kStep = 256;
  SpanKey keys[kMost];
  std::uint32_t sets[kMost];
  HotHit::Type found[kMost + 32];  // with room for whole vectors to be read and written
  // The indexes of the spans for which no single id was found, ascending.
  std::size_t rare_count;
  std::uint16_t rare[kMost + 16];

  void note(std::size_t i, const SpanKey& key, const KeySet* in, unsigned shift) {
    keys[i] = key;
    sets[i] = static_cast<std::uint32_t>(key.hash() >> shift);
    prefetch_line(&in[sets[i]]);
  }
};

// Looks up all spans of a block. The index of a set is the hash shifted right by `shift`.
// Precondition: the memory behind the last set may be read, as far as one more set.
using HotLookup = void (*)(const KeySet* sets, unsigned shift, const SpanBlock& block,
                           BlockKeys& keys);

namespace hot_detail {

// The value of the entry with index `way`. If the key was not found, way is kWays: then the first
// entry of the next set is read and kNone added, since a choice would compile to a branch.
inline HotHit::Type found_at(const KeySet& set, std::size_t way) {
  static_assert(HotHit::kNone == KeySet::kWays << 18);
  KeyEntry entry;
  std::memcpy(&entry, reinterpret_cast<const std::uint8_t*>(&set) + way * sizeof entry,
              sizeof entry);
  return entry.value() | static_cast<HotHit::Type>(way & KeySet::kWays) << 18;
}

// Makes the keys of spans [first, last), too close to the end of the text to read 16 bytes, from a
// copy.
inline void prepare_last(const KeySet* sets, unsigned shift, const SpanBlock& block,
                         std::size_t first, std::size_t last, BlockKeys& keys) {
  std::uint8_t copy[32] = {};
  const std::size_t copied = block.n < 16 ? 0 : block.n - 15;
  std::memcpy(copy, block.text + copied, block.n - copied);
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t begin = block.begin(i), n = block.size(i);
    keys.note(i, SpanKey::of(block.text + begin, n, copy + (begin - copied)), sets, shift);
  }
}

template <class Simd>
struct Stages {
  static WORDSPLIT_INLINE void prepare_last(const KeySet* sets, unsigned shift,
                                            const SpanBlock& block, std::size_t first,
                                            std::size_t last, BlockKeys& keys) {
    hot_detail::prepare_last(sets, shift, block, first, last, keys);
  }

  // Makes the keys of spans [first, last), kStep at most, as if all were short; then those of the
  // others, so that no branch depends on a length. Precondition: 16 bytes from the start of each
  // may be read.
  static WORDSPLIT_INLINE void prepare(const KeySet* sets, unsigned shift, const SpanBlock& block,
                                       std::size_t first, std::size_t last, BlockKeys& keys) {
    std::uint16_t longer[BlockKeys::kStep];
    std::size_t longer_count = 0, begin = block.begin(first);
    for (std::size_t i = first; i < last; begin = block.ends[i++]) {
      const std::size_t n = block.ends[i] - begin;
      const std::size_t kept = std::min(n, SpanKey::kLongest);
      keys.note(i, SpanKey::of_16_readable(block.text + begin, kept), sets, shift);
      longer[longer_count] = static_cast<std::uint16_t>(i);
      longer_count += n > SpanKey::kLongest;
    }
    for (std::size_t k = 0; k < longer_count; ++k) {
      const std::size_t i = longer[k];
      keys.note(i, SpanKey::of_longer(block.text + block.begin(i), block.size(i)), sets, shift);
    }
  }

  static WORDSPLIT_INLINE void compare(const KeySet* sets, std::size_t first, std::size_t last,
                                       BlockKeys& keys) {
    std::size_t rare = keys.rare_count;
    for (std::size_t i = first; i < last; ++i) {
      const KeySet& set = sets[keys.sets[i]];
      const SpanKey& key = keys.keys[i];
      const std::size_t way =
          Simd::find_quarter(&set, {key.low, key.high}, {~std::uint64_t{0}, KeyEntry::kKeyBits});
      const HotHit::Type found = found_at(set, way);
      keys.found[i] = found;
      keys.rare[rare] = static_cast<std::uint16_t>(i);
      rare += found >= HotHit::kListed;
    }
    keys.rare_count = rare;
  }
};

#if defined(WORDSPLIT_TARGET_AVX512)

template <>
struct Stages<simd::Avx512> {
  // Only masked intrinsics, here and below: GCC 12 warns of uninitialized values in the others.
  WORDSPLIT_TARGET_AVX512 static inline __m512i four_times(__m128i x) {
    return _mm512_maskz_broadcast_i32x4(0xFFFF, x);
  }

  WORDSPLIT_TARGET_AVX512 static inline void prepare(const KeySet* sets, unsigned shift,
                                                     const SpanBlock& block, std::size_t first,
                                                     std::size_t last, BlockKeys& keys) {
    const auto at = [&](std::size_t i) WORDSPLIT_TARGET_AVX512 {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(block.text + block.ends[i]));
    };
    const __m512i places =
        four_times(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    // Broadcasts, from the four lengths in each quarter, the quarter's own to all its bytes.
    const __m512i spread =
        _mm512_set_epi64(0x0C0C0C0C0C0C0C0C, 0x0C0C0C0C0C0C0C0C, 0x0808080808080808,
                         0x0808080808080808, 0x0404040404040404, 0x0404040404040404, 0, 0);
    const __m512i factors = four_times(_mm_set_epi64x(static_cast<long long>(SpanKey::kHighFactor),
                                                      static_cast<long long>(SpanKey::kLowFactor)));
    const __m512i quarters = _mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 8, 4, 0);
    const __m128i by = _mm_cvtsi32_si128(static_cast<int>(shift));
    std::uint32_t longer[BlockKeys::kStep + 4];
    std::size_t longer_count = 0;

    std::size_t i = first;
    if (i == 0 && last > 0) note(sets, shift, block, i++, keys);  // below, the end before is read
    for (; i + 4 <= last; i += 4) {
      const __m128i begins = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block.ends + i - 1));
      const __m128i ends = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block.ends + i));
      const __m128i sizes = _mm_sub_epi32(ends, begins);
      const __m512i size = _mm512_shuffle_epi8(four_times(sizes), spread);
      __m512i bytes = _mm512_castsi128_si512(at(i - 1));
      bytes = _mm512_inserti32x4(bytes, at(i), 1);
      bytes = _mm512_inserti32x4(bytes, at(i + 1), 2);
      bytes = _mm512_inserti32x4(bytes, at(i + 2), 3);
      bytes = _mm512_maskz_mov_epi8(_mm512_cmplt_epu8_mask(places, size), bytes);
      bytes =
          _mm512_mask_mov_epi8(bytes, 0x2000200020002000, size);  // the length goes above the bytes
      _mm512_storeu_si512(&keys.keys[i], bytes);
      const __m512i products = _mm512_mullo_epi64(bytes, factors);
      const __m512i hashes = _mm512_add_epi64(
          products, _mm512_maskz_shuffle_epi32(0xFFFF, products, static_cast<_MM_PERM_ENUM>(0x4E)));
      const __m512i set = _mm512_maskz_permutexvar_epi32(0xFFFF, quarters,
                                                         _mm512_maskz_srl_epi64(0xFF, hashes, by));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(&keys.sets[i]),
                       _mm512_maskz_extracti32x4_epi32(0xF, set, 0));
      for (std::size_t k = i; k < i + 4; ++k) prefetch_line(&sets[keys.sets[k]]);
      const __mmask8 long_ones =
          _mm_cmpgt_epu32_mask(sizes, _mm_set1_epi32(static_cast<int>(SpanKey::kLongest)));
      const __m128i which =
          _mm_add_epi32(_mm_set1_epi32(static_cast<int>(i)), _mm_setr_epi32(0, 1, 2, 3));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(longer + longer_count),
                       _mm_maskz_compress_epi32(long_ones, which));
      longer_count += static_cast<std::size_t>(std::popcount(long_ones));
    }
    for (; i < last; ++i) note(sets, shift, block, i, keys);
    for (std::size_t k = 0; k < longer_count; ++k) note(sets, shift, block, longer[k], keys);
  }

  // Masked loads read no byte behind the text, so no copy is needed.
  WORDSPLIT_TARGET_AVX512 static inline void prepare_last(const KeySet* sets, unsigned shift,
                                                          const SpanBlock& block, std::size_t first,
                                                          std::size_t last, BlockKeys& keys) {
    for (std::size_t i = first; i < last; ++i) note(sets, shift, block, i, keys);
  }

  // Makes the key of one span, as one vector: what is stored in two halves could not be forwarded
  // to the load in compare(), which would wait for the store.
  WORDSPLIT_TARGET_AVX512 static inline void note(const KeySet* sets, unsigned shift,
                                                  const SpanBlock& block, std::size_t i,
                                                  BlockKeys& keys) {
    const std::size_t n = block.size(i);
    const std::uint8_t* const span = block.text + block.begin(i);
    if (n > SpanKey::kLongest) {
      keys.note(i, SpanKey::of_longer(span, n), sets, shift);
      return;
    }
    const __m128i bytes = _mm_maskz_loadu_epi8(static_cast<__mmask16>((1U << n) - 1), span);
    const __m128i key = _mm_insert_epi8(bytes, static_cast<int>(n), SpanKey::kLongest);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(&keys.keys[i]), key);
    const SpanKey words = {static_cast<std::uint64_t>(_mm_cvtsi128_si64(key)),
                           static_cast<std::uint64_t>(_mm_extract_epi64(key, 1))};
    keys.sets[i] = static_cast<std::uint32_t>(words.hash() >> shift);
    prefetch_line(&sets[keys.sets[i]]);
  }

  WORDSPLIT_TARGET_AVX512 static inline void compare(const KeySet* sets, std::size_t first,
                                                     std::size_t last, BlockKeys& keys) {
    const __m512i bits = four_times(_mm_set_epi64x(static_cast<long long>(KeyEntry::kKeyBits), -1));
    for (std::size_t i = first; i < last; ++i) {
      const KeySet& set = sets[keys.sets[i]];
      const __m512i wanted =
          four_times(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&keys.keys[i])));
      const __m512i differ = _mm512_xor_si512(_mm512_loadu_si512(&set), wanted);
      const unsigned words = _mm512_testn_epi64_mask(differ, bits);
      keys.found[i] = found_at(set, lowest_bit((words & words >> 1 & 0x55) | 0x100) / 2);
    }
    std::size_t rare = keys.rare_count;
    if (last - first < 16) {  // a vector would wait for the stores above
      for (std::size_t i = first; i < last; ++i) {
        keys.rare[rare] = static_cast<std::uint16_t>(i);
        rare += keys.found[i] >= HotHit::kListed;
      }
      keys.rare_count = rare;
      return;
    }
    __m256i which =
        _mm256_add_epi16(_mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                         _mm256_set1_epi16(static_cast<short>(first)));
    for (std::size_t i = first; i < last; i += 16) {
      const __m512i found = _mm512_loadu_si512(&keys.found[i]);
      __mmask16 are =
          _mm512_cmpge_epu32_mask(found, _mm512_set1_epi32(static_cast<int>(HotHit::kListed)));
      if (last - i < 16) are &= static_cast<__mmask16>((1U << (last - i)) - 1);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(&keys.rare[rare]),
                          _mm256_maskz_compress_epi16(are, which));
      rare += static_cast<std::size_t>(std::popcount(are));
      which = _mm256_add_epi16(which, _mm256_set1_epi16(16));
    }
    keys.rare_count = rare;
  }
};

#endif

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
        Stages<Simd>::prepare(sets, shift, block, first, std::min(last, readable), keys);
      }
      if (last > readable) {
        Stages<Simd>::prepare_last(sets, shift, block, std::max(first, readable), last, keys);
      }
      Stages<Simd>::compare(sets, first, last, keys);
    }
  }
};

}  // namespace hot_detail

inline HotLookup hot_lookup_at(SimdLevel level) { return kernel_at<hot_detail::LookUp>(level); }

}  // namespace wordsplit
