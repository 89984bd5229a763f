// Python bindings of normalizer.hpp, rewriting.hpp and text_rules_file.hpp.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "engine_arguments.hpp"
#include "module.hpp"
#include "wordsplit/engine/normalizer.hpp"
#include "wordsplit/engine/rewriting.hpp"
#include "wordsplit/engine/text_rules_file.hpp"

namespace nb = nanobind;
using namespace wordsplit;

namespace {

ByteSpelling spelling_of(std::vector<std::string> letters) {
  if (letters.size() != 256) throw nb::value_error("not one spelling for each byte");
  return {std::move(letters)};
}

Rewriting::Metaspace::Prepend prepend_named(const std::string& name) {
  using enum Rewriting::Metaspace::Prepend;
  if (name == "always") return Always;
  if (name == "first") return First;
  if (name == "never") return Never;
  throw nb::value_error("no such way to prepend a character");
}

}  // namespace

void bind_text_steps(nb::module_& m) {
  nb::class_<Normalizer>(m, "Normalizer", "Steps that a text as a whole goes through.")
      .def(nb::init<>())
      .def(
          "add_step", [](Normalizer& self, const NormalizerStep& step) { self.add(step); },
          nb::arg("step"))
      .def(
          "add_map",
          [](Normalizer& self, std::shared_ptr<const WordMap> map) {
            if (!map->rules().normalizes) throw nb::value_error("a map that makes words");
            self.add(std::move(map));
          },
          nb::arg("map"), "Map characters.")
      .def(
          "add_replacement",
          [](Normalizer& self, const automata::SplitStep& pattern, std::string content) {
            if (pattern.scanner->automaton().matches_empty()) return false;
            self.add(Normalizer::Replace{pattern.scanner, std::move(content)});
            return true;
          },
          nb::arg("pattern"), nb::arg("content"),
          "Replace the matches of a pattern. False if one may be empty, which is not in the core.")
      .def(
          "add_trim",
          [](Normalizer& self, bool left, bool right) { self.add(Normalizer::Trim{left, right}); },
          nb::arg("left"), nb::arg("right"), "Remove white space at the ends.")
      .def(
          "add_prefix",
          [](Normalizer& self, std::string content) {
            self.add(Normalizer::Prepend{std::move(content)});
          },
          nb::arg("content"), "Prepend to a text that is not empty.")
      .def(
          "add_spelling",
          [](Normalizer& self, std::vector<std::string> letters) {
            self.add(spelling_of(std::move(letters)));
          },
          nb::arg("letters"), "Spell each byte.");
  nb::class_<Rewriting>(m, "Rewriting", "Steps that find spans, in a text of their own.")
      .def(nb::init<>())
      .def("add_prefix_space", [](Rewriting& self) { self.add(Rewriting::PrefixSpace{}); })
      .def(
          "add_split",
          [](Rewriting& self, const automata::SplitStep& step) {
            self.add(Rewriting::Split{automata::SplitSteps({step})});
          },
          nb::arg("step"), "Split at the matches of a pattern.")
      .def(
          "add_removal",
          [](Rewriting& self, const automata::SplitStep& step) {
            self.add(Rewriting::Remove{step});
          },
          nb::arg("step"), "Split there, and remove the matches.")
      .def(
          "add_metaspace",
          [](Rewriting& self, std::string mark, const std::string& prepend) {
            if (mark.empty()) throw nb::value_error("no character for spaces");
            self.add(Rewriting::Metaspace{std::move(mark), prepend_named(prepend)});
          },
          nb::arg("mark"), nb::arg("prepend"),
          "Write spaces as another character, and put one before pieces: always, first or never.")
      .def(
          "add_scripts",
          [](Rewriting& self, const std::vector<std::uint32_t>& first, nb::bytes script) {
            const auto* const labels = static_cast<const std::uint8_t*>(script.data());
            self.add(Rewriting::Scripts{automata::CharacterClasses(
                first, std::span<const std::uint8_t>(labels, script.size()))});
          },
          nb::arg("first"), nb::arg("script"),
          "Split where the script changes: that of each range of code points, by its first; 0 for "
          "none.")
      .def(
          "add_spelling",
          [](Rewriting& self, std::vector<std::string> letters) {
            self.add(spelling_of(std::move(letters)));
          },
          nb::arg("letters"), "Spell each byte.");
  m.def(
      "write_text_rules",
      [](const bindings::EngineArguments& arguments) -> std::optional<nb::bytes> {
        TextRules rules{nullptr, arguments.normalizer, arguments.rewriting};
        if (arguments.spans) rules.spans = arguments.spans->steps;
        if (!rules.spans && !rules.normalizer && !rules.rewriting) return std::nullopt;
        const std::string found = write_text_rules(rules);
        return nb::bytes(found.data(), found.size());
      },
      nb::arg("arguments"),
      "The automata that find spans, and the rules in steps, as bytes; None if there are neither.");
  m.def(
      "read_text_rules",
      [](nb::bytes data, bindings::EngineArguments& into) {
        TextRules rules =
            read_text_rules({data.c_str(), data.size()}, bindings::simd_level_named(into.simd));
        if (rules.spans) into.spans = SpanFinder{nullptr, std::move(rules.spans)};
        into.normalizer = std::move(rules.normalizer);
        into.rewriting = std::move(rules.rewriting);
      },
      nb::arg("data"), nb::arg("into"),
      "Read what write_text_rules() has written. ValueError for anything else.");
}
