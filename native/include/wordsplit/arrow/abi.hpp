// The structs of the Arrow C data interface and the Arrow C stream interface, as their
// specification lays them out, and an owner that releases one exactly once.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace wordsplit {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;  // -1: unknown
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);  // at the end: an array without release()
  const char* (*get_last_error)(ArrowArrayStream*);     // may be null
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

inline constexpr std::int64_t kArrowNullable = 2;  // a flag of a schema

// Owns one of the structs above. One without release() is empty.
template <class T>
class Owned {
 public:
  Owned() = default;
  // Takes over a struct, which is marked as released, as the specification asks of a move.
  explicit Owned(T& from) : value_(from) { from.release = nullptr; }
  Owned(Owned&& other) noexcept : value_(other.value_) { other.value_.release = nullptr; }
  Owned& operator=(Owned&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Owned() {
    if (value_.release) value_.release(&value_);
  }

  bool empty() const { return !value_.release; }
  T* get() { return &value_; }
  T* operator->() { return &value_; }
  const T& operator*() const { return value_; }

 private:
  T value_{};
};

// Arrow data that breaks its specification, or a stream that fails.
struct ArrowDataError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Arrow data of a type that holds no texts, or without the requested field.
struct ArrowTypeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace wordsplit
