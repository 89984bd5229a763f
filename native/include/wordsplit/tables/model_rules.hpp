// The rules that determine the ids of a span, other than tokens and merges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "wordsplit/base/compiler.hpp"

namespace wordsplit {

inline constexpr std::uint32_t kNoToken = 0xFFFFFFFF;

enum class ModelKind : std::uint32_t { Bytes, Characters, Unigram, WordPiece, WordLevel };

// The treatment of a byte or a character without a token.
enum class Missing : std::uint16_t { Error, Nothing, Unknown };

struct ModelRules {
  ModelKind kind = ModelKind::Bytes;
  std::uint32_t unk_id = kNoToken;  // for what is unknown

  // BPE. In the byte-level one an unknown token is in no merge. What gives nothing is left out, so
  // that its neighbours may merge.
  Missing missing = Missing::Error;
  std::uint16_t fuse_unk = 0;  // whether a run of unknown characters or bytes gives one id

  // Character models, which are made of bytes by merges. What is left of bytes in the end are
  // virtual ids, above all others, which stand for them.
  std::uint32_t first_virtual = kNoToken;
  std::uint32_t made_characters = 0;  // how many merges, the first ones, make characters
  // The ids that spell the bytes of unknown characters, also in Unigram, and of unknown words in
  // WordLevel; kNoToken if none does.
  std::uint32_t fallback[256];

  // Unigram: whether sums are rounded to 32 bits, and the score of an unknown character.
  std::uint32_t single_precision = 0;
  double unknown_score = 0;

  // WordPiece: the most characters of a word, and what tokens within a word begin with. WordLevel:
  // what each word of a span begins with; nothing if a span is one word.
  std::uint32_t most_characters = 0;
  std::uint32_t prefix_size = 0;
  char prefix[64] = {};

  ModelRules() { std::fill(std::begin(fallback), std::end(fallback), kNoToken); }
  bool has_missing_rule() const { return !kOnlyBytes && missing != Missing::Error; }
  // Whether characters without a token give nothing.
  bool drops_characters() const {
    return !kOnlyBytes && kind == ModelKind::Characters && missing == Missing::Nothing;
  }
  bool has_fallback() const { return fallback[0] != kNoToken; }
};

// Files hold the rules as they are in memory.
static_assert(sizeof(ModelRules) == 1128, "padding has no certain value");

}  // namespace wordsplit
