// From the arguments that Python gives to what the kernels take.
#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "wordsplit/decoder.hpp"
#include "wordsplit/engine.hpp"

namespace wordsplit::bindings {

namespace nb = nanobind;

// Content, id, special, lstrip, rstrip, single_word, normalized, and the literal to look for.
using AddedRow = std::tuple<nb::bytes, std::uint32_t, bool, bool, bool, bool, bool, nb::bytes>;

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

// The tokens looked for in raw text, or those looked for in normalized text.
inline std::vector<AddedToken> matched(const std::vector<AddedRow>& added, bool normalized) {
  std::vector<AddedToken> out;
  std::uint32_t number = 0;
  for (const auto& [bytes, id, special, lstrip, rstrip, single_word, is_normalized, literal] :
       added) {
    if (is_normalized == normalized && literal.size() > 0) {
      out.push_back({std::string(literal.c_str(), literal.size()), id, number, special, lstrip,
                     rstrip, single_word});
    }
    ++number;
  }
  return out;
}

inline std::vector<Decoder::Added> decoded(const std::vector<AddedRow>& added) {
  std::vector<Decoder::Added> out;
  for (const AddedRow& row : added) {
    const nb::bytes& bytes = std::get<0>(row);
    out.push_back({std::get<1>(row), std::string(bytes.c_str(), bytes.size()), std::get<2>(row)});
  }
  return out;
}

}  // namespace wordsplit::bindings
