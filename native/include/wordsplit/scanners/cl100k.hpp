// cl100k, in the spelling of tokenizer.json files: Llama 3, GLM 4 and others.
//
//     (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*
//     |\s*[\r\n]+|\s+(?!\S)|\s+
//
// Differences from its family: none. \s*[\r\n] is the same as \s*[\r\n]+, as \s* is greedy.
//
// Cl100kTiktoken is tiktoken's own spelling, as of 0.14: it has \s++$ before the newline rule, so
// white space at the text's end is one span there, newlines and all.
#pragma once

#include "wordsplit/scanners/cl100k_family.hpp"

namespace wordsplit::scanners {

using Cl100k = Cl100kFamily<Cl100kRules>;

struct Cl100kTiktokenRules : Cl100kRules {
  static constexpr bool kSpacesToEnd = true;
};
using Cl100kTiktoken = Cl100kFamily<Cl100kTiktokenRules>;

}  // namespace wordsplit::scanners
