// Decodes lists of ids by steps.
#pragma once

#include <nanobind/nanobind.h>

#include <cstring>
#include <string_view>

#include "id_chunks.hpp"
#include "wordsplit/engine/step_decoder.hpp"

namespace wordsplit::bindings {

// None for everything that is left to the caller, errors included.
inline nb::object decode_by(const StepDecoder& decoder, nb::handle ids, const char* errors,
                            nb::handle skip_special) {
  if (!PyList_CheckExact(ids.ptr())) return nb::none();
  StepDecoder::Call call(decoder, is_true(skip_special), std::strcmp(errors, "replace") == 0);
  const bool known = in_chunks(
      ids, [&](const std::uint32_t* chunk, std::size_t count) { return call.add(chunk, count); });
  std::string_view text;
  if (!known || !call.finish(text)) return nb::none();
  return nb::str(text.data(), text.size());
}

}  // namespace wordsplit::bindings
