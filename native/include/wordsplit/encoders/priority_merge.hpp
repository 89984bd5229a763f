// The merge of each pair is kept next to its left token; the lowest rank is found in that array.
//
// After a merge only the two new pairs are looked up: O(n) look-ups, and O(n^2) comparisons over an
// array that stays in L1. Made for short spans.
#pragma once

#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

inline std::size_t priority_merge(const VocabTables& tables, const std::uint8_t* span,
                                  std::size_t n, std::uint32_t* out, Scratch& scratch) {
  const PairTable& pairs = tables.pairs();
  auto& merges = scratch.merges;  // merges[i]: of the pair (out[i], out[i + 1])
  if (merges.size() < n) merges.resize(n);
  out[0] = tables.byte_id(span[0]);
  for (std::size_t i = 1; i < n; ++i) {
    out[i] = tables.byte_id(span[i]);
    merges[i - 1] = tables.byte_pair(span[i - 1], span[i]);
  }
  while (n > 1) {
    std::size_t where = 0;
    std::uint32_t best = merges[0].rank;
    for (std::size_t i = 1; i + 1 < n; ++i) {
      if (merges[i].rank < best) best = merges[i].rank, where = i;
    }
    if (best == kNoRank) break;
    scratch.report(n);
    out[where] = merges[where].merged;
    for (std::size_t i = where + 1; i + 1 < n; ++i) {
      out[i] = out[i + 1];
      merges[i - 1] = merges[i];
    }
    --n;
    if (where + 1 < n) merges[where] = pairs.find(out[where], out[where + 1]);
    if (where > 0) merges[where - 1] = pairs.find(out[where - 1], out[where]);
  }
  return n;
}

}  // namespace wordsplit
