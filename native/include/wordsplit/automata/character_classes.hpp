// The class of each code point: those of one class are alike to every part of a pattern.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit::automata {

class CharacterClasses {
 public:
  // The first code point of each range of one class, from 0 on, and the class of each. Throws
  // std::invalid_argument.
  CharacterClasses(std::span<const std::uint32_t> first, std::span<const std::uint8_t> label) {
    if (first.empty() || first.size() != label.size() || first[0] != 0) {
      throw std::invalid_argument("ranges of classes that do not begin at 0");
    }
    for (std::size_t i = 1; i < first.size(); ++i) {
      if (first[i] <= first[i - 1]) {
        throw std::invalid_argument("ranges of classes that are not in order");
      }
    }
    std::map<std::array<std::uint8_t, kPage>, std::uint16_t> known;
    std::array<int, 0x100> of_one_class;
    of_one_class.fill(-1);
    std::size_t range = 0;
    for (std::uint32_t page = 0; page < kPages; ++page) {
      const auto is_next = [&](std::uint32_t code) {
        return range + 1 < first.size() && first[range + 1] <= code;
      };
      while (is_next(page * kPage)) ++range;
      int& whole = of_one_class[label[range]];
      const bool is_whole = !is_next(page * kPage + kPage - 1);  // as most pages are
      if (!is_whole || whole < 0) {
        std::array<std::uint8_t, kPage> classes;
        for (std::uint32_t i = 0; i < kPage; ++i) {
          while (is_next(page * kPage + i)) ++range;
          classes[i] = label[range];
        }
        const auto [at, is_new] = known.emplace(classes, static_cast<std::uint16_t>(known.size()));
        if (is_new) classes_.insert(classes_.end(), classes.begin(), classes.end());
        pages_[page] = at->second;
        if (is_whole) whole = at->second;
      } else {
        pages_[page] = static_cast<std::uint16_t>(whole);
      }
    }
    for (std::uint32_t code = 0; code < 0x80; ++code) ascii_[code] = of(code);
  }

  // Precondition: code < 0x110000.
  std::uint8_t of(std::uint32_t code) const { return in_page(code / kPage, code % kPage); }
  // The ranges that it was made of, those of the same class joined: the first code point of each,
  // and its class.
  std::pair<std::vector<std::uint32_t>, std::vector<std::uint8_t>> ranges() const {
    std::vector<std::uint32_t> first = {0};
    std::vector<std::uint8_t> label = {of(0)};
    for (std::uint32_t code = 1; code < kPages * kPage; ++code) {
      if (of(code) == label.back()) continue;
      first.push_back(code);
      label.push_back(of(code));
    }
    return {std::move(first), std::move(label)};
  }
  std::uint8_t greatest() const { return *std::max_element(classes_.begin(), classes_.end()); }
  // Those of the code points below 0x80.
  const std::uint8_t* ascii() const { return ascii_.data(); }
  // The class of the code point with these six lowest bits; the others are the number of the page.
  WORDSPLIT_INLINE std::uint8_t in_page(std::uint32_t page, std::uint32_t low) const {
    return classes_[std::size_t{pages_[page]} * kPage + low];
  }

 private:
  static constexpr std::uint32_t kPage = 64, kPages = 0x110000 / kPage;

  alignas(64) std::array<std::uint8_t, 0x80> ascii_;
  std::array<std::uint16_t, kPages> pages_;
  std::vector<std::uint8_t> classes_;
};

}  // namespace wordsplit::automata
