// Token bytes by id, added tokens included: what decoding looks up.
//
// A dense table where ids are dense enough to make one (max id <= 4 x count + 65,536), else a hash
// map: a file that names id 16,000,000 must not cost 256 MB. An entry is 16 bytes and holds the
// token's own bytes where they are 14 at most, which nearly all are: so an id costs one look at
// memory, and all 16 are copied whatever the length.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wordsplit/memory.hpp"
#include "wordsplit/output.hpp"
#include "wordsplit/vocab_tables.hpp"

namespace wordsplit {

class Decoder {
 public:
  // added: (id, bytes, special) in the vocab's order; the first of an id counts.
  struct Added {
    std::uint32_t id;
    std::string bytes;
    bool special;
  };

  Decoder(std::shared_ptr<const VocabTables> tables, std::vector<Added> added)
      : tables_(std::move(tables)), added_(std::move(added)) {
    std::uint64_t top = 0;
    for (const Added& token : added_) top = std::max<std::uint64_t>(top, token.id);
    const std::size_t count = tables_->count();
    if (count) top = std::max<std::uint64_t>(top, tables_->id_at(count - 1));
    dense_ = top <= 4 * (count + added_.size()) + 65536;
    if (dense_) table_.assign(top + 1, Entry{});
    for (std::size_t i = added_.size(); i-- > 0;) {
      put(added_[i].id, {added_[i].bytes, added_[i].special});
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t id = tables_->id_at(i);
      if (!find(id).known()) put(id, {tables_->bytes_at(i), false});
    }
  }

  bool has(std::uint64_t id) const { return find(id).known(); }

  // Appends the bytes of ids, those of special tokens only if wanted. False if an id is none: then
  // those before it have been appended.
  bool append(const std::uint32_t* ids, std::size_t count, bool skip_special,
              Growing<char>& out) const {
    constexpr std::size_t kChunk = 64;
    for (; count > 0;) {
      const std::size_t chunk = std::min(count, kChunk);
      if (dense_) {
        for (std::size_t i = 0; i < chunk; ++i) {
          if (ids[i] < table_.size()) prefetch_line(&table_[ids[i]]);
        }
      }
      char* to = out.reserve(16 * kChunk);
      for (std::size_t i = 0; i < chunk; ++i) {
        const Entry& entry = find(ids[i]);
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

  // Up to 14 bytes in place; of more, where they are, and how many.
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

  const Entry& find(std::uint64_t id) const {
    if (dense_) return id < table_.size() ? table_[id] : unknown_;
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? unknown_ : found->second;
  }

  void put(std::uint32_t id, Entry entry) {
    if (dense_) {
      table_[id] = entry;
    } else {
      sparse_[id] = entry;
    }
  }

  std::shared_ptr<const VocabTables> tables_;
  std::vector<Added> added_;
  bool dense_;
  std::vector<Entry> table_;
  std::unordered_map<std::uint64_t, Entry> sparse_;
  Entry unknown_;
};

}  // namespace wordsplit
