// Ids by names, in memory of its own.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/base/hash.hpp"

namespace wordsplit::bindings {

class NamesTable {
 public:
  // For up to `count` names, of 4 GiB together.
  explicit NamesTable(std::size_t count) : slots_(std::bit_ceil(2 * count + 2)) {}

  // Sets the id of a name. Returns whether it is new.
  bool set(std::string_view name, std::uint32_t id) {
    Slot& slot = slot_of(name);
    const bool is_new = !slot.used;
    if (is_new) {
      slot = {hash_of(name), static_cast<std::uint32_t>(names_.size()),
              static_cast<std::uint32_t>(name.size()), id, true};
      names_ += name;
    }
    slot.id = id;
    return is_new;
  }

  // The id of a name, if it has one.
  std::optional<std::uint32_t> find(std::string_view name) const {
    const Slot& slot = const_cast<NamesTable*>(this)->slot_of(name);
    return slot.used ? std::optional(slot.id) : std::nullopt;
  }

 private:
  struct Slot {
    std::uint32_t hash, start, size, id;
    bool used;
  };

  static std::uint32_t hash_of(std::string_view name) {
    const auto* const p = reinterpret_cast<const std::uint8_t*>(name.data());
    return static_cast<std::uint32_t>(hash_bytes(p, name.size()));
  }

  Slot& slot_of(std::string_view name) {
    const std::uint32_t hash = hash_of(name);
    for (std::size_t at = hash;; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (!slot.used) return slot;
      if (slot.hash == hash && name == std::string_view(names_).substr(slot.start, slot.size)) {
        return slot;
      }
    }
  }

  std::vector<Slot> slots_;
  std::string names_;
};

}  // namespace wordsplit::bindings
