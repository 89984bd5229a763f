// Tekken (Mistral).
//
//     [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+
//     |[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*
//     |\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// Differences from the o200k family: no contractions; one number character a span.
#pragma once

#include "wordsplit/scanners/o200k_family.hpp"

namespace wordsplit::scanners {

struct TekkenRules : O200kRules {
  static constexpr Contractions kContractions = Contractions::None;
  static constexpr unsigned kMaxDigits = 1;
};
using Tekken = O200kFamily<TekkenRules>;

}  // namespace wordsplit::scanners
