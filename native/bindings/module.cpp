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
  // The last registered is called first. What is no C++ exception ends a thread: see park().
  nanobind::register_exception_translator([](const std::exception_ptr& p, void*) {
    if (!p) wordsplit::bindings::park();
    std::rethrow_exception(p);
  });
}

// nanobind's state is shared by all interpreters of a process: to load the module in a
// subinterpreter would break it for the main one. This is refused before nanobind sets up.
extern "C" NB_EXPORT PyObject* PyInit__native() {
  static const auto require_main_interpreter = [](PyObject*) {
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return 0;
    PyErr_SetString(PyExc_ImportError, "it cannot be loaded in a subinterpreter");
    return -1;
  };
  auto* made = reinterpret_cast<PyModuleDef*>(PyInit__native_of_main_interpreter());
  if (!made) return nullptr;
  static PyModuleDef guarded = *made;
  static std::vector<PyModuleDef_Slot> slots = [&] {
    int (*check)(PyObject*) = require_main_interpreter;
    std::vector<PyModuleDef_Slot> all = {{Py_mod_exec, reinterpret_cast<void*>(check)}};
    for (PyModuleDef_Slot* slot = made->m_slots; slot->slot; ++slot) all.push_back(*slot);
    all.push_back({0, nullptr});
    return all;
  }();
  guarded.m_slots = slots.data();
  return PyModuleDef_Init(&guarded);
}
