// Unpacks a bundled vocab: each token except the single bytes is the merge of two earlier ones.
//
// Layout of the data: the byte of each of the first 256 tokens; then, for the n others, the low
// bytes of all left indexes, the middle bytes, the high bytes, and the same for the right. O(bytes
// of all tokens).
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace wordsplit {

struct Unpacked {
  std::string blob;                 // the tokens' bytes, one after another
  std::vector<std::uint32_t> ends;  // the end of each in blob
  std::vector<std::uint32_t> flat;  // left and right index of each merge
};

// Throws std::invalid_argument for data of the wrong size, or for an index of a later token.
inline Unpacked unpack_bundled(std::string_view data) {
  if (data.size() < 256 || (data.size() - 256) % 6 != 0) {
    throw std::invalid_argument("bundled data of the wrong size");
  }
  const std::size_t n = (data.size() - 256) / 6;
  Unpacked out;
  out.ends.resize(256 + n);
  out.flat.resize(2 * n);
  for (std::uint32_t i = 0; i < 256; ++i) out.ends[i] = i + 1;
  const auto start_of = [&](std::uint32_t i) { return i ? out.ends[i - 1] : 0; };
  const auto* p = reinterpret_cast<const std::uint8_t*>(data.data()) + 256;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t end = out.ends[255 + i];
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint8_t* planes = p + 3 * side * n + i;
      const std::uint32_t index = planes[0] | planes[n] << 8 | planes[2 * n] << 16;
      if (index >= 256 + i) throw std::invalid_argument("bundled data name a later token");
      out.flat[2 * i + side] = index;
      end += out.ends[index] - start_of(index);
    }
    if (end > UINT32_MAX) throw std::invalid_argument("bundled data with endless tokens");
    out.ends[256 + i] = static_cast<std::uint32_t>(end);
  }
  // Copies whole words: what is written after a part is written over by the next.
  constexpr std::size_t kWord = 16;
  const std::size_t size = out.ends.back();
  out.blob.resize(size + kWord);
  char* const blob = out.blob.data();
  std::memcpy(blob, data.data(), 256);
  char* to = blob + 256;
  for (const std::uint32_t index : out.flat) {
    const char* from = blob + start_of(index);
    const std::size_t part = out.ends[index] - start_of(index);
    for (std::size_t at = 0; at < part; at += kWord) {
      char word[kWord];
      std::memcpy(word, from + at, kWord);
      std::memcpy(to + at, word, kWord);
    }
    to += part;
  }
  out.blob.resize(size);
  return out;
}

}  // namespace wordsplit
