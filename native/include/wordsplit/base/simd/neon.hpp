// NEON of AArch64, where every machine has it: 64 bytes in four registers.
//
// Bytes are loaded interleaved, byte i into register i % 4. Then the mask of their highest bits
// takes six instructions: each shift-and-insert packs the bits of two registers into one.
#pragma once

#include <arm_neon.h>

#include <bit>
#include <cstdint>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/simd/keep.hpp"
#include "wordsplit/base/simd/pair.hpp"
#include "wordsplit/base/simd_level.hpp"

namespace wordsplit::simd {

struct Neon {
  static constexpr SimdLevel kLevel = SimdLevel::Neon;
  static constexpr bool is_available() { return true; }
  template <class Kernel, class Result, class... Arguments>
  static Result run(Arguments... arguments) {
    return Kernel::template run<Neon>(arguments...);
  }

  using Bytes = uint8x16x4_t;

  static WORDSPLIT_INLINE Bytes load(const std::uint8_t* p) { return vld4q_u8(p); }
  static WORDSPLIT_INLINE std::uint64_t high_bits(const Bytes& v) {
    return mask(v, [](uint8x16_t part) { return part; });
  }
  static WORDSPLIT_INLINE std::uint64_t equal(const Bytes& v, std::uint8_t c) {
    return mask(v, [wanted = vdupq_n_u8(c)](uint8x16_t part) { return vceqq_u8(part, wanted); });
  }
  static WORDSPLIT_INLINE std::uint64_t in_range(const Bytes& v, std::uint8_t first,
                                                 std::uint8_t size) {
    return mask(v, [base = vdupq_n_u8(first), end = vdupq_n_u8(size)](uint8x16_t part) {
      return vcltq_u8(vsubq_u8(part, base), end);
    });
  }
  template <unsigned Bit>
  static WORDSPLIT_INLINE std::uint64_t bit(const Bytes& v) {
    return mask(v, [](uint8x16_t part) { return vshlq_n_u8(part, 7 - Bit); });
  }
  static WORDSPLIT_INLINE std::uint64_t in_sets(const Bytes& v, const std::uint8_t* lower,
                                                const std::uint8_t* upper) {
    return mask(v, [lowers = vld1q_u8(lower), uppers = vld1q_u8(upper)](uint8x16_t part) {
      return vtstq_u8(vqtbl1q_u8(lowers, vandq_u8(part, vdupq_n_u8(15))),
                      vqtbl1q_u8(uppers, vshrq_n_u8(part, 4)));
    });
  }
  static WORDSPLIT_INLINE std::size_t find_quarter(const void* p, const Pair& wanted,
                                                   const Pair& bits) {
    const auto* const quarters = static_cast<const std::uint64_t*>(p);
    const uint64x2_t pattern = pair(wanted), mask = pair(bits);
    const auto differ = [&](unsigned i) {
      return vreinterpretq_u32_u64(
          veorq_u64(vandq_u64(vld1q_u64(quarters + 2 * i), mask), pattern));
    };
    // Pairwise maxima: one lane for each quarter, 0 if nothing differs.
    const uint32x4_t most =
        vpmaxq_u32(vpmaxq_u32(differ(0), differ(1)), vpmaxq_u32(differ(2), differ(3)));
    const uint16x4_t equal = vmovn_u32(vceqzq_u32(most));
    const std::uint64_t found = vget_lane_u64(vreinterpret_u64_u16(equal), 0);
    return lowest(found);
  }
  static WORDSPLIT_INLINE void look_up(const std::uint8_t* p, const std::uint8_t* table,
                                       std::uint8_t* to) {
    const Table found(table);
    for (unsigned i = 0; i < 64; i += 16) vst1q_u8(to + i, found(vld1q_u8(p + i)));
  }
  static WORDSPLIT_INLINE void index_pairs(const std::uint8_t* p, const std::uint8_t* table,
                                           std::uint8_t factor, std::uint16_t* to) {
    const Table found(table);
    const uint8x8_t factors = vdup_n_u8(factor);
    for (unsigned i = 0; i < 2; ++i) {
      const uint8x16x2_t two = vld2q_u8(p + 32 * i);
      const uint8x16_t first = found(two.val[0]), second = found(two.val[1]);
      vst1q_u16(to + 16 * i, vmlal_u8(vmovl_u8(vget_low_u8(second)), vget_low_u8(first), factors));
      vst1q_u16(to + 16 * i + 8,
                vmlal_u8(vmovl_u8(vget_high_u8(second)), vget_high_u8(first), factors));
    }
  }
  static WORDSPLIT_INLINE std::size_t keep(std::uint64_t bits, const std::uint32_t* from,
                                           std::uint32_t base, std::uint32_t* to) {
    return keep_one_by_one(bits, from, base, to);
  }
  static WORDSPLIT_INLINE std::uint64_t at_least(const std::uint32_t* p, std::uint32_t least) {
    return numbers_mask([=](unsigned i) { return vld4q_u32(p + i); },
                        [=](uint32x4_t numbers) { return vcgeq_u32(numbers, vdupq_n_u32(least)); });
  }
  static WORDSPLIT_INLINE std::uint64_t rises(const std::uint32_t* p, std::uint32_t least) {
    return numbers_mask(
        [=](unsigned i) {
          const uint32x4x4_t own = vld4q_u32(p + i), before = vld4q_u32(p + i - 1);
          return uint32x4x4_t{
              {vsubq_u32(own.val[0], before.val[0]), vsubq_u32(own.val[1], before.val[1]),
               vsubq_u32(own.val[2], before.val[2]), vsubq_u32(own.val[3], before.val[3])}};
        },
        [=](uint32x4_t numbers) { return vcgeq_u32(numbers, vdupq_n_u32(least)); });
  }
  static WORDSPLIT_INLINE std::uint32_t least(const std::uint32_t* p, std::size_t n) {
    const auto least_of_16 = [](const std::uint32_t* q) {
      return vminq_u32(vminq_u32(vld1q_u32(q), vld1q_u32(q + 4)),
                       vminq_u32(vld1q_u32(q + 8), vld1q_u32(q + 12)));
    };
    uint32x4_t best = least_of_16(p);
    for (std::size_t i = 16; i < n; i += 16) best = vminq_u32(best, least_of_16(p + i));
    return vminvq_u32(best);
  }

 private:
  // The mask of 64 numbers: sixteen(i) gives those from i on, number k in register k % 4, and
  // is_one(numbers) all ones or none for each.
  template <class Sixteen, class IsOne>
  static WORDSPLIT_INLINE std::uint64_t numbers_mask(Sixteen&& sixteen, IsOne&& is_one) {
    const uint32x4x4_t numbers[4] = {sixteen(0), sixteen(16), sixteen(32), sixteen(48)};
    const auto bytes = [&](unsigned k) {
      const auto eight = [&](unsigned i) {
        return vcombine_u16(vmovn_u32(is_one(numbers[i].val[k])),
                            vmovn_u32(is_one(numbers[i + 1].val[k])));
      };
      return vcombine_u8(vmovn_u16(eight(0)), vmovn_u16(eight(2)));
    };
    return mask({{bytes(0), bytes(1), bytes(2), bytes(3)}}, [](uint8x16_t part) { return part; });
  }
  // 128 bytes to look others up in.
  struct Table {
    uint8x16x4_t low, high;

    explicit WORDSPLIT_INLINE Table(const std::uint8_t* p)
        : low(vld1q_u8_x4(p)), high(vld1q_u8_x4(p + 64)) {}
    WORDSPLIT_INLINE uint8x16_t operator()(uint8x16_t bytes) const {
      return vqtbx4q_u8(vqtbl4q_u8(low, bytes), high, vsubq_u8(bytes, vdupq_n_u8(64)));
    }
  };
  static WORDSPLIT_INLINE uint64x2_t pair(const Pair& of) {
    return vcombine_u64(vcreate_u64(of.low), vcreate_u64(of.high));
  }
  // The highest bit of each byte made of those of v.
  template <class Make>
  static WORDSPLIT_INLINE std::uint64_t mask(const Bytes& v, Make&& make) {
    const uint8x16_t two = vsriq_n_u8(make(v.val[1]), make(v.val[0]), 1);
    const uint8x16_t others = vsriq_n_u8(make(v.val[3]), make(v.val[2]), 1);
    const uint8x16_t four = vsriq_n_u8(others, two, 2);
    const uint8x16_t twice = vsriq_n_u8(four, four, 4);
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(twice), 4)), 0);
  }
};

}  // namespace wordsplit::simd
