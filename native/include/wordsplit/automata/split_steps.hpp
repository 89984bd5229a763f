// Pre-tokenization in steps of any pattern, each within the pieces of the one before.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "wordsplit/automata/scanner.hpp"
#include "wordsplit/text/stretch.hpp"

namespace wordsplit::automata {

// What becomes of a match. In inverted steps, matches and the text between them change places.
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

  // A piece as a step sees it, and how far the step is in it. Of a step on bytes that is the piece
  // itself if it is ASCII, else a text in which each byte has become a code point.
  class Seen {
   public:
    void begin(const std::uint8_t* piece, std::size_t n, bool on_bytes) {
      text = piece;
      size = n;
      at = passed_ = bytes_ = 0;
      is_widened_ =
          on_bytes && std::any_of(piece, piece + n, [](auto byte) { return byte >= 0x80; });
      if (!is_widened_) return;
      check_stretch(2 * n);
      widened_.resize(2 * n);
      std::uint8_t* to = widened_.data();
      for (std::size_t i = 0; i < n; ++i) to = put_utf8(piece[i], to);
      text = widened_.data();
      size = static_cast<std::size_t>(to - text);
    }
    // How much of the piece is before a place of what is seen. Places ascend.
    std::size_t bytes_before(std::size_t place) {
      if (!is_widened_) return place;
      for (; passed_ < place; ++passed_) bytes_ += (text[passed_] & 0xC0) != 0x80;
      return bytes_;
    }

    const std::uint8_t* text = nullptr;
    std::size_t size = 0, at = 0;

   private:
    std::vector<std::uint8_t> widened_;
    bool is_widened_ = false;
    std::size_t passed_ = 0, bytes_ = 0;
  };

  // What the calls of scan() for one text, from one place on, remember.
  class Memory {
   public:
    Memory(const SplitSteps& steps, const std::uint8_t* text, std::size_t n, std::size_t pos)
        : first_(steps.steps_[0].scanner->automaton(), text, n),
          first_at_(pos),
          inner_(steps.size()) {
      for (Inner& inner : inner_) inner.begin = inner.end = pos;
    }

   private:
    friend SplitSteps;
    static constexpr std::size_t kBlock = 128;

    // A step within the pieces of the one before; the first one, if it is on bytes, within the
    // text.
    struct Inner {
      std::size_t begin, end;  // of the piece
      Seen seen;
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
    if (can_begin_anywhere()) return scan_step(steps_[0], text, n, pos, ends, cap, memory.first_);
    const std::size_t written = pull(steps_.size() - 1, text, n, ends, cap, memory);
    if (written) pos = ends[written - 1];
    return written;
  }

 private:
  // Writes the next ends of a step, 0 at the end of the text.
  std::size_t pull(std::size_t number, const std::uint8_t* text, std::size_t n, std::uint32_t* ends,
                   std::size_t cap, Memory& memory) const {
    const SplitStep& step = steps_[number];
    if (number == 0 && !step.on_bytes) {
      return scan_step(step, text, n, memory.first_at_, ends, cap, memory.first_);
    }
    Memory::Inner& inner = memory.inner_[number];
    Seen& seen = inner.seen;
    std::size_t written = 0;
    while (written < cap) {
      if (seen.at == seen.size) {
        inner.begin = inner.end;
        if (number == 0) {
          if (inner.begin == n) break;
          inner.end = n;
        } else {
          if (inner.next == inner.count) {
            inner.next = 0;
            inner.count = pull(number - 1, text, n, inner.outer.data(), inner.outer.size(), memory);
            if (inner.count == 0) break;
          }
          inner.end = inner.outer[inner.next++];
        }
        const std::uint8_t* const piece = text + inner.begin;
        const std::size_t size = inner.end - inner.begin;
        if (stays_whole(step, piece, size)) {
          ends[written++] = static_cast<std::uint32_t>(inner.end);
          continue;
        }
        seen.begin(piece, size, step.on_bytes);
        inner.attempts.emplace(step.scanner->automaton(), seen.text, seen.size);
      }
      const std::size_t found = scan_step(step, seen.text, seen.size, seen.at, ends + written,
                                          cap - written, *inner.attempts);
      for (std::size_t i = written; i < written + found; ++i) {
        ends[i] = static_cast<std::uint32_t>(inner.begin + seen.bytes_before(ends[i]));
      }
      written += found;
    }
    return written;
  }

  // Whether a piece is one span, as far as a glance tells: most pieces are.
  static bool stays_whole(const SplitStep& step, const std::uint8_t* piece, std::size_t n) {
    return n == (step.on_bytes ? 1 : decode_utf8(piece, piece + n).size) ||
           step.scanner->passes_over(piece, n, step.on_bytes);
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
