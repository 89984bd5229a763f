// The merges of mergeable ranks: a .tiktoken file lists tokens by rank, and no merges.
//
// With mergeable ranks, two adjacent tokens merge if their concatenation is a token, lowest id
// first. The merges inside the bytes of a token are always the same as when it is encoded alone, so
// of all the pairs that make it at most one is ever used: the last merge of its own encoding. A
// token whose encoding does not end in itself has no merge.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "wordsplit/tables/pair_table.hpp"
#include "wordsplit/tables/token_table.hpp"

namespace wordsplit {

// Merges the bytes of one token after another, in order of rank, until two parts are left.
//
// Most tokens need only merges that rank before them, which are known by then as pairs. Only if
// these leave more than two parts, concatenations are looked up among all tokens.
class MergeDeriver {
 public:
  explicit MergeDeriver(const TokenTable& tokens)
      : tokens_(tokens),
        bytes_(256, kNone),
        byte_pairs_(std::size_t{1} << 16, kNone),
        pairs_(tokens.count()) {
    for (std::uint32_t i = 0; i < tokens.count(); ++i) {
      const std::string_view token = tokens.bytes_at(i);
      if (token.size() != 1) continue;
      p_ = reinterpret_cast<const std::uint8_t*>(token.data());
      if (find(0, 1) == i) bytes_[*p_] = i;
    }
  }

  // Sets `left` and `right` to the indexes of the parts of a token. False if no merge makes it.
  // Precondition: called for the tokens in order.
  bool find(std::uint32_t index, std::uint32_t& left, std::uint32_t& right) {
    const std::string_view token = tokens_.bytes_at(index);
    p_ = reinterpret_cast<const std::uint8_t*>(token.data());
    size_ = static_cast<std::uint32_t>(token.size());
    if (size_ < 2 || !set_bytes()) return false;
    merge(Among::Found);
    if (count_ > 2) merge(Among::All);
    if (count_ > 2) return false;
    left = parts_[0].token, right = parts_[parts_[0].end].token;
    if (pairs_.find(left, right).rank != kNone) return false;  // of a token listed twice, the first
    pairs_.insert(left, right, {index, index});
    if (size_ == 2) byte_pairs_[p_[0] << 8 | p_[1]] = index;
    return true;
  }

 private:
  static constexpr std::uint32_t kNone = TokenTable::kNone;
  static_assert(kNone == kNoRank);
  // In longer tokens the next merge is found with a heap, since a sweep each is O(n^2).
  static constexpr std::uint32_t kSwept = 64;

  // Where merges are looked up: among those that were found, or among all tokens.
  enum class Among { Found, All };

  // A part of the token, stored at the offset of its first byte.
  struct Part {
    std::uint32_t token;
    std::uint32_t end, previous;  // the offset of the next part, and of the one before
    std::uint32_t merged;         // the token that it makes with the next part
  };

  // The token of bytes start to end of this one; kNone if there is none that text can give.
  std::uint32_t find(std::uint32_t start, std::uint32_t end) const {
    const std::size_t n = end - start;
    return tokens_.find(TokenIndex::key_of(p_ + start, n), p_ + start, n);
  }

  // Makes each byte a part. False if one has no token.
  bool set_bytes() {
    parts_.resize(size_);
    count_ = size_;
    for (std::uint32_t i = 0; i < size_; ++i) {
      parts_[i] = {bytes_[p_[i]], i + 1, i - 1, kNone};
      if (parts_[i].token == kNone) return false;
    }
    return true;
  }

  // Merges the pair that makes the lowest token, and again, until two parts are left or none merge.
  void merge(Among among) {
    heap_.clear();
    for (std::uint32_t at = 0; at < size_; at = parts_[at].end) look_up(at, among);
    for (std::uint32_t at; count_ > 2 && (at = next_merge()) != kNone;) {
      Part& part = parts_[at];
      Part& next = parts_[part.end];
      part.token = part.merged;
      part.end = next.end;
      next.merged = kNone;
      --count_;
      if (part.end < size_) parts_[part.end].previous = at;
      look_up(at, among);
      if (at > 0) look_up(part.previous, among);
    }
  }

  // Finds what the part at an offset makes with the next one.
  void look_up(std::uint32_t at, Among among) {
    Part& part = parts_[at];
    part.merged = kNone;
    if (part.end == size_) return;
    const Part& next = parts_[part.end];
    if (among == Among::All) {
      part.merged = find(at, next.end);
    } else if (next.end - at == 2) {
      part.merged = byte_pairs_[p_[at] << 8 | p_[at + 1]];
    } else {
      part.merged = pairs_.find(part.token, next.token).rank;
    }
    if (size_ > kSwept && part.merged != kNone) push(part.merged, at);
  }

  // The offset of the part that makes the lowest token with the next one, the first on a tie; kNone
  // if there is none.
  std::uint32_t next_merge() {
    if (size_ > kSwept) return pop();
    std::uint32_t best = kNone, where = kNone;
    for (std::uint32_t at = 0; at < size_; at = parts_[at].end) {
      if (parts_[at].merged < best) best = parts_[at].merged, where = at;
    }
    return where;
  }

  void push(std::uint32_t merged, std::uint32_t at) {
    heap_.push_back(std::uint64_t{merged} << 32 | at);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
  std::uint32_t pop() {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      const std::uint64_t entry = heap_.back();
      heap_.pop_back();
      const auto at = static_cast<std::uint32_t>(entry);
      if (parts_[at].merged == entry >> 32) return at;  // else a part has been merged since
    }
    return kNone;
  }

  const TokenTable& tokens_;
  std::vector<std::uint32_t> bytes_,
      byte_pairs_;                      // the token of each byte; of two, if it was found
  PairTable pairs_;                     // the merges that were found
  const std::uint8_t* p_ = nullptr;     // the bytes of the token
  std::uint32_t size_ = 0, count_ = 0;  // of the token, and of its parts
  std::vector<Part> parts_;
  std::vector<std::uint64_t> heap_;  // merged << 32 | offset
};

// Returns left and right id of each merge, in order of rank. Arguments are those of VocabTables.
inline std::vector<std::uint32_t> derive_merges(std::string_view blob, const std::uint32_t* ends,
                                                const std::uint32_t* ids, std::size_t count,
                                                const std::vector<std::uint32_t>& unreachable) {
  const TokenTable tokens(blob, ends, ids, count, unreachable);
  MergeDeriver deriver(tokens);
  std::vector<std::uint32_t> flat;
  flat.reserve(2 * count);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t left, right;
    if (std::binary_search(unreachable.begin(), unreachable.end(), ids[i])) continue;
    if (!deriver.find(i, left, right)) continue;
    flat.push_back(tokens.id_at(left));
    flat.push_back(tokens.id_at(right));
  }
  return flat;
}

}  // namespace wordsplit
