// Cuts of raw text within the words of a map, where no token crosses.
//
// A word is encoded in pieces (cuts.hpp), and its pieces are in many words: of a text's words that
// are new, most consist of pieces that are known. So the pieces are the spans of the text, which
// the span cache holds. A piece that goes on with a word begins with no space, and all other spans
// but the first begin with one, so that each of them says by itself what it is (word_map.hpp).
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
      : words_(words), tokens_(std::move(tokens)), has_others_(0x110000 / 64) {
    for (const auto& [key, text] : words.rules().keys) {
      const std::uint32_t first = first_of(key);
      has_others_[first / 64] |= std::uint64_t{1} << (first & 63);
      others_[first].push_back(text.empty() ? kNothing : first_of(text));
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
    if (!words_.stays(left) || !words_.stays(right)) return false;
    if (!tokens_.is_cut_between(left, right)) return false;
    if (!(has_others_[right / 64] >> (right & 63) & 1)) return true;
    const auto& others = others_.at(right);
    return std::all_of(others.begin(), others.end(), [&](std::uint32_t other) {
      return other < kNothing && tokens_.is_cut_between(left, other);
    });
  }

 private:
  template <class Simd, class Boundaries>
  friend struct PointCuts;

  static constexpr std::uint32_t kNothing = 0x110000;  // or a space, which is no character

  static std::uint32_t first_of(const std::string& text) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    return decode_utf8(p, p + text.size()).value;
  }

  const WordMap& words_;
  CutTable tokens_;
  std::vector<std::uint64_t> has_others_;  // a bit a code point
  // By the first character of keys: the first characters of what stands for them.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> others_;
  std::uint64_t crossed_[128][2] = {};
};

#if defined(WORDSPLIT_TARGET_AVX512)

template <>
struct PointCuts<simd::Avx512, PieceCuts> {
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t find(const PieceCuts& cuts,
                                                           const CodePoints& points) {
    const std::uint64_t words = PointCuts<simd::Avx512, WordMap>::find(cuts.words_, points);
    std::uint64_t all = words | PointCuts<simd::Avx512, CutTable>::find(cuts.tokens_, points);
    drop_wrong_cuts(cuts, points, all & ~words, all);
    return all;
  }
};

#endif

}  // namespace wordsplit
