// The words that a map makes of raw text, with the character that each byte of them comes from.
//
// A map replaces characters, or several together, and writes the results in order. Then it ends
// words, and spells spaces as tokens have them (WordMap::words). So the words are traversed in
// parallel with the result for each character.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/text/aligned_text.hpp"
#include "wordsplit/text/unicode.hpp"
#include "wordsplit/text/word_map.hpp"

namespace wordsplit {

class AlignedWords {
 public:
  // A null map makes nothing.
  explicit AlignedWords(const WordMap* map) : map_(map) {}

  // Makes the words of a span, as WordMap::words() does, each followed by kBreak; `character` is
  // the number of its first character. Of several characters that are replaced together, each of
  // the result comes from one, and all others from the last. `spaced`: the span has got a space,
  // which has the place of the character after it. Returns false where `tokenizers` has other
  // rules. Throws NotInCore.
  bool make(const std::uint8_t* text, std::size_t n, bool first, bool spaced,
            std::uint32_t character) {
    if (!make_units(text, n, first, character - spaced)) return false;
    if (spaced) {
      std::replace(units_.origins.begin(), units_.origins.end(), character - 1, character);
    }
    words_.clear();
    if (first && rules().prepend) words_.text = WordMap::kSpaceChar;
    words_.text += units_.text;
    map_->end_words(words_.text, 0, first);
    return align(first);
  }
  // The same without what comes after the map: the text of a map that normalizes.
  bool make_units(const std::uint8_t* text, std::size_t n, bool first, std::uint32_t character) {
    units_.clear();
    has_more_ = false;
    for (std::size_t at = 0; at < n;) {
      if (const std::size_t size = map_->plain_size(text, n, at)) {
        units_.text.append(reinterpret_cast<const char*>(text) + at, size);
        for (const std::size_t end = at + size; at < end; ++at) {
          units_.origins.push_back(character++);
        }
        has_more_ = false;
        continue;
      }
      const std::size_t begin = units_.text.size();
      const std::size_t size = map_->append_unit(text, n, at, units_.text);
      const std::string_view raw(reinterpret_cast<const char*>(text) + at, size);
      const std::string_view made = std::string_view(units_.text).substr(begin);
      const auto count = static_cast<std::uint32_t>(count_characters(text + at, size));
      if (made.empty() && map_->replaces_several()) {
        if (!remove(first, character)) return false;
      } else if (count > 1 && rules().behind) {
        if (!make_parts(raw, made, character)) return false;
        for (const Part& part : parts_) {
          units_.origins.resize(units_.origins.size() + part.text.size(), part.origin);
        }
        has_more_ = true;  // it may
      } else {
        std::uint32_t begun = 0;
        for (const char byte : made) {
          begun += !is_continuation(static_cast<std::uint8_t>(byte));
          units_.origins.push_back(character + std::min(begun, count) - 1);
        }
        has_more_ = begun > count;
      }
      character += count;
      at += size;
    }
    return true;
  }

  const AlignedText& words() const { return words_; }
  const AlignedText& units() const { return units_; }

 private:
  static constexpr std::string_view kMark = WordMap::kMark;

  // Takes note of a character that a map has removed. If it is the first of the text, `tokenizers`
  // moves all characters after it; if the last one made was one of more than were replaced, that
  // comes from the removed one. Returns false in the first case, and if the second is not certain.
  bool remove(bool first, std::uint32_t character) {
    if (first && units_.text.empty()) return false;
    if (!has_more_) return true;
    if (rules().behind) return false;
    std::size_t at = units_.text.size();
    do units_.origins[--at] = character;
    while (at > 0 && is_continuation(static_cast<std::uint8_t>(units_.text[at])));
    has_more_ = false;
    return true;
  }

  // The result of a character, or of several that a literal replacement took together.
  struct Part {
    std::string text;
    std::uint32_t origin;
  };

  // Sets parts_ to what the steps make of some characters, one by one. Returns false if that,
  // joined, is not `made`, or they compose at any step.
  bool make_parts(std::string_view raw, std::string_view made, std::uint32_t character) {
    parts_.clear();
    for_each_character(raw, [&](std::uint32_t, std::string_view one) {
      parts_.push_back({std::string(one), character++});
    });
    std::string whole(raw);
    for (const NormalizerStep& step : rules().steps) {
      if (step.kind == NormalizerStep::Kind::Literal && !replace_in_parts(step, whole))
        return false;
      whole = after_steps({&step, 1}, std::move(whole));
      if (step.kind != NormalizerStep::Kind::Literal) {
        for (Part& part : parts_) part.text = after_steps({&step, 1}, std::move(part.text));
      }
      if (joined() != whole) return false;
    }
    for (Part& part : parts_) {
      std::string text;
      rules().behind->append_units(part.text, text);
      part.text.swap(text);
      if (part.text.empty() && !text.empty()) return false;  // see remove()
    }
    return joined() == made;
  }

  // Replaces the pattern of a step, of which the last character is the origin. Returns false if one
  // begins or ends within a part. `whole` is the text of all parts.
  bool replace_in_parts(const NormalizerStep& step, const std::string& whole) {
    std::size_t part = 0, at = 0;  // at: where that part begins
    const auto go_to = [&](std::size_t end, auto&& passed) {
      for (; at < end && part < parts_.size(); ++part) {
        at += parts_[part].text.size();
        passed(parts_[part]);
      }
      return at == end;
    };
    for (std::size_t from; (from = whole.find(step.pattern, at)) != whole.npos;) {
      if (!go_to(from, [](Part&) {})) return false;
      Part* last = nullptr;
      const auto take = [&](Part& each) {
        last = &each;
        last->text.clear();
      };
      if (!go_to(from + step.pattern.size(), take)) return false;
      last->text = step.content;
    }
    return true;
  }

  std::string joined() const {
    std::string out;
    for (const Part& part : parts_) out += part.text;
    return out;
  }

  bool align(bool first) {
    constexpr std::uint32_t kNone = 0xFFFFFFFF;
    const std::string_view words = words_.text, made = units_.text;
    std::size_t from = 0;         // in `made`
    std::uint32_t space = kNone;  // the last one that was skipped
    const auto skip = [&] {
      for (; from < made.size(); ++from) {
        const bool is_space = rules().drop_spaces && made[from] == WordMap::kSpaceChar;
        if (is_space) {
          space = units_.origins[from];
        } else if (made[from] != WordMap::kBreakChar && made[from] != WordMap::kSignChar) {
          return true;
        }
      }
      return false;
    };
    const auto take_mark = [&](bool is_first, std::uint32_t& origin) {
      origin = units_.origins[from];
      if (rules().longest_keys && !is_first) {  // spaces remain, and so do marks of the text
        if (space != kNone) {
          origin = space;
        } else if (made.substr(from).starts_with(kMark)) {
          from += kMark.size();
        } else {
          return false;
        }
        return true;
      }
      if (made[from] != WordMap::kSpaceChar) {
        // One that is put before a word has the place of the character after it.
        return rules().drop_spaces || rules().prepend_each || (is_first && rules().prepend);
      }
      ++from;
      for (; rules().collapse_spaces && from < made.size() && made[from] == WordMap::kSpaceChar;
           ++from) {
        origin = units_.origins[from];
      }
      return true;
    };
    for (std::size_t at = 0; at < words.size();) {
      std::size_t size = 1;
      if (words[at] == WordMap::kBreakChar) {  // encoded with the word, if at all
        words_.origins.push_back(words_.origins.empty() ? 0 : words_.origins.back());
      } else if (!skip()) {
        return false;
      } else if (rules().spaced && words.substr(at, kMark.size()) == kMark) {
        size = kMark.size();
        std::uint32_t origin;
        if (!take_mark(first && at == 0, origin)) return false;
        words_.origins.resize(at + size, origin);
        space = kNone;
      } else {
        if (words[at] != made[from]) return false;
        words_.origins.push_back(units_.origins[from++]);
      }
      at += size;
    }
    // Marks at the end of one text are removed.
    while (skip() && rules().joined && made.substr(from).starts_with(kMark)) from += kMark.size();
    return from == made.size();
  }

  const WordRules& rules() const { return map_->rules(); }

  const WordMap* map_;
  AlignedText units_, words_;
  bool has_more_ = false;  // whether the last character or several became more characters
  std::vector<Part> parts_;
};

}  // namespace wordsplit
