// Python bindings of columns of texts, and of the lists of tokens that they are encoded to.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "module.hpp"
#include "py_text_column.hpp"
#include "py_token_lists.hpp"

namespace nb = nanobind;
using namespace wordsplit;
using bindings::BufferView;
using bindings::PyTextColumn;
using bindings::PyTokenLists;

void bind_arrow(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const ArrowTypeError& error) {
      PyErr_SetString(PyExc_TypeError, error.what());
    } catch (const ArrowDataError& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const TooManyIds& error) {
      PyErr_SetString(PyExc_OverflowError, error.what());
    }
  });
  nb::class_<PyTextColumn>(m, "TextColumn", "Texts in memory that is owned elsewhere.")
      .def_static("from_arrow", &PyTextColumn::from_arrow, nb::arg("data"),
                  nb::arg("field").none() = nb::none(),
                  "The texts of an object with Arrow data, or of a field of its structs.")
      .def(
          "__len__", [](const PyTextColumn& self) { return self.get().rows(); }, nb::lock_self())
      .def("__getitem__", &PyTextColumn::at, nb::arg("row"), "The text of a row, or None.",
           nb::lock_self())
      .def_prop_ro(
          "rows", [](const PyTextColumn& self) { return self.get().rows(); }, "The number of rows.",
          nb::lock_self())
      .def_prop_ro(
          "nulls", [](const PyTextColumn& self) { return self.get().nulls(); },
          "The number of rows that are null.", nb::lock_self())
      .def_prop_ro(
          "bytes", [](const PyTextColumn& self) { return self.get().bytes(); },
          "The size of all texts.", nb::lock_self())
      .def("invalid_utf8", &PyTextColumn::invalid_utf8, nb::arg("most"),
           "The first rows that are not UTF-8, up to a maximum number.", nb::lock_self())
      .def("remove", &PyTextColumn::remove, nb::arg("rows"), "Remove rows, which ascend.",
           nb::lock_self())
      .def("remove_empty", &PyTextColumn::remove_empty,
           "Remove the rows that are null or empty, and return where they were.", nb::lock_self())
      .def("fill_nulls", &PyTextColumn::fill_nulls, "Make null rows empty.", nb::lock_self());
  static PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(BufferView::get_buffer)},
                                {0, nullptr}};
  nb::class_<BufferView>(m, "BufferView", nb::type_slots(slots), "Read-only memory.");
  nb::class_<PyTokenLists>(m, "TokenLists",
                           "The ids of many texts. Memory that nothing shares is reused.")
      .def(nb::init<bool, bool>(), nb::kw_only(), nb::arg("large") = false,
           nb::arg("signed") = false)
      .def("__len__", &PyTokenLists::rows, nb::lock_self())
      .def_prop_ro("rows", &PyTokenLists::rows, "The number of lists.", nb::lock_self())
      .def_prop_ro("nulls", &PyTokenLists::nulls, "The number of lists that are null.",
                   nb::lock_self())
      .def_prop_ro("tokens", &PyTokenLists::tokens, "The number of ids.", nb::lock_self())
      .def_prop_ro("ids", &PyTokenLists::ids, nb::sig("def ids(self) -> memoryview"),
                   "All ids, of 32 bits.", nb::lock_self())
      .def_prop_ro("offsets", &PyTokenLists::offsets, nb::sig("def offsets(self) -> memoryview"),
                   "Where each list begins in the ids, and the end: rows + 1 of 64 bits.",
                   nb::lock_self())
      .def_prop_ro("validity", &PyTokenLists::validity, nb::sig("def validity(self) -> memoryview"),
                   "One bit per row, 1 if it is not null; empty if no row is null.",
                   nb::lock_self())
      .def("is_null", &PyTokenLists::is_null, nb::arg("row"), "Whether a row is null.",
           nb::lock_self())
      .def("set_buffers", &PyTokenLists::set_buffers, nb::arg("ids"), nb::arg("offsets"),
           nb::arg("validity"), "Take the content of `ids`, `offsets` and `validity`.",
           nb::lock_self())
      .def("fit", &PyTokenLists::fit, "Free unused memory, if nothing shares it.", nb::lock_self())
      .def("fill", &PyTokenLists::fill, nb::arg("rows"),
           "Take rows from lists of ids, and None for null.", nb::lock_self())
      .def("__arrow_c_schema__", &PyTokenLists::arrow_schema, nb::lock_self())
      .def("__arrow_c_array__", &PyTokenLists::arrow_array,
           nb::arg("requested_schema").none() = nb::none(), nb::lock_self())
      .def("__arrow_c_stream__", &PyTokenLists::arrow_stream,
           nb::arg("requested_schema").none() = nb::none(), nb::lock_self());
}
