// GPT-2, r50k_base, p50k_base, MPT, OLMo and others: the pattern of the
// `ByteLevel` pre-tokenizer itself.
//
//     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// Differences from its family: none. The spelling of tiktoken, which ends in \s++$|\s+(?!\S)|\s,
// gives the same spans: \s+(?!\S) matches at the end of the text all that \s++$ does, and only a
// single \s can be left.
#pragma once

#include "wordsplit/scanners/gpt2_family.hpp"

namespace wordsplit::scanners {

using Gpt2 = Gpt2Family<Gpt2Rules>;

}  // namespace wordsplit::scanners
