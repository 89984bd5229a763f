// The automata that find spans, and rules in steps, as bytes: for portable files (compiled.hpp).
//
// Scanners are rebuilt when they are read, because their tables depend on the machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "wordsplit/automata/split_steps.hpp"
#include "wordsplit/engine/normalizer.hpp"
#include "wordsplit/engine/rewriting.hpp"
#include "wordsplit/text/portable.hpp"
#include "wordsplit/text/word_map_file.hpp"

namespace wordsplit {

// Each is null if there is none.
struct TextRules {
  std::shared_ptr<const automata::SplitSteps> spans;
  std::shared_ptr<const Normalizer> normalizer;
  std::shared_ptr<const Rewriting> rewriting;
};

namespace portable {

inline void write(const automata::CharacterClasses& classes, Writer& out) {
  const auto [first, label] = classes.ranges();
  out.items(first);
  out.items(label);
}
inline automata::CharacterClasses read_classes(Reader& in) {
  std::vector<std::uint32_t> first;
  std::vector<std::uint8_t> label;
  in.items(first);
  in.items(label);
  return {first, label};
}

inline void write(const automata::SplitStep& step, Writer& out) {
  const automata::SpanAutomaton& automaton = step.scanner->automaton();
  write(automaton.characters(), out);
  out.number(automaton.classes());
  out.items(automaton.starts());
  out.items(automaton.next());
  const automata::Lookahead* const lookahead = automaton.lookahead();
  out.number(lookahead ? lookahead->classes() : 0);
  if (lookahead) {
    out.items(lookahead->back());
    out.items(lookahead->symbols());
  }
  out.number(static_cast<std::size_t>(step.behavior));
  out.number(step.invert + 2U * step.on_bytes);
}
inline automata::SplitStep read_split(Reader& in, SimdLevel simd) {
  automata::CharacterClasses characters = read_classes(in);
  const std::uint32_t classes = in.number();
  std::vector<automata::SpanAutomaton::State> starts, next;
  in.items(starts);
  in.items(next);
  std::optional<automata::Lookahead> lookahead;
  if (const std::uint32_t own = in.number()) {
    std::vector<std::uint16_t> back;
    std::vector<std::uint8_t> symbols;
    in.items(back);
    in.items(symbols);
    lookahead.emplace(own, std::move(back), std::move(symbols));
  }
  const auto behavior = in.one_of(automata::Behavior::MergedWithNext);
  const std::uint32_t flags = in.number();
  if (flags > 3) Reader::fail();
  automata::SpanAutomaton automaton(std::move(characters), classes, std::move(starts),
                                    std::move(next), std::move(lookahead));
  return {std::make_shared<const automata::Scanner>(std::move(automaton), simd), behavior,
          (flags & 1) != 0, (flags & 2) != 0};
}

inline void write(const automata::SplitSteps& spans, Writer& out) {
  out.number(spans.size());
  for (const automata::SplitStep& step : spans.steps()) write(step, out);
}
inline std::shared_ptr<const automata::SplitSteps> read_splits(Reader& in, SimdLevel simd) {
  std::vector<automata::SplitStep> steps;
  for (std::uint32_t n = in.count(); n > 0; --n) steps.push_back(read_split(in, simd));
  if (steps.empty()) Reader::fail();
  return std::make_shared<const automata::SplitSteps>(std::move(steps));
}

inline void write(const ByteSpelling& spelling, Writer& out) {
  for (const std::string& letter : spelling.letters) out.bytes(letter);
}
inline ByteSpelling read_spelling(Reader& in) {
  ByteSpelling out;
  for (unsigned byte = 0; byte < 256; ++byte) out.letters.push_back(in.text());
  return out;
}

inline void write(const Normalizer::Map& map, Writer& out) { write(map->rules(), out); }
inline void write(const Normalizer::Replace& step, Writer& out) {
  write(automata::SplitStep{step.pattern}, out);
  out.bytes(step.content);
}
inline void write(const Normalizer::Trim& step, Writer& out) {
  out.number(step.left);
  out.number(step.right);
}
inline void write(const Normalizer::Prepend& step, Writer& out) { out.bytes(step.content); }

inline Normalizer::Step read_normalizer_step(Reader& in, SimdLevel simd) {
  switch (in.number()) {
    case 0: {
      NormalizerStep step = read_step(in);
      if (step.kind == NormalizerStep::Kind::Characters) Reader::fail();
      return step;
    }
    case 1: {
      auto map = std::make_shared<const WordMap>(read_map(in, true));
      if (!map->rules().normalizes) Reader::fail();
      return map;
    }
    case 2: {
      auto pattern = read_split(in, simd).scanner;
      if (pattern->automaton().matches_empty()) Reader::fail();
      return Normalizer::Replace{std::move(pattern), in.text()};
    }
    case 3: {
      const bool left = in.flag();
      return Normalizer::Trim{left, in.flag()};
    }
    case 4:
      return Normalizer::Prepend{in.text()};
    case 5:
      return read_spelling(in);
    default:
      Reader::fail();
  }
}

inline void write(const Rewriting::PrefixSpace&, Writer&) {}
inline void write(const Rewriting::Split& step, Writer& out) { write(step.steps, out); }
inline void write(const Rewriting::Remove& step, Writer& out) { write(step.step, out); }
inline void write(const Rewriting::Metaspace& step, Writer& out) {
  out.bytes(step.mark);
  out.number(static_cast<std::size_t>(step.prepend));
}
inline void write(const Rewriting::Scripts& step, Writer& out) { write(step.classes, out); }

inline Rewriting::Step read_rewriting_step(Reader& in, SimdLevel simd) {
  switch (in.number()) {
    case 0:
      return Rewriting::PrefixSpace{};
    case 1:
      return Rewriting::Split{*read_splits(in, simd)};
    case 2:
      return Rewriting::Remove{read_split(in, simd)};
    case 3: {
      std::string mark = in.text();
      if (mark.empty()) Reader::fail();
      return Rewriting::Metaspace{std::move(mark), in.one_of(Rewriting::Metaspace::Prepend::First)};
    }
    case 4:
      return Rewriting::Scripts{read_classes(in)};
    case 5:
      return read_spelling(in);
    default:
      Reader::fail();
  }
}

// Steps of a normalizer or a pre-tokenizer: for each the number of its kind, and what it has.
template <class Steps>
void write_steps(const Steps& steps, Writer& out) {
  out.number(steps.steps().size());
  for (const auto& step : steps.steps()) {
    out.number(step.index());
    std::visit([&](const auto& each) { write(each, out); }, step);
  }
}
template <class Steps, class Read>
std::shared_ptr<const Steps> read_steps(Reader& in, Read&& read) {
  auto out = std::make_shared<Steps>();
  for (std::uint32_t n = in.count(); n > 0; --n) out->add(read(in));
  return out;
}

}  // namespace portable

inline std::string write_text_rules(const TextRules& rules) {
  portable::Writer out;
  out.number(rules.spans != nullptr);
  if (rules.spans) portable::write(*rules.spans, out);
  out.number(rules.normalizer != nullptr);
  if (rules.normalizer) portable::write_steps(*rules.normalizer, out);
  out.number(rules.rewriting != nullptr);
  if (rules.rewriting) portable::write_steps(*rules.rewriting, out);
  return out.take();
}

// Reads what write_text_rules() has written, for a machine with these SIMD instructions. Throws
// std::invalid_argument for anything else.
inline TextRules read_text_rules(std::string_view bytes, SimdLevel simd) {
  using namespace portable;
  Reader in(bytes);
  TextRules out;
  if (in.flag()) out.spans = read_splits(in, simd);
  if (in.flag()) {
    out.normalizer =
        read_steps<Normalizer>(in, [&](Reader& each) { return read_normalizer_step(each, simd); });
  }
  if (in.flag()) {
    out.rewriting =
        read_steps<Rewriting>(in, [&](Reader& each) { return read_rewriting_step(each, simd); });
  }
  in.finish();
  return out;
}

}  // namespace wordsplit
