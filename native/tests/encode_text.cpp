// Encodes a text at each SIMD level of the machine, and prints each level with the number of ids
// and their hash, which are the same on every machine: `make qemu-test` compares them. With a
// number of rounds, prints the speed of the fastest one as well.
//
//     encode_text VOCAB TEXT [ROUNDS]
//
// VOCAB is the unpacked data of a bundled vocab whose pattern is that of qwen2.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>

#include "support.hpp"
#include "wordsplit/tables/bundled.hpp"

namespace {

using namespace wordsplit;

std::string read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (content.empty()) support::fail("a file that cannot be read", path);
  return content;
}

// Encodes in documents of a few kilobytes, which end where a line does.
void encode(const Engine& engine, const std::string& text, Engine::State& state, Output& out) {
  constexpr std::size_t kDocument = 4000;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t found = text.find('\n', start + kDocument);
    const std::size_t end = found == std::string::npos ? text.size() : found + 1;
    engine.encode(reinterpret_cast<const std::uint8_t*>(text.data()) + start, end - start, nullptr,
                  state, out);
    start = end;
  }
}

void report(const std::shared_ptr<const VocabTables>& tables, SimdLevel level,
            const std::string& text, int rounds) {
  EngineConfig config;
  config.simd = level;
  config.spans.scan = find_scheme_named("qwen2")->at(level);
  config.encoder = find_encoder("priority_merge");
  config.long_encoder = find_encoder("backtracking");
  config.long_span = 128;
  config.nfc = true;
  config.cache_bytes = 16 << 20;
  const Engine engine(tables, config, {}, {});
  const auto state = engine.make_state();
  // Twice: once with empty caches, and once with full ones.
  Output first, second;
  encode(engine, text, *state, first);
  encode(engine, text, *state, second);
  std::uint64_t hash = second.size();
  for (std::size_t i = 0; i < second.size(); ++i) {
    if (i >= first.size() || first.data()[i] != second.data()[i]) {
      support::fail("other ids the second time", name_of(level));
    }
    hash = mix(hash ^ second.data()[i]);
  }
  std::printf("%s: %zu ids, %016llx", name_of(level), second.size(),
              static_cast<unsigned long long>(hash));
  double best = 0;
  for (int round = 0; round < rounds; ++round) {
    Output out;
    const auto begin = std::chrono::steady_clock::now();
    encode(engine, text, *state, out);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    best = std::max(best, static_cast<double>(text.size()) / taken.count() / 1e6);
  }
  std::printf(rounds ? ", %.0f MB/s\n" : "\n", best);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) support::fail("usage: encode_text VOCAB TEXT [ROUNDS]", "");
  const Unpacked vocab = unpack_bundled(read(arguments[1]));
  std::vector<std::uint32_t> ids(vocab.ends.size());
  std::iota(ids.begin(), ids.end(), 0);
  const auto tables = std::make_shared<const VocabTables>(
      vocab.blob, vocab.ends.data(), ids.data(), ids.size(), vocab.flat.data(),
      vocab.flat.size() / 2, std::vector<std::uint32_t>{}, true);
  const std::string text = read(arguments[2]);
  for (const SimdLevel level : simd_levels()) {
    report(tables, level, text, count > 3 ? std::atoi(arguments[3]) : 0);
  }
}
