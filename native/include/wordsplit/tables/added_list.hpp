// Added tokens, packed: views of memory that somebody else keeps. There may be a million of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

struct AddedList {
  enum Flag : std::uint8_t {
    kSpecial = 1,
    kLeftStrip = 2,
    kRightStrip = 4,
    kSingleWord = 8,
    kNormalized = 16
  };

  std::string_view blob;                // the contents, one after another
  std::span<const std::uint32_t> ends;  // where each ends in it
  std::span<const std::uint32_t> ids;   // ascending
  std::span<const std::uint8_t> flags;
  std::span<const std::uint32_t> order;  // indices by contents; or nothing, if that is not known

  std::size_t size() const { return ids.size(); }
  std::string_view content(std::size_t i) const {
    const std::size_t start = i ? ends[i - 1] : 0;
    return blob.substr(start, ends[i] - start);
  }
  bool has(std::size_t i, Flag flag) const { return flags[i] & flag; }

  // Whether contents are UTF-8, each by itself.
  bool is_utf8() const {
    for (std::size_t i = 0; i < size(); ++i) {
      const auto* p = reinterpret_cast<const std::uint8_t*>(content(i).data());
      for (const auto* const end = p + content(i).size(); p < end;) {
        const CodePoint cp = decode_utf8(p, end);
        if (cp.value == kInvalid && cp.size == 1) return false;
        p += cp.size;
      }
    }
    return true;
  }
  // Whether no look into it leaves it, and ids ascend.
  bool is_sound() const {
    return ends.size() == size() && flags.size() == size() &&
           std::is_sorted(ends.begin(), ends.end()) &&
           (size() == 0 || ends.back() == blob.size()) && std::is_sorted(ids.begin(), ids.end());
  }
  // Whether `order` is that of contents that are all different, and none is empty.
  bool is_in_order() const {
    if (order.size() != size()) return false;
    for (std::size_t k = 0; k < size(); ++k) {
      if (order[k] >= size()) return false;
      const std::string_view last = k ? content(order[k - 1]) : std::string_view();
      if (last >= content(order[k])) return false;
    }
    return true;
  }
  std::vector<std::uint32_t> find_order() const {
    std::vector<std::uint32_t> out(size());
    std::iota(out.begin(), out.end(), 0U);
    std::sort(out.begin(), out.end(),
              [&](std::uint32_t a, std::uint32_t b) { return content(a) < content(b); });
    return out;
  }
};

}  // namespace wordsplit
