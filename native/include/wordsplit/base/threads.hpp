// Runs one loop on several threads.
//
// Threads are started for the call and joined before it returns, so that a fork never inherits a
// pool without its threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace wordsplit {

// Calls work(worker) on `count` threads, with the calling thread as worker 0, until it returns
// false. Calls between() after each call in the calling thread, and when all threads have ended.
// The first exception of any thread is rethrown when all have ended.
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
  threads.reserve(count);
  for (std::size_t worker = 1; worker < count; ++worker) {
    try {
      threads.emplace_back([&loop, worker] { loop(worker, [] {}); });
    } catch (const std::exception&) {
      break;  // no more threads or memory to be had: those that have started do all the work
    }
  }
  loop(0, between);
  for (std::thread& thread : threads) thread.join();
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  between();
}

// The number of threads worth starting: one for each 32 KB of text, at most one for each text.
inline std::size_t useful_threads(std::size_t bytes, std::size_t texts, std::size_t limit) {
  return std::max<std::size_t>(1, std::min({limit, texts, bytes / (32 << 10)}));
}

}  // namespace wordsplit
