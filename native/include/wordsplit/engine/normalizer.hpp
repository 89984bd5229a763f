// Normalizes text as a whole, step by step, for vocabs whose steps are in no table of characters
// (word_map.hpp): those that replace the matches of patterns, or come before or after such steps.
//
// The origins of its characters are known if the characters of the given text have numbers. Without
// these, it is only known whether the first one is from the beginning of the original.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "wordsplit/automata/pieces.hpp"
#include "wordsplit/text/aligned_form.hpp"
#include "wordsplit/text/aligned_text.hpp"
#include "wordsplit/text/aligned_words.hpp"
#include "wordsplit/text/beginning.hpp"
#include "wordsplit/text/normalizer_steps.hpp"
#include "wordsplit/text/stretch.hpp"
#include "wordsplit/text/utf8_check.hpp"
#include "wordsplit/text/word_map.hpp"

namespace wordsplit {

// The spelling of each byte in a byte-level alphabet.
struct ByteSpelling {
  std::vector<std::string> letters;  // 256

  void append(const AlignedView& given, AlignedText& out) const {
    for (std::size_t at = 0; at < given.text.size(); ++at) {
      out.append(letters[static_cast<std::uint8_t>(given.text[at])], given, at);
    }
  }
};

class Normalizer {
 public:
  // Replaces each match of a pattern, of which none is empty.
  struct Replace {
    std::shared_ptr<const automata::Scanner> pattern;
    std::string content;
  };
  // Removes white space at the ends of the text.
  struct Trim {
    bool left, right;
  };
  struct Prepend {
    std::string content;
  };
  using Map = std::shared_ptr<const WordMap>;  // with the flag `normalizes`
  using Step = std::variant<NormalizerStep, Map, Replace, Trim, Prepend, ByteSpelling>;

  // The memory of a call.
  struct Buffers {
    AlignedText text, next;
  };

  void add(Step step) { steps_.push_back(std::move(step)); }
  const std::vector<Step>& steps() const { return steps_; }

  // Goes from a text, and its beginning, to what the steps make of it, which is in the buffers if
  // it is another. Calls report() with the number of bytes that are done. Throws NotInCore.
  template <class Report>
  void apply(const std::uint8_t*& p, std::size_t& size, Beginning& beginning, Buffers& buffers,
             Report&& report) const {
    if (!is_utf8(p, size)) throw NotInCore();
    AlignedView text{{reinterpret_cast<const char*>(p), size}};
    apply(text, beginning, buffers, report);
    p = bytes_of(text.text);
    size = text.text.size();
  }
  // The same for a text with the numbers of its characters. Precondition: it is valid UTF-8.
  template <class Report>
  void apply(AlignedView& text, Beginning& beginning, Buffers& buffers, Report&& report) const {
    for (const Step& step : steps_) {
      if (text.text.empty()) break;  // and stays so
      check_stretch(text.text.size());
      buffers.next.clear();
      if (beginning != Beginning::Elsewhere) {
        beginning =
            std::visit([&](const auto& each) { return after(each, text.text, beginning); }, step);
      }
      if (std::visit([&](const auto& each) { return run(each, text, buffers.next, report); },
                     step)) {
        std::swap(buffers.text, buffers.next);
        text = buffers.text.view();
      }
    }
  }

 private:
  static const std::uint8_t* bytes_of(std::string_view text) {
    return reinterpret_cast<const std::uint8_t*>(text.data());
  }

  // Each writes a text after a step to `out`, or returns false if it is the same text or a part of
  // it, which `text` is then.
  template <class Report>
  static bool run(const NormalizerStep& step, AlignedView& given, AlignedText& out,
                  Report&& report) {
    using Kind = NormalizerStep::Kind;
    const std::string_view text = given.text;
    const auto* const p = bytes_of(text);
    if (step.kind == Kind::Literal) {
      report(text.size());
      if (text.find(step.pattern) == text.npos) return false;
      std::size_t from = 0;
      for (std::size_t at; (at = text.find(step.pattern, from)) != text.npos;) {
        out.append(given.part(from, at - from));
        from = at + step.pattern.size();
        out.append(step.content, given, from - 1);
      }
      out.append(given.part(from, text.size() - from));
      return true;
    }
    if (step.kind == Kind::Nfc && is_nfc_quick(p, text.size())) return false;
    if (step.kind == Kind::Nfkc && is_nfc_quick<NormalForm::Nfkc>(p, text.size())) return false;
    if (std::all_of(p, p + text.size(), [](std::uint8_t byte) { return byte < 0x80; })) {
      return false;
    }
    if (step.kind == Kind::Characters) {
      for_each_unit(text.size(), report, [&](std::size_t at) {
        const CodePoint c = decode_utf8(p + at, p + text.size());
        const auto found = step.characters.find(c.value);
        const bool stays = found == step.characters.end();
        out.append(stays ? text.substr(at, c.size) : found->second, given, at);
        return c.size;
      });
      return true;
    }
    if (given.origins) {
      AlignedForm(step.kind).apply(given, out);
      report(text.size());
      return true;
    }
    for_each_part(p, text.size(), report, [&](const std::uint8_t* part, std::size_t size) {
      step.apply({reinterpret_cast<const char*>(part), size}, out.text);
    });
    return true;
  }

  template <class Report>
  static bool run(const Map& map, AlignedView& given, AlignedText& out, Report&& report) {
    const std::string_view text = given.text;
    if (given.origins) {
      AlignedWords aligned(map.get());
      if (!aligned.make_units(bytes_of(text), text.size(), true, 0)) throw NotInCore();
      const std::vector<std::uint32_t> origins = given.of_characters();
      out = aligned.units();
      for (std::uint32_t& origin : out.origins) origin = origins[origin];
      report(text.size());
      return true;
    }
    for_each_unit(text.size(), report, [&](std::size_t at) {
      return map->append_next(bytes_of(text), text.size(), at, out.text);
    });
    return true;
  }

  template <class Report>
  static bool run(const Replace& step, AlignedView& given, AlignedText& out, Report&& report) {
    const std::string_view text = given.text;
    std::size_t copied = 0, reported = 0;
    const auto add = [&](std::size_t begin, std::size_t end, bool is_match) {
      if (end - reported >= kWithoutReport) report(end - std::exchange(reported, end));
      if (!is_match) return;
      if (!given.origins && text.substr(begin, end - begin) == step.content) return;
      out.append(given.part(copied, begin - copied));
      out.append(step.content, given, end - 1);
      copied = end;
    };
    const auto n = static_cast<std::uint32_t>(text.size());
    automata::for_each_piece(*step.pattern, {bytes_of(text), 0, n}, &n, 1, add);
    if (copied == 0) return false;
    out.append(given.part(copied, text.size() - copied));
    return true;
  }

  template <class Report>
  static bool run(const Trim& step, AlignedView& given, AlignedText&, Report&&) {
    const std::uint8_t* p = bytes_of(given.text);
    std::size_t size = given.text.size();
    trim_white_space(p, size, step.left, step.right);
    given = given.part(static_cast<std::size_t>(p - bytes_of(given.text)), size);
    return false;
  }

  template <class Report>
  static bool run(const Prepend& step, AlignedView& given, AlignedText& out, Report&&) {
    out.append(step.content, given, 0);
    out.append(given);
    return true;
  }

  template <class Report>
  static bool run(const ByteSpelling& step, AlignedView& given, AlignedText& out, Report&&) {
    step.append(given, out);
    return true;
  }

  // Each returns the beginning of a text after a step. Precondition: it is not elsewhere before.
  // Throws NotInCore if it is not known.
  static Beginning after(const NormalizerStep& step, std::string_view text, Beginning before) {
    if (step.kind == NormalizerStep::Kind::Literal) {
      const bool is_match = text.starts_with(step.pattern);
      return is_match ? after_replaced(text, step.pattern.size(), step.content, before) : before;
    }
    const bool stays = is_ascii(text[0]) && (text.size() == 1 || is_ascii(text[1]));
    return stays ? before : Beginning::Several;
  }
  static Beginning after(const Map& map, std::string_view text, Beginning before) {
    std::string first;
    map->append_unit(bytes_of(text), text.size(), 0, first);
    if (first.empty()) throw NotInCore();
    return is_one(first) ? before : Beginning::Several;
  }
  static Beginning after(const Replace& step, std::string_view text, Beginning before) {
    automata::Attempts attempts(step.pattern->automaton(), {bytes_of(text), 0, text.size()});
    const std::size_t end = attempts.match(0);
    return end == automata::Attempts::kNone ? before
                                            : after_replaced(text, end, step.content, before);
  }
  static Beginning after(const Trim& step, std::string_view text, Beginning before) {
    const auto* const p = bytes_of(text);
    const bool trims = step.left && is_space(class_of(decode_utf8(p, p + text.size()).value));
    return trims ? without_first(before) : before;
  }
  static Beginning after(const Prepend&, std::string_view, Beginning) { return Beginning::Several; }
  static Beginning after(const ByteSpelling&, std::string_view text, Beginning before) {
    return is_ascii(text[0]) ? before : Beginning::Several;
  }

  // The same for a match of `size` bytes at the beginning: what replaces it comes from the last of
  // its characters.
  static Beginning after_replaced(std::string_view text, std::size_t size,
                                  const std::string& content, Beginning before) {
    if (content.empty() || !is_one(text.substr(0, size))) return without_first(before);
    return is_one(content) ? before : Beginning::Several;
  }

  static bool is_ascii(char byte) { return static_cast<std::uint8_t>(byte) < 0x80; }
  // Whether a text, which is not empty, has one character.
  static bool is_one(std::string_view text) {
    return decode_utf8(bytes_of(text), bytes_of(text) + text.size()).size == text.size();
  }

  std::vector<Step> steps_;
};

}  // namespace wordsplit
