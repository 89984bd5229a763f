// The rules of training, its tuning, and its result.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace wordsplit::training {

struct Rules {
  std::uint64_t min_frequency = 1;
  std::uint32_t max_token_bytes = 0xFFFFFFFF;
  bool lexicographic = false;  // ties: smallest spelling, not smallest symbols
  bool by_span = false;        // a pair counts once in a span
};

// Measured thresholds, on which the result does not depend.
struct Tuning {
  std::size_t few = 1 << 16;       // slots: then all pairs are watched at once
  std::uint64_t step = 64;         // by which the threshold sinks
  std::size_t a_thread = 1 << 16;  // slots that are worth a thread
};

struct NewMerge {
  std::uint32_t left, right;
  std::uint64_t frequency;
};

// Maps a token to bytes that compare as its printable characters do: bytes that are printable
// themselves come first.
inline std::string in_print(std::string_view token) {
  static const std::array<char, 256> rank = [] {
    std::array<char, 256> out{};
    int next = 0;
    const auto prints = [](int c) {
      return (c >= 0x21 && c <= 0x7E) || (c >= 0xA1 && c <= 0xFF && c != 0xAD);
    };
    for (const bool printing : {true, false}) {
      for (int c = 0; c < 256; ++c) {
        if (prints(c) == printing) {
          out[static_cast<std::size_t>(c)] = static_cast<char>(next++);
        }
      }
    }
    return out;
  }();
  std::string out(token);
  for (char& c : out) c = rank[static_cast<std::uint8_t>(c)];
  return out;
}

}  // namespace wordsplit::training
