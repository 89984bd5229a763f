// Steps of a normalizer, one after the other, for the few characters of a text that depend on those
// around them.
//
// For each step it is known which characters may depend on what is before them: those that begin
// with a mark or compose with the one before under a normalization form, and those within a pattern
// of several characters. Between two characters of which neither does, at any step, a text may be
// divided. What is left is normalized by itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wordsplit/text/nfc.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

struct NormalizerStep {
  enum class Kind : std::uint8_t { Nfc, Nfd, Nfkc, Nfkd, Characters, Literal };
  Kind kind = Kind::Characters;
  std::unordered_map<std::uint32_t, std::string> characters;  // what becomes of those that change
  std::string pattern, content;                               // of Literal, which replaces it

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
        break;
    }
    std::size_t from = 0;
    for (std::size_t at; (at = text.find(pattern, from)) != text.npos; from = at + pattern.size()) {
      out.append(text, from, at - from) += content;
    }
    out.append(text, from);
  }

  bool composes() const { return kind == Kind::Nfc || kind == Kind::Nfkc; }

  // Whether what becomes of a text, or of what is next to it, may depend on both: false if neither
  // does. Precondition: the text is what steps before made of one character.
  bool depends(std::string_view text) const {
    if (text.empty() || kind == Kind::Characters) return false;
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    if (kind == Kind::Literal) {
      if (decode_utf8(reinterpret_cast<const std::uint8_t*>(pattern.data()),
                      reinterpret_cast<const std::uint8_t*>(pattern.data()) + pattern.size())
              .size == pattern.size()) {
        return false;  // one character
      }
      bool any = false;
      for_each_character(text, [&](std::uint32_t, std::string_view bytes) {
        any = any || pattern.find(bytes) != pattern.npos;
      });
      return any;
    }
    std::vector<std::uint32_t> points;
    const std::uint32_t first = decode_utf8(p, p + text.size()).value;
    if (kind == Kind::Nfkc || kind == Kind::Nfkd) {
      nfc_detail::decompose<NormalForm::Nfkc>(first, points);
    } else {
      nfc_detail::decompose<NormalForm::Nfc>(first, points);
    }
    if (nfc_detail::combining(points[0])) return true;
    return composes() && nfc_detail::composes_backward(points[0]);
  }

 private:
  template <class Do>
  static void for_each_character(std::string_view text, Do&& action) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    for (std::size_t at = 0; at < text.size();) {
      const CodePoint c = decode_utf8(p + at, p + text.size());
      action(c.value, text.substr(at, c.size));
      at += c.size;
    }
  }
};

}  // namespace wordsplit
