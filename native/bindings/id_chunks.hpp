// Reads sequences of ids, and flags, as the calls that decode take them.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <iterator>

#include "int_table.hpp"

namespace wordsplit::bindings {

namespace nb = nanobind;

// As Python converts to bool: a call of bool() there would take as long as to decode a word.
inline bool is_true(nb::handle value) {
  const int found = PyObject_IsTrue(value.ptr());
  if (found < 0) nb::raise_python_error();
  return found == 1;
}

// Calls take(ids, count), which returns whether to go on, for one chunk of a sequence after
// another. False if one is not an id, or if a call returned false.
template <class Take>
bool in_chunks(nb::handle ids, Take&& take) {
#ifdef Py_GIL_DISABLED
  nb::object items = nb::steal(PySequence_Tuple(ids.ptr()));  // no other thread changes it
#else
  nb::object items = nb::steal(PySequence_Fast(ids.ptr(), "ids must be a sequence"));
#endif
  if (!items.is_valid()) {
    PyErr_Clear();
    return false;
  }
  std::uint32_t chunk[256];
  std::size_t filled = 0;
  const bool is_list = PyList_Check(items.ptr());
  const auto size_now = [&] {
    return is_list ? PyList_Size(items.ptr()) : PyTuple_Size(items.ptr());
  };
  Py_ssize_t size = size_now();
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* item = is_list ? PyList_GetItem(items.ptr(), i) : PyTuple_GetItem(items.ptr(), i);
    if (PyLong_CheckExact(item)) {
      if (!id_of(item, chunk[filled])) return false;
    } else {  // its __index__ may change the list: so it is held, and the size is read again
      const nb::object held = nb::borrow(item);
      if (!id_of(item, chunk[filled])) return false;
      size = size_now();
    }
    if (++filled < std::size(chunk)) continue;
    filled = 0;
    if (!take(chunk, std::size(chunk))) return false;
    if (i % (64 << 10) == (64 << 10) - 1) {
      if (PyErr_CheckSignals() != 0) nb::raise_python_error();
      size = size_now();  // a signal handler may have changed the list as well
    }
  }
  return take(chunk, filled);
}

}  // namespace wordsplit::bindings
