// The reference: sweeps a scratch buffer for the pair of lowest rank, merges it, and sweeps again.
//
// O(n^2) table look-ups for n bytes. Source: Sennrich, Haddow and Birch, 2016.
#pragma once

#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

inline std::size_t buffer_sweep(const VocabTables& tables, const std::uint8_t* span, std::size_t n,
                                std::uint32_t* out, Scratch& scratch) {
  auto& buffer = scratch.tokens;
  buffer.resize(n);
  for (std::size_t i = 0; i < n; ++i) buffer[i] = tables.byte_id(span[i]);
  while (n > 1) {
    scratch.report(4 * n);
    Merge best{kNoRank, 0};
    std::size_t where = 0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const Merge merge = tables.pairs().find(buffer[i], buffer[i + 1]);
      if (merge.rank < best.rank) best = merge, where = i;
    }
    if (best.rank == kNoRank) break;
    buffer[where] = best.merged;
    for (std::size_t i = where + 1; i + 1 < n; ++i) buffer[i] = buffer[i + 1];
    --n;
  }
  for (std::size_t i = 0; i < n; ++i) out[i] = buffer[i];
  return n;
}

}  // namespace wordsplit
