// Per-call working memory of an engine: a state, an output, and a buffer for UTF-8.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "wordsplit/engine/engine.hpp"

namespace wordsplit::bindings {

struct Worker {
  std::unique_ptr<Engine::State> state;
  Output out;
  Growing<char> utf8;
};

// The idle workers. They are borrowed and returned with the GIL held, so the list needs no lock,
// and a fork cannot leave it locked.
class Workers {
 public:
  explicit Workers(const Engine& engine) : engine_(engine) {}

  // A worker that is returned at the end of the scope.
  class Loan {
   public:
    explicit Loan(Workers& from) : from_(&from), worker_(from.take()) {}
    Loan(Loan&&) = default;
    Loan& operator=(Loan&&) = delete;
    ~Loan() {
      if (worker_) from_->give_back(std::move(worker_));
    }
    Worker& operator*() const { return *worker_; }
    Worker* operator->() const { return worker_.get(); }

   private:
    Workers* from_;
    std::unique_ptr<Worker> worker_;
  };
  Loan borrow() { return Loan(*this); }

  std::size_t cache_bytes() const {
    std::size_t bytes = 0;
    for (const auto& worker : idle_) bytes += worker->state->cache.bytes();
    return bytes;
  }
  void cache_clear() {
    for (auto& worker : idle_) worker->state->cache.clear();
  }

 private:
  // Buffers larger than this are freed after the call that needed them.
  static constexpr std::size_t kKeepIds = 1 << 20;

  std::unique_ptr<Worker> take() {
    if (idle_.empty()) {
      auto worker = std::make_unique<Worker>();
      worker->state = engine_.make_state();
      return worker;
    }
    auto worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  }
  void give_back(std::unique_ptr<Worker> worker) {
    worker->out.clear();
    worker->out.shrink(kKeepIds);
    worker->utf8.shrink(kKeepIds);
    idle_.push_back(std::move(worker));
  }

  const Engine& engine_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace wordsplit::bindings
