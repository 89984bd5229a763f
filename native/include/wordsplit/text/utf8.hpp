// Converts texts to UTF-8 from code points of one, two or four bytes each, CPython's representation
// of text that is not ASCII.
//
// CPython itself keeps the UTF-8 of such a text with it permanently: twice the memory, at 0.9 GB/s
// for text that is mostly not ASCII. Here the thread that encodes a text converts it, in memory
// that is reused.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "wordsplit/base/growing.hpp"
#include "wordsplit/base/simd.hpp"
#include "wordsplit/text/utf8_avx2.hpp"
#include "wordsplit/text/utf8_avx512.hpp"
#include "wordsplit/text/utf8_writer.hpp"

namespace wordsplit {

// A text: UTF-8 if width is 0, else `length` code points of `width` bytes. Without data it is null,
// a missing text, which is not an empty one.
struct Text {
  const void* data = nullptr;
  std::size_t length = 0;
  unsigned width = 0;

  bool is_null() const { return !data; }
  // The approximate size of its UTF-8.
  std::size_t bytes() const { return width < 2 ? length : length + length / 2; }
};

// A surrogate, which has no UTF-8.
struct LoneSurrogate : std::runtime_error {
  LoneSurrogate() : std::runtime_error("a lone surrogate") {}
};

namespace utf8_detail {

template <class Char>
struct Write {
  using Function = std::uint8_t* (*)(const void* data, std::size_t n, std::uint8_t* to);
  template <class Simd>
  static WORDSPLIT_INLINE std::uint8_t* run(const void* data, std::size_t n, std::uint8_t* to) {
    return Writer<Simd>::write(static_cast<const Char*>(data), n, to);
  }
};

}  // namespace utf8_detail

// The UTF-8 of a text: the text itself, or written to `buffer` and valid until that is reused.
// Throws LoneSurrogate. All levels give the same.
inline std::string_view utf8_of(const Text& text, SimdLevel level, Growing<char>& buffer) {
  if (text.width == 0) return {static_cast<const char*>(text.data), text.length};
  const std::size_t most = text.width == 1 ? 2 : text.width == 2 ? 3 : 4;
  buffer.clear();
  auto* const to = reinterpret_cast<std::uint8_t*>(buffer.reserve(most * text.length + 64));
  using utf8_detail::Write;
  const auto write = text.width == 1   ? kernel_at<Write<std::uint8_t>>(level)
                     : text.width == 2 ? kernel_at<Write<std::uint16_t>>(level)
                                       : kernel_at<Write<std::uint32_t>>(level);
  const std::uint8_t* const end = write(text.data, text.length, to);
  if (!end) throw LoneSurrogate();
  buffer.advance_to(reinterpret_cast<const char*>(end));
  return {buffer.data(), buffer.size()};
}

}  // namespace wordsplit
