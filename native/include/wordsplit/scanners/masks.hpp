// 64 bytes into bit masks, with any instruction set (base/simd.hpp).
#pragma once

#include "wordsplit/base/simd.hpp"
#include "wordsplit/scanners/classify.hpp"

namespace wordsplit::scanners {

// Sets the masks of the code points below 0x80 and returns the mask of the other bytes.
// Precondition, here and below: 64 readable bytes.
template <class Simd>
WORDSPLIT_INLINE std::uint64_t ascii_masks(const std::uint8_t* text, Masks& k) {
  const typename Simd::Bytes v = Simd::load(text);
  k.upper = Simd::in_range(v, 'A', 26);
  k.lower = Simd::in_range(v, 'a', 26);
  k.number = Simd::in_range(v, '0', 10);
  k.blank = Simd::equal(v, ' ');
  k.space = Simd::in_range(v, '\t', 5) | k.blank;
  k.newline = Simd::equal(v, '\n') | Simd::equal(v, '\r');
  k.apostrophe = Simd::equal(v, '\'');
  k.slash = Simd::equal(v, '/');
  k.ascii_letter = k.upper | k.lower;
  k.punct = k.ascii_punct = Simd::in_range(v, '!', '~' - '!' + 1) & ~(k.ascii_letter | k.number);
  k.caseless = k.mark = k.flag = 0;
  return Simd::high_bits(v);
}

// Adds the classes of decoded code points, one byte of class bits each.
template <class Simd>
WORDSPLIT_INLINE void add_masks(const std::uint8_t* bits, Masks& k) {
  const typename Simd::Bytes v = Simd::load(bits);
  k.upper |= Simd::template bit<0>(v);
  k.lower |= Simd::template bit<1>(v);
  k.caseless |= Simd::template bit<2>(v);
  k.mark |= Simd::template bit<3>(v);
  k.number |= Simd::template bit<4>(v);
  k.space |= Simd::template bit<5>(v);
  k.punct |= Simd::template bit<6>(v);
  k.flag |= Simd::template bit<7>(v);
}

}  // namespace wordsplit::scanners
