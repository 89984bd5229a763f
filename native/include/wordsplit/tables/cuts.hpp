// Cuts: boundaries between characters that no token crosses.
//
// Vocabs of characters have no pattern, and a text is one span. But a merge across the boundary
// between two characters a|b joins a token that ends in a with one that begins with b. If no merge
// of the vocab does, then none ever crosses that boundary, wherever it is: what is on its left and
// what is on its right are encoded apart, and the text may be cut there. Neither the order of
// merges nor their ranks change, since merges on both sides are independent of each other.
//
// An unknown character is a token of its own which, with `fuse_unk`, joins unknown neighbours; so
// there is no cut between two unknown characters then.
//
// ASCII pairs are looked up exactly. All others are hashed to one bit each, so that a pair may be
// taken for one that a merge crosses: the spans are longer then, and the ids the same. A span is
// also cut before each space if the vocab asks for it (`at_spaces`).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "wordsplit/tables/vocab_tables.hpp"
#include "wordsplit/text/scan_cuts.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

class CutTable {
 public:
  CutTable(const VocabTables& tables, bool at_spaces)
      : at_spaces_(at_spaces),
        keeps_unknown_(!tables.model().has_fallback() && tables.model().fuse_unk) {
    const std::uint32_t made = tables.model().made_characters;
    std::vector<std::uint32_t> hashes;
    if (tables.model().kind == ModelKind::Unigram) {  // only between words, see viterbi.hpp
      for (auto& row : ascii_) row[0] = row[1] = ~std::uint64_t{0};
      for (auto& row : ascii_) row[0] &= ~(std::uint64_t{at_spaces} << ' ');
      crossed_.assign(1, ~std::uint32_t{0});
      return;
    }
    tables.pairs().all_of([&](std::uint32_t left, std::uint32_t right, Merge merge) {
      if (merge.rank < made) return true;
      const std::string_view l = tables.bytes_at(tables.index_of(left)),
                             r = tables.bytes_at(tables.index_of(right));
      join(last_character(l), first_character(r), hashes);
      return true;
    });
    finish(tables, hashes);
  }

  // The boundaries that no token contains, and no run of unknown characters.
  static CutTable of_tokens(const VocabTables& tables) {
    CutTable cuts;
    std::vector<std::uint32_t> hashes;
    for (std::size_t i = 0; i < tables.count(); ++i) {
      const std::string_view token = tables.bytes_at(i);
      const auto* p = reinterpret_cast<const std::uint8_t*>(token.data());
      std::uint32_t last = 0;
      for (std::size_t at = 0; at < token.size();) {
        const CodePoint c = decode_utf8(p + at, p + token.size());
        if (at > 0) cuts.join(last, c.value, hashes);
        last = c.value;
        at += c.size;
      }
    }
    cuts.finish(tables, hashes);
    return cuts;
  }

  // For scan_cuts().
  CrossedPairs crossed() const { return ascii_; }
  bool is_cut_between(std::uint32_t left, std::uint32_t right) const {
    // Both are looked up, since text in many languages is a mix of them that no branch can predict.
    const bool in_ascii = ascii_[left & 127][right >> 6 & 1] >> (right & 63) & 1;
    const std::uint32_t place = place_of(left, right);
    const bool in_others = crossed_[place / 32] >> (place % 32) & 1;
    if ((left | right) < 0x80) return !in_ascii;
    if (at_spaces_ && right == ' ') return true;
    return !in_others && (!keeps_unknown_ || is_known(left) || is_known(right));
  }

 private:
  CutTable() : at_spaces_(false), keeps_unknown_(true) {}

  static std::uint32_t first_character(std::string_view token) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(token.data());
    return decode_utf8(p, p + token.size()).value;
  }
  static std::uint32_t last_character(std::string_view token) {
    std::size_t start = token.size() - 1;
    while (start > 0 && (token[start] & 0xC0) == 0x80) --start;
    return first_character(token.substr(start));
  }

  void join(std::uint32_t left, std::uint32_t right, std::vector<std::uint32_t>& hashes) {
    if (at_spaces_ && right == ' ') return;
    if (left < 0x80 && right < 0x80)
      ascii_[left][right >> 6] |= std::uint64_t{1} << (right & 63);
    else
      hashes.push_back(hash_of(left, right));
  }

  void finish(const VocabTables& tables, const std::vector<std::uint32_t>& hashes) {
    const std::size_t pairs = mark_crossed(hashes, hashes.size());
    mark_crossed(hashes, pairs);  // in a smaller table, since many hashes are of the same pair
    if (keeps_unknown_) mark_known(tables);
  }

  // Fills a table that suits a number of pairs, and returns how many bits of it are set.
  std::size_t mark_crossed(const std::vector<std::uint32_t>& hashes, std::size_t pairs) {
    const std::size_t bits = std::bit_ceil(std::max<std::size_t>(16 * pairs, 1 << 10));
    crossed_.assign(bits / 32, 0);
    shift_ = 32 - static_cast<std::uint32_t>(std::countr_zero(bits));
    std::size_t marked = 0;
    for (const std::uint32_t hash : hashes) {
      const std::uint32_t place = hash >> shift_, bit = std::uint32_t{1} << place % 32;
      marked += (crossed_[place / 32] & bit) == 0;
      crossed_[place / 32] |= bit;
    }
    return marked;
  }

  void mark_known(const VocabTables& tables) {
    known_.assign(0x110000 / 64, 0);
    for (std::size_t i = 0; i < tables.count(); ++i) {
      const std::string_view token = tables.bytes_at(i);
      if (token.empty() || tables.id_at(i) >= tables.model().first_virtual) continue;
      const auto* p = reinterpret_cast<const std::uint8_t*>(token.data());
      const CodePoint c = decode_utf8(p, p + token.size());
      if (c.value == kInvalid) continue;  // which stands for bytes that are not UTF-8, too
      if (c.size == token.size() && tables.find(p, token.size()) == tables.id_at(i)) {
        known_[c.value / 64] |= std::uint64_t{1} << (c.value & 63);
      }
    }
    for (std::uint32_t a = 0; a < 0x80; ++a) {
      for (std::uint32_t b = 0; b < 0x80; ++b) {
        if (!is_known(a) && !is_known(b)) ascii_[a][b >> 6] |= std::uint64_t{1} << (b & 63);
      }
    }
  }
  bool is_known(std::uint32_t c) const { return c < 0x110000 && (known_[c / 64] >> (c & 63) & 1); }

  // A hash that vectors of 32-bit numbers can compute. Its high bits, which place_of() takes,
  // depend on all bits of both characters.
  static constexpr std::uint32_t kLeft = 0x9E3779B1, kRight = 0x85EBCA77, kLast = 0xC2B2AE3D;
  static std::uint32_t hash_of(std::uint32_t left, std::uint32_t right) {
    const std::uint32_t sum = left * kLeft + right * kRight;
    return (sum ^ sum >> 15) * kLast;
  }
  std::uint32_t place_of(std::uint32_t left, std::uint32_t right) const {
    return hash_of(left, right) >> shift_;
  }

  template <class Simd, class Boundaries>
  friend struct PointCuts;

  bool at_spaces_, keeps_unknown_;
  std::uint64_t ascii_[128][2] = {};    // by the left character: the right ones that a merge joins
  std::vector<std::uint32_t> crossed_;  // pairs that are not ASCII: a bit at the top of the hash
  std::uint32_t shift_ = 32 - 5;
  std::vector<std::uint64_t> known_;  // a bit a code point
};

#if defined(WORDSPLIT_TARGET_AVX512)

template <>
struct PointCuts<simd::Avx512, CutTable> {
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t find(const CutTable& table,
                                                           const CodePoints& points) {
    const unsigned pairs = points.count - 1;
    const __m512i shift = every(table.shift_);
    std::uint64_t found = 0, spaces = 0, ascii = 0;
    for (unsigned i = 0; i < pairs; i += 16) {
      const auto kept = static_cast<__mmask16>(below(std::min(pairs - i, 16u)));
      const __m512i left = _mm512_load_si512(points.value + i),
                    right = _mm512_loadu_si512(points.value + i + 1);
      const __mmask16 both =
          _mm512_mask_cmplt_epu32_mask(kept, _mm512_or_si512(left, right), every(0x80));
      const __m512i sum = _mm512_add_epi32(_mm512_mullo_epi32(left, every(CutTable::kLeft)),
                                           _mm512_mullo_epi32(right, every(CutTable::kRight)));
      const __m512i hash = _mm512_mullo_epi32(
          _mm512_xor_si512(sum, _mm512_maskz_srli_epi32(0xFFFF, sum, 15)), every(CutTable::kLast));
      const __m512i place = _mm512_maskz_srlv_epi32(0xFFFF, hash, shift);
      const auto others = static_cast<__mmask16>(kept & ~both);
      const __m512i words = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), others,
                                                        _mm512_maskz_srli_epi32(0xFFFF, place, 5),
                                                        table.crossed_.data(), 4);
      const __m512i bits =
          _mm512_maskz_srlv_epi32(0xFFFF, words, _mm512_and_si512(place, every(31)));
      const __mmask16 crossed =
          _mm512_test_epi32_mask(bits, every(1)) | crossed_ascii(table.ascii_, both, left, right);
      found |= std::uint64_t{crossed} << i;
      ascii |= std::uint64_t{both} << i;
      spaces |= std::uint64_t{_mm512_mask_cmpeq_epi32_mask(others, right, every(' '))} << i;
    }
    std::uint64_t cuts = ~found & below(pairs);
    if (table.at_spaces_) cuts |= spaces;
    if (table.keeps_unknown_) drop_wrong_cuts(table, points, cuts & ~ascii, cuts);
    return cuts;
  }

 private:
  WORDSPLIT_TARGET_AVX512 static inline __m512i every(std::uint32_t value) {
    return _mm512_set1_epi32(static_cast<int>(value));
  }
};

#endif

}  // namespace wordsplit
