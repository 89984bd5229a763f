// Ids as they are made: an array that grows, and whose room is not cleared before it is written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace wordsplit {

class Output {
 public:
  std::size_t size() const { return size_; }
  const std::uint32_t* data() const { return data_.get(); }
  void clear() { size_ = 0; }

  // Where the next ids go; there is room for `count`. Valid until the next call.
  std::uint32_t* reserve(std::size_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
    return data_.get() + size_;
  }
  // Takes what was written from reserve() up to `end` for ids.
  void advance_to(const std::uint32_t* end) { size_ = static_cast<std::size_t>(end - data_.get()); }
  void push(std::uint32_t id) {
    *reserve(1) = id;
    ++size_;
  }
  void append(const std::uint32_t* ids, std::size_t count) {
    std::memcpy(reserve(count), ids, count * sizeof *ids);
    size_ += count;
  }
  // Hands the memory over, cut to size; to be given back with std::free. Never null.
  std::uint32_t* release() {
    void* cut = std::realloc(data_.get(), std::max<std::size_t>(size_, 1) * sizeof(std::uint32_t));
    if (!cut) throw std::bad_alloc();
    (void)data_.release();
    size_ = capacity_ = 0;
    return static_cast<std::uint32_t*>(cut);
  }
  // Gives memory back that a large text has taken.
  void shrink(std::size_t keep) {
    if (capacity_ > keep) *this = Output();
  }

 private:
  void grow(std::size_t wanted) {
    std::size_t capacity = capacity_ + capacity_ / 2;
    if (capacity < wanted) capacity = wanted;
    if (capacity < 1024) capacity = 1024;
    void* grown = std::realloc(data_.get(), capacity * sizeof(std::uint32_t));
    if (!grown) throw std::bad_alloc();
    (void)data_.release();
    data_.reset(static_cast<std::uint32_t*>(grown));
    capacity_ = capacity;
  }

  struct Free {
    void operator()(std::uint32_t* p) const { std::free(p); }
  };
  std::unique_ptr<std::uint32_t, Free> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace wordsplit
