// Kimi K2.
//
//     [\p{Han}]+
//     |[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:...)?
//     |[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:...)?
//     |\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// Differences from the o200k family: runs of Han script are spans, and not words; punctuation takes
// newlines after it, but no slashes. Han numbers and symbols that follow other numbers and symbols
// belong to those.
#pragma once

#include "wordsplit/scanners/o200k_family.hpp"

namespace wordsplit::scanners {

struct KimiK2Rules : O200kRules {
  static constexpr Flag kFlagged = Flag::Han;
  static constexpr Tail kTail = Tail::Newlines;
};
using KimiK2 = O200kFamily<KimiK2Rules>;

}  // namespace wordsplit::scanners
