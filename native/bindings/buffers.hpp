// Views of Python objects without a copy.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "wordsplit/text/utf8.hpp"

namespace wordsplit::bindings {

// Arguments with precise types in the module's stub.
using Items = nanobind::typed<nanobind::list, nanobind::any>;
using Write = nanobind::typed<nanobind::callable, void(nanobind::bytes)>;

// Views the UTF-8 of a str, in place if it is ASCII, else as CPython caches it in the str; or the
// content of a bytes. Returns false, with no Python error set, for a str with lone surrogates and
// for other types: the Python side has a slower path for those. Precondition: the object outlives
// the view.
inline bool view_text(PyObject* object, std::string_view& out) {
  if (PyUnicode_Check(object)) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(object, &size);
    if (!data) {
      PyErr_Clear();
      return false;
    }
    out = {data, static_cast<std::size_t>(size)};
    return true;
  }
  if (PyBytes_Check(object)) {
    out = {PyBytes_AsString(object), static_cast<std::size_t>(PyBytes_Size(object))};
    return true;
  }
  return false;
}

// The same without making CPython cache UTF-8: a str that is not ASCII is viewed as its code
// points, lone surrogates included. Under the stable ABI, which hides them, it works as view_text()
// does.
inline bool view_points(PyObject* object, Text& out) {
#if !defined(Py_LIMITED_API) && !defined(PYPY_VERSION)
  if (PyUnicode_Check(object) && PyUnicode_READY(object) == 0 &&
      (PyUnicode_IS_ASCII(object) || !reinterpret_cast<PyCompactUnicodeObject*>(object)->utf8)) {
    out = {PyUnicode_DATA(object), static_cast<std::size_t>(PyUnicode_GET_LENGTH(object)),
           PyUnicode_IS_ASCII(object) ? 0U : static_cast<unsigned>(PyUnicode_KIND(object))};
    return true;
  }
#endif
  std::string_view view;
  if (!view_text(object, view)) return false;
  out = {view.data(), view.size(), 0};
  return true;
}

// The 32-bit words of an object with a buffer, such as array('I') or a NumPy array.
class Words {
 public:
  explicit Words(nanobind::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) {
      nanobind::raise_python_error();
    }
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words() { PyBuffer_Release(&view_); }

  const std::uint32_t* data() const { return static_cast<const std::uint32_t*>(view_.buf); }
  const std::byte* bytes() const { return static_cast<const std::byte*>(view_.buf); }
  std::string_view text() const {
    return {static_cast<const char*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }
  std::size_t size_bytes() const { return static_cast<std::size_t>(view_.len); }
  std::size_t size() const { return static_cast<std::size_t>(view_.len) / 4; }

 private:
  Py_buffer view_;
};

}  // namespace wordsplit::bindings
