// A growing array of ids or bytes, whose memory is not cleared before it is written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace wordsplit {

template <class T>
class Growing {
 public:
  Growing() = default;
  Growing(Growing&& other) noexcept { swap(other); }
  Growing& operator=(Growing&& other) noexcept {
    Growing(std::move(other)).swap(*this);
    return *this;
  }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  const T* data() const { return data_.get(); }
  T* data() { return data_.get(); }
  void clear() { size_ = 0; }

  // Returns where to write up to `count` more items. Valid until the next call.
  T* reserve(std::size_t count) {
    if (count > capacity_ - size_) grow(count);
    return data_.get() + size_;
  }
  // Appends what was written to reserve()'s memory up to `end`.
  void advance_to(const T* end) { size_ = static_cast<std::size_t>(end - data_.get()); }
  void push(T item) {
    *reserve(1) = item;
    ++size_;
  }
  void append(const T* from, std::size_t count) {
    if (count == 0) return;  // either pointer may be null
    std::memcpy(reserve(count), from, count * sizeof(T));
    size_ += count;
  }
  // Frees the unused memory if it is more than the used. Afterwards data() is not null.
  void fit() {
    if (size_ == 0 || capacity_ / 2 > size_) resize(std::max<std::size_t>(size_, 1));
  }
  // Frees everything if the capacity is above `keep`.
  void shrink(std::size_t keep) {
    if (capacity_ > keep) *this = Growing();
  }

 private:
  void swap(Growing& other) noexcept {
    data_.swap(other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  // Makes room for `count` more items.
  void grow(std::size_t count) {
    if (count > kMost - size_) throw std::bad_alloc();
    const std::size_t more = std::min(capacity_ + capacity_ / 2, kMost);
    resize(std::max({more, size_ + count, std::size_t{1024}}));
  }
  void resize(std::size_t capacity) {
    void* moved = std::realloc(data_.get(), capacity * sizeof(T));
    if (!moved) throw std::bad_alloc();
    (void)data_.release();
    data_.reset(static_cast<T*>(moved));
    capacity_ = capacity;
  }

  // An array of more bytes has differences of pointers that no type holds.
  static constexpr std::size_t kMost = PTRDIFF_MAX / sizeof(T);

  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

using Output = Growing<std::uint32_t>;  // ids

}  // namespace wordsplit
