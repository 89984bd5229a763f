// Training: counts against a map, runs written and read again, merges against recounting
// everything.
#include "naive_training.hpp"
#include "support.hpp"
#include "wordsplit/training/count_texts.hpp"
#include "wordsplit/training/runs.hpp"

namespace {

using support::fail;
using support::Random;
using support::Spans;
using namespace std::string_literals;
using namespace wordsplit::training;

Spans spans_of(const SpanCounts& counts) {
  Spans out;
  counts.for_each(
      [&](std::string_view span, std::uint64_t count) { out[std::string(span)] += count; });
  return out;
}

// Spans of all lengths, the last of them at the end of the memory; a table that has to grow.
void test_counts() {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    SpanCounts counts;
    Spans want;
    for (std::uint32_t part = 0; part < 4; ++part) {
      std::string text;
      std::vector<std::uint32_t> ends;
      for (std::uint32_t k = random.below(seed % 3 ? 200 : 20000); k > 0; --k) {
        const std::uint32_t n = 1 + random.below(random.below(5) ? 8 : 40);
        std::string span;
        for (std::uint32_t i = 0; i < n; ++i) {
          span.push_back(static_cast<char>(seed % 2 ? random.below(2) : random.below(256)));
        }
        text += span;
        ends.push_back(static_cast<std::uint32_t>(text.size()));
        want[span] += 1;
      }
      const support::Exact exact(text);
      counts.add_spans(exact.data.get(), exact.n, 0, ends.data(), ends.size());
    }
    const std::string again = "\0\0"s + "a span that is longer than a key";
    const support::Exact exact(again);
    counts.add(exact.data.get(), exact.n, 5);
    want[again] += 5;
    if (spans_of(counts) != want) fail("counts", "", seed);
    if (counts.size() != want.size()) fail("the number of spans", "", seed);
  }
}

// The same from any number of tables; what is damaged is refused.
void test_runs() {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    std::vector<SpanCounts> tables(3);
    Spans want;
    for (std::uint32_t k = random.below(300); k > 0; --k) {
      std::string span(1 + random.below(random.below(6) ? 3 : 300), 'x');
      span[0] = static_cast<char>(random.below(7));
      const std::uint64_t times = 1 + random.below(random.below(3) ? 4 : 1 << 30);
      tables[random.below(3)].add(reinterpret_cast<const std::uint8_t*>(span.data()), span.size(),
                                  times);
      want[span] += times;
    }
    std::string whole;
    std::vector<std::string> each(3);
    write_run(tables, [&](std::string_view chunk) { whole += chunk; });
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<SpanCounts> one(1);
      std::swap(one[0], tables[i]);
      write_run(one, [&](std::string_view chunk) { each[i] += chunk; });
    }
    Spans found;
    std::string merged;
    const auto keep = [&](std::string_view chunk) { merged += chunk; };
    RunWriter out(keep);
    merge_runs({each[0], each[1], each[2]}, [&](std::string_view span, std::uint64_t count) {
      found[std::string(span)] += count;
      out.add(span, count);
    });
    out.finish();
    if (found != want) fail("merged runs", "", seed);
    if (merged != whole) fail("one run is not the merge of its parts", "", seed);
    if (whole.empty()) continue;
    for (std::uint32_t k = 0; k < 20; ++k) {
      std::string damaged = whole;
      damaged[random.below(static_cast<std::uint32_t>(damaged.size()))] ^=
          static_cast<char>(1 + random.below(255));
      if (random.below(3) == 0)
        damaged.resize(random.below(static_cast<std::uint32_t>(damaged.size())));
      const support::Exact exact(damaged);
      try {
        merge_runs({std::string_view(reinterpret_cast<const char*>(exact.data.get()), exact.n)},
                   [](std::string_view, std::uint64_t) {});
      } catch (const std::invalid_argument&) {
      }
    }
  }
}

// Any number of threads counts the same.
void test_texts() {
  Random random(5);
  std::vector<std::string> texts;
  for (int k = 0; k < 300; ++k) {
    std::string text;
    for (std::uint32_t n = random.below(4000); n > 0; --n) {
      text +=
          random.below(5) ? std::string(1, static_cast<char>('a' + random.below(3))) : " e\xcc\x81";
    }
    texts.push_back(text);
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const wordsplit::Scheme& scheme = *wordsplit::find_scheme_named("qwen2");
  Spans first;
  for (std::size_t threads = 1; threads <= 4; ++threads) {
    std::vector<SpanCounts> tables(threads);
    const std::uint64_t n = count_texts(scheme, true, views, tables);
    Spans all;
    std::uint64_t sum = 0;
    for (const SpanCounts& table : tables) {
      for (const auto& [span, count] : spans_of(table)) all[span] += count, sum += count;
    }
    if (threads == 1) first = all;
    if (all != first || sum != n || all.count("e\xcc\x81")) fail("threads", "");
  }
}

}  // namespace

// An argument: how many random corpora, where fewer will do.
int main(int argc, char** argv) {
  test_counts();
  test_runs();
  test_texts();
  const std::uint64_t corpora = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 4000;
  for (std::uint64_t seed = 0; seed < corpora; ++seed) {
    Random random(seed);
    support::check_training(random, seed);
  }
}
