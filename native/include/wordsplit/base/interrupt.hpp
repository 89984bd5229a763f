// Stops long calls from outside: for Ctrl-C in Python, or an error in another thread.
//
// Long loops report their steps. Every 65,536 steps the clock is read, and at most every 50 ms the
// caller is asked whether to stop. A report costs an addition and a comparison.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>

namespace wordsplit {

// Thrown to end a call.
struct Interrupted {};

// One a thread.
class Interrupt {
 public:
  virtual ~Interrupt() = default;

  // Reports the number of steps since the last report. A step takes a few nanoseconds.
  void report(std::size_t steps) {
    if ((steps_ += steps) >= kSteps) look_at_clock();
  }

 private:
  // Throws Interrupted if the call must end.
  virtual void ask() = 0;

  void look_at_clock() {
    steps_ = 0;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(50);
    ask();
  }

  static constexpr std::size_t kSteps = 1 << 16;
  std::size_t steps_ = 0;
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
};

// Those of the threads of a call, by worker; without any, it cannot be stopped.
using Interrupts = std::span<Interrupt* const>;

inline void report(Interrupts interrupts, std::size_t worker, std::size_t steps) {
  if (worker < interrupts.size()) interrupts[worker]->report(steps);
}

}  // namespace wordsplit
