// Training as it is defined: all pairs are counted again before each merge.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support.hpp"
#include "wordsplit/training/merge_loop.hpp"

namespace support {

using Spans = std::map<std::string, std::uint64_t>;

inline std::vector<wordsplit::training::NewMerge> naive_merges(
    const Spans& spans, const std::vector<std::string>& base, const std::set<std::string>& taken,
    const wordsplit::training::Rules& rules, std::size_t most) {
  std::vector<std::pair<Ids, std::uint64_t>> rows;
  for (const auto& [span, count] : spans) {
    Ids row;
    for (const char c : span) {
      const std::string byte(1, c);
      row.push_back(
          static_cast<std::uint32_t>(std::find(base.begin(), base.end(), byte) - base.begin()));
    }
    rows.emplace_back(row, count);
  }
  // The printable characters of a token in order of code points: bytes without a character of their
  // own come last.
  const auto spelled = [](const std::string& token) {
    std::vector<int> out;
    for (const char c : token) {
      const int byte = static_cast<unsigned char>(c);
      const bool prints = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD);
      out.push_back(prints ? byte : 256 + byte);
    }
    return out;
  };
  std::vector<std::string> tokens = base;
  std::vector<wordsplit::training::NewMerge> merges;
  while (merges.size() < most) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
    for (const auto& [row, count] : rows) {
      std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
      for (std::size_t i = 0; i + 1 < row.size(); ++i) {
        const std::pair pair(row[i], row[i + 1]);
        if (!rules.by_span || seen.insert(pair).second) counts[pair] += count;
      }
    }
    const auto* best = static_cast<const decltype(counts)::value_type*>(nullptr);
    for (const auto& entry : counts) {
      const auto& [pair, count] = entry;
      const std::string made = tokens[pair.first] + tokens[pair.second];
      if (made.size() > rules.max_token_bytes || taken.count(made) || count < rules.min_frequency) {
        continue;
      }
      const auto key = [&](const auto& p) {
        return std::pair(spelled(tokens[p.first]), spelled(tokens[p.second]));
      };
      if (!best || count > best->second ||
          (count == best->second && rules.lexicographic && key(pair) < key(best->first))) {
        best = &entry;
      }
    }
    if (!best) break;
    const auto [left, right] = best->first;
    merges.push_back({left, right, best->second});
    const auto made = static_cast<std::uint32_t>(tokens.size());
    tokens.push_back(tokens[left] + tokens[right]);
    for (auto& [row, count] : rows) {
      Ids merged;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const bool here = i + 1 < row.size() && row[i] == left && row[i + 1] == right;
        merged.push_back(here ? made : row[i]);
        i += here;
      }
      row = merged;
    }
  }
  return merges;
}

// Trains with the kernels on a corpus and rules from a source of choices, and fails if the naive
// merges differ.
template <class Source>
void check_training(Source& source, std::uint64_t seed) {
  const std::string letters = std::string("ab \xc4\x81\n\xad").substr(0, 1 + source.below(6));
  Spans spans;
  std::size_t size = 0;
  for (std::uint32_t k = source.below(40); k > 0 && size < 600; --k) {
    std::string span;
    for (std::uint32_t n = 1 + source.below(source.below(8) ? 12 : 60); n > 0; --n) {
      span.push_back(letters[source.below(static_cast<std::uint32_t>(letters.size()))]);
    }
    size += span.size();
    spans[span] += 1 + source.below(source.below(4) ? 3 : 1000);
  }
  std::vector<std::string> base;
  for (int byte = 0; byte < 256; ++byte) base.emplace_back(1, static_cast<char>(byte));
  if (source.below(2)) std::reverse(base.begin(), base.end());
  wordsplit::training::Rules rules;
  rules.min_frequency = source.below(2) ? 1 : source.below(6);
  rules.max_token_bytes = source.below(2) ? 0xFFFFFFFF : 1 + source.below(6);
  rules.lexicographic = source.below(2);
  rules.by_span = source.below(2);
  std::set<std::string> taken;
  if (source.below(4) == 0) taken.insert(letters.substr(0, 2));
  const wordsplit::training::Tuning tuning{source.below(2) * std::size_t{1000}, 2 + source.below(6),
                                           1 + source.below(40)};
  const std::size_t most = source.below(30);
  const std::vector<std::string_view> tokens(base.begin(), base.end());
  wordsplit::training::MergeLoop loop(tokens, {taken.begin(), taken.end()}, rules,
                                      1 + source.below(3), tuning);
  loop.symbols().take(
      [&](auto&& visit) {
        for (const auto& [span, count] : spans) visit(std::string_view(span), count);
      },
      [&](std::string_view span, Ids& out) {
        for (const char c : span) {
          const auto byte = static_cast<std::uint8_t>(c);
          out.push_back(static_cast<std::uint32_t>(base[0][0] ? 255 - byte : byte));
        }
      });
  const auto forever = std::chrono::steady_clock::now() + std::chrono::hours(1);
  while (loop.merges().size() < most && loop.run(most - loop.merges().size(), forever)) {
  }
  if (rules.min_frequency == 0) rules.min_frequency = 1;
  const auto want = naive_merges(spans, base, taken, rules, most);
  const auto same = [](const auto& a, const auto& b) {
    return a.left == b.left && a.right == b.right && a.frequency == b.frequency;
  };
  if (!std::equal(loop.merges().begin(), loop.merges().end(), want.begin(), want.end(), same)) {
    std::string all;
    for (const auto& [span, count] : spans) all += span + "|";
    fail("merges differ from the naive ones", all, seed);
  }
}

}  // namespace support
