// Releases the GIL for long work, and handles Ctrl-C meanwhile.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <span>
#include <thread>
#include <vector>

#include "wordsplit/base/interrupt.hpp"
#include "wordsplit/engine/engine.hpp"

namespace wordsplit::bindings {

// Stops the calling thread until the process ends.
//
// Once the interpreter shuts down, CPython before 3.14 ends a daemon thread that asks for the GIL:
// on glibc, pthread_exit() then unwinds the stack. That terminates the process if a frame is
// noexcept, as destructors are, and others would release objects of Python without the GIL. So the
// unwinding is caught by `catch (...)` where it begins, and the thread is parked, as CPython 3.14
// does itself.
[[noreturn]] inline void park() noexcept {
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

// Acquires the GIL for a thread that released it.
inline void take_gil(PyThreadState* state) noexcept {
  try {
    PyEval_RestoreThread(state);
  } catch (...) {
    park();
  }
}

// Calls a method without arguments, which may release the GIL.
inline nanobind::object call_method(nanobind::handle object, const char* name) {
  PyObject* result;
  try {
    result = PyObject_CallMethod(object.ptr(), name, nullptr);
  } catch (...) {
    park();
  }
  if (!result) nanobind::raise_python_error();
  return nanobind::steal(result);
}

// Releases the GIL in its scope. Unlike nanobind's guards, it uses the calling thread's own state,
// not the main interpreter's, so it works in subinterpreters.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked() { take_gil(state_); }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

  // Calls use() with the GIL held. Precondition: the calling thread made this object.
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

// Work that may take long. It runs without the GIL, and Ctrl-C ends it by throwing `Interrupted`,
// with Python's error set.
class LongWork {
 public:
  explicit LongWork(std::size_t threads) : signals_(*this), stops_(threads, Stop(stopped_)) {
    for (std::size_t i = 0; i < threads; ++i) {
      interrupts_.push_back(i ? static_cast<Interrupt*>(&stops_[i]) : &signals_);
    }
  }
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;

  // The first is for the calling thread, the others are for those that it starts.
  Interrupts interrupts() const { return interrupts_; }

  // Calls use() with the GIL held, and runs Python's signal handlers. Precondition: the calling
  // thread made this object.
  template <class Use>
  void locked(Use&& use) {
    unlocked_.locked([&] {
      use();
      stopped_ = PyErr_CheckSignals() != 0;
    });
    if (stopped_) throw Interrupted{};
  }

 private:
  // The interrupt of the calling thread.
  class Signals final : public Interrupt {
   public:
    explicit Signals(LongWork& work) : work_(work) {}

   private:
    void ask() override {
      work_.locked([] {});
    }
    LongWork& work_;
  };
  // The interrupt of another thread: stops when the calling thread has been stopped.
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
  Signals signals_;
  std::vector<Stop> stops_;
  std::vector<Interrupt*> interrupts_;
};

// A call of an engine that may take long.
class LongCall : public LongWork {
 public:
  // states[0] belongs to the calling thread, the others to the threads that the call starts.
  explicit LongCall(std::span<Engine::State* const> states)
      : LongWork(states.size()), states_(states) {
    for (std::size_t i = 0; i < states.size(); ++i) {
      states[i]->scratch.interrupt = interrupts()[i];
    }
  }
  ~LongCall() {
    for (Engine::State* state : states_) state->scratch.interrupt = nullptr;
  }

 private:
  std::span<Engine::State* const> states_;
};

}  // namespace wordsplit::bindings
