// A span that is no token as a whole is unknown.
#pragma once

#include <cstdint>
#include <string>

#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

inline std::string whole_span_obstacle(const VocabTables& tables) {
  return tables.model().kind == ModelKind::WordLevel ? "" : "is for WordLevel models";
}

inline std::size_t whole_span(const VocabTables& tables, const std::uint8_t* span, std::size_t n,
                              std::uint32_t* out, Scratch&) {
  const std::uint32_t found = tables.find(span, n);
  out[0] = found == kNoToken ? tables.model().unk_id : found;
  return 1;
}

}  // namespace wordsplit
