// The table of schemes: which patterns have a scanner, and which functions that is.
//
// A scanner splits text exactly as its pattern does in `tokenizers` and `tiktoken` (Unicode 16
// classes), many times faster than a regex engine. A scheme is keyed by its pattern string, or by
// the list of them where a pre-tokenizer splits in several steps, each inside the pieces of the one
// before ("isolated": matches and what lies between them are pieces). Several spellings that are
// proved to give the same spans (tests/exhaustive/test_scanners.py) share one scanner.
//
// docs/writing-a-scanner.md tells how to add one: a header in scanners/ and a line in kSchemes.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "wordsplit/scanners/cl100k.hpp"
#include "wordsplit/scanners/deepseek_v3.hpp"
#include "wordsplit/scanners/gpt2.hpp"
#include "wordsplit/scanners/kimi_k2.hpp"
#include "wordsplit/scanners/o200k.hpp"
#include "wordsplit/scanners/patterns.hpp"
#include "wordsplit/scanners/qwen2.hpp"
#include "wordsplit/scanners/qwen35.hpp"
#include "wordsplit/scanners/seed_coder.hpp"
#include "wordsplit/scanners/starcoder.hpp"
#include "wordsplit/scanners/tekken.hpp"
#include "wordsplit/scanners/window.hpp"
#include "wordsplit/base/simd_level.hpp"

namespace wordsplit {

// Writes the ends (offsets in `text`) of consecutive spans from `pos` on, until `cap` are written
// or the text is used up; advances `pos` to the last end and returns how many it wrote. Any bytes
// are accepted: one that is not UTF-8 counts as one code point of category Cn. No byte outside
// [text, text + n) is read, nothing is allocated, and the time is linear in the bytes advanced,
// plus O(1) a call but for a run of white space or letters left half done by `cap`, which is read
// again.
//
// Preconditions: n < 2^32; pos <= n is 0 or an end this scheme gave for this text; `text` is all of
// the segment, as patterns look ahead; ends has room for cap.
using ScanFn = std::size_t (*)(const std::uint8_t* text, std::size_t n, std::size_t& pos,
                               std::uint32_t* ends, std::size_t cap);

namespace scanners {

template <class S>
std::size_t scan_scalar(const std::uint8_t* text, std::size_t n, std::size_t& pos,
                        std::uint32_t* ends, std::size_t cap) {
  return scan_windows<S, Portable>(text, n, pos, ends, cap);
}

// One span at a time by the family's next_end: the specification the others are tested against.
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

#if defined(__x86_64__)
template <class S>
WORDSPLIT_TARGET_AVX2 std::size_t scan_avx2(const std::uint8_t* text, std::size_t n,
                                            std::size_t& pos, std::uint32_t* ends,
                                            std::size_t cap) {
  return scan_windows<S, Avx2>(text, n, pos, ends, cap);
}
template <class S>
WORDSPLIT_TARGET_AVX512 std::size_t scan_avx512(const std::uint8_t* text, std::size_t n,
                                                std::size_t& pos, std::uint32_t* ends,
                                                std::size_t cap) {
  return scan_windows<S, Avx512>(text, n, pos, ends, cap);
}
#endif

}  // namespace scanners

// A pre-tokenization scheme.
struct Scheme {
  const char* name;
  std::span<const scanners::Steps> spellings;  // each the pattern of every step, in order
  ScanFn scan[kSimdLevels];                    // by SimdLevel
  ScanFn reference;                            // one span at a time, for tests

  ScanFn at(SimdLevel level) const { return scan[static_cast<std::size_t>(level)]; }
};

namespace scanners {

template <class S>
constexpr Scheme scheme(const char* name, std::span<const Steps> spellings) {
#if defined(__x86_64__)
  return {name, spellings, {scan_scalar<S>, scan_avx2<S>, scan_avx512<S>}, scan_reference<S>};
#else
  return {name, spellings, {scan_scalar<S>, scan_scalar<S>, scan_scalar<S>}, scan_reference<S>};
#endif
}

inline constexpr Scheme kSchemes[] = {
    scheme<Gpt2>("gpt2", patterns::kGpt2),
    scheme<StarCoder>("starcoder", patterns::kStarCoder),
    scheme<Cl100k>("cl100k", patterns::kCl100k),
    scheme<Cl100kTiktoken>("cl100k_tiktoken", patterns::kCl100kTiktoken),
    scheme<Qwen2>("qwen2", patterns::kQwen2),
    scheme<Qwen35>("qwen35", patterns::kQwen35),
    scheme<SeedCoder>("seed_coder", patterns::kSeedCoder),
    scheme<O200k>("o200k", patterns::kO200k),
    scheme<Tekken>("tekken", patterns::kTekken),
    scheme<KimiK2>("kimi_k2", patterns::kKimiK2),
    scheme<DeepSeekV3>("deepseek_v3", patterns::kDeepSeekV3),
};

}  // namespace scanners

// Every scheme that has a scanner.
inline std::span<const Scheme> schemes() { return scanners::kSchemes; }

// The scheme of exactly these step patterns (one, for most) as `engine` reads them, or null.
inline const Scheme* find_scheme(std::span<const std::string_view> steps, scanners::Engine engine) {
  for (const Scheme& scheme : schemes()) {
    for (const scanners::Steps& spelling : scheme.spellings) {
      if (spelling.engine != scanners::Engine::Any && spelling.engine != engine) continue;
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
