// Finds spans: by the scanner of a scheme, or by steps compiled from patterns.
#pragma once

#include <memory>
#include <optional>

#include "wordsplit/automata/split_steps.hpp"
#include "wordsplit/scanners/scanners.hpp"

namespace wordsplit {

struct SpanFinder {
  // One of them; where kOnlyBytes is set, the first.
  ScanFn scan = nullptr;
  std::shared_ptr<const automata::SplitSteps> steps;

  explicit operator bool() const { return scan || steps; }

  // What the calls of find() for one text remember.
  using Memory = std::optional<automata::SplitSteps::Memory>;
  // The memory for a text from `pos` on, where a span begins. The text must outlive it.
  Memory memory(const std::uint8_t* text, std::size_t n, std::size_t pos) const {
    if (kOnlyBytes || scan || !steps) return std::nullopt;
    return automata::SplitSteps::Memory(*steps, text, n, pos);
  }
  // Whether spans from any end on depend on nothing before it.
  bool can_begin_anywhere() const { return scan || !steps || steps->can_begin_anywhere(); }

  // See ScanFn. Calls with one memory follow one another.
  WORDSPLIT_INLINE std::size_t find(const std::uint8_t* text, std::size_t n, std::size_t& pos,
                                    std::uint32_t* ends, std::size_t cap, Memory& memory) const {
    if (kOnlyBytes || scan) return scan(text, n, pos, ends, cap);
    return steps->scan(text, n, pos, ends, cap, *memory);
  }
};

}  // namespace wordsplit
