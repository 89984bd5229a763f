// Automata of any tables, in steps, at a SIMD level and with several caps: the spans of any
// bytes are those of the definition, and those of both parts where a text may be cut. Tables that
// are damaged must be refused, or be used as they are.
#include <stdexcept>

#include "../tests/naive_automata.hpp"

namespace {

using namespace wordsplit;
using support::Choices;
using support::found_ends;
using support::Ids;
using support::NaiveStep;

template <class Number>
void damage(std::vector<Number>& numbers, Choices& choices) {
  const auto size = static_cast<std::uint32_t>(numbers.size());
  switch (choices.below(4)) {
    case 0:
      numbers.resize(choices.below(2 * size + 2));
      break;
    case 1:
      if (size) numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(choices.below(size)));
      break;
    default:
      if (size) numbers[choices.below(size)] = static_cast<Number>(choices.below(1u << 24));
  }
}

void damage(support::Tables& tables, Choices& choices) {
  switch (choices.below(9)) {
    case 0:
      return damage(tables.first, choices);
    case 1:
      return damage(tables.label, choices);
    case 2:
      return damage(tables.starts, choices);
    case 3:
      return damage(tables.next, choices);
    case 4:
      return damage(tables.back, choices);
    case 5:
      return damage(tables.symbols, choices);
    case 6:
      tables.classes = choices.below(300);
      return;
    case 7:
      tables.characters = choices.below(300);
      return;
    default:
      tables.classes = ~choices.below(4);
  }
}

std::string make_text(Choices& choices) {
  std::string text;
  if (choices.below(4) == 0) {  // as it is
    text.assign(reinterpret_cast<const char*>(choices.data), choices.size);
    return text;
  }
  while (choices.size > 0 && text.size() < 2000) {
    const std::uint32_t choice = choices.below(256);
    // The high bits repeat a piece, for runs longer than a window.
    const int count = choice >= 0xD0 ? 1 << (choice & 7) : 1;
    for (int i = 0; i < count; ++i) {
      text += support::kTextPieces[choice % std::size(support::kTextPieces)];
    }
  }
  return text;
}

void check_cuts(const SpanFinder& finder, const std::string& text, const Ids& whole) {
  const auto* const p = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto code_at = [&](std::size_t at) { return decode_utf8(p + at, p + text.size()); };
  unsigned cuts = 0;
  for (std::size_t at = 0; at < text.size() && cuts < 3;) {
    const CodePoint before = code_at(at);
    at += before.size;
    if (at == text.size() || !finder.steps->can_cut(before.value, code_at(at).value)) continue;
    ++cuts;
    support::check_cut(finder, text, at, whole);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices{data, size};
  std::vector<NaiveStep> steps(1 + choices.below(8) % 3);
  // Most tables are those of a seed: choices that have run out make poor ones.
  support::Random random(choices.below(1u << 24));
  const bool chosen = choices.below(4) == 0;
  for (NaiveStep& step : steps) {
    step.tables = chosen ? support::random_tables(choices) : support::random_tables(random);
    if (choices.below(4) == 0) {
      step.behavior = static_cast<automata::Behavior>(choices.below(4));
      step.invert = choices.below(2);
    }
  }
  steps.back().on_bytes = choices.below(4) == 0;
  const std::uint32_t damaged = choices.below(4) ? 0 : 1 + choices.below(3);
  for (std::uint32_t i = 0; i < damaged; ++i) {
    damage(steps[i % steps.size()].tables, choices);
  }
  const auto levels = static_cast<std::uint32_t>(simd_levels().count);
  const SimdLevel level = simd_levels().begin()[choices.below(levels)];
  SpanFinder finder;
  try {
    for (NaiveStep& step : steps) step.tables.prepare();
    finder = finder_of(steps, level);
  } catch (const std::invalid_argument&) {
    if (!damaged) support::fail("sound tables refused", {});
    return 0;
  }
  const std::uint32_t few = 1 + choices.below(8), texts = chosen ? 0 : 8;
  std::string text = make_text(choices);
  for (std::uint32_t i = 0; i <= texts; ++i, text = support::random_text(random)) {
    const Ids wanted = naive_ends(steps, text);
    for (const std::size_t cap : {few, 256u}) {
      if (found_ends(finder, text, cap) != wanted) support::fail("other spans", text);
    }
    check_cuts(finder, text, wanted);
  }
  return 0;
}
