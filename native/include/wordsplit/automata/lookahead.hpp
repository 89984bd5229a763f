// Look-ahead over any number of characters, by a walk from the end of a text.
//
// The walk gives each character a symbol: its class, and which look-ahead of the pattern holds
// before it. To the automaton of the pattern, which has symbols for classes, look-ahead then
// depends only on the next character. wordsplit.patterns.lookahead (Python) builds the tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "wordsplit/automata/character_classes.hpp"
#include "wordsplit/automata/character_view.hpp"

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
  // The tables that it was made of.
  const std::vector<std::uint16_t>& back() const { return back_; }
  const std::vector<std::uint8_t>& symbols() const { return symbols_; }
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

// The symbols of a text, made for a block of it at a time.
//
// The walk begins at a character that forgets what follows it, which may be far, or at the end of
// the text. Where the blocks up to there begin, and the states in which the walk leaves each, are
// kept, so that it is walked once; symbols only of the last two blocks that were requested, because
// attempts go back.
class Symbols {
 public:
  Symbols(const CharacterClasses& characters, const Lookahead& lookahead, const CharacterView& view)
      : characters_(&characters), lookahead_(&lookahead), view_(view) {}

  // The symbol of the character `code`, which begins at `at` < end.
  std::uint8_t of(std::uint32_t code, std::size_t at) {
    const std::uint8_t only = lookahead_->only_symbol(characters_->of(code));
    if (only != Lookahead::kVaries) return only;
    if (at - symbols_.begin >= symbols_.of.size()) make(at);
    return symbols_.of[at - symbols_.begin];
  }

 private:
  static constexpr std::size_t kBlock = 4096, kBefore = 512;

  struct Block {
    std::size_t begin;
    std::uint16_t state;  // of the walk where the block ends
  };
  struct BlockSymbols {
    std::size_t begin = 0;
    std::vector<std::uint8_t> of;  // by byte
  };

  void make(std::size_t at) {
    std::swap(symbols_, before_);
    if (at - symbols_.begin < symbols_.of.size()) return;
    if (blocks_.empty() || at < blocks_[0].begin) {
      blocks_.clear();
      end_ = view_.start_of(at - std::min(at - view_.begin, kBefore));
    }
    while (at >= end_) walk();
    const auto next =
        std::upper_bound(blocks_.begin(), blocks_.end(), at,
                         [](std::size_t place, const Block& block) { return place < block.begin; });
    fill(*(next - 1), next == blocks_.end() ? end_ : next->begin);
  }

  // Adds the blocks from end_ to the next character that forgets what follows it.
  void walk() {
    const std::size_t first = blocks_.size();
    std::uint16_t state = 0;
    for (bool forgets = false; end_ < view_.end && !forgets;) {
      blocks_.push_back({end_, 0});
      for (const std::size_t full = end_ + kBlock; end_ < view_.end;) {
        const CodePoint code = view_.at(end_);
        const std::uint8_t cls = characters_->of(code.value);
        if (end_ >= full) {
          forgets = lookahead_->forgets(cls);
          if (forgets) state = lookahead_->back(0, cls);
          if (forgets || end_ >= full + kBlock) break;
        }
        end_ += code.size;
      }
    }
    std::size_t end = end_;
    for (std::size_t i = blocks_.size(); i-- > first;) {
      blocks_[i].state = state;
      if (i > first) state = fill(blocks_[i], end);
      end = blocks_[i].begin;
    }
  }

  // Makes the symbols of a block, and returns the state of the walk where it begins.
  std::uint16_t fill(const Block& block, std::size_t end) {
    places_.clear();
    for (std::size_t at = block.begin; at < end;) {
      const CodePoint code = view_.at(at);
      places_.push_back({at, characters_->of(code.value)});
      at += code.size;
    }
    symbols_.begin = block.begin;
    symbols_.of.assign(end - block.begin, 0);
    std::uint16_t state = block.state;
    for (std::size_t i = places_.size(); i-- > 0;) {
      const auto [at, cls] = places_[i];
      symbols_.of[at - block.begin] = lookahead_->symbol(state, cls);
      state = lookahead_->back(state, cls);
    }
    return state;
  }

  const CharacterClasses* characters_;
  const Lookahead* lookahead_;
  CharacterView view_;
  std::vector<Block> blocks_;  // from before the first place that was requested to end_
  std::size_t end_ = 0;
  BlockSymbols symbols_, before_;
  std::vector<std::pair<std::size_t, std::uint8_t>> places_;
};

}  // namespace wordsplit::automata
