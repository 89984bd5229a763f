// The spans as sequences of symbols, in one array, in which merges are made.
//
// The symbols of a span are between two edges. A symbol that is `w` slots wide has its number in
// its first slot and in its last. So both neighbours of a symbol are found without links, and a
// merge writes four slots. pack() makes every symbol one slot wide and drops the spans that have
// become one symbol. Four bytes a slot.
//
// Spans of equal weight (the count of the span) are adjacent, heaviest first, so that the weight of
// a slot follows from the few places where it changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace wordsplit::training {

class Symbols {
 public:
  static constexpr std::uint32_t kEdge = 0xFFFFFFFF;    // between two spans
  static constexpr std::uint32_t kInside = 0xFFFFFFFE;  // within a symbol

  // The beginning of the spans of the next weight.
  struct Block {
    std::uint32_t start;
    std::uint64_t weight;
  };

  // Finds the weight at slots, which must be requested in ascending order.
  class Weights {
   public:
    explicit Weights(const std::vector<Block>& blocks, std::uint32_t from = 0)
        : at_(blocks.data()), last_(blocks.data() + blocks.size() - 1) {
      advance(from);
    }
    std::uint64_t at(std::uint32_t slot) {
      if (at_ != last_ && at_[1].start <= slot) advance(slot);
      return at_->weight;
    }

   private:
    // Doubling steps, then halving ones, since spans of a rare pair are far apart.
    void advance(std::uint32_t slot) {
      const auto left = [&] { return static_cast<std::size_t>(last_ - at_); };
      std::size_t step = 1;
      while (step <= left() && at_[step].start <= slot) {
        at_ += step;
        step *= 2;
      }
      for (; step > 0; step /= 2) {
        if (step <= left() && at_[step].start <= slot) at_ += step;
      }
    }
    const Block* at_;
    const Block* last_;
  };

  // Takes the spans of a source. each(visit) calls visit(span, count) for each span, and for the
  // same spans each time it is called; spell(span, symbols) appends a span's symbols. Throws
  // std::length_error beyond 2^32 slots.
  template <class Each, class Spell>
  void take(Each&& each, Spell&& spell) {
    std::vector<std::uint32_t> symbols;
    std::map<std::uint64_t, std::uint64_t, std::greater<>> sizes;  // slots by weight
    each([&](std::string_view span, std::uint64_t count) {
      symbols.clear();
      spell(span, symbols);
      if (symbols.size() > 1) sizes[count] += symbols.size() + 1;
    });
    std::uint64_t at = 1;
    blocks_.clear();
    for (auto& [weight, size] : sizes) {
      if (at + size >= kInside) throw std::length_error("more than 2^32 symbols to merge");
      blocks_.push_back({static_cast<std::uint32_t>(at), weight});
      at += std::exchange(size, at);  // from now on where the next span of the weight goes
    }
    slots_.resize(at);
    slots_[0] = kEdge;
    each([&](std::string_view span, std::uint64_t count) {
      symbols.clear();
      spell(span, symbols);
      if (symbols.size() < 2) return;
      std::uint64_t& next = sizes[count];
      std::copy(symbols.begin(), symbols.end(), slots_.begin() + static_cast<std::ptrdiff_t>(next));
      next += symbols.size();
      slots_[next++] = kEdge;
    });
  }

  // Makes all symbols one slot wide and drops the spans of one symbol.
  void pack(const std::vector<std::uint32_t>& widths) {
    std::size_t from = 1, to = 1, block = 0;
    std::vector<Block> blocks;
    while (from < slots_.size()) {
      while (block + 1 < blocks_.size() && blocks_[block + 1].start <= from) ++block;
      const std::size_t start = to;
      for (; slots_[from] != kEdge; from += widths[slots_[from]]) slots_[to++] = slots_[from];
      ++from;
      if (to - start < 2) {
        to = start;
        continue;
      }
      slots_[to++] = kEdge;
      if (blocks.empty() || blocks.back().weight != blocks_[block].weight) {
        blocks.push_back({static_cast<std::uint32_t>(start), blocks_[block].weight});
      }
    }
    slots_.resize(to);
    if (to < slots_.capacity() / 2) slots_.shrink_to_fit();
    blocks_ = std::move(blocks);
  }

  // The slots; the first and the last are edges.
  std::vector<std::uint32_t>& slots() { return slots_; }
  const std::vector<std::uint32_t>& slots() const { return slots_; }
  const std::vector<Block>& blocks() const { return blocks_; }

  // The start of the span in which `slot` is the first of a symbol.
  std::uint32_t span_start(std::uint32_t slot, const std::vector<std::uint32_t>& widths) const {
    while (slots_[slot - 1] != kEdge) slot -= widths[slots_[slot - 1]];
    return slot;
  }

 private:
  std::vector<std::uint32_t> slots_;
  std::vector<Block> blocks_;
};

}  // namespace wordsplit::training
