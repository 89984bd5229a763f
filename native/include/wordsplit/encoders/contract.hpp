// The contract of a native span encoder.
//
// An encoder is a function
//
//     std::size_t encoder(const VocabTables& tables, const std::uint8_t* span, std::size_t n,
//                         std::uint32_t* out, Scratch& scratch);
//
// that writes the ids of span[0, n) to `out` and returns their number. All encoders write the same
// ids. An encoder that needs more of a vocab than its tables has an index (tables/indexes.hpp) and
// takes it as its second argument.
//
// Preconditions: n > 0; every byte of the span has a token; `out` has room for n ids.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "wordsplit/base/interrupt.hpp"
#include "wordsplit/encoders/path_cache.hpp"
#include "wordsplit/tables/pair_table.hpp"

namespace wordsplit {

// Buffers of one thread and one vocab, which keep their memory from span to span. Encoders allocate
// nothing else.
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
  struct Step {  // the best way to a position, and the number of its last token
    static constexpr std::uint32_t kUnreached = 0xFFFFFFFF;
    double score = -std::numeric_limits<double>::infinity();
    std::uint32_t from = 0, token = kUnreached;
    bool is_reached() const { return token != kUnreached; }
  };
  std::vector<Step> steps;
  struct Subtracted {  // a sum that was subtracted from itself and all after it
    std::size_t at;
    double sum;
  };
  std::vector<Subtracted> subtracted;
  std::vector<double> scores;
  PathCache paths;
  bool carries_sum = false;  // whether the sum of scores goes on from span to span
  double sum = 0;            // before the next span, if so
  std::string kept;          // what is left of a span without what gives no id
  // Of the words of a span.
  std::string text;
  std::vector<std::uint32_t> ids;

  Interrupt* interrupt = nullptr;  // null: the call cannot be stopped
  void report(std::size_t steps) const {
    if (interrupt) interrupt->report(steps);
  }
  // The same as a function, for code that knows no scratch space.
  auto reporting() const {
    return [this](std::size_t bytes) { report(bytes); };
  }
};

}  // namespace wordsplit
