// A set of bytes, as Simd::in_sets() takes it.
#pragma once

#include <cstdint>

namespace wordsplit {

// Exact for sets of ASCII, and for sets of bytes of 0x80 and more. In a mixed one, two bytes that
// differ by 0x80 are taken for each other if others of the set have the same high halves.
struct ByteSet {
  std::uint8_t lower[16] = {}, upper[16] = {};

  void add(std::uint8_t byte) {
    const auto group = static_cast<std::uint8_t>(1u << (byte >> 4 & 7));
    lower[byte & 15] |= group;
    upper[byte >> 4] |= group;
  }
};

}  // namespace wordsplit
