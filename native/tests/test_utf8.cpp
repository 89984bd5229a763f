// UTF-8 of code points of every width: every code point alone and among others, at every position
// of a register and every level; surrogates are refused.
#include "support.hpp"
#include "wordsplit/text/utf8.hpp"

namespace {

using namespace wordsplit;
using support::fail;
using support::Random;

constexpr std::uint32_t kPoints = 0x110000;

// As the Unicode Standard defines it.
void append(std::uint32_t c, std::string& out) {
  const unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  constexpr unsigned kLeads[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(kLeads[more] | c >> 6 * more);
  for (unsigned k = more; k-- > 0;) out += static_cast<char>(0x80 | (c >> 6 * k & 0x3F));
}

bool is_surrogate(std::uint32_t c) { return c >= 0xD800 && c < 0xE000; }

// In blocks of exactly their size, so that AddressSanitizer detects a read past the end.
template <class Char>
std::string made(const std::vector<std::uint32_t>& points, SimdLevel level) {
  const std::unique_ptr<Char[]> held(new Char[points.size()]);
  std::copy(points.begin(), points.end(), held.get());
  Growing<char> buffer;
  return std::string(utf8_of({held.get(), points.size(), sizeof(Char)}, level, buffer));
}

template <class Char>
void check(const std::vector<std::uint32_t>& points, std::uint32_t limit) {
  std::string want;
  bool refused = false;
  for (const std::uint32_t c : points) {
    if (c >= limit) return;
    refused |= is_surrogate(c);
    append(c, want);
  }
  for (const SimdLevel level : simd_levels()) {
    try {
      const std::string got = made<Char>(points, level);
      if (refused) fail("a surrogate is not refused", got, static_cast<std::uint64_t>(level));
      if (got != want) fail("UTF-8", got, static_cast<std::uint64_t>(level));
    } catch (const LoneSurrogate&) {
      if (!refused) fail("no surrogate, and refused", want, static_cast<std::uint64_t>(level));
    }
  }
}

void check_all(const std::vector<std::uint32_t>& points) {
  check<std::uint8_t>(points, 0x100);
  check<std::uint16_t>(points, 0x10000);
  check<std::uint32_t>(points, kPoints);
}

void test_every_code_point() {
  for (const std::uint32_t limit : {0x100U, 0x10000U, kPoints}) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t c = 0; c < limit; ++c) {
      if (!is_surrogate(c)) all.push_back(c);
    }
    for (std::size_t shift = 0; shift < 3; ++shift, all.insert(all.begin(), 'x')) check_all(all);
  }
}

void test_mixtures() {
  const std::uint32_t limits[] = {0x80, 0x100, 0x800, 0xD800, 0x10000, kPoints};
  Random random(1);
  for (int round = 0; round < 20000; ++round) {
    const std::uint32_t most = limits[random.below(6)];
    std::vector<std::uint32_t> points;
    for (std::uint32_t n = random.below(100); n--;) {
      const std::uint32_t c = random.below(limits[random.below(6)]);
      points.push_back(c < most && !is_surrogate(c) ? c : c % 0x80);
    }
    check_all(points);
    if (points.empty() || random.below(4)) continue;
    points[random.below(static_cast<std::uint32_t>(points.size()))] = 0xD800 + random.below(0x800);
    check_all(points);
  }
}

void test_utf8_is_itself() {
  Growing<char> buffer;
  const std::string text = "na\xC3\xAFve \xFF";
  const std::string_view same = utf8_of({text.data(), text.size(), 0}, SimdLevel::Scalar, buffer);
  if (same.data() != text.data() || same.size() != text.size()) fail("UTF-8 is copied", text);
}

}  // namespace

int main() {
  test_every_code_point();
  test_mixtures();
  test_utf8_is_itself();
}
