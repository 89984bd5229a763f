// Many texts on many threads: results in order, the same for any number of threads.
//
// Threads are made for the call and joined before it returns, so that a fork never meets a pool
// whose threads it has not got. Texts are handed out in small groups by an atomic counter.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <string_view>
#include <thread>
#include <vector>

#include "wordsplit/engine.hpp"

namespace wordsplit {

// The ids of text i: outputs[worker].data() + start, count of them.
struct Slice {
  std::uint32_t worker;
  std::size_t start, count;
};

// How many threads are worth starting: one for each 32 KB of text, and no more than texts.
inline std::size_t useful_threads(const std::vector<std::string_view>& texts, std::size_t limit) {
  std::size_t bytes = 0;
  for (const auto text : texts) bytes += text.size();
  return std::max<std::size_t>(1, std::min({limit, texts.size(), bytes / (32 << 10)}));
}

// Calls encode(text, worker) for every text, on as many threads as there are outputs, and notes
// where its ids went. The first exception of any thread is thrown again here.
template <class Encode>
std::vector<Slice> encode_batch(const std::vector<std::string_view>& texts,
                                std::vector<Output*> outputs, Encode&& encode) {
  std::vector<Slice> slices(texts.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> errors(outputs.size());
  const std::size_t group = std::max<std::size_t>(1, texts.size() / (16 * outputs.size()));
  const auto work = [&](std::size_t worker) {
    try {
      Output& out = *outputs[worker];
      std::size_t from;
      while ((from = next.fetch_add(group)) < texts.size()) {
        for (std::size_t i = from; i < std::min(from + group, texts.size()); ++i) {
          const std::size_t start = out.size();
          encode(texts[i], worker);
          slices[i] = {static_cast<std::uint32_t>(worker), start, out.size() - start};
        }
      }
    } catch (...) {
      errors[worker] = std::current_exception();
      next = texts.size();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t worker = 1; worker < outputs.size(); ++worker)
    threads.emplace_back(work, worker);
  work(0);
  for (auto& thread : threads) thread.join();
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return slices;
}

}  // namespace wordsplit
