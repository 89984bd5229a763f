// 64 bytes in eight words, for machines without one of the other instruction sets.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/simd/keep.hpp"
#include "wordsplit/base/simd/pair.hpp"
#include "wordsplit/base/simd_level.hpp"

namespace wordsplit::simd {

struct Portable {
  static constexpr SimdLevel kLevel = SimdLevel::Scalar;
  static constexpr bool is_available() { return true; }
  template <class Kernel, class Result, class... Arguments>
  static Result run(Arguments... arguments) {
    return Kernel::template run<Portable>(arguments...);
  }

  struct Bytes {
    std::uint64_t words[8];
  };
  static constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;

  static WORDSPLIT_INLINE Bytes load(const std::uint8_t* p) {
    Bytes out;
    std::memcpy(&out, p, sizeof out);
    return out;
  }
  // The highest bit of each byte of the words made of those of v: a multiplication gathers eight.
  template <class Make>
  static WORDSPLIT_INLINE std::uint64_t mask(const Bytes& v, Make&& make) {
    std::uint64_t out = 0;
    for (unsigned i = 0; i < 8; ++i) {
      out |= ((make(v.words[i]) >> 7 & kOnes) * 0x0102040810204080 >> 56) << 8 * i;
    }
    return out;
  }
  static WORDSPLIT_INLINE std::uint64_t high_bits(const Bytes& v) {
    return mask(v, [](std::uint64_t word) { return word; });
  }
  static WORDSPLIT_INLINE std::uint64_t equal(const Bytes& v, std::uint8_t c) {
    return mask(v, [c](std::uint64_t word) {
      const std::uint64_t differ = word ^ c * kOnes;
      return ~(((differ & ~kHighs) + ~kHighs) | differ);
    });
  }
  // Adding to seven bits carries into the highest one, and no further.
  static WORDSPLIT_INLINE std::uint64_t in_range(const Bytes& v, std::uint8_t first,
                                                 std::uint8_t size) {
    return mask(v, [first, size](std::uint64_t word) {
      const std::uint64_t low = word & ~kHighs, from = low + (0x80U - first) * kOnes,
                          behind = low + (0x80U - first - size) * kOnes;
      return from & ~behind & ~word;
    });
  }
  template <unsigned Bit>
  static WORDSPLIT_INLINE std::uint64_t bit(const Bytes& v) {
    return mask(v, [](std::uint64_t word) { return word << (7 - Bit); });
  }
  static WORDSPLIT_INLINE std::uint64_t in_sets(const Bytes& v, const std::uint8_t* lower,
                                                const std::uint8_t* upper) {
    std::uint64_t out = 0;
    for (unsigned i = 0; i < 8; ++i) {
      for (unsigned k = 0; k < 8; ++k) {
        const std::uint64_t byte = v.words[i] >> (8 * k) & 0xFF;
        out |= std::uint64_t{(lower[byte & 15] & upper[byte >> 4]) != 0} << (8 * i + k);
      }
    }
    return out;
  }
  static WORDSPLIT_INLINE std::size_t find_quarter(const void* p, const Pair& wanted,
                                                   const Pair& bits) {
    Pair quarters[4];
    std::memcpy(quarters, p, sizeof quarters);
    unsigned which = 1U << 4;
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint64_t differ = ((quarters[i].low ^ wanted.low) & bits.low) |
                                   ((quarters[i].high ^ wanted.high) & bits.high);
      which |= unsigned{differ == 0} << i;
    }
    return 16 * lowest_bit(which);
  }
  static WORDSPLIT_INLINE void look_up(const std::uint8_t* p, const std::uint8_t* table,
                                       std::uint8_t* to) {
    for (unsigned i = 0; i < 64; ++i) to[i] = table[p[i]];
  }
  static WORDSPLIT_INLINE void index_pairs(const std::uint8_t* p, const std::uint8_t* table,
                                           std::uint8_t factor, std::uint16_t* to) {
    for (unsigned i = 0; i < 32; ++i) {
      to[i] = static_cast<std::uint16_t>(table[p[2 * i]] * factor + table[p[2 * i + 1]]);
    }
  }
  static WORDSPLIT_INLINE std::size_t keep(std::uint64_t bits, const std::uint32_t* from,
                                           std::uint32_t base, std::uint32_t* to) {
    return keep_one_by_one(bits, from, base, to);
  }
  static WORDSPLIT_INLINE std::uint64_t at_least(const std::uint32_t* p, std::uint32_t least) {
    std::uint64_t out = 0;
    for (unsigned i = 0; i < 64; ++i) out |= std::uint64_t{p[i] >= least} << i;
    return out;
  }
  static WORDSPLIT_INLINE std::uint64_t rises(const std::uint32_t* p, std::uint32_t least) {
    std::uint64_t out = 0;
    for (int i = 0; i < 64; ++i) out |= std::uint64_t{p[i] - p[i - 1] >= least} << i;
    return out;
  }
  static WORDSPLIT_INLINE std::uint32_t least(const std::uint32_t* p, std::size_t n) {
    // Compiles to SSE2 where that is all there is.
    typedef std::uint32_t Wide __attribute__((vector_size(16)));
    const auto wide = [&](std::size_t i) {
      Wide read;
      std::memcpy(&read, p + 4 * i, sizeof read);
      return read;
    };
    const auto lesser = [](Wide a, Wide b) { return a < b ? a : b; };
    Wide best = lesser(lesser(wide(0), wide(1)), lesser(wide(2), wide(3)));
    for (std::size_t i = 4; i < n / 4; ++i) best = lesser(best, wide(i));
    best = lesser(best, __builtin_shufflevector(best, best, 2, 3, 0, 1));
    return std::min(best[0], best[1]);
  }
};

}  // namespace wordsplit::simd
