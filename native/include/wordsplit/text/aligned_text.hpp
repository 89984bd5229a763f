// Text that optionally knows where each of its bytes comes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

// A text, and for each byte the number of a character of the original; null if nobody wants these.
struct AlignedView {
  std::string_view text;
  const std::uint32_t* origins = nullptr;

  AlignedView part(std::size_t begin, std::size_t size) const {
    return {text.substr(begin, size), origins ? origins + begin : nullptr};
  }
  // For each character the number of one of the original.
  std::vector<std::uint32_t> of_characters() const {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!is_continuation(static_cast<std::uint8_t>(text[i]))) out.push_back(origins[i]);
    }
    return out;
  }
};

// Appends, for each byte of a text, the number of its character, of which the first is `first`.
// Returns the number of the character after the text.
inline std::uint32_t number_characters(std::string_view text, std::uint32_t first,
                                       std::vector<std::uint32_t>& out) {
  std::uint32_t next = first;
  for (const char byte : text) {
    next += !is_continuation(static_cast<std::uint8_t>(byte));
    out.push_back(next - 1);
  }
  return next;
}

// An AlignedView with memory of its own. Without origins, there are none.
struct AlignedText {
  std::string text;
  std::vector<std::uint32_t> origins;

  void clear() {
    text.clear();
    origins.clear();
  }
  AlignedView view() const { return {text, origins.empty() ? nullptr : origins.data()}; }

  // Appends a text.
  void append(const AlignedView& other) {
    text += other.text;
    if (other.origins) {
      origins.insert(origins.end(), other.origins, other.origins + other.text.size());
    }
  }
  // Appends what comes from the byte at `at` of a text.
  void append(std::string_view content, const AlignedView& from, std::size_t at) {
    text += content;
    if (from.origins) origins.insert(origins.end(), content.size(), from.origins[at]);
  }
};

}  // namespace wordsplit
