// Small random vocabs and maps of characters.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "character_tries.hpp"
#include "support.hpp"
#include "wordsplit/tables/vocab_tables.hpp"
#include "wordsplit/text/map_behind_steps.hpp"

namespace small {

using support::Random;
using namespace wordsplit;

inline const char* const kLetters[] = {
    "a", "b", "\xC3\xA9", "\xE4\xB8\xAD", " ", "\xF0\x9F\xA6\x9C"};

inline std::string word(Random& random, std::uint32_t most) {
  std::string out;
  for (std::uint32_t n = 1 + random.below(most); n--;) out += kLetters[random.below(6)];
  return out;
}

// A vocab whose token 0 is the unknown one.
struct Made {
  std::vector<std::string> tokens;
  std::string blob;
  std::vector<std::uint32_t> ends, ids;
  std::vector<double> scores;
  std::size_t longest = 0;  // bytes of a token
  std::unique_ptr<VocabTables> tables;

  // prefix: what half of the tokens begin with. If it is U+2581, it spells a space, and is a token.
  Made(Random& random, ModelRules rules, std::string_view prefix = "") {
    // With great scores a few tokens bring a sum beyond the one that is taken back to zero. With
    // scores of nearly whole hundreds, paths have nearly the same sum, and become the same behind a
    // great one.
    const float scales[] = {1.0F, 100.0F, 3000.0F};
    const float scale = scales[random.below(3)];
    const auto score = [&]() -> float {
      if (scale != 100) return -1 - static_cast<float>(random.below(40)) / 7.0F;
      return -1 - static_cast<float>(random.below(5)) - 1e-5F * static_cast<float>(random.below(9));
    };
    std::set<std::string> found;
    for (int i = 0; i < 24; ++i) {
      std::string token = word(random, 3);
      if (prefix == WordMap::kMark) std::erase(token, ' ');
      if (!prefix.empty() && random.below(2)) token.insert(0, prefix);
      if (!token.empty()) found.insert(token);
    }
    if (prefix == WordMap::kMark) found.emplace(prefix);
    if (prefix.empty() && random.below(2)) {  // longer than the steps that walks make in turn
      for (const std::size_t n : {15, 16, 17, 20}) found.insert(std::string(n, 'a'));
      found.insert(std::string(18, 'a') + "b");
    }
    for (const std::string& token : found) longest = std::max(longest, token.size());
    tokens.assign(found.begin(), found.end());
    tokens.insert(tokens.begin(), "<unk>");
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      blob += tokens[i];
      ends.push_back(static_cast<std::uint32_t>(blob.size()));
      ids.push_back(static_cast<std::uint32_t>(i));
      // Sums of sevenths are rounded.
      scores.push_back(rules.single_precision ? scale * score() : -1.0 - random.below(40) / 8.0);
    }
    rules.unk_id = 0;
    rules.unknown_score = !rules.single_precision ? -20 : scale * (scale == 100 ? -7 : -20);
    tables = std::make_unique<VocabTables>(blob, ends.data(), ids.data(), ids.size(), nullptr, 0,
                                           std::vector<std::uint32_t>(), false, rules, scores);
  }
  std::uint32_t find(const std::string& text) const {
    const auto at = std::find(tokens.begin(), tokens.end(), text);
    return at == tokens.end() ? kNoToken : static_cast<std::uint32_t>(at - tokens.begin());
  }
};

// A map in which a space ends a word, a comma is a word, and B becomes b; with contractions, S
// becomes s, and an apostrophe and an exclamation mark are signs.
inline WordMap small_map(bool contractions) {
  WordRules rules;
  rules.pages.assign(0x1100, 0);
  rules.entries.assign(256, WordRules::kSame);
  const auto put = [&](char from, const std::string& to) {
    rules.entries[static_cast<std::uint8_t>(from)] =
        static_cast<std::uint32_t>(rules.blob.size()) + 1;
    rules.blob += static_cast<char>(to.size());
    rules.blob += to;
  };
  put(' ', "\xFF");
  put(',', "\xFF,\xFF");
  put('B', "b");
  rules.entries['~'] = WordRules::kOutside;
  if (contractions) {
    rules.has_signs = rules.contractions = true;
    for (const char sign : {'\'', '!'}) {
      rules.entries[static_cast<std::uint8_t>(sign)] = WordRules::kSigned;
    }
    put('S', "s");
  }
  return WordMap(rules);
}

// A map of SentencePiece's rules for spaces, in which B becomes b. With U+0301 behind them, an a
// becomes b, a b nothing, and U+00E9 a space and b.
inline WordMap space_map(bool joined, bool summed) {
  WordRules rules;
  rules.pages.assign(0x1100, 1);
  rules.pages[0] = 0;
  rules.entries.assign(512, WordRules::kSame);
  rules.blob = "\1\xFE\1b";
  rules.entries[' '] = 1;
  rules.entries['B'] = 3;
  const support::Pairs pairs = {{"a\xCC\x81", "b"}, {"b\xCC\x81", ""}, {"\xC3\xA9\xCC\x81", " b"}};
  rules.keys = ClusterKeys(support::trie_of(pairs), {" "});
  rules.marks.assign(0x110000 / 8, 0);
  rules.marks[0x301 / 8] = 1 << 0x301 % 8;
  rules.alone.assign(0x110000 / 8, 0);
  rules.spaced = rules.drop_spaces = rules.prepend = rules.longest_keys = true;
  rules.joined = joined;
  rules.summed = summed;
  return WordMap(rules);
}

// A map that changes nothing, of a text as a whole.
inline WordMap same_map() {
  WordRules rules;
  rules.pages.assign(0x1100, 0);
  rules.entries.assign(256, WordRules::kSame);
  rules.normalizes = true;
  return WordMap(rules);
}

// A map behind steps that compose, decompose, replace and remove characters.
inline WordMap map_behind_steps(Random& random, const WordMap& behind = small_map(false)) {
  using Kind = NormalizerStep::Kind;
  std::vector<NormalizerStep> steps;
  for (std::uint32_t n = 1 + random.below(3); n--;) {
    NormalizerStep& step = steps.emplace_back();
    step.kind = static_cast<Kind>(random.below(6));
    if (step.kind == Kind::Characters) step.characters = {{0x301, ""}, {'B', "b"}};
    const char* const patterns[][2] = {
        {"ab", "c"}, {"a\xCC\x81", ""}, {"\xC3\xA9", "aa"}, {"b", ""}};
    const auto& [pattern, content] = patterns[random.below(4)];
    step.pattern = pattern;
    step.content = content;
  }
  return MapBehindSteps::make(std::move(steps), std::make_shared<const WordMap>(behind));
}

}  // namespace small
