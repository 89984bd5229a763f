// The Python module. Each concept is bound by one function, in its own bind_<concept>.cpp.
#include "module.hpp"

#include <exception>
#include <vector>

#include "gil.hpp"

NB_MODULE(_native_of_main_interpreter, m) {
#ifdef NDEBUG
  nanobind::set_leak_warnings(false);  // a user can do nothing about objects still held at exit
#endif
  m.doc() = "wordsplit's native kernels. Internal: use the `wordsplit` package.";
  bind_unicode(m);
  bind_encoders(m);
  bind_scanners(m);
  bind_vocab_tables(m);
  bind_compiled(m);
  bind_arrow(m);
  bind_documents(m);
  bind_step_decoder(m);
  bind_text_steps(m);
  bind_engine(m);
  bind_training(m);
  bind_list_format(m);
  bind_json_text(m);
  bind_json_outline(m);
  bind_spellings(m);
  bind_numbers(m);
  bind_pieces(m);
  // The last registered is called first. What is no C++ exception ends a thread: see park().
  nanobind::register_exception_translator([](const std::exception_ptr& p, void*) {
    if (!p) wordsplit::bindings::park();
    std::rethrow_exception(p);
  });
}

namespace {

int (*bind)(PyObject*) = nullptr;  // what nanobind does to load the module

// Loads the module. nanobind's state is shared by all interpreters of a process: a subinterpreter
// would break it for the main one, so it is refused before nanobind sets up. Loaded once more, as
// after a program has removed it from sys.modules, the module has what the first one has.
int load(PyObject* module) {
  static PyObject* first = nullptr;
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
    PyErr_SetString(PyExc_ImportError, "it cannot be loaded in a subinterpreter");
    return -1;
  }
  if (first) return PyDict_Merge(PyModule_GetDict(module), PyModule_GetDict(first), false);
  if (bind(module) != 0) return -1;
  Py_INCREF(module);
  first = module;
  return 0;
}

}  // namespace

extern "C" NB_EXPORT PyObject* PyInit__native() {
  auto* made = reinterpret_cast<PyModuleDef*>(PyInit__native_of_main_interpreter());
  if (!made) return nullptr;
  static PyModuleDef guarded = *made;
  static std::vector<PyModuleDef_Slot> slots = [&] {
    std::vector<PyModuleDef_Slot> all;
    for (PyModuleDef_Slot* slot = made->m_slots; slot->slot; ++slot) {
      all.push_back(*slot);
      if (slot->slot != Py_mod_exec) continue;
      bind = reinterpret_cast<int (*)(PyObject*)>(slot->value);
      all.back().value = reinterpret_cast<void*>(load);
    }
    all.push_back({0, nullptr});
    return all;
  }();
  guarded.m_slots = slots.data();
  return PyModuleDef_Init(&guarded);
}
