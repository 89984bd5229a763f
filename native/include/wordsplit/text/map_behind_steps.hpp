// A map of words after steps of a normalizer: a table of the result of all of them for each
// character, which is found by running them.
//
// A character is plain if nothing before it changes what becomes of it: at no step it begins with
// what depends on the text before, or vanishes, so that what is after it would follow what is
// before. A text may be divided before each plain character. The others are treated step by step,
// with the plain one before them (WordMap::dependent_at).
//
// Words may end only where that is certain from the two characters at hand. What follows a plain
// character may compose with it to one of another kind, such as a sign to a letter: it is taken for
// one that is not plain then, so that no word ends next to it.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "wordsplit/text/normalizer_steps.hpp"
#include "wordsplit/text/word_map.hpp"

namespace wordsplit {

class MapBehindSteps {
 public:
  static WordMap make(std::vector<NormalizerStep> steps, std::shared_ptr<const WordMap> behind) {
    return WordMap(MapBehindSteps(std::move(steps), std::move(behind)).rules());
  }

 private:
  using Points = std::vector<std::uint32_t>;

  MapBehindSteps(std::vector<NormalizerStep> steps, std::shared_ptr<const WordMap> behind)
      : steps_(std::move(steps)), behind_(std::move(behind)) {
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      changing_.push_back(steps_[k].composes() ? those_that_change(k)
                                               : std::unordered_set<std::uint32_t>());
    }
  }

  // Characters of other planes than the first are few in texts: except for two ranges with letters
  // and symbols they are outside.
  static bool is_tried(std::uint32_t page) {
    return page < 0x100 ? page < 0xD8 || page >= 0xF9  // except for surrogates and private use
                        : (page >= 0x1D4 && page < 0x1D8) || (page >= 0x1F0 && page < 0x1FB);
  }

  WordRules rules() {
    WordRules out;
    static_cast<WordFlags&>(out) = behind_->rules_;
    out.pages.assign(0x1100, 0);
    out.entries.assign(256, WordRules::kOutside);
    const bool stay = !out.spaced || dependents_stay();
    for (std::uint32_t page = 0; page < 0x1100; ++page) {
      if (!is_tried(page)) continue;
      out.pages[page] = static_cast<std::uint16_t>(out.entries.size() / 256);
      for (std::uint32_t c = page << 8; c < (page + 1) << 8; ++c) {
        const std::uint32_t entry = entry_of(c, out.blob);
        const bool is_moved = entry == WordRules::kDependent && !stay;
        out.entries.push_back(is_moved ? WordRules::kOutside : entry);
      }
    }
    out.steps = std::move(steps_);
    out.behind = std::move(behind_);
    return out;
  }

  std::uint32_t entry_of(std::uint32_t c, std::string& blob) {
    const std::string same = utf8_of(c);
    std::string text = same;
    bool plain = true, changes = false;
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      plain = plain && !steps_[k].depends(text);
      changes = changes || has_changing(k, text);
      text = after_steps({&steps_[k], 1}, std::move(text));
      plain = plain && !text.empty();
    }
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    // "\r\n" is a cluster, of which the first is not plain; see WordMap::dependent_at.
    const bool returns = text.find('\r') != text.npos, feeds = text.starts_with('\n') && c != '\n';
    plain = plain && !behind_->may_join(p, text.size()) && !returns && !feeds;
    const std::optional<std::string> found = words_of(text);
    if (!found || changes) return WordRules::kOutside;
    if (!plain || found->size() > 255) {
      const bool has_end = std::any_of(found->begin(), found->end(), is_mark);
      return found->empty() || has_end || returns ? WordRules::kOutside : WordRules::kDependent;
    }
    if (*found == same) return WordRules::kSame;
    if (*found == WordMap::kSignChar + same) return WordRules::kSigned;
    const auto place = static_cast<std::uint32_t>(blob.size()) + 1;
    const auto [at, is_new] = places_.emplace(*found, place);
    if (is_new) {
      blob += static_cast<char>(found->size());
      blob += *found;
    }
    return at->second;
  }

  // Whether a text has what may compose to something of another kind at step k.
  bool has_changing(std::size_t k, const std::string& text) const {
    if (changing_[k].empty()) return false;
    NormalizerStep decompose;
    decompose.kind = steps_[k].kind == NormalizerStep::Kind::Nfkc ? NormalizerStep::Kind::Nfkd
                                                                  : NormalizerStep::Kind::Nfd;
    std::string parts;
    decompose.apply(text, parts);
    bool any = false;
    for_each_character(
        parts, [&](std::uint32_t c, std::string_view) { any = any || changing_[k].contains(c); });
    return any;
  }

  // What composes at step k, maybe with others in turn, to something that steps behind make another
  // kind of.
  std::unordered_set<std::uint32_t> those_that_change(std::size_t k) const {
    const auto kind_of = [&](std::uint32_t c) {
      const std::optional<std::string> text = unreplaced(k + 1, utf8_of(c));
      const std::optional<std::string> found = text ? words_of(*text) : std::nullopt;
      if (!found) return -1;
      const bool is_sign = !found->empty() && found->front() == WordMap::kSignChar;
      return static_cast<int>(is_sign ? WordMap::Class::Sign : WordMap::class_of_text(*found));
    };
    std::unordered_map<std::uint32_t, Points> composed_of;  // by the first of the pair
    const Points all = nfc_detail::compositions();
    for (const std::uint32_t composed : all) {
      Points parts;
      nfc_detail::decompose(composed, parts);
      composed_of[parts[0]].push_back(composed);
    }
    std::unordered_set<std::uint32_t> out;
    for (const auto& [first, every] : composed_of) {
      const int kind = kind_of(first);
      const bool changes = std::any_of(every.begin(), every.end(),
                                       [&](std::uint32_t c) { return kind_of(c) != kind; });
      if (kind < 0 || changes) out.insert(first);
    }
    return out;
  }

  // Whether characters that depend on each other always become part of a word, whatever is joined
  // or replaced: then a word ends between them and a space.
  bool dependents_stay() const {
    const auto stays = [&](std::size_t from, std::string text) {
      const std::optional<std::string> normal = unreplaced(from, std::move(text));
      if (!normal) return false;
      const std::optional<std::string> found = words_of(*normal);
      return !found || (!found->empty() && !is_mark(found->back()));  // no text has one without
    };
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      if (steps_[k].kind == NormalizerStep::Kind::Literal && !stays(k + 1, steps_[k].content)) {
        return false;
      }
      if (!steps_[k].composes()) continue;
      for (const std::uint32_t c : nfc_detail::compositions()) {
        if (!stays(k + 1, utf8_of(c))) return false;
      }
    }
    return true;
  }

  // A text after the steps from `first` on; nothing if one of them may replace it with another.
  std::optional<std::string> unreplaced(std::size_t first, std::string text) const {
    for (std::size_t k = first; k < steps_.size(); ++k) {
      if (steps_[k].kind == NormalizerStep::Kind::Literal && steps_[k].depends(text)) return {};
      text = after_steps({&steps_[k], 1}, std::move(text));
    }
    return text;
  }
  // The result of the map behind for a text; nothing if it is not in the core.
  std::optional<std::string> words_of(const std::string& text) const {
    std::string found;
    try {
      behind_->append_units(text, found);
    } catch (const NotInCore&) {
      return {};
    }
    return found;
  }

  static std::string utf8_of(std::uint32_t c) {
    std::string out;
    nfc_detail::append_utf8(c, out);
    return out;
  }
  static bool is_mark(char byte) {
    return byte == WordMap::kBreakChar || byte == WordMap::kSpaceChar || byte == WordMap::kSignChar;
  }

  std::vector<NormalizerStep> steps_;
  std::shared_ptr<const WordMap> behind_;
  std::vector<std::unordered_set<std::uint32_t>> changing_;  // by step
  std::unordered_map<std::string, std::uint32_t> places_;    // of texts in the blob
};

}  // namespace wordsplit
