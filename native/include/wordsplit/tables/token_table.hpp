// The tokens of a vocab: bytes and ids by index, indexes by id and by bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "wordsplit/base/counters.hpp"
#include "wordsplit/base/memory.hpp"
#include "wordsplit/tables/token_index.hpp"

namespace wordsplit {

class TokenTable {
 public:
  static constexpr std::uint32_t kNone = TokenIndex::kNone;

  TokenTable() = default;
  // Tokens are in ascending order of ids; ends[i] is the end of token i in the blob. Those whose
  // ids are in `unreachable`, ascending, are not found by their bytes.
  TokenTable(std::string_view blob, const std::uint32_t* ends, const std::uint32_t* ids,
             std::size_t count, const std::vector<std::uint32_t>& unreachable)
      : blob_(blob.data(), blob.size()), ends_(ends, count), ids_(ids, count), index_(count) {
    settle();
    for (std::size_t first = 0; first < count; first += kBlock) {
      index_block(first, std::min(kBlock, count - first), unreachable);
    }
  }

  // The bytes of all tokens, the end of each in them, and the ids.
  std::string_view blob() const { return {blob_.data(), blob_.size()}; }
  std::span<const std::uint32_t> ends() const { return {ends_.data(), ends_.size()}; }
  std::span<const std::uint32_t> ids() const { return {ids_.data(), ids_.size()}; }

  std::size_t count() const { return ids_.size(); }
  std::uint32_t id_at(std::size_t index) const {
    return dense_ ? static_cast<std::uint32_t>(index) : ids_[index];
  }
  std::string_view bytes_at(std::size_t index) const {
    const std::size_t start = index ? ends_[index - 1] : 0;
    return {blob_.data() + start, ends_[index] - start};
  }

  // The index of an id; count() if it is unknown.
  std::size_t index_of(std::uint32_t id) const {
    if (dense_) return std::min<std::size_t>(id, count());
    if (id < count() && ids_[id] == id) return id;  // true of most if there are few holes
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
    return found == ids_.end() || *found != id ? count()
                                               : static_cast<std::size_t>(found - ids_.begin());
  }
  // The index of the token with these bytes, whose key is `key`; kNone if there is none.
  std::uint32_t find(const SpanKey& key, const std::uint8_t* p, std::size_t n) const {
    WORDSPLIT_COUNT(n);
    if (n == 0) return kNone;
    if (key.is_short()) return index_.find(key);
    return index_.find(key.is_hash() ? key : TokenIndex::key_of(p, n), [&](std::uint32_t index) {
      const std::string_view token = bytes_at(index);
      return token.size() == n && std::memcmp(token.data(), p, n) == 0;
    });
  }
  // Prefetches the cache line that find() reads first.
  void prefetch(const SpanKey& key) const { index_.prefetch(key); }

  // Calls part(array) for each of the table's arrays, to write them to a file or to set them.
  template <class Part>
  void each_part(Part&& part) {
    part(blob_);
    part(ends_);
    part(ids_);
    index_.each_part(part);
  }

  // Must be called when each_part() has set the arrays. False if a look-up could leave them.
  bool adopt() {
    if (ends_.size() != count() || !std::is_sorted(ends_.begin(), ends_.end())) return false;
    if (count() > 0 && ends_[count() - 1] > blob_.size()) return false;
    settle();
    return std::adjacent_find(ids_.begin(), ids_.end(), std::greater_equal<>()) == ids_.end() &&
           index_.adopt(count(), [&](std::uint32_t index) { return key_at(index); });
  }

 private:
  static constexpr std::size_t kBlock = 32;

  WORDSPLIT_PART_OF_LOOP void index_block(std::size_t first, std::size_t count,
                                          const std::vector<std::uint32_t>& unreachable) {
    SpanKey keys[kBlock];
    for (std::size_t k = 0; k < count; ++k) {
      keys[k] = key_at(first + k);
      index_.prefetch(keys[k]);  // cache misses of a block overlap
    }
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = first + k;
      if (bytes_at(i).empty()) continue;  // no span is empty
      if (std::binary_search(unreachable.begin(), unreachable.end(), ids_[i])) continue;
      index_.insert(keys[k], static_cast<std::uint32_t>(i));
    }
  }

  void settle() { dense_ = count() > 0 && ids_[0] == 0 && ids_[count() - 1] == count() - 1; }

  SpanKey key_at(std::size_t index) const {
    const std::string_view token = bytes_at(index);
    const auto* p = reinterpret_cast<const std::uint8_t*>(token.data());
    const bool readable = token.data() + 16 <= blob_.end();
    return readable && token.size() <= SpanKey::kLongest ? SpanKey::of_16_readable(p, token.size())
                                                         : TokenIndex::key_of(p, token.size());
  }

  ZeroedArray<char> blob_;
  ZeroedArray<std::uint32_t> ends_, ids_;
  bool dense_ = false;  // whether ids are indexes
  TokenIndex index_;
};

}  // namespace wordsplit
