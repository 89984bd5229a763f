// Pre-tokenization in steps of any pattern, each within the pieces of the one before.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "wordsplit/automata/scanner.hpp"

namespace wordsplit::automata {

// The treatment of a match. In inverted steps, matches and the text between them change places.
enum class Behavior { Isolated, Contiguous, MergedWithPrevious, MergedWithNext };

struct SplitStep {
  std::shared_ptr<const Scanner> scanner;
  Behavior behavior = Behavior::Isolated;
  bool invert = false;
  // Whether each byte is a character, the code point of its number. Then a span may end within a
  // character of the text.
  bool on_bytes = false;
};

class SplitSteps {
 public:
  // Precondition: there is a step.
  explicit SplitSteps(std::vector<SplitStep> steps) : steps_(std::move(steps)) {}

  std::size_t size() const { return steps_.size(); }
  const std::vector<SplitStep>& steps() const { return steps_; }

  // Whether spans from any end on depend on nothing before it: there is one step, of characters.
  bool can_begin_anywhere() const { return steps_.size() == 1 && !steps_[0].on_bytes; }

  // The class of a code point in each step that can_cut() asks.
  std::vector<std::uint8_t> classes_of(std::uint32_t code) const {
    std::vector<std::uint8_t> out;
    for (const SplitStep& step : steps_) {
      if (step.on_bytes) break;
      out.push_back(step.scanner->automaton().characters().of(code));
    }
    return out;
  }

  // Whether the spans of a text that is cut between two such characters are those of both parts.
  bool can_cut(std::uint32_t a, std::uint32_t b) const {
    for (const SplitStep& step : steps_) {
      const SpanAutomaton& automaton = step.scanner->automaton();
      if (automaton.lookahead() || step.behavior != Behavior::Isolated || step.on_bytes) {
        return false;
      }
      const auto cut = automaton.cut(automaton.characters().of(a), automaton.characters().of(b));
      // The steps after one that ends a piece there see it as the end of a text.
      if (cut != SpanAutomaton::Cut::InGap) return cut == SpanAutomaton::Cut::AtEnd;
    }
    return false;
  }

  // What the calls of scan() for one text, from one place on, remember.
  class Memory {
   public:
    Memory(const SplitSteps& steps, const std::uint8_t* text, std::size_t n, std::size_t pos) {
      const SplitStep& first = steps.steps_[0];
      if (!first.on_bytes) whole_.emplace(first.scanner->automaton(), CharacterView{text, 0, n});
      if (steps.can_begin_anywhere()) return;
      add_steps(steps.size(), pos);
      if (!first.on_bytes) return;
      steps_[0].ends[0] = static_cast<std::uint32_t>(n);
      steps_[0].pieces.set(pos, steps_[0].ends.data(), 1);
    }
    // The same within the pieces of a text, one or more, which end at ends[0, count).
    Memory(const SplitSteps& steps, const std::uint32_t* ends, std::size_t count) {
      add_steps(steps.size(), 0);
      steps_[0].pieces.set(0, ends, count);
    }

   private:
    friend SplitSteps;
    static constexpr std::size_t kBlock = 512;

    // How far a step is, and pieces of the step before; of the first, what it is within.
    struct Step {
      std::size_t at;
      Scanner::Pieces pieces;
      std::array<std::uint32_t, kBlock> ends;

      explicit Step(std::size_t pos) : at(pos) { pieces.set(pos, nullptr, 0); }
    };
    void add_steps(std::size_t count, std::size_t pos) {
      steps_.reserve(count);
      for (std::size_t i = 0; i < count; ++i) steps_.emplace_back(pos);
    }

    std::optional<Attempts> whole_;  // of the first step, unless it is within pieces
    std::vector<Step> steps_;
  };

  // Writes ends as a scan function does (scanners.hpp). `pos` is where the memory begins, or where
  // the call before ended.
  std::size_t scan(const std::uint8_t* text, std::size_t n, std::size_t& pos, std::uint32_t* ends,
                   std::size_t cap, Memory& memory) const {
    if (steps_.size() == 1 && memory.whole_) {
      return scan_step(steps_[0], pos, ends, cap, *memory.whole_);
    }
    const std::size_t written = pull(steps_.size() - 1, text, n, ends, cap, memory);
    if (written) pos = ends[written - 1];
    return written;
  }

 private:
  // Writes the next ends of a step, 0 at the end of the text.
  std::size_t pull(std::size_t number, const std::uint8_t* text, std::size_t n, std::uint32_t* ends,
                   std::size_t cap, Memory& memory) const {
    const SplitStep& step = steps_[number];
    Memory::Step& own = memory.steps_[number];
    if (number == 0 && memory.whole_) {
      return scan_step(step, own.at, ends, cap, *memory.whole_);
    }
    const CharacterView view{text, 0, n, step.on_bytes};
    std::size_t written = 0;
    while (written < cap) {
      if (own.at == own.pieces.end()) {
        if (number == 0) break;
        const std::size_t count =
            pull(number - 1, text, n, own.ends.data(), own.ends.size(), memory);
        if (count == 0) break;
        own.pieces.set(own.at, own.ends.data(), count);
      }
      if (step.behavior == Behavior::Isolated) {
        written +=
            step.scanner->scan_within(view, own.pieces, own.at, ends + written, cap - written);
      } else {
        Attempts& attempts = own.pieces.attempts_at(own.at, step.scanner->automaton(), view);
        written += scan_step(step, own.at, ends + written, cap - written, attempts);
      }
    }
    return written;
  }

  // Writes the ends of a step within one text, or of one that merges within one piece.
  static std::size_t scan_step(const SplitStep& step, std::size_t& pos, std::uint32_t* ends,
                               std::size_t cap, Attempts& attempts) {
    if (step.behavior == Behavior::Isolated) return step.scanner->scan(pos, ends, cap, attempts);
    std::size_t written = 0;
    while (written < cap && pos < attempts.view().end) {
      pos = merged_end(step, pos, attempts);
      ends[written++] = static_cast<std::uint32_t>(pos);
    }
    return written;
  }

  // The end of the piece that begins at `pos`. Two texts in a row that match nothing have an empty
  // match between them, so that they do not merge.
  static std::size_t merged_end(const SplitStep& step, std::size_t pos, Attempts& attempts) {
    const std::size_t n = attempts.view().end;
    Piece piece = attempts.piece(pos);
    if (step.behavior == Behavior::Contiguous) {
      while (piece.is_match && piece.end < n) {
        const Piece next = attempts.piece(piece.end);
        if (!next.is_match) break;
        piece = next;
      }
      return piece.end;
    }
    const bool is_last = step.behavior == Behavior::MergedWithPrevious;
    const auto joins = [&](bool is_match) { return is_match != step.invert; };
    if (piece.end == n || joins(piece.is_match) == is_last) return piece.end;
    const Piece next = attempts.piece(piece.end);
    return joins(next.is_match) == is_last ? next.end : piece.end;
  }

  std::vector<SplitStep> steps_;
};

}  // namespace wordsplit::automata
