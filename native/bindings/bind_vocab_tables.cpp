// Python bindings of vocab_tables.hpp and bundled.hpp.
#include <nanobind/stl/tuple.h>

#include "buffers.hpp"
#include "gil.hpp"
#include "module.hpp"
#include "wordsplit/tables/bundled.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace nb = nanobind;
using namespace wordsplit;
using bindings::Words;

namespace {

nb::bytes bytes_of(const std::vector<std::uint32_t>& words) {
  return nb::bytes(words.data(), 4 * words.size());
}

}  // namespace

void bind_vocab_tables(nb::module_& m) {
  m.def(
      "unpack_bundled",
      [](nb::bytes data) {
        const Unpacked out = unpack_bundled({static_cast<const char*>(data.data()), data.size()});
        return std::tuple(nb::bytes(out.blob.data(), out.blob.size()), bytes_of(out.ends),
                          bytes_of(out.flat));
      },
      nb::arg("data"), "Blob, ends and flat merges of a bundled vocab, as 32-bit words.");
  nb::class_<VocabTables>(m, "VocabTables", "A vocab's look-up tables, immutable.")
      .def(
          "__init__",
          [](VocabTables* self, nb::object blob, nb::object ends, nb::object ids, nb::object merges,
             nb::object unreachable_ids, bool all_live) {
            const Words b(blob), e(ends), i(ids), m(merges), l(unreachable_ids);
            if (e.size() != i.size() || m.size() % 2 != 0) throw nb::value_error("sizes differ");
            std::vector<std::uint32_t> unreachable(l.data(), l.data() + l.size());
            const std::string_view text(reinterpret_cast<const char*>(b.bytes()), b.size_bytes());
            const bindings::Unlocked unlocked;
            new (self) VocabTables(text, e.data(), i.data(), i.size(), m.data(), m.size() / 2,
                                   unreachable, all_live);
          },
          nb::arg("blob"), nb::arg("ends"), nb::arg("ids"), nb::arg("merges"),
          nb::arg("unreachable_ids"), nb::arg("all_live") = false)
      .def(
          "made_by",
          [](const VocabTables& self, std::uint32_t id) {
            const MadeBy& made = self.made_by(id);
            return std::tuple(made.left, made.right, made.rank_plus_1);
          },
          nb::arg("id"), "Left, right and rank (plus one) of the live merge of a token.")
      .def_prop_ro("supports_backtracking", &VocabTables::supports_backtracking,
                   "Whether the parts of every token rank before it, as backtracking needs.")
      .def_prop_ro("out_of_order_token", &VocabTables::out_of_order_token,
                   "A token whose parts do not.");
}
