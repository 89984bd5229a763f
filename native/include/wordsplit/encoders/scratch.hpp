// What an encoder may use while it encodes: buffers that keep their memory from span to span.
#pragma once

#include <cstdint>
#include <vector>

#include "wordsplit/vocab_tables.hpp"

namespace wordsplit {

struct Scratch {
  std::vector<std::uint32_t> tokens, next, previous;
  std::vector<Merge> merges;
  struct Candidate {
    std::uint64_t order;  // rank << 32 | position: the next merge is the least
    std::uint32_t left, right, merged;
  };
  std::vector<Candidate> heap;
  std::vector<std::uint64_t> bits;
};

// Every span encoder is a function of this type. It appends the ids of span[0, n), n > 0, to `out`,
// which has room for n more, and returns how many. Precondition: every byte of the span has a
// token.
using SpanEncodeFn = std::size_t (*)(const VocabTables&, const std::uint8_t* span, std::size_t n,
                                     std::uint32_t* out, Scratch&);

}  // namespace wordsplit
