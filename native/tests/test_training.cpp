// Training: counts against a map, runs written and read again, what of them fits into memory, and
// merges against recounting everything.
#include "naive_training.hpp"
#include "support.hpp"
#include "wordsplit/training/merger.hpp"
#include "wordsplit/training/runs.hpp"
#include "wordsplit/training/span_counter.hpp"

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

// Spans of all lengths, the last one at the end of the memory, in tables that grow.
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

// A run does not depend on the number of tables; damaged runs are refused.
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

// The counts do not depend on the number of threads.
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
    SpanCounter counter(threads);
    const std::uint64_t n =
        counter.count_texts({scheme.at(wordsplit::best_simd_level()), nullptr}, true, views);
    const Spans all = spans_of(counter.counts());
    std::uint64_t sum = 0;
    for (const auto& [span, count] : all) sum += count;
    if (threads == 1) first = all;
    if (all != first || sum != n || all.count("e\xcc\x81")) fail("threads", "");
  }
}

// Spans whose ends do not ascend within the text are refused, and none of them is counted.
void test_refused_spans() {
  const std::vector<std::uint32_t> refused[] = {{0}, {1, 1}, {2, 1}, {1, 4}};
  SpanCounter counter(1);
  for (const auto& ends : refused) {
    try {
      counter.add_spans("abc", ends);
      fail("ends that do not tile", "");
    } catch (const std::invalid_argument&) {
    }
  }
  const std::vector<std::uint32_t> ends = {1, 3};
  counter.add_spans("abc", ends);
  counter.add("bc", 4);
  if (spans_of(counter.counts()) != Spans{{"a", 1}, {"bc", 5}}) fail("counts of spans", "");
}

std::string run_of(const Spans& spans) {
  std::vector<SpanCounts> table(1);
  for (const auto& [span, count] : spans) {
    table[0].add(reinterpret_cast<const std::uint8_t*>(span.data()), span.size(), count);
  }
  std::string run;
  write_run(table, [&](std::string_view chunk) { run += chunk; });
  return run;
}

std::vector<std::string> single_bytes() {
  std::vector<std::string> out;
  for (int byte = 0; byte < 256; ++byte) out.emplace_back(1, static_cast<char>(byte));
  return out;
}

// Of the spans in runs, the most frequent fit; the rest is reported.
void test_memory_limit() {
  const std::vector<std::string> base = single_bytes();
  const std::vector<std::string_view> tokens(base.begin(), base.end());
  const std::string first = run_of({{"abc", 4}, {"x", 100}, {"de", 2}});
  const std::string second = run_of({{"abc", 5}, {"fg", 2}, {"hi", 1}});
  const struct {
    std::uint64_t bytes, left_out, highest_count;
  } want[] = {{13, 0, 0}, {12, 1, 1}, {10, 1, 1}, {9, 2, 2}, {7, 2, 2}, {4, 3, 2}, {3, 4, 9}};
  for (const auto& limit : want) {
    Merger merger(tokens, {}, {}, 1);
    const auto found = merger.take_runs({first, second}, limit.bytes);
    if (found.spans != limit.left_out || found.highest_count != limit.highest_count) {
      fail("what does not fit", std::to_string(limit.bytes));
    }
  }
}

// Training from a vocab spells spans as its merges do, and as whole tokens with ignore_merges.
void test_base_vocab() {
  support::TestVocab vocab;
  vocab.tokens = single_bytes();
  vocab.tokens.insert(vocab.tokens.end(), {"ab", "cde"});  // no merge makes the last
  for (std::uint32_t i = 0; i < vocab.tokens.size(); ++i) vocab.ids.push_back(3 * i);
  vocab.merges = {3 * 'a', 3 * 'b'};
  vocab.build();
  if (vocab.by_bytes.at("ab") != 3 * 256) fail("the vocab", "");
  for (const bool ignore_merges : {false, true}) {
    Speller speller(vocab.tokens, {vocab.tables.get(), ignore_merges, vocab.ids});
    support::Ids merged, whole;
    speller("xab", merged);
    speller("cde", whole);
    if (merged != support::Ids{'x', 256}) fail("a span by its merges", "xab");
    const support::Ids want = ignore_merges ? support::Ids{257} : support::Ids{'c', 'd', 'e'};
    if (whole != want) fail("a span that is a token", "cde");
  }
}

}  // namespace

// Takes the number of random corpora as an argument.
int main(int argc, char** argv) {
  test_counts();
  test_runs();
  test_texts();
  test_refused_spans();
  test_memory_limit();
  test_base_vocab();
  const std::uint64_t corpora = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 4000;
  for (std::uint64_t seed = 0; seed < corpora; ++seed) {
    Random random(seed);
    support::check_training(random, seed);
  }
}
