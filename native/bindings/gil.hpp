// The GIL, given up for long work, and Ctrl-C in the meantime.
#pragma once

#include <Python.h>

#include <atomic>
#include <chrono>
#include <span>
#include <thread>
#include <vector>

#include "wordsplit/base/interrupt.hpp"
#include "wordsplit/engine/engine.hpp"

namespace wordsplit::bindings {

// Takes the GIL for a thread that gave it up.
//
// Once the interpreter shuts down, CPython before 3.14 ends a daemon thread that asks for the GIL:
// pthread_exit() then unwinds its stack on glibc, which ends the whole process where a frame is
// noexcept, as destructors are. The unwinding is caught here, and the thread parked until the
// process is gone, as CPython 3.14 does itself.
inline void take_gil(PyThreadState* state) noexcept {
  try {
    PyEval_RestoreThread(state);
  } catch (...) {
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

// Gives up the GIL for its scope. Unlike nanobind's guards it goes by the calling thread's own
// state, not by the main interpreter's, so it works in subinterpreters.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked() { take_gil(state_); }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

  // Calls use() with the GIL held. Only for the thread that made this object.
  template <class Use>
  void locked(Use&& use) {
    const Relock relock(state_);
    use();
  }

 private:
  struct Relock {
    explicit Relock(PyThreadState*& state) : state(state) { take_gil(state); }
    ~Relock() { state = PyEval_SaveThread(); }
    PyThreadState*& state;
  };
  PyThreadState* state_;
};

// A call of an engine that may take long: it runs without the GIL, and Ctrl-C ends it. Then
// `Interrupted` is thrown, with Python's error set.
class LongCall {
 public:
  // states[0] is the calling thread's, the others are those of the threads that the call starts.
  explicit LongCall(std::span<Engine::State* const> states)
      : states_(states), signals_(*this), stops_(states.size(), Stop(stopped_)) {
    for (std::size_t i = 0; i < states.size(); ++i) {
      states[i]->scratch.interrupt = i ? static_cast<Interrupt*>(&stops_[i]) : &signals_;
    }
  }
  ~LongCall() {
    for (Engine::State* state : states_) state->scratch.interrupt = nullptr;
  }

  // Calls use() with the GIL held, and runs Python's signal handlers. Only for the calling thread.
  template <class Use>
  void locked(Use&& use) {
    unlocked_.locked([&] {
      use();
      stopped_ = PyErr_CheckSignals() != 0;
    });
    if (stopped_) throw Interrupted{};
  }

 private:
  // Of the calling thread.
  class Signals final : public Interrupt {
   public:
    explicit Signals(LongCall& call) : call_(call) {}

   private:
    void ask() override {
      call_.locked([] {});
    }
    LongCall& call_;
  };
  // Of another thread: stops when the calling thread has been stopped.
  class Stop final : public Interrupt {
   public:
    explicit Stop(const std::atomic<bool>& stopped) : stopped_(stopped) {}

   private:
    void ask() override {
      if (stopped_) throw Interrupted{};
    }
    const std::atomic<bool>& stopped_;
  };

  Unlocked unlocked_;
  std::atomic<bool> stopped_{false};
  std::span<Engine::State* const> states_;
  Signals signals_;
  std::vector<Stop> stops_;
};

}  // namespace wordsplit::bindings
