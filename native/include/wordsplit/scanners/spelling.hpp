// The spelling of a scheme's pattern.
#pragma once

#include <cstddef>
#include <string_view>

namespace wordsplit::scanners {

// The engines that read a spelling as is meant. They differ where `tokenizers` (Oniguruma) takes
// {1,3}+ for a repeated {1,3}, and tiktoken (fancy-regex) for a possessive one.
enum class Dialect { Any, Tokenizers, Tiktoken };

// The patterns of the steps of a scheme, in order. Most schemes have one.
struct Spelling {
  std::string_view step[3];
  Dialect dialect = Dialect::Any;

  constexpr std::size_t size() const {
    std::size_t n = 0;
    while (n < 3 && !step[n].empty()) ++n;
    return n;
  }
  constexpr const std::string_view* begin() const { return step; }
  constexpr const std::string_view* end() const { return step + size(); }
};

}  // namespace wordsplit::scanners
