// Ids or bytes as they are made: an array that grows, and whose room is not cleared before it is
// written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace wordsplit {

template <class T>
class Growing {
 public:
  std::size_t size() const { return size_; }
  const T* data() const { return data_.get(); }
  void clear() { size_ = 0; }

  // Where the next ones go; there is room for `count`. Valid until the next call.
  T* reserve(std::size_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
    return data_.get() + size_;
  }
  // Takes what was written from reserve() up to `end` for its own.
  void advance_to(const T* end) { size_ = static_cast<std::size_t>(end - data_.get()); }
  void push(T item) {
    *reserve(1) = item;
    ++size_;
  }
  void append(const T* from, std::size_t count) {
    if (count == 0) return;  // there may be no memory at either end
    std::memcpy(reserve(count), from, count * sizeof(T));
    size_ += count;
  }
  // Hands the memory over, cut to size; to be given back with std::free. Never null.
  T* release() {
    void* cut = std::realloc(data_.get(), std::max<std::size_t>(size_, 1) * sizeof(T));
    if (!cut) throw std::bad_alloc();
    (void)data_.release();
    size_ = capacity_ = 0;
    return static_cast<T*>(cut);
  }
  // Gives memory back that a large text has taken.
  void shrink(std::size_t keep) {
    if (capacity_ > keep) *this = Growing();
  }

 private:
  void grow(std::size_t wanted) {
    std::size_t capacity = capacity_ + capacity_ / 2;
    if (capacity < wanted) capacity = wanted;
    if (capacity < 1024) capacity = 1024;
    void* grown = std::realloc(data_.get(), capacity * sizeof(T));
    if (!grown) throw std::bad_alloc();
    (void)data_.release();
    data_.reset(static_cast<T*>(grown));
    capacity_ = capacity;
  }

  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

using Output = Growing<std::uint32_t>;  // ids

}  // namespace wordsplit
