// NFC with a record of what became of what.
//
// The same text as nfc() gives, and the list of clusters that changed: the least stretches of the
// original that normalize by themselves to other bytes. A cluster begins at a code point whose
// decomposition begins with a starter that composes with nothing before it, and reaches to the next
// one: so normalization never looks across its ends. All text outside the listed clusters is copied
// as it is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "wordsplit/text/nfc.hpp"

namespace wordsplit {

// Bytes [from, from_end) of the original became bytes [to, to_end) of its NFC.
struct NfcCluster {
  std::size_t from, from_end, to, to_end;
};

namespace nfc_detail {

// Whether some code point composes with this one behind it.
inline bool composes_backward(std::uint32_t cp) {
  static const std::vector<std::uint32_t> seconds = [] {
    std::vector<std::uint32_t> out;
    for (const std::uint64_t key : unicode_data::kComposePair) {
      out.push_back(static_cast<std::uint32_t>(key));
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }();
  if (cp - kV < kVCount || cp - kT - 1 < kTCount - 1) return true;
  return std::binary_search(seconds.begin(), seconds.end(), cp);
}

}  // namespace nfc_detail

// Appends the NFC of text[0, n) to `out`, which is empty, and the clusters that changed to
// `changed`, in order.
inline void nfc_aligned(const std::uint8_t* text, std::size_t n, std::string& out,
                        std::vector<NfcCluster>& changed) {
  using namespace nfc_detail;
  std::vector<std::uint32_t> points, added;
  const auto flush = [&](std::size_t from, std::size_t end) {
    if (points.empty()) return;
    const std::size_t to = out.size();
    normalize_run(points, out);
    points.clear();
    if (out.size() - to != end - from || std::memcmp(out.data() + to, text + from, end - from)) {
      changed.push_back({from, end, to, out.size()});
    }
  };
  std::size_t done = 0;
  while (true) {
    const std::size_t at = find_unstable(text, n, done);
    const std::size_t start = at < n ? take_in_before(text, done, at) : at;
    out.append(reinterpret_cast<const char*>(text) + done, start - done);
    if (at == n) return;
    std::size_t end = start, from = start;
    while (end < n) {
      const CodePoint cp = decode_utf8(text + end, text + n);
      if (is_invalid(cp) || (end >= at && !unstable(cp.value))) break;
      added.clear();
      decompose(cp.value, added);
      if (!combining(added[0]) && !composes_backward(added[0])) {
        flush(from, end);
        from = end;
      }
      points.insert(points.end(), added.begin(), added.end());
      end += cp.size;
    }
    flush(from, end);
    done = end;
  }
}

}  // namespace wordsplit
