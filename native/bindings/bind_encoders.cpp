// Python bindings of the table of encoders.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "module.hpp"
#include "wordsplit/encoders/encoders.hpp"

namespace nb = nanobind;
using namespace wordsplit;

void bind_encoders(nb::module_& m) {
  m.def(
      "encoder_names",
      [] {
        std::vector<std::string> names;
        for (const Encoder& encoder : encoders()) names.emplace_back(encoder.name);
        return names;
      },
      "The names of the native encoders.");
  m.def(
      "encoder_obstacle",
      [](const std::string& name, const VocabTables& tables) -> std::optional<std::string> {
        const Encoder* encoder = find_encoder(name);
        if (!encoder) throw nb::value_error("no such native encoder");
        const std::string obstacle = encoder->obstacle(tables);
        return obstacle.empty() ? std::nullopt : std::optional(obstacle);
      },
      nb::arg("encoder"), nb::arg("tables"),
      "Why an encoder cannot be used with a vocab, as the end of a sentence; or None.");
}
