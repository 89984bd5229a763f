// The hash function of all tables: a multiplication whose product's halves are folded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "wordsplit/base/compiler.hpp"

namespace wordsplit {

// The exclusive or of the two halves of the product of two words.
inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  const Product product = multiply(a, b);
  return product.low ^ product.high;
}

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b = 0x9E3779B97F4A7C15ULL) {
  return folded_product(a ^ 0x2545F4914F6CDD1DULL, b);
}

// The n bytes at p as the low bytes of a word. Reads no others. Precondition: n <= 8.
inline std::uint64_t load_up_to_8(const std::uint8_t* p, std::size_t n) {
  std::uint64_t word = 0;
  if (n >= 4) {
    std::uint32_t low, high;
    std::memcpy(&low, p, 4);
    std::memcpy(&high, p + n - 4, 4);
    word = low | static_cast<std::uint64_t>(high) << (8 * (n - 4));
  } else if (n > 0) {
    word = p[0] | static_cast<std::uint64_t>(p[n / 2]) << (8 * (n / 2)) |
           static_cast<std::uint64_t>(p[n - 1]) << (8 * (n - 1));
  }
  return word;
}

inline std::uint64_t hash_bytes(const std::uint8_t* p, std::size_t n) {
  std::uint64_t h = n * 0x9E3779B97F4A7C15ULL;
  for (; n > 8; p += 8, n -= 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    h = mix(h ^ word);
  }
  return mix(h ^ load_up_to_8(p, n), 0xD6E8FEB86659FD93ULL);
}

}  // namespace wordsplit
