// From ids to Python's ints and back.
#pragma once

#include <Python.h>

#include <vector>

#include "wordsplit/output.hpp"

namespace wordsplit::bindings {

// The value of an int from 0 to 2^32 - 1; false, with no Python error set, for all else.
inline bool id_of(PyObject* item, std::uint32_t& out) {
#if !defined(Py_LIMITED_API) && PY_VERSION_HEX < 0x030C0000
  // Without a call for ints of one digit, as nearly all ids are.
  if (PyLong_CheckExact(item) && Py_SIZE(item) == 1) {
    out = reinterpret_cast<PyLongObject*>(item)->ob_digit[0];
    return true;
  }
#endif
  const long long value = PyLong_AsLongLong(item);
  if (value < 0 || value > 0xFFFFFFFFLL) {
    PyErr_Clear();
    return false;
  }
  out = static_cast<std::uint32_t>(value);
  return true;
}

// One int object for each id, made once and shared by every list of ids.
//
// Building a list of ints costs more than finding the ids if each int is made anew. The objects are
// kept for good: there are no more of them than ids in the largest vocab in use. Touched only with
// the GIL held.
class IntTable {
 public:
  static IntTable& shared() {
    static IntTable* table = new IntTable;  // never destroyed: the interpreter may be gone by then
    return *table;
  }

  // Makes room for ids below `limit`.
  void cover(std::uint32_t limit) {
    if (ints_.size() < limit) ints_.resize(limit, nullptr);
  }

  // A new list of ids, or null with a Python error set. Precondition: cover() has covered them.
  PyObject* list(const std::uint32_t* ids, std::size_t count) {
    PyObject* out = PyList_New(static_cast<Py_ssize_t>(count));
    if (!out) return nullptr;
    PyObject** ints = ints_.data();
    for (std::size_t i = 0; i < count; ++i) {
      if (i + kAhead < count) __builtin_prefetch(ints[ids[i + kAhead]], 1);
      PyObject*& item = ints[ids[i]];
      if (!item && !(item = PyLong_FromUnsignedLong(ids[i]))) {
        Py_DECREF(out);
        return nullptr;
      }
      Py_INCREF(item);
#ifdef Py_LIMITED_API
      PyList_SetItem(out, static_cast<Py_ssize_t>(i), item);
#else
      PyList_SET_ITEM(out, static_cast<Py_ssize_t>(i), item);
#endif
    }
    // The garbage collector need not look through it: ints are in no cycle. With a thousand lists
    // of a thousand ids, it would take as long as encoding them did. (Who puts the list into itself
    // keeps it.)
    PyObject_GC_UnTrack(out);
    return out;
  }

 private:
  // Far enough for an object's cache line to arrive from the third-level cache.
  static constexpr std::size_t kAhead = 12;
  std::vector<PyObject*> ints_;
};

}  // namespace wordsplit::bindings
