// From the arguments that Python gives to what the kernels take.
#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wordsplit/engine/decoder.hpp"
#include "wordsplit/engine/engine.hpp"

namespace wordsplit::bindings {

namespace nb = nanobind;

inline EncoderKind kind_of(const std::string& name) {
  static const std::map<std::string, EncoderKind> kinds = {
      {"buffer_sweep", EncoderKind::BufferSweep},     {"tail_sweep", EncoderKind::TailSweep},
      {"priority_merge", EncoderKind::PriorityMerge}, {"heap_merge", EncoderKind::HeapMerge},
      {"backtracking", EncoderKind::Backtracking},
  };
  const auto found = kinds.find(name);
  if (found == kinds.end()) throw nb::value_error("no such native encoder");
  return found->second;
}

inline EngineConfig config_of(const std::optional<std::string>& scheme, const std::string& encoder,
                              const std::string& long_encoder, std::size_t long_span, bool nfc,
                              bool ignore_merges, bool add_prefix_space, std::size_t cache_bytes,
                              const std::string& simd) {
  EngineConfig out;
  if (simd == "scalar") out.simd = SimdLevel::Scalar;
  if (simd == "avx2" && out.simd == SimdLevel::Avx512) out.simd = SimdLevel::Avx2;
  if (scheme) {
    const Scheme* found = find_scheme_named(*scheme);
    if (!found) throw nb::value_error("no such scheme");
    out.scan = found->at(out.simd);
  }
  out.encoder = kind_of(encoder);
  out.long_encoder = kind_of(long_encoder);
  out.long_span = long_span;
  out.nfc = nfc;
  out.ignore_merges = ignore_merges;
  out.add_prefix_space = add_prefix_space;
  out.cache_bytes = cache_bytes;
  return out;
}

// Literals to look for in place of the contents: number of the added token -> literal.
using Literals = std::map<std::uint32_t, nb::bytes>;

// The tokens looked for in raw text, or those looked for in normalized text. The arguments must
// outlive them.
inline std::vector<AddedToken> matched(const AddedList& added, const Literals& literals,
                                       bool normalized) {
  std::vector<AddedToken> out;
  const auto add = [&](std::uint32_t i) {
    if (added.has(i, AddedList::kNormalized) != normalized) return;
    std::string_view literal = added.content(i);
    if (const auto other = literals.find(i); other != literals.end()) {
      literal = {other->second.c_str(), other->second.size()};
    }
    if (literal.empty()) return;
    out.push_back({literal, added.ids[i], i, added.has(i, AddedList::kSpecial),
                   added.has(i, AddedList::kLeftStrip), added.has(i, AddedList::kRightStrip),
                   added.has(i, AddedList::kSingleWord)});
  };
  if (added.is_in_order()) {
    for (const std::uint32_t i : added.order) add(i);
  } else {
    for (std::uint32_t i = 0; i < added.size(); ++i) add(i);
  }
  return out;
}

}  // namespace wordsplit::bindings
