// Names for what GCC and clang spell one way and MSVC another. The functions of
// instruction sets are in simd_level.hpp.
#pragma once

#include <bit>
#include <cstdint>

// A function that is inlined into its caller whatever its size, and compiled for the instruction
// set of that caller.
#if defined(__GNUC__)  // clang, too
#define WORDSPLIT_INLINE inline __attribute__((always_inline))
#else
#include <intrin.h>
#define WORDSPLIT_INLINE __forceinline
#endif

// Before a loop: four rounds at a time, except in WebAssembly, where the size counts.
#if defined(__wasm__)
#define WORDSPLIT_UNROLL_4
#elif defined(__clang__)
#define WORDSPLIT_UNROLL_4 _Pragma("clang loop unroll_count(4)")
#elif defined(__GNUC__)
#define WORDSPLIT_UNROLL_4 _Pragma("GCC unroll 4")
#else
#define WORDSPLIT_UNROLL_4
#endif

// A part of a long loop that stays a function. Engines of WebAssembly compile a function that runs
// often a second time, for calls that come then: a loop in a function that is called once is slow
// to its end.
#if defined(__wasm__)
#define WORDSPLIT_PART_OF_LOOP __attribute__((noinline))
#else
#define WORDSPLIT_PART_OF_LOOP
#endif

namespace wordsplit {

// Whether to leave out all but byte-level BPE with the pattern of a scanner, for a smaller program.
#if defined(WORDSPLIT_ONLY_BYTES)
inline constexpr bool kOnlyBytes = true;
#else
inline constexpr bool kOnlyBytes = false;
#endif

// Prefetches the cache line at p. GCC would treat a function that only prefetches as one without
// effect and remove calls of it; the empty assembly prevents that.
WORDSPLIT_INLINE void prefetch_line(const void* p) {
#if defined(__GNUC__)
  __builtin_prefetch(p);
  __asm__ volatile("");
#elif defined(_M_X64)
  _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T0);
#elif defined(_M_ARM64)
  __prefetch(p);
#endif
}

// The same where an access to it follows so late that WebAssembly gains, too. That has no such
// instruction: the line is read there, and nothing waits for it. p must point into an object.
WORDSPLIT_INLINE void fetch_line(const void* p) {
#if defined(__wasm__)
  static_cast<void>(*static_cast<const volatile unsigned char*>(p));
#else
  prefetch_line(p);
#endif
}

// The same as prefetch_line for a line that is about to be written.
WORDSPLIT_INLINE void prefetch_line_to_write(const void* p) {
#if defined(__GNUC__)
  __builtin_prefetch(p, 1);
  __asm__ volatile("");
#else
  prefetch_line(p);
#endif
}

// The index of the lowest bit that is set. Precondition: there is one, for which std::countr_zero
// would test on CPUs without BMI.
template <class Word>
WORDSPLIT_INLINE unsigned lowest_bit(Word word) {
#if defined(__GNUC__)
  if constexpr (sizeof(Word) <= sizeof(unsigned)) {
    return static_cast<unsigned>(__builtin_ctz(word));
  } else {
    return static_cast<unsigned>(__builtin_ctzll(word));
  }
#else
  return static_cast<unsigned>(std::countr_zero(word));
#endif
}

// A product of 128 bits.
struct Product {
  std::uint64_t low, high;
};

WORDSPLIT_INLINE Product multiply(std::uint64_t a, std::uint64_t b) {
// WebAssembly has no such product, and a call of the compiler's library costs more than the parts.
#if defined(__SIZEOF_INT128__) && !defined(__wasm__)
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)};
#elif defined(_MSC_VER) && defined(_M_X64)
  Product product;
  product.low = _umul128(a, b, &product.high);
  return product;
#elif defined(_MSC_VER) && defined(_M_ARM64)
  return {a * b, __umulh(a, b)};
#else
  const std::uint64_t low = (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF);
  const std::uint64_t one = (a >> 32) * (b & 0xFFFFFFFF) + (low >> 32);
  const std::uint64_t other = (a & 0xFFFFFFFF) * (b >> 32) + (one & 0xFFFFFFFF);
  return {a * b, (a >> 32) * (b >> 32) + (one >> 32) + (other >> 32)};
#endif
}

}  // namespace wordsplit
