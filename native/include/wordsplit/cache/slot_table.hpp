// The index of the shared cache: a lock-free hash table of slots, in address space that is reserved
// as a whole and used as the table fills.
//
// A slot is one word: the upper half of a span's hash, and the place of the span's entry in the log
// (span_log.hpp), plus one. Eight slots are a set, in one cache line.
//
// It grows in place. The index of a set is some bits of the hash, one more with each doubling: the
// slots whose new bit is set move, the others stay. A reader that uses the old index meanwhile
// finds a slot that has not moved yet, or none.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "wordsplit/base/memory.hpp"

namespace wordsplit {

class SlotTable {
 public:
  static constexpr std::size_t kWays = 8;
  using Slot = std::atomic<std::uint64_t>;
  static_assert(sizeof(Slot) == 8);

  static std::uint64_t slot_for(std::uint64_t hash, std::size_t place) {
    return (hash >> 32) << 32 | (place + 1);
  }
  static std::size_t place_of(std::uint64_t slot) { return (slot & 0xFFFFFFFF) - 1; }

  // Reserves at most `bytes`, which must be a set or more. Must be called once, before any other
  // function.
  void reset(std::size_t bytes) {
    std::size_t most = 1;
    shift_ = 63;
    for (; 2 * most * kSet <= bytes; --shift_) most *= 2;
    slots_ = ZeroedArray<Slot>(most * kWays, Pages::AsUsed);
    const std::size_t sets = std::min(most, kFirst / kSet);
    last_ = sets - 1;
    slots_.use(sets * kWays);
  }

  // Bytes in use, and the most that may be.
  std::size_t bytes() const { return sets() * kSet; }
  std::size_t most_bytes() const { return slots_.size() * sizeof(Slot); }
  std::size_t used() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < sets() * kWays; ++i) count += slots_[i].load() != 0;
    return count;
  }
  void clear() {
    for (std::size_t i = 0; i < sets() * kWays; ++i) slots_[i].store(0);
  }

  const Slot* set(std::uint64_t hash) const { return &slots_[set_of(hash) * kWays]; }

  // Which slots of a set may be of a span with this hash, a bit for each.
  static std::uint8_t candidates(const Slot* set, std::uint64_t hash) {
    unsigned out = 0;
    for (std::size_t way = 0; way < kWays; ++way) {
      const std::uint64_t slot = set[way].load(std::memory_order_relaxed);
      out |= static_cast<unsigned>(slot >> 32 == hash >> 32 && slot != 0) << way;
    }
    return static_cast<std::uint8_t>(out);
  }

  // Writes to an empty slot of the set; false if there is none. Of two threads that write to the
  // same one at once, one slot is lost: an exchange would wait for all that was written before.
  bool add(std::uint64_t slot) {
    Slot* const set = &slots_[set_of(slot) * kWays];
    for (std::size_t way = 0; way < kWays; ++way) {
      if (set[way].load(std::memory_order_relaxed) == 0) {
        set[way].store(slot, std::memory_order_release);
        return true;
      }
    }
    return false;
  }
  // Overwrites one slot of the set, chosen by its place.
  void write_over(std::uint64_t slot) {
    slots_[set_of(slot) * kWays + slot % kWays].store(slot, std::memory_order_release);
  }
  void remove(std::uint64_t slot) {
    Slot* const set = &slots_[set_of(slot) * kWays];
    for (std::size_t way = 0; way < kWays; ++way) {
      if (set[way].load(std::memory_order_relaxed) == slot) {
        set[way].store(0, std::memory_order_relaxed);
      }
    }
  }

  // Whether it should grow. Must be called when there was no empty slot.
  bool is_crowded() {
    const std::size_t slots = sets() * kWays;
    return slots < slots_.size() && refused_.fetch_add(1, std::memory_order_relaxed) >= slots / 32;
  }
  // One thread at a time, and none may call remove() meanwhile.
  void grow() {
    const std::size_t before = sets(), most = slots_.size() / kWays;
    refused_.store(0, std::memory_order_relaxed);
    const std::size_t now = std::min(most, before * (before * kSet < kLarge ? 4 : 2));
    slots_.use(now * kWays);
    last_.store(now - 1, std::memory_order_release);
    for (std::size_t i = 0; i < before * kWays; ++i) {
      const std::uint64_t slot = slots_[i].load(std::memory_order_acquire);
      if (slot == 0 || set_of(slot) == i / kWays) continue;
      // A slot that was not in its set was added by a thread that used an older index. Such a one
      // is never found, and its entry may be gone.
      if ((set_of(slot) & (before - 1)) == i / kWays) (void)add(slot);
      slots_[i].store(0, std::memory_order_relaxed);
    }
  }

 private:
  static constexpr std::size_t kSet = kWays * sizeof(Slot);
  static constexpr std::size_t kFirst = 4 << 10, kLarge = 1 << 20;  // bytes

  std::size_t sets() const { return last_.load(std::memory_order_acquire) + 1; }
  // The high bits of the hash, which are the well mixed ones.
  std::size_t set_of(std::uint64_t hash) const {
    return (hash >> shift_) & last_.load(std::memory_order_relaxed);
  }

  unsigned shift_ = 63;
  std::atomic<std::size_t> last_{0};     // the number of sets less one
  std::atomic<std::size_t> refused_{0};  // slots that found no place since the last growth
  ZeroedArray<Slot> slots_;
};

}  // namespace wordsplit
