// Memory that runs out at any allocation of a call, within run_threads() too, is an exception in
// the calling thread, and the states give the right ids afterwards.
#include <atomic>
#include <cstdlib>
#include <new>

#include "support.hpp"
#include "wordsplit/engine/batch.hpp"
#include "wordsplit/engine/long_text.hpp"

namespace {
std::atomic<long> left{-1};  // the allocations before the one that fails; negative: none fails
}

// Those of arrays and of aligned types call these.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (left.load() >= 0 && left.fetch_sub(1) == 0) throw std::bad_alloc();
  if (void* const memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using namespace wordsplit;
using support::fail;
using support::Ids;
using support::Random;
using support::TestVocab;

using States = std::vector<std::unique_ptr<Engine::State>>;

std::vector<Engine::State*> pointers(const States& states) {
  std::vector<Engine::State*> out;
  for (const auto& state : states) out.push_back(state.get());
  return out;
}

void encode_texts(const Engine& engine, const Texts& texts, const States& states, Output& out) {
  encode_batch(
      texts, states.size(),
      [&](const Text& text, std::size_t worker, Output& ids) {
        engine.encode(static_cast<const std::uint8_t*>(text.data), text.length, nullptr,
                      *states[worker], ids);
      },
      [&](std::size_t, std::size_t, const Output& ids, const std::size_t*) {
        out.append(ids.data(), ids.size());
      });
}

// Calls encode(out) with each of its allocations failing in turn.
template <class Encode>
void check(const char* what, Encode&& encode) {
  Output want;
  encode(want);
  long failed = 0;
  for (long n = 0;; ++n) {
    Output out, after;
    bool threw = false;
    left = n;
    try {
      encode(out);
    } catch (const std::bad_alloc&) {
      threw = true;
    }
    const bool all = left.exchange(-1) >= 0;  // there were no more than n
    encode(after);
    const auto same = [&](const Output& found) {
      return Ids(found.data(), found.data() + found.size()) ==
             Ids(want.data(), want.data() + want.size());
    };
    if (!threw && !same(out)) fail("ids while memory runs out", what);
    if (!same(after)) fail("ids after memory ran out", what);
    failed += threw;
    if (all) break;
  }
  if (failed < 3) fail("too few allocations failed", what);
}

}  // namespace

int main() {
  Random random(5);
  TestVocab vocab = support::make_vocab(random);
  EngineConfig config;
  config.spans.scan = schemes()[0].at(best_simd_level());
  config.cache_bytes = 1 << 16;
  const Engine engine(vocab.tables, config, {}, {});
  States states;
  for (int i = 0; i < 4; ++i) states.push_back(engine.make_state());
  std::string text;
  while (text.size() < 3 * kPiece) {
    const std::string span = " " + support::make_span(vocab, random, 12);
    if (vocab.has_bytes(span)) text += span;
  }
  const Texts texts(8, Text{text.data(), 32 << 10});
  check("texts", [&](Output& out) { encode_texts(engine, texts, states, out); });
  check("one text", [&](Output& out) {
    encode_long_text(engine, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                     nullptr, pointers(states), out);
  });
}
