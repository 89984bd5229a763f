// Decodes ids: a table of the bytes of all tokens, including added tokens.
//
// An array by id if ids are dense enough (max id <= 4 x count + 65,536), else a hash map: a file
// with an id of 16,000,000 must not cost 256 MB. An entry is 16 bytes and holds the token's bytes
// if they are 14 at most, as nearly all are. So an id costs one memory access, and 16 bytes are
// copied whatever the length. The table takes 2 ms to build, so the first call that decodes builds
// it.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/growing.hpp"
#include "wordsplit/base/memory.hpp"
#include "wordsplit/tables/added_list.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

class Decoder {
 public:
  // If added tokens share an id, the first of them is decoded.
  Decoder(std::shared_ptr<const VocabTables> tables, const AddedList& added)
      : tables_(std::move(tables)), added_(added) {}
  ~Decoder() { delete table_.load(); }

  bool has(std::uint64_t id) const { return table().find(id).known(); }

  // The bytes of an id, if it is known.
  std::optional<std::string_view> find(std::uint64_t id) const {
    const Entry& entry = table().find(id);
    if (entry.size <= kInline) return std::string_view(entry.bytes, entry.size);
    if (!entry.known()) return std::nullopt;
    return entry.long_bytes();
  }

  // Appends the bytes of ids, without those of special tokens if `skip_special`. Returns false at
  // an unknown id, after the bytes of the ids before it.
  bool append(const std::uint32_t* ids, std::size_t count, bool skip_special,
              Growing<char>& out) const {
    constexpr std::size_t kChunk = 64;
    const Table& known = table();
    for (; count > 0;) {
      const std::size_t chunk = std::min(count, kChunk);
      for (std::size_t i = 0; i < chunk; ++i) known.prefetch(ids[i]);
      char* to = out.reserve(16 * kChunk);
      for (std::size_t i = 0; i < chunk; ++i) {
        const Entry& entry = known.find(ids[i]);
        std::memcpy(to, &entry, 16);
        if (entry.size <= kInline) {
          to += entry.special && skip_special ? 0 : entry.size;
          continue;
        }
        out.advance_to(to);
        if (!entry.known()) return false;
        const std::string_view token = entry.long_bytes();
        if (!(entry.special && skip_special)) out.append(token.data(), token.size());
        to = out.reserve(16 * kChunk);
      }
      out.advance_to(to);
      ids += chunk;
      count -= chunk;
    }
    return true;
  }

 private:
  static constexpr std::uint8_t kInline = 14, kLong = 0xFE, kUnknown = 0xFF;

  // Up to 14 bytes in place; for longer tokens a pointer and a length.
  struct Entry {
    char bytes[14] = {};
    std::uint8_t size = kUnknown;  // kLong: not in place
    bool special = false;

    Entry() = default;
    Entry(std::string_view token, bool special) : special(special) {
      if (token.size() <= kInline) {
        std::memcpy(bytes, token.data(), token.size());
        size = static_cast<std::uint8_t>(token.size());
      } else {
        const char* data = token.data();
        const auto length = static_cast<std::uint32_t>(token.size());
        std::memcpy(bytes, &data, sizeof data);
        std::memcpy(bytes + sizeof data, &length, sizeof length);
        size = kLong;
      }
    }
    bool known() const { return size != kUnknown; }
    std::string_view long_bytes() const {
      const char* data;
      std::uint32_t length;
      std::memcpy(&data, bytes, sizeof data);
      std::memcpy(&length, bytes + sizeof data, sizeof length);
      return {data, length};
    }
  };
  static_assert(sizeof(Entry) == 16 && sizeof(const char*) + 4 <= 14);

  class Table {
   public:
    Table(const VocabTables& tables, const AddedList& added) {
      std::uint64_t top = added.size() ? added.ids.back() : 0;
      const std::size_t count = tables.count();
      if (count) top = std::max<std::uint64_t>(top, tables.id_at(count - 1));
      dense_ = top <= 4 * (count + added.size()) + 65536;
      if (dense_) entries_.assign(top + 1, Entry{});
      for (std::size_t i = added.size(); i-- > 0;) {
        put(added.ids[i], {added.content(i), added.has(i, AddedList::kSpecial)});
      }
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t id = tables.id_at(i);
        if (!find(id).known()) put(id, {tables.bytes_at(i), false});
      }
    }

    const Entry& find(std::uint64_t id) const {
      if (dense_) return id < entries_.size() ? entries_[id] : unknown_;
      const auto found = sparse_.find(id);
      return found == sparse_.end() ? unknown_ : found->second;
    }

    void prefetch(std::uint64_t id) const {
      if (id < entries_.size()) prefetch_line(&entries_[id]);
    }

   private:
    void put(std::uint32_t id, Entry entry) {
      if (dense_) {
        entries_[id] = entry;
      } else {
        sparse_[id] = entry;
      }
    }

    bool dense_;
    std::vector<Entry> entries_;
    std::unordered_map<std::uint64_t, Entry> sparse_;
    Entry unknown_;
  };

  // Takes no lock, since a fork might leave it locked: two threads may both make the table, and one
  // of the two is kept.
  const Table& table() const {
    const Table* found = table_.load(std::memory_order_acquire);
    if (!found) {
      auto made = std::make_unique<const Table>(*tables_, added_);
      if (table_.compare_exchange_strong(found, made.get())) found = made.release();
    }
    return *found;
  }

  std::shared_ptr<const VocabTables> tables_;
  AddedList added_;
  mutable std::atomic<const Table*> table_{nullptr};
};

}  // namespace wordsplit
