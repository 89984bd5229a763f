// The functions of instruction sets on 64 numbers, against one number at a time.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "support.hpp"
#include "wordsplit/base/simd.hpp"

namespace {

using namespace wordsplit;
using support::fail;
using support::Random;

struct Results {
  std::uint64_t at_least, rises;
  std::size_t kept;
  std::array<std::uint32_t, 64 + kKeepRoom> numbers;
};
struct OfNumbers {
  using Function = void (*)(const std::uint32_t* p, std::uint32_t least, std::uint64_t bits,
                            Results* out);
  template <class Simd>
  static WORDSPLIT_INLINE void run(const std::uint32_t* p, std::uint32_t least, std::uint64_t bits,
                                   Results* out) {
    out->at_least = Simd::at_least(p, least);
    out->rises = Simd::rises(p, least);
    out->kept = Simd::keep(bits, p, least, out->numbers.data());
  }
};

// Numbers of all sizes, some equal to `least` or one less, and some so much above the one before.
void check_at_random(std::uint64_t seed) {
  Random random(seed);
  const auto any = [&] { return random.below(0xFFFFFFFF) >> random.below(32); };
  const std::uint32_t least = any() + 1;
  std::vector<std::uint32_t> numbers = {any()};  // the one before the 64
  while (numbers.size() < 65) {
    const std::uint32_t from = random.below(2) ? numbers.back() : 0;
    numbers.push_back(random.below(2) ? from + least - random.below(2) : from + any());
  }
  const std::uint32_t* const p = numbers.data() + 1;
  const std::uint64_t bits =
      (std::uint64_t{any()} << 32 | any()) & (std::uint64_t{any()} << 32 | any());
  std::uint64_t at_least = 0, rises = 0;
  std::vector<std::uint32_t> kept;
  for (int i = 0; i < 64; ++i) {
    at_least |= std::uint64_t{p[i] >= least} << i;
    rises |= std::uint64_t{p[i] - p[i - 1] >= least} << i;
    if (bits >> i & 1) kept.push_back(least + p[i]);
  }
  for (const SimdLevel level : simd_levels()) {
    Results found;
    kernel_at<OfNumbers>(level)(p, least, bits, &found);
    if (found.at_least != at_least) fail("at_least", "", seed);
    if (found.rises != rises) fail("rises", "", seed);
    if (found.kept != kept.size() || !std::equal(kept.begin(), kept.end(), found.numbers.begin())) {
      fail("keep", "", seed);
    }
  }
}

}  // namespace

int main() {
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) check_at_random(seed);
}
