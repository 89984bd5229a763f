// Walks a span automaton over text, in consecutive attempts at a match.
//
// Linear time: an attempt may read far beyond its last match, and the next one again. One that has
// read kFar bytes more than it matched notes its state now and then; a later attempt that comes to
// the same state at the same place ends there. The farther from its last match, the farther apart
// an attempt's notes are, and those after an attempt are forgotten. So whatever the text, no more
// are kept than kMore for each state and power of kMore. An attempt that begins where notes are far
// apart adds those between: each (state, place) is passed once for each power.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "wordsplit/automata/character_view.hpp"
#include "wordsplit/automata/span_automaton.hpp"

namespace wordsplit::automata {

// A piece of text, from the end of the one before to `end`: a match, or the text between two.
struct Piece {
  std::size_t end;
  bool is_match;
};

// Attempts at matches in one text, or a piece of it. Places are those of the text.
class Attempts {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  Attempts(const SpanAutomaton& automaton, const CharacterView& view)
      : automaton_(automaton), view_(view) {
    if (const Lookahead* const lookahead = automaton.lookahead()) {
      symbols_.emplace(automaton.characters(), *lookahead, view);
    }
  }

  const CharacterView& view() const { return view_; }

  // The class of the character before `at`, or the edge.
  unsigned class_before(std::size_t at) {
    if (at == view_.begin) return automaton_.edge();
    const std::size_t from = view_.start_of(at - 1);
    return class_of(view_.at(from).value, from);
  }
  // The class of the character that begins at `at`.
  unsigned class_of(std::uint32_t code, std::size_t at) {
    return symbols_ ? symbols_->of(code, at) : automaton_.characters().of(code);
  }

  // The end of the match that begins at `at`, or kNone.
  std::size_t match(std::size_t at) {
    std::size_t found = kNone, from = at;  // where the next attempt begins at the earliest
    std::size_t far = at + kFar;
    SpanAutomaton::State state = automaton_.start(class_before(at));
    noted_.clear();
    if (failed_.size() > most_failed_) forget(at);
    while (state != SpanAutomaton::kDead) {
      if (at == view_.end) {
        if (automaton_.move(state, automaton_.edge()).matched) return at;
        break;
      }
      const CodePoint code = view_.at(at);
      const auto [matched, to] = automaton_.move(state, class_of(code.value, at));
      if (matched) {
        found = from = at;
        far = at + kFar;
        noted_.clear();
      }
      const std::size_t next = at + code.size;
      if (at >= far && at / kFar != next / kFar && to != SpanAutomaton::kDead) {
        const std::uint64_t place = std::uint64_t{next} << 16 | to;
        if (failed_.contains(place)) break;
        std::size_t apart = kFar;
        while ((at - from) / kMore >= apart) apart *= kMore;
        if (at / apart != next / apart) noted_.push_back(place);
      }
      state = to;
      at = next;
    }
    failed_.insert(noted_.begin(), noted_.end());
    return found;
  }

  // The piece that begins at `at` < end, of a text whose pieces end at `at`. An empty match is a
  // piece where text between matches ends, else nothing.
  Piece piece(std::size_t at) {
    std::size_t end = match(at);
    if (end != kNone && end > at) return {end, true};
    while ((at += view_.at(at).size) < view_.end) {
      if (match(at) != kNone) break;
    }
    return {at, false};
  }

 private:
  static constexpr std::size_t kFar = 16, kMore = 64, kFew = 1024;

  // Removes the notes after a place.
  void forget(std::size_t place) {
    std::erase_if(failed_, [&](std::uint64_t noted) { return noted >> 16 <= place; });
    most_failed_ = std::max(2 * failed_.size(), kFew);
  }

  const SpanAutomaton& automaton_;
  CharacterView view_;
  std::optional<Symbols> symbols_;  // if the automaton looks ahead
  std::vector<std::uint64_t> noted_;
  std::unordered_set<std::uint64_t> failed_;
  std::size_t most_failed_ = kFew;  // before those behind are removed
};

}  // namespace wordsplit::automata
