// The places of pairs: for every pair of at least some weight, the slots of its left symbols, in
// ascending order.
//
// The weight of a pair can only fall once it exists, since a merge makes only pairs with its new
// symbol. So pairs below a threshold need not be watched while any above it is left, and most never
// are. The index is built for a threshold, and rebuilt for a lower one over the spans, which
// have become shorter by then. O(slots) each time, on all cores.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "wordsplit/base/interrupt.hpp"
#include "wordsplit/training/pair_counts.hpp"

namespace wordsplit::training {

class PairIndex {
 public:
  // Slots in ascending order. Some may be stale, so each must be checked.
  struct List {
    std::uint32_t* slots = nullptr;
    std::uint32_t size = 0;
  };

  // Counts all pairs, and returns the weight of the heaviest pair that may be merged; 0 if there is
  // none. Pairs for which allowed(left, right) is false are ignored.
  template <class Allowed>
  std::uint64_t count(const Symbols& symbols, bool by_span, std::size_t threads, Allowed&& allowed,
                      Interrupts interrupts = {}) {
    stretches_ = stretches(symbols.slots(), threads);
    counts_ = std::vector<PairCounts>(stretches_.size());
    each_stretch([&](std::size_t k, std::size_t worker) {
      count_pairs(symbols, stretches_[k], by_span, counts_[k],
                  [&](std::size_t slots) { report(interrupts, worker, slots); });
    });
    std::uint64_t heaviest = 0;
    each_total([&](const Pair& pair) {
      report(interrupts, 0, 1);
      if (pair.weight > heaviest && allowed(pair.left(), pair.right())) heaviest = pair.weight;
    });
    return heaviest;
  }

  // Lists the places of the counted pairs of at least this weight.
  template <class Allowed>
  void list(const Symbols& symbols, std::uint64_t threshold, Allowed&& allowed,
            Interrupts interrupts = {}) {
    pairs_ = PairCounts();
    lists_.assign(1, {});  // list 0 is not used
    arena_ = Arena();
    each_total([&](const Pair& total) {
      report(interrupts, 0, 1);
      if (total.weight < threshold || !allowed(total.left(), total.right())) return;
      Pair& pair = pairs_.of(total.key);
      pair.weight = total.weight;
      pair.places = total.places;
      pair.list = add_list(total.places);
    });
    // The start of each stretch in each list, after the places of the stretches before it.
    std::vector<std::vector<std::uint32_t>> next(stretches_.size());
    for (auto& starts : next) starts.assign(lists_.size(), 0);
    pairs_.for_each([&](const Pair& pair) {
      std::uint32_t start = 0;
      for (std::size_t k = 0; k < stretches_.size(); ++k) {
        next[k][pair.list] = start;
        if (const Pair* counted = counts_[k].find(pair.key)) start += counted->places;
      }
      lists_[pair.list].size = start;
    });
    counts_.clear();
    each_stretch([&](std::size_t k, std::size_t worker) {
      const auto& slots = symbols.slots();
      for (std::uint32_t at = stretches_[k].start; at + 1 < stretches_[k].end; ++at) {
        report(interrupts, worker, 1);
        if (slots[at] == Symbols::kEdge || slots[at + 1] == Symbols::kEdge) continue;
        const Pair* pair = std::as_const(pairs_).find(pair_key(slots[at], slots[at + 1]));
        if (pair) lists_[pair->list].slots[next[k][pair->list]++] = at;
      }
    });
  }

  PairCounts& pairs() { return pairs_; }
  List& list_of(const Pair& pair) { return lists_[pair.list]; }
  // Makes an empty list with room for some places, and returns its number.
  std::uint32_t add_list(std::uint32_t room) {
    lists_.push_back({arena_.take(room), 0});
    return static_cast<std::uint32_t>(lists_.size() - 1);
  }
  List& list_at(std::uint32_t number) { return lists_[number]; }

 private:
  // The memory of lists, freed at once.
  class Arena {
   public:
    std::uint32_t* take(std::size_t count) {
      if (count > room_) {
        room_ = std::max(count, kBlock);
        blocks_.push_back(std::unique_ptr<std::uint32_t[]>(new std::uint32_t[room_]));
        next_ = blocks_.back().get();
      }
      std::uint32_t* taken = next_;
      next_ += count, room_ -= count;
      return taken;
    }

   private:
    static constexpr std::size_t kBlock = std::size_t{1} << 18;
    std::vector<std::unique_ptr<std::uint32_t[]>> blocks_;
    std::uint32_t* next_ = nullptr;
    std::size_t room_ = 0;
  };

  // Calls work(k, worker) for every stretch, each in a separate thread.
  template <class Work>
  void each_stretch(Work&& work) const {
    std::atomic<std::size_t> next{0};
    run_threads(
        stretches_.size(),
        [&](std::size_t worker) {
          const std::size_t k = next.fetch_add(1);
          if (k >= stretches_.size()) return false;
          work(k, worker);
          return true;
        },
        [] {});
  }

  // Calls visit(pair) once for every pair, with the sum of all stretches.
  template <class Visit>
  void each_total(Visit&& visit) const {
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      counts_[k].for_each([&](const Pair& pair) {
        Pair total = pair;
        for (std::size_t j = 0; j < counts_.size(); ++j) {
          const Pair* other = j == k ? nullptr : counts_[j].find(pair.key);
          if (!other) continue;
          if (j < k) return;  // seen there
          total.weight += other->weight;
          total.places += other->places;
        }
        visit(total);
      });
    }
  }

  std::vector<Stretch> stretches_;
  std::vector<PairCounts> counts_;  // by stretch
  PairCounts pairs_;
  std::vector<List> lists_;
  Arena arena_;
};

}  // namespace wordsplit::training
