// Every instruction set finds the same cuts in a run of ASCII, reads nothing behind it, and writes
// no further than it may; scan_cuts() finds them as a loop over all boundaries does.
#include "support.hpp"
#include "wordsplit/tables/cuts.hpp"
#include "wordsplit/text/ascii_cuts.hpp"

namespace {

using namespace wordsplit;
using support::fail;
using support::Random;

struct Table {
  explicit Table(Random& random) {
    const std::uint32_t of = 1 + random.below(5);
    for (auto& row : crossed) {
      for (std::uint32_t b = 0; b < 128; ++b) {
        row[b >> 6] |= std::uint64_t{random.below(of + 1) == 0} << (b & 63);
      }
    }
  }
  std::uint64_t crossed[128][2] = {};
};

void test_levels() {
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    const Table table(random);
    const std::size_t pairs = random.below(65);
    std::string text;
    for (std::size_t i = 0; i <= pairs; ++i) text += static_cast<char>(random.below(128));
    const support::Exact exact(text);
    std::vector<std::uint32_t> want;
    for (std::size_t i = 0; i < pairs; ++i) {
      const auto a = exact.data[i], b = exact.data[i + 1];
      if (!(table.crossed[a][b >> 6] >> (b & 63) & 1)) {
        want.push_back(1000 + static_cast<std::uint32_t>(i));
      }
    }
    for (const SimdLevel level : simd_levels()) {
      const std::unique_ptr<std::uint32_t[]> to(new std::uint32_t[kAsciiCutsRoom]);
      const std::size_t count =
          ascii_cuts_at(level)(table.crossed, exact.data.get(), pairs, 1000, to.get());
      if (std::vector<std::uint32_t>(to.get(), to.get() + count) != want) fail("cuts", text, round);
    }
  }
}

// Boundaries of which those that are not both ASCII are decided by their characters.
struct Boundaries {
  const Table& table;
  AsciiCuts at_level;
  CrossedPairs crossed() const { return table.crossed; }
  AsciiCuts ascii_cuts() const { return at_level; }
  bool is_cut_between(std::uint32_t left, std::uint32_t right) const {
    return (left * 7 + right) % 3 == 0;
  }
};

void test_scan() {
  Random random(2);
  for (int round = 0; round < 2000; ++round) {
    const Table table(random);
    std::string text;
    const std::uint32_t others = random.below(3) ? 12 : 2;
    for (std::uint32_t n = 1 + random.below(300); n--;) {
      const char* const some[] = {"é", "中", "🦜"};
      text += random.below(others) ? std::string(1, static_cast<char>(random.below(128)))
                                   : std::string(some[random.below(3)]);
    }
    const support::Exact exact(text);
    std::vector<std::uint32_t> want;
    for (std::size_t at = 0; at < exact.n;) {
      const CodePoint left = decode_utf8(exact.data.get() + at, exact.data.get() + exact.n);
      at += left.size;
      if (at == exact.n) break;
      const std::uint32_t right =
          decode_utf8(exact.data.get() + at, exact.data.get() + exact.n).value;
      const bool both = left.value < 0x80 && right < 0x80;
      const Boundaries plain{table, nullptr};
      if (both ? !(table.crossed[left.value][right >> 6] >> (right & 63) & 1)
               : plain.is_cut_between(left.value, right)) {
        want.push_back(static_cast<std::uint32_t>(at));
      }
    }
    want.push_back(static_cast<std::uint32_t>(exact.n));
    for (const SimdLevel level : simd_levels()) {
      const Boundaries boundaries{table, ascii_cuts_at(level)};
      const std::size_t cap = random.below(2) ? 1 + random.below(20) : 2048;
      const std::unique_ptr<std::uint32_t[]> ends(new std::uint32_t[cap]);
      std::vector<std::uint32_t> got;
      for (std::size_t at = 0; at < exact.n;) {
        const std::size_t count =
            scan_cuts(boundaries, exact.data.get(), exact.n, at, ends.get(), cap);
        got.insert(got.end(), ends.get(), ends.get() + count);
        if (count == 0 || at != got.back()) fail("elsewhere", text, round);
      }
      if (got != want) fail("scan", text, round);
    }
  }
}

}  // namespace

int main() {
  test_levels();
  test_scan();
}
