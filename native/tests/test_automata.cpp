// Random automata on random texts: at every SIMD level, and however few ends a call may write, the
// spans are those that attempts find by the definition, one after another; of steps, each within
// the pieces of the one before. Texts that are cut where an automaton says so have the same spans.
// A text on which every attempt fails late takes linear time.
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "naive_automata.hpp"

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

NaiveStep random_step(Random& random) {
  NaiveStep step{support::random_tables(random)};
  step.tables.prepare();
  return step;
}

std::vector<NaiveStep> random_steps(Random& random, std::uint32_t of_two) {
  std::vector<NaiveStep> steps{random_step(random)};
  if (random.below(of_two) == 0) steps.push_back(random_step(random));
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

// a+b|a, on which an attempt reads to the end of the text.
void check_time() {
  support::Tables tables;
  tables.first = {0, 'a', 'b', 'c'};
  tables.label = {0, 1, 2, 0};
  tables.prepare();
  tables.classes = tables.characters = 3;
  tables.starts = {1, 1, 1, 1};
  tables.next = {
      0, 0,         0,         0,  // dead
      0, 2 * 2,     0,         0,  // nothing read
      1, 3 * 2 + 1, 4 * 2 + 1, 1,  // a
      0, 3 * 2,     4 * 2,     0,  // aa
      1, 1,         1,         1,  // ab, aab
  };
  const auto begin = std::chrono::steady_clock::now();
  const std::string text(1 << 20, 'a');
  if (found_ends(finder_of({{tables}}, best_simd_level()), text, 256).size() != text.size()) {
    support::fail("other spans", "a+b|a");
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  if (taken.count() > 20) support::fail("too slow", "a+b|a");
}

}  // namespace

int main() {
  std::size_t cuts = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) check_spans(seed);
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) check_behaviors(seed);
  for (std::uint64_t seed = 1; seed <= 400; ++seed) check_cuts(seed, cuts);
  if (cuts < 300) support::fail("few cuts", std::to_string(cuts));
  check_time();
  std::printf("automata: %zu cuts\n", cuts);
  return 0;
}
