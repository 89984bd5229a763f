// What an encoder may use while it encodes: buffers that keep their memory from span to span.
#pragma once

#include <cstdint>
#include <vector>

#include "wordsplit/base/interrupt.hpp"
#include "wordsplit/tables/pair_table.hpp"

namespace wordsplit {

class VocabTables;

struct Scratch {
  std::vector<std::uint32_t> tokens;
  std::vector<Merge> merges;
  struct Node {
    std::uint32_t token, next, previous;
    std::uint32_t rank;  // of the pair that begins here
  };
  std::vector<Node> nodes;
  std::vector<std::uint64_t> heap;  // rank << 32 | position: the next merge is the least
  std::vector<std::uint64_t> bits;

  // Who may stop the call, if anyone; see Interrupt.
  Interrupt* interrupt = nullptr;
  void report(std::size_t steps) const {
    if (interrupt) interrupt->report(steps);
  }
};

// Every span encoder is a function of this type. It appends the ids of span[0, n), n > 0, to `out`,
// which has room for n more, and returns how many. Precondition: every byte of the span has a
// token.
using SpanEncodeFn = std::size_t (*)(const VocabTables&, const std::uint8_t* span, std::size_t n,
                                     std::uint32_t* out, Scratch&);

}  // namespace wordsplit
