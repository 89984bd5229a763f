// Look-ups of blocks of spans in the hot cache's sets, with each instruction set, against one span
// at a time.
#include <memory>
#include <string>
#include <vector>

#include "support.hpp"
#include "wordsplit/cache/hot_lookup.hpp"

namespace {

using namespace wordsplit;
using support::fail;
using support::Random;

constexpr std::size_t kSets = 64;
constexpr unsigned kShift = 64 - 6;

// Text of one exact allocation, the ends of its spans, and sets that hold some of them.
struct Case {
  support::Exact text;
  std::vector<std::uint32_t> ends;
  std::size_t start;
  std::vector<KeySet> sets;

  SpanBlock block() const { return {text.data.get(), text.n, start, ends.data(), ends.size()}; }
};

Case made(std::uint64_t seed) {
  Random random(seed);
  // Mostly short spans, all lengths around those at which keys change, and some beyond a byte.
  const auto length = [&]() -> std::uint32_t {
    switch (random.below(8)) {
      case 0:
        return 12 + random.below(4);
      case 1:
        return 31 + random.below(3);
      case 2:
        return random.below(16) ? 1 + random.below(40) : 120 + random.below(300);
      default:
        return 1 + random.below(7);
    }
  };
  constexpr std::uint32_t kCounts[] = {1, 2, 9, 63, 64, 65, 66, 130, 255, 256, 257, 320, 700, 2048};
  const std::uint32_t count = kCounts[random.below(std::size(kCounts))];
  std::string text(random.below(3), 'x');  // what is before the first span
  const std::size_t start = text.size();
  std::vector<std::uint32_t> ends;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t k = length(); k > 0; --k) {
      text += static_cast<char>(random.below(4) ? 'a' + random.below(3) : random.below(256));
    }
    ends.push_back(static_cast<std::uint32_t>(text.size()));
  }
  text.append(random.below(2) ? random.below(40) : 0, 'y');  // what is behind the last
  Case out{support::Exact(text), ends, start, std::vector<KeySet>(kSets + 1)};
  const SpanBlock block = out.block();
  for (std::size_t i = 0; i < block.count; ++i) {
    const SpanKey key = SpanKey::of(block.text + block.begin(i), block.size(i));
    KeySet& set = out.sets[key.hash() >> kShift];
    if (random.below(2) && block.size(i) <= SpanWords::kLongest && set.way(key) == KeySet::kWays) {
      const HotHit::Type near_limit = HotHit::kListed - 1 + random.below(2);
      (void)set.push({key, random.below(2) ? near_limit : random.below(HotHit::kNone)});
    }
  }
  return out;
}

void check(const Case& given, SimdLevel level, std::uint64_t seed) {
  const SpanBlock block = given.block();
  const auto keys = std::make_unique<BlockKeys>();
  hot_lookup_at(level)(given.sets.data(), kShift, block, *keys);
  std::size_t rare = 0;
  for (std::size_t i = 0; i < block.count; ++i) {
    const SpanKey key = SpanKey::of(block.text + block.begin(i), block.size(i));
    const KeySet& set = given.sets[key.hash() >> kShift];
    const std::size_t way = set.way(key);
    const HotHit::Type found = keys->found[i];
    if (!(keys->keys[i] == key)) fail("the key of a span", std::to_string(i), seed);
    if (keys->set_of(i) != key.hash() >> kShift) fail("its set", std::to_string(i), seed);
    if (way == KeySet::kWays ? found < HotHit::kNone : found != set.entries[way].value()) {
      fail("what is found", std::to_string(i), seed);
    }
    if (found < HotHit::kListed) continue;
    if (rare == keys->rare_count || keys->rare[rare++] != i) fail("a rare span", "", seed);
  }
  if (rare != keys->rare_count) fail("the number of rare spans", std::to_string(rare), seed);
}

}  // namespace

int main() {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Case given = made(seed);
    for (const SimdLevel level : simd_levels()) check(given, level, seed);
  }
}
