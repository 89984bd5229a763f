// Look-ahead of several characters, however many, told by a walk from the end of a text.
//
// The walk gives each character a symbol: its class, and which look-ahead of the pattern holds
// before it. To the automaton of the pattern, which has symbols for classes, look-ahead is then a
// matter of the next character. wordsplit.patterns.lookahead (Python) makes the tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "wordsplit/automata/character_classes.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit::automata {

class Lookahead {
 public:
  // For each state and class, the state that follows towards the start of the text, and the symbol.
  // The walk begins in the state 0. Throws std::invalid_argument.
  Lookahead(unsigned classes, std::vector<std::uint16_t> back, std::vector<std::uint8_t> symbols)
      : classes_(classes), back_(std::move(back)), symbols_(std::move(symbols)) {
    if (classes_ == 0 || back_.empty() || back_.size() % classes_ ||
        back_.size() != symbols_.size()) {
      throw std::invalid_argument("look-ahead of another size");
    }
    const std::size_t states = back_.size() / classes_;
    if (std::any_of(back_.begin(), back_.end(),
                    [&](std::size_t state) { return state >= states; })) {
      throw std::invalid_argument("look-ahead with moves to states that it lacks");
    }
    for (unsigned cls = 0; cls < classes_; ++cls) {
      bool same_state = true, same_symbol = true;
      for (std::size_t state = 1; state < states; ++state) {
        same_state &= back_[state * classes_ + cls] == back_[cls];
        same_symbol &= symbols_[state * classes_ + cls] == symbols_[cls];
      }
      forgets_.push_back(same_state);
      only_symbol_.push_back(same_symbol ? symbols_[cls] : kVaries);
    }
  }

  static constexpr std::uint8_t kVaries = 0xFF;

  unsigned classes() const { return classes_; }
  std::uint8_t greatest_symbol() const {
    return *std::max_element(symbols_.begin(), symbols_.end());
  }
  std::uint16_t back(std::uint16_t state, unsigned cls) const {
    return back_[std::size_t{state} * classes_ + cls];
  }
  std::uint8_t symbol(std::uint16_t state, unsigned cls) const {
    return symbols_[std::size_t{state} * classes_ + cls];
  }
  // Whether the state after a character of the class is the same whatever follows.
  bool forgets(unsigned cls) const { return forgets_[cls]; }
  // The symbol of a character of the class, or kVaries if what follows decides it.
  std::uint8_t only_symbol(unsigned cls) const { return only_symbol_[cls]; }

 private:
  unsigned classes_;
  std::vector<std::uint16_t> back_;
  std::vector<std::uint8_t> symbols_;
  std::vector<bool> forgets_;
  std::vector<std::uint8_t> only_symbol_;
};

// The symbols of a text, made for a stretch of it at a time: up to a character that forgets what
// follows it.
class Symbols {
 public:
  Symbols(const CharacterClasses& characters, const Lookahead& lookahead, const std::uint8_t* text,
          std::size_t n)
      : characters_(&characters), lookahead_(&lookahead), text_(text), n_(n) {}

  // The symbol of the character `code`, which begins at `at` < n.
  std::uint8_t of(std::uint32_t code, std::size_t at) {
    const std::uint8_t only = lookahead_->only_symbol(characters_->of(code));
    if (only != Lookahead::kVaries) return only;
    if (at < begin_ || at >= begin_ + symbols_.size()) make(at);
    return symbols_[at - begin_];
  }

 private:
  static constexpr std::size_t kStretch = 4096, kBefore = 512;

  void make(std::size_t at) {
    // Attempts go back, to the character before a match at least.
    const std::size_t from = code_point_start(text_, n_, at - std::min(at, kBefore));
    std::vector<std::size_t> places;
    std::vector<std::uint8_t> classes;
    std::uint16_t state = 0;
    std::size_t end = from;
    while (end < n_) {
      const CodePoint code = decode_utf8(text_ + end, text_ + n_);
      const std::uint8_t cls = characters_->of(code.value);
      if (end >= at + kStretch && lookahead_->forgets(cls)) {
        state = lookahead_->back(0, cls);
        break;
      }
      places.push_back(end);
      classes.push_back(cls);
      end += code.size;
    }
    begin_ = from;
    symbols_.assign(end - from, 0);
    for (std::size_t i = places.size(); i-- > 0;) {
      symbols_[places[i] - from] = lookahead_->symbol(state, classes[i]);
      state = lookahead_->back(state, classes[i]);
    }
  }

  const CharacterClasses* characters_;
  const Lookahead* lookahead_;
  const std::uint8_t* text_;
  std::size_t n_;
  std::size_t begin_ = 0;
  std::vector<std::uint8_t> symbols_;
};

}  // namespace wordsplit::automata
