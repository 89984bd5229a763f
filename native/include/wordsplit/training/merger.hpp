// Training from counted spans: spells them in the symbols of a vocab and makes merges of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wordsplit/encoders/heap_merge.hpp"
#include "wordsplit/tables/vocab_tables.hpp"
#include "wordsplit/training/merge_loop.hpp"
#include "wordsplit/training/runs.hpp"
#include "wordsplit/training/span_counts.hpp"

namespace wordsplit::training {

// The start of training: single bytes, or a vocab whose merges are kept.
struct Base {
  const VocabTables* tables = nullptr;  // of the vocab; must outlive the merger
  bool ignore_merges = false;
  std::vector<std::uint32_t> ids;  // of the symbols in the vocab, ascending
};

// Spells spans as symbols. Precondition: every byte has a symbol or, in a vocab, a token.
class Speller {
 public:
  Speller(const std::vector<std::string>& tokens, Base base) : base_(std::move(base)) {
    for (std::uint32_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].size() == 1) symbols_[static_cast<std::uint8_t>(tokens[i][0])] = i;
    }
  }

  // Writes the symbols of a span. Precondition: `out` is empty.
  void operator()(std::string_view span, std::vector<std::uint32_t>& out) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(span.data());
    if (!base_.tables) {
      for (std::size_t i = 0; i < span.size(); ++i) out.push_back(symbols_[p[i]]);
      return;
    }
    const VocabTables& tables = *base_.tables;
    const std::uint32_t whole = base_.ignore_merges ? tables.find(p, span.size()) : kNoToken;
    if (whole != kNoToken) {
      out.push_back(whole);
    } else {
      out.resize(span.size());
      out.resize(heap_merge(tables, p, span.size(), out.data(), scratch_));
    }
    for (std::uint32_t& id : out) {
      const auto found = std::lower_bound(base_.ids.begin(), base_.ids.end(), id);
      id = static_cast<std::uint32_t>(found - base_.ids.begin());
    }
  }

 private:
  Base base_;
  std::uint32_t symbols_[256] = {};  // by byte
  Scratch scratch_;
};

// The same, with a report for each span.
struct Spelling {
  void operator()(std::string_view span, std::vector<std::uint32_t>& out) const {
    report(interrupts, 0, span.size());
    speller(span, out);
  }
  Speller& speller;
  Interrupts interrupts;
};

class Merger {
 public:
  // See MergeLoop.
  Merger(const std::vector<std::string_view>& tokens, const std::vector<std::string_view>& taken,
         const Rules& rules, std::size_t threads, Base base = {})
      : loop_(tokens, taken, rules, threads), speller_(loop_.tokens(), std::move(base)) {}

  void take_counts(const SpanCounts& counts, Interrupts interrupts = {}) {
    loop_.symbols().take([&](auto&& visit) { counts.for_each(visit); },
                         Spelling{speller_, interrupts});
  }

  struct LeftOut {
    std::uint64_t spans, highest_count;
  };
  // Takes the spans of runs from the most frequent on, as far as `most_bytes` go (their bytes and
  // one more each); of equally frequent ones those that come first in the order of runs. Spans of
  // one byte, which cannot be merged, do not count. Returns what was left out.
  LeftOut take_runs(const std::vector<std::string_view>& runs, std::uint64_t most_bytes,
                    Interrupts interrupts = {}) {
    std::map<std::uint64_t, std::uint64_t, std::greater<>> bytes;  // by count
    merge_runs(runs, [&](std::string_view span, std::uint64_t count) {
      report(interrupts, 0, span.size());
      if (span.size() > 1) bytes[count] += span.size() + 1;
    });
    // All spans of more than `least` occurrences fit, and `room` bytes of those of exactly so many.
    std::uint64_t least = 0, room = most_bytes;
    for (const auto& [count, size] : bytes) {
      if (size > room) {
        least = count;
        break;
      }
      room -= size;
    }
    std::uint64_t left_out = 0;
    loop_.symbols().take(
        [&](auto&& visit) {
          std::uint64_t left = room;
          left_out = 0;
          merge_runs(runs, [&](std::string_view span, std::uint64_t count) {
            if (span.size() < 2) return;
            if (count == least && span.size() + 1 <= left) {
              left -= span.size() + 1;
            } else if (count <= least) {
              ++left_out;
              return;
            }
            visit(span, count);
          });
        },
        Spelling{speller_, interrupts});
    return {left_out, left_out ? least : 0};
  }

  MergeLoop& loop() { return loop_; }
  const MergeLoop& loop() const { return loop_; }

 private:
  MergeLoop loop_;
  Speller speller_;
};

}  // namespace wordsplit::training
