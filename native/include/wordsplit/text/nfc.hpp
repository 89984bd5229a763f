// NFC and NFKC of UTF-8, as `tokenizers` computes them.
//
// A code point is unstable if the form may change it or the code point before it. Text is copied up
// to the next unstable code point. From the code point before that one to the end of the run of
// unstable ones, the text is decomposed, its marks are ordered, and it is composed again (Unicode
// Standard Annex 15). Bytes that are not UTF-8 are copied. All SIMD levels give the same.
//
// Cost: O(n) where nothing changes (a table look-up for each code point whose lead byte unstable
// ones share, none for the others); O(n log n) at worst, for the stable sort of a run of marks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "wordsplit/base/byte_set.hpp"
#include "wordsplit/base/simd.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

enum class NormalForm { Nfc, Nfkc };

namespace nfc_detail {

inline constexpr std::uint32_t kS = 0xAC00, kL = 0x1100, kV = 0x1161, kT = 0x11A7;
inline constexpr std::uint32_t kLCount = 19, kVCount = 21, kTCount = 28;
inline constexpr std::uint32_t kSCount = kLCount * kVCount * kTCount;

template <class T>
T two_stage(const std::uint8_t* index, const T* blocks, std::uint32_t cp) {
  using namespace unicode_data;
  return blocks[(std::size_t{index[cp >> kShift]} << kShift) + (cp & ((1u << kShift) - 1))];
}

inline std::uint8_t combining(std::uint32_t cp) {
  return two_stage(unicode_data::kCombiningIndex, unicode_data::kCombiningBlocks, cp);
}

template <NormalForm kForm = NormalForm::Nfc>
bool unstable(std::uint32_t cp) {
  const auto found = two_stage(unicode_data::kUnstableIndex, unicode_data::kUnstableBlocks, cp);
  return kForm == NormalForm::Nfkc ? found != 0 : found == 1;
}

// The lead bytes of unstable code points.
template <NormalForm kForm>
struct UnstableLeads : ByteSet {
  UnstableLeads() {
    for (std::uint32_t cp = 0x80; cp < 0x110000; ++cp) {
      if (!unstable<kForm>(cp)) continue;
      const std::uint32_t lead = cp < 0x800     ? 0xC0 | cp >> 6
                                 : cp < 0x10000 ? 0xE0 | cp >> 12
                                                : 0xF0 | cp >> 18;
      add(static_cast<std::uint8_t>(lead));
    }
  }
};

// Appends the decomposition of a code point in a sorted table of them. Returns false if it has
// none.
template <class Keys, class Offsets, class Pool>
bool decompose_by(const Keys& keys, const Offsets& offsets, const Pool& pool, std::uint32_t cp,
                  std::vector<std::uint32_t>& out) {
  const auto* found = std::lower_bound(std::begin(keys), std::end(keys), cp);
  if (found == std::end(keys) || *found != cp) return false;
  const auto at = found - std::begin(keys);
  out.insert(out.end(), pool + offsets[at], pool + offsets[at + 1]);
  return true;
}

template <NormalForm kForm = NormalForm::Nfc>
void decompose(std::uint32_t cp, std::vector<std::uint32_t>& out) {
  using namespace unicode_data;
  if (cp - kS < kSCount) {
    const std::uint32_t s = cp - kS;
    out.push_back(kL + s / (kVCount * kTCount));
    out.push_back(kV + s % (kVCount * kTCount) / kTCount);
    if (s % kTCount) out.push_back(kT + s % kTCount);
    return;
  }
  if constexpr (kForm == NormalForm::Nfkc) {
    if (decompose_by(kCompatible, kCompatibleOffset, kCompatiblePool, cp, out)) return;
  }
  if (!decompose_by(kDecomposed, kDecomposedOffset, kDecomposedPool, cp, out)) out.push_back(cp);
}

// The code point that a pair composes to; 0 if there is none.
inline std::uint32_t compose(std::uint32_t first, std::uint32_t second) {
  using namespace unicode_data;
  if (first - kL < kLCount && second - kV < kVCount) {
    return kS + ((first - kL) * kVCount + (second - kV)) * kTCount;
  }
  if (first - kS < kSCount && (first - kS) % kTCount == 0 && second - kT - 1 < kTCount - 1) {
    return first + second - kT;
  }
  const std::uint64_t key = std::uint64_t{first} << 32 | second;
  const auto* found = std::lower_bound(std::begin(kComposePair), std::end(kComposePair), key);
  if (found == std::end(kComposePair) || *found != key) return 0;
  return kComposed[found - std::begin(kComposePair)];
}

inline void append_utf8(std::uint32_t cp, std::string& out) {
  std::uint8_t bytes[4];
  out.append(reinterpret_cast<const char*>(bytes),
             static_cast<std::size_t>(put_utf8(cp, bytes) - bytes));
}

// Puts each run of marks in order.
inline void order_marks(std::vector<std::uint32_t>& points) {
  for (std::size_t start = 0; start < points.size(); ++start) {
    std::size_t end = start;
    while (end < points.size() && combining(points[end])) ++end;
    if (end - start > 1) {
      std::stable_sort(points.begin() + static_cast<std::ptrdiff_t>(start),
                       points.begin() + static_cast<std::ptrdiff_t>(end),
                       [](auto a, auto b) { return combining(a) < combining(b); });
    }
    start = end;
  }
}

inline void normalize_run(std::vector<std::uint32_t>& points, std::string& out) {
  order_marks(points);
  std::size_t kept = 0, starter = points.size();  // points.size(): no starter yet
  std::uint8_t last = 0;                          // class of the last mark kept after the starter
  for (const std::uint32_t cp : points) {
    const std::uint8_t cls = combining(cp);
    if (starter < kept && (last < cls || (last == 0 && starter == kept - 1))) {
      if (const std::uint32_t composed = compose(points[starter], cp)) {
        points[starter] = composed;
        continue;
      }
    }
    if (cls == 0) starter = kept;
    last = cls;
    points[kept++] = cp;
  }
  for (std::size_t i = 0; i < kept; ++i) append_utf8(points[i], out);
}

template <NormalForm kForm>
struct FindUnstable {
  using Function = std::size_t (*)(const std::uint8_t* text, std::size_t n, std::size_t at);
  template <class Simd>
  static WORDSPLIT_INLINE std::size_t run(const std::uint8_t* text, std::size_t n, std::size_t at) {
    static const UnstableLeads<kForm> leads;
    for (; at < n; at += 64) {
      const std::uint8_t* block = text + at;
      std::uint8_t last[64];
      if (n - at < 64) {
        std::memset(last, 0, sizeof last);
        std::memcpy(last, block, n - at);
        block = last;
      }
      const typename Simd::Bytes bytes = Simd::load(block);
      if (!Simd::high_bits(bytes)) continue;
      std::uint64_t found = Simd::in_sets(bytes, leads.lower, leads.upper);
      for (; found; found &= found - 1) {
        const std::size_t lead = at + static_cast<std::size_t>(std::countr_zero(found));
        if (unstable<kForm>(decode_utf8(text + lead, text + n).value)) return lead;
      }
    }
    return n;
  }
};

// The offset of the first unstable code point at or after `at`; n if there is none.
template <NormalForm kForm = NormalForm::Nfc>
std::size_t find_unstable(const std::uint8_t* text, std::size_t n, std::size_t at,
                          SimdLevel level) {
  return kernel_at<FindUnstable<kForm>>(level)(text, n, at);
}

// The offset of the code point before `at`, with which the one at `at` may compose; `at` if there
// is none from `done` on, or if it is not valid.
inline std::size_t start_of_previous(const std::uint8_t* text, std::size_t done, std::size_t at) {
  if (at == done) return at;
  std::size_t start = at - 1;
  while (start > done && is_continuation(text[start])) --start;
  const CodePoint before = decode_utf8(text + start, text + at);
  return is_invalid(before) || before.size != at - start ? at : start;
}

// All that pairs of code points compose to.
inline std::vector<std::uint32_t> compositions() {
  std::vector<std::uint32_t> out(std::begin(unicode_data::kComposed),
                                 std::end(unicode_data::kComposed));
  for (std::uint32_t s = 0; s < kSCount; ++s) out.push_back(kS + s);
  return out;
}

// Whether some code point composes with this one as the second of a pair.
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

// Whether `text` is certainly its own NFC or NFKC; false if it may not be.
template <NormalForm kForm = NormalForm::Nfc>
bool is_nfc_quick(const std::uint8_t* text, std::size_t n, SimdLevel level = best_simd_level()) {
  if (n < 8) {  // a word; the vectors would take longer
    std::uint8_t all = 0;
    for (std::size_t i = 0; i < n; ++i) all |= text[i];
    if (all < 0x80) return true;
  }
  return nfc_detail::find_unstable<kForm>(text, n, 0, level) == n;
}

// Appends the NFC or NFKC of text[0, n) to `out`.
template <NormalForm kForm = NormalForm::Nfc>
void nfc(const std::uint8_t* text, std::size_t n, std::string& out,
         SimdLevel level = best_simd_level()) {
  using namespace nfc_detail;
  std::vector<std::uint32_t> points;
  std::size_t done = 0;
  while (true) {
    const std::size_t at = find_unstable<kForm>(text, n, done, level);
    const std::size_t start = at < n ? start_of_previous(text, done, at) : at;
    out.append(reinterpret_cast<const char*>(text) + done, start - done);
    if (at == n) return;
    points.clear();
    std::size_t end = start;
    while (end < n) {
      const CodePoint cp = decode_utf8(text + end, text + n);
      if (is_invalid(cp) || (end >= at && !unstable<kForm>(cp.value))) break;
      decompose<kForm>(cp.value, points);
      end += cp.size;
    }
    normalize_run(points, out);
    done = end;
  }
}

// Appends the NFD of text[0, n), which is short, to `out`; with kForm Nfkc its NFKD. Precondition:
// it is valid UTF-8.
template <NormalForm kForm>
void nfd(const std::uint8_t* text, std::size_t n, std::string& out) {
  std::vector<std::uint32_t> points;
  for (std::size_t at = 0; at < n;) {
    const CodePoint c = decode_utf8(text + at, text + n);
    nfc_detail::decompose<kForm>(c.value, points);
    at += c.size;
  }
  nfc_detail::order_marks(points);
  for (const std::uint32_t point : points) nfc_detail::append_utf8(point, out);
}

// A cluster that normalization changed: bytes [from, from_end) of the original became bytes
// [to, to_end) of its NFC. A cluster begins at a code point whose decomposition begins with a
// starter that composes with nothing before it, and ends where the next one begins, so it
// normalizes by itself.
struct NfcCluster {
  std::size_t from, from_end, to, to_end;
};

// Appends the NFC of text[0, n) to `out`, and the clusters that changed to `changed`, in order.
// Precondition: `out` is empty.
inline void nfc_aligned(const std::uint8_t* text, std::size_t n, std::string& out,
                        std::vector<NfcCluster>& changed, SimdLevel level = best_simd_level()) {
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
    const std::size_t at = find_unstable(text, n, done, level);
    const std::size_t start = at < n ? start_of_previous(text, done, at) : at;
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
