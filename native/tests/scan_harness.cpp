// A C interface to the scanners, for the Python tests and for timing (tests/exhaustive).
//
// Build: g++ -std=c++20 -O2 -shared -fPIC -I native/include -o scan_harness.so this
#include <algorithm>
#include <chrono>
#include <vector>

#include "wordsplit/scanners/scanners.hpp"

using wordsplit::schemes;

namespace {

// A level is an index into those of the machine; -1 is the reference.
wordsplit::ScanFn function(int scheme, int level) {
  const wordsplit::Scheme& s = schemes()[static_cast<std::size_t>(scheme)];
  return level < 0 ? s.reference : s.at(wordsplit::simd_levels().begin()[level]);
}

}  // namespace

extern "C" {

int scan_schemes() { return static_cast<int>(schemes().size()); }
int scan_levels() { return static_cast<int>(wordsplit::simd_levels().count); }
const char* scan_name(int scheme) { return schemes()[static_cast<std::size_t>(scheme)].name; }
int scan_spellings(int scheme) {
  return static_cast<int>(schemes()[static_cast<std::size_t>(scheme)].spellings.size());
}
int scan_dialect(int scheme, int spelling) {
  const auto& spellings = schemes()[static_cast<std::size_t>(scheme)].spellings;
  return static_cast<int>(spellings[static_cast<std::size_t>(spelling)].dialect);
}
// The pattern of a step, or null. Its length goes to *size.
const char* scan_pattern(int scheme, int spelling, int step, std::size_t* size) {
  const auto& steps =
      schemes()[static_cast<std::size_t>(scheme)].spellings[static_cast<std::size_t>(spelling)];
  if (static_cast<std::size_t>(step) >= steps.size()) return nullptr;
  *size = steps.begin()[step].size();
  return steps.begin()[step].data();
}

// Scans `count` texts, where text i is [offsets[i], offsets[i + 1]) of `all`, `cap` ends a call.
// Writes the ends (offsets in `all`) to `ends`, which has room for one a byte. Returns their
// number, or -1 if a call breaks the contract.
std::int64_t scan_batch(int scheme, int level, const std::uint8_t* all,
                        const std::uint64_t* offsets, std::uint64_t count, std::uint64_t cap,
                        std::uint64_t* ends) {
  const wordsplit::ScanFn scan = function(scheme, level);
  std::vector<std::uint32_t> buffer(static_cast<std::size_t>(cap) + 1);
  std::int64_t written = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t n = static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
    std::size_t pos = 0, last = 0;
    while (pos < n) {
      buffer[static_cast<std::size_t>(cap)] = 0xDEADBEEF;
      const std::size_t got =
          scan(all + offsets[i], n, pos, buffer.data(), static_cast<std::size_t>(cap));
      if (got == 0 || got > cap || buffer[static_cast<std::size_t>(cap)] != 0xDEADBEEF) return -1;
      if (got < cap && pos != n) return -1;
      for (std::size_t j = 0; j < got; ++j) {
        if (buffer[j] <= last || buffer[j] > n) return -1;
        last = buffer[j];
        ends[written++] = offsets[i] + last;
      }
      if (pos != last) return -1;
    }
  }
  return written;
}

// The median time in seconds of `rounds` scans of all texts, `cap` ends a call.
double scan_time(int scheme, int level, const std::uint8_t* all, const std::uint64_t* offsets,
                 std::uint64_t count, std::uint64_t cap, int rounds, std::uint64_t* spans) {
  const wordsplit::ScanFn scan = function(scheme, level);
  std::vector<std::uint32_t> buffer(static_cast<std::size_t>(cap));
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    *spans = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::size_t n = static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
      for (std::size_t pos = 0; pos < n;) {
        *spans += scan(all + offsets[i], n, pos, buffer.data(), static_cast<std::size_t>(cap));
      }
    }
    times.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[static_cast<std::size_t>(rounds / 2)];
}

}  // extern "C"
