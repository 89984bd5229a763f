// Texts in, spans counted: each thread takes the next group of texts and counts into a table of its
// own, so that none waits for another. What the tables hold together is the same for any number of
// threads and any order.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/engine/batch.hpp"
#include "wordsplit/text/nfc.hpp"
#include "wordsplit/scanners/scanners.hpp"
#include "wordsplit/training/span_counts.hpp"

namespace wordsplit::training {

// Counts the spans that a scanner finds in one text, or in its NFC. Returns how many it found.
// Precondition: the text, and its NFC, are shorter than 2^32 bytes.
inline std::uint64_t count_text(ScanFn scan, bool as_nfc, std::string_view text, SpanCounts& counts,
                                std::string& scratch) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  std::size_t n = text.size();
  if (as_nfc && !is_nfc_quick(p, n)) {
    scratch.clear();
    nfc(p, n, scratch);
    p = reinterpret_cast<const std::uint8_t*>(scratch.data());
    n = scratch.size();
  }
  std::uint32_t ends[512];
  std::uint64_t found = 0;
  for (std::size_t pos = 0; pos < n;) {
    const std::size_t start = pos;
    const std::size_t count = scan(p, n, pos, ends, std::size(ends));
    counts.add_spans(p, n, start, ends, count);
    found += count;
  }
  return found;
}

// Counts many texts, with as many threads as there are tables. Returns how many spans they have.
inline std::uint64_t count_texts(const Scheme& scheme, bool as_nfc,
                                 const std::vector<std::string_view>& texts,
                                 std::vector<SpanCounts>& tables) {
  constexpr std::size_t kGroup = 64 << 10;  // bytes taken at a time
  const ScanFn scan = scheme.at(best_simd_level());
  std::vector<std::size_t> groups = {0};  // where each begins
  std::size_t bytes = 0, in_group = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    bytes += texts[i].size();
    in_group += texts[i].size();
    if (in_group >= kGroup || i + 1 == texts.size()) {
      groups.push_back(i + 1);
      in_group = 0;
    }
  }
  std::vector<std::string> scratch(tables.size());
  std::atomic<std::size_t> next{0};
  std::atomic<std::uint64_t> found{0};
  run_threads(
      useful_threads(bytes, texts.size(), tables.size()),
      [&](std::size_t worker) {
        const std::size_t group = next.fetch_add(1);
        if (group + 1 >= groups.size()) return false;
        std::uint64_t here = 0;
        for (std::size_t i = groups[group]; i < groups[group + 1]; ++i) {
          here += count_text(scan, as_nfc, texts[i], tables[worker], scratch[worker]);
        }
        found += here;
        return true;
      },
      [] {});
  return found;
}

}  // namespace wordsplit::training
