// One vocabulary of 64-byte vectors for all instruction sets, and kernels compiled for each.
//
// An instruction set is a struct with a type Bytes, 64 bytes in its registers, and these functions.
// Bit i of a mask stands for byte i.
//   load(p)                    the bytes at p, which need no alignment
//   high_bits(v)               the mask of bytes whose highest bit is set
//   equal(v, c)                ... that equal c
//   in_range(v, first, size)   ... from first to first + size - 1, for ranges of ASCII
//   bit<k>(v)                  ... whose bit k is set
//   in_sets(v, lower, upper)   ... for which lower[byte % 16] & upper[byte / 16] is not 0
// And without Bytes:
//   find_quarter(p, wanted, bits)   the offset of the first of four times 16 bytes at p that equals
//                                   `wanted` in the given bits, the only ones that `wanted`
//                                   has; 64 if none does
//   at_least(p, least)              the mask of those of the 64 numbers at p that are `least` or
//                                   more
//   rises(p, least)                 ... that are `least` or more above the number before them
//   look_up(p, table, to)           writes table[byte] for each of the 64 bytes at p, all below
//                                   0x80
//   index_pairs(p, table, factor, to)   writes table[first] * factor + table[second] for each two
//                                   of such bytes. They are below 0x80, factor too
//   keep(bits, from, base, to)      writes base + each of the 64 numbers at `from` with a bit, and
//                                   returns how many. May write up to kKeepRoom numbers more
//   least(p, n)                     the least of n numbers at p, a multiple of 16
// Sets that look many numbers up at once have a type Lanes, kCount numbers of 32 bits, with the
// operators of numbers, bit i of a mask for lane i, and these functions.
//   load(p), of(value)         the numbers at p, which need no alignment; the same number in all
//   look_up(table, at)         table[at], of numbers; of bytes, with three more after each
//   have(bits)                 the mask of lanes that have one of these bits
//   store_bytes(p)             writes the lowest byte of each
//
// A kernel is a struct with the type of its Function and a template `run<Set>`, WORDSPLIT_INLINE as
// everything in it that touches Bytes. It is compiled for each instruction set of the architecture,
// and kernel_at() gives the function for a level. This file alone knows which sets there are.
#pragma once

#include <array>
#include <cstddef>

#include "wordsplit/base/simd/portable.hpp"
#include "wordsplit/base/simd_level.hpp"

#if defined(__x86_64__)
#include "wordsplit/base/simd/avx2.hpp"
#include "wordsplit/base/simd/avx512.hpp"
#elif defined(__aarch64__)
#include "wordsplit/base/simd/neon.hpp"
#elif defined(__wasm_simd128__)
#include "wordsplit/base/simd/simd128.hpp"
#endif

namespace wordsplit {

inline constexpr std::size_t kKeepRoom = 16;

namespace simd {

template <class Set>
concept HasLanes = requires { typename Set::Lanes; };

template <class... Set>
struct SetList {
  template <class Do>
  static constexpr void for_each(Do&& action) {
    (action(Set{}), ...);
  }
};

// Slower ones first.
#if defined(__x86_64__)
using Sets = SetList<Portable, Avx2, Avx512>;
#elif defined(__aarch64__)
using Sets = SetList<Portable, Neon>;
#elif defined(__wasm_simd128__)
using Sets = SetList<Simd128>;
#else
using Sets = SetList<Portable>;
#endif

template <class Kernel, class Function>
struct Compiled;
template <class Kernel, class Result, class... Arguments>
struct Compiled<Kernel, Result (*)(Arguments...)> {
  using Function = Result (*)(Arguments...);
  static constexpr auto kAt = [] {
    std::array<Function, kSimdLevels> at{};
    Sets::for_each([&](auto set) {
      at[static_cast<std::size_t>(set.kLevel)] =
          &decltype(set)::template run<Kernel, Result, Arguments...>;
    });
    return at;
  }();
};

}  // namespace simd

// The levels of this machine, slower ones first.
struct AvailableLevels {
  std::array<SimdLevel, kSimdLevels> levels{};
  std::size_t count = 0;

  const SimdLevel* begin() const { return levels.data(); }
  const SimdLevel* end() const { return levels.data() + count; }
};
inline AvailableLevels simd_levels() {
  AvailableLevels out;
  simd::Sets::for_each([&](auto set) {
    if (set.is_available()) out.levels[out.count++] = set.kLevel;
  });
  return out;
}
inline SimdLevel best_simd_level() {
  SimdLevel best{};
  simd::Sets::for_each([&](auto set) {
    if (set.is_available()) best = set.kLevel;
  });
  return best;
}

// A kernel's function by level; null for levels of other architectures.
template <class Kernel>
inline constexpr const auto& kKernels = simd::Compiled<Kernel, typename Kernel::Function>::kAt;

// Precondition: the machine has the level.
template <class Kernel>
constexpr typename Kernel::Function kernel_at(SimdLevel level) {
  return kKernels<Kernel>[static_cast<std::size_t>(level)];
}

}  // namespace wordsplit
