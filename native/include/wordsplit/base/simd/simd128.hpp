// SIMD of WebAssembly: 64 bytes in four registers. A module with it runs nowhere without it, so it
// is the only level there.
#pragma once

#include <wasm_simd128.h>

#include <cstdint>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/simd/keep.hpp"
#include "wordsplit/base/simd/pair.hpp"
#include "wordsplit/base/simd_level.hpp"

namespace wordsplit::simd {

struct Simd128 {
  static constexpr SimdLevel kLevel = SimdLevel::Simd128;
  static constexpr bool is_available() { return true; }
  template <class Kernel, class Result, class... Arguments>
  static Result run(Arguments... arguments) {
    return Kernel::template run<Simd128>(arguments...);
  }

  struct Bytes {
    v128_t part[4];
  };

  static WORDSPLIT_INLINE Bytes load(const std::uint8_t* p) {
    return {{wasm_v128_load(p), wasm_v128_load(p + 16), wasm_v128_load(p + 32),
             wasm_v128_load(p + 48)}};
  }
  static WORDSPLIT_INLINE std::uint64_t high_bits(const Bytes& v) {
    return mask(v, [](v128_t part) { return part; });
  }
  static WORDSPLIT_INLINE std::uint64_t equal(const Bytes& v, std::uint8_t c) {
    return mask(
        v, [wanted = wasm_u8x16_splat(c)](v128_t part) { return wasm_i8x16_eq(part, wanted); });
  }
  static WORDSPLIT_INLINE std::uint64_t in_range(const Bytes& v, std::uint8_t first,
                                                 std::uint8_t size) {
    return mask(v, [base = wasm_u8x16_splat(first), end = wasm_u8x16_splat(size)](v128_t part) {
      return wasm_u8x16_lt(wasm_i8x16_sub(part, base), end);
    });
  }
  template <unsigned Bit>
  static WORDSPLIT_INLINE std::uint64_t bit(const Bytes& v) {
    return mask(v, [](v128_t part) { return wasm_i8x16_shl(part, 7 - Bit); });
  }
  static WORDSPLIT_INLINE std::uint64_t in_sets(const Bytes& v, const std::uint8_t* lower,
                                                const std::uint8_t* upper) {
    const v128_t lowers = wasm_v128_load(lower), uppers = wasm_v128_load(upper);
    return ~mask(v, [&](v128_t part) {
      const v128_t both =
          wasm_v128_and(wasm_i8x16_swizzle(lowers, wasm_v128_and(part, wasm_i8x16_splat(15))),
                        wasm_i8x16_swizzle(uppers, wasm_u8x16_shr(part, 4)));
      return wasm_i8x16_eq(both, wasm_i8x16_splat(0));
    });
  }
  static WORDSPLIT_INLINE std::size_t find_quarter(const void* p, const Pair& wanted,
                                                   const Pair& bits) {
    const v128_t pattern = wasm_v128_load(&wanted), mask = wasm_v128_load(&bits);
    const auto same = [&](std::size_t i) {
      const v128_t quarter = wasm_v128_load(static_cast<const std::uint8_t*>(p) + 16 * i);
      return wasm_i64x2_eq(wasm_v128_and(quarter, mask), pattern);
    };
    // Four bits a quarter: two for each of its words.
    const unsigned words = wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(
        wasm_i16x8_narrow_i32x4(same(0), same(1)), wasm_i16x8_narrow_i32x4(same(2), same(3))));
    return 4 * lowest_bit((words & words >> 2 & 0x1111) | 0x10000);
  }
  static WORDSPLIT_INLINE void look_up(const std::uint8_t* p, const std::uint8_t* table,
                                       std::uint8_t* to) {
    for (unsigned i = 0; i < 64; i += 16) wasm_v128_store(to + i, found_in(table, p + i));
  }
  static WORDSPLIT_INLINE void index_pairs(const std::uint8_t* p, const std::uint8_t* table,
                                           std::uint8_t factor, std::uint16_t* to) {
    for (unsigned i = 0; i < 4; ++i) {
      const v128_t found = found_in(table, p + 16 * i);
      const v128_t first = wasm_v128_and(found, wasm_u16x8_splat(0xFF));
      wasm_v128_store(to + 8 * i, wasm_i16x8_add(wasm_i16x8_mul(first, wasm_u16x8_splat(factor)),
                                                 wasm_u16x8_shr(found, 8)));
    }
  }
  static WORDSPLIT_INLINE std::size_t keep(std::uint64_t bits, const std::uint32_t* from,
                                           std::uint32_t base, std::uint32_t* to) {
    return keep_one_by_one(bits, from, base, to);
  }
  static WORDSPLIT_INLINE std::uint64_t at_least(const std::uint32_t* p, std::uint32_t least) {
    return numbers_mask(
        p, [=](const std::uint32_t* q) { return wasm_u32x4_ge(four(q), wasm_u32x4_splat(least)); });
  }
  static WORDSPLIT_INLINE std::uint64_t rises(const std::uint32_t* p, std::uint32_t least) {
    return numbers_mask(p, [=](const std::uint32_t* q) {
      return wasm_u32x4_ge(wasm_i32x4_sub(four(q), four(q - 1)), wasm_u32x4_splat(least));
    });
  }
  static WORDSPLIT_INLINE std::uint32_t least(const std::uint32_t* p, std::size_t n) {
    v128_t best = wasm_v128_load(p);
    for (std::size_t i = 4; i < n; i += 4) best = wasm_u32x4_min(best, wasm_v128_load(p + i));
    best = wasm_u32x4_min(best, wasm_i32x4_shuffle(best, best, 2, 3, 0, 1));
    best = wasm_u32x4_min(best, wasm_i32x4_shuffle(best, best, 1, 0, 3, 2));
    return wasm_u32x4_extract_lane(best, 0);
  }

 private:
  static WORDSPLIT_INLINE v128_t four(const std::uint32_t* p) { return wasm_v128_load(p); }
  // The mask of 64 numbers: make(q) gives all ones or none for each of four.
  template <class Make>
  static WORDSPLIT_INLINE std::uint64_t numbers_mask(const std::uint32_t* p, Make&& make) {
    std::uint64_t out = 0;
    for (unsigned i = 0; i < 64; i += 16) {
      const auto eight = [&](unsigned k) {
        return wasm_i16x8_narrow_i32x4(make(p + i + k), make(p + i + k + 4));
      };
      out |= std::uint64_t{wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(eight(0), eight(8)))} << i;
    }
    return out;
  }
  // table[byte] for the 16 bytes at p, which are below 0x80.
  static WORDSPLIT_INLINE v128_t found_in(const std::uint8_t* table, const std::uint8_t* p) {
    const v128_t bytes = wasm_v128_load(p);
    v128_t found = wasm_i8x16_splat(0);
    for (unsigned k = 0; k < 8; ++k) {  // a swizzle gives 0 for all but the 16 bytes from 16 k on
      const v128_t at = wasm_i8x16_sub(bytes, wasm_u8x16_splat(static_cast<std::uint8_t>(16 * k)));
      found = wasm_v128_or(found, wasm_i8x16_swizzle(wasm_v128_load(table + 16 * k), at));
    }
    return found;
  }
  // The highest bit of each byte made of those of v.
  template <class Make>
  static WORDSPLIT_INLINE std::uint64_t mask(const Bytes& v, Make&& make) {
    const auto bits = [&](unsigned i) -> std::uint64_t {
      return static_cast<std::uint32_t>(wasm_i8x16_bitmask(make(v.part[i])));
    };
    return bits(0) | bits(1) << 16 | bits(2) << 32 | bits(3) << 48;
  }
};

}  // namespace wordsplit::simd
