// Makes the merges of byte-pair encoding: merges the heaviest pair wherever it occurs, and repeats.
//
// A heap holds a candidate for every watched pair, with a weight that the pair had at some time; a
// candidate whose pair has become lighter is pushed back with its current weight. A merge visits
// only the places of its pair, and sums its changes by neighbour, so that a table is accessed once
// for each neighbour, not for each place. O(slots log pairs) in total, since each visit to a valid
// place removes a symbol; with `by_span` a visit costs the length of the span.
//
// The result depends only on the counted spans, not on their order or the number of threads.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/interrupt.hpp"
#include "wordsplit/training/pair_index.hpp"
#include "wordsplit/training/rules.hpp"

namespace wordsplit::training {

class MergeLoop {
 public:
  // `tokens` are the symbols, as bytes, in order. A merge may not make one of them that is longer
  // than a byte, nor one of `taken`.
  MergeLoop(const std::vector<std::string_view>& tokens, const std::vector<std::string_view>& taken,
            const Rules& rules, std::size_t threads, const Tuning& tuning = {})
      : rules_(rules), tuning_(tuning), threads_(threads), tokens_(tokens.begin(), tokens.end()) {
    for (const auto token : tokens) {
      if (token.size() > 1) taken_.emplace(token);
    }
    for (const auto token : taken) taken_.emplace(token);
    widths_.assign(tokens_.size(), 1);
    sides_.resize(tokens_.size());
    if (rules_.lexicographic) {
      for (const auto& token : tokens_) spelled_.push_back(in_print(token));
    }
  }

  // Must be filled before the first merge.
  Symbols& symbols() { return symbols_; }

  // How many threads there are at most; each needs an interrupt in run().
  std::size_t threads() const { return threads_; }

  // Makes up to `most` merges, and none after `until`, for which it reads the clock now and then.
  // Returns false if the rules allow no further merge. Not to be called again after an interrupt.
  bool run(std::size_t most, std::chrono::steady_clock::time_point until,
           Interrupts interrupts = {}) {
    for (std::size_t made = 0; made < most;) {
      if (made % 16 == 15 && std::chrono::steady_clock::now() >= until) break;
      if (heap_.empty()) {
        if (!watch(interrupts)) return false;
        continue;
      }
      std::pop_heap(heap_.begin(), heap_.end(), order());
      const Candidate top = heap_.back();
      heap_.pop_back();
      Pair* pair = index_.pairs().find(top.key);
      if (pair->weight < top.weight) {
        if (pair->weight >= threshold_) push({pair->weight, top.key});
        continue;
      }
      if (!taken_.empty() && taken_.contains(tokens_[pair->left()] + tokens_[pair->right()])) {
        continue;
      }
      report(interrupts, 0, index_.list_of(*pair).size);
      merge(*pair);
      ++made;
    }
    return true;
  }

  // The merges so far. The first makes the symbol after the given ones.
  const std::vector<NewMerge>& merges() const { return merges_; }
  const std::vector<std::string>& tokens() const { return tokens_; }

 private:
  struct Candidate {
    std::uint64_t weight, key;
  };
  // The changes of a merge on one side of its new symbol, by the neighbour there.
  struct Side {
    std::uint64_t weight = 0;
    std::uint32_t places = 0;
    std::uint32_t list = 0;  // of the new pair, if it is watched
  };
  struct Sides {
    Side left, right;
  };
  struct Place {
    std::uint32_t slot, left, right;  // of a new symbol, and its neighbours
  };
  static constexpr std::uint32_t kEdge = Symbols::kEdge;

  // Builds the index for the next lower threshold. Returns false if no pair is left.
  bool watch(Interrupts interrupts) {
    if (symbols_.blocks().empty()) return false;
    symbols_.pack(widths_);
    widths_.assign(tokens_.size(), 1);
    if (symbols_.blocks().empty()) return false;
    const auto allowed = [this](std::uint32_t left, std::uint32_t right) {
      return may_merge(left, right) && !is_taken(left, right);
    };
    const std::size_t slots = symbols_.slots().size();
    const std::size_t threads = std::min(threads_, slots / tuning_.a_thread + 1);
    const std::uint64_t heaviest =
        index_.count(symbols_, rules_.by_span, threads, allowed, interrupts);
    threshold_ = std::max<std::uint64_t>(rules_.min_frequency, 1);
    if (heaviest < threshold_) return false;
    if (slots > tuning_.few) threshold_ = std::max(threshold_, heaviest / tuning_.step);
    index_.list(symbols_, threshold_, allowed, interrupts);
    index_.pairs().for_each([&](const Pair& pair) { heap_.push_back({pair.weight, pair.key}); });
    std::make_heap(heap_.begin(), heap_.end(), order());
    return true;
  }

  void merge(const Pair& found) {
    const std::uint32_t a = found.left(), b = found.right();
    const auto c = static_cast<std::uint32_t>(tokens_.size());
    merges_.push_back({a, b, found.weight});
    tokens_.push_back(tokens_[a] + tokens_[b]);
    widths_.push_back(widths_[a] + widths_[b]);
    sides_.emplace_back();
    if (rules_.lexicographic) spelled_.push_back(spelled_[a] + spelled_[b]);
    const PairIndex::List list = index_.list_of(found);
    index_.pairs().find(found.key)->weight = 0;
    places_.clear();
    if (rules_.by_span) {
      replace_by_span(list, a, b, c);
    } else {
      replace(list, a, b, c);
    }
    for (const std::uint32_t left : left_) watch_pair(left, c, sides_[left].left);
    for (const std::uint32_t right : right_) watch_pair(c, right, sides_[right].right);
    for (const Place& place : places_) {
      if (place.left != kEdge) append(sides_[place.left].left, place.slot - widths_[place.left]);
      if (place.right != kEdge) append(sides_[place.right].right, place.slot);
    }
    for (const std::uint32_t left : left_) sides_[left].left = {};
    for (const std::uint32_t right : right_) sides_[right].right = {};
    left_.clear();
    right_.clear();
  }

  // Merges every (a, b) of the list to c. A pair weighs as often as it occurs in a span.
  void replace(const PairIndex::List& list, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    auto& slots = symbols_.slots();
    Symbols::Weights weights(symbols_.blocks());
    const std::uint32_t width_a = widths_[a], width_b = widths_[b];
    constexpr std::uint32_t kAhead = 16;
    for (std::uint32_t i = 0; i < list.size; ++i) {
      if (i + kAhead < list.size) prefetch_line(&slots[list.slots[i + kAhead]]);
      const std::uint32_t at = list.slots[i];
      if (slots[at] != a || slots[at + width_a] != b) continue;
      const std::uint32_t end = at + width_a + width_b;
      const std::uint32_t left = slots[at - 1], right = slots[end];
      join(at, at + width_a, end, c);
      const std::uint64_t weight = weights.at(at);
      if (left != kEdge) add(sides_[left].left, left_, left, weight);
      if (right != kEdge) add(sides_[right].right, right_, right, weight);
      places_.push_back({at, left, right});
    }
    // Subtract the old pairs of the neighbours. A left neighbour may be a c made just before: its
    // pair with a was counted there as one of c's, and does not exist.
    for (const std::uint32_t left : left_) sink(left, a, sides_[left].left.weight);
    for (const std::uint32_t right : right_) sink(b, right, sides_[right].right.weight);
    sides_[a].right.weight -= sides_[c].left.weight;
  }

  // The same if a pair weighs once in a span.
  void replace_by_span(const PairIndex::List& list, std::uint32_t a, std::uint32_t b,
                       std::uint32_t c) {
    auto& slots = symbols_.slots();
    Symbols::Weights weights(symbols_.blocks());
    for (std::uint32_t i = 0; i < list.size;) {
      const std::uint32_t at = list.slots[i];
      if (slots[at] != a || slots[at + widths_[a]] != b) {
        ++i;
        continue;
      }
      const std::uint32_t start = symbols_.span_start(at, widths_);
      const std::uint64_t weight = weights.at(start);
      const std::uint32_t end = join_in_span(start, a, b, c);
      // Pairs with c are new here. Of the broken pairs some may also occur elsewhere in the span.
      made_.clear();
      std::uint32_t left = kEdge;
      for (std::uint32_t slot = start; slot < end; slot += widths_[left]) {
        const std::uint32_t token = slots[slot];
        if (token == c) {
          const std::uint32_t right = slots[slot + widths_[c]];
          places_.push_back({slot, left, right == c ? kEdge : right});
        }
        if (left != kEdge) {
          const std::uint64_t key = pair_key(left, token);
          if (left == c || token == c) {
            made_.push_back(key);
          } else if (const auto found = std::lower_bound(broken_.begin(), broken_.end(), key);
                     found != broken_.end() && *found == key) {
            broken_.erase(found);
          }
        }
        left = token;
      }
      for (const std::uint64_t key : broken_) sink(key, weight);
      sort_unique(made_);
      for (const std::uint64_t key : made_) {
        const std::uint32_t l = left_of(key), r = right_of(key);
        if (r == c) {
          add(sides_[l].left, left_, l, weight);
        } else {
          add(sides_[r].right, right_, r, weight);
        }
      }
      while (i < list.size && list.slots[i] < end) ++i;
    }
    for (const Place& place : places_) {
      if (place.left != kEdge) ++sides_[place.left].left.places;
      if (place.right != kEdge) ++sides_[place.right].right.places;
    }
  }

  void join(std::uint32_t at, std::uint32_t middle, std::uint32_t end, std::uint32_t c) {
    auto& slots = symbols_.slots();
    slots[middle - 1] = slots[middle] = Symbols::kInside;
    slots[at] = slots[end - 1] = c;
  }
  // Merges every (a, b) of a span from the left, and lists the adjacent pairs that this breaks.
  // Returns the edge after the span.
  std::uint32_t join_in_span(std::uint32_t start, std::uint32_t a, std::uint32_t b,
                             std::uint32_t c) {
    const auto& slots = symbols_.slots();
    broken_.clear();
    std::uint32_t at = start;
    for (std::uint32_t left = kEdge; slots[at] != kEdge; at += widths_[slots[at]]) {
      const std::uint32_t token = slots[at], middle = at + widths_[a];
      if (token != a || slots[middle] != b) {
        left = token;
        continue;
      }
      const std::uint32_t end = middle + widths_[b], right = slots[end];
      if (left != kEdge) broken_.push_back(pair_key(left, a));
      if (right != kEdge) broken_.push_back(pair_key(b, right));
      join(at, middle, end, c);
      left = b;
    }
    sort_unique(broken_);
    return at;
  }
  static void sort_unique(std::vector<std::uint64_t>& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  }

  static void add(Side& side, std::vector<std::uint32_t>& touched, std::uint32_t symbol,
                  std::uint64_t weight) {
    if (side.weight == 0) touched.push_back(symbol);
    side.weight += weight;
    ++side.places;
  }
  void sink(std::uint32_t left, std::uint32_t right, std::uint64_t weight) {
    sink(pair_key(left, right), weight);
  }
  void sink(std::uint64_t key, std::uint64_t weight) {
    Pair* pair = index_.pairs().find(key);
    if (pair) pair->weight -= std::min(pair->weight, weight);
  }
  void watch_pair(std::uint32_t left, std::uint32_t right, Side& side) {
    if (side.weight < threshold_ || !may_merge(left, right)) return;
    const std::uint64_t key = pair_key(left, right);
    side.list = index_.add_list(side.places);
    Pair& pair = index_.pairs().of(key);
    pair.weight = side.weight;
    pair.list = side.list;
    push({side.weight, key});
  }
  void append(const Side& side, std::uint32_t slot) {
    if (side.list == 0) return;
    PairIndex::List& list = index_.list_at(side.list);
    list.slots[list.size++] = slot;
  }

  bool may_merge(std::uint32_t left, std::uint32_t right) const {
    return tokens_[left].size() + tokens_[right].size() <= rules_.max_token_bytes;
  }
  bool is_taken(std::uint32_t left, std::uint32_t right) const {
    return !taken_.empty() && taken_.contains(tokens_[left] + tokens_[right]);
  }

  void push(Candidate candidate) {
    heap_.push_back(candidate);
    std::push_heap(heap_.begin(), heap_.end(), order());
  }
  // Whether a comes after b.
  bool after(const Candidate& a, const Candidate& b) const {
    if (a.weight != b.weight) return a.weight < b.weight;
    if (!rules_.lexicographic) return a.key > b.key;
    const int by_left = spelled_[left_of(a.key)].compare(spelled_[left_of(b.key)]);
    return by_left != 0 ? by_left > 0 : spelled_[right_of(a.key)] > spelled_[right_of(b.key)];
  }
  struct Order {
    const MergeLoop* loop;
    bool operator()(const Candidate& a, const Candidate& b) const { return loop->after(a, b); }
  };
  Order order() const { return {this}; }

  const Rules rules_;
  const Tuning tuning_;
  const std::size_t threads_;
  Symbols symbols_;
  PairIndex index_;
  std::vector<std::string> tokens_;
  std::vector<std::string> spelled_;  // where ties go by spelling
  std::unordered_set<std::string> taken_;
  std::vector<std::uint32_t> widths_;  // slots of each symbol
  std::vector<Candidate> heap_;
  std::uint64_t threshold_ = 0;  // weight from which pairs are watched
  std::vector<NewMerge> merges_;
  // Of the merge that is being made:
  std::vector<Sides> sides_;                 // by neighbour
  std::vector<std::uint32_t> left_, right_;  // the neighbours
  std::vector<Place> places_;
  std::vector<std::uint64_t> broken_, made_;  // pairs of one span
};

}  // namespace wordsplit::training
