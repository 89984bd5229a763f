// Random automata on random texts: at every SIMD level, and however few ends a call may write, the
// spans are those that attempts find by the definition, one after another; of steps, each within
// the pieces of the one before, of characters or of bytes. Texts that are cut where an automaton
// says so have the same spans. A text on which attempts fail late takes linear time, and little
// memory.
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "naive_automata.hpp"

namespace {

std::size_t bytes = 0, most_bytes = 0;  // of the heap, in use
constexpr std::size_t kHead = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t size) {
  auto* const block = static_cast<unsigned char*>(std::malloc(size + kHead));
  if (!block) std::abort();
  std::memcpy(block, &size, sizeof size);
  most_bytes = std::max(most_bytes, bytes += size);
  return block + kHead;
}
// Where GCC inlines it, it takes this for a pointer of the other operator.
[[gnu::noinline]] void operator delete(void* given) noexcept {
  if (!given) return;
  auto* const block = static_cast<unsigned char*>(given) - kHead;
  std::size_t size;
  std::memcpy(&size, block, sizeof size);
  bytes -= size;
  std::free(block);
}
void operator delete(void* given, std::size_t) noexcept { operator delete(given); }

namespace {

using namespace wordsplit;
using namespace wordsplit::automata;
using support::finder_of;
using support::found_ends;
using support::Ids;
using support::kCodes;
using support::NaiveStep;
using support::Random;
using support::random_text;
using support::rounds;

NaiveStep random_step(Random& random) {
  NaiveStep step{support::random_tables(random)};
  step.tables.prepare();
  return step;
}

std::vector<NaiveStep> random_steps(Random& random, std::uint32_t of_two) {
  std::vector<NaiveStep> steps{random_step(random)};
  while (steps.size() < 4 && random.below(of_two) == 0) steps.push_back(random_step(random));
  steps.back().on_bytes = random.below(4) == 0;
  return steps;
}

void check_spans(std::uint64_t seed) {
  Random random(seed);
  const std::vector<NaiveStep> steps = random_steps(random, 3);
  std::vector<SpanFinder> finders;
  for (const SimdLevel level : simd_levels()) finders.push_back(finder_of(steps, level));
  for (int k = 0; k < 12; ++k) {
    const std::string text = random_text(random);
    const Ids wanted = naive_ends(steps, text);
    for (const SpanFinder& finder : finders) {
      for (const std::size_t cap : {1, 2, 7, 256}) {
        if (found_ends(finder, text, cap) != wanted) support::fail("other spans", text, seed);
      }
    }
  }
}

void check_behaviors(std::uint64_t seed) {
  Random random(seed);
  NaiveStep step = random_step(random);
  const std::string text = random_text(random);
  for (const bool invert : {false, true}) {
    for (const Behavior behavior :
         {Behavior::Contiguous, Behavior::MergedWithPrevious, Behavior::MergedWithNext}) {
      step.behavior = behavior;
      step.invert = invert;
      step.on_bytes = random.below(3) == 0;
      const SpanFinder finder = finder_of({step}, best_simd_level());
      for (const std::size_t cap : {1, 64}) {
        if (found_ends(finder, text, cap) != step.ends(text)) {
          support::fail("other pieces", text, seed);
        }
      }
    }
  }
}

void check_cuts(std::uint64_t seed, std::size_t& cuts) {
  Random random(seed);
  const SpanFinder finder = finder_of(random_steps(random, 2), best_simd_level());
  for (const std::uint32_t a : kCodes) {
    for (const std::uint32_t b : kCodes) {
      if (!finder.steps->can_cut(a, b)) continue;
      ++cuts;
      std::uint8_t spelled[4];
      const auto text_of = [&](std::uint32_t code) {
        return std::string(spelled, put_utf8(code, spelled));
      };
      for (int k = 0; k < 4; ++k) {
        const std::string head = random_text(random) + text_of(a),
                          text = head + text_of(b) + random_text(random);
        support::check_cut(finder, text, head.size(), found_ends(finder, text, 64), seed);
      }
    }
  }
}

// (?:a{40})*b|a, on which forty attempts read to the end of the text, in as many states; or
// with look-ahead, of which every character tells what follows: a(?=a*b)|a. within: in the one
// piece of a step that matches nothing.
void check_hostile(bool ahead, bool within) {
  constexpr unsigned kCount = 40;
  NaiveStep step;
  support::Tables& tables = step.tables;
  tables.first = {0, 'a', 'b', 'c'};
  tables.label = {0, 1, 2, 0};
  tables.prepare();
  tables.classes = tables.characters = 3;
  tables.starts = {1, 1, 1, 1};
  const auto row = [&](unsigned a, unsigned b, bool matched) {
    const auto move = [&](unsigned to) { return static_cast<std::uint16_t>(2 * to + matched); };
    tables.next.insert(tables.next.end(), {move(0), move(a), move(b), move(0)});
  };
  row(0, 0, false);
  if (ahead) {
    row(2, 2, false);
    row(0, 0, true);
    tables.back = {0, 0, 1, 0, 1, 1};
    tables.symbols = {0, 1, 2, 0, 1, 2};
  } else {
    row(2, kCount + 2, false);  // nothing read
    row(3, 0, true);            // a
    for (unsigned i = 3; i <= kCount; ++i) row(i + 1, 0, false);
    row(kCount + 3, kCount + 2, false);  // forty
    row(0, 0, true);                     // b
    row(3, 0, false);                    // one more than forties
  }
  const std::string text(1 << 19, 'a');
  std::vector<NaiveStep> steps{step};
  if (within) {
    NaiveStep nothing = step;
    std::fill(nothing.tables.next.begin(), nothing.tables.next.end(), std::uint16_t{0});
    steps.insert(steps.begin(), nothing);
  }
  const SpanFinder finder = finder_of(steps, best_simd_level());
  const std::clock_t begin = std::clock();
  const std::size_t before = most_bytes = bytes;
  SpanFinder::Memory memory =
      finder.memory(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), 0);
  std::uint32_t ends[256];
  std::size_t spans = 0;
  for (std::size_t pos = 0; pos < text.size();) {
    spans += finder.find(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), pos, ends,
                         256, memory);
  }
  if (spans != text.size()) support::fail("other spans", "a hostile text");
  if (std::clock() - begin > 10 * CLOCKS_PER_SEC) support::fail("too slow", "a hostile text");
  if (most_bytes - before > 2 << 20) support::fail("too much memory", "a hostile text");
}

}  // namespace

int main() {
  std::size_t cuts = 0;
  for (std::uint64_t seed = 1; seed <= rounds(800); ++seed) check_spans(seed);
  for (std::uint64_t seed = 1; seed <= rounds(800); ++seed) check_behaviors(seed);
  for (std::uint64_t seed = 1; seed <= rounds(400); ++seed) check_cuts(seed, cuts);
  if (cuts < rounds(300)) support::fail("few cuts", std::to_string(cuts));
  for (const bool within : {false, true}) {
    check_hostile(false, within);
    check_hostile(true, within);
  }
  std::printf("automata: %zu cuts\n", cuts);
  return 0;
}
