// Short spans as two words: what the tables of spans compare and hash.
#pragma once

#include <cstdint>
#include <cstring>

namespace wordsplit {

// What of 16 bytes that are read belongs to a span of n, and n above it. A span of 14 or more gets
// a length that none has.
struct KeyMasks {
  struct Mask {
    std::uint64_t low = 0, high = 0, length = 0;
  };
  Mask of[15];

  constexpr KeyMasks() : of() {
    for (std::uint64_t n = 0; n < 14; ++n) {
      of[n].low = n >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * n) - 1;
      of[n].high = n > 8 ? (std::uint64_t{1} << 8 * (n - 8)) - 1 : 0;
      of[n].length = n << 40;
    }
    of[14].length = std::uint64_t{0xF} << 40;
  }
};
inline constexpr KeyMasks kKeyMasks{};

// A span of 13 bytes at most: eight bytes in one word, five in the other with the length above
// them. Equal keys are equal spans. The highest 20 bits are 0, for others to use.
struct SpanKey {
  static constexpr std::size_t kLongest = 13;
  static constexpr unsigned kBits = 44;  // of the second word
  std::uint64_t low, high;               // high is 0 in no key

  bool operator==(const SpanKey& other) const {
    return ((low ^ other.low) | (high ^ other.high)) == 0;  // one branch, or none
  }
  std::uint64_t hash() const {
    return low * 0x9E3779B97F4A7C15ULL + high * 0xD6E8FEB86659FD93ULL;  // its high bits are good
  }
  bool is_short() const { return high >> 40 <= kLongest; }
  // Reads 16 bytes whatever the length; a longer span gets a key that equals none.
  static SpanKey of_16_readable(const std::uint8_t* span, std::size_t n) {
    const KeyMasks::Mask& mask = kKeyMasks.of[n <= kLongest ? n : kLongest + 1];
    SpanKey key;
    std::memcpy(&key, span, 16);
    return {key.low & mask.low, (key.high & mask.high) | mask.length};
  }
  static SpanKey of(const std::uint8_t* span, std::size_t n) {
    std::uint8_t readable[16] = {};
    std::memcpy(readable, span, n);
    return of_16_readable(readable, n);
  }
};

// The ids of a short span, as an entry of a table has them.
struct ShortIds {
  static constexpr std::size_t kMost = 3;
  std::uint32_t count;
  std::uint32_t ids[kMost];
};

}  // namespace wordsplit
