// Writes code points of one, two or four bytes each as UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit::utf8_detail {

// Each function below writes the UTF-8 of n code points and returns its end, or null if there is a
// surrogate. It may write up to 64 bytes past the end.

template <class Char>
std::uint8_t* write_portable(const Char* p, std::size_t n, std::uint8_t* to) {
  std::size_t i = 0;
  while (i < n) {
    for (; i + 8 <= n; i += 8, to += 8) {
      std::uint32_t all = 0;
      for (std::size_t k = 0; k < 8; ++k) all |= p[i + k];
      if (all >= 0x80) break;
      for (std::size_t k = 0; k < 8; ++k) to[k] = static_cast<std::uint8_t>(p[i + k]);
    }
    for (const std::size_t end = i + 8 <= n ? i + 8 : n; i < end; ++i) {
      if ((p[i] & 0xFFFFF800U) == 0xD800) return nullptr;
      to = put_utf8(p[i], to);
    }
  }
  return to;
}

// The writing of code points with an instruction set; utf8_avx2.hpp and utf8_avx512.hpp have
// faster ways for theirs.
template <class Simd>
struct Writer {
  template <class Char>
  static WORDSPLIT_INLINE std::uint8_t* write(const Char* p, std::size_t n, std::uint8_t* to) {
    return write_portable(p, n, to);
  }
};

}  // namespace wordsplit::utf8_detail
