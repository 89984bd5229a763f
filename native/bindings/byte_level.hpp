// GPT-2's byte-level alphabet: each byte as one character.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "wordsplit/text/unicode.hpp"

namespace wordsplit::bindings {

inline constexpr std::uint32_t kByteLevelCharacters = 0x144;  // all are below
inline constexpr int kNoByte = -1;

// The byte that each character stands for.
inline std::array<std::int16_t, kByteLevelCharacters> byte_level_alphabet() {
  std::array<std::int16_t, kByteLevelCharacters> out;
  out.fill(kNoByte);
  std::size_t spare = 0x100;
  for (int byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= 0x21 && byte < 0x7F) || (byte >= 0xA1 && byte != 0xAD);
    out[printable ? static_cast<std::size_t>(byte) : spare++] = static_cast<std::int16_t>(byte);
  }
  return out;
}

// Appends bytes, spelled in the alphabet.
inline void append_byte_level(std::string_view bytes, std::string& out) {
  static const auto kSpelled = [] {
    std::array<std::string, 256> spelled;
    const auto alphabet = byte_level_alphabet();
    for (std::uint32_t c = 0; c < kByteLevelCharacters; ++c) {
      std::uint8_t utf8[4];
      const auto* const end = put_utf8(c, utf8);
      if (alphabet[c] == kNoByte) continue;
      spelled[static_cast<std::size_t>(alphabet[c])].assign(reinterpret_cast<const char*>(utf8),
                                                            static_cast<std::size_t>(end - utf8));
    }
    return spelled;
  }();
  for (const char byte : bytes) out += kSpelled[static_cast<std::uint8_t>(byte)];
}

}  // namespace wordsplit::bindings
