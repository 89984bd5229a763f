// Llama 3, GLM 4 and others: cl100k as tokenizer.json files spell it.
//
//     (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*
//     |\s*[\r\n]+|\s+(?!\S)|\s+
//
// Differences from its family: none. The older spelling of tiktoken has \s*[\r\n] for \s*[\r\n]+,
// which is the same since \s* is greedy.
#pragma once

#include "wordsplit/scanners/cl100k_family.hpp"

namespace wordsplit::scanners {

using Llama3 = Cl100kFamily<Cl100kRules>;

}  // namespace wordsplit::scanners
