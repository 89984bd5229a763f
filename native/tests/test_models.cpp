// Models of characters against their definition, on random vocabs and texts: Unigram over all
// paths, WordPiece by shrinking the rest of the word, WordLevel word by word, the cuts of a table
// of words.
#include <cmath>
#include <string>
#include <vector>

#include "small_vocabs.hpp"
#include "support.hpp"
#include "wordsplit/encoders/longest_match.hpp"
#include "wordsplit/encoders/viterbi.hpp"
#include "wordsplit/encoders/whole_span.hpp"
#include "wordsplit/tables/cuts.hpp"

using support::Ids;
using namespace small;

namespace {

const char* const kApostrophes[] = {"'", "'", "'s", "S", "'re", "l", "v", "!"};

std::size_t size_at(const std::string& text, std::size_t at) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  return decode_utf8(p + at, p + text.size()).size;
}

// The ids of the path with the greatest sum of scores, rounded as the vocab says: of two that are
// equal, the one whose last token is longer.
Ids best_path(const Made& vocab, const std::string& text) {
  std::vector<double> best(text.size() + 1, -HUGE_VAL);
  std::vector<std::size_t> from(text.size() + 1);
  Ids last(text.size() + 1);
  best[0] = 0;
  const double unknown = vocab.tables->model().unknown_score;
  const auto offer = [&](std::size_t start, std::size_t end, std::uint32_t id, double score) {
    const double exact = best[start] + score;
    const bool single = vocab.tables->model().single_precision;
    const double sum = single ? static_cast<double>(static_cast<float>(exact)) : exact;
    if (sum <= best[end]) return;
    best[end] = sum;
    from[end] = start;
    last[end] = id;
  };
  for (std::size_t at = 0; at < text.size(); at += size_at(text, at)) {
    const std::size_t size = size_at(text, at);
    const double sum = best[at];
    if (vocab.tables->model().single_precision && std::abs(sum) > ScoredTokens::kGreatestSum) {
      best[at] = 0;
      for (std::size_t i = at + 1; i <= text.size(); ++i) {
        if (best[i] > -HUGE_VAL) best[i] = static_cast<double>(static_cast<float>(best[i] - sum));
      }
    }
    if (vocab.find(text.substr(at, size)) == kNoToken) offer(at, at + size, 0, unknown);
    for (std::size_t end = at + 1; end <= std::min(text.size(), at + vocab.longest); ++end) {
      const std::uint32_t id = vocab.find(text.substr(at, end - at));
      if (id != kNoToken) offer(at, end, id, vocab.scores[id]);
    }
  }
  Ids out;
  for (std::size_t end = text.size(); end > 0; end = from[end]) {
    if (last[end] != 0 || out.empty() || out.back() != 0) out.push_back(last[end]);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

void check_viterbi(std::uint64_t seed) {
  Random random(seed);
  ModelRules rules;
  rules.kind = ModelKind::Unigram;
  rules.single_precision = seed & 1;
  const Made vocab(random, rules);
  const ScoredTokens trie(*vocab.tables);
  Scratch scratch;
  for (int round = 0; round < 40; ++round) {
    std::string text = word(random, round % 8 ? 12 : 300);  // long ones are cut to pieces
    if (round % 8 == 1) text += std::string(random.below(50), 'a') + word(random, 3);
    const support::Exact exact(text);
    Ids ids(text.size());
    ids.resize(viterbi(*vocab.tables, trie, exact.data.get(), exact.n, ids.data(), scratch));
    if (ids != best_path(vocab, text)) support::fail("not the best path", text, seed);
  }
}

void check_longest_match(std::uint64_t seed) {
  Random random(seed);
  ModelRules rules;
  rules.kind = ModelKind::WordPiece;
  rules.most_characters = 6;
  std::memcpy(rules.prefix, "##", rules.prefix_size = 2);
  const Made vocab(random, rules, "##");
  const WordPieces trie(*vocab.tables);
  Scratch scratch;
  for (int round = 0; round < 40; ++round) {
    const std::string text = word(random, 8);
    Ids want;
    std::size_t characters = 0;
    for (std::size_t at = 0; at < text.size(); ++characters) at += size_at(text, at);
    for (std::size_t at = 0; at < text.size() && characters <= 6;) {
      std::size_t end = text.size();
      std::uint32_t id = kNoToken;
      for (; end > at && id == kNoToken; end -= id == kNoToken) {
        id = vocab.find((at ? "##" : "") + text.substr(at, end - at));
      }
      if (id == kNoToken) {
        want.clear();
        break;
      }
      want.push_back(id);
      at = end;
    }
    if (want.empty()) want = {0};
    const support::Exact exact(text);
    Ids ids(text.size());
    ids.resize(longest_match(*vocab.tables, trie, exact.data.get(), exact.n, ids.data(), scratch));
    if (ids != want) support::fail("other matches", text, seed);
  }
}

// Words that begin with a space each: those that are tokens, and one id for a run of others, or
// those of its bytes.
void check_whole_span(std::uint64_t seed) {
  Random random(seed);
  ModelRules rules;
  rules.kind = ModelKind::WordLevel;
  const bool is_one = seed % 3 == 0;
  if (!is_one) rules.prefix[0] = ' ', rules.prefix_size = 1;
  if (seed % 2) std::fill_n(rules.fallback, 256, 1);
  const Made vocab(random, rules);
  Scratch scratch;
  for (int round = 0; round < 40; ++round) {
    const std::string text = word(random, 12);
    Ids want;
    bool unknown = false;
    for (std::size_t at = 0, end; at < text.size(); at = end) {
      end = is_one ? text.size() : std::min(text.find(' ', at + 1), text.size());
      const std::uint32_t id = vocab.find(text.substr(at, end - at));
      if (id != kNoToken) {
        want.push_back(id);
      } else if (seed % 2) {
        want.insert(want.end(), end - at, 1);
      } else if (!unknown) {
        want.push_back(0);
      }
      unknown = id == kNoToken;
    }
    const support::Exact exact(text);
    Ids ids(text.size());
    ids.resize(whole_span(*vocab.tables, exact.data.get(), exact.n, ids.data(), scratch));
    if (ids != want) support::fail("other words of a span", text, seed);
  }
}

// No token contains a boundary at which the text is cut, nor are both characters unknown, and every
// level finds these cuts.
void check_cuts(std::uint64_t seed) {
  Random random(seed);
  ModelRules rules;
  rules.kind = ModelKind::Unigram;
  const Made vocab(random, rules);
  const CutTable cuts = CutTable::of_tokens(*vocab.tables);
  const auto code_point = [](const std::string& c) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(c.data());
    return decode_utf8(p, p + c.size()).value;
  };
  for (const std::string left : kLetters) {
    for (const std::string right : kLetters) {
      const bool is_within =
          std::any_of(vocab.tokens.begin(), vocab.tokens.end(),
                      [&](const auto& token) { return token.find(left + right) != token.npos; });
      const bool unknown = vocab.find(left) == kNoToken && vocab.find(right) == kNoToken;
      if ((is_within || unknown) && cuts.is_cut_between(code_point(left), code_point(right))) {
        support::fail("a cut within a token", left + right, seed);
      }
    }
  }
  support::check_scan(cuts, word(random, 200), random);
  support::check_scan(CutTable(*vocab.tables, true), word(random, 200), random);
}

// Words of spans are those of the whole text, wherever it is cut; and where there are steps, those
// of the whole text after all of them.
void check_words(std::uint64_t seed, bool contractions, bool with_steps = false) {
  Random random(seed);
  const WordMap map = with_steps ? map_behind_steps(random) : small_map(contractions);
  std::string text;
  for (std::uint32_t n = 1 + random.below(with_steps ? 200 : 60); n--;) {
    if (contractions && random.below(2)) {
      text += kApostrophes[random.below(8)];
      continue;
    }
    text += random.below(3) ? kLetters[random.below(6)] : random.below(2) ? "," : "B ";
    if (with_steps && random.below(2)) {
      const char* const more[] = {"\xCC\x81", "\xCC\xA3", "\xE1\x84\x80", "\xE1\x85\xA1", "ab"};
      text += more[random.below(5)];
    }
  }
  const auto split = [](const std::string& marked) {
    std::vector<std::string> words;
    for (std::size_t at = 0, end; at < marked.size(); at = end + 1) {
      end = marked.find('\xFF', at);
      if (end > at) words.push_back(marked.substr(at, end - at));
    }
    return words;
  };
  const support::Exact exact(text);
  std::string whole, parts;
  if (with_steps) {
    const std::string normal = after_steps(map.rules().steps, text);
    const auto* p = reinterpret_cast<const std::uint8_t*>(normal.data());
    map.rules().behind->words(p, normal.size(), true, whole);
  } else {
    map.words(exact.data.get(), exact.n, true, whole);
  }
  std::uint32_t ends[7];
  std::size_t at = 0, start = 0;
  while (at < exact.n) {
    const std::size_t count =
        scan_cuts(best_simd_level(), map, exact.data.get(), exact.n, at, ends, 7);
    for (std::size_t i = 0; i < count; start = ends[i++]) {
      map.words(exact.data.get() + start, ends[i] - start, start == 0, parts);
    }
    if (at != ends[count - 1]) support::fail("a scan that is elsewhere", text, seed);
  }
  if (split(whole) != split(parts)) support::fail("other words", text, seed);
  for (std::uint32_t n = random.below(3); n--;) {
    text.insert(random.below(static_cast<std::uint32_t>(text.size())), "~~");
  }
  support::check_scan(map, text, random);
}

Ids encoded(const Engine& engine, const std::string& text) {
  const support::Exact exact(text);
  Output out;
  engine.encode(exact.data.get(), exact.n, nullptr, *engine.make_state(), out);
  return Ids(out.data(), out.data() + out.size());
}

// A text normalized by steps has the ids of what they make of it; and spans that a scanner finds,
// those of what a map makes of each.
void check_maps_of_text(std::uint64_t seed) {
  Random random(seed);
  ModelRules rules;
  rules.kind = ModelKind::Unigram;
  const Made vocab(random, rules);
  const std::shared_ptr<const VocabTables> tables(std::shared_ptr<void>(), vocab.tables.get());
  EngineConfig config;
  config.encoder = config.long_encoder = find_encoder("viterbi");
  EngineConfig scanned = config;
  config.cuts = true;
  config.space = {"_", static_cast<SpaceMark::Prepend>(random.below(3))};
  const Engine plain(tables, config, {}, {});
  const auto map = std::make_shared<const WordMap>(map_behind_steps(random, same_map()));
  const auto normalizer = std::make_shared<Normalizer>();
  normalizer->add(map);
  config.normalizer = normalizer;
  const Engine behind(tables, config, {}, {});
  scanned.spans.scan = schemes()[0].at(scanned.simd);
  const Engine spans(tables, scanned, {}, {});
  WordRules letters = same_map().rules();
  letters.normalizes = false;
  letters.blob = "\1b";
  letters.entries['B'] = 1;
  scanned.words = std::make_shared<const WordMap>(letters);
  const Engine mapped(tables, scanned, {}, {});
  for (int round = 0; round < 10; ++round) {
    const char* const more[] = {"\xCC\x81", "\xCC\xA3", "\xE1\x84\x80", "\xE1\x85\xA1", "B", "_"};
    std::string text = more[random.below(6)];
    for (std::uint32_t n = random.below(20); n--;) text += word(random, 3) + more[random.below(6)];
    if (encoded(behind, text) != encoded(plain, after_steps(map->rules().steps, text))) {
      support::fail("other ids behind steps", text, seed);
    }
    std::string same = text;
    std::replace(same.begin(), same.end(), 'B', 'b');
    if (encoded(mapped, text) != encoded(spans, same)) {
      support::fail("other ids of mapped spans", text, seed);
    }
  }
}

// A text whose spans are pieces of words has the ids of one path through all of it.
void check_pieces(std::uint64_t seed) {
  Random random(seed);
  ModelRules rules;
  rules.kind = ModelKind::Unigram;
  rules.single_precision = random.below(3) > 0;
  const Made vocab(random, rules, WordMap::kMark);
  const std::shared_ptr<const VocabTables> tables(std::shared_ptr<void>(), vocab.tables.get());
  EngineConfig config;
  config.encoder = config.long_encoder = find_encoder("viterbi");
  config.cache_bytes = 1 << 20;
  config.words = std::make_shared<const WordMap>(space_map(true, false));
  const Engine whole(tables, config, {}, {});
  config.words = std::make_shared<const WordMap>(space_map(false, true));
  const Engine pieces(tables, config, {}, {});
  const PieceCuts cuts(*config.words, *tables);
  const auto state = pieces.make_state();
  for (int round = 0; round < 20; ++round) {
    const char* const more[] = {"B", "a\xCC\x81", "\xCC\x81", "  ", "zz", "ab "};
    std::string text;
    for (std::uint32_t n = random.below(random.below(4) ? 30 : 500); n--;) {
      text += random.below(3) ? kLetters[random.below(6)] : more[random.below(6)];
    }
    const Ids want = encoded(whole, text);
    for (int again = 0; again < 2; ++again) {  // the second time from the cache
      const support::Exact exact(text);
      Output out;
      pieces.encode(exact.data.get(), exact.n, nullptr, *state, out);
      if (Ids(out.data(), out.data() + out.size()) != want) {
        support::fail("other ids in pieces", text, seed);
      }
    }
    if (!text.empty()) support::check_scan(cuts, text, random);
  }
}

}  // namespace

int main() {
  for (std::uint64_t seed = 1; seed <= support::rounds(300); ++seed) {
    check_viterbi(seed);
    check_longest_match(seed);
    check_whole_span(seed);
    check_cuts(seed);
    check_words(seed, false);
    check_words(seed, true);
    if (seed % 5 == 0) check_words(seed, false, true);
    if (seed % 20 == 0) check_maps_of_text(seed);
    check_pieces(seed);
  }
}
