// One Engine on many threads gives the same ids as one thread: each thread with a State of its own,
// encode_batch, and encode_long_text. tests/tsan.sh runs this under ThreadSanitizer.
#include <string_view>
#include <thread>

#include "naive_automata.hpp"
#include "support.hpp"
#include "wordsplit/engine/batch.hpp"
#include "wordsplit/engine/long_text.hpp"

namespace {

using namespace wordsplit;
using support::fail;
using support::Ids;
using support::Random;
using support::TestVocab;

constexpr std::size_t kThreads = 8;

const std::uint8_t* bytes(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

Ids alone(const Engine& engine, Engine::State& state, std::string_view text) {
  Output out;
  engine.encode(bytes(text), text.size(), nullptr, state, out);
  return {out.data(), out.data() + out.size()};
}

void check(const TestVocab& vocab, const Engine& engine, const std::vector<std::string>& texts) {
  std::vector<Ids> want;
  const auto first = engine.make_state();
  for (const std::string& text : texts) want.push_back(alone(engine, *first, text));

  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const auto state = engine.make_state();
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::size_t at = (i * 7 + t * 13) % texts.size();
        if (alone(engine, *state, texts[at]) != want[at]) fail("a thread of its own", texts[at]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  Texts views;
  for (const std::string& text : texts) views.push_back({text.data(), text.size()});
  for (const std::size_t workers : {std::size_t{1}, std::size_t{3}, kThreads}) {
    std::vector<std::unique_ptr<Engine::State>> states;
    for (std::size_t i = 0; i < workers; ++i) states.push_back(engine.make_state());
    std::size_t taken = 0;
    encode_batch(
        views, workers,
        [&](const Text& text, std::size_t worker, Output& out) {
          engine.encode(static_cast<const std::uint8_t*>(text.data), text.length, nullptr,
                        *states[worker], out);
        },
        [&](std::size_t from, std::size_t to, const Output& ids, const std::size_t* ends) {
          if (from != taken) fail("encode_batch out of order", texts[from]);
          for (std::size_t start = 0; taken < to; start = ends[taken++ - from]) {
            const std::size_t end = ends[taken - from];
            if (Ids(ids.data() + start, ids.data() + end) != want[taken]) {
              fail("encode_batch", texts[taken]);
            }
          }
        });
    if (taken != texts.size()) fail("encode_batch left texts out", vocab.letters);
    // An error in one text reaches the caller, and ends the call.
    bool caught = false;
    try {
      encode_batch(
          views, workers,
          [&](const Text& text, std::size_t, Output&) {
            if (&text == &views[views.size() / 2]) throw MissingByte(1);
          },
          [](std::size_t, std::size_t, const Output&, const std::size_t*) {});
    } catch (const MissingByte&) {
      caught = true;
    }
    if (!caught) fail("an error in encode_batch", vocab.letters);
  }
}

// Two steps of random automata for which a text can be cut at some spaces or line ends, and not
// within runs of a letter.
SpanFinder steps_with_cuts(Random& random) {
  while (true) {
    std::vector<support::NaiveStep> steps;
    for (int i = 0; i < 2; ++i) {
      steps.push_back({support::random_tables(random)});
      steps.back().tables.prepare();
    }
    const SpanFinder found = support::finder_of(steps, best_simd_level());
    const auto can_cut = [&](char a, char b) {
      return found.steps->can_cut(static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b));
    };
    if (can_cut('a', 'a') || can_cut('a', 'b') || can_cut('s', 's')) continue;
    if (can_cut('a', ' ') || can_cut(' ', 'a') || can_cut('\n', 'a')) return found;
  }
}

// One text in pieces, some of whose cuts are not at span starts.
void test_split() {
  std::size_t splits = 0, cuts = 0;
  for (std::uint64_t seed = 0; seed < 18; ++seed) {
    Random random(seed);
    const TestVocab vocab = support::make_vocab(random);
    EngineConfig config;
    const bool steps = !kOnlyBytes && seed % 2 == 0;
    if (steps)
      config.spans = steps_with_cuts(random);
    else
      config.spans.scan = schemes()[seed % schemes().size()].at(best_simd_level());
    config.cache_bytes = 1 << 16;
    const Engine engine(vocab.tables, config, {{"<s>", 1 << 20, 0, true, false, false, false}}, {});
    std::vector<std::string> parts = {"\n", " ", " a", "\na", "a", "\n\n", "a a", "!\n/"};
    std::string text = "a<s>";  // few, since each begins another stretch
    while (text.size() < 3 * kPiece) {
      text += parts[random.below(static_cast<std::uint32_t>(parts.size()))];
      if (random.below(4) == 0) text += support::make_span(vocab, random, 40);
      if (random.below(40000) == 0) text.append(kPiece / 2, 'a');
    }
    if (!vocab.has_bytes(text)) continue;
    if (steps) {
      cuts +=
          find_proven_cut(config.spans, bytes(text), text.size(), kPiece, 2 * kPiece) < 2 * kPiece;
    }
    const auto state = engine.make_state();
    const Ids want = alone(engine, *state, text);
    {
      const std::size_t threads = 2 + seed % 4;
      std::vector<std::unique_ptr<Engine::State>> made;
      std::vector<Engine::State*> states;
      for (std::size_t i = 0; i < threads; ++i) {
        made.push_back(engine.make_state());
        states.push_back(made.back().get());
      }
      Output out;
      encode_long_text(engine, bytes(text), text.size(), nullptr, states, out);
      if (Ids(out.data(), out.data() + out.size()) != want) fail("encode_long_text", "", seed);
      ++splits;
    }
  }
  if (splits < 4) fail("too few texts were split", std::to_string(splits));
  if (!kOnlyBytes && cuts < 2) fail("too few texts in steps were split", std::to_string(cuts));
}

}  // namespace

int main() {
  test_split();
  for (std::uint64_t seed = 0; seed < 18; ++seed) {
    Random random(seed);
    TestVocab vocab = support::make_vocab(random);
    EngineConfig config;
    config.spans.scan = schemes()[seed % schemes().size()].at(best_simd_level());
    config.nfc = true;
    config.cache_bytes = seed % 3 ? 1 << 16 : 0;
    const Encoder* const backtracking = find_encoder("backtracking");
    if (seed % 2 && backtracking->obstacle(*vocab.tables).empty())
      config.long_encoder = backtracking;
    const Engine engine(vocab.tables, config, {{"<s>", 1 << 20, 0, true, false, false, false}}, {});
    std::vector<std::string> texts;
    for (int i = 0; i < 120; ++i) {
      std::string text;
      for (std::uint32_t n = random.below(30); n--;) {
        text += support::make_span(vocab, random, random.below(20) ? 12 : 400);
        if (random.below(6) == 0) text += "<s>";
      }
      if (vocab.has_bytes(text + "<s>")) texts.push_back(text);
    }
    if (!texts.empty()) check(vocab, engine, texts);
  }
}
