// Decodes a window of UTF-8 to code points: with AVX-512 all at once; else, and where
// decode_avx512.hpp has no answer (code points above U+FFFF, errors), one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/simd.hpp"
#include "wordsplit/text/decode_avx512.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

// Code points that begin within 64 bytes. Behind them are others, for vectors that begin anywhere.
struct CodePoints {
  static constexpr unsigned kMost = 64, kBehind = 16;
  alignas(64) std::uint32_t value[kMost + kBehind];
  alignas(64) std::uint32_t offset[kMost + kBehind];  // of the first byte
  unsigned count;
};

// Decodes the code points of text[0, n): all of them, or at least 16. Precondition: n > 0.
template <class Simd>
struct CodePointDecoder {
  static WORDSPLIT_INLINE void decode(const std::uint8_t* text, std::size_t n, CodePoints& out) {
    out.count = 0;
    for (std::size_t at = 0; at < n && at < CodePoints::kMost; ++out.count) {
      const CodePoint c = decode_utf8_inline(text + at, text + n);
      out.value[out.count] = c.value;
      out.offset[out.count] = static_cast<std::uint32_t>(at);
      at += c.size;
    }
    std::fill_n(out.value + out.count, CodePoints::kBehind, 0);
  }
};

#if defined(WORDSPLIT_TARGET_AVX512)

template <>
struct CodePointDecoder<simd::Avx512> {
  WORDSPLIT_TARGET_AVX512 static inline void decode(const std::uint8_t* text, std::size_t n,
                                                    CodePoints& out) {
    utf8::Points found;
    if (!utf8::decode_points(text, n, found)) {
      CodePointDecoder<simd::Portable>::decode(text, n, out);
      return;
    }
    for (unsigned i = 0; i < CodePoints::kMost; i += 16) {
      const __m256i some = _mm256_load_si256(reinterpret_cast<const __m256i*>(found.code + i));
      _mm512_store_si512(out.value + i, _mm512_maskz_cvtepu16_epi32(0xFFFF, some));
    }
    _mm512_store_si512(out.value + CodePoints::kMost, _mm512_setzero_si512());
    utf8::write_offsets(found, 0, out.offset);
    out.count = found.count;
  }
};

#endif

}  // namespace wordsplit
