// Compares spans merged in lockstep with byte-pair encoding as it is defined: at every level, in
// batches of all sizes, of all lengths. The memory of a lane holds arbitrary data at first, since
// lanes are reused.
#include <new>

#include "support.hpp"

namespace {

using namespace wordsplit;
using support::Exact;
using support::fail;
using support::Ids;
using support::Random;
using support::TestVocab;

constexpr std::size_t kMost = PairsToFind::kMostLanes;

struct Lanes {
  alignas(MergeLane) std::uint8_t memory[kMost * sizeof(MergeLane)];

  explicit Lanes(Random& random) {
    const bool same = random.below(2);
    const auto filler = static_cast<std::uint8_t>(random.below(256));
    for (std::uint8_t& byte : memory) {
      byte = same ? filler : static_cast<std::uint8_t>(random.below(256));
    }
  }
  MergeLane* all() { return std::launder(reinterpret_cast<MergeLane*>(memory)); }
};

std::size_t check(const TestVocab& vocab, Random& random, std::uint64_t seed) {
  std::vector<std::string> spans;
  for (std::size_t n = 1 + random.below(kMost); n--;) {
    std::string span = support::make_span(vocab, random, random.below(3) ? 20 : 160);
    span.resize(std::min(span.size(), MergeLane::kLongest));
    if (!span.empty() && vocab.has_bytes(span)) spans.push_back(span);
  }
  for (const SimdLevel level : simd_levels()) {
    Lanes lanes(random);
    for (std::size_t k = 0; k < spans.size(); ++k) {
      const Exact bytes(spans[k]);
      lanes.all()[k].begin(*vocab.tables, bytes.data.get(), bytes.n);
    }
    lockstep_merge_at(level)(vocab.tables->pairs(), lanes.all(), spans.size());
    for (std::size_t k = 0; k < spans.size(); ++k) {
      std::uint32_t ids[MergeLane::kLongest];
      const std::size_t count = lanes.all()[k].finish(ids);
      if (Ids(ids, ids + count) != vocab.encode(spans[k])) fail("in step", spans[k], seed);
    }
  }
  return spans.size();
}

}  // namespace

int main() {
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < support::rounds(300); ++seed) {
    Random random(seed);
    const TestVocab vocab = support::make_vocab(random);
    for (int i = 0; i < 30; ++i) checked += check(vocab, random, seed);
  }
  if (checked < support::rounds(25000)) fail("too few spans", std::to_string(checked));
}
