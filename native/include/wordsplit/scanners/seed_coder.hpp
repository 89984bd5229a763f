// Seed-Coder.
//
//     (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+
//     |\s*[\r\n]+|\s+(?!\S)|\s+
//
// Differences from the cl100k family: one number character a span; punctuation takes no newlines.
#pragma once

#include "wordsplit/scanners/cl100k_family.hpp"

namespace wordsplit::scanners {

struct SeedCoderRules : Cl100kRules {
  static constexpr unsigned kMaxDigits = 1;
  static constexpr Tail kTail = Tail::None;
};
using SeedCoder = Cl100kFamily<SeedCoderRules>;

}  // namespace wordsplit::scanners
