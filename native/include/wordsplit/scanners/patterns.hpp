// The exact spellings of the patterns that have scanners, as they stand in tokenizer.json files and
// in tiktoken, unescaped. Each scheme's spellings are proved alike by tests/exhaustive.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace wordsplit::scanners {

// Whose reading of a spelling is meant, where they differ: Oniguruma, in `tokenizers`, takes {1,3}+
// for a repeated {1,3}; fancy-regex, in tiktoken, for a possessive one.
enum class Engine { Any, Tokenizers, Tiktoken };

// The patterns of one spelling's steps, in order; most schemes have one.
struct Steps {
  std::string_view step[3];
  Engine engine = Engine::Any;
  constexpr std::size_t size() const {
    std::size_t n = 0;
    while (n < 3 && !step[n].empty()) ++n;
    return n;
  }
  constexpr const std::string_view* begin() const { return step; }
  constexpr const std::string_view* end() const { return step + size(); }
};

namespace patterns {

// Parts that recur. A macro, as string literals are joined by the compiler only where they stand.
#define WORDSPLIT_GPT2 \
  R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"
#define WORDSPLIT_CONTRACTIONS R"((?i:'s|'t|'re|'ve|'m|'ll|'d))"
#define WORDSPLIT_SPACES R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"

inline constexpr Steps kGpt2[] = {
    {{WORDSPLIT_GPT2}},
    // tiktoken's, older and as of 0.14
    {{R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"}},
    {{R"('(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s)"}},
};

inline constexpr Steps kStarCoder[] = {{{R"(\p{N})", WORDSPLIT_GPT2}}};

inline constexpr Steps kCl100k[] = {
    {{WORDSPLIT_CONTRACTIONS
      R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)" WORDSPLIT_SPACES}},
    // tiktoken's older spelling
    {{R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*)"
      R"(|\s*[\r\n]|\s+(?!\S)|\s+)"}},
};

inline constexpr Steps kCl100kTiktoken[] = {
    {{R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+)"
      R"(|\s++$|\s*[\r\n]|\s+(?!\S)|\s)"},
     Engine::Tiktoken},
};

inline constexpr Steps kQwen2[] = {
    {{WORDSPLIT_CONTRACTIONS
      R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)" WORDSPLIT_SPACES}},
    // BailingMoE
    {{R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*)"
      R"(|\s*[\r\n]|\s+(?!\S)|\s+)"}},
};

inline constexpr Steps kQwen35[] = {
    {{WORDSPLIT_CONTRACTIONS
      R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*)" WORDSPLIT_SPACES}},
};

inline constexpr Steps kSeedCoder[] = {
    // In the published file \r and \n stand as the characters themselves.
    {{WORDSPLIT_CONTRACTIONS "|[^\r\n"
                             R"(\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N})"
                             "\r\n]+|"
                             R"(\s*[)"
                             "\r\n"
                             R"(]+|\s+(?!\S)|\s+)"}},
    {{WORDSPLIT_CONTRACTIONS
      R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+)" WORDSPLIT_SPACES}},
};

#define WORDSPLIT_UPPER R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])"
#define WORDSPLIT_LOWER R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])"
#define WORDSPLIT_PREFIX R"([^\r\n\p{L}\p{N}]?)"

inline constexpr Steps kO200k[] = {
    {{WORDSPLIT_PREFIX WORDSPLIT_UPPER
      "*" WORDSPLIT_LOWER "+" WORDSPLIT_CONTRACTIONS "?|" WORDSPLIT_PREFIX WORDSPLIT_UPPER
      "+" WORDSPLIT_LOWER "*" WORDSPLIT_CONTRACTIONS
      R"(?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*)" WORDSPLIT_SPACES}},
};

inline constexpr Steps kTekken[] = {
    {{WORDSPLIT_PREFIX WORDSPLIT_UPPER "*" WORDSPLIT_LOWER "+|" WORDSPLIT_PREFIX WORDSPLIT_UPPER
                                       "+" WORDSPLIT_LOWER
                                       R"(*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*)" WORDSPLIT_SPACES}},
};

#define WORDSPLIT_KIMI_UPPER R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]])"
#define WORDSPLIT_KIMI_LOWER R"([\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]])"

inline constexpr Steps kKimiK2[] = {
    {{R"([\p{Han}]+|)" WORDSPLIT_PREFIX WORDSPLIT_KIMI_UPPER "*" WORDSPLIT_KIMI_LOWER
      "+" WORDSPLIT_CONTRACTIONS "?|" WORDSPLIT_PREFIX WORDSPLIT_KIMI_UPPER "+" WORDSPLIT_KIMI_LOWER
      "*" WORDSPLIT_CONTRACTIONS R"(?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)" WORDSPLIT_SPACES}},
};

inline constexpr Steps kDeepSeekV3[] = {
    // In the published file \r and \n stand as the characters themselves.
    {{R"(\p{N}{1,3})", "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
      R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^)"
      "\r\n"
      R"(\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[)"
      "\r\n"
      R"(]*|\s*[)"
      "\r\n"
      R"(]+|\s+(?!\S)|\s+)"}},
    {{R"(\p{N}{1,3})", "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
      R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+)"
      R"(| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
};

#undef WORDSPLIT_GPT2
#undef WORDSPLIT_CONTRACTIONS
#undef WORDSPLIT_SPACES
#undef WORDSPLIT_UPPER
#undef WORDSPLIT_LOWER
#undef WORDSPLIT_PREFIX
#undef WORDSPLIT_KIMI_UPPER
#undef WORDSPLIT_KIMI_LOWER

}  // namespace patterns
}  // namespace wordsplit::scanners
