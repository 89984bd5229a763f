// Pre-tokenization in steps of any pattern, each within the pieces of the one before.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "wordsplit/automata/scanner.hpp"

namespace wordsplit::automata {

// What becomes of a match. In inverted steps, matches and the text between them change places.
enum class Behavior { Isolated, Contiguous, MergedWithPrevious, MergedWithNext };

struct SplitStep {
  std::shared_ptr<const Scanner> scanner;
  Behavior behavior = Behavior::Isolated;
  bool invert = false;
};

class SplitSteps {
 public:
  // Precondition: there is a step.
  explicit SplitSteps(std::vector<SplitStep> steps) : steps_(std::move(steps)) {}

  std::size_t size() const { return steps_.size(); }
  const std::vector<SplitStep>& steps() const { return steps_; }

  // The class of a code point in each step.
  std::vector<std::uint8_t> classes_of(std::uint32_t code) const {
    std::vector<std::uint8_t> out;
    for (const SplitStep& step : steps_) {
      out.push_back(step.scanner->automaton().characters().of(code));
    }
    return out;
  }

  // Whether the spans of a text that is cut between two such characters are those of both parts.
  bool can_cut(std::uint32_t a, std::uint32_t b) const {
    for (const SplitStep& step : steps_) {
      const SpanAutomaton& automaton = step.scanner->automaton();
      if (automaton.lookahead() || step.behavior != Behavior::Isolated) return false;
      const auto cut = automaton.cut(automaton.characters().of(a), automaton.characters().of(b));
      // The steps after one that ends a piece there see it as the end of a text.
      if (cut != SpanAutomaton::Cut::InGap) return cut == SpanAutomaton::Cut::AtEnd;
    }
    return false;
  }

  // What the calls of scan() for one text, from one place on, remember.
  class Memory {
   public:
    Memory(const SplitSteps& steps, const std::uint8_t* text, std::size_t n, std::size_t pos)
        : first_(steps.steps_[0].scanner->automaton(), text, n),
          first_at_(pos),
          inner_(steps.size() - 1) {
      for (Inner& inner : inner_) inner.begin = inner.end = inner.at = pos;
    }

   private:
    friend SplitSteps;
    static constexpr std::size_t kBlock = 128;

    // A step within the pieces of the one before.
    struct Inner {
      std::size_t begin, end;  // of the piece
      std::size_t at;          // the next span
      std::optional<Attempts> attempts;
      // Ends of the step before, of which `next` have been used.
      std::array<std::uint32_t, kBlock> outer;
      std::size_t next = 0, count = 0;
    };
    Attempts first_;
    std::size_t first_at_;  // where it is, if there are several
    std::vector<Inner> inner_;
  };

  // Writes ends as a scan function does (scanners.hpp). `pos` is where the memory begins, or where
  // the call before ended.
  std::size_t scan(const std::uint8_t* text, std::size_t n, std::size_t& pos, std::uint32_t* ends,
                   std::size_t cap, Memory& memory) const {
    if (steps_.size() == 1) return scan_step(steps_[0], text, n, pos, ends, cap, memory.first_);
    const std::size_t written = pull(steps_.size() - 1, text, n, ends, cap, memory);
    if (written) pos = ends[written - 1];
    return written;
  }

 private:
  // Writes the next ends of a step, 0 at the end of the text.
  std::size_t pull(std::size_t number, const std::uint8_t* text, std::size_t n, std::uint32_t* ends,
                   std::size_t cap, Memory& memory) const {
    const SplitStep& step = steps_[number];
    if (number == 0) {
      return scan_step(step, text, n, memory.first_at_, ends, cap, memory.first_);
    }
    Memory::Inner& inner = memory.inner_[number - 1];
    std::size_t written = 0;
    while (written < cap) {
      if (inner.at == inner.end) {
        if (inner.next == inner.count) {
          inner.next = 0;
          inner.count = pull(number - 1, text, n, inner.outer.data(), inner.outer.size(), memory);
          if (inner.count == 0) break;
        }
        inner.begin = inner.at = inner.end;
        inner.end = inner.outer[inner.next++];
        if (inner.end - inner.begin == decode_utf8(text + inner.begin, text + inner.end).size) {
          inner.at = inner.end;  // one character
          ends[written++] = static_cast<std::uint32_t>(inner.end);
          continue;
        }
        inner.attempts.emplace(step.scanner->automaton(), text + inner.begin,
                               inner.end - inner.begin);
      }
      std::size_t at = inner.at - inner.begin;
      const std::size_t found = scan_step(step, text + inner.begin, inner.end - inner.begin, at,
                                          ends + written, cap - written, *inner.attempts);
      inner.at = inner.begin + at;
      for (std::size_t i = 0; i < found; ++i) {
        ends[written + i] += static_cast<std::uint32_t>(inner.begin);
      }
      written += found;
    }
    return written;
  }

  static std::size_t scan_step(const SplitStep& step, const std::uint8_t* text, std::size_t n,
                               std::size_t& pos, std::uint32_t* ends, std::size_t cap,
                               Attempts& attempts) {
    if (step.behavior == Behavior::Isolated) {
      return step.scanner->scan(text, n, pos, ends, cap, attempts);
    }
    std::size_t written = 0;
    while (written < cap && pos < n) {
      pos = merged_end(step, n, pos, attempts);
      ends[written++] = static_cast<std::uint32_t>(pos);
    }
    return written;
  }

  // The end of the piece that begins at `pos` < n. Two texts in a row that match nothing have an
  // empty match between them, so that they do not merge.
  static std::size_t merged_end(const SplitStep& step, std::size_t n, std::size_t pos,
                                Attempts& attempts) {
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
