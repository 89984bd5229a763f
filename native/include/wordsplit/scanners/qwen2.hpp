// Qwen2 and Qwen3.
//
//     (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*
//     |\s*[\r\n]+|\s+(?!\S)|\s+
//
// Differences from the cl100k family: one number character a span.
#pragma once

#include "wordsplit/scanners/cl100k_family.hpp"

namespace wordsplit::scanners {

struct Qwen2Rules : Cl100kRules {
  static constexpr unsigned kMaxDigits = 1;
};
using Qwen2 = Cl100kFamily<Qwen2Rules>;

}  // namespace wordsplit::scanners
