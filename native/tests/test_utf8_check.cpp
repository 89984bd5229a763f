// The check for UTF-8 of each instruction set, against a decoder of one code point at a time.
#include <string>

#include "support.hpp"
#include "wordsplit/text/utf8_check.hpp"

namespace {

using namespace wordsplit;
using support::Random;

bool is_utf8_naive(const std::string& text) {
  const auto* const p = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint found = decode_utf8(p + at, p + text.size());
    if (is_invalid(found)) return false;
    at += found.size;
  }
  return true;
}

void check(const std::string& text, std::uint64_t seed) {
  const bool want = is_utf8_naive(text);
  const support::Exact exact(text);
  if (is_utf8(exact.data.get(), exact.n) != want) support::fail("UTF-8", text, seed);
  for (const SimdLevel level : simd_levels()) {
    if (kernel_at<utf8_detail::IsUtf8>(level)(exact.data.get(), exact.n) != want) {
      support::fail("UTF-8 at a level", text, seed);
    }
  }
}

// Code points at the limits of their ranges, and a few bytes that are no part of one.
void check_at_random(std::uint64_t seed) {
  constexpr const char* kParts[] = {"a",
                                    "\x7F",
                                    "\xC2\x80",
                                    "\xDF\xBF",
                                    "\xE0\xA0\x80",
                                    "\xED\x9F\xBF",
                                    "\xEE\x80\x80",
                                    "\xEF\xBF\xBF",
                                    "\xF0\x90\x80\x80",
                                    "\xF4\x8F\xBF\xBF"};
  constexpr std::uint8_t kBytes[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0,
                                     0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED,
                                     0xEF, 0xF0, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF};
  Random random(seed);
  std::string text;
  for (std::uint32_t n = random.below(140); text.size() < n;) text += kParts[random.below(10)];
  for (std::uint32_t n = random.below(3); n-- > 0 && !text.empty();) {
    text[random.below(static_cast<std::uint32_t>(text.size()))] =
        static_cast<char>(kBytes[random.below(std::size(kBytes))]);
  }
  if (random.below(2)) text.resize(random.below(static_cast<std::uint32_t>(text.size()) + 1));
  check(text, seed);
}

// Each two bytes and one behind them, across the end of a block and within it.
void check_every_pair() {
  for (unsigned pair = 0; pair < 0x10000; ++pair) {
    for (const char* const behind : {"\x80", "\x80\x80", "a"}) {
      for (const std::size_t before : {std::size_t{30}, std::size_t{63}}) {
        std::string text(before, 'x');
        text += static_cast<char>(pair >> 8);
        text += static_cast<char>(pair & 0xFF);
        check(text + behind, pair);
      }
    }
  }
}

}  // namespace

int main() {
  check_every_pair();
  for (std::uint64_t seed = 0; seed < support::rounds(200000); ++seed) check_at_random(seed);
}
