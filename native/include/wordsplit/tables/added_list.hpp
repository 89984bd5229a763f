// A packed list of added tokens, of which there may be a million: views of memory owned elsewhere.
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
  std::span<const std::uint32_t> ends;  // the end of each content in the blob
  std::span<const std::uint32_t> ids;   // ascending
  std::span<const std::uint8_t> flags;
  std::span<const std::uint32_t> order;  // indexes in order of the contents; empty if not known

  std::size_t size() const { return ids.size(); }
  std::string_view content(std::size_t i) const {
    const std::size_t start = i ? ends[i - 1] : 0;
    return blob.substr(start, ends[i] - start);
  }
  bool has(std::size_t i, Flag flag) const { return flags[i] & flag; }

  // Whether each content is UTF-8.
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
  // Whether no access leaves the memory and the ids ascend.
  bool is_sound() const {
    return ends.size() == size() && flags.size() == size() &&
           std::is_sorted(ends.begin(), ends.end()) &&
           (size() == 0 || ends.back() == blob.size()) && std::is_sorted(ids.begin(), ids.end()) &&
           (order.empty() || order.size() == size()) &&
           std::all_of(order.begin(), order.end(), [&](std::uint32_t i) { return i < size(); });
  }
  // Whether `order` is complete and right, all contents differ and none is empty. Precondition:
  // is_sound().
  bool is_in_order() const {
    if (order.size() != size()) return false;
    for (std::size_t k = 0; k < size(); ++k) {
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
