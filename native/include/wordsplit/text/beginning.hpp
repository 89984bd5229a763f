// The origin of the first character of a text that steps have derived from another one.
#pragma once

#include <cstdint>

#include "wordsplit/text/word_map.hpp"

namespace wordsplit {

// Not from the beginning of the original; from there, but not the character after it; or from
// there, and maybe those after it, too.
enum class Beginning : std::uint8_t { Elsewhere, One, Several };

// The beginning of a text without its first characters. Throws NotInCore if that is not known.
inline Beginning without_first(Beginning beginning) {
  if (beginning == Beginning::Several) throw NotInCore();
  return Beginning::Elsewhere;
}

}  // namespace wordsplit
