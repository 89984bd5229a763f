// Counts the spans of texts, on several threads.
//
// Each thread takes the next group of texts and counts into a separate table, so that none waits
// for another. The sum of the tables is the same for any number of threads and any order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/automata/span_finder.hpp"
#include "wordsplit/base/threads.hpp"
#include "wordsplit/text/nfc.hpp"
#include "wordsplit/training/runs.hpp"
#include "wordsplit/training/span_counts.hpp"

namespace wordsplit::training {

class SpanCounter {
 public:
  // Counts with at most this many threads, at least one.
  explicit SpanCounter(std::size_t threads) : tables_(std::max<std::size_t>(threads, 1)) {}
  SpanCounter(const SpanCounter&) = delete;
  SpanCounter& operator=(const SpanCounter&) = delete;

  // Counts the spans of the texts, or of their NFC, and returns their number. Precondition: each
  // text, and its NFC, is shorter than 2^32 bytes.
  std::uint64_t count_texts(const SpanFinder& spans, bool as_nfc,
                            const std::vector<std::string_view>& texts) {
    constexpr std::size_t kGroup = 64 << 10;  // bytes
    std::vector<std::size_t> groups = {0};    // the first text of each, and the end of the last
    std::size_t bytes = 0, in_group = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      bytes += texts[i].size();
      in_group += texts[i].size();
      if (in_group >= kGroup || i + 1 == texts.size()) {
        groups.push_back(i + 1);
        in_group = 0;
      }
    }
    std::vector<std::string> normalized(tables_.size());
    std::atomic<std::size_t> next{0};
    std::atomic<std::uint64_t> found{0};
    run_threads(
        useful_threads(bytes, texts.size(), tables_.size()),
        [&](std::size_t worker) {
          const std::size_t group = next.fetch_add(1);
          if (group + 1 >= groups.size()) return false;
          std::uint64_t here = 0;
          for (std::size_t i = groups[group]; i < groups[group + 1]; ++i) {
            here += count_text(spans, as_nfc, texts[i], tables_[worker], normalized[worker]);
          }
          found += here;
          return true;
        },
        [] {});
    return found;
  }

  // Counts the spans of a text, whose ends are ends[0, count). Throws std::invalid_argument if they
  // do not ascend within the text.
  void add_spans(std::string_view text, std::span<const std::uint32_t> ends) {
    std::uint32_t start = 0;
    for (const std::uint32_t end : ends) {
      if (end <= start || end > text.size()) {
        throw std::invalid_argument("spans do not tile the text");
      }
      start = end;
    }
    tables_[0].add_spans(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), 0,
                         ends.data(), ends.size());
  }

  // Counts one span `times` more. Throws std::invalid_argument for an empty span or no times.
  void add(std::string_view span, std::uint64_t times) {
    if (span.empty() || times == 0) throw std::invalid_argument("nothing to count");
    tables_[0].add(reinterpret_cast<const std::uint8_t*>(span.data()), span.size(), times);
  }

  // The counts of all threads, added up.
  const SpanCounts& counts() {
    for (std::size_t i = 1; i < tables_.size(); ++i) {
      tables_[i].for_each([&](std::string_view span, std::uint64_t count) {
        tables_[0].add(reinterpret_cast<const std::uint8_t*>(span.data()), span.size(), count);
      });
      tables_[i].clear();
    }
    return tables_[0];
  }

  // See write_run() in runs.hpp.
  template <class Write>
  void write_run(Write&& write) const {
    training::write_run(tables_, write);
  }

  // Bytes in use.
  std::size_t memory() const {
    std::size_t bytes = 0;
    for (const SpanCounts& table : tables_) bytes += table.memory();
    return bytes;
  }
  void clear() {
    for (SpanCounts& table : tables_) table.clear();
  }

 private:
  // `normalized` is memory for the NFC of the text.
  static std::uint64_t count_text(const SpanFinder& spans, bool as_nfc, std::string_view text,
                                  SpanCounts& counts, std::string& normalized) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    std::size_t n = text.size();
    if (as_nfc && !is_nfc_quick(p, n)) {
      normalized.clear();
      nfc(p, n, normalized);
      p = reinterpret_cast<const std::uint8_t*>(normalized.data());
      n = normalized.size();
    }
    std::uint32_t ends[512];
    std::uint64_t found = 0;
    SpanFinder::Memory memory = spans.memory(p, n, 0);
    for (std::size_t pos = 0; pos < n;) {
      const std::size_t start = pos;
      const std::size_t count = spans.find(p, n, pos, ends, std::size(ends), memory);
      counts.add_spans(p, n, start, ends, count);
      found += count;
    }
    return found;
  }

  std::vector<SpanCounts> tables_;  // one a thread
};

}  // namespace wordsplit::training
