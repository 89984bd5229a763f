// One int object for each id, made once and shared by every list of ids.
//
// Building a list of ints costs more than finding the ids if each int is made anew. The objects are
// kept for good: there are no more of them than ids in the largest vocab in use. Touched only with
// the GIL held.
#pragma once

#include <Python.h>

#include <vector>

#include "wordsplit/output.hpp"

namespace wordsplit::bindings {

class IntTable {
 public:
  static IntTable& shared() {
    static IntTable* table = new IntTable;  // never destroyed: the interpreter may be gone by then
    return *table;
  }

  // Makes objects for ids below `limit`.
  bool cover(std::uint32_t limit) {
    while (ints_.size() < limit) {
      PyObject* made = PyLong_FromUnsignedLong(static_cast<unsigned long>(ints_.size()));
      if (!made) return false;
      ints_.push_back(made);
    }
    return true;
  }

  // A new list of ids, or null with a Python error set. Precondition: cover() has covered them.
  PyObject* list(const std::uint32_t* ids, std::size_t count) const {
    PyObject* out = PyList_New(static_cast<Py_ssize_t>(count));
    if (!out) return nullptr;
    for (std::size_t i = 0; i < count; ++i) {
      if (i + kAhead < count) __builtin_prefetch(ints_[ids[i + kAhead]], 1);
      PyObject* item = ints_[ids[i]];
      Py_INCREF(item);
#ifdef Py_LIMITED_API
      PyList_SetItem(out, static_cast<Py_ssize_t>(i), item);
#else
      PyList_SET_ITEM(out, static_cast<Py_ssize_t>(i), item);
#endif
    }
    return out;
  }

 private:
  // Far enough for an object's cache line to arrive from the third-level cache.
  static constexpr std::size_t kAhead = 12;
  std::vector<PyObject*> ints_;
};

}  // namespace wordsplit::bindings
