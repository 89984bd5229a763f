// Qwen3.5.
//
//     (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}|
//     ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*
//     |\s*[\r\n]+|\s+(?!\S)|\s+
//
// Differences from the cl100k family: one number character a span; marks belong to words. The
// prefix may also be a mark, which changes nothing: the word would begin with it anyway.
#pragma once

#include "wordsplit/scanners/cl100k_family.hpp"

namespace wordsplit::scanners {

struct Qwen35Rules : Cl100kRules {
  static constexpr std::uint8_t kWord = kLetter | kMark;
  static constexpr unsigned kMaxDigits = 1;
};
using Qwen35 = Cl100kFamily<Qwen35Rules>;

}  // namespace wordsplit::scanners
