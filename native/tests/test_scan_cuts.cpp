// Every instruction set finds the cuts of a text that a loop over all its boundaries does, reads
// nothing behind it, and writes no further than it may.
#include "support.hpp"
#include "wordsplit/text/scan_cuts.hpp"

namespace {

using namespace wordsplit;
using support::Random;

// Boundaries of which those of ASCII are in a table, and the others are decided by a rule.
struct Boundaries {
  explicit Boundaries(Random& random) {
    const std::uint32_t of = 1 + random.below(5);
    for (auto& row : table) {
      for (std::uint32_t b = 0; b < 128; ++b) {
        row[b >> 6] |= std::uint64_t{random.below(of + 1) == 0} << (b & 63);
      }
    }
  }
  CrossedPairs crossed() const { return table; }
  bool is_cut_between(std::uint32_t left, std::uint32_t right) const {
    if ((left | right) < 0x80) return !(table[left][right >> 6] >> (right & 63) & 1);
    return (left * 7 + right) % 3 == 0;
  }
  std::uint64_t table[128][2] = {};
};

}  // namespace

int main() {
  Random random(1);
  const char* const others[] = {"é", "中", "🦜", "\xFF", "\xE4\xB8", "\x80"};
  for (int round = 0; round < 4000; ++round) {
    const Boundaries boundaries(random);
    const std::uint32_t rare = random.below(3) ? 12 : 2, kinds = random.below(3) ? 3 : 6;
    std::string text;
    for (std::uint32_t n = 1 + random.below(300); n--;) {
      text += random.below(rare) ? std::string(1, static_cast<char>(random.below(128)))
                                 : std::string(others[random.below(kinds)]);
    }
    support::check_scan(boundaries, text, random);
  }
}
