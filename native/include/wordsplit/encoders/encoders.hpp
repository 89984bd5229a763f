// The table of native span encoders. Bindings, engine, tests and fuzz targets read it.
//
// docs/writing-a-span-encoder.md describes how to add one: a header in this folder and a line in
// kEncoders.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "wordsplit/encoders/backtracking.hpp"
#include "wordsplit/encoders/buffer_sweep.hpp"
#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/encoders/heap_merge.hpp"
#include "wordsplit/encoders/longest_match.hpp"
#include "wordsplit/encoders/priority_merge.hpp"
#include "wordsplit/encoders/tail_sweep.hpp"
#include "wordsplit/encoders/viterbi.hpp"
#include "wordsplit/encoders/whole_span.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

struct Encoder {
  const char* name;
  // See contract.hpp. `index` is what make_index returns, or null if the encoder has none.
  std::size_t (*encode)(const VocabTables& tables, const TableIndex* index,
                        const std::uint8_t* span, std::size_t n, std::uint32_t* out,
                        Scratch& scratch);
  // Why the encoder cannot be used with these tables: the end of a sentence that begins with its
  // name. Empty if it can.
  std::string (*obstacle)(const VocabTables& tables);
  MakeIndex make_index;  // may be null
};

namespace encoders_detail {

inline std::string merging_obstacle(const VocabTables& tables) {
  const bool merges = tables.model().kind <= ModelKind::Characters;
  return merges ? "" : "is for models that merge pairs";
}

// An encoder that needs only the tables.
template <auto kEncode>
constexpr Encoder encoder(const char* name,
                          std::string (*obstacle)(const VocabTables&) = merging_obstacle) {
  return {
      name,
      [](const VocabTables& tables, const TableIndex*, const std::uint8_t* span, std::size_t n,
         std::uint32_t* out, Scratch& scratch) { return kEncode(tables, span, n, out, scratch); },
      obstacle, nullptr};
}

// An encoder with an index.
template <auto kEncode, class Index>
constexpr Encoder encoder(const char* name, std::string (*obstacle)(const VocabTables&)) {
  return {name,
          [](const VocabTables& tables, const TableIndex* index, const std::uint8_t* span,
             std::size_t n, std::uint32_t* out, Scratch& scratch) {
            return kEncode(tables, static_cast<const Index&>(*index), span, n, out, scratch);
          },
          obstacle,
          [](const VocabTables& tables) -> std::unique_ptr<const TableIndex> {
            return std::make_unique<const Index>(tables);
          }};
}

inline constexpr Encoder kEncoders[] = {
    encoder<buffer_sweep>("buffer_sweep"),
    encoder<tail_sweep>("tail_sweep"),
    encoder<priority_merge>("priority_merge"),
    encoder<heap_merge>("heap_merge"),
    encoder<backtracking, MadeTokens>("backtracking", backtracking_obstacle),
#if !defined(WORDSPLIT_ONLY_BYTES)
    encoder<viterbi, ScoredTokens>("viterbi", viterbi_obstacle),
    encoder<longest_match, WordPieces>("longest_match", longest_match_obstacle),
    encoder<whole_span>("whole_span", whole_span_obstacle),
#endif
};

}  // namespace encoders_detail

// Every native encoder.
constexpr std::span<const Encoder> encoders() { return encoders_detail::kEncoders; }

// The encoder of this name, or null.
constexpr const Encoder* find_encoder(std::string_view name) {
  for (const Encoder& encoder : encoders()) {
    if (name == encoder.name) return &encoder;
  }
  return nullptr;
}

}  // namespace wordsplit
