// Reads a .tiktoken file: a line for each token, its bytes in base64, a space and its rank.
//
// Only sound files in ascending order of ranks are read, as all published ones are. For any other,
// the reader in Python reports the error, or reads it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/base/hash.hpp"

namespace wordsplit {

struct RanksFile {
  std::string blob;                      // the tokens' bytes, one after another
  std::vector<std::uint32_t> ends, ids;  // the end of each in blob, and its rank
};

namespace ranks_file {

constexpr std::uint8_t kNoDigit = 0xFF;

inline constexpr std::array<std::uint8_t, 256> kDigits = [] {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  constexpr std::string_view all =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < all.size(); ++i) {
    digits[static_cast<std::uint8_t>(all[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}();

// Appends the bytes that base64 spells. False if it is empty, invalid, or has bits left over.
inline bool append_base64(std::string_view text, std::string& out) {
  if (text.empty() || text.size() % 4 != 0) return false;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const std::size_t count = at + 4 < text.size() ? 3 : 3 - padding;
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint8_t digit = i <= count ? kDigits[static_cast<std::uint8_t>(text[at + i])] : 0;
      if (digit == kNoDigit) return false;
      word = word << 6 | digit;
    }
    if (word & ((1u << 8 * (3 - count)) - 1)) return false;
    for (std::size_t i = 0; i < count; ++i) out.push_back(static_cast<char>(word >> (16 - 8 * i)));
  }
  return true;
}

// Sets `rank` to a number in decimal. False if it is none, or above `most`.
inline bool read_rank(std::string_view text, std::uint32_t most, std::uint32_t& rank) {
  if (text.empty() || text.size() > 10) return false;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = 10 * value + static_cast<std::uint64_t>(c - '0');
  }
  rank = static_cast<std::uint32_t>(value);
  return value <= most;
}

// Whether two of the tokens are the same.
inline bool has_twice(const RanksFile& file) {
  const std::size_t slots = std::bit_ceil(2 * file.ids.size() + 1);
  std::vector<std::uint32_t> table(slots);  // index + 1; 0 if free
  const std::string_view blob = file.blob;
  const auto token = [&](std::uint32_t i) {
    const std::size_t start = i ? file.ends[i - 1] : 0;
    return blob.substr(start, file.ends[i] - start);
  };
  for (std::uint32_t i = 0; i < file.ids.size(); ++i) {
    const std::string_view own = token(i);
    std::size_t at = hash_bytes(reinterpret_cast<const std::uint8_t*>(own.data()), own.size());
    for (at &= slots - 1; table[at]; at = (at + 1) & (slots - 1)) {
      if (token(table[at] - 1) == own) return true;
    }
    table[at] = i + 1;
  }
  return false;
}

}  // namespace ranks_file

// Reads a file. False unless it is sound: base64 and rank in each line, ranks ascending and up to
// `most`, no token twice, and all 256 single bytes among them. O(size).
inline bool read_ranks(std::string_view data, std::uint32_t most, RanksFile& out) {
  if (data.size() > 0xFFFFFFFF) return false;
  out.blob.reserve(data.size() / 2);
  std::bitset<256> single;
  while (!data.empty()) {
    const std::size_t end = std::min(data.find('\n'), data.size());
    std::string_view line = data.substr(0, end);
    data.remove_prefix(std::min(end + 1, data.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t space = line.find(' '), start = out.blob.size();
    std::uint32_t rank;
    if (space == line.npos || !ranks_file::append_base64(line.substr(0, space), out.blob) ||
        !ranks_file::read_rank(line.substr(space + 1), most, rank) ||
        (!out.ids.empty() && rank <= out.ids.back())) {
      return false;
    }
    if (out.blob.size() == start + 1) single.set(static_cast<std::uint8_t>(out.blob.back()));
    out.ends.push_back(static_cast<std::uint32_t>(out.blob.size()));
    out.ids.push_back(rank);
  }
  return single.all() && !ranks_file::has_twice(out);
}

}  // namespace wordsplit
