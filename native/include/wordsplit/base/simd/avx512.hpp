// AVX-512 with the byte instructions of VBMI 2: 64 bytes in one register.
#pragma once

#include <immintrin.h>

#include <bit>
#include <cstdint>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/simd/avx2.hpp"

#define WORDSPLIT_TARGET_AVX512                                                    \
  __attribute__((                                                                  \
      target("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi," \
             "bmi2")))

namespace wordsplit::simd {

struct Avx512 {
  static constexpr SimdLevel kLevel = SimdLevel::Avx512;
  // Requires VBMI 2, which only CPUs have that do not lower their clock under 512-bit work.
  static bool is_available() {
    return Avx2::is_available() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2");
  }
  template <class Kernel, class Result, class... Arguments>
  WORDSPLIT_TARGET_AVX512 static Result run(Arguments... arguments) {
    return Kernel::template run<Avx512>(arguments...);
  }

  struct Bytes {
    __m512i all;
  };

  WORDSPLIT_TARGET_AVX512 static inline Bytes load(const std::uint8_t* p) {
    return {_mm512_loadu_si512(p)};
  }
  // Copies n < 64 bytes, and zeros after them. One store, which load() need not wait for.
  WORDSPLIT_TARGET_AVX512 static inline void copy_padded(const std::uint8_t* from, std::size_t n,
                                                         std::uint8_t* to) {
    const __mmask64 kept = (std::uint64_t{1} << n) - 1;
    _mm512_storeu_si512(to, _mm512_maskz_loadu_epi8(kept, from));
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t high_bits(const Bytes& v) {
    return _mm512_movepi8_mask(v.all);
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t equal(const Bytes& v, std::uint8_t c) {
    return _mm512_cmpeq_epi8_mask(v.all, every(c));
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t in_range(const Bytes& v, std::uint8_t first,
                                                               std::uint8_t size) {
    return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(v.all, every(first)), every(size));
  }
  template <unsigned Bit>
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t bit(const Bytes& v) {
    return _mm512_test_epi8_mask(v.all, every(1U << Bit));
  }
  // Only masked intrinsics: GCC 12 warns of uninitialized values in the others.
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t in_sets(const Bytes& v,
                                                              const std::uint8_t* lower,
                                                              const std::uint8_t* upper) {
    const __m512i half = every(15);
    return _mm512_test_epi8_mask(
        _mm512_shuffle_epi8(four_times(lower), _mm512_and_si512(v.all, half)),
        _mm512_shuffle_epi8(four_times(upper),
                            _mm512_and_si512(_mm512_srli_epi16(v.all, 4), half)));
  }
  WORDSPLIT_TARGET_AVX512 static inline std::size_t find_quarter(const void* p, const Pair& wanted,
                                                                 const Pair& bits) {
    return Avx2::find_quarter(p, wanted, bits);  // one register of 512 bits takes longer
  }
  WORDSPLIT_TARGET_AVX512 static inline void look_up(const std::uint8_t* p,
                                                     const std::uint8_t* table, std::uint8_t* to) {
    _mm512_storeu_si512(to, found_in(table, p));
  }
  WORDSPLIT_TARGET_AVX512 static inline void index_pairs(const std::uint8_t* p,
                                                         const std::uint8_t* table,
                                                         std::uint8_t factor, std::uint16_t* to) {
    const __m512i factors = _mm512_set1_epi16(static_cast<short>(0x100 | factor));
    _mm512_storeu_si512(to, _mm512_maddubs_epi16(found_in(table, p), factors));
  }
  WORDSPLIT_TARGET_AVX512 static inline std::size_t keep(std::uint64_t bits,
                                                         const std::uint32_t* from,
                                                         std::uint32_t base, std::uint32_t* to) {
    const __m512i bases = _mm512_set1_epi32(static_cast<int>(base));
    std::uint32_t* out = to;
    for (unsigned i = 0; i < 64; i += 16) {
      const auto kept = static_cast<__mmask16>(bits >> i);
      const __m512i some = _mm512_maskz_compress_epi32(kept, _mm512_loadu_si512(from + i));
      _mm512_storeu_si512(out, _mm512_add_epi32(some, bases));
      out += std::popcount(kept);
    }
    return static_cast<std::size_t>(out - to);
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t at_least(const std::uint32_t* p,
                                                               std::uint32_t least) {
    std::uint64_t out = 0;
    for (unsigned i = 0; i < 64; i += 16) out |= at_least(_mm512_loadu_si512(p + i), least) << i;
    return out;
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t rises(const std::uint32_t* p,
                                                            std::uint32_t least) {
    std::uint64_t out = 0;
    for (unsigned i = 0; i < 64; i += 16) {
      const __m512i before = _mm512_loadu_si512(p + i - 1);
      out |= at_least(_mm512_sub_epi32(_mm512_loadu_si512(p + i), before), least) << i;
    }
    return out;
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint32_t least(const std::uint32_t* p, std::size_t n) {
    return Avx2::least(p, n);  // registers of 512 bits gain nothing for so few
  }

  struct Lanes {
    static constexpr unsigned kCount = 16;
    __m512i all;

    WORDSPLIT_TARGET_AVX512 static inline Lanes load(const std::uint32_t* p) {
      return {_mm512_loadu_si512(p)};
    }
    WORDSPLIT_TARGET_AVX512 static inline Lanes of(std::uint32_t value) {
      return {_mm512_set1_epi32(static_cast<int>(value))};
    }
    WORDSPLIT_TARGET_AVX512 static inline Lanes look_up(const std::uint32_t* table,
                                                        const Lanes& at) {
      return {_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xFFFF, at.all, table, 4)};
    }
    WORDSPLIT_TARGET_AVX512 static inline Lanes look_up(const std::uint8_t* table,
                                                        const Lanes& at) {
      return {_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xFFFF, at.all, table, 1)};
    }
    WORDSPLIT_TARGET_AVX512 friend inline Lanes operator+(const Lanes& a, const Lanes& b) {
      return {_mm512_add_epi32(a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX512 friend inline Lanes operator*(const Lanes& a, const Lanes& b) {
      return {_mm512_mullo_epi32(a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX512 friend inline Lanes operator&(const Lanes& a, const Lanes& b) {
      return {_mm512_and_si512(a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX512 friend inline Lanes operator|(const Lanes& a, const Lanes& b) {
      return {_mm512_or_si512(a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX512 friend inline Lanes operator^(const Lanes& a, const Lanes& b) {
      return {_mm512_xor_si512(a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX512 friend inline Lanes operator<<(const Lanes& a, const Lanes& b) {
      return {_mm512_maskz_sllv_epi32(0xFFFF, a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX512 friend inline Lanes operator>>(const Lanes& a, const Lanes& b) {
      return {_mm512_maskz_srlv_epi32(0xFFFF, a.all, b.all)};
    }
    WORDSPLIT_TARGET_AVX512 inline std::uint64_t have(std::uint32_t bits) const {
      return _mm512_test_epi32_mask(all, of(bits).all);
    }
    WORDSPLIT_TARGET_AVX512 inline void store_bytes(std::uint8_t* to) const {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_maskz_cvtepi32_epi8(0xFFFF, all));
    }
  };

 private:
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t at_least(__m512i numbers,
                                                               std::uint32_t least) {
    return _mm512_cmpge_epu32_mask(numbers, _mm512_set1_epi32(static_cast<int>(least)));
  }
  WORDSPLIT_TARGET_AVX512 static inline __m512i found_in(const std::uint8_t* table,
                                                         const std::uint8_t* p) {
    return _mm512_permutex2var_epi8(_mm512_loadu_si512(table), load(p).all,
                                    _mm512_loadu_si512(table + 64));
  }
  WORDSPLIT_TARGET_AVX512 static inline __m512i every(std::uint8_t c) {
    return _mm512_set1_epi8(static_cast<char>(c));
  }
  WORDSPLIT_TARGET_AVX512 static inline __m512i four_times(const void* p) {
    return _mm512_maskz_broadcast_i32x4(0xFFFF, _mm_loadu_si128(static_cast<const __m128i*>(p)));
  }
};

}  // namespace wordsplit::simd
