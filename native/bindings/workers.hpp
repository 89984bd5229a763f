// Per-call working memory of an engine: a state, outputs, and a buffer for UTF-8.
#pragma once

#include <Python.h>

#include <array>
#include <atomic>
#include <memory>
#include <utility>

#include "wordsplit/engine/engine.hpp"
#include "wordsplit/engine/offsets.hpp"

namespace wordsplit::bindings {

struct Worker {
  std::unique_ptr<Engine::State> state;
  Output out;
  Offsets offsets;
  Growing<char> utf8;
};

// The idle workers. Threads borrow and return them without a lock, which a fork might leave locked.
//
// A worker is returned to the place that it was taken from, and a thread looks first where it took
// one the last time: so it gets the same again, with its hot cache, whatever other threads do.
class Workers {
 public:
  explicit Workers(const Engine& engine) : engine_(engine) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    for (auto& place : places_) delete place.load();
  }

  // A worker that is returned at the end of the scope.
  class Loan {
   public:
    Loan(Workers& from, std::size_t& first)
        : from_(&from), worker_(from.take(first)), place_(first) {}
    Loan(Loan&&) = default;
    Loan& operator=(Loan&&) = delete;
    ~Loan() {
      if (worker_) from_->give_back(std::move(worker_), place_);
    }
    Worker& operator*() const { return *worker_; }
    Worker* operator->() const { return worker_.get(); }

   private:
    Workers* from_;
    std::unique_ptr<Worker> worker_;
    std::size_t place_;
  };
  Loan borrow() {
    static thread_local std::size_t last = 0;
    return Loan(*this, last);
  }
  // For another thread, that the calling one starts.
  Loan borrow_another() {
    std::size_t any = 0;
    return Loan(*this, any);
  }

  std::size_t cache_bytes() {
    std::size_t bytes = 0;
    each_idle([&](Worker& worker) { bytes += worker.state->cache.bytes(); });
    return bytes;
  }
  std::size_t cache_entries() {
    std::size_t entries = 0;
    each_idle([&](Worker& worker) { entries += worker.state->cache.entries(); });
    return entries;
  }
  SpanCounts span_counts() {
    SpanCounts counts;
    each_idle([&](Worker& worker) { counts += worker.state->counts; });
    return counts;
  }
  void cache_clear() {
    each_idle([](Worker& worker) {
      worker.state->cache.clear();
      worker.state->counts = {};
      worker.state->scratch.paths.clear();
    });
  }

 private:
  // Buffers larger than this are freed after the call that needed them.
  static constexpr std::size_t kKeepIds = 1 << 20;
  static constexpr std::size_t kPlaces = 64;  // workers beyond them are not kept

  // Looks in the given place first, and sets it to where the worker is to be returned.
  std::unique_ptr<Worker> take(std::size_t& place) {
    std::unique_ptr<Worker> worker(emptied(places_[place]));
    for (std::size_t i = 0; !worker && i < kPlaces; ++i) {
      if (!places_[i].load(std::memory_order_relaxed)) continue;
      worker.reset(emptied(places_[i]));
      place = i;
    }
    if (!worker) {
      worker = std::make_unique<Worker>();
      worker->state = engine_.make_state();
      place = made_.fetch_add(1, std::memory_order_relaxed) % kPlaces;
    }
    return worker;
  }
  void give_back(std::unique_ptr<Worker> worker, std::size_t place) {
    worker->out.clear();
    worker->out.shrink(kKeepIds);
    worker->offsets.clear();
    worker->offsets.shrink(kKeepIds);
    worker->utf8.shrink(kKeepIds);
    keep(std::move(worker), place);
  }
  // In the place, or else in the next empty one.
  void keep(std::unique_ptr<Worker> worker, std::size_t place) {
    for (std::size_t i = 0; i < kPlaces; ++i) {
      if (fill(places_[(place + i) % kPlaces], worker.get())) {
        (void)worker.release();
        return;
      }
    }
  }
  // Workers are taken and returned with the GIL held, if there is one. Then no atomic exchange is
  // needed, which takes as long as to encode a word.
#ifdef Py_GIL_DISABLED
  static Worker* emptied(std::atomic<Worker*>& place) { return place.exchange(nullptr); }
  static bool fill(std::atomic<Worker*>& place, Worker* worker) {
    Worker* empty = nullptr;
    return place.compare_exchange_strong(empty, worker);
  }
#else
  static Worker* emptied(std::atomic<Worker*>& place) {
    Worker* const found = place.load(std::memory_order_relaxed);
    place.store(nullptr, std::memory_order_relaxed);
    return found;
  }
  static bool fill(std::atomic<Worker*>& place, Worker* worker) {
    if (place.load(std::memory_order_relaxed)) return false;
    place.store(worker, std::memory_order_relaxed);
    return true;
  }
#endif

  template <class Use>
  void each_idle(Use&& use) {
    for (std::size_t i = 0; i < kPlaces; ++i) {
      std::unique_ptr<Worker> worker(emptied(places_[i]));
      if (!worker) continue;
      use(*worker);
      keep(std::move(worker), i);
    }
  }

  const Engine& engine_;
  std::array<std::atomic<Worker*>, kPlaces> places_{};
  std::atomic<std::size_t> made_{0};
};

}  // namespace wordsplit::bindings
