// Python bindings of what finds spans: the table of schemes, and automata of patterns.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "engine_arguments.hpp"
#include "module.hpp"
#include "wordsplit/automata/span_finder.hpp"

namespace nb = nanobind;
using namespace wordsplit;

namespace {

template <class Number>
std::vector<Number> numbers_of(const nb::bytes& bytes) {
  std::vector<Number> out(bytes.size() / sizeof(Number));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(Number));
  return out;
}

automata::Behavior behavior_named(const std::string& name) {
  using enum automata::Behavior;
  if (name == "isolated") return Isolated;
  if (name == "contiguous") return Contiguous;
  if (name == "merged_with_previous") return MergedWithPrevious;
  if (name == "merged_with_next") return MergedWithNext;
  throw nb::value_error("no such behavior");
}

SpanFinder finder_of_scheme(const std::string& name, const std::string& simd) {
  const Scheme* scheme = find_scheme_named(name);
  if (!scheme) throw nb::value_error("no such scheme");
  return {scheme->at(bindings::simd_level_named(simd)), nullptr};
}

SpanFinder finder_of_steps(const std::vector<automata::SplitStep>& steps) {
  if (steps.empty()) throw nb::value_error("no steps");
  return {nullptr, std::make_shared<const automata::SplitSteps>(steps)};
}

}  // namespace

void bind_scanners(nb::module_& m) {
  m.def(
      "scheme_names",
      [] {
        std::vector<std::string> names;
        for (const Scheme& scheme : schemes()) names.emplace_back(scheme.name);
        return names;
      },
      "The names of the schemes that have a scanner.");
  m.def(
      "find_scheme",
      [](const std::vector<std::string>& steps, bool tiktoken) -> std::optional<std::string> {
        const std::vector<std::string_view> views(steps.begin(), steps.end());
        const Scheme* found = find_scheme(
            views, tiktoken ? scanners::Dialect::Tiktoken : scanners::Dialect::Tokenizers);
        return found ? std::optional<std::string>(found->name) : std::nullopt;
      },
      nb::arg("steps"), nb::arg("tiktoken"),
      "The scheme of exactly these patterns, one for each step, in the dialect of tiktoken or of "
      "tokenizers; or None.");
  nb::class_<automata::SplitStep>(m, "SplitStep", "A step of pre-tokenization, as an automaton.")
      .def(
          "__init__",
          [](automata::SplitStep* self, nb::bytes first, nb::bytes label, unsigned classes,
             nb::bytes starts, nb::bytes next, const std::string& behavior, bool invert,
             bool on_bytes, const std::string& simd, unsigned characters, nb::bytes back,
             nb::bytes symbol) {
            const auto ranges = numbers_of<std::uint32_t>(first);
            const auto labels = numbers_of<std::uint8_t>(label);
            std::optional<automata::Lookahead> lookahead;
            if (characters) {
              lookahead.emplace(characters, numbers_of<std::uint16_t>(back),
                                numbers_of<std::uint8_t>(symbol));
            }
            automata::SpanAutomaton automaton(automata::CharacterClasses(ranges, labels), classes,
                                              numbers_of<std::uint16_t>(starts),
                                              numbers_of<std::uint16_t>(next),
                                              std::move(lookahead));
            new (self)
                automata::SplitStep{std::make_shared<const automata::Scanner>(
                                        std::move(automaton), bindings::simd_level_named(simd)),
                                    behavior_named(behavior), invert, on_bytes};
          },
          nb::arg("first"), nb::arg("label"), nb::arg("classes"), nb::arg("starts"),
          nb::arg("next"), nb::arg("behavior"), nb::arg("invert"), nb::arg("on_bytes"),
          nb::arg("simd"), nb::arg("characters") = 0, nb::arg("back") = nb::bytes("", 0),
          nb::arg("symbol") = nb::bytes("", 0),
          "The tables of a Python SpanAutomaton; for a LookaheadAutomaton, those of its spans, the "
          "ranges and number of its character classes, and its own tables. on_bytes: each byte is "
          "a character, with the byte's value as its code point.");
  nb::class_<SpanFinder>(m, "SpanFinder", "What finds the spans of text.")
      .def_static("of_scheme", finder_of_scheme, nb::arg("scheme"), nb::arg("simd"),
                  "The scanner of a scheme, for one of simd_levels() or the best.")
      .def_static("of_steps", finder_of_steps, nb::arg("steps"))
      .def(
          "kinds",
          [](const SpanFinder& self, const std::vector<std::uint32_t>& codes) {
            std::map<std::vector<std::uint8_t>, std::uint32_t> known;
            std::vector<std::uint32_t> kinds;
            for (const std::uint32_t code : codes) {
              if (code >= 0x110000 || !self.steps) throw nb::value_error("no such code point");
              const auto next = static_cast<std::uint32_t>(known.size());
              kinds.push_back(known.emplace(self.steps->classes_of(code), next).first->second);
            }
            return kinds;
          },
          nb::arg("codes"),
          "A number for each code point: the same for those that no step of "
          "compiled patterns distinguishes.")
      .def(
          "can_cut",
          [](const SpanFinder& self, std::uint32_t a, std::uint32_t b) {
            if (a >= 0x110000 || b >= 0x110000) throw nb::value_error("no such code point");
            return self.steps && self.steps->can_cut(a, b);
          },
          nb::arg("a"), nb::arg("b"),
          "Whether the spans of a text that is cut between two such code points are those of both "
          "parts, as far as is known.")
      .def(
          "ends",
          [](const SpanFinder& self, nb::bytes text) {
            const auto* p = static_cast<const std::uint8_t*>(text.data());
            std::vector<std::uint32_t> ends(text.size());
            std::size_t at = 0, count = 0;
            SpanFinder::Memory memory = self.memory(p, text.size(), 0);
            while (at < text.size()) {
              count += self.find(p, text.size(), at, ends.data() + count,
                                 std::min<std::size_t>(ends.size() - count, 512), memory);
            }
            ends.resize(count);
            return ends;
          },
          nb::arg("text"), "The end offsets of the spans of UTF-8 text.");
}
