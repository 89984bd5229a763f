// The ids of many texts in one array, with the offsets of the texts in it.
#pragma once

#include <cstdint>

#include "wordsplit/engine/batch.hpp"

namespace wordsplit {

struct TokenLists {
  Output ids;
  Growing<std::int64_t> offsets;   // one a row, and the end; none at all if there is no row
  Growing<std::uint8_t> validity;  // a bit a row, the lowest first; none if no row is null
  std::size_t nulls = 0;

  std::size_t rows() const { return offsets.size() ? offsets.size() - 1 : 0; }
  bool is_null(std::size_t row) const {
    return nulls && !(validity.data()[row / 8] >> (row % 8) & 1);
  }

  // Sets the number of nulls from the validity. Returns false if the parts do not fit together.
  bool set_nulls() {
    const std::size_t n = rows();
    if (offsets.size() ? offsets.data()[0] != 0 : ids.size() != 0) return false;
    for (std::size_t row = 0; row < n; ++row) {
      if (offsets.data()[row + 1] < offsets.data()[row]) return false;
    }
    if (n && static_cast<std::size_t>(offsets.data()[n]) != ids.size()) return false;
    if (validity.size() != 0 && validity.size() != (n + 7) / 8) return false;
    nulls = 0;
    for (std::size_t row = 0; row < n && validity.size() > 0; ++row) {
      nulls += !(validity.data()[row / 8] >> (row % 8) & 1);
    }
    return true;
  }

  // Removes everything and keeps the memory.
  void clear() {
    ids.clear();
    offsets.clear();
    validity.clear();
    nulls = 0;
  }

  // Marks the rows whose text is null. The ids of such a row must be none.
  void mark_nulls(const Texts& texts, std::size_t count) {
    nulls = count;
    validity.clear();
    if (nulls == 0) return;
    validity.reserve(texts.size() / 8 + 1);
    for (std::size_t row = 0; row < texts.size(); row += 8) {
      unsigned bits = 0;
      for (std::size_t i = row; i < std::min(row + 8, texts.size()); ++i) {
        bits |= static_cast<unsigned>(!texts[i].is_null()) << (i - row);
      }
      validity.push(static_cast<std::uint8_t>(bits));
    }
  }
};

}  // namespace wordsplit
