// Python bindings of unicode.hpp and nfc.hpp.
#include "module.hpp"
#include "wordsplit/text/nfc.hpp"
#include "wordsplit/text/unicode.hpp"

namespace nb = nanobind;

void bind_unicode(nb::module_& m) {
  m.def(
      "class_of",
      [](std::uint32_t cp) {
        if (cp >= 0x110000) throw nb::value_error("not a code point");
        return wordsplit::class_of(cp);
      },
      nb::arg("cp"), "The class byte of a code point: category | 32 space | 64 Han | 128 word.");
  m.def(
      "nfc",
      [](nb::bytes text) {
        std::string out;
        wordsplit::nfc(static_cast<const std::uint8_t*>(text.data()), text.size(), out);
        return nb::bytes(out.data(), out.size());
      },
      nb::arg("text"), "The NFC of UTF-8 text, as `tokenizers` computes it.");
  m.def(
      "nfkc",
      [](nb::bytes text) {
        std::string out;
        wordsplit::nfc<wordsplit::NormalForm::Nfkc>(static_cast<const std::uint8_t*>(text.data()),
                                                    text.size(), out);
        return nb::bytes(out.data(), out.size());
      },
      nb::arg("text"), "The NFKC of UTF-8 text, as `tokenizers` computes it.");
}
