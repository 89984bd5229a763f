// Checks whether bytes are UTF-8.
//
// 64 bytes at a time. Lead bytes say where continuation bytes must be: at these places and no
// others. Four lead bytes forbid some of the bytes after them: there, code points would be longer
// than needed, surrogates, or above U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/simd.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

namespace utf8_detail {

struct IsUtf8 {
  using Function = bool (*)(const std::uint8_t* text, std::size_t n);

  // The state that a block leaves to the one after it: masks of its last bytes.
  struct Before {
    std::uint64_t leads = 0, long_leads = 0, longest_leads = 0;  // of 2, 3 and 4 bytes or more
    std::uint64_t e0 = 0, ed = 0, f0 = 0, f4 = 0;                // where these are
  };

  template <class Simd>
  static WORDSPLIT_INLINE bool run(const std::uint8_t* text, std::size_t n) {
    Before before;
    std::size_t at = 0;
    for (; at + 64 <= n; at += 64) {
      if (!is_block<Simd>(text + at, before)) return false;
    }
    // Zeros after the text end no character that has begun.
    std::uint8_t last[64] = {};
    std::memcpy(last, text + at, n - at);
    return is_block<Simd>(last, before);
  }

 private:
  template <class Simd>
  static WORDSPLIT_INLINE bool is_block(const std::uint8_t* p, Before& before) {
    const auto bytes = Simd::load(p);
    const std::uint64_t high = Simd::high_bits(bytes);
    const std::uint64_t open =
        before.leads >> 63 | before.long_leads >> 62 | before.longest_leads >> 61;
    if (high == 0) return before = {}, open == 0;
    const std::uint64_t b6 = Simd::template bit<6>(bytes), b5 = Simd::template bit<5>(bytes);
    const std::uint64_t b4 = Simd::template bit<4>(bytes), b3 = Simd::template bit<3>(bytes);
    const std::uint64_t b2 = Simd::template bit<2>(bytes), b1 = Simd::template bit<1>(bytes);
    const std::uint64_t b0 = Simd::template bit<0>(bytes);
    const std::uint64_t leads = high & b6, long_leads = leads & b5, longest_leads = long_leads & b4;
    const std::uint64_t low = ~(b2 | b1 | b0);  // whose last three bits are none
    const Before own = {leads,
                        long_leads,
                        longest_leads,
                        long_leads & ~(b4 | b3) & low,
                        long_leads & ~b4 & b3 & b2 & ~b1 & b0,
                        longest_leads & ~b3 & low,
                        longest_leads & b2 & ~(b1 | b0)};
    // C0, C1, and F5 to FF.
    const std::uint64_t never =
        (leads & ~(b5 | b4 | b3 | b2 | b1)) | (longest_leads & (b3 | (b2 & (b1 | b0))));
    const auto behind = [](std::uint64_t now, std::uint64_t then, unsigned by) {
      return now << by | then >> (64 - by);
    };
    const std::uint64_t must_go_on = behind(leads, before.leads, 1) |
                                     behind(long_leads, before.long_leads, 2) |
                                     behind(longest_leads, before.longest_leads, 3);
    const std::uint64_t forbidden =
        (behind(own.e0, before.e0, 1) & ~b5) | (behind(own.ed, before.ed, 1) & b5) |
        (behind(own.f0, before.f0, 1) & ~(b5 | b4)) | (behind(own.f4, before.f4, 1) & (b5 | b4));
    before = own;
    return ((must_go_on ^ (high & ~b6)) | never | forbidden) == 0;
  }
};

}  // namespace utf8_detail

// Whether text[0, n) is valid UTF-8: the shortest forms, no surrogates, nothing above U+10FFFF.
inline bool is_utf8(const std::uint8_t* text, std::size_t n) {
  constexpr std::size_t kFew = 24;  // which are checked sooner one by one
  if (!kOnlyBytes && n > kFew) {
    static const utf8_detail::IsUtf8::Function check =
        kernel_at<utf8_detail::IsUtf8>(best_simd_level());
    return check(text, n);
  }
  for (std::size_t at = 0; at < n;) {
    const CodePoint found = decode_utf8(text + at, text + n);
    if (is_invalid(found)) return false;
    at += found.size;
  }
  return true;
}

}  // namespace wordsplit
