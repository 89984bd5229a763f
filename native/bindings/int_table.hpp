// Converts ids to Python ints and back.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <atomic>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/memory.hpp"

namespace wordsplit::bindings {

namespace nb = nanobind;

// Reads an int from 0 to 2^32 - 1. Returns false, with no Python error set, for anything else.
inline bool id_of(PyObject* item, std::uint32_t& out) {
  // Ints of one digit, which nearly all ids are, are read without a call.
#if !defined(PYPY_VERSION) && PY_VERSION_HEX >= 0x030C0000
  const auto* const number = reinterpret_cast<PyLongObject*>(item);
  if (PyLong_CheckExact(item) && PyUnstable_Long_IsCompact(number)) {
    const Py_ssize_t small = PyUnstable_Long_CompactValue(number);
    out = static_cast<std::uint32_t>(small);
    return small >= 0;
  }
#elif !defined(PYPY_VERSION)
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

// Holds one int object for each id that has been used, shared by all lists of ids: to make each int
// again would take longer than to encode. The objects are Python's own, and never freed; there are
// at most as many as ids in the vocabs in use.
//
// From Python 3.12 on they are made immortal, as Cython makes its constants, so that a list is
// filled without touching them. Used by threads that hold the GIL, or by all at once if there is
// none.
class IntTable {
 public:
  static IntTable& shared() {
    static IntTable* table = new IntTable;  // never destroyed: the interpreter may be gone by then
    return *table;
  }

  // Prefetches what take() needs of an id: its entry, or its int, whose entry has arrived.
  void prefetch_entry(std::uint32_t id) const {
    if (id < kShared) prefetch_line(&ints_[id]);
  }
  void prefetch_int(std::uint32_t id) const {
    if (id < kShared) prefetch_line_to_write(ints_[id].load(std::memory_order_relaxed));
  }

  // Returns a new reference to the int of an id, or null with a Python error set.
  PyObject* take(std::uint32_t id) {
    if (id >= kShared) return PyLong_FromUnsignedLong(id);
    PyObject* item = ints_[id].load(std::memory_order_acquire);
    if (!item && !(item = make(id))) return nullptr;
    if constexpr (!kImmortal) Py_INCREF(item);
    return item;
  }

 private:
  static constexpr std::uint32_t kShared = 1 << 20;  // more than any vocab in use has
#if !defined(PYPY_VERSION) && PY_VERSION_HEX >= 0x030C0000
  static constexpr bool kImmortal = true;
#else
  static constexpr bool kImmortal = false;
#endif

  // Takes no lock, since a fork might leave it locked. Where there is no GIL, two threads may make
  // the int of an id at once; the one that loses stays unused.
  PyObject* make(std::uint32_t id) {
    PyObject* const made = PyLong_FromUnsignedLong(id);
    if (!made) return nullptr;
    make_immortal(made);
    PyObject* kept = nullptr;
    return ints_[id].compare_exchange_strong(kept, made) ? made : kept;
  }

  static void make_immortal([[maybe_unused]] PyObject* item) {
#if PY_VERSION_HEX >= 0x030F0000
    PyUnstable_SetImmortal(item);
#elif defined(Py_GIL_DISABLED)
    Py_SET_REFCNT(item, _Py_IMMORTAL_REFCNT_LOCAL);
#elif PY_VERSION_HEX >= 0x030E0000
    Py_SET_REFCNT(item, _Py_IMMORTAL_INITIAL_REFCNT);
#elif !defined(PYPY_VERSION) && PY_VERSION_HEX >= 0x030C0000
    Py_SET_REFCNT(item, _Py_IMMORTAL_REFCNT);
#endif
  }

  // Address space; memory is used as entries are.
  ZeroedArray<std::atomic<PyObject*>> ints_{kShared, Pages::AsUsed};
};

// Returns a new list of ids.
inline nb::object list_of(const std::uint32_t* ids, std::size_t count) {
  nb::object out = nb::steal(PyList_New(static_cast<Py_ssize_t>(count)));
  if (!out.is_valid()) nb::raise_python_error();
  IntTable& ints = IntTable::shared();
  for (std::size_t i = 0; i < count; ++i) {
    // Far enough ahead for a cache line to arrive from L3.
    constexpr std::size_t kAhead = 12;
    if (i + 2 * kAhead < count) {
      ints.prefetch_entry(ids[i + 2 * kAhead]);
      ints.prefetch_int(ids[i + kAhead]);
    }
    PyObject* const item = ints.take(ids[i]);
    if (!item) nb::raise_python_error();
    PyList_SET_ITEM(out.ptr(), static_cast<Py_ssize_t>(i), item);
  }
  return out;
}

}  // namespace wordsplit::bindings
