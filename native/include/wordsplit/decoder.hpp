// Token bytes by id, added tokens included: what decoding looks up.
//
// A dense table where ids are dense enough to make one (max id <= 4 x count + 65,536), else a hash
// map: a file that names id 16,000,000 must not cost 256 MB.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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
      put(added_[i].id, {added_[i].bytes.data(), static_cast<std::uint32_t>(added_[i].bytes.size()),
                         added_[i].special, true});
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view bytes = tables_->bytes_at(i);
      const std::uint32_t id = tables_->id_at(i);
      const Entry* known = find(id);
      if (!known) put(id, {bytes.data(), static_cast<std::uint32_t>(bytes.size()), false, true});
    }
  }

  struct Entry {
    const char* data = nullptr;
    std::uint32_t size = 0;
    bool special = false;
    bool known = false;
  };

  // The entry of an id; null if no token has it.
  const Entry* find(std::uint64_t id) const {
    if (dense_) return id < table_.size() && table_[id].known ? &table_[id] : nullptr;
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? nullptr : &found->second;
  }

 private:
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
};

}  // namespace wordsplit
