// Best paths of pieces of text that were encoded before, for one thread and one vocab.
//
// A piece is a part of a span that no token crosses the ends of. Its best path could depend on what
// is before it in one way only: sums of scores are rounded, and they begin with the sum up to the
// piece. Each path is stored with the greatest magnitude of that sum with which no rounding can
// make another path better (see viterbi.hpp); so a path that is found is the right one.
//
// When it is full, all is forgotten: frequent pieces are soon back.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "wordsplit/base/hash.hpp"

namespace wordsplit {

class PathCache {
 public:
  static constexpr std::size_t kLongest = 64;  // bytes of a piece

  struct Path {
    double most;  // the magnitude of the sum before the piece; negative if there is none
    std::uint32_t text, size;
    std::uint32_t ids, id_count, scores, score_count;
  };

  // Whether to use it at all.
  bool is_used() const { return is_used_; }
  void use(bool is_used) { is_used_ = is_used; }

  static std::uint64_t hash_of(const std::uint8_t* piece, std::size_t n) {
    return hash_bytes(piece, n);
  }
  std::span<const std::uint32_t> ids(const Path& path) const {
    return {ids_.data() + path.ids, path.id_count};
  }
  // Of the steps of the path, in order. An unknown character is a step, and may be no id.
  std::span<const double> scores(const Path& path) const {
    return {scores_.data() + path.scores, path.score_count};
  }

  // Null if the piece is not there. Valid until the next insert().
  const Path* find(std::uint64_t hash, const std::uint8_t* piece, std::size_t n) const {
    if (slots_.empty()) return nullptr;
    for (std::size_t at = hash;; ++at) {
      const Slot& slot = slots_[at & (kSlots - 1)];
      if (slot.path == 0) return nullptr;
      const Path& path = paths_[slot.path - 1];
      if (slot.check == static_cast<std::uint32_t>(hash >> 32) && path.size == n &&
          std::memcmp(texts_.data() + path.text, piece, n) == 0) {
        return &path;
      }
    }
  }

  // Returns what was stored. Precondition: the piece, of kLongest bytes at most, is not there.
  const Path* insert(std::uint64_t hash, const std::uint8_t* piece, std::size_t n, double most,
                     std::span<const std::uint32_t> ids, std::span<const double> scores) {
    if (paths_.size() == kMost) clear();
    if (slots_.empty()) slots_.resize(kSlots);
    const auto end_of = [](const auto& items) { return static_cast<std::uint32_t>(items.size()); };
    paths_.push_back({most, end_of(texts_), static_cast<std::uint32_t>(n), end_of(ids_),
                      end_of(ids), end_of(scores_), end_of(scores)});
    texts_.insert(texts_.end(), piece, piece + n);
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    scores_.insert(scores_.end(), scores.begin(), scores.end());
    std::size_t at = hash;
    while (slots_[at & (kSlots - 1)].path) ++at;
    slots_[at & (kSlots - 1)] = {static_cast<std::uint32_t>(hash >> 32), end_of(paths_)};
    return &paths_.back();
  }

  void clear() {
    slots_.clear();
    paths_.clear();
    texts_.clear();
    ids_.clear();
    scores_.clear();
  }

 private:
  static constexpr std::size_t kSlots = 1 << 17, kMost = kSlots / 2;  // some 6 MB

  struct Slot {
    std::uint32_t check, path;  // one more than its index; 0: free
  };

  bool is_used_ = true;
  std::vector<Slot> slots_;
  std::vector<Path> paths_;
  std::vector<std::uint8_t> texts_;
  std::vector<std::uint32_t> ids_;
  std::vector<double> scores_;
};

}  // namespace wordsplit
