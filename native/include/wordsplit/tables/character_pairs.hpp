// Sets of pairs of adjacent characters of a text.
//
// Pairs of ASCII are held exactly. All others are hashed to one bit each, so that a pair may be
// taken for one that is in the set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/text/scan_cuts.hpp"

namespace wordsplit {

class CharacterPairs {
 public:
  CharacterPairs() = default;
  static CharacterPairs all() {
    CharacterPairs pairs;
    for (auto& row : pairs.ascii_) row[0] = row[1] = ~std::uint64_t{0};
    pairs.others_.assign(1, ~std::uint32_t{0});
    return pairs;
  }

  // Behind the last pair that is not ASCII comes finish().
  void add(std::uint32_t left, std::uint32_t right) {
    if ((left | right) < 0x80) {
      ascii_[left][right >> 6] |= std::uint64_t{1} << (right & 63);
    } else {
      hashes_.push_back(hash_of(left, right));
    }
  }
  void finish() {
    const std::size_t pairs = fill(hashes_.size());
    fill(pairs);  // a smaller table, since many hashes are of the same pair
    hashes_ = {};
  }
  // Precondition: `right` is ASCII.
  void remove_ascii_before(std::uint32_t right) {
    for (auto& row : ascii_) row[right >> 6] &= ~(std::uint64_t{1} << (right & 63));
  }

  bool may_have(std::uint32_t left, std::uint32_t right) const {
    // Both are looked up, since text in many languages is a mix of them that no branch can predict.
    const bool in_ascii = ascii_[left & 127][right >> 6 & 1] >> (right & 63) & 1;
    const std::uint32_t place = hash_of(left, right) >> shift_;
    const bool in_others = others_[place / 32] >> (place % 32) & 1;
    return (left | right) < 0x80 ? in_ascii : in_others;
  }
  // For scan_cuts().
  CrossedPairs ascii() const { return ascii_; }

  // Bit i for a lane of pairs that may be in the set.
  template <class Lanes>
  WORDSPLIT_INLINE std::uint64_t may_have(const Lanes& left, const Lanes& right) const {
    const Lanes sum = left * Lanes::of(kLeft) + right * Lanes::of(kRight);
    const Lanes place = (sum ^ sum >> Lanes::of(15)) * Lanes::of(kLast) >> Lanes::of(shift_);
    const Lanes words = Lanes::look_up(others_.data(), place >> Lanes::of(5));
    const std::uint64_t in_others = (words >> (place & Lanes::of(31))).have(1);
    const std::uint64_t are_others = (left | right).have(~std::uint32_t{0x7F});
    return (are_others & in_others) | (~are_others & crossed_ascii(ascii_, left, right));
  }

 private:
  // Fills a table that suits a number of pairs, and returns how many bits of it are set.
  std::size_t fill(std::size_t pairs) {
    const std::size_t bits = std::bit_ceil(std::max<std::size_t>(16 * pairs, 1 << 10));
    others_.assign(bits / 32, 0);
    shift_ = 32 - static_cast<std::uint32_t>(std::countr_zero(bits));
    std::size_t filled = 0;
    for (const std::uint32_t hash : hashes_) {
      const std::uint32_t place = hash >> shift_, bit = std::uint32_t{1} << place % 32;
      filled += (others_[place / 32] & bit) == 0;
      others_[place / 32] |= bit;
    }
    return filled;
  }

  // A hash that vectors of 32-bit numbers can compute. Its high bits, which are the place in the
  // table, depend on all bits of both characters.
  static constexpr std::uint32_t kLeft = 0x9E3779B1, kRight = 0x85EBCA77, kLast = 0xC2B2AE3D;
  static std::uint32_t hash_of(std::uint32_t left, std::uint32_t right) {
    const std::uint32_t sum = left * kLeft + right * kRight;
    return (sum ^ sum >> 15) * kLast;
  }

  std::uint64_t ascii_[128][2] = {};  // by the left character
  std::vector<std::uint32_t> others_ = std::vector<std::uint32_t>(1), hashes_;
  std::uint32_t shift_ = 32 - 5;
};

}  // namespace wordsplit
