// A method of a Python class whose usual calls an engine takes at once: no Python frame, and no
// arguments to be bound. These take longer than to encode a word.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>
#include <structmember.h>

#include <cstring>

#include "py_engine.hpp"

namespace wordsplit::bindings {

namespace nb = nanobind;

// Wraps a function as functools.wraps() does. A call with the usual arguments goes to the engine in
// the attribute `_core` of the object, if there is one; every other call, and one that the engine
// does not take, to the function, which raises all errors.
class QuickMethod {
 public:
  // Adds `quick_method(function)` to the module.
  static void bind(nb::module_& m) {
    engine_type() = reinterpret_cast<PyTypeObject*>(nb::type<PyEngine>().ptr());
    static PyMemberDef members[] = {
        {"__vectorcalloffset__", T_PYSSIZET, offsetof(Object, call), READONLY, nullptr},
        {"__wrapped__", T_OBJECT_EX, offsetof(Object, function), READONLY, nullptr},
        {nullptr, 0, 0, 0, nullptr}};
    static PyMethodDef methods[] = {{"__set_name__", named, METH_VARARGS, nullptr},
                                    {"__reduce__", reduced, METH_NOARGS, nullptr},
                                    {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(make)},
                                  {Py_tp_dealloc, reinterpret_cast<void*>(free)},
                                  {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                                  {Py_tp_clear, reinterpret_cast<void*>(clear)},
                                  {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                                  {Py_tp_descr_get, reinterpret_cast<void*>(bound)},
                                  {Py_tp_getattro, reinterpret_cast<void*>(attribute)},
                                  {Py_tp_repr, reinterpret_cast<void*>(repr)},
                                  {Py_tp_members, members},
                                  {Py_tp_methods, methods},
                                  {0, nullptr}};
    static PyType_Spec spec = {"wordsplit._native.QuickMethod", sizeof(Object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                   Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
                               slots};
    const nb::object type = nb::steal(PyType_FromSpec(&spec));
    if (!type.is_valid()) nb::raise_python_error();
    m.def(
        "quick_method", [type](nb::handle function) { return type(function); },
        nb::sig("def quick_method(function: Callable[..., Any], /) -> Any"),
        "A method of a class, whose usual calls go to the engine in the attribute `_core`.");
  }

 private:
  enum class Kind { Encode, Count, Decode };

  struct Object {
    PyObject_HEAD;
    vectorcallfunc call;
    PyObject* function;
    PyObject *core, *parse;  // the strings "_core" and "parse"
    Kind kind;
    PyObject* owner;    // the class that has a slot for `_core`, or null
    Py_ssize_t offset;  // of the slot
  };

  static Object* of(PyObject* self) { return reinterpret_cast<Object*>(self); }
  static PyTypeObject*& engine_type() {
    static PyTypeObject* type = nullptr;
    return type;
  }

  // QuickMethod(function), whose name says what it does.
  static PyObject* make(PyTypeObject* type, PyObject* args, PyObject* named) {
    PyObject* function = nullptr;
    if ((named && PyDict_Size(named)) || !PyArg_ParseTuple(args, "O", &function)) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "QuickMethod takes a function");
      return nullptr;
    }
    const nb::object named_as = nb::steal(PyObject_GetAttrString(function, "__name__"));
    if (!named_as.is_valid()) return nullptr;
    const auto is = [&](const char* name) {
      return PyUnicode_Check(named_as.ptr()) &&
             PyUnicode_CompareWithASCIIString(named_as.ptr(), name) == 0;
    };
    if (!is("encode") && !is("count") && !is("decode")) {
      PyErr_SetString(PyExc_ValueError, "its name is encode, count or decode");
      return nullptr;
    }
    const Kind kind = is("encode") ? Kind::Encode : is("count") ? Kind::Count : Kind::Decode;
    PyObject* const self = type->tp_alloc(type, 0);
    if (!self) return nullptr;
    Object* const made = of(self);
    made->call = called;
    made->kind = kind;
    made->function = Py_NewRef(function);
    made->core = PyUnicode_InternFromString("_core");
    made->parse = PyUnicode_InternFromString("parse");
    if (!made->core || !made->parse) {
      Py_DECREF(self);
      return nullptr;
    }
    return self;
  }
  static void free(PyObject* self) {
    PyObject_GC_UnTrack(self);
    clear(self);
    Py_CLEAR(of(self)->core);
    Py_CLEAR(of(self)->parse);
    PyTypeObject* const type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
  }
  static int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(of(self)->function);
    Py_VISIT(of(self)->owner);
    return 0;
  }
  static int clear(PyObject* self) {
    Py_CLEAR(of(self)->function);
    Py_CLEAR(of(self)->owner);
    return 0;
  }

  // __set_name__(owner, name): notes where objects of the class have `_core`, if that is a slot.
  static PyObject* named(PyObject* self, PyObject* args) {
    PyObject *owner = nullptr, *name = nullptr;
    if (!PyArg_ParseTuple(args, "O!O", &PyType_Type, &owner, &name)) return nullptr;
#if !defined(Py_GIL_DISABLED) && !defined(PYPY_VERSION)  // without a GIL, another thread may set it
    const nb::object slot = nb::steal(PyObject_GetAttr(owner, of(self)->core));
    if (!slot.is_valid()) {
      PyErr_Clear();
    } else if (Py_TYPE(slot.ptr()) == &PyMemberDescr_Type) {
      const auto* const found = reinterpret_cast<PyMemberDescrObject*>(slot.ptr());
      if (found->d_member->type == T_OBJECT_EX && PyDescr_TYPE(found) == owner_of(owner)) {
        of(self)->offset = found->d_member->offset;
        Py_XSETREF(of(self)->owner, Py_NewRef(owner));
      }
    }
#endif
    Py_RETURN_NONE;
  }
  static PyTypeObject* owner_of(PyObject* type) { return reinterpret_cast<PyTypeObject*>(type); }
  // Pickled as functions are, by name: the functions that cloudpickle takes methods apart into.
  static PyObject* reduced(PyObject* self, PyObject*) {
    return PyObject_GetAttrString(of(self)->function, "__qualname__");
  }
  // A new reference to the attribute `_core`; none, without an error, if the object has none.
  static nb::object core_of(const Object& method, PyObject* object) {
    if (method.owner && PyObject_TypeCheck(object, owner_of(method.owner))) {
      return nb::borrow(
          *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + method.offset));
    }
    nb::object found = nb::steal(PyObject_GetAttr(object, method.core));
    if (!found.is_valid()) PyErr_Clear();
    return found;
  }

  static PyObject* bound(PyObject* self, PyObject* object, PyObject*) {
    return object ? PyMethod_New(self, object) : Py_NewRef(self);
  }
  // All that the method itself has not is the function's; and what the type has of its own.
  static PyObject* attribute(PyObject* self, PyObject* name) {
    const bool of_type = PyUnicode_CompareWithASCIIString(name, "__doc__") == 0 ||
                         PyUnicode_CompareWithASCIIString(name, "__module__") == 0;
    if (!of_type || !of(self)->function) {
      PyObject* const found = PyObject_GenericGetAttr(self, name);
      if (found || !PyErr_ExceptionMatches(PyExc_AttributeError) || !of(self)->function) {
        return found;
      }
      PyErr_Clear();
    }
    return PyObject_GetAttr(of(self)->function, name);
  }
  static PyObject* repr(PyObject* self) { return PyObject_Repr(of(self)->function); }

  static PyObject* called(PyObject* self, PyObject* const* args, std::size_t flagged,
                          PyObject* names) {
    const Object& method = *of(self);
    const Py_ssize_t count = PyVectorcall_NARGS(flagged);
    if (!names && (count == 2 || (count == 3 && method.kind != Kind::Decode))) {
      if (PyObject* const found =
              quickly(method, args[0], args[1], count == 3 ? args[2] : nullptr)) {
        return found;
      }
      if (PyErr_Occurred()) return nullptr;
    }
    return PyObject_Vectorcall(method.function, args, flagged, names);
  }

  // The result, or null: with an error if the call was interrupted, else without.
  static PyObject* quickly(const Object& method, PyObject* object, PyObject* input,
                           PyObject* special) {
    const nb::object core = core_of(method, object);
    if (!core.is_valid() || Py_TYPE(core.ptr()) != engine_type() || !nb::inst_ready(core)) {
      return nullptr;
    }
    PyEngine& engine = *nb::inst_ptr<PyEngine>(core);
    try {
      nb::object found = run(engine, method, input, special ? special : method.parse);
      return found.is_none() ? nullptr : found.release().ptr();
    } catch (nb::python_error& error) {
      error.restore();
    } catch (...) {  // the function raises it; or the error is set
    }
    return nullptr;
  }
  static nb::object run(PyEngine& engine, const Object& method, nb::handle input,
                        nb::handle special) {
    switch (method.kind) {
      case Kind::Encode:
        return engine.encode_quickly(input, special);
      case Kind::Count:
        return engine.count_quickly(input, special);
      default:
        return engine.decode_quickly(input, "replace", Py_False);
    }
  }
};

}  // namespace wordsplit::bindings
