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
#include <cstring>
#include <string_view>
#include <vector>

#include "wordsplit/base/hash.hpp"
#include "wordsplit/tables/vocab_tables.hpp"
#include "wordsplit/text/ascii_cuts.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

namespace cuts_detail {

inline std::uint32_t character_before(const std::uint8_t* text, std::size_t at) {
  std::size_t start = at - 1;
  while (start > 0 && at - start < 4 && (text[start] & 0xC0) == 0x80) --start;
  return decode_utf8(text + start, text + at).value;
}

inline std::size_t size_at(const std::uint8_t* text, std::size_t n, std::size_t at) {
  return text[at] < 0x80 ? 1 : decode_utf8(text + at, text + n).size;
}

// How many bytes from p on are ASCII, `most` at most.
inline std::size_t ascii_run(const std::uint8_t* p, std::size_t most) {
  std::size_t size = 0;
  for (std::uint64_t word; size + 8 <= most; size += 8) {
    std::memcpy(&word, p + size, 8);
    word &= 0x8080808080808080ULL;
    if (word) return size + static_cast<std::size_t>(std::countr_zero(word)) / 8;
  }
  while (size < most && p[size] < 0x80) ++size;
  return size;
}

}  // namespace cuts_detail

// Writes the ends of the spans of text[0, n) from `pos` on, at most `cap`; returns how many, and
// sets `pos` to the last of them. Precondition: `pos` is a cut and less than n.
template <class Boundaries>
std::size_t scan_cuts(const Boundaries& boundaries, const std::uint8_t* text, std::size_t n,
                      std::size_t& pos, std::uint32_t* ends, std::size_t cap) {
  using namespace cuts_detail;
  std::size_t count = 0, at = pos + size_at(text, n, pos);  // the next boundary
  while (at < n && count < cap) {
    const std::size_t ascii = ascii_run(text + at - 1, std::min<std::size_t>(n - at + 1, 65));
    if (ascii < 2) {  // on one side of the boundary is another character
      std::uint32_t left = character_before(text, at);
      do {
        const CodePoint right = decode_utf8(text + at, text + n);
        ends[count] = static_cast<std::uint32_t>(at);
        count += boundaries.is_cut_between(left, right.value);
        at += right.size;
        left = right.value;
      } while (at < n && count < cap && (text[at - 1] | text[at]) >= 0x80);
      continue;
    }
    const auto here = static_cast<std::uint32_t>(at);
    if (cap - count >= kAsciiCutsRoom) {
      count += boundaries.ascii_cuts()(boundaries.crossed(), text + at - 1, ascii - 1, here,
                                       ends + count);
    } else {
      std::uint32_t found[kAsciiCutsRoom];
      const std::size_t cuts =
          boundaries.ascii_cuts()(boundaries.crossed(), text + at - 1, ascii - 1, here, found);
      const std::size_t most = std::min(cuts, cap - count);
      std::copy_n(found, most, ends + count);
      count += most;
    }
    at += ascii - 1;
  }
  if (count < cap) {
    ends[count++] = static_cast<std::uint32_t>(n);
  }
  pos = ends[count - 1];
  return count;
}

class CutTable {
 public:
  CutTable(const VocabTables& tables, bool at_spaces, SimdLevel level)
      : ascii_cuts_(ascii_cuts_at(level)),
        at_spaces_(at_spaces),
        keeps_unknown_(!tables.model().has_fallback() && tables.model().fuse_unk) {
    const std::uint32_t made = tables.model().made_characters;
    std::vector<std::uint64_t> hashes;
    if (tables.model().kind == ModelKind::Unigram) {  // only between words, see viterbi.hpp
      for (auto& row : ascii_) row[0] = row[1] = ~std::uint64_t{0};
      for (auto& row : ascii_) row[0] &= ~(std::uint64_t{at_spaces} << ' ');
      crossed_.assign(1, ~std::uint64_t{0});
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
    std::vector<std::uint64_t> hashes;
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

  // For scan_cuts(): the pairs of ASCII characters whose boundary a merge may cross, how they are
  // looked up, and whether there is a cut between two characters that are not both ASCII.
  CrossedPairs crossed() const { return ascii_; }
  AsciiCuts ascii_cuts() const { return ascii_cuts_; }
  bool is_cut_between(std::uint32_t left, std::uint32_t right) const {
    if (at_spaces_ && right == ' ') return true;
    const std::uint64_t hash = hash_of(left, right);
    if (crossed_[word_of(hash)] & bit_of(hash)) return false;
    return !keeps_unknown_ || is_known(left) || is_known(right);
  }

 private:
  CutTable()
      : ascii_cuts_(ascii_cuts_at(best_simd_level())), at_spaces_(false), keeps_unknown_(true) {}

  static std::uint32_t first_character(std::string_view token) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(token.data());
    return decode_utf8(p, p + token.size()).value;
  }
  static std::uint32_t last_character(std::string_view token) {
    std::size_t start = token.size() - 1;
    while (start > 0 && (token[start] & 0xC0) == 0x80) --start;
    return first_character(token.substr(start));
  }

  void join(std::uint32_t left, std::uint32_t right, std::vector<std::uint64_t>& hashes) {
    if (at_spaces_ && right == ' ') return;
    if (left < 0x80 && right < 0x80)
      ascii_[left][right >> 6] |= std::uint64_t{1} << (right & 63);
    else
      hashes.push_back(hash_of(left, right));
  }

  void finish(const VocabTables& tables, const std::vector<std::uint64_t>& hashes) {
    const std::size_t bits = std::bit_ceil(std::max<std::size_t>(16 * hashes.size(), 1 << 10));
    crossed_.assign(bits / 64, 0);
    for (const std::uint64_t hash : hashes) crossed_[word_of(hash)] |= bit_of(hash);
    if (keeps_unknown_) mark_known(tables);
  }

  void mark_known(const VocabTables& tables) {
    known_.assign(0x110000 / 64, 0);
    for (std::size_t i = 0; i < tables.count(); ++i) {
      const std::string_view token = tables.bytes_at(i);
      if (token.empty() || tables.id_at(i) >= tables.model().first_virtual) continue;
      const auto* p = reinterpret_cast<const std::uint8_t*>(token.data());
      const CodePoint c = decode_utf8(p, p + token.size());
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

  static std::uint64_t hash_of(std::uint32_t left, std::uint32_t right) {
    return mix(std::uint64_t{left} << 32 | right);
  }
  std::size_t word_of(std::uint64_t hash) const { return (hash >> 6) & (crossed_.size() - 1); }
  static std::uint64_t bit_of(std::uint64_t hash) { return std::uint64_t{1} << (hash & 63); }

  AsciiCuts ascii_cuts_;
  bool at_spaces_, keeps_unknown_;
  std::uint64_t ascii_[128][2] = {};    // by the left character: the right ones that a merge joins
  std::vector<std::uint64_t> crossed_;  // pairs that are not ASCII, hashed
  std::vector<std::uint64_t> known_;    // a bit a code point
};

}  // namespace wordsplit
