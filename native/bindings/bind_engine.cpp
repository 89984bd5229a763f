// Python bindings of engine/.
#include "module.hpp"
#include "py_engine.hpp"

namespace nb = nanobind;
using namespace wordsplit;
using bindings::EngineArguments;
using bindings::PyEngine;

void bind_engine(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const MissingByte& error) {
      PyErr_SetObject(PyExc_KeyError, nb::cast(error.byte).ptr());
    } catch (const Interrupted&) {  // Python's error is set
    }
  });
  nb::class_<EngineArguments>(m, "EngineArguments", "What an engine is built from.")
      .def(nb::init<>())
      .def_rw("scheme", &EngineArguments::scheme, nb::arg().none(),
              "The scheme whose scanner finds the spans; None if the caller finds them.")
      .def_rw("encoder", &EngineArguments::encoder, "The name of a native encoder.")
      .def_rw("long_encoder", &EngineArguments::long_encoder, "The encoder of long spans.")
      .def_rw("long_span", &EngineArguments::long_span, "Spans of more bytes are long.")
      .def_rw("nfc", &EngineArguments::nfc, "Whether text is normalized.")
      .def_rw("ignore_merges", &EngineArguments::ignore_merges)
      .def_rw("add_prefix_space", &EngineArguments::add_prefix_space)
      .def_rw("cache_bytes", &EngineArguments::cache_bytes, "The most that the cache may use.")
      .def_rw("added", &EngineArguments::added, nb::arg().none(),
              "Blob, ends, ids, flags and order of the added tokens.")
      .def_rw("literals", &EngineArguments::literals,
              "Literals to match instead of the contents of added tokens, by their number.")
      .def_rw("prefix", &EngineArguments::prefix, "Ids before those of every text.")
      .def_rw("suffix", &EngineArguments::suffix, "Ids after those of every text.")
      .def_rw("simd", &EngineArguments::simd, "best, avx512, avx2 or scalar.");
  nb::class_<PyEngine>(m, "Engine", "Text to ids and back, for one vocab and one set of options.")
      .def(nb::init<nb::handle_t<VocabTables>, const EngineArguments&>(), nb::arg("tables"),
           nb::arg("arguments"))
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
      .def("encode_column", &PyEngine::encode_column, nb::arg("column"), nb::arg("as_text").none(),
           nb::arg("threads"), nb::arg("into"),
           "Encode the rows of a column into lists, reusing their memory.")
      .def("encode_with_offsets", &PyEngine::encode_with_offsets, nb::arg("text"),
           nb::arg("as_text").none())
      .def("encode_spans", &PyEngine::encode_spans, nb::arg("text"), nb::arg("ends"))
      .def("pieces", &PyEngine::pieces, nb::arg("text"), nb::arg("as_text").none())
      .def("decode", &PyEngine::decode, nb::arg("ids"), nb::arg("errors"), nb::arg("skip_special"))
      .def("decode_bytes", &PyEngine::decode_bytes, nb::arg("ids"), nb::arg("skip_special"))
      .def("cache_info", &PyEngine::cache_info)
      .def("cache_clear", &PyEngine::cache_clear);
}
