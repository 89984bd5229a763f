// o200k (GPT-4o) and o200k_harmony (gpt-oss).
//
//     [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|...)?
//     |[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|...)?
//     |\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// Differences from its family: none.
#pragma once

#include "wordsplit/scanners/o200k_family.hpp"

namespace wordsplit::scanners {

using O200k = O200kFamily<O200kRules>;

}  // namespace wordsplit::scanners
