// Compares a normalizer and a pre-tokenizer in steps with naive forms of them, for one pattern:
// runs of white space. Random texts, and where their first characters come from.
#include "support.hpp"
#include "wordsplit/engine/rewriting.hpp"

namespace {

using namespace wordsplit;
using support::fail;
using support::Random;

constexpr auto kNoReport = [](std::size_t) {};

std::shared_ptr<const automata::Scanner> white_space() {
  const std::vector<std::uint32_t> first = {0, ' ', ' ' + 1};
  const std::vector<std::uint8_t> label = {0, 1, 0};
  // Dead, before a match, in one; twice the next state, and one more where a match ends.
  return std::make_shared<const automata::Scanner>(
      automata::SpanAutomaton(automata::CharacterClasses(first, label), 2, {1, 1, 1},
                              {0, 0, 0, 0, 4, 0, 1, 5, 1}, std::nullopt),
      best_simd_level());
}

// The text with what stands for each run of spaces, and the characters that each comes from.
struct Aligned {
  std::string text;
  std::vector<std::size_t> from;
};
Aligned replaced(const Aligned& given, const std::string& content) {
  Aligned out;
  for (std::size_t at = 0; at < given.text.size(); ++at) {
    if (given.text[at] != ' ') {
      out.text += given.text[at];
      out.from.push_back(given.from[at]);
    } else if (at + 1 == given.text.size() || given.text[at + 1] != ' ') {
      out.text += content;
      out.from.insert(out.from.end(), content.size(), given.from[at]);
    }
  }
  return out;
}

void check_normalizer(const std::string& text, const std::string& content, bool trims) {
  Normalizer normalizer;
  normalizer.add(Normalizer::Replace{white_space(), content});
  if (trims) normalizer.add(Normalizer::Trim{true, true});
  Aligned wanted{text, {}};
  for (std::size_t at = 0; at < text.size(); ++at) wanted.from.push_back(at);
  wanted = replaced(wanted, content);
  while (trims && wanted.text.ends_with(' ')) wanted.text.pop_back();
  while (trims && wanted.text.starts_with(' ')) {
    wanted.text.erase(0, 1);
    wanted.from.erase(wanted.from.begin());
  }
  Normalizer::Buffers buffers;
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  std::size_t size = text.size();
  Beginning beginning = Beginning::One;
  try {
    normalizer.apply(p, size, beginning, buffers, kNoReport);
  } catch (const NotInCore&) {  // where it is not known which characters are from the beginning
    if (content.size() < 2) fail("a text is left to others", text);
    return;
  }
  if (std::string(reinterpret_cast<const char*>(p), size) != wanted.text)
    fail("another text", text);
  std::vector<std::uint32_t> numbers(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) numbers[at] = static_cast<std::uint32_t>(at);
  AlignedView aligned{text, numbers.data()};
  Beginning elsewhere = Beginning::Elsewhere;
  normalizer.apply(aligned, elsewhere, buffers, kNoReport);
  if (aligned.text != wanted.text ||
      !std::equal(aligned.origins, aligned.origins + wanted.text.size(), wanted.from.begin())) {
    fail("other origins", text);
  }
  if (wanted.text.empty()) return;
  if ((beginning != Beginning::Elsewhere) != (wanted.from[0] == 0)) fail("another beginning", text);
}

std::vector<std::string> texts_of(const Rewriting::Pieces& pieces) {
  std::vector<std::string> out;
  std::size_t start = 0;
  for (const std::uint32_t end : pieces.ends) {
    out.push_back(pieces.text.substr(start, end - start));
    start = end;
  }
  return out;
}

void check_rewriting(const std::string& text) {
  using Prepend = Rewriting::Metaspace::Prepend;
  const automata::SplitStep step{white_space(), automata::Behavior::Isolated, false};
  for (const auto prepend : {Prepend::Never, Prepend::Always, Prepend::First}) {
    for (const Beginning beginning : {Beginning::Elsewhere, Beginning::One}) {
      Rewriting rewriting;
      rewriting.add(Rewriting::Remove{step});
      rewriting.add(Rewriting::Metaspace{"_", prepend});
      std::vector<std::string> wanted;
      for (std::size_t at = 0, end; at < text.size(); at = end) {
        const bool is_space = text[at] == ' ';
        for (end = at; end < text.size() && (text[end] == ' ') == is_space;) ++end;
        if (is_space) continue;
        const bool first = at == 0 && beginning == Beginning::One;
        const bool prepends = prepend == Prepend::Always || (prepend == Prepend::First && first);
        wanted.push_back((prepends ? "_" : "") + text.substr(at, end - at));
      }
      Rewriting::Buffers buffers;
      if (texts_of(rewriting.apply({text}, beginning, buffers, kNoReport)) != wanted) {
        fail("other pieces", text);
      }
    }
  }
}

}  // namespace

int main() {
  Random random(1);
  for (std::uint64_t turn = 0; turn < support::rounds(20'000); ++turn) {
    std::string text;
    for (std::uint32_t n = random.below(turn % 50 ? 12 : 900) + 1; n--;) {
      text += random.below(3) ? static_cast<char>('a' + random.below(3)) : ' ';
    }
    for (const std::string content : {"", " ", "x", "xy"}) {
      check_normalizer(text, content, random.below(2) == 0);
    }
    check_rewriting(text);
  }
  const std::string invalid = "a\xFF";
  try {
    Rewriting::Buffers buffers;
    Rewriting().apply({invalid}, Beginning::One, buffers, kNoReport);
    fail("invalid UTF-8 is taken for text", invalid);
  } catch (const NotInCore&) {
  }
  return 0;
}
