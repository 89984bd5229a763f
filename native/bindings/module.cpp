// The Python module: one register function a concept, each in its own bind_<concept>.cpp.
#include "module.hpp"

NB_MODULE(_native, m) {
#ifdef NDEBUG
  nanobind::set_leak_warnings(
      false);  // at exit, of what a program still holds: nothing its user could mend
#endif
  m.doc() = "wordsplit's native kernels. Internal: use the `wordsplit` package.";
  bind_unicode(m);
  bind_scanners(m);
  bind_vocab_tables(m);
  bind_compiled(m);
  bind_engine(m);
  bind_training(m);
  bind_lists(m);
}
