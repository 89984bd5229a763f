// Python face of vocab_tables.hpp.
#include "buffers.hpp"
#include "module.hpp"
#include "wordsplit/vocab_tables.hpp"

namespace nb = nanobind;
using namespace wordsplit;
using bindings::Words;

void bind_vocab_tables(nb::module_& m) {
  nb::class_<VocabTables>(m, "VocabTables", "A vocab's look-up tables, immutable.")
      .def(
          "__init__",
          [](VocabTables* self, nb::bytes blob, nb::object ends, nb::object ids, nb::object merges,
             nb::object literal_ids) {
            const Words e(ends), i(ids), m(merges), l(literal_ids);
            if (e.size() != i.size() || m.size() % 2 != 0) throw nb::value_error("sizes differ");
            std::vector<std::uint32_t> literal(l.data(), l.data() + l.size());
            const std::string_view text(static_cast<const char*>(blob.data()), blob.size());
            nb::gil_scoped_release unlocked;
            new (self)
                VocabTables(text, e.data(), i.data(), i.size(), m.data(), m.size() / 2, literal);
          },
          nb::arg("blob"), nb::arg("ends"), nb::arg("ids"), nb::arg("merges"),
          nb::arg("literal_ids"))
      .def_prop_ro("proper", &VocabTables::proper, "Whether backtracking may use it.")
      .def_prop_ro("improper", &VocabTables::improper, "A token that stands against it.");
}
