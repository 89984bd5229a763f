// English contractions: 's 't 'm 'd 're 've 'll, with or without letter case.
//
// Under (?i) the engines fold with Unicode's simple rules, by which U+017F (long s) equals s. No
// other letter here has a fold outside ASCII.
#pragma once

#include "wordsplit/scanners/classify.hpp"

namespace wordsplit::scanners {

enum class Contractions { None, CaseSensitive, AnyCase };

// The size in bytes of the letters of a contraction at `at`, just after an apostrophe; 0 if there
// is none. Precondition: at <= n.
template <Contractions C>
inline std::size_t contraction_size(const std::uint8_t* text, std::size_t n, std::size_t at) {
  if constexpr (C == Contractions::None) return 0;
  constexpr std::uint8_t fold = C == Contractions::AnyCase ? 0x20 : 0;
  if (at >= n) return 0;
  const std::uint8_t a = text[at] | fold;
  if (a == 's' || a == 't' || a == 'm' || a == 'd') return 1;
  if (at + 1 >= n) return 0;
  if (C == Contractions::AnyCase && text[at] == 0xC5 && text[at + 1] == 0xBF) return 2;  // U+017F
  const std::uint8_t b = text[at + 1] | fold;
  return ((a == 'r' || a == 'v') && b == 'e') || (a == 'l' && b == 'l') ? 2 : 0;
}

// The same in code points, on a window: the letters after the apostrophe at code point i, if all
// of them lie inside the window, else 0.
template <Contractions C>
WORDSPLIT_INLINE unsigned contraction_count(const Masks& k, unsigned i) {
  if constexpr (C == Contractions::None) return 0;
  constexpr std::uint8_t fold = C == Contractions::AnyCase ? 0x20 : 0;
  if (i + 1 >= k.count) return 0;
  if (k.ascii[i + 1] >= 0x80) {
    if (C != Contractions::AnyCase) return 0;
    const std::uint8_t* p = k.text + k.offset[i + 1];
    // The window holds this code point whole, so a lead byte C5 has its second byte.
    return p[0] == 0xC5 && k.offset[i + 1] + 1 < k.offset[k.count] && p[1] == 0xBF;
  }
  const std::uint8_t a = k.ascii[i + 1] | fold;
  if (a == 's' || a == 't' || a == 'm' || a == 'd') return 1;
  if (i + 2 >= k.count) return 0;
  const std::uint8_t b = k.ascii[i + 2] | fold;  // 0x80 and more stays that
  return ((a == 'r' || a == 'v') && b == 'e') || (a == 'l' && b == 'l') ? 2 : 0;
}

}  // namespace wordsplit::scanners
