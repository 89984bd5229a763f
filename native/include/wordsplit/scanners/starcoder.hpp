// StarCoder, SmolLM, Command R and others with the pre-tokenizers `Digits(individual_digits)` and
// `ByteLevel`.
//
//     \p{N}
//     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// Differences from the GPT-2 family: every number character is a piece, so it takes no space before
// it, and white space before it is at the end of a piece.
#pragma once

#include "wordsplit/scanners/gpt2_family.hpp"

namespace wordsplit::scanners {

struct StarCoderRules : Gpt2Rules {
  static constexpr unsigned kMaxDigits = 1;
  static constexpr std::uint8_t kPieces = kNumber;
};
using StarCoder = Gpt2Family<StarCoderRules>;

}  // namespace wordsplit::scanners
