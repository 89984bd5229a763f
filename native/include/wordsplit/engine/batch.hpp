// Many texts on many threads: results in order, the same for any number of threads.
//
// Texts are cut into groups of consecutive ones, each with an output of its own. Threads take the
// next group there is; the calling thread does too, and between its groups hands over what is done,
// in order, while it is still in the caches. Threads are made for the call and joined before it
// returns, so that a fork never meets a pool whose threads it has not got.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "wordsplit/base/growing.hpp"
#include "wordsplit/text/utf8.hpp"

namespace wordsplit {

// Calls work(worker) in `count` threads, the calling one included as worker 0, until it answers
// false; after each call in the calling thread, and when all threads are done, between(). The first
// exception of any of them is thrown again here, when all have stopped.
template <class Work, class Between>
void run_threads(std::size_t count, Work&& work, Between&& between) {
  std::vector<std::exception_ptr> errors(count);
  std::atomic<bool> stop{false};
  const auto loop = [&](std::size_t worker, auto&& after) {
    try {
      while (!stop && work(worker)) after();
    } catch (...) {
      errors[worker] = std::current_exception();
      stop = true;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t worker = 1; worker < count; ++worker) {
    try {
      threads.emplace_back([&loop, worker] { loop(worker, [] {}); });
    } catch (const std::system_error&) {
      break;  // the system has no more threads: those there are do all
    }
  }
  loop(0, between);
  for (std::thread& thread : threads) thread.join();
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  between();
}

// How many threads are worth starting: one for each 32 KB of text, and no more than texts.
inline std::size_t useful_threads(std::size_t bytes, std::size_t texts, std::size_t limit) {
  return std::max<std::size_t>(1, std::min({limit, texts, bytes / (32 << 10)}));
}

using Texts = std::vector<Text>;

inline std::size_t bytes_of(const Texts& texts) {
  std::size_t bytes = 0;
  for (const Text& text : texts) bytes += text.bytes();
  return bytes;
}

// Calls encode(text, worker, out) for every text, on `threads` threads; and, in this thread and in
// order, take(first, last, ids, ends) for each group of texts [first, last): the ids of text
// first + i end at ids[ends[i]], where those of the next begin.
template <class Encode, class Take>
void encode_batch(const Texts& texts, std::size_t threads, Encode&& encode, Take&& take) {
  struct Group {
    std::size_t first, last;
    std::unique_ptr<Output> ids;
  };
  // Small enough that none waits long for the last one, and that a group's ids stay near.
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
  // Outputs that have been handed over, for other groups: their memory is there already.
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
