// Python face of compiled.hpp.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "added_buffers.hpp"
#include "buffers.hpp"
#include "gil.hpp"
#include "module.hpp"
#include "wordsplit/tables/compiled.hpp"

namespace nb = nanobind;
using namespace wordsplit;
using bindings::Words;

namespace {

// Which sources the tables come from: see CMakeLists.txt.
constexpr std::uint64_t kBuild = WORDSPLIT_BUILD;

using Range = std::tuple<std::size_t, std::size_t>;  // where in the file a part is: offset, size

struct PyCompiled {
  explicit PyCompiled(nb::handle file) {
    const Words view(file);
    const bindings::Unlocked unlocked;
    content = read_compiled({view.bytes(), view.size_bytes()}, kBuild);
    const auto range_of = [&](const auto& part) {
      const Bytes bytes = std::as_bytes(std::span(part));
      return Range(static_cast<std::size_t>(bytes.data() - view.bytes()), bytes.size());
    };
    const VocabTables& tables = *content.tables;
    const AddedList& added = content.added;
    ranges = {range_of(content.description), range_of(content.merges), range_of(tables.blob()),
              range_of(tables.ends()),       range_of(tables.ids()),   range_of(added.blob),
              range_of(added.ends),          range_of(added.ids),      range_of(added.flags),
              range_of(added.order)};
  }
  Compiled content;
  std::vector<Range> ranges;
};

nb::bytes compile(nb::bytes description, nb::handle merges, const bindings::AddedBuffers& added,
                  const VocabTables& tables) {
  const Words flat(merges);
  const bindings::HeldAddedList held(added);
  const auto* text = static_cast<const std::byte*>(description.data());
  const std::string out = write_compiled(
      {text, description.size()}, {flat.bytes(), flat.size_bytes()}, held.list, tables, kBuild);
  return nb::bytes(out.data(), out.size());
}

}  // namespace

void bind_compiled(nb::module_& m) {
  m.def(
      "layout_build", [] { return kBuild; },
      "A number of the headers that lay compiled files out.");
  m.def(
      "checksum", [](nb::bytes data) { return checksum(data.data(), data.size()); },
      nb::arg("data"), "A quick 64-bit checksum.");
  m.def("write_compiled", &compile, nb::arg("description"), nb::arg("merges"), nb::arg("added"),
        nb::arg("tables"), "The content of a compiled file.");
  nb::class_<PyCompiled>(m, "Compiled", "A compiled file, checked; it keeps the buffer.")
      .def(nb::init<nb::handle>(), nb::arg("file"), nb::keep_alive<1, 2>())
      .def_ro("ranges", &PyCompiled::ranges,
              "The (offset, size) of its description and merges, of the tokens' blob, ends and "
              "ids, and of "
              "the added tokens' blob, ends, ids, flags and order.")
      .def(
          "take_tables", [](PyCompiled& self) { return std::move(self.content.tables); },
          nb::keep_alive<0, 1>(), "The tables; once.");
}
