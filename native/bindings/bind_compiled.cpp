// Python bindings of compiled.hpp.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
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

// A digest of the sources that decide the content of compiled files: see CMakeLists.txt.
constexpr std::uint64_t kBuild = WORDSPLIT_BUILD;

std::uint64_t build_of(bool portable) { return portable ? kPortableBuild : kBuild; }

using Range = std::tuple<std::size_t, std::size_t>;  // offset and size of a part of the file

struct PyCompiled {
  PyCompiled(nb::object file, bool portable) : file_(std::move(file)) {
    const Words view(file_);
    const bindings::Unlocked unlocked;
    content = read_compiled({view.bytes(), view.size_bytes()}, build_of(portable));
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
  nb::object file_;  // keeps the memory of `content`
  Compiled content;
  std::vector<Range> ranges;
};

nb::bytes compile(nb::bytes description, nb::handle merges, const bindings::AddedBuffers& added,
                  const VocabTables& tables, bool portable) {
  const Words flat(merges);
  const bindings::HeldAddedList held(added);
  const auto* text = static_cast<const std::byte*>(description.data());
  const std::string out =
      write_compiled({text, description.size()}, {flat.bytes(), flat.size_bytes()}, held.list,
                     tables, build_of(portable));
  return nb::bytes(out.data(), out.size());
}

}  // namespace

void bind_compiled(nb::module_& m) {
  m.def(
      "layout_build", [] { return kBuild; },
      "A digest of the native sources, which determine the content of compiled files.");
  m.def(
      "checksum", [](nb::bytes data) { return checksum(data.data(), data.size()); },
      nb::arg("data"), "A fast 64-bit checksum.");
  m.def("write_compiled", &compile, nb::arg("description"), nb::arg("merges"), nb::arg("added"),
        nb::arg("tables"), nb::arg("portable") = false, "The content of a compiled file.");
  nb::class_<PyCompiled>(m, "Compiled", "A checked compiled file, which keeps its buffer alive.")
      .def(nb::init<nb::object, bool>(), nb::arg("file"), nb::arg("portable") = false)
      .def_ro("ranges", &PyCompiled::ranges,
              "The (offset, size) of its description and merges, of the tokens' blob, ends and "
              "ids, and of "
              "the added tokens' blob, ends, ids, flags and order.")
      .def_prop_ro(
          "tables", [](PyCompiled& self) { return self.content.tables.get(); },
          nb::rv_policy::reference_internal, "The tables, which keep this object alive.");
}
