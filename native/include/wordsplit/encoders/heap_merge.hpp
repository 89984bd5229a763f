// Candidate merges in a binary heap over a linked list of tokens.
//
// The top of the heap, by (rank, position), is the next merge. A merge makes at most two new pairs,
// which are pushed; entries it made stale are known by the tokens they were made for, and passed
// over. O(n log n) time, O(n) memory, whatever the bytes. Preconditions: n < 2^32.
#pragma once

#include <algorithm>

#include "wordsplit/counters.hpp"
#include "wordsplit/encoders/scratch.hpp"

namespace wordsplit {

inline std::size_t heap_merge(const VocabTables& tables, const std::uint8_t* span, std::size_t n,
                              std::uint32_t* out, Scratch& scratch) {
  const PairTable& pairs = tables.pairs();
  auto& token = scratch.tokens;
  auto& next = scratch.next;
  auto& previous = scratch.previous;
  auto& heap = scratch.heap;
  const auto end = static_cast<std::uint32_t>(n);
  token.resize(n);
  next.resize(n);
  previous.resize(n);
  heap.clear();
  for (std::uint32_t i = 0; i < end; ++i) {
    token[i] = tables.byte_id(span[i]);
    next[i] = i + 1;
    previous[i] = i - 1;  // of the first: 2^32 - 1, never an index
  }
  const auto later = [](const Scratch::Candidate& a, const Scratch::Candidate& b) {
    return a.order > b.order;
  };
  const auto candidate = [&](std::uint32_t at, std::uint32_t left, std::uint32_t right) {
    const Merge merge = pairs.find(left, right);
    if (merge.rank == kNoRank) return false;
    WORDSPLIT_COUNT(1);
    heap.push_back({std::uint64_t{merge.rank} << 32 | at, left, right, merge.merged});
    return true;
  };
  for (std::uint32_t i = 0; i + 1 < end; ++i) candidate(i, token[i], token[i + 1]);
  std::make_heap(heap.begin(), heap.end(), later);
  while (!heap.empty()) {
    WORDSPLIT_COUNT(1);
    std::pop_heap(heap.begin(), heap.end(), later);
    const Scratch::Candidate top = heap.back();
    heap.pop_back();
    const auto i = static_cast<std::uint32_t>(top.order);
    const std::uint32_t j = next[i];
    if (j == end || token[i] != top.left || token[j] != top.right) continue;
    token[i] = top.merged;
    token[j] = kNoToken;
    const std::uint32_t k = next[i] = next[j];
    if (k != end) {
      previous[k] = i;
      if (candidate(i, top.merged, token[k])) std::push_heap(heap.begin(), heap.end(), later);
    }
    const std::uint32_t h = previous[i];
    if (h < end && candidate(h, token[h], top.merged)) {
      std::push_heap(heap.begin(), heap.end(), later);
    }
  }
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < end; i = next[i]) out[count++] = token[i];
  return count;
}

}  // namespace wordsplit
