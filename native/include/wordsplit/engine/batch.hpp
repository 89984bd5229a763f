// Encodes many texts on many threads. The results are in order and the same for any number of
// threads.
//
// Texts are divided into groups of consecutive ones, each with its own output. Each thread
// takes the next free group. The calling thread does too, and between its groups delivers finished
// results, in order, while they are still in the CPU caches.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "wordsplit/base/growing.hpp"
#include "wordsplit/base/threads.hpp"
#include "wordsplit/text/utf8.hpp"

namespace wordsplit {

using Texts = std::vector<Text>;

inline std::size_t bytes_of(const Texts& texts) {
  std::size_t bytes = 0;
  for (const Text& text : texts) bytes += text.bytes();
  return bytes;
}

// Calls encode(text, worker, out) for every text, on `threads` threads, and, in the calling thread
// and in order, take(first, last, ids, ends) for each group of texts [first, last): the ids of text
// first + i end before ids[ends[i]], where those of the next begin.
template <class Encode, class Take>
void encode_batch(const Texts& texts, std::size_t threads, Encode&& encode, Take&& take) {
  struct Group {
    std::size_t first, last;
    std::unique_ptr<Output> ids;
  };
  // Small enough that the threads end at about the same time and a group's ids stay in the CPU
  // cache.
  const std::size_t size =
      std::clamp<std::size_t>(bytes_of(texts) / (32 * threads), 16 << 10, 128 << 10);
  std::vector<Group> groups;
  for (std::size_t first = 0, last = 0; first < texts.size(); first = last) {
    for (std::size_t taken = 0; last < texts.size() && taken < size; ++last) {
      taken += texts[last].bytes();
    }
    groups.push_back({first, last, nullptr});
  }
  const auto done = std::make_unique<std::atomic<bool>[]>(groups.size());
  std::vector<std::size_t> ends(texts.size());
  std::atomic<std::size_t> next{0};
  std::size_t taken = 0;
  // Outputs that have been handed over, reused for other groups without new allocations.
  std::vector<std::unique_ptr<Output>> spare;
  std::mutex spare_mutex;
  const auto output = [&] {
    const std::lock_guard<std::mutex> lock(spare_mutex);
    if (spare.empty()) return std::make_unique<Output>();
    auto out = std::move(spare.back());
    spare.pop_back();
    return out;
  };
  const auto give_back = [&](std::unique_ptr<Output> out) {
    out->clear();
    const std::lock_guard<std::mutex> lock(spare_mutex);
    spare.push_back(std::move(out));
  };
  run_threads(
      threads,
      [&](std::size_t worker) {
        const std::size_t g = next.fetch_add(1);
        if (g >= groups.size()) return false;
        Group& group = groups[g];
        group.ids = output();
        for (std::size_t i = group.first; i < group.last; ++i) {
          encode(texts[i], worker, *group.ids);
          ends[i] = group.ids->size();
        }
        done[g].store(true, std::memory_order_release);
        return true;
      },
      [&] {
        for (; taken < groups.size() && done[taken].load(std::memory_order_acquire); ++taken) {
          Group& group = groups[taken];
          take(group.first, group.last, *group.ids, ends.data() + group.first);
          give_back(std::move(group.ids));
        }
      });
}

}  // namespace wordsplit
