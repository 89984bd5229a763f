// Finds the cuts of a text: boundaries between characters, each decided by the characters on its
// two sides. Windows of up to 64 bytes, and no branch that depends on whether there is a cut.
//
// `Boundaries` say where cuts are:
//   crossed()                     between which ASCII characters there is none
//   is_cut_between(left, right)   whether there is one between two characters, whatever they are
// and PointCuts, below, may be specialized for an instruction set that handles many at once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "wordsplit/base/bits.hpp"
#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/simd.hpp"
#include "wordsplit/text/code_points.hpp"

namespace wordsplit {

// By the left character: the right ones with which there is no cut.
using CrossedPairs = const std::uint64_t (*)[2];

// Bit i for a cut between code points i and i + 1.
template <class Simd, class Boundaries>
struct PointCuts {
  static WORDSPLIT_INLINE std::uint64_t find(const Boundaries& boundaries,
                                             const CodePoints& points) {
    std::uint64_t cuts = 0;
    for (unsigned i = 0; i + 1 < points.count; ++i) {
      cuts |= std::uint64_t{boundaries.is_cut_between(points.value[i], points.value[i + 1])} << i;
    }
    return cuts;
  }
};

// Asks the boundaries for some of the cuts, and removes those that are none.
template <class Boundaries>
inline void drop_wrong_cuts(const Boundaries& boundaries, const CodePoints& points,
                            std::uint64_t some, std::uint64_t& cuts) {
  for (; some; some &= some - 1) {
    const unsigned i = lowest(some);
    if (!boundaries.is_cut_between(points.value[i], points.value[i + 1])) {
      cuts &= ~(std::uint64_t{1} << i);
    }
  }
}

// Bit i for a cut between p[i] and p[i + 1], i < pairs. Precondition: all of them are ASCII.
template <class Simd>
struct AsciiCuts {
  static WORDSPLIT_INLINE std::uint64_t find(CrossedPairs crossed, const std::uint8_t* p,
                                             std::size_t pairs) {
    std::uint64_t cuts = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      cuts |= (~(crossed[p[i]][p[i + 1] >> 6] >> (p[i + 1] & 63)) & 1) << i;
    }
    return cuts;
  }
};

// Bit i for a lane of pairs of ASCII characters that have no cut between them. Lanes of others have
// any bit.
template <class Lanes>
WORDSPLIT_INLINE std::uint64_t crossed_ascii(CrossedPairs crossed, const Lanes& left,
                                             const Lanes& right) {
  static_assert(std::endian::native == std::endian::little);  // the words are read in halves
  const auto* const halves = reinterpret_cast<const std::uint32_t*>(crossed);
  const Lanes seven = Lanes::of(127);
  const Lanes at = ((left & seven) << Lanes::of(2)) + ((right & seven) >> Lanes::of(5));
  return (Lanes::look_up(halves, at) >> (right & Lanes::of(31))).have(1);
}

#if defined(WORDSPLIT_TARGET_AVX512)

template <>
struct AsciiCuts<simd::Avx512> {
  WORDSPLIT_TARGET_AVX512 static inline simd::Avx512::Lanes widened(const std::uint8_t* p,
                                                                    __mmask16 kept) {
    return {_mm512_maskz_cvtepu8_epi32(0xFFFF, _mm_maskz_loadu_epi8(kept, p))};
  }
  WORDSPLIT_TARGET_AVX512 static inline std::uint64_t find(CrossedPairs crossed,
                                                           const std::uint8_t* p,
                                                           std::size_t pairs) {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < pairs; i += 16) {
      const auto kept = static_cast<__mmask16>(
          below(static_cast<unsigned>(std::min<std::size_t>(pairs - i, 16))));
      found |= crossed_ascii(crossed, widened(p + i, kept), widened(p + i + 1, kept)) << i;
    }
    return ~found & below(static_cast<unsigned>(pairs));
  }
};

#endif

namespace scan_cuts_detail {

inline constexpr std::size_t kLeastAscii = 32;  // in a row, to look at ASCII alone

// The number of bytes from p on that are ASCII, `most` at most.
WORDSPLIT_INLINE std::size_t ascii_run(const std::uint8_t* p, std::size_t most) {
  std::size_t size = 0;
  for (std::uint64_t word; size + 8 <= most; size += 8) {
    std::memcpy(&word, p + size, 8);
    word &= 0x8080808080808080ULL;
    if (word) return size + lowest(word) / 8;
  }
  while (size < most && p[size] < 0x80) ++size;
  return size;
}

template <class Simd>
WORDSPLIT_INLINE std::size_t write_cuts(std::uint64_t cuts, const std::uint32_t* offsets,
                                        std::size_t base, std::uint32_t* ends, std::size_t cap) {
  const auto from = static_cast<std::uint32_t>(base);
  const auto count = static_cast<std::size_t>(std::popcount(cuts));
  if (count + kKeepRoom <= cap) return Simd::keep(cuts, offsets, from, ends);
  std::size_t i = 0;
  for (; i < count && i < cap; ++i, cuts &= cuts - 1) ends[i] = from + offsets[lowest(cuts)];
  return i;
}

template <class Boundaries>
struct Kernel {
  using Function = std::size_t (*)(const Boundaries& boundaries, const std::uint8_t* text,
                                   std::size_t n, std::size_t& pos, std::uint32_t* ends,
                                   std::size_t cap);
  template <class Simd>
  static WORDSPLIT_INLINE std::size_t run(const Boundaries& boundaries, const std::uint8_t* text,
                                          std::size_t n, std::size_t& pos, std::uint32_t* ends,
                                          std::size_t cap) {
    std::size_t count = 0, left = pos;  // the character on the left of the next boundary
    CodePoints points;
    while (count < cap) {
      const std::size_t bytes = std::min<std::size_t>(n - left, 65);
      const std::size_t ascii = ascii_run(text + left, bytes);
      if (ascii == bytes || ascii >= kLeastAscii) {
        if (ascii == 1) break;
        const std::uint64_t cuts =
            AsciiCuts<Simd>::find(boundaries.crossed(), text + left, ascii - 1);
        count +=
            write_cuts<Simd>(cuts, simd::kCounting.data() + 1, left, ends + count, cap - count);
        left += ascii - 1;
      } else {
        CodePointDecoder<Simd>::decode(text + left, n - left, points);
        if (points.count == 1) break;
        const std::uint64_t cuts = PointCuts<Simd, Boundaries>::find(boundaries, points);
        count += write_cuts<Simd>(cuts, points.offset + 1, left, ends + count, cap - count);
        left += points.offset[points.count - 1];
      }
    }
    if (count < cap) ends[count++] = static_cast<std::uint32_t>(n);
    pos = ends[count - 1];
    return count;
  }
};

}  // namespace scan_cuts_detail

// Writes the ends of the spans of text[0, n) from `pos` on, at most `cap`; returns how many, and
// sets `pos` to the last of them. Precondition: `pos` is a cut and less than n.
template <class Boundaries>
std::size_t scan_cuts(SimdLevel level, const Boundaries& boundaries, const std::uint8_t* text,
                      std::size_t n, std::size_t& pos, std::uint32_t* ends, std::size_t cap) {
  return kernel_at<scan_cuts_detail::Kernel<Boundaries>>(level)(boundaries, text, n, pos, ends,
                                                                cap);
}

}  // namespace wordsplit
