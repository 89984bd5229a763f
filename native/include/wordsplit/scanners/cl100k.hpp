// OpenAI's cl100k_base, as tiktoken spells it since 0.14.
//
//     '(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+
//     |\s++$|\s*[\r\n]|\s+(?!\S)|\s
//
// Differences from its family: \s++$ comes before the newline rule, so white space at the end of
// the text is one span, including its newlines.
#pragma once

#include "wordsplit/scanners/cl100k_family.hpp"

namespace wordsplit::scanners {

struct Cl100kOpenAiRules : Cl100kRules {
  static constexpr bool kSpacesToEnd = true;
};
using Cl100k = Cl100kFamily<Cl100kOpenAiRules>;

}  // namespace wordsplit::scanners
