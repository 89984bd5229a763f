// Python face of unicode.hpp.
#include "wordsplit/unicode.hpp"

#include <stdexcept>

#include "module.hpp"

namespace nb = nanobind;

void bind_unicode(nb::module_& m) {
  m.def(
      "class_of",
      [](std::uint32_t cp) {
        if (cp >= 0x110000) throw nb::value_error("not a code point");
        return wordsplit::class_of(cp);
      },
      nb::arg("cp"), "The class byte of a code point: category | 32 space | 64 Han | 128 word.");
}
