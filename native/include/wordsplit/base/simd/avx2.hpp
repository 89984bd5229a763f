// AVX2: 64 bytes in two registers.
#pragma once

#include <immintrin.h>

#include <array>
#include <bit>
#include <cstdint>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/simd/pair.hpp"
#include "wordsplit/base/simd_level.hpp"

#define WORDSPLIT_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2")))

namespace wordsplit::simd {

// For each byte, which of its bits are set.
inline constexpr auto kKeptOf8 = [] {
  std::array<std::array<std::uint8_t, 8>, 256> out{};
  for (unsigned bits = 0; bits < 256; ++bits) {
    unsigned count = 0;
    for (std::uint8_t i = 0; i < 8; ++i) {
      if (bits >> i & 1) out[bits][count++] = i;
    }
  }
  return out;
}();

struct Avx2 {
  static constexpr SimdLevel kLevel = SimdLevel::Avx2;
  static bool is_available() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
  }
  template <class Kernel, class Result, class... Arguments>
  WORDSPLIT_TARGET_AVX2 static Result run(Arguments... arguments) {
    return Kernel::template run<Avx2>(arguments...);
  }

  struct Bytes {
    __m256i low, high;
  };

  WORDSPLIT_TARGET_AVX2 static inline Bytes load(const std::uint8_t* p) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)),
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32))};
  }
  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t high_bits(const Bytes& v) {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(v.low)) |
           std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(v.high))} << 32;
  }
  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t equal(const Bytes& v, std::uint8_t c) {
    const __m256i wanted = every(c);
    return high_bits({_mm256_cmpeq_epi8(v.low, wanted), _mm256_cmpeq_epi8(v.high, wanted)});
  }
  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t in_range(const Bytes& v, std::uint8_t first,
                                                             std::uint8_t size) {
    const __m256i base = every(first), top = every(static_cast<std::uint8_t>(size - 1));
    const __m256i low = _mm256_sub_epi8(v.low, base), high = _mm256_sub_epi8(v.high, base);
    return high_bits({_mm256_cmpeq_epi8(_mm256_min_epu8(low, top), low),
                      _mm256_cmpeq_epi8(_mm256_min_epu8(high, top), high)});
  }
  template <unsigned Bit>
  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t bit(const Bytes& v) {
    return high_bits({_mm256_slli_epi16(v.low, 7 - Bit), _mm256_slli_epi16(v.high, 7 - Bit)});
  }
  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t in_sets(const Bytes& v,
                                                            const std::uint8_t* lower,
                                                            const std::uint8_t* upper) {
    const __m256i lowers = twice(lower), uppers = twice(upper);
    return ~high_bits({in_none(v.low, lowers, uppers), in_none(v.high, lowers, uppers)});
  }
  WORDSPLIT_TARGET_AVX2 static inline std::size_t find_quarter(const void* p, const Pair& wanted,
                                                               const Pair& bits) {
    const auto* const two = static_cast<const __m256i*>(p);
    const __m256i pattern = twice(&wanted), mask = twice(&bits);
    const auto equal = [&](__m256i quarters) WORDSPLIT_TARGET_AVX2 {
      return _mm256_cmpeq_epi64(_mm256_and_si256(quarters, mask), pattern);
    };
    // Packed, a quarter has one word, whose halves stand for its two; the order is 0, 2, 1, 3.
    const __m256i packed = _mm256_permute4x64_epi64(
        _mm256_packs_epi32(equal(_mm256_loadu_si256(two)), equal(_mm256_loadu_si256(two + 1))),
        0xD8);
    const __m256i both = _mm256_cmpeq_epi64(packed, _mm256_set1_epi64x(-1));
    return 2U * static_cast<unsigned>(
                    std::countr_zero(static_cast<std::uint32_t>(_mm256_movemask_epi8(both))));
  }
  WORDSPLIT_TARGET_AVX2 static inline void look_up(const std::uint8_t* p, const std::uint8_t* table,
                                                   std::uint8_t* to) {
    const Bytes found = found_in(table, p);
    auto* const out = reinterpret_cast<__m256i*>(to);
    _mm256_storeu_si256(out, found.low);
    _mm256_storeu_si256(out + 1, found.high);
  }
  WORDSPLIT_TARGET_AVX2 static inline void index_pairs(const std::uint8_t* p,
                                                       const std::uint8_t* table,
                                                       std::uint8_t factor, std::uint16_t* to) {
    const __m256i factors = _mm256_set1_epi16(static_cast<short>(0x100 | factor));
    const Bytes found = found_in(table, p);
    auto* const out = reinterpret_cast<__m256i*>(to);
    _mm256_storeu_si256(out, _mm256_maddubs_epi16(found.low, factors));
    _mm256_storeu_si256(out + 1, _mm256_maddubs_epi16(found.high, factors));
  }
  WORDSPLIT_TARGET_AVX2 static inline std::size_t keep(std::uint64_t bits,
                                                       const std::uint32_t* from,
                                                       std::uint32_t base, std::uint32_t* to) {
    std::uint32_t* out = to;
    for (unsigned i = 0; i < 64; i += 8, bits >>= 8) {
      const std::uint8_t* const kept = kKeptOf8[bits & 0xFF].data();
      const __m256i order =
          _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(kept)));
      const __m256i some = _mm256_permutevar8x32_epi32(eight(from + i), order);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                          _mm256_add_epi32(some, _mm256_set1_epi32(static_cast<int>(base))));
      out += std::popcount(bits & 0xFF);
    }
    return static_cast<std::size_t>(out - to);
  }
  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t at_least(const std::uint32_t* p,
                                                             std::uint32_t least) {
    std::uint64_t out = 0;
    for (unsigned i = 0; i < 64; i += 8) out |= at_least(eight(p + i), least) << i;
    return out;
  }
  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t rises(const std::uint32_t* p,
                                                          std::uint32_t least) {
    std::uint64_t out = 0;
    for (unsigned i = 0; i < 64; i += 8) {
      out |= at_least(_mm256_sub_epi32(eight(p + i), eight(p + i - 1)), least) << i;
    }
    return out;
  }
  WORDSPLIT_TARGET_AVX2 static inline std::uint32_t least(const std::uint32_t* p, std::size_t n) {
    const auto* const wide = reinterpret_cast<const __m256i*>(p);
    __m256i most = _mm256_min_epu32(_mm256_loadu_si256(wide), _mm256_loadu_si256(wide + 1));
    for (std::size_t i = 2; i < n / 8; ++i) {
      most = _mm256_min_epu32(most, _mm256_loadu_si256(wide + i));
    }
    __m128i best = _mm_min_epu32(_mm256_castsi256_si128(most), _mm256_extracti128_si256(most, 1));
    best = _mm_min_epu32(best, _mm_shuffle_epi32(best, 0x4E));
    best = _mm_min_epu32(best, _mm_shuffle_epi32(best, 0xB1));
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(best));
  }

  struct Lanes {
    static constexpr unsigned kCount = 8;
    __m256i all;

    WORDSPLIT_TARGET_AVX2 static inline Lanes load(const std::uint32_t* p) {
      return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))};
    }
    WORDSPLIT_TARGET_AVX2 static inline Lanes of(std::uint32_t value) {
      return {_mm256_set1_epi32(static_cast<int>(value))};
    }
    WORDSPLIT_TARGET_AVX2 static inline Lanes look_up(const std::uint32_t* table, const Lanes& at) {
      return {_mm256_i32gather_epi32(reinterpret_cast<const int*>(table), at.all, 4)};
    }
    WORDSPLIT_TARGET_AVX2 static inline Lanes look_up(const std::uint8_t* table, const Lanes& at) {
      return {_mm256_i32gather_epi32(reinterpret_cast<const int*>(table), at.all, 1)};
    }
    WORDSPLIT_TARGET_AVX2 friend inline Lanes operator+(const Lanes& a, const Lanes& b) {
      return {_mm256_add_epi32(a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX2 friend inline Lanes operator*(const Lanes& a, const Lanes& b) {
      return {_mm256_mullo_epi32(a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX2 friend inline Lanes operator&(const Lanes& a, const Lanes& b) {
      return {_mm256_and_si256(a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX2 friend inline Lanes operator|(const Lanes& a, const Lanes& b) {
      return {_mm256_or_si256(a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX2 friend inline Lanes operator^(const Lanes& a, const Lanes& b) {
      return {_mm256_xor_si256(a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX2 friend inline Lanes operator<<(const Lanes& a, const Lanes& b) {
      return {_mm256_sllv_epi32(a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX2 friend inline Lanes operator>>(const Lanes& a, const Lanes& b) {
      return {_mm256_srlv_epi32(a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX2 inline std::uint64_t have(std::uint32_t bits) const {
      const __m256i none = _mm256_cmpeq_epi32((*this & of(bits)).all, _mm256_setzero_si256());
      return ~static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(none))) & 0xFF;
    }
    WORDSPLIT_TARGET_AVX2 inline void store_bytes(std::uint8_t* to) const {
      const __m256i low = (*this & of(0xFF)).all;
      const __m256i words = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, low), 0x08);
      const __m128i bytes =
          _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_castsi256_si128(words));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to), bytes);
    }
  };

 private:
  WORDSPLIT_TARGET_AVX2 static inline __m256i eight(const std::uint32_t* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  WORDSPLIT_TARGET_AVX2 static inline std::uint64_t at_least(__m256i numbers, std::uint32_t least) {
    const __m256i greater = _mm256_max_epu32(numbers, _mm256_set1_epi32(static_cast<int>(least)));
    return static_cast<std::uint32_t>(
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(greater, numbers))));
  }
  WORDSPLIT_TARGET_AVX2 static inline __m256i every(std::uint8_t c) {
    return _mm256_set1_epi8(static_cast<char>(c));
  }
  WORDSPLIT_TARGET_AVX2 static inline __m256i twice(const void* p) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(static_cast<const __m128i*>(p)));
  }
  // table[byte] for the 64 bytes at p, which are below 0x80.
  WORDSPLIT_TARGET_AVX2 static inline Bytes found_in(const std::uint8_t* table,
                                                     const std::uint8_t* p) {
    const Bytes v = load(p);
    Bytes out = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (unsigned i = 0; i < 8; ++i) {
      const __m256i part = twice(table + 16 * i), first = every(static_cast<std::uint8_t>(16 * i));
      // The highest bit, with which a shuffle gives 0, is set except for the 16 bytes from `first`
      // on.
      const auto found = [&](__m256i bytes) WORDSPLIT_TARGET_AVX2 {
        return _mm256_shuffle_epi8(part,
                                   _mm256_adds_epu8(_mm256_xor_si256(bytes, first), every(0x70)));
      };
      out.low = _mm256_or_si256(out.low, found(v.low));
      out.high = _mm256_or_si256(out.high, found(v.high));
    }
    return out;
  }
  WORDSPLIT_TARGET_AVX2 static inline __m256i in_none(__m256i v, __m256i lowers, __m256i uppers) {
    const __m256i half = every(15);
    const __m256i both = _mm256_and_si256(
        _mm256_shuffle_epi8(lowers, _mm256_and_si256(v, half)),
        _mm256_shuffle_epi8(uppers, _mm256_and_si256(_mm256_srli_epi16(v, 4), half)));
    return _mm256_cmpeq_epi8(both, _mm256_setzero_si256());
  }
};

}  // namespace wordsplit::simd
