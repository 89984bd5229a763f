// Converts ids to Python ints and back.
#pragma once

#include <Python.h>

#include <vector>

#include "wordsplit/base/memory.hpp"

namespace wordsplit::bindings {

// Reads an int from 0 to 2^32 - 1. Returns false, with no Python error set, for anything else.
inline bool id_of(PyObject* item, std::uint32_t& out) {
#if !defined(Py_LIMITED_API) && PY_VERSION_HEX < 0x030C0000
  // Avoids a call for ints of one digit, which nearly all ids are.
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

// Holds one int object for each id, shared by all lists of ids: to make each int anew would take
// longer than to encode. The objects are never freed; there are at most as many as ids in the
// largest vocab in use. Accessed only with the GIL held.
//
// There are two implementations. Both have cover(limit), which makes room for ids below the limit,
// prefetch(id), and take(id), which returns a new reference to the int of a covered id, or null
// with a Python error set.
#if defined(Py_LIMITED_API) || PY_VERSION_HEX >= 0x030C0000 || defined(PYPY_VERSION) || \
    defined(Py_TRACE_REFS) || PYLONG_BITS_IN_DIGIT != 30 || UINTPTR_MAX != UINT64_MAX

// Objects that Python makes, in a table.
class IntObjects {
 public:
  void cover(std::uint32_t limit) {
    if (ints_.size() < limit) ints_.resize(limit, nullptr);
  }
  void prefetch(std::uint32_t id) const { __builtin_prefetch(ints_[id], 1); }
  PyObject* take(std::uint32_t id) {
    PyObject*& item = ints_[id];
    if (!item && !(item = PyLong_FromUnsignedLong(id))) return nullptr;
    Py_INCREF(item);
    return item;
  }

 private:
  std::vector<PyObject*> ints_;
};

#else

// Objects in one array, so that the address of an object follows from its id, without a memory
// access. References are not counted: each count begins so high that freeing lists cannot bring it
// down in a lifetime (2^62 ids). Lists of English: 4.9 -> 3.1 ns an id, in batches 4.2 -> 2.6.
class IntObjects {
 public:
  void cover(std::uint32_t limit) {
    const std::size_t blocks = (std::size_t{limit} + kBlock - 1) / kBlock;
    if (blocks_.size() < blocks) blocks_.resize(blocks);
  }
  void prefetch(std::uint32_t) const {}
  PyObject* take(std::uint32_t id) {
    ZeroedArray<Place>& block = blocks_[id / kBlock];
    if (block.size() == 0) fill(block, id / kBlock * kBlock);
    PyObject* item = &block[id % kBlock].object.ob_base.ob_base;
    __builtin_prefetch(item, 1);  // its reference count is written when the list is freed
    return item;
  }

 private:
  struct alignas(32) Place {
    PyLongObject object;
  };
  static constexpr std::uint32_t kBlock = 65536;  // 2 MB: a huge page

  static void fill(ZeroedArray<Place>& block, std::uint32_t first) {
    block = ZeroedArray<Place>(kBlock);
    for (std::uint32_t i = 0; i < kBlock; ++i) {
      PyLongObject& item = block[i].object;
      Py_SET_REFCNT(&item, PY_SSIZE_T_MAX / 2);
      Py_SET_TYPE(&item, &PyLong_Type);
      Py_SET_SIZE(&item, first + i != 0);
      item.ob_digit[0] = first + i;
    }
  }

  std::vector<ZeroedArray<Place> > blocks_;
};

#endif

// Lists of ids.
class IntLists {
 public:
  static IntLists& shared() {
    static IntLists* lists = new IntLists;  // never destroyed: the interpreter may be gone by then
    return *lists;
  }

  // Returns a new list of ids, which are below `limit`, or null with a Python error set.
  PyObject* make(const std::uint32_t* ids, std::size_t count, std::uint32_t limit) {
    PyObject* out = PyList_New(static_cast<Py_ssize_t>(count));
    if (!out) return nullptr;
    bool filled;
    made_ += count;
    if (made_ < kWorthATable) {
      filled = fill(out, count, [&](std::size_t i) { return PyLong_FromUnsignedLong(ids[i]); });
    } else {
      ints_.cover(limit);
      filled = fill(out, count, [&](std::size_t i) {
        if (i + kAhead < count) ints_.prefetch(ids[i + kAhead]);
        return ints_.take(ids[i]);
      });
    }
    if (!filled) {
      Py_DECREF(out);
      return nullptr;
    }
    // Untracked by the garbage collector, since ints are in no cycle. With a thousand lists of a
    // thousand ids, a collection would take as long as encoding. (A list that is put into itself is
    // never freed.)
    PyObject_GC_UnTrack(out);
    return out;
  }

 private:
  template <class Item>
  static bool fill(PyObject* list, std::size_t count, Item&& item_at) {
    for (std::size_t i = 0; i < count; ++i) {
      PyObject* item = item_at(i);
      if (!item) return false;
#ifdef Py_LIMITED_API
      PyList_SetItem(list, static_cast<Py_ssize_t>(i), item);
#else
      PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), item);
#endif
    }
    return true;
  }

  // Far enough ahead for an object's cache line to arrive from L3.
  static constexpr std::size_t kAhead = 12;
  // A process that makes few lists need not touch megabytes.
  static constexpr std::size_t kWorthATable = 4096;

  std::size_t made_ = 0;
  IntObjects ints_;
};

}  // namespace wordsplit::bindings
