// Rules in steps as bytes: what is read is what was written, and damaged bytes are refused or give
// rules that do no harm.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "small_vocabs.hpp"
#include "support.hpp"
#include "wordsplit/engine/text_rules_file.hpp"

using namespace small;

namespace {

constexpr auto kNoReport = [](std::size_t) {};

// Runs of spaces; before another character if `ahead`.
automata::SplitStep spaces(automata::Behavior behavior, bool invert, bool ahead) {
  const std::vector<std::uint32_t> first = {0, ' ', ' ' + 1};
  const std::vector<std::uint8_t> label = {0, 1, 0};
  // Dead, before a match, in one; twice the next state, and one more where a match ends.
  const std::vector<std::uint16_t> next = {0, 0, 0, 0, 4, 0, 1, 5, 1};
  std::optional<automata::Lookahead> lookahead;
  if (ahead)
    lookahead.emplace(2, std::vector<std::uint16_t>{1, 0, 1, 1},
                      std::vector<std::uint8_t>{0, 0, 0, 1});
  automata::SpanAutomaton automaton(automata::CharacterClasses(first, label), 2, {1, 1, 1}, next,
                                    std::move(lookahead));
  return {std::make_shared<const automata::Scanner>(std::move(automaton), best_simd_level()),
          behavior, invert};
}

ByteSpelling spelling() {
  ByteSpelling out;
  for (unsigned byte = 0; byte < 256; ++byte)
    out.letters.push_back(std::string(1, 'a' + byte % 26));
  return out;
}

TextRules rules_of(Random& random) {
  using automata::Behavior;
  const auto behavior = static_cast<Behavior>(random.below(4));
  const automata::SplitStep step = spaces(behavior, random.below(2), random.below(2));
  TextRules out;
  if (random.below(3)) {
    std::vector<automata::SplitStep> steps(1 + random.below(2), step);
    steps.back().on_bytes = random.below(2) > 0;
    out.spans = std::make_shared<const automata::SplitSteps>(std::move(steps));
  }
  if (random.below(3)) {
    auto normalizer = std::make_shared<Normalizer>();
    NormalizerStep form, literal;
    form.kind = static_cast<NormalizerStep::Kind>(random.below(4));
    literal.kind = NormalizerStep::Kind::Literal;
    literal.pattern = "ab", literal.content = random.below(2) ? "" : "c";
    WordRules map = small_map(false).rules();
    map.normalizes = true;
    const std::vector<Normalizer::Step> every = {
        form,
        literal,
        std::make_shared<const WordMap>(std::move(map)),
        Normalizer::Replace{step.scanner, "x"},
        Normalizer::Trim{random.below(2) > 0, random.below(2) > 0},
        Normalizer::Prepend{"y"},
        spelling()};
    for (std::uint32_t n = random.below(4); n--;) {
      normalizer->add(every[random.below(static_cast<std::uint32_t>(every.size()))]);
    }
    out.normalizer = std::move(normalizer);
  }
  if (random.below(3)) {
    auto rewriting = std::make_shared<Rewriting>();
    const automata::CharacterClasses scripts(std::vector<std::uint32_t>{0, 'a', 'c', 'z'},
                                             std::vector<std::uint8_t>{0, 1, 2, 0});
    const std::vector<Rewriting::Step> every = {
        Rewriting::PrefixSpace{},
        Rewriting::Split{automata::SplitSteps({step})},
        Rewriting::Remove{spaces(Behavior::Isolated, random.below(2), false)},
        Rewriting::Metaspace{"_", static_cast<Rewriting::Metaspace::Prepend>(random.below(3))},
        Rewriting::Scripts{scripts},
        spelling()};
    for (std::uint32_t n = random.below(4); n--;) {
      rewriting->add(every[random.below(static_cast<std::uint32_t>(every.size()))]);
    }
    out.rewriting = std::move(rewriting);
  }
  return out;
}

std::string text_of(Random& random) {
  std::string out;
  for (std::uint32_t n = 1 + random.below(12); n--;) {
    const char* const more[] = {" ", "  ", "\xCC\x81", "ab", "\xE4\xB8\x80", "zc"};
    out += random.below(2) ? word(random, 3) : more[random.below(6)];
  }
  return out;
}

// The result of the rules for a text, or that it is not in the core.
std::string result(const TextRules& rules, const std::string& text) {
  const support::Exact exact(text);
  std::string out;
  try {
    const std::uint8_t* p = exact.data.get();
    std::size_t n = exact.n;
    Beginning beginning = Beginning::One;
    Normalizer::Buffers of_normalizer;
    Rewriting::Buffers of_rewriting;
    if (rules.normalizer) rules.normalizer->apply(p, n, beginning, of_normalizer, kNoReport);
    out.assign(reinterpret_cast<const char*>(p), n);
    if (n > 0 && rules.spans) {
      std::uint32_t ends[8];
      automata::SplitSteps::Memory memory(*rules.spans, p, n, 0);
      for (std::size_t at = 0; at < n;) {
        const std::size_t count = rules.spans->scan(p, n, at, ends, std::size(ends), memory);
        for (std::size_t i = 0; i < count; ++i) out += '|' + std::to_string(ends[i]);
      }
    }
    if (n > 0 && rules.rewriting) {
      const AlignedView given{{reinterpret_cast<const char*>(p), n}};
      const auto& pieces = rules.rewriting->apply(given, beginning, of_rewriting, kNoReport);
      out += '\n' + pieces.text;
      for (const std::uint32_t end : pieces.ends) out += '|' + std::to_string(end);
    }
  } catch (const NotInCore&) {
    out = "not in the core";
  }
  return out;
}

// What can be read of some bytes, if anything, is tried.
bool try_bytes(const std::string& bytes, Random& random) {
  const support::Exact exact(bytes);
  try {
    const TextRules rules = read_text_rules(
        {reinterpret_cast<const char*>(exact.data.get()), exact.n}, best_simd_level());
    for (int i = 0; i < 3; ++i) (void)result(rules, text_of(random));
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

void check(std::uint64_t seed) {
  Random random(seed);
  const TextRules rules = rules_of(random);
  const std::string bytes = write_text_rules(rules);
  const TextRules read = read_text_rules(bytes, best_simd_level());
  if (write_text_rules(read) != bytes) support::fail("other bytes", bytes, seed);
  for (int i = 0; i < 20; ++i) {
    const std::string text = text_of(random);
    if (result(read, text) != result(rules, text)) support::fail("another result", text, seed);
  }
  const auto size = static_cast<std::uint32_t>(bytes.size());
  for (int i = 0; i < 10; ++i) {
    const std::string cut = bytes.substr(0, random.below(size));
    if (try_bytes(cut, random)) support::fail("a part was read", cut, seed);
  }
  if (try_bytes(bytes + "x", random)) support::fail("more was read", bytes, seed);
  for (int i = 0; i < 20; ++i) {
    std::string changed = bytes;
    for (std::uint32_t n = 1 + random.below(4); n--;) {
      changed[random.below(random.below(2) ? std::min(size, 200U) : size)] =
          static_cast<char>(random.below(256));
    }
    try_bytes(changed, random);
  }
}

}  // namespace

int main() {
  for (std::uint64_t seed = 1; seed <= support::rounds(150); ++seed) check(seed);
}
