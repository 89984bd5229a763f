// Best paths of pieces of text that were encoded before, for one thread and one vocab.
//
// A piece is a part of a span that no token crosses the ends of. Its best path could depend on what
// is before it in one way only: sums of scores are rounded, and they begin with the sum up to the
// piece. Each path is stored with the greatest magnitude of that sum with which no rounding can
// make another path better (see viterbi.hpp); so a path that is found is the right one.
//
// When it is full, it is cleared: frequent pieces are soon cached again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "wordsplit/base/hash.hpp"

namespace wordsplit {

class PathCache {
 public:
  static constexpr std::size_t kLongest = 64;  // bytes of a piece

  // A path is followed by its text, its scores and its ids, so that what is found is read from one
  // or two cache lines.
  struct Path {
    double most;  // the magnitude of the sum before the piece; negative if there is none
    std::uint32_t size, id_count, score_count, unused;

    const std::uint8_t* text() const { return reinterpret_cast<const std::uint8_t*>(this + 1); }
    // Of the steps of the path, in order. An unknown character is a step, and may be no id.
    std::span<const double> scores() const {
      const std::uint8_t* behind = text() + padded(size);
      return {reinterpret_cast<const double*>(behind), score_count};
    }
    std::span<const std::uint32_t> ids() const {
      const double* behind = scores().data() + score_count;
      return {reinterpret_cast<const std::uint32_t*>(behind), id_count};
    }
  };

  // Whether to use it at all.
  bool is_used() const { return is_used_; }
  void use(bool is_used) { is_used_ = is_used; }

  static std::uint64_t hash_of(const std::uint8_t* piece, std::size_t n) {
    return hash_bytes(piece, n);
  }

  // Null if the piece is not there. Valid until the next insert().
  const Path* find(std::uint64_t hash, const std::uint8_t* piece, std::size_t n) const {
    if (slots_.empty()) return nullptr;
    for (std::size_t at = hash;; ++at) {
      const Slot& slot = slots_[at & (kSlots - 1)];
      if (slot.path == 0) return nullptr;
      if (slot.check != static_cast<std::uint32_t>(hash >> 32)) continue;
      const Path& path = path_at(slot.path - 1);
      if (path.size == n && std::memcmp(path.text(), piece, n) == 0) {
        return &path;
      }
    }
  }

  // Returns what was stored. Precondition: the piece, of kLongest bytes at most, is not there.
  const Path* insert(std::uint64_t hash, const std::uint8_t* piece, std::size_t n, double most,
                     std::span<const std::uint32_t> ids, std::span<const double> scores) {
    if (count_ == kMost) clear();
    if (slots_.empty()) slots_.resize(kSlots);
    const Path path = {most, static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(ids.size()),
                       static_cast<std::uint32_t>(scores.size()), 0};
    const std::size_t begin = paths_.size();
    paths_.resize(begin + sizeof path + padded(n) + scores.size_bytes() + padded(ids.size_bytes()));
    std::byte* to = paths_.data() + begin;
    const auto put = [&](const void* from, std::size_t size, std::size_t room) {
      if (size) std::memcpy(to, from, size);
      to += room;
    };
    put(&path, sizeof path, sizeof path);
    put(piece, n, padded(n));
    put(scores.data(), scores.size_bytes(), scores.size_bytes());
    put(ids.data(), ids.size_bytes(), padded(ids.size_bytes()));
    std::size_t at = hash;
    while (slots_[at & (kSlots - 1)].path) ++at;
    slots_[at & (kSlots - 1)] = {static_cast<std::uint32_t>(hash >> 32),
                                 static_cast<std::uint32_t>(begin / 8) + 1};
    ++count_;
    return &path_at(slots_[at & (kSlots - 1)].path - 1);
  }

  void clear() {
    slots_.clear();
    paths_.clear();
    count_ = 0;
  }

 private:
  static constexpr std::size_t kSlots = 1 << 17, kMost = kSlots / 2;  // some 6 MB

  static constexpr std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }
  const Path& path_at(std::size_t place) const {
    return *reinterpret_cast<const Path*>(paths_.data() + 8 * place);
  }

  struct Slot {
    std::uint32_t check, path;  // one more than its place in words of eight bytes; 0: free
  };

  bool is_used_ = true;
  std::vector<Slot> slots_;
  std::vector<std::byte> paths_;
  std::size_t count_ = 0;
};

}  // namespace wordsplit
