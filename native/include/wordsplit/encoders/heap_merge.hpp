// Candidate merges in a binary heap over a linked list of tokens.
//
// The top of the heap, by (rank, position), is the next merge. A merge makes at most two new pairs,
// which are pushed; the entries it makes stale are skipped when they are popped. An entry is one
// word: since a rank belongs to one pair, it is valid if the pair at its position has its rank. O(n
// log n) time and O(n) memory, whatever the bytes. Precondition: n < 2^32.
#pragma once

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "wordsplit/base/counters.hpp"
#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

inline std::size_t heap_merge(const VocabTables& tables, const std::uint8_t* span, std::size_t n,
                              std::uint32_t* out, Scratch& scratch) {
  const PairTable& pairs = tables.pairs();
  auto& nodes = scratch.nodes;
  auto& heap = scratch.heap;
  const auto end = static_cast<std::uint32_t>(n);
  nodes.resize(n);
  heap.clear();
  const auto entry = [](std::uint32_t rank, std::uint32_t at) {
    return std::uint64_t{rank} << 32 | at;
  };
  for (std::uint32_t i = 0; i < end; ++i) {
    const std::uint32_t rank = i + 1 < end ? tables.byte_pair(span[i], span[i + 1]).rank : kNoRank;
    // The first node's previous is 2^32 - 1, which is never an index.
    nodes[i] = {tables.byte_id(span[i]), i + 1, i - 1, rank};
    WORDSPLIT_COUNT(1);
    if (rank != kNoRank) heap.push_back(entry(rank, i));
  }
  std::make_heap(heap.begin(), heap.end(), std::greater<>());
  // Pushes the pair that begins at a node, if it merges.
  const auto push_pair = [&](std::uint32_t at, std::uint32_t left, std::uint32_t right) {
    const std::uint32_t rank = pairs.find(left, right).rank;
    nodes[at].rank = rank;
    if (rank == kNoRank) return;
    WORDSPLIT_COUNT(1);
    heap.push_back(entry(rank, at));
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
  };
  while (!heap.empty()) {
    WORDSPLIT_COUNT(1);
    scratch.report(16);
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    const auto rank = static_cast<std::uint32_t>(heap.back() >> 32);
    const auto i = static_cast<std::uint32_t>(heap.back());
    heap.pop_back();
    Scratch::Node& node = nodes[i];
    if (node.rank != rank) continue;
    const std::uint32_t j = node.next;
    node.token = pairs.find(node.token, nodes[j].token).merged;
    nodes[j].rank = kNoRank;
    node.rank = kNoRank;
    const std::uint32_t k = node.next = nodes[j].next;
    if (k != end) {
      nodes[k].previous = i;
      push_pair(i, node.token, nodes[k].token);
    }
    if (node.previous < end) push_pair(node.previous, nodes[node.previous].token, node.token);
  }
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < end; i = nodes[i].next) out[count++] = nodes[i].token;
  return count;
}

// Whether merging the bytes of a token gives one token.
inline bool VocabTables::merges_to_itself(std::string_view token) const {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(token.data());
  if (std::any_of(bytes, bytes + token.size(),
                  [&](std::uint8_t byte) { return byte_id(byte) == kNoToken; })) {
    return false;
  }
  Scratch scratch;
  std::vector<std::uint32_t> ids(token.size());
  return heap_merge(*this, bytes, token.size(), ids.data(), scratch) == 1;
}

}  // namespace wordsplit
