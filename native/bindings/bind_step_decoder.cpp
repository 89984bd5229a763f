// Python bindings of step_decoder.hpp.
#include <nanobind/stl/string.h>

#include "module.hpp"
#include "wordsplit/engine/step_decoder.hpp"

namespace nb = nanobind;
using namespace wordsplit;

namespace {

StepDecoder::Place place_of(bool first) {
  return first ? StepDecoder::Place::First : StepDecoder::Place::Later;
}

void require(bool in_range) {
  if (!in_range) throw nb::value_error("an id out of range, or a text of 4 GiB");
}

}  // namespace

void bind_step_decoder(nb::module_& m) {
  nb::class_<StepDecoder>(m, "StepDecoder",
                          "Decodes ids with the results of decoding steps for each token, which "
                          "the caller provides.")
      .def(nb::init<std::size_t>(), nb::arg("ids"))
      .def(
          "then_replace",
          [](StepDecoder& self, std::string old, std::string with) {
            if (old.empty()) throw nb::value_error("nothing to replace");
            self.then_replace(std::move(old), std::move(with));
          },
          nb::arg("old"), nb::arg("with_"), "Change the whole text, before the first call.")
      .def("then_strip", &StepDecoder::then_strip, nb::arg("character"), nb::arg("left"),
           nb::arg("right"), "Strip the whole text, before the first call.")
      .def(
          "put_text",
          [](StepDecoder& self, bool first, std::uint32_t id, bool special, nb::bytes text) {
            require(self.put_text(place_of(first), id, special, {text.c_str(), text.size()}));
          },
          nb::arg("first"), nb::arg("id"), nb::arg("special"), nb::arg("text"))
      .def(
          "put_byte",
          [](StepDecoder& self, bool first, std::uint32_t id, bool special, std::uint8_t byte) {
            require(self.put_byte(place_of(first), id, special, byte));
          },
          nb::arg("first"), nb::arg("id"), nb::arg("special"), nb::arg("byte"));
}
