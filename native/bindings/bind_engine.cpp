// Python face of engine.hpp, batch.hpp and decoder.hpp.
#include "module.hpp"
#include "py_engine.hpp"

namespace nb = nanobind;
using namespace wordsplit;
using bindings::PyEngine;

void bind_engine(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const MissingByte& error) {
      PyErr_SetObject(PyExc_KeyError, nb::cast(error.byte).ptr());
    } catch (const Interrupted&) {  // with Python's error set
    }
  });
  nb::class_<PyEngine>(m, "Engine", "Text to ids and back, for one vocab and one set of options.")
      .def(nb::init<nb::handle_t<VocabTables>, const std::optional<std::string>&,
                    const std::string&, const std::string&, std::size_t, bool, bool, bool,
                    std::size_t, const bindings::AddedBuffers&, bindings::Literals,
                    std::vector<std::uint32_t>, std::vector<std::uint32_t>, const std::string&>(),
           nb::arg("tables"), nb::arg("scheme").none(), nb::kw_only(), nb::arg("encoder"),
           nb::arg("long_encoder"), nb::arg("long_span"), nb::arg("nfc"), nb::arg("ignore_merges"),
           nb::arg("add_prefix_space"), nb::arg("cache_bytes"), nb::arg("added"),
           nb::arg("literals"), nb::arg("prefix"), nb::arg("suffix"), nb::arg("simd") = "best")
      .def("encode", &PyEngine::encode, nb::arg("text"), nb::arg("as_text").none())
      .def("encode_to_numpy", &PyEngine::encode_to_numpy, nb::arg("text"),
           nb::arg("as_text").none())
      .def("count", &PyEngine::count, nb::arg("text"), nb::arg("as_text").none())
      .def("encode_batch", &PyEngine::encode_batch, nb::arg("texts"), nb::arg("as_text").none(),
           nb::arg("threads"))
      .def("count_batch", &PyEngine::count_batch, nb::arg("texts"), nb::arg("as_text").none(),
           nb::arg("threads"))
      .def("encode_batch_to_numpy", &PyEngine::encode_batch_to_numpy, nb::arg("texts"),
           nb::arg("as_text").none(), nb::arg("threads"))
      .def("encode_with_offsets", &PyEngine::encode_with_offsets, nb::arg("text"),
           nb::arg("as_text").none())
      .def("encode_spans", &PyEngine::encode_spans, nb::arg("text"), nb::arg("ends"))
      .def("pieces", &PyEngine::pieces, nb::arg("text"), nb::arg("as_text").none())
      .def("decode", &PyEngine::decode, nb::arg("ids"), nb::arg("errors"), nb::arg("skip_special"))
      .def("decode_bytes", &PyEngine::decode_bytes, nb::arg("ids"), nb::arg("skip_special"))
      .def("cache_info", &PyEngine::cache_info)
      .def("cache_clear", &PyEngine::cache_clear);
}
