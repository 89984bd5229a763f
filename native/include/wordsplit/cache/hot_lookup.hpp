// Look-ups in a thread's hot cache: a block of spans at once, in sets of four entries, a cache line
// each. All keys are made and their lines prefetched before the first is compared, and no branch
// depends on a span.
//
// With AVX-512, keys are made four at a time: the bytes of four spans in the quarters of a
// register, the bytes behind each span masked off, all four hashed by one multiplication.
#pragma once

#include <cstdint>
#include <cstring>

#include "wordsplit/base/memory.hpp"
#include "wordsplit/base/simd_level.hpp"
#include "wordsplit/tables/key_sets.hpp"
#include "wordsplit/tables/span_key.hpp"

namespace wordsplit {

// A block of consecutive spans of text[0, n): the first begins at `start`, span i ends at ends[i].
struct SpanBlock {
  static constexpr std::size_t kMost = 256;  // the arrays of a block stay in L1

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
  static constexpr Type kListed = Type{1} << 19, kLong = kListed + (Type{1} << 18);
  static constexpr Type kNone = Type{1} << 20;
};

// The keys of a block, the index of each key's set, and the results.
struct BlockKeys {
  static constexpr std::size_t kMost = SpanBlock::kMost;
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

struct Portable {
  // Makes the keys of spans [0, count). Precondition: 16 bytes from the start of each may be read.
  static inline __attribute__((always_inline)) void prepare(const KeySet* sets, unsigned shift,
                                                            const SpanBlock& block,
                                                            std::size_t count, BlockKeys& keys) {
    std::size_t begin = block.start;
    for (std::size_t i = 0; i < count; begin = block.ends[i++]) {
      const std::size_t n = block.ends[i] - begin;
      const std::uint8_t* span = block.text + begin;
      keys.note(i, SpanKey::of(span, n, span), sets, shift);
    }
  }
  static inline __attribute__((always_inline)) void compare(const KeySet* sets, std::size_t count,
                                                            BlockKeys& keys) {
    compare_by(sets, count, keys,
               [](const KeySet& set, const SpanKey& key) { return set.way(key); });
  }

  // The value of the entry with index `way`. If the key was not found, way is kWays: then the first
  // entry of the next set is read and kNone added, since a choice would compile to a branch.
  static HotHit::Type found_at(const KeySet& set, std::size_t way) {
    static_assert(HotHit::kNone == KeySet::kWays << 18);
    KeyEntry entry;
    std::memcpy(&entry, reinterpret_cast<const std::uint8_t*>(&set) + way * sizeof entry,
                sizeof entry);
    return entry.value() | static_cast<HotHit::Type>(way & KeySet::kWays) << 18;
  }

  template <class Way>
  static inline __attribute__((always_inline)) void compare_by(const KeySet* sets,
                                                               std::size_t count, BlockKeys& keys,
                                                               Way&& way_of) {
    std::size_t rare = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const KeySet& set = sets[keys.sets[i]];
      const HotHit::Type found = found_at(set, way_of(set, keys.keys[i]));
      keys.found[i] = found;
      keys.rare[rare] = static_cast<std::uint16_t>(i);
      rare += found >= HotHit::kListed;
    }
    keys.rare_count = rare;
  }
};

#if defined(__x86_64__)

struct Avx2 : Portable {
  WORDSPLIT_TARGET_AVX2 static inline void compare(const KeySet* sets, std::size_t count,
                                                   BlockKeys& keys) {
    const __m256i bits = _mm256_set_epi64x(static_cast<long long>(KeyEntry::kKeyBits), -1,
                                           static_cast<long long>(KeyEntry::kKeyBits), -1);
    compare_by(sets, count, keys, [&](const KeySet& set, const SpanKey& key) WORDSPLIT_TARGET_AVX2 {
      const __m256i wanted =
          _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&key)));
      const auto same = [&](const KeyEntry* two) WORDSPLIT_TARGET_AVX2 {
        const __m256i held = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(two));
        const __m256i equal = _mm256_cmpeq_epi64(_mm256_and_si256(held, bits), wanted);
        return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(equal)));
      };
      const unsigned words = same(&set.entries[0]) | same(&set.entries[2]) << 4;
      return static_cast<std::size_t>(__builtin_ctz((words & words >> 1 & 0x55) | 0x100)) / 2;
    });
  }
};

struct Avx512 {
  // Only masked intrinsics, here and below: GCC 12 warns of uninitialized values in the others.
  WORDSPLIT_TARGET_AVX512 static inline __m512i four_times(__m128i x) {
    return _mm512_maskz_broadcast_i32x4(0xFFFF, x);
  }

  WORDSPLIT_TARGET_AVX512 static inline void prepare(const KeySet* sets, unsigned shift,
                                                     const SpanBlock& block, std::size_t count,
                                                     BlockKeys& keys) {
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
    std::uint32_t longer[BlockKeys::kMost + 4];
    std::size_t longer_count = 0;

    const auto note = [&](std::size_t i) WORDSPLIT_TARGET_AVX512 {
      const std::size_t n = block.size(i);
      const std::uint8_t* span = block.text + block.begin(i);
      keys.note(i, SpanKey::of(span, n, span), sets, shift);
    };
    if (count) note(0);
    std::size_t i = 1;
    for (; i + 4 <= count; i += 4) {
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
      longer_count += static_cast<std::size_t>(__builtin_popcount(long_ones));
    }
    for (; i < count; ++i) note(i);
    for (std::size_t k = 0; k < longer_count; ++k) note(longer[k]);
  }

  WORDSPLIT_TARGET_AVX512 static inline void compare(const KeySet* sets, std::size_t count,
                                                     BlockKeys& keys) {
    const __m512i bits = four_times(_mm_set_epi64x(static_cast<long long>(KeyEntry::kKeyBits), -1));
    for (std::size_t i = 0; i < count; ++i) {
      const KeySet& set = sets[keys.sets[i]];
      const __m512i wanted =
          four_times(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&keys.keys[i])));
      const __m512i differ = _mm512_xor_si512(_mm512_loadu_si512(&set), wanted);
      const unsigned words = _mm512_testn_epi64_mask(differ, bits);
      keys.found[i] = Portable::found_at(
          set, static_cast<std::size_t>(__builtin_ctz((words & words >> 1 & 0x55) | 0x100)) / 2);
    }
    std::size_t rare = 0;
    __m256i which = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (std::size_t i = 0; i < count; i += 16) {
      const __m512i found = _mm512_loadu_si512(&keys.found[i]);
      __mmask16 are =
          _mm512_cmpge_epu32_mask(found, _mm512_set1_epi32(static_cast<int>(HotHit::kListed)));
      if (count - i < 16) are &= static_cast<__mmask16>((1U << (count - i)) - 1);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(&keys.rare[rare]),
                          _mm256_maskz_compress_epi16(are, which));
      rare += static_cast<std::size_t>(__builtin_popcount(are));
      which = _mm256_add_epi16(which, _mm256_set1_epi16(16));
    }
    keys.rare_count = rare;
  }
};

#endif

// Makes the keys of the spans from `first` on, too close to the end of the text to read 16 bytes,
// from a copy.
inline void prepare_last(const KeySet* sets, unsigned shift, const SpanBlock& block,
                         std::size_t first, BlockKeys& keys) {
  std::uint8_t copy[32] = {};
  const std::size_t copied = block.n < 16 ? 0 : block.n - 15;
  std::memcpy(copy, block.text + copied, block.n - copied);
  for (std::size_t i = first; i < block.count; ++i) {
    const std::size_t begin = block.begin(i), n = block.size(i);
    keys.note(i, SpanKey::of(block.text + begin, n, copy + (begin - copied)), sets, shift);
  }
}

template <class Level>
inline __attribute__((always_inline)) void look_up(const KeySet* sets, unsigned shift,
                                                   const SpanBlock& block, BlockKeys& keys) {
  std::size_t readable = block.count;
  while (readable > 0 && block.begin(readable - 1) + 16 > block.n) --readable;
  Level::prepare(sets, shift, block, readable, keys);
  if (readable < block.count) prepare_last(sets, shift, block, readable, keys);
  Level::compare(sets, block.count, keys);
}

inline void look_up_portable(const KeySet* sets, unsigned shift, const SpanBlock& block,
                             BlockKeys& keys) {
  look_up<Portable>(sets, shift, block, keys);
}
#if defined(__x86_64__)
WORDSPLIT_TARGET_AVX2 inline void look_up_avx2(const KeySet* sets, unsigned shift,
                                               const SpanBlock& block, BlockKeys& keys) {
  look_up<Avx2>(sets, shift, block, keys);
}
WORDSPLIT_TARGET_AVX512 inline void look_up_avx512(const KeySet* sets, unsigned shift,
                                                   const SpanBlock& block, BlockKeys& keys) {
  look_up<Avx512>(sets, shift, block, keys);
}
#endif

}  // namespace hot_detail

inline HotLookup hot_lookup_at([[maybe_unused]] SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::Avx512) return hot_detail::look_up_avx512;
  if (level == SimdLevel::Avx2) return hot_detail::look_up_avx2;
#endif
  return hot_detail::look_up_portable;
}

}  // namespace wordsplit
