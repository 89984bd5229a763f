// Sets of pairs of characters that are beside each other in a text.
//
// Pairs of ASCII are held exactly. All others are hashed to one bit each, so that a pair may be
// taken for one that is in the set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

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

#if defined(WORDSPLIT_TARGET_AVX512)
  WORDSPLIT_TARGET_AVX512 static inline __m512i every(std::uint32_t value) {
    return _mm512_set1_epi32(static_cast<int>(value));
  }
  // Which of 16 pairs, those in `kept`, may be in the set.
  WORDSPLIT_TARGET_AVX512 __mmask16 may_have(__mmask16 kept, __m512i left, __m512i right) const {
    const __mmask16 both =
        _mm512_mask_cmplt_epu32_mask(kept, _mm512_or_si512(left, right), every(0x80));
    const __m512i sum = _mm512_add_epi32(_mm512_mullo_epi32(left, every(kLeft)),
                                         _mm512_mullo_epi32(right, every(kRight)));
    const __m512i hash = _mm512_mullo_epi32(
        _mm512_xor_si512(sum, _mm512_maskz_srli_epi32(0xFFFF, sum, 15)), every(kLast));
    const __m512i place = _mm512_maskz_srlv_epi32(0xFFFF, hash, every(shift_));
    const __m512i words =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), static_cast<__mmask16>(kept & ~both),
                                    _mm512_maskz_srli_epi32(0xFFFF, place, 5), others_.data(), 4);
    const __m512i bits = _mm512_maskz_srlv_epi32(0xFFFF, words, _mm512_and_si512(place, every(31)));
    return _mm512_test_epi32_mask(bits, every(1)) | crossed_ascii(ascii_, both, left, right);
  }
#endif

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
