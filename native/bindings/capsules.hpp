// The capsules of the Arrow PyCapsule interface: structs in from Python, and out to it.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "wordsplit/arrow/abi.hpp"

namespace wordsplit::bindings {

namespace nb = nanobind;

template <class T>
inline constexpr const char* kCapsuleName = nullptr;
template <>
inline constexpr const char* kCapsuleName<ArrowSchema> = "arrow_schema";
template <>
inline constexpr const char* kCapsuleName<ArrowArray> = "arrow_array";
template <>
inline constexpr const char* kCapsuleName<ArrowArrayStream> = "arrow_array_stream";

// Moves the struct out of a capsule, which then has nothing left to release.
template <class T>
Owned<T> take_from(nb::handle capsule) {
  const char* const name = kCapsuleName<T>;
  if (!PyCapsule_IsValid(capsule.ptr(), name)) {
    throw ArrowDataError(std::string("there is no capsule named '") + name + "'");
  }
  auto* const from = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (!from->release) {
    throw ArrowDataError(std::string("the capsule '") + name + "' has been consumed before");
  }
  return Owned<T>(*from);
}

// A capsule with the struct that fill(struct) writes.
template <class T, class Fill>
nb::object capsule_of(Fill&& fill) {
  auto item = std::make_unique<T>();
  fill(*item);
  PyObject* const capsule = PyCapsule_New(item.get(), kCapsuleName<T>, [](PyObject* self) {
    auto* const held = static_cast<T*>(PyCapsule_GetPointer(self, kCapsuleName<T>));
    if (held->release) held->release(held);
    delete held;
  });
  if (!capsule) {
    item->release(item.get());
    nb::raise_python_error();
  }
  (void)item.release();
  return nb::steal(capsule);
}

}  // namespace wordsplit::bindings
