// Makes a small vocab of the first bytes of the input, text of the rest, and compares with the
// naive merge: every encoder on the text as one span, and the engine with its cache off, tiny and
// ample.
#include "../tests/support.hpp"

namespace {

using namespace wordsplit;
using support::Choices;
using support::fail;
using support::Ids;
using support::TestVocab;

void check_engine(const TestVocab& vocab, const Scheme& scheme, EngineConfig config,
                  const std::string& text, const Ids& want) {
  for (const std::size_t cache : {0, 4096, 1 << 16}) {
    config.cache_bytes = cache;
    config.spans.scan = scheme.at(best_simd_level());
    const Engine engine(vocab.tables, config, {}, {});
    const auto state = engine.make_state();
    const support::Exact copy(text);
    for (int round = 0; round < 2; ++round) {
      Output out;
      engine.encode(copy.data.get(), copy.n, nullptr, *state, out);
      if (Ids(out.data(), out.data() + out.size()) != want) fail("engine", text);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::size_t head = std::min<std::size_t>(size / 2, 256);
  Choices choices{data, head};
  const TestVocab vocab = support::make_vocab(choices);
  EngineConfig config;
  config.ignore_merges = choices.below(2);
  config.long_span = choices.below(20);
  config.encoder = &support::choose_encoder(*vocab.tables, choices);
  config.long_encoder = &support::choose_encoder(*vocab.tables, choices);
  const auto schemes_count = static_cast<std::uint32_t>(schemes().size());
  const Scheme& scheme = schemes()[choices.below(schemes_count)];

  // Half of the texts consist of the vocab's letters, so that many pairs merge.
  std::string text(reinterpret_cast<const char*>(data) + head,
                   std::min<std::size_t>(size - head, 600));
  if (choices.below(2)) {
    for (char& c : text) c = vocab.letters[static_cast<std::uint8_t>(c) % vocab.letters.size()];
  }
  if (text.empty() || !vocab.has_bytes(text)) return 0;

  support::AllEncoders(*vocab.tables).check(text, vocab.encode(text));

  std::vector<std::uint32_t> ends(text.size());
  std::size_t pos = 0;
  ends.resize(scheme.reference(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), pos,
                               ends.data(), ends.size()));
  Ids want;
  std::size_t start = 0;
  for (const std::uint32_t end : ends) {
    const std::string span = text.substr(start, end - start);
    start = end;
    const auto whole = vocab.by_bytes.find(span);
    if (config.ignore_merges && whole != vocab.by_bytes.end()) {
      want.push_back(whole->second);
    } else {
      const Ids ids = vocab.encode(span);
      want.insert(want.end(), ids.begin(), ids.end());
    }
  }
  check_engine(vocab, scheme, config, text, want);
  return 0;
}
