// Zeroed arrays for tables with random access, on huge pages if the system has them.
//
// A table of 4 MB is a thousand small pages: a thousand page faults when it is filled, and a TLB
// miss on nearly every look-up. Two huge pages avoid both. Building Qwen3's tables: 40 -> 17 ms.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#if defined(__wasm__)
#include <unistd.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
// For C libraries that do not know them: Linux 5.14 and 6.1.
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#endif

namespace wordsplit {

// As std::calloc. WebAssembly's allocator clears all bytes one by one, and the tables of the caches
// are made for much more text than most programs have. Memory that lies behind all that was ever
// in use is zero there, and takes no space before it is written.
#if defined(__wasm__)
__attribute__((noinline)) inline void* allocate_zeroed(std::size_t bytes) {
  const auto* const used = static_cast<const char*>(sbrk(0));
  void* const memory = std::malloc(bytes);
  const auto* const start = static_cast<const char*>(memory);
  if (memory && start < used) {
    std::memset(memory, 0, std::min(bytes, static_cast<std::size_t>(used - start)));
  }
  return memory;
}
#else
inline void* allocate_zeroed(std::size_t bytes) { return std::calloc(bytes, 1); }
#endif

// The pages of an array: huge ones from the start, or small ones until enough is in use to make the
// clearing of a huge page worthwhile.
enum class Pages { Huge, AsUsed };

// `count` zeroed elements, aligned to a cache line. Precondition: all-zero bytes are a value of T.
template <class T>
class ZeroedArray {
 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t count, [[maybe_unused]] Pages pages = Pages::Huge)
      : count_(count) {
    const std::size_t bytes = count * sizeof(T);
#if defined(__linux__)
    if (bytes >= kHuge / 2) {
      // Enough to start at the boundary of a huge page. What is left over is never touched.
      mapped_ = (bytes + kHuge - 1) / kHuge * kHuge + kHuge;
      void* memory =
          mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) throw std::bad_alloc();
      memory_ = memory;
      data_ = aligned(memory, kHuge);
      pages_ = pages;
      if (pages == Pages::Huge) use(count);
      return;
    }
#endif
    memory_ = allocate_zeroed(bytes + 64);
    if (!memory_) throw std::bad_alloc();
    data_ = aligned(memory_, 64);
  }
  // A copy.
  ZeroedArray(const T* data, std::size_t count) : ZeroedArray(count) {
    if (count) std::memcpy(data_, data, count * sizeof(T));
  }
  // A read-only view of memory owned elsewhere.
  static ZeroedArray view(const T* data, std::size_t count) {
    ZeroedArray out;
    out.data_ = const_cast<T*>(data);
    out.count_ = count;
    return out;
  }
  ZeroedArray(ZeroedArray&& other) noexcept { swap(other); }
  ZeroedArray& operator=(ZeroedArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ZeroedArray() {
#if defined(__linux__)
    if (mapped_) {
      munmap(memory_, mapped_);
      return;
    }
#endif
    std::free(memory_);
  }

  // Declares the first `count` elements in use. Needed only with Pages::AsUsed, whose pages are
  // then made at once: otherwise each costs a fault at the first read (of the shared zero page) and
  // another at the first write, which interrupts the other threads. Older systems ignore it.
  void use([[maybe_unused]] std::size_t count) {
#if defined(__linux__)
    if (mapped_ == 0) return;
    const std::size_t bytes = count * sizeof(T);
    if (bytes >= kHuge / 2 && !huge_) {
      huge_ = true;
      madvise(data_, mapped_ - kHuge, MADV_HUGEPAGE);
      if (pages_ == Pages::AsUsed) madvise(data_, kHuge, MADV_COLLAPSE);
    }
    if (pages_ == Pages::AsUsed) madvise(data_, (bytes + 4095) / 4096 * 4096, MADV_POPULATE_WRITE);
#endif
  }

  // The same for at least the first `needed` elements, in steps that grow up to a huge page.
  // Returns how many are in use now.
  std::size_t use_at_least(std::size_t needed) {
    constexpr std::size_t kStep = kHuge / sizeof(T);
    const std::size_t step = needed < kStep / 2 ? 2 * needed : (needed + kStep - 1) / kStep * kStep;
    const std::size_t in_use = std::min(step, count_);
    use(in_use);
    return in_use;
  }

  T* data() const { return data_; }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + count_; }

 private:
  static constexpr std::size_t kHuge = std::size_t{2} << 20;

  static T* aligned(void* p, std::size_t to) {
    return reinterpret_cast<T*>((reinterpret_cast<std::uintptr_t>(p) + to - 1) & ~(to - 1));
  }
  void swap(ZeroedArray& other) {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    std::swap(mapped_, other.mapped_);
    std::swap(pages_, other.pages_);
    std::swap(huge_, other.huge_);
  }

  void* memory_ = nullptr;
  T* data_ = nullptr;
  std::size_t count_ = 0, mapped_ = 0;
  Pages pages_ = Pages::Huge;
  bool huge_ = false;
};

}  // namespace wordsplit
