// Keys of spans: two words that the tables of spans and tokens compare and hash.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "wordsplit/base/hash.hpp"
#include "wordsplit/base/simd.hpp"

namespace wordsplit {

// Masks for the bytes of a span of n among 16 that are read, and n in the bits above; nothing for
// 14 and 15. Each has a power of two of bytes, which are found by a shift.
struct KeyMasks {
  struct alignas(32) Mask {
    std::uint64_t low = 0, high = 0, length = 0;
  };
  Mask of[16];

  constexpr KeyMasks() : of() {
    for (std::uint64_t n = 0; n < 14; ++n) {
      of[n].low = n >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * n) - 1;
      of[n].high = n > 8 ? (std::uint64_t{1} << 8 * (n - 8)) - 1 : 0;
      of[n].length = n << 40;
    }
  }
};
inline constexpr KeyMasks kKeyMasks{};

// A span of 14 to 32 bytes as four words, which overlap if it is shorter than 32. Spans of the same
// length are equal if their words are.
struct SpanWords {
  static constexpr std::size_t kLongest = 32;
  std::uint64_t words[4];

  static SpanWords of(const std::uint8_t* span, std::size_t n) {
    SpanWords out;
    std::memcpy(&out.words[0], span, 8);
    std::memcpy(&out.words[1], span + std::min<std::size_t>(n - 8, 8), 8);
    std::memcpy(&out.words[2], span + std::max<std::size_t>(n, 16) - 16, 8);
    std::memcpy(&out.words[3], span + n - 8, 8);
    return out;
  }
  bool operator==(const SpanWords& other) const {
    std::uint64_t differ = 0;
    for (std::size_t i = 0; i < 4; ++i) differ |= words[i] ^ other.words[i];
    return differ == 0;
  }
  std::uint64_t hash(std::size_t n) const {
    return mix(mix(words[0] ^ n, words[1] | 1) ^ words[2], words[3] ^ 0xD6E8FEB86659FD93ULL);
  }
};

// The key of a span of up to 13 bytes: eight bytes in one word, five in the other with the length
// above them. Equal keys are equal spans. The highest 20 bits are 0 and free for other uses.
//
// The key of a span of up to 32 bytes is made of a hash and the length: equal spans have equal
// keys, and a table compares the text as well. All longer spans share a key that is never stored.
struct SpanKey {
  static constexpr std::size_t kLongest = 13;
  static constexpr unsigned kBits = 44;  // of the second word
  static constexpr std::uint64_t kHashed = 14, kTooLong = std::uint64_t{15} << 40;
  static constexpr std::uint64_t kLowFactor = 0x9E3779B97F4A7C15ULL,
                                 kHighFactor = 0xD6E8FEB86659FD93ULL;
  std::uint64_t low, high;  // high is 0 in no key

  bool operator==(const SpanKey& other) const {
    return ((low ^ other.low) | (high ^ other.high)) == 0;  // one branch, or none
  }
  std::uint64_t hash() const {
    return low * kLowFactor + high * kHighFactor;  // its high bits are good
  }
  bool is_short() const { return high >> 40 <= kLongest; }
  bool is_hash() const { return high >> 40 == kHashed; }
  // Reads 16 bytes whatever the length. Precondition: n is below 16; the key is that of no span if
  // it is above kLongest.
  static SpanKey of_16_readable(const std::uint8_t* span, std::size_t n) {
    SpanKey key;
#if defined(__wasm_simd128__)
    const v128_t places = wasm_i8x16_const(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const v128_t size = wasm_i8x16_splat(static_cast<std::int8_t>(n));
    const v128_t bytes = wasm_v128_and(wasm_v128_load(span), wasm_i8x16_lt(places, size));
    wasm_v128_store(&key, wasm_i8x16_replace_lane(bytes, 13, static_cast<std::int8_t>(n)));
    return key;
#else
    const KeyMasks::Mask& mask = kKeyMasks.of[n];
    std::memcpy(&key, span, 16);
    return {key.low & mask.low, (key.high & mask.high) | mask.length};
#endif
  }
  // Precondition: n is more than kLongest.
  static SpanKey of_longer(const std::uint8_t* span, std::size_t n) {
    if (n > SpanWords::kLongest) return {0, kTooLong};
    return {SpanWords::of(span, n).hash(n), kHashed << 40 | n};
  }
  static SpanKey of(const std::uint8_t* span, std::size_t n) {
    std::uint8_t readable[16] = {};
    std::memcpy(readable, span, std::min(n, kLongest));
    return of(span, n, readable);
  }
  // The same. `readable` begins with the span's bytes, and 16 bytes may be read there.
  static SpanKey of(const std::uint8_t* span, std::size_t n, const std::uint8_t* readable) {
    return n <= kLongest ? of_16_readable(readable, n) : of_longer(span, n);
  }
};

}  // namespace wordsplit
