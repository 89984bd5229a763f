// A 64-bit checksum at the speed of memory. It detects damage, not forgery.
//
// Each of eight lanes takes every eighth word. The step of a lane is invertible, so damage within
// the words of one lane, such as a flipped bit, is always detected; other damage is missed once in
// 2^64.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace wordsplit {

inline std::uint64_t checksum(const void* data, std::size_t size) {
  constexpr std::size_t kLanes = 8;
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
  const auto take = [](std::uint64_t lane, std::uint64_t word) {
    return std::rotl((lane ^ word) * kOdd, 29);
  };
  std::uint64_t lanes[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = kOdd * (i + 1);
  const auto* p = static_cast<const unsigned char*>(data);
  std::size_t left = size;
  for (; left >= 8 * kLanes; p += 8 * kLanes, left -= 8 * kLanes) {
    std::uint64_t words[kLanes];
    std::memcpy(words, p, sizeof words);
    for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = take(lanes[i], words[i]);
  }
  for (std::size_t i = 0; left > 0; ++i) {
    const std::size_t n = left < 8 ? left : 8;
    std::uint64_t word = 0;
    std::memcpy(&word, p, n);
    lanes[i] = take(lanes[i], word);
    p += n, left -= n;
  }
  std::uint64_t out = size;
  for (const std::uint64_t lane : lanes) out = take(out, lane);
  return out ^ out >> 32;
}

}  // namespace wordsplit
