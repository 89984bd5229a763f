// Ids by names, in memory of its own.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/base/hash.hpp"

namespace wordsplit {

class NamesTable {
 public:
  NamesTable() = default;
  // With room for `count` names; more make it grow. All names together have up to 4 GiB.
  explicit NamesTable(std::size_t count) { reserve(count); }

  void reserve(std::size_t count) {
    if (2 * count + 2 <= slots_.size()) return;
    entries_.reserve(count);
    slots_.assign(std::bit_ceil(2 * count + 2), Slot());
    for (std::uint32_t number = 1; number <= entries_.size(); ++number) {
      const std::uint32_t hash = hash_of(name_of(entries_[number - 1]));
      std::size_t at = hash;
      while (slots_[at & (slots_.size() - 1)].number != 0) ++at;
      slots_[at & (slots_.size() - 1)] = {hash, number};
    }
  }

  // Sets the id of a name. Returns whether it is new.
  bool set(std::string_view name, std::uint32_t id) {
    if (2 * entries_.size() + 4 > slots_.size()) reserve(2 * entries_.size() + 1);
    const std::uint32_t hash = hash_of(name);
    Slot& slot = slot_of(name, hash);
    const bool is_new = slot.number == 0;
    if (is_new) {
      entries_.push_back(
          {static_cast<std::uint32_t>(names_.size()), static_cast<std::uint32_t>(name.size()), id});
      names_ += name;
      slot = {hash, static_cast<std::uint32_t>(entries_.size())};
    }
    entries_[slot.number - 1].id = id;
    return is_new;
  }

  // The id of a name, if it has one.
  std::optional<std::uint32_t> find(std::string_view name) const {
    const auto place = place_of(name);
    return place ? std::optional(entries_[*place].id) : std::nullopt;
  }

  // The place of a name, in the order in which names were set.
  std::optional<std::size_t> place_of(std::string_view name) const {
    if (slots_.empty()) return std::nullopt;
    const Slot& slot = const_cast<NamesTable*>(this)->slot_of(name, hash_of(name));
    return slot.number ? std::optional<std::size_t>(slot.number - 1) : std::nullopt;
  }

  // Whether the name at a place is this one.
  bool is_at(std::size_t at, std::string_view name) const {
    return at < entries_.size() && name_of(entries_[at]) == name;
  }

 private:
  struct Entry {
    std::uint32_t start, size, id;
  };
  struct Slot {
    std::uint32_t hash, number;  // of the entry, plus one; 0 if there is none
  };

  static std::uint32_t hash_of(std::string_view name) {
    const auto* const p = reinterpret_cast<const std::uint8_t*>(name.data());
    return static_cast<std::uint32_t>(hash_bytes(p, name.size()));
  }

  std::string_view name_of(const Entry& entry) const {
    return std::string_view(names_).substr(entry.start, entry.size);
  }

  Slot& slot_of(std::string_view name, std::uint32_t hash) {
    for (std::size_t at = hash;; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (!slot.number || (slot.hash == hash && name_of(entries_[slot.number - 1]) == name)) {
        return slot;
      }
    }
  }

  std::vector<Slot> slots_;
  std::vector<Entry> entries_;
  std::string names_;
};

}  // namespace wordsplit
