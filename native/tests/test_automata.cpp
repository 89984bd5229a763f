// Random automata on random texts: at every SIMD level, and however few ends a call may write, the
// spans are those that attempts find by the definition, one after another; of steps, each within
// the pieces of the one before. Texts that are cut where an automaton says so have the same spans.
// A text on which every attempt fails late takes linear time.
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "support.hpp"
#include "wordsplit/automata/span_finder.hpp"

namespace {

using namespace wordsplit;
using namespace wordsplit::automata;
using support::Ids;
using support::Random;

const std::string kPieces[] = {"a",    "b",      "c",       "d",      " ",
                               "\n",   "\u00e9", "\u4e2d",  "\u3042", "\U0001f600",
                               "\xff", "\x80",   "\xe4\xb8"};
const std::uint32_t kCodes[] = {'a', 'b', 'c', 'd', ' ', '\n', 0xE9, 0x4E2D, 0x3042, 0x1F600};

struct Tables {
  std::vector<std::uint32_t> first{0};
  std::vector<std::uint8_t> label{0};
  unsigned classes, characters;
  std::vector<std::uint16_t> starts, next, back;
  std::vector<std::uint8_t> symbols;  // empty: no look-ahead
  std::shared_ptr<const CharacterClasses> known;

  void prepare() { known = std::make_shared<const CharacterClasses>(first, label); }

  SpanAutomaton make() const {
    std::optional<Lookahead> lookahead;
    if (!symbols.empty()) lookahead.emplace(characters, back, symbols);
    return {*known, classes, starts, next, std::move(lookahead)};
  }
};

Tables random_tables(Random& random) {
  Tables out;
  out.characters = 1 + random.below(6);
  const bool ahead = random.below(4) == 0;
  out.classes = ahead ? 1 + random.below(5) : out.characters;
  std::vector<std::uint32_t> codes(std::begin(kCodes), std::end(kCodes));
  std::sort(codes.begin(), codes.end());
  for (const std::uint32_t code : codes) {
    out.first.push_back(code);
    out.label.push_back(static_cast<std::uint8_t>(random.below(out.characters)));
    out.first.push_back(code + 1);
    out.label.push_back(0);
  }
  for (std::size_t i = 1; i < out.first.size(); ++i) {  // 'a' and 'b' touch
    if (out.first[i] != out.first[i - 1]) continue;
    out.first.erase(out.first.begin() + static_cast<std::ptrdiff_t>(i - 1));
    out.label.erase(out.label.begin() + static_cast<std::ptrdiff_t>(i - 1));
    --i;
  }
  const std::uint32_t states = 2 + random.below(10), dead = 1 + random.below(6),
                      matched = 1 + random.below(4);
  const std::uint32_t kinds = random.below(3) ? 1 : 3;  // of starts
  for (unsigned i = 0; i <= out.classes; ++i) {
    out.starts.push_back(static_cast<std::uint16_t>(1 + random.below(kinds) % (states - 1)));
  }
  out.next.assign(out.classes + 1, 0);
  for (std::uint32_t i = 0; i < (states - 1) * (out.classes + 1); ++i) {
    const bool ends = i % (out.classes + 1) == out.classes;
    const std::uint32_t to = ends || random.below(dead) == 0 ? 0 : 1 + random.below(states - 1);
    out.next.push_back(static_cast<std::uint16_t>(2 * to + (random.below(matched) == 0)));
  }
  if (ahead) {
    const std::uint32_t rows = 1 + random.below(4);
    for (std::uint32_t i = 0; i < rows * out.characters; ++i) {
      out.back.push_back(static_cast<std::uint16_t>(random.below(rows)));
      out.symbols.push_back(static_cast<std::uint8_t>(random.below(out.classes)));
    }
  }
  out.prepare();
  return out;
}

// The definition: places and classes of all characters, and attempts at each.
struct Naive {
  const Tables& tables;
  std::vector<std::size_t> at;
  std::vector<unsigned> classes;

  Naive(const Tables& given, const std::string& text) : tables(given) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    for (std::size_t i = 0; i < text.size();) {
      const CodePoint code = decode_utf8(p + i, p + text.size());
      at.push_back(i);
      classes.push_back(tables.known->of(code.value));
      i += code.size;
    }
    at.push_back(text.size());
    std::uint16_t state = 0;
    for (std::size_t i = classes.size(); !tables.symbols.empty() && i-- > 0;) {
      const std::size_t move = state * tables.characters + classes[i];
      classes[i] = tables.symbols[move];
      state = tables.back[move];
    }
    classes.push_back(tables.classes);
  }

  // The end of the match that begins at character i; -1 if there is none.
  long match(std::size_t i) const {
    std::size_t state = tables.starts[i == 0 ? tables.classes : classes[i - 1]];
    long found = -1;
    for (; state && i < classes.size(); ++i) {
      const unsigned move = tables.next[state * (tables.classes + 1) + classes[i]];
      if (move & 1) found = static_cast<long>(i);
      state = move / 2;
    }
    return found;
  }

  Ids ends(std::vector<bool>* matches = nullptr) const {
    Ids out;
    const std::size_t n = classes.size() - 1;
    const auto add = [&](std::size_t i, bool is_match) {
      out.push_back(static_cast<std::uint32_t>(at[i]));
      if (matches) matches->push_back(is_match);
    };
    for (std::size_t i = 0; i < n;) {
      long end = match(i);
      if (end > static_cast<long>(i)) {
        i = static_cast<std::size_t>(end);
        add(i, true);
        continue;
      }
      for (++i; i < n && match(i) < 0;) ++i;
      add(i, false);
    }
    return out;
  }
};

std::string random_text(Random& random) {
  std::string some[4], out;
  for (std::string& piece : some) piece = kPieces[random.below(std::size(kPieces))];
  for (std::uint32_t k = random.below(30); k-- > 0;) {
    const std::string& piece = some[random.below(4)];
    for (std::uint32_t i = random.below(8) ? 1 : random.below(150); i-- > 0;) out += piece;
  }
  return out;
}

Ids found(const SpanFinder& finder, const std::string& text, std::size_t cap) {
  const support::Exact exact(text);
  SpanFinder::Memory memory = finder.memory(exact.data.get(), exact.n, 0);
  Ids out;
  std::vector<std::uint32_t> ends(cap);
  for (std::size_t pos = 0; pos < exact.n;) {
    const std::size_t count = finder.find(exact.data.get(), exact.n, pos, ends.data(), cap, memory);
    if (count == 0 || count > cap || pos != ends[count - 1]) support::fail("no end", text);
    out.insert(out.end(), ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return out;
}

SpanFinder finder_of(const std::vector<Tables>& steps, SimdLevel level) {
  std::vector<SplitStep> made;
  for (const Tables& tables : steps) {
    made.push_back({std::make_shared<const Scanner>(tables.make(), level)});
  }
  return {nullptr, std::make_shared<const SplitSteps>(std::move(made))};
}

void check_spans(std::uint64_t seed) {
  Random random(seed);
  std::vector<Tables> steps = {random_tables(random)};
  if (random.below(3) == 0) steps.push_back(random_tables(random));
  std::vector<SpanFinder> finders;
  for (const SimdLevel level : simd_levels()) finders.push_back(finder_of(steps, level));
  for (int k = 0; k < 12; ++k) {
    const std::string text = random_text(random);
    Ids wanted = Naive(steps[0], text).ends();
    if (steps.size() == 2) {
      Ids inner;
      std::uint32_t begin = 0;
      for (const std::uint32_t end : wanted) {
        for (const std::uint32_t at : Naive(steps[1], text.substr(begin, end - begin)).ends()) {
          inner.push_back(begin + at);
        }
        begin = end;
      }
      wanted = inner;
    }
    for (const SpanFinder& finder : finders) {
      for (const std::size_t cap : {1, 2, 7, 256}) {
        if (found(finder, text, cap) != wanted) support::fail("other spans", text, seed);
      }
    }
  }
}

void check_behaviors(std::uint64_t seed) {
  Random random(seed);
  const Tables tables = random_tables(random);
  const auto scanner = std::make_shared<const Scanner>(tables.make(), best_simd_level());
  const std::string text = random_text(random);
  std::vector<bool> matches;
  const Ids pieces = Naive(tables, text).ends(&matches);
  for (const bool invert : {false, true}) {
    for (const Behavior behavior :
         {Behavior::Contiguous, Behavior::MergedWithPrevious, Behavior::MergedWithNext}) {
      Ids wanted;
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        const bool match = matches[i], next = i + 1 < pieces.size() && matches[i + 1];
        const bool last = i + 1 == pieces.size();
        bool joins = false;  // with the next piece
        if (behavior == Behavior::Contiguous) joins = match && next;
        if (behavior == Behavior::MergedWithPrevious) joins = match == invert && next != invert;
        if (behavior == Behavior::MergedWithNext) joins = match != invert && next == invert;
        if (last || !joins) wanted.push_back(pieces[i]);
      }
      const SpanFinder finder{nullptr, std::make_shared<const SplitSteps>(
                                           std::vector<SplitStep>{{scanner, behavior, invert}})};
      for (const std::size_t cap : {1, 64}) {
        if (found(finder, text, cap) != wanted) support::fail("other pieces", text, seed);
      }
    }
  }
}

void check_cuts(std::uint64_t seed, std::size_t& cuts) {
  Random random(seed);
  std::vector<Tables> steps = {random_tables(random)};
  if (random.below(2) == 0) steps.push_back(random_tables(random));
  const SpanFinder finder = finder_of(steps, best_simd_level());
  for (const std::uint32_t a : kCodes) {
    for (const std::uint32_t b : kCodes) {
      if (!finder.steps->can_cut(a, b)) continue;
      ++cuts;
      std::uint8_t spelled[4];
      const auto text_of = [&](std::uint32_t code) {
        return std::string(spelled, put_utf8(code, spelled));
      };
      for (int k = 0; k < 4; ++k) {
        const std::string head = random_text(random) + text_of(a),
                          tail = text_of(b) + random_text(random);
        Ids wanted = found(finder, head, 64);
        for (const std::uint32_t end : found(finder, tail, 64)) {
          wanted.push_back(end + static_cast<std::uint32_t>(head.size()));
        }
        if (found(finder, head + tail, 64) != wanted) support::fail("a cut", head + tail, seed);
      }
    }
  }
}

// a+b|a, on which an attempt reads to the end of the text.
void check_time() {
  Tables tables;
  tables.first = {0, 'a', 'b', 'c'};
  tables.label = {0, 1, 2, 0};
  tables.prepare();
  tables.classes = tables.characters = 3;
  tables.starts = {1, 1, 1, 1};
  tables.next = {
      0, 0,         0,         0,  // dead
      0, 2 * 2,     0,         0,  // nothing read
      1, 3 * 2 + 1, 4 * 2 + 1, 1,  // a
      0, 3 * 2,     4 * 2,     0,  // aa
      1, 1,         1,         1,  // ab, aab
  };
  const auto begin = std::chrono::steady_clock::now();
  const std::string text(1 << 20, 'a');
  if (found(finder_of({tables}, best_simd_level()), text, 256).size() != text.size()) {
    support::fail("other spans", "a+b|a");
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  if (taken.count() > 20) support::fail("too slow", "a+b|a");
}

}  // namespace

int main() {
  std::size_t cuts = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) check_spans(seed);
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) check_behaviors(seed);
  for (std::uint64_t seed = 1; seed <= 400; ++seed) check_cuts(seed, cuts);
  if (cuts < 300) support::fail("few cuts", std::to_string(cuts));
  check_time();
  std::printf("automata: %zu cuts\n", cuts);
  return 0;
}
