// A pattern as an automaton over character classes: where the match that begins at a place
// ends.
//
// An attempt at a match begins in the state for the character before it. Each character after that,
// and the end of the text, gives whether a match ends before it and the next state. The last match
// before the dead state, or the end, is the one that a backtracking matcher would find first.
// wordsplit.patterns.compiler (Python) builds it from the pattern and explains why this holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "wordsplit/automata/character_classes.hpp"
#include "wordsplit/automata/lookahead.hpp"

namespace wordsplit::automata {

class SpanAutomaton {
 public:
  using State = std::uint16_t;
  static constexpr State kDead = 0;

  struct Move {
    bool matched;  // a match ends before the character
    State to;
    bool operator==(const Move&) const = default;
  };

  // starts: the state after a character of each class, and at the start of the text; next: for each
  // state and class, and the end of the text, twice the next state, and one more if matched. Throws
  // std::invalid_argument.
  // With look-ahead, its symbols take the place of classes.
  SpanAutomaton(CharacterClasses characters, unsigned classes, std::vector<State> starts,
                std::vector<State> next, std::optional<Lookahead> lookahead)
      : characters_(std::move(characters)),
        classes_(classes),
        starts_(std::move(starts)),
        next_(std::move(next)),
        lookahead_(std::move(lookahead)) {
    const std::size_t row = classes_ + 1;
    if (classes_ == 0 || classes_ > 254 || starts_.size() != row || next_.empty() ||
        next_.size() % row != 0) {
      throw std::invalid_argument("an automaton of another size");
    }
    const auto is_state = [&](std::size_t state) { return state < states(); };
    if (!std::all_of(starts_.begin(), starts_.end(), is_state) ||
        !std::all_of(next_.begin(), next_.end(), [&](State move) { return is_state(move / 2); }) ||
        std::any_of(next_.begin(), next_.begin() + static_cast<std::ptrdiff_t>(row),
                    [](State move) { return move != 0; })) {
      throw std::invalid_argument("an automaton with moves to states that it lacks");
    }
    const unsigned given = lookahead_ ? lookahead_->classes() : classes_;
    if (characters_.greatest() >= given ||
        (lookahead_ && lookahead_->greatest_symbol() >= classes_)) {
      throw std::invalid_argument("a class without a column");
    }
    find_certain();
  }

  const CharacterClasses& characters() const { return characters_; }
  // Null if the class of a character is its symbol.
  const Lookahead* lookahead() const { return lookahead_ ? &*lookahead_ : nullptr; }
  unsigned classes() const { return classes_; }
  // The tables that it was made of.
  const std::vector<State>& starts() const { return starts_; }
  const std::vector<State>& next() const { return next_; }
  std::size_t states() const { return next_.size() / (classes_ + 1); }
  // The column of the end of the text in move(), and of its start in start().
  unsigned edge() const { return classes_; }
  State start(unsigned cls) const { return starts_[cls]; }
  Move move(State state, unsigned cls) const {
    const State move = next_[std::size_t{state} * (classes_ + 1) + cls];
    return {(move & 1) != 0, static_cast<State>(move / 2)};
  }
  // Whether a match may be empty.
  bool matches_empty() const {
    const auto matches = [&](State state) {
      for (unsigned cls = 0; cls <= classes_; ++cls) {
        if (move(state, cls).matched) return true;
      }
      return false;
    };
    return std::any_of(starts_.begin(), starts_.end(), matches);
  }
  // Whether an attempt that begins with a character of this class ends there, without a match.
  bool ends_at(unsigned cls) const {
    return std::all_of(starts_.begin(), starts_.end(),
                       [&](State start) { return move(start, cls) == Move{false, kDead}; });
  }
  // Whether an attempt in this state will match, whatever follows.
  bool is_certain(State state) const { return certain_[state]; }

  // What becomes of the pieces of a text that is cut between characters of two classes.
  enum class Cut {
    Unknown,
    InGap,  // they are those of both parts, except that one between two matches may be in two
    AtEnd,  // they are those of both parts
  };
  Cut cut(unsigned a, unsigned b) const {
    // No attempt that reads the first character tells the second from the end of the text.
    const auto ends_alike = [&](State after) {
      return move(after, b) == Move{move(after, edge()).matched, kDead};
    };
    for (std::size_t state = 1; state < states(); ++state) {
      const State after = move(static_cast<State>(state), a).to;
      if (after != kDead && !ends_alike(after)) return Cut::Unknown;
    }
    const Move first = move(start(a), b);
    if (first != move(start(edge()), b)) return Cut::Unknown;
    // A piece ends there if one begins there, or if an attempt at the first character matches.
    if (is_certain(first.to)) return Cut::AtEnd;
    for (const State start : starts_) {
      const State after = move(start, a).to;
      if (after == kDead || !move(after, b).matched) return Cut::InGap;
    }
    return Cut::AtEnd;
  }

 private:
  void find_certain() {
    certain_.assign(states(), true);
    certain_[kDead] = false;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t state = 1; state < states(); ++state) {
        for (unsigned cls = 0; certain_[state] && cls <= classes_; ++cls) {
          const auto [matched, to] = move(static_cast<State>(state), cls);
          if (matched || certain_[to]) continue;
          certain_[state] = false;
          changed = true;
        }
      }
    }
  }

  CharacterClasses characters_;
  unsigned classes_;
  std::vector<State> starts_, next_;
  std::optional<Lookahead> lookahead_;
  std::vector<bool> certain_;
};

}  // namespace wordsplit::automata
