// Python bindings of the table of schemes: the spans of a text by the name of a scheme.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "module.hpp"
#include "wordsplit/scanners/scanners.hpp"

namespace nb = nanobind;
using namespace wordsplit;

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
  m.def(
      "span_ends",
      [](const std::string& name, nb::bytes text) {
        const Scheme* scheme = find_scheme_named(name);
        if (!scheme) throw nb::value_error("no such scheme");
        const ScanFn scan = scheme->at(best_simd_level());
        const auto* p = static_cast<const std::uint8_t*>(text.data());
        std::vector<std::uint32_t> ends(text.size());
        std::size_t at = 0;
        ends.resize(scan(p, text.size(), at, ends.data(), ends.size()));
        return ends;
      },
      nb::arg("scheme"), nb::arg("text"), "The end offsets of the spans of UTF-8 text.");
}
