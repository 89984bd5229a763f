// Splits text into spans by the steps of a pre-tokenizer, some of which remove, add or respell
// text.
//
// The spans are consecutive parts of a separate text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "wordsplit/automata/character_classes.hpp"
#include "wordsplit/automata/pieces.hpp"
#include "wordsplit/automata/split_steps.hpp"
#include "wordsplit/engine/normalizer.hpp"

namespace wordsplit {

class Rewriting {
 public:
  // Text, and the ends of its pieces, of which none is empty.
  struct Pieces : AlignedText {
    std::vector<std::uint32_t> ends;
    // The ends of the pieces before the last splits in a row, if the text has the numbers of its
    // characters: these splits may have divided characters.
    std::vector<std::uint32_t> unsplit;
    Beginning beginning = Beginning::Elsewhere;  // of the first piece; all others are elsewhere

    void clear() {
      AlignedText::clear();
      ends.clear();
    }
    void end_piece() { ends.push_back(static_cast<std::uint32_t>(text.size())); }
  };
  // The memory of a call.
  struct Buffers {
    Pieces pieces, next;
  };

  // Puts a space before each piece that does not begin with one.
  struct PrefixSpace {};
  // Splits at the matches of a pattern.
  struct Split {
    automata::SplitSteps steps;  // one
  };
  // Removes the matches, or the text between them.
  struct Remove {
    automata::SplitStep step;
  };
  // Writes a space as another character, and puts that before pieces that do not begin so: before
  // each, or before the one at the beginning of the text. There is one such step at most.
  struct Metaspace {
    enum class Prepend { Never, Always, First };
    std::string mark;
    Prepend prepend;
  };
  // Splits where the script changes, and removes what is before the first character that has one.
  struct Scripts {
    automata::CharacterClasses classes;  // 0: none
  };
  using Step = std::variant<PrefixSpace, Split, Remove, Metaspace, Scripts, ByteSpelling>;

  void add(Step step) { steps_.push_back(std::move(step)); }
  const std::vector<Step>& steps() const { return steps_; }

  // Whether a step treats the beginning of the original otherwise.
  bool needs_beginning() const {
    return std::any_of(steps_.begin(), steps_.end(), [](const Step& step) {
      const auto* const metaspace = std::get_if<Metaspace>(&step);
      return metaspace && metaspace->prepend == Metaspace::Prepend::First;
    });
  }

  // Whether a step may remove a part of a character.
  bool removes_bytes() const {
    return std::any_of(steps_.begin(), steps_.end(), [](const Step& step) {
      const auto* const remove = std::get_if<Remove>(&step);
      return remove && remove->step.on_bytes;
    });
  }

  // Returns the spans of a text that is not empty. They last until the next call. `beginning`: that
  // of the text, or elsewhere if no step needs it. Throws NotInCore.
  template <class Report>
  const Pieces& apply(const AlignedView& text, Beginning beginning, Buffers& buffers,
                      Report&& report) const {
    if (!is_utf8(bytes_of(text.text), text.text.size())) throw NotInCore();
    check_stretch(text.text.size());
    buffers.pieces.clear();
    buffers.pieces.append(text);
    buffers.pieces.end_piece();
    buffers.pieces.beginning = beginning;
    if (text.origins) buffers.pieces.unsplit = buffers.pieces.ends;
    for (const Step& step : steps_) {
      buffers.next.clear();
      buffers.next.beginning = buffers.pieces.beginning;
      std::visit([&](const auto& each) { run(each, buffers.pieces, buffers.next, report); }, step);
      if (std::holds_alternative<Split>(step)) {
        buffers.next.unsplit.swap(buffers.pieces.unsplit);
      } else if (text.origins) {
        buffers.next.unsplit = buffers.next.ends;
      }
      std::swap(buffers.pieces, buffers.next);
      check_stretch(buffers.pieces.text.size());
    }
    return buffers.pieces;
  }

 private:
  // Sets the beginning of pieces that others have been split into. `moved`: whether text has been
  // removed before the first.
  static void set_beginning(Pieces& out, bool moved) {
    if (moved) {
      out.beginning = without_first(out.beginning);
    } else if (out.ends.size() > 1 && out.beginning == Beginning::Several) {
      throw NotInCore();  // it is not known which pieces are from there
    }
  }
  // The same of pieces that have got more text at their beginnings.
  static void join_beginning(Pieces& out) {
    if (out.beginning != Beginning::Elsewhere) out.beginning = Beginning::Several;
  }

  // Calls piece(view) for each piece.
  template <class Report, class Do>
  static void for_each(const Pieces& pieces, Report&& report, Do&& piece) {
    std::size_t start = 0;
    for (const std::uint32_t end : pieces.ends) {
      piece(pieces.view().part(start, end - start));
      report(end - start);
      start = end;
    }
  }

  static const std::uint8_t* bytes_of(std::string_view text) {
    return reinterpret_cast<const std::uint8_t*>(text.data());
  }

  template <class Report>
  static void run(const PrefixSpace&, const Pieces& pieces, Pieces& out, Report&& report) {
    for_each(pieces, report, [&](const AlignedView& piece) {
      if (!piece.text.starts_with(' ')) out.append(" ", piece, 0);
      out.append(piece);
      out.end_piece();
    });
    join_beginning(out);
  }

  template <class Report>
  static void run(const Split& step, Pieces& pieces, Pieces& out, Report&& report) {
    if (pieces.ends.empty()) return;
    std::uint32_t ends[256];
    const auto* const p = bytes_of(pieces.text);
    const std::size_t n = pieces.ends.back();
    automata::SplitSteps::Memory memory(step.steps, pieces.ends.data(), pieces.ends.size());
    for (std::size_t at = 0; at < n;) {
      const std::size_t before = at;
      const std::size_t count = step.steps.scan(p, n, at, ends, std::size(ends), memory);
      out.ends.insert(out.ends.end(), ends, ends + count);
      report(at - before);
    }
    set_beginning(out, false);
    out.text.swap(pieces.text);
    out.origins.swap(pieces.origins);
  }

  template <class Report>
  static void run(const Remove& step, const Pieces& pieces, Pieces& out, Report&& report) {
    bool moved = false;
    const auto add = [&](std::size_t begin, std::size_t end, bool is_match) {
      report(end - begin);
      if (is_match != step.step.invert) {
        moved |= out.text.empty();
        return;
      }
      out.append(pieces.view().part(begin, end - begin));
      out.end_piece();
    };
    const automata::CharacterView text{bytes_of(pieces.text), 0, pieces.text.size(),
                                       step.step.on_bytes};
    automata::for_each_piece(*step.step.scanner, text, pieces.ends.data(), pieces.ends.size(), add);
    set_beginning(out, moved);
  }

  template <class Report>
  static void run(const Metaspace& step, const Pieces& pieces, Pieces& out, Report&& report) {
    using enum Metaspace::Prepend;
    bool prepends = step.prepend == Always ||
                    (step.prepend == First && pieces.beginning != Beginning::Elsewhere);
    for_each(pieces, report, [&](const AlignedView& piece) {
      const std::string_view text = piece.text;
      const bool begins_so = text.starts_with(' ') || text.starts_with(step.mark);
      if (prepends && !begins_so) out.append(step.mark, piece, 0);
      prepends = step.prepend == Always;
      std::size_t from = 0;
      for (std::size_t at; (at = text.find(' ', from)) != text.npos; from = at + 1) {
        out.append(piece.part(from, at - from));
        out.append(step.mark, piece, at);
      }
      out.append(piece.part(from, text.size() - from));
      out.end_piece();
    });
    out.beginning = Beginning::Elsewhere;  // which no step behind needs
  }

  template <class Report>
  static void run(const Scripts& step, const Pieces& pieces, Pieces& out, Report&& report) {
    bool moved = false;
    for_each(pieces, report, [&](const AlignedView& piece) {
      const std::size_t size = piece.text.size();
      const auto *const p = bytes_of(piece.text), *const end = p + size;
      unsigned last = 0;
      std::size_t start = 0;
      for (CodePoint c; start < size; start += c.size) {
        c = decode_utf8(p + start, end);
        if ((last = step.classes.of(c.value))) break;
      }
      moved |= start > 0 && out.text.empty();
      if (!last) return;
      const std::size_t before = out.text.size();
      for (std::size_t at = start; at < size;) {
        const CodePoint c = decode_utf8(p + at, end);
        const unsigned script = step.classes.of(c.value);
        if (script && script != last) {
          out.ends.push_back(static_cast<std::uint32_t>(before + at - start));
          last = script;
        }
        at += c.size;
      }
      out.append(piece.part(start, size - start));
      out.end_piece();
    });
    set_beginning(out, moved);
  }

  template <class Report>
  static void run(const ByteSpelling& step, const Pieces& pieces, Pieces& out, Report&& report) {
    for_each(pieces, report, [&](const AlignedView& piece) {
      step.append(piece, out);
      out.end_piece();
    });
    join_beginning(out);
  }

  std::vector<Step> steps_;
};

}  // namespace wordsplit
