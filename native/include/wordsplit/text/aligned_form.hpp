// A normalization form of a text, with the character that each of its characters comes from, as
// `tokenizers` has it.
//
// In a decomposition, the first character replaces the one decomposed, and the others are inserted
// after it. A composition replaces both its parts. These are changes to the text in its order, and
// they move with marks that are reordered: it is not the origins that move, but the number of
// characters that are consumed at each place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "wordsplit/text/aligned_text.hpp"
#include "wordsplit/text/nfc.hpp"
#include "wordsplit/text/normalizer_steps.hpp"
#include "wordsplit/text/word_map.hpp"

namespace wordsplit {

class AlignedForm {
 public:
  explicit AlignedForm(NormalizerStep::Kind form) : form_(form) {}

  // Appends the form of a text that is valid UTF-8. Throws NotInCore.
  void apply(const AlignedView& given, AlignedText& out) {
    const std::vector<std::uint32_t> origins = given.of_characters();
    const std::string_view text = given.text;
    std::size_t character = 0;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t next = at;
      while (next < text.size() && is_ascii(text[next])) ++next;
      // The last one may compose with what follows.
      const std::size_t start = next == text.size() || next == at ? next : next - 1;
      out.append(given.part(at, start - at));
      character += start - at;
      at = next;
      while (at < text.size() && !is_ascii(text[at])) ++at;
      change(text.substr(start, at - start));
      for (const Point& point : points_) {
        nfc_detail::append_utf8(point.value, out.text);
        if (point.change > 0 && character == 0) throw NotInCore();
        out.origins.resize(out.text.size(), origins[character - (point.change > 0)]);
        if (point.change <= 0) character += static_cast<std::size_t>(1 - point.change);
      }
    }
  }

 private:
  struct Point {
    std::uint32_t value;
    // 1: it is inserted; -n: it replaces 1 + n characters.
    int change;
  };

  static bool is_ascii(char byte) { return static_cast<std::uint8_t>(byte) < 0x80; }
  bool composes() const {
    return form_ == NormalizerStep::Kind::Nfc || form_ == NormalizerStep::Kind::Nfkc;
  }
  bool is_compatible() const {
    return form_ == NormalizerStep::Kind::Nfkc || form_ == NormalizerStep::Kind::Nfkd;
  }

  // Sets points_ to the form of a text.
  void change(std::string_view text) {
    points_.clear();
    for_each_character(text, [&](std::uint32_t c, std::string_view) {
      decomposed_.clear();
      if (is_compatible()) {
        nfc_detail::decompose<NormalForm::Nfkc>(c, decomposed_);
      } else {
        nfc_detail::decompose<NormalForm::Nfc>(c, decomposed_);
      }
      for (const std::uint32_t value : decomposed_) points_.push_back({value, 1});
      points_[points_.size() - decomposed_.size()].change = 0;
    });
    const auto class_of = [](const Point& point) { return nfc_detail::combining(point.value); };
    for (auto start = points_.begin(); start != points_.end(); ++start) {
      const auto end =
          std::find_if(start, points_.end(), [&](const Point& p) { return !class_of(p); });
      std::stable_sort(start, end,
                       [&](const Point& a, const Point& b) { return class_of(a) < class_of(b); });
      if ((start = end) == points_.end()) break;
    }
    if (composes()) compose();
  }

  // Composes points_, as nfc_detail::normalize_run() does.
  void compose() {
    std::size_t kept = 0, starter = points_.size();  // points_.size(): no starter yet
    std::uint8_t last = 0;
    for (const Point point : points_) {
      const std::uint8_t cls = nfc_detail::combining(point.value);
      if (starter < kept && (last < cls || (last == 0 && starter == kept - 1))) {
        if (const std::uint32_t composed =
                nfc_detail::compose(points_[starter].value, point.value)) {
          points_[starter].value = composed;
          points_[starter].change += point.change - 1;
          continue;
        }
      }
      if (cls == 0) starter = kept;
      last = cls;
      points_[kept++] = point;
    }
    points_.resize(kept);
  }

  NormalizerStep::Kind form_;
  std::vector<Point> points_;
  std::vector<std::uint32_t> decomposed_;
};

}  // namespace wordsplit
