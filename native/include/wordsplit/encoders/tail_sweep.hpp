// The sweep of buffer_sweep, done in place in the output, without scratch memory.
//
// The ids of the bytes are written to the output and merged there. O(n^2) look-ups for n bytes.
#pragma once

#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

inline std::size_t tail_sweep(const VocabTables& tables, const std::uint8_t* span, std::size_t n,
                              std::uint32_t* out, Scratch& scratch) {
  for (std::size_t i = 0; i < n; ++i) out[i] = tables.byte_id(span[i]);
  while (n > 1) {
    scratch.report(4 * n);
    Merge best{kNoRank, 0};
    std::size_t where = 0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const Merge merge = tables.pairs().find(out[i], out[i + 1]);
      if (merge.rank < best.rank) best = merge, where = i;
    }
    if (best.rank == kNoRank) break;
    out[where] = best.merged;
    for (std::size_t i = where + 1; i + 1 < n; ++i) out[i] = out[i + 1];
    --n;
  }
  return n;
}

}  // namespace wordsplit
