// Cuts of raw text within the words of a map, where no token crosses.
//
// A word is encoded in pieces (cuts.hpp), and its pieces are in many words: of a text's words that
// are new, most consist of pieces that are known. So the pieces are the spans of the text, which
// the span cache holds. A piece that goes on with a word begins with no space, and all other spans
// but the first begin with one, so that the first byte tells them apart (word_map.hpp).
//
// A boundary is decided by what the map makes of the characters beside it. There is a cut only
// between two that stay as they are, or of which the right one may be replaced together with marks
// behind it: by something that no token joins to the left one either.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wordsplit/tables/cuts.hpp"
#include "wordsplit/text/word_map.hpp"

namespace wordsplit {

class PieceCuts {
 public:
  // Whether there are such cuts: the tokens are of words, each of which begins with a space.
  static bool suit(const WordMap& words) {
    return words.rules().longest_keys && !words.rules().joined;
  }

  // tokens: where no token crosses. The map must outlive it.
  PieceCuts(const WordMap& words, CutTable tokens)
      : words_(words), tokens_(std::move(tokens)), kinds_(0x110000 / 16) {
    for (std::uint32_t c = 0; c < 0x110000; ++c) {
      kinds_[c / 16] |= (words.stays(c) ? kStays | kAlwaysStays : 0) << 2 * (c & 15);
    }
    for (const auto& [key, text] : words.rules().keys) {
      const std::uint32_t first = first_of(key);
      kinds_[first / 16] &= ~(kAlwaysStays << 2 * (first & 15));
      others_[first].push_back(text.empty() ? kNothing : first_of(text));
    }
    for (auto& [first, others] : others_) {  // there may be hundreds of keys, but few that differ
      std::sort(others.begin(), others.end());
      others.erase(std::unique(others.begin(), others.end()), others.end());
    }
    for (std::uint32_t left = 0; left < 128; ++left) {
      for (std::uint32_t right = 0; right < 128; ++right) {
        const bool is_crossed = !is_cut_between(left, right);
        crossed_[left][right >> 6] |= std::uint64_t{is_crossed} << (right & 63);
      }
    }
  }

  // For scan_cuts().
  CrossedPairs crossed() const { return crossed_; }
  bool is_cut_between(std::uint32_t left, std::uint32_t right) const {
    if (words_.is_cut_between(left, right)) return true;
    if (!(kind_of(left) & kStays) || !(kind_of(right) & kStays)) return false;
    if (!tokens_.is_cut_between(left, right)) return false;
    if (kind_of(right) & kAlwaysStays) return true;
    const auto& others = others_.at(right);
    return std::all_of(others.begin(), others.end(), [&](std::uint32_t other) {
      return other < kNothing && tokens_.is_cut_between(left, other);
    });
  }

 private:
  template <class Simd, class Boundaries>
  friend struct PointCuts;

  // In place of what stands for a key, if nothing does: what is there then depends on more text.
  static constexpr std::uint32_t kNothing = 0x110000;

  // Of a character: it stays as it is unless marks follow it; it stays whatever follows it.
  static constexpr std::uint32_t kStays = 1, kAlwaysStays = 2;
  std::uint32_t kind_of(std::uint32_t c) const { return kinds_[c / 16] >> 2 * (c & 15); }

  static std::uint32_t first_of(const std::string& text) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    return decode_utf8(p, p + text.size()).value;
  }

  const WordMap& words_;
  CutTable tokens_;
  std::vector<std::uint32_t> kinds_;  // two bits a code point
  // By the first character of keys: the first characters of what replaces them.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> others_;
  std::uint64_t crossed_[128][2] = {};
};

#if defined(WORDSPLIT_TARGET_AVX512)

template <>
struct PointCuts<simd::Avx512, PieceCuts> {
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t find(const PieceCuts& cuts,
                                                           const CodePoints& points) {
    const std::uint64_t words = PointCuts<simd::Avx512, WordMap>::find(cuts.words_, points);
    std::uint64_t tokens = PointCuts<simd::Avx512, CutTable>::find(cuts.tokens_, points) & ~words;
    std::uint64_t stays = 0, always = 0;
    for (unsigned i = 0; i < points.count; i += 16) {
      const auto kept = static_cast<__mmask16>(below(std::min(points.count - i, 16u)));
      const __m512i value = _mm512_load_si512(points.value + i);
      const __m512i found = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), kept,
                                                        _mm512_maskz_srli_epi32(0xFFFF, value, 4),
                                                        cuts.kinds_.data(), 4);
      const __m512i place =
          _mm512_maskz_slli_epi32(0xFFFF, _mm512_and_si512(value, _mm512_set1_epi32(15)), 1);
      const __m512i kind = _mm512_maskz_srlv_epi32(0xFFFF, found, place);
      stays |= std::uint64_t{_mm512_test_epi32_mask(kind, _mm512_set1_epi32(PieceCuts::kStays))}
               << i;
      always |=
          std::uint64_t{_mm512_test_epi32_mask(kind, _mm512_set1_epi32(PieceCuts::kAlwaysStays))}
          << i;
    }
    tokens &= stays & stays >> 1;
    drop_wrong_cuts(cuts, points, tokens & ~(always >> 1), tokens);
    return words | tokens;
  }
};

#endif

}  // namespace wordsplit
