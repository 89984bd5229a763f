// NumPy arrays, and reuse of the memory of large ones.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <memory>
#include <new>
#include <utility>

#include "wordsplit/base/growing.hpp"

namespace wordsplit::bindings {

namespace nb = nanobind;

// The memory of the last large array of ids that has been freed, kept for the next one.
//
// New memory is expensive: the system clears each page at its first touch, which takes a quarter of
// the time of encoding. Accessed with and without the GIL: Arrow arrays are freed by any thread.
class SpareIds {
 public:
  static SpareIds& shared() {
    static SpareIds* spare = new SpareIds;  // never destroyed: arrays may be freed after all else
    return *spare;
  }

  // An output for the ids of a text of this size. It does not use the spare memory if that is far
  // larger, since the array may be kept for long.
  Output take(std::size_t text_bytes) {
    std::unique_ptr<Output> ids(spare_.exchange(nullptr));
    if (!ids) return Output();
    if (ids->capacity() <= text_bytes) return std::move(*ids);
    keep(std::move(ids));
    return Output();
  }
  void give_back(Output&& ids) {
    if (ids.capacity() < kFewest || ids.capacity() > kMost) return;
    if (Output* const given = new (std::nothrow) Output(std::move(ids))) {
      given->clear();
      keep(std::unique_ptr<Output>(given));
    }
  }
  void clear() { delete spare_.exchange(nullptr); }

 private:
  // Smaller blocks are kept by std::malloc itself; larger ones would waste memory.
  static constexpr std::size_t kFewest = 32 << 10, kMost = 8 << 20;

  // Keeps the larger one of these and the spare ones.
  void keep(std::unique_ptr<Output> ids) {
    std::unique_ptr<Output> other(spare_.exchange(nullptr));
    if (other && other->capacity() > ids->capacity()) ids.swap(other);
    delete spare_.exchange(ids.release());
  }

  std::atomic<Output*> spare_{nullptr};
};

inline void free_array(Output&& ids) { SpareIds::shared().give_back(std::move(ids)); }
template <class T>
void free_array(Growing<T>&&) {}

// Moves the items to an array.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> array_of(Growing<T>&& items) {
  auto held = std::make_unique<Growing<T>>(std::move(items));
  held->fit();  // it may be kept for long
  T* const data = held->data();
  const std::size_t size = held->size();
  nb::capsule owner(held.get(), [](void* p) noexcept {
    const std::unique_ptr<Growing<T>> freed(static_cast<Growing<T>*>(p));
    free_array(std::move(*freed));
  });
  (void)held.release();
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner);
}

}  // namespace wordsplit::bindings
