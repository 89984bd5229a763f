// Random automata, and spans as they are defined: an attempt at every place, one after another.
#pragma once

#include <iterator>
#include <string>
#include <vector>

#include "support.hpp"
#include "wordsplit/automata/span_finder.hpp"

namespace support {

// Code points that random automata tell apart, besides all others of which they make one class.
inline const std::uint32_t kCodes[] = {'a',  'b',  'c',  'd',    ' ',    '\n',   0x80,
                                       0xB8, 0xE4, 0xE9, 0x4E2D, 0x3042, 0x1F600};
// Pieces of text for them, of which some are not UTF-8.
inline const std::string kTextPieces[] = {"a",    "b",      "c",       "d",      " ",
                                          "\n",   "\u00e9", "\u4e2d",  "\u3042", "\U0001f600",
                                          "\xff", "\x80",   "\xe4\xb8"};

// The arguments of the constructors of an automaton.
struct Tables {
  std::vector<std::uint32_t> first{0};
  std::vector<std::uint8_t> label{0};
  unsigned classes = 1, characters = 1;
  std::vector<std::uint16_t> starts, next, back;
  std::vector<std::uint8_t> symbols;  // empty: no look-ahead
  std::shared_ptr<const wordsplit::automata::CharacterClasses> known;

  // To be called when the tables are as they shall be.
  void prepare() {
    known = std::make_shared<const wordsplit::automata::CharacterClasses>(first, label);
  }
  wordsplit::automata::SpanAutomaton make() const {
    std::optional<wordsplit::automata::Lookahead> lookahead;
    if (!symbols.empty()) lookahead.emplace(characters, back, symbols);
    return {*known, classes, starts, next, std::move(lookahead)};
  }
};

// Tables, not prepared. Few states and classes; now and then as many classes as SIMD takes, or
// more.
template <class Source>
Tables random_tables(Source& random) {
  Tables out;
  const bool many = random.below(64) == 0;
  out.characters = 1 + (many ? 100 + random.below(154) : random.below(6));
  const bool ahead = random.below(4) == 0;
  out.classes = ahead ? 1 + random.below(many ? 254 : 5) : out.characters;
  if (many) {  // all of ASCII, since no text has that many classes otherwise
    const std::uint32_t factor = 1 + random.below(out.characters);
    for (std::uint32_t code = 1; code <= 0x80; ++code) {
      out.first.push_back(code);
      out.label.push_back(static_cast<std::uint8_t>(code * factor % out.characters));
    }
  }
  std::vector<std::uint32_t> codes;
  for (const std::uint32_t code : kCodes) {
    if (!many || code > 0x80) codes.push_back(code);
  }
  std::sort(codes.begin(), codes.end());
  for (const std::uint32_t code : codes) {
    if (out.first.back() == code) {  // 'a' and 'b' touch
      out.first.pop_back();
      out.label.pop_back();
    }
    out.first.push_back(code);
    out.label.push_back(static_cast<std::uint8_t>(random.below(out.characters)));
    out.first.push_back(code + 1);
    out.label.push_back(0);
  }
  const std::uint32_t states = 2 + random.below(many ? 2 : 10), dead = 1 + random.below(6),
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
  return out;
}

// Few kinds of pieces, of which some are long runs.
inline std::string random_text(Random& random) {
  std::string some[4], out;
  for (std::string& piece : some) piece = kTextPieces[random.below(std::size(kTextPieces))];
  for (std::uint32_t k = random.below(30); k-- > 0;) {
    const std::string& piece = some[random.below(4)];
    for (std::uint32_t i = random.below(8) ? 1 : random.below(150); i-- > 0;) out += piece;
  }
  return out;
}

// The definition: places and classes of all characters, and attempts at each.
struct Naive {
  const Tables& tables;
  std::vector<std::size_t> at;
  std::vector<unsigned> classes;

  // on_bytes: each byte is a character.
  Naive(const Tables& given, const std::string& text, bool on_bytes = false) : tables(given) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    for (std::size_t i = 0; i < text.size();) {
      const wordsplit::CodePoint code =
          on_bytes ? wordsplit::CodePoint{p[i], 1} : wordsplit::decode_utf8(p + i, p + text.size());
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

struct NaiveStep {
  Tables tables;
  wordsplit::automata::Behavior behavior = wordsplit::automata::Behavior::Isolated;
  bool invert = false, on_bytes = false;

  Ids ends(const std::string& text) const {
    using enum wordsplit::automata::Behavior;
    std::vector<bool> matches;
    const Ids pieces = Naive(tables, text, on_bytes).ends(&matches);
    Ids out;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const bool match = matches[i], next = i + 1 < pieces.size() && matches[i + 1];
      bool joins = false;  // with the next piece
      if (behavior == Contiguous) joins = match && next;
      if (behavior == MergedWithPrevious) joins = match == invert && next != invert;
      if (behavior == MergedWithNext) joins = match != invert && next == invert;
      if (i + 1 == pieces.size() || !joins) out.push_back(pieces[i]);
    }
    return out;
  }
};

// The ends of all steps, each within the pieces of the one before.
inline Ids naive_ends(const std::vector<NaiveStep>& steps, const std::string& text) {
  Ids ends{static_cast<std::uint32_t>(text.size())};
  for (const NaiveStep& step : steps) {
    Ids inner;
    std::uint32_t begin = 0;
    for (const std::uint32_t end : ends) {
      for (const std::uint32_t at : step.ends(text.substr(begin, end - begin))) {
        inner.push_back(begin + at);
      }
      begin = end;
    }
    ends = inner;
  }
  return ends;
}

inline wordsplit::SpanFinder finder_of(const std::vector<NaiveStep>& steps,
                                       wordsplit::SimdLevel level) {
  using namespace wordsplit::automata;
  std::vector<SplitStep> made;
  for (const NaiveStep& step : steps) {
    made.push_back({std::make_shared<const Scanner>(step.tables.make(), level), step.behavior,
                    step.invert, step.on_bytes});
  }
  return {nullptr, std::make_shared<const SplitSteps>(std::move(made))};
}

// The ends that calls with room for `cap` ends find.
inline Ids found_ends(const wordsplit::SpanFinder& finder, const std::string& text,
                      std::size_t cap) {
  const Exact exact(text);
  wordsplit::SpanFinder::Memory memory = finder.memory(exact.data.get(), exact.n, 0);
  Ids out;
  const std::unique_ptr<std::uint32_t[]> ends(new std::uint32_t[cap]);
  for (std::size_t pos = 0; pos < exact.n;) {
    const std::size_t count = finder.find(exact.data.get(), exact.n, pos, ends.get(), cap, memory);
    if (count == 0 || count > cap || pos != ends[count - 1]) fail("no end", text);
    out.insert(out.end(), ends.get(), ends.get() + count);
  }
  return out;
}

// Fails unless a text that is cut at a place has the spans of the whole.
inline void check_cut(const wordsplit::SpanFinder& finder, const std::string& text, std::size_t at,
                      const Ids& whole, std::uint64_t seed = 0) {
  Ids parts = found_ends(finder, text.substr(0, at), 64);
  for (const std::uint32_t end : found_ends(finder, text.substr(at), 64)) {
    parts.push_back(end + static_cast<std::uint32_t>(at));
  }
  if (parts != whole) fail("a cut", text, seed);
}

}  // namespace support
