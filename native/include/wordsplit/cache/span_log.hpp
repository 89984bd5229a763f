// The memory of the shared cache: consecutive spans with their ids, in a ring of chunks.
//
// An entry is the length of the span, the number of its ids, its bytes, and three bytes for each
// id, which no vocab exceeds, padded to whole words. Each thread fills its own chunk. When all
// have been filled, the one that was begun first is used again, and its entries are forgotten.
//
// All words are atomic, and a chunk has a version that changes when it is used again, after the
// slots of its entries were removed (slot_table.hpp). A reader that finds the version and the slot
// as they were before it read an entry has read the entry of the slot. No thread waits.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/memory.hpp"

namespace wordsplit {

class SpanLog {
 public:
  static constexpr std::size_t kMostBytes = 128, kMostIds = 128;  // of a span

  // The chunk that a thread fills: words [at, end), none if they are equal.
  struct Chunk {
    std::size_t at = 0, end = 0;
  };

  // Uses at most `bytes`, which must be 2 KB or more. Must be called once, before any other
  // function.
  void reset(std::size_t bytes) {
    chunk_ = std::clamp<std::size_t>(bytes / 4 / kWord, kMostWords, kMostChunk);
    chunk_count_ = std::min<std::size_t>(bytes / kWord - kBehind, kMost) / chunk_;
    chunks_ = std::make_unique<std::atomic<std::uint32_t>[]>(chunk_count_);
    words_ = ZeroedArray<Word>(chunk_count_ * chunk_ + kBehind, Pages::AsUsed);
  }

  // Bytes in use, and the most that may be.
  std::size_t bytes() const { return used_.load(std::memory_order_relaxed) * kWord; }
  std::size_t most_bytes() const { return words_.size() * kWord; }

  void prefetch(std::size_t place) const {
    fetch_line(&words_[place]);
    fetch_line(&words_[place + 4]);  // half of the entries go on in the next line
  }

  // The version of the chunk with this place. Read it before and after an entry.
  std::uint32_t version_at(std::size_t place) const {
    return chunks_[place / chunk_].load(std::memory_order_acquire) >> 1;
  }
  // Writes the ids, and returns their number; 0 if the entry is of another span.
  std::size_t read(std::size_t place, const std::uint8_t* span, std::size_t n,
                   std::uint32_t* ids) const {
    std::uint64_t words[kMostWords + 1];
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(words);
    words[0] = words_[place].load(std::memory_order_acquire);
    const std::size_t count = bytes[1];
    if (bytes[0] != n || count > kMostIds) return 0;
    load_rest(place, words_for(n, count), words);
    if (std::memcmp(bytes + kHead, span, n) != 0) return 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t id;  // with the first byte of the next one
      std::memcpy(&id, bytes + kHead + n + kOfId * i, sizeof id);
      ids[i] = id & 0xFFFFFF;
    }
    return count;
  }

  // Whether the chunk has room for such an entry.
  static bool has_room(const Chunk& chunk, std::size_t n, std::size_t count) {
    return chunk.end - chunk.at >= words_for(n, count);
  }
  // Appends an entry, and returns its place. Precondition: the chunk has room.
  std::size_t append(Chunk& chunk, const std::uint8_t* span, std::size_t n,
                     const std::uint32_t* ids, std::size_t count) {
    std::uint64_t words[kMostWords];
    auto* const bytes = reinterpret_cast<std::uint8_t*>(words);
    const std::size_t place = chunk.at, size = words_for(n, count);
    words[size - 1] = 0;
    bytes[0] = static_cast<std::uint8_t>(n);
    bytes[1] = static_cast<std::uint8_t>(count);
    std::memcpy(bytes + kHead, span, n);
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(bytes + kHead + n + kOfId * i, ids + i, kOfId);
    }
    for (std::size_t i = 0; i < size; ++i) {
      words_[place + i].store(words[i], std::memory_order_release);
    }
    chunk.at += size;
    return place;
  }

  // Ends the use of a chunk by its thread.
  void close(Chunk& chunk) {
    if (chunk.end == 0) return;
    if (chunk.at < chunk.end) words_[chunk.at].store(0, std::memory_order_release);
    std::atomic<std::uint32_t>& own = chunks_[(chunk.end - 1) / chunk_];
    own.store(own.load(std::memory_order_relaxed) & ~kOpen, std::memory_order_release);
    chunk = {};
  }
  // Gives a thread the chunk that was begun before all others; false if all are open. Calls
  // forget(place, span, n) for each entry that the chunk has. One thread at a time.
  template <class Forget>
  bool open(Chunk& chunk, Forget&& forget) {
    for (std::size_t tried = 0; tried < chunk_count_; ++tried) {
      std::atomic<std::uint32_t>& own = chunks_[next_];
      const std::size_t first = next_ * chunk_, end = first + chunk_;
      next_ = (next_ + 1) % chunk_count_;
      const std::uint32_t version = own.load(std::memory_order_acquire);
      if (version & kOpen) continue;
      use(end);
      forget_all(first, end, forget);
      own.store(version + 2 + kOpen, std::memory_order_release);
      chunk = {first, end};
      return true;
    }
    return false;
  }

 private:
  using Word = std::atomic<std::uint64_t>;
  static constexpr std::size_t kWord = sizeof(Word);
  static constexpr std::size_t kHead = 2, kOfId = 3;  // bytes
  static constexpr std::size_t words_for(std::size_t n, std::size_t count) {
    return (kHead + n + kOfId * count + kWord - 1) / kWord;
  }
  static constexpr std::size_t kMostWords = (kHead + kMostBytes + kOfId * kMostIds) / kWord + 1;
  static constexpr std::size_t kMostChunk = 4096, kMost = 0xFFFFFFF0;  // words
  // Words that are read, by a reader that is too late, or prefetched after the last chunk.
  static constexpr std::size_t kBehind = kMostWords + 8;
  static constexpr std::uint32_t kOpen = 1;

  // Puts the words up to `end` to use, in steps that grow up to a huge page.
  void use(std::size_t end) {
    const std::size_t used = used_.load(std::memory_order_relaxed);
    if (end <= used) return;
    used_.store(words_.use_at_least(end), std::memory_order_relaxed);
  }

  // Copies an entry of `size` words except for its first word.
  void load_rest(std::size_t place, std::size_t size, std::uint64_t* words) const {
    for (std::size_t i = 1; i < size; ++i) {
      words[i] = words_[place + i].load(std::memory_order_acquire);
    }
  }

  template <class Forget>
  void forget_all(std::size_t at, std::size_t end, Forget&& forget) {
    std::uint64_t words[kMostWords];
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(words);
    while (at < end) {
      words[0] = words_[at].load(std::memory_order_acquire);
      if (words[0] == 0) return;
      const std::size_t n = bytes[0], size = words_for(n, bytes[1]);
      load_rest(at, size, words);
      forget(at, bytes + kHead, n);
      at += size;
    }
  }

  std::size_t chunk_ = 0, chunk_count_ = 0, next_ = 0;
  // For each chunk its version, and in the lowest bit whether a thread fills it.
  std::unique_ptr<std::atomic<std::uint32_t>[]> chunks_;
  ZeroedArray<Word> words_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace wordsplit
