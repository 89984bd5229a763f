// Boundaries within spans that no token crosses, for byte-level BPE.
//
// A merge across the boundary between two characters a|b produces a token that contains the end of
// a and the beginning of b. Where the vocab has no such token, no merge ever crosses the boundary,
// and the text on its left and on its right can be encoded separately (cuts.hpp). In the words of
// most alphabets there are few such boundaries. But Chinese and Japanese have no spaces, so that a
// span is a phrase of ten characters, which few texts repeat, while its parts are words that all
// do.
//
// Only boundaries between two characters that are not ASCII are looked up. A token has them
//   - between two whole characters: these are hashed to one bit a pair; or
//   - where it begins or ends within a character: for its byte before the boundary and its byte
//     after it, in a table of all pairs of such bytes.
// So a boundary may be taken for one that a token crosses. Then parts are longer, and the ids the
// same.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "wordsplit/base/hash.hpp"
#include "wordsplit/tables/indexes.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

class SpanCuts : public TableIndex {
 public:
  static constexpr std::size_t kBehind = 8;  // bytes that find() may read after a span

  // Whether spans of a model can be encoded in parts, if all bytes have a token: then nothing joins
  // what is unknown.
  static bool suits(const ModelRules& model) {
    return model.kind == ModelKind::Bytes && !model.has_missing_rule();
  }

  // The cuts of a vocab, which are kept with its tables.
  static const SpanCuts& of(const VocabTables& tables) {
    return static_cast<const SpanCuts&>(*tables.index(&make));
  }

  explicit SpanCuts(const VocabTables& tables) {
    std::vector<std::uint64_t> hashes;
    for (std::size_t i = 0; i < tables.count(); ++i) add(tables.bytes_at(i), hashes);
    const std::size_t bits = std::bit_ceil(std::max<std::size_t>(16 * hashes.size(), 64));
    pairs_.assign(bits / 64, 0);
    for (const std::uint64_t hash : hashes) pairs_[word_of(hash)] |= bit_of(hash);
  }

  // Whether to look for cuts: quick, and false for spans that end in ASCII.
  static bool may_have(const std::uint8_t* span, std::size_t n) {
    return n >= 4 && span[n - 1] >= 0x80;
  }

  // Writes the ends of the parts of span[0, n), the last of which is n, plus `before` each. Returns
  // their number, which is n / 2 at most.
  std::size_t find(const std::uint8_t* span, std::size_t n, std::uint32_t before,
                   std::uint32_t* ends) const {
    std::size_t count = 0;
    std::uint32_t left = 0;  // the character before, 0 for ASCII and what is not UTF-8
    std::uint8_t last = 0;   // its last byte
    for (std::size_t at = 0; at < n;) {
      const std::size_t size = size_of(span[at]);
      std::uint32_t right;
      std::memcpy(&right, span + at, sizeof right);
      right &= kBytes[size];
      const bool whole = size > 1 && (right & kContinued[size]) == (kContinued[size] & kSigns) &&
                         at + size <= n && (at + size == n || is_lead(span[at + size]));
      // Without a branch, since where the cuts are is unpredictable.
      ends[count] = before + static_cast<std::uint32_t>(at);
      count += unsigned{left != 0} & unsigned{whole} &
               unsigned{!is_crossed(left, right, last, span[at])};
      left = whole ? right : 0;
      last = span[at + size - 1];
      at += size;
    }
    ends[count++] = before + static_cast<std::uint32_t>(n);
    return count;
  }

 private:
  // By the size of a character: its bytes in a word, and the two highest bits of all but the first.
  static constexpr std::uint32_t kBytes[] = {0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF};
  static constexpr std::uint32_t kContinued[] = {0, 0, 0xC000, 0xC0C000, 0xC0C0C000};
  static constexpr std::uint32_t kSigns = 0x80808080;
  static_assert(std::endian::native == std::endian::little);

  static std::unique_ptr<const TableIndex> make(const VocabTables& tables) {
    return std::make_unique<const SpanCuts>(tables);
  }

  static bool is_lead(std::uint8_t byte) { return (byte & 0xC0) != 0x80; }
  // Of the character that begins with a byte; 1 if none does.
  static std::size_t size_of(std::uint8_t byte) {
    return byte < 0xC0 ? 1 : 2 + std::size_t{byte >= 0xE0} + std::size_t{byte >= 0xF0};
  }

  // Adds the boundaries within a token.
  void add(std::string_view token, std::vector<std::uint64_t>& hashes) {
    const auto* const p = reinterpret_cast<const std::uint8_t*>(token.data());
    const std::size_t n = token.size();
    for (std::size_t at = 1; at < n; ++at) {
      if (p[at - 1] < 0x80 || p[at] < 0xC0) continue;
      std::size_t start = at - 1, end = at + 1;
      while (start > 0 && !is_lead(p[start])) --start;
      while (end < n && !is_lead(p[end])) ++end;
      const bool whole_left = is_lead(p[start]) && at - start == size_of(p[start]);
      if (whole_left && end - at == size_of(p[at])) {
        std::uint32_t left = 0, right = 0;
        std::memcpy(&left, p + start, at - start);
        std::memcpy(&right, p + at, end - at);
        hashes.push_back(hash_of(left, right));
      } else {
        partial_[p[at - 1] & 63] |= std::uint64_t{1} << (p[at] & 63);
      }
    }
  }

  bool is_crossed(std::uint32_t left, std::uint32_t right, std::uint8_t before,
                  std::uint8_t behind) const {
    const std::uint64_t hash = hash_of(left, right);
    return ((pairs_[word_of(hash)] >> (hash & 63)) | (partial_[before & 63] >> (behind & 63))) & 1;
  }

  static std::uint64_t hash_of(std::uint32_t left, std::uint32_t right) {
    return mix(std::uint64_t{left} << 32 | right);
  }
  std::size_t word_of(std::uint64_t hash) const { return (hash >> 6) & (pairs_.size() - 1); }
  static std::uint64_t bit_of(std::uint64_t hash) { return std::uint64_t{1} << (hash & 63); }

  std::vector<std::uint64_t> pairs_;  // of whole characters that a token holds one after the other
  // By the byte before a boundary, a bit for each byte after it, both by their low six bits.
  std::uint64_t partial_[64] = {};
};

}  // namespace wordsplit
