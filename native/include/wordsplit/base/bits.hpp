// Masks of 64 bits.
#pragma once

#include <bit>
#include <cstdint>

#include "wordsplit/base/compiler.hpp"

namespace wordsplit {

// The bits below bit i; i may be 64.
WORDSPLIT_INLINE std::uint64_t below(unsigned i) {
  return i >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << i) - 1;
}

// The number of the lowest bit that is set; 64 if none is.
WORDSPLIT_INLINE unsigned lowest(std::uint64_t bits) {
  return static_cast<unsigned>(std::countr_zero(bits));
}

// The number of the highest bit that is set. Precondition: there is one.
WORDSPLIT_INLINE unsigned highest(std::uint64_t bits) {
  return 63 - static_cast<unsigned>(std::countl_zero(bits));
}

}  // namespace wordsplit
