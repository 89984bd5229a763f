// The arguments from which Python builds an engine, and their conversion to what the kernels take.
#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "added_buffers.hpp"
#include "wordsplit/engine/engine.hpp"

namespace wordsplit::bindings {

namespace nb = nanobind;

// Literals to match instead of the contents of added tokens, by the number of the token.
using Literals = std::map<std::uint32_t, nb::bytes>;

struct EngineArguments {
  std::optional<SpanFinder> spans;  // none: the caller brings them
  std::string encoder, long_encoder;
  bool nfc = false;
  std::size_t long_span = 0;
  bool ignore_merges = false, add_prefix_space = false;
  std::size_t cache_bytes = 0;
  std::size_t threads = 1;  // at most, for one text
  std::optional<AddedBuffers> added;
  Literals literals;
  std::vector<std::uint32_t> prefix, suffix;
  std::string simd = name_of(best_simd_level());
  bool cuts = false, cuts_at_spaces = false, joins_bytes = false;
  std::shared_ptr<const WordMap> words;
  std::shared_ptr<const Normalizer> normalizer;
  std::shared_ptr<const Rewriting> rewriting;
  std::string space_mark, prepend = "never";
};

inline SpaceMark::Prepend prepend_named(const std::string& name) {
  using enum SpaceMark::Prepend;
  if (name == "never") return Never;
  if (name == "stretch") return ToStretch;
  if (name == "piece") return ToPiece;
  if (name == "first") return ToFirstPiece;
  throw nb::value_error("no such way to prepend a space");
}

inline const Encoder* encoder_named(const std::string& name) {
  const Encoder* found = find_encoder(name);
  if (!found) throw nb::value_error("no such native encoder");
  return found;
}

// One of simd_levels(), or "best".
inline SimdLevel simd_level_named(const std::string& name) {
  if (name == "best") return best_simd_level();
  for (const SimdLevel level : simd_levels()) {
    if (name == name_of(level)) return level;
  }
  throw nb::value_error("no such SIMD level on this machine");
}

inline EngineConfig config_of(const EngineArguments& arguments) {
  EngineConfig out;
  out.simd = simd_level_named(arguments.simd);
  if (arguments.spans) out.spans = *arguments.spans;
  out.encoder = encoder_named(arguments.encoder);
  out.long_encoder = encoder_named(arguments.long_encoder);
  out.long_span = arguments.long_span;
  out.nfc = arguments.nfc;
  out.ignore_merges = arguments.ignore_merges;
  out.add_prefix_space = arguments.add_prefix_space;
  out.cache_bytes = arguments.cache_bytes;
  out.cuts = arguments.cuts;
  out.cuts_at_spaces = arguments.cuts_at_spaces;
  out.words = arguments.words;
  out.normalizer = arguments.normalizer;
  out.rewriting = arguments.rewriting;
  out.space = {arguments.space_mark, prepend_named(arguments.prepend)};
  return out;
}

// The tokens matched in raw text, or those matched in normalized text. The arguments must outlive
// them.
inline std::vector<AddedToken> matched(const AddedList& added, const Literals& literals,
                                       bool normalized) {
  std::vector<AddedToken> out;
  for (std::uint32_t k = 0; k < added.size(); ++k) {
    const std::uint32_t i = added.order.empty() ? k : added.order[k];
    if (added.has(i, AddedList::kNormalized) != normalized) continue;
    std::string_view literal = added.content(i);
    if (const auto other = literals.find(i); other != literals.end()) {
      literal = {other->second.c_str(), other->second.size()};
    }
    if (literal.empty()) continue;
    out.push_back({literal, added.ids[i], i, added.has(i, AddedList::kSpecial),
                   added.has(i, AddedList::kLeftStrip), added.has(i, AddedList::kRightStrip),
                   added.has(i, AddedList::kSingleWord)});
  }
  return out;
}

}  // namespace wordsplit::bindings
