// Stretches of text: how long one may be, and how a long one is normalized so that the call can be
// stopped meanwhile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace wordsplit {

inline constexpr std::size_t kLongestStretch = 0xFFFFFFFF;
inline constexpr std::size_t kWithoutReport = 64 << 10;  // bytes

inline void check_stretch(std::size_t size) {
  if (size > kLongestStretch) throw std::length_error("a stretch of text of 4 GiB or more");
}

// Calls unit(at), which returns how many bytes it takes, from one to the next, and report() with
// the number of bytes that are done.
template <class Report, class Unit>
void for_each_unit(std::size_t size, Report&& report, Unit&& unit) {
  for (std::size_t at = 0, reported = 0; at < size;) {
    at += unit(at);
    if (at - reported >= kWithoutReport) report(at - std::exchange(reported, at));
  }
}

// Calls part(p, size) for one part of a text after another. Parts end before an ASCII character,
// which composes with nothing before it, so that they can be normalized apart.
template <class Report, class Part>
void for_each_part(const std::uint8_t* text, std::size_t size, Report&& report, Part&& part) {
  for (std::size_t start = 0, end = 0; start < size; start = end) {
    end = std::min(size, start + kWithoutReport);
    while (end < size && text[end] >= 0x80) ++end;
    part(text + start, end - start);
    report(end - start);
  }
}

}  // namespace wordsplit
