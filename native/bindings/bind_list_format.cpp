// Python bindings of list_format.hpp.
#include "buffers.hpp"
#include "module.hpp"
#include "wordsplit/text/list_format.hpp"

namespace nb = nanobind;
using namespace wordsplit;

namespace {

// Calls put(number) for each item, which must be a 32-bit integer. Items are held while they are
// read, and the size is read again each time, since other threads may change a list.
template <class Put>
void each_word(nb::handle items, Put&& put) {
  for (Py_ssize_t at = 0; at < PySequence_Size(items.ptr()); ++at) {
    const nb::object item = nb::steal(PySequence_GetItem(items.ptr(), at));
    if (!item.is_valid()) nb::raise_python_error();
    const unsigned long long value = PyLong_AsUnsignedLongLong(item.ptr());
    if (PyErr_Occurred()) nb::raise_python_error();
    if (value > 0xFFFFFFFFULL) throw nb::value_error("not a number of 32 bits");
    put(static_cast<std::uint32_t>(value));
  }
}

}  // namespace

void bind_list_format(nb::module_& m) {
  m.def(
      "read_ids",
      [](nb::bytes text) {
        nb::list ids;
        const std::size_t end =
            read_ids({text.c_str(), text.size()}, [&](std::uint32_t id) { ids.append(id); });
        return nb::make_tuple(ids, end);
      },
      nb::arg("text"), nb::sig("def read_ids(text: bytes) -> tuple[list[int], int]"),
      "The ids in a text, and the offset of the first word that is not one (or the text's size).");
  m.def(
      "write_ids",
      [](bindings::Items ids, nb::bytes separator) {
        std::string out;
        each_word(ids, [&](std::uint32_t id) {
          if (!out.empty()) out.append(separator.c_str(), separator.size());
          write_id(id, out);
        });
        return nb::bytes(out.data(), out.size());
      },
      nb::arg("ids"), nb::arg("separator"), "Ids in decimal, with a separator between them.");
  m.def(
      "write_json_strings",
      [](nb::bytes utf8, nb::handle ends, nb::bytes separator) -> nb::object {
        const std::string_view text{utf8.c_str(), utf8.size()};
        std::string out;
        std::size_t start = 0;
        bool whole = true;
        each_word(ends, [&](std::uint32_t end) {
          if (end < start || end > text.size()) throw nb::value_error("not ends of spans");
          whole = whole && is_boundary(text, end);
          if (start) out.append(separator.c_str(), separator.size());
          write_json_string(text.substr(start, end - start), out);
          start = end;
        });
        if (!whole) return nb::none();
        return nb::bytes(out.data(), out.size());
      },
      nb::arg("utf8"), nb::arg("ends"), nb::arg("separator"),
      "Spans of valid UTF-8 as JSON strings; None if one ends within a character.");
}
