// The table of schemes that have a scanner. Bindings, tests and fuzz targets read it.
//
// A scanner splits text exactly as its pattern does in `tokenizers` and `tiktoken` (Unicode 16
// classes), many times faster than a regex engine. A scheme is found by its exact pattern, or by
// the list of patterns if a pre-tokenizer splits in several steps, each within the pieces of the
// step before ("isolated": both matches and the text between them are pieces). Spellings that are
// proved to give the same spans (tests/exhaustive/test_scanners.py) share one scanner.
//
// docs/writing-a-scanner.md describes how to add one: a header in this folder, a line in kSchemes
// and a row in the table of schemes in Python, from which patterns.hpp is generated.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "wordsplit/base/simd.hpp"
#include "wordsplit/scanners/cl100k.hpp"
#include "wordsplit/scanners/deepseek_v3.hpp"
#include "wordsplit/scanners/gpt2.hpp"
#include "wordsplit/scanners/kimi_k2.hpp"
#include "wordsplit/scanners/llama3.hpp"
#include "wordsplit/scanners/o200k.hpp"
#include "wordsplit/scanners/patterns.hpp"
#include "wordsplit/scanners/qwen2.hpp"
#include "wordsplit/scanners/qwen35.hpp"
#include "wordsplit/scanners/seed_coder.hpp"
#include "wordsplit/scanners/spelling.hpp"
#include "wordsplit/scanners/starcoder.hpp"
#include "wordsplit/scanners/tekken.hpp"
#include "wordsplit/scanners/window.hpp"

namespace wordsplit {

// Writes the ends (offsets in `text`) of consecutive spans from `pos` on, until `cap` are written
// or the text ends; advances `pos` to the last end and returns the number of ends. Any bytes are
// accepted: a byte that is not UTF-8 counts as one code point of category Cn. Reads no byte outside
// [text, text + n) and allocates nothing. Linear in the bytes advanced, plus O(1) a call, except
// that a run of white space or letters cut short by `cap` is read again.
//
// Preconditions: n < 2^32; pos <= n is 0 or an end that this scheme gave for this text; `text` is
// the whole segment, since patterns look ahead; `ends` has room for `cap`.
using ScanFn = std::size_t (*)(const std::uint8_t* text, std::size_t n, std::size_t& pos,
                               std::uint32_t* ends, std::size_t cap);

namespace scanners {

// The scan function of a scheme on any instruction set.
template <class S>
struct WindowScan {
  using Function = ScanFn;
  template <class Simd>
  static WORDSPLIT_INLINE std::size_t run(const std::uint8_t* text, std::size_t n, std::size_t& pos,
                                          std::uint32_t* ends, std::size_t cap) {
    return scan_windows<S, Simd>(text, n, pos, ends, cap);
  }
};

// One span at a time, by the family's next_end: the specification for the others.
template <class S>
std::size_t scan_reference(const std::uint8_t* text, std::size_t n, std::size_t& pos,
                           std::uint32_t* ends, std::size_t cap) {
  std::size_t written = 0;
  for (; pos < n && written < cap; ++written) {
    pos = S::next_end(text, n, pos);
    ends[written] = static_cast<std::uint32_t>(pos);
  }
  return written;
}

}  // namespace scanners

// A pre-tokenization scheme.
struct Scheme {
  const char* name;
  std::span<const scanners::Spelling> spellings;
  ScanFn (*at)(SimdLevel level);  // the scan function for a level of this machine
  ScanFn reference;               // one span at a time, for tests
};

namespace scanners {

template <class S>
constexpr Scheme scheme(const char* name, std::span<const Spelling> spellings) {
  return {name, spellings, kernel_at<WindowScan<S>>, scan_reference<S>};
}

inline constexpr Scheme kSchemes[] = {
    scheme<Gpt2>("gpt2", patterns::kGpt2),
    scheme<StarCoder>("starcoder", patterns::kStarcoder),
    scheme<Cl100k>("cl100k", patterns::kCl100k),
    scheme<Llama3>("llama3", patterns::kLlama3),
    scheme<Qwen2>("qwen2", patterns::kQwen2),
    scheme<Qwen35>("qwen35", patterns::kQwen35),
    scheme<SeedCoder>("seed_coder", patterns::kSeedCoder),
    scheme<O200k>("o200k", patterns::kO200k),
    scheme<Tekken>("tekken", patterns::kTekken),
    scheme<KimiK2>("kimi_k2", patterns::kKimiK2),
    scheme<DeepSeekV3>("deepseek_v3", patterns::kDeepseekV3),
};

}  // namespace scanners

// Every scheme that has a scanner.
inline std::span<const Scheme> schemes() { return scanners::kSchemes; }

// The scheme of exactly these patterns, one for each step, in this dialect; or null.
inline const Scheme* find_scheme(std::span<const std::string_view> steps,
                                 scanners::Dialect dialect) {
  for (const Scheme& scheme : schemes()) {
    for (const scanners::Spelling& spelling : scheme.spellings) {
      if (spelling.dialect != scanners::Dialect::Any && spelling.dialect != dialect) continue;
      if (std::equal(spelling.begin(), spelling.end(), steps.begin(), steps.end())) return &scheme;
    }
  }
  return nullptr;
}

// The scheme of this name, or null.
inline const Scheme* find_scheme_named(std::string_view name) {
  for (const Scheme& scheme : schemes()) {
    if (name == scheme.name) return &scheme;
  }
  return nullptr;
}

}  // namespace wordsplit
