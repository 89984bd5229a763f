// Finds where one of a set of literals may begin, by its first two bytes.
//
// A table of 65,536 bits holds those. If all begin with the same byte, memchr finds it; else 64
// bytes at a time are looked up in two sets, of first and of second bytes, before the table.
#pragma once

#include <bitset>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "wordsplit/base/bits.hpp"
#include "wordsplit/base/byte_set.hpp"
#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/simd.hpp"

namespace wordsplit {

namespace head_finder_detail {

struct Kernel {
  using Function = std::size_t (*)(const ByteSet& first, const ByteSet& second,
                                   const std::uint8_t* text, std::size_t n);
  // The first i for which text[i] and text[i + 1] may be in the sets; n - 1 at most. Precondition:
  // n > 0.
  template <class Simd>
  static WORDSPLIT_INLINE std::size_t run(const ByteSet& first, const ByteSet& second,
                                          const std::uint8_t* text, std::size_t n) {
    std::size_t at = 0;
    for (; n - at > 64; at += 64) {
      const std::uint64_t found =
          Simd::in_sets(Simd::load(text + at), first.lower, first.upper) &
          Simd::in_sets(Simd::load(text + at + 1), second.lower, second.upper);
      if (found) return at + lowest(found);
    }
    const auto is_in = [](const ByteSet& set, std::uint8_t byte) {
      return set.lower[byte & 15] & set.upper[byte >> 4];
    };
    while (at + 1 < n && !(is_in(first, text[at]) && is_in(second, text[at + 1]))) ++at;
    return at;
  }
};

}  // namespace head_finder_detail

class HeadFinder {
 public:
  explicit HeadFinder(SimdLevel level) : find_(kernel_at<head_finder_detail::Kernel>(level)) {}

  void add(std::string_view literal) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(literal.data());
    const std::uint8_t first = p[0];
    only_first_ = count_++ == 0 || only_first_ == first ? first : kNone;
    firsts_.add(first);
    if (literal.size() == 1) single_[first] = true;
    for (std::uint32_t b = 0; b < 256; ++b) {
      if (literal.size() > 1 && b != p[1]) continue;
      heads_[std::size_t{first} << 8 | b] = true;
      seconds_.add(static_cast<std::uint8_t>(b));
    }
  }

  // The first place from `at` on where a literal may begin; n if there is none.
  std::size_t find(const std::uint8_t* text, std::size_t n, std::size_t at) const {
    for (; at < n; ++at) {
      if (only_first_ != kNone) {
        const void* found = std::memchr(text + at, only_first_, n - at);
        if (!found) return n;
        at = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - text);
      } else {
        at += find_(firsts_, seconds_, text + at, n - at);
      }
      if (at + 1 < n ? heads_[std::size_t{text[at]} << 8 | text[at + 1]] : single_[text[at]]) {
        return at;
      }
    }
    return n;
  }

 private:
  static constexpr int kNone = -1;

  head_finder_detail::Kernel::Function find_;
  ByteSet firsts_, seconds_;
  std::bitset<65536> heads_;  // the first two bytes of some literal
  std::bitset<256> single_;   // the literals of one byte
  int only_first_ = kNone;    // the first byte of all literals; kNone if they differ
  std::size_t count_ = 0;
};

}  // namespace wordsplit
