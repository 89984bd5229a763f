// A step of a normalizer, for the few characters of a text that depend on those around them
// (map_behind_steps.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wordsplit/text/nfc.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

// Calls action(code point, its bytes) for each character of a text. Precondition: it is valid
// UTF-8.
template <class Do>
void for_each_character(std::string_view text, Do&& action) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(p + at, p + text.size());
    action(c.value, text.substr(at, c.size));
    at += c.size;
  }
}

struct NormalizerStep {
  enum class Kind : std::uint8_t { Nfc, Nfd, Nfkc, Nfkd, Characters, Literal };
  Kind kind = Kind::Characters;
  std::unordered_map<std::uint32_t, std::string> characters;  // what becomes of those that change
  std::string pattern, content;                               // of Literal, which replaces it

  bool composes() const { return kind == Kind::Nfc || kind == Kind::Nfkc; }

  // Appends what becomes of a text. Precondition: it is valid UTF-8.
  void apply(std::string_view text, std::string& out) const {
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    switch (kind) {
      case Kind::Nfc:
        return nfc<NormalForm::Nfc>(p, text.size(), out);
      case Kind::Nfkc:
        return nfc<NormalForm::Nfkc>(p, text.size(), out);
      case Kind::Nfd:
        return nfd<NormalForm::Nfc>(p, text.size(), out);
      case Kind::Nfkd:
        return nfd<NormalForm::Nfkc>(p, text.size(), out);
      case Kind::Characters:
        return for_each_character(text, [&](std::uint32_t c, std::string_view bytes) {
          const auto found = characters.find(c);
          out += found == characters.end() ? bytes : std::string_view(found->second);
        });
      case Kind::Literal:
        return replace_pattern(text, out);
    }
  }

  // Whether what becomes of a text may depend on what is before it, or also for a pattern behind
  // it.
  bool depends(std::string_view text) const {
    if (text.empty() || kind == Kind::Characters) return false;
    if (kind == Kind::Literal) return has_part_of_pattern(text);
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    const std::uint32_t first = decode_utf8(p, p + text.size()).value;
    std::vector<std::uint32_t> points;
    if (kind == Kind::Nfkc || kind == Kind::Nfkd) {
      nfc_detail::decompose<NormalForm::Nfkc>(first, points);
    } else {
      nfc_detail::decompose<NormalForm::Nfc>(first, points);
    }
    if (nfc_detail::combining(points[0])) return true;
    return composes() && nfc_detail::composes_backward(points[0]);
  }

 private:
  void replace_pattern(std::string_view text, std::string& out) const {
    std::size_t from = 0;
    for (std::size_t at; (at = text.find(pattern, from)) != text.npos; from = at + pattern.size()) {
      out.append(text, from, at - from) += content;
    }
    out.append(text, from);
  }

  // Whether a text has a character of the pattern, if that has several.
  bool has_part_of_pattern(std::string_view text) const {
    const auto* p = reinterpret_cast<const std::uint8_t*>(pattern.data());
    if (decode_utf8(p, p + pattern.size()).size == pattern.size()) return false;
    bool any = false;
    for_each_character(text, [&](std::uint32_t, std::string_view bytes) {
      any = any || pattern.find(bytes) != pattern.npos;
    });
    return any;
  }
};

// A text after steps. Precondition: it is valid UTF-8.
inline std::string after_steps(std::span<const NormalizerStep> steps, std::string text) {
  for (const NormalizerStep& step : steps) {
    std::string next;
    step.apply(text, next);
    text.swap(next);
  }
  return text;
}

}  // namespace wordsplit
