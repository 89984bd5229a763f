// How a call that takes long is stopped from outside: Ctrl-C in Python, an error in another thread.
//
// Loops that can run for long report their work; every few thousand steps that reads a clock, and
// at most every 50 ms it asks whoever began the call. Reporting costs an addition and a comparison.
#pragma once

#include <chrono>
#include <cstddef>

namespace wordsplit {

// Thrown through the kernels to end a call.
struct Interrupted {};

// One a thread.
class Interrupt {
 public:
  virtual ~Interrupt() = default;

  // To be called with the number of steps since the last call; a step takes a few nanoseconds.
  void report(std::size_t steps) {
    if ((steps_ += steps) >= kSteps) look_at_clock();
  }

 private:
  // Throws Interrupted if the call is to end.
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

}  // namespace wordsplit
