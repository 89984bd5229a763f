// The tables of a vocab that the kernels look up: immutable, shared by all threads.
//
// They hold token bytes by id, ids by bytes, ids of single bytes, the pair-rank table, and the live
// merge of each token: the last merge of its own encoding. No other merge ever makes the token,
// since merges within a token's bytes do not depend on what is around them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "wordsplit/base/compiler.hpp"
#include "wordsplit/base/hash.hpp"
#include "wordsplit/base/memory.hpp"
#include "wordsplit/tables/indexes.hpp"
#include "wordsplit/tables/model_rules.hpp"
#include "wordsplit/tables/pair_table.hpp"
#include "wordsplit/tables/token_table.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

// The rank_plus_1 of a single byte, below that of every merge.
inline constexpr std::uint32_t kByteRank = 0;

// The live merge of a token.
struct MadeBy {
  std::uint32_t left, right;
  std::uint32_t rank_plus_1;  // kByteRank for a single byte; kNoRank for a token that is never made
};

class VocabTables {
 public:
  // Tokens are in ascending order of ids; ends[i] is the end of token i in the blob. `merges` holds
  // (left id, right id) by rank. `unreachable` are the ids of tokens that no text produces,
  // ascending. `all_live` promises that each merge is the live one of its token, as in bundled data
  // and those derived from ranks, which saves the search for them. Throws std::invalid_argument for
  // a merge that names or makes no token.
  VocabTables(std::string_view blob, const std::uint32_t* ends, const std::uint32_t* ids,
              std::size_t count, const std::uint32_t* merges, std::size_t merge_count,
              const std::vector<std::uint32_t>& unreachable, bool all_live = false,
              const ModelRules& model = {}, std::span<const double> scores = {})
      : model_(model),
        scores_(scores.data(), scores.size()),
        tokens_(blob, ends, ids, count, unreachable),
        pairs_(merge_count),
        byte_pairs_(std::size_t{1} << 16),
        made_by_(count + 1) {
    facts_.merge_count = static_cast<std::uint32_t>(merge_count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view token = bytes_at(i);
      if (token.size() != 1 || is_in(unreachable, ids[i])) continue;
      facts_.byte_ids[static_cast<std::uint8_t>(token[0])] = ids[i];
    }
    std::fill(made_by_.begin(), made_by_.end(), MadeBy{kNoToken, kNoToken, kNoRank});
    for (const std::uint32_t id : facts_.byte_ids) {
      if (id != kNoToken) made_by_[index_of(id)] = {id, id, kByteRank};
    }
    read_merges(merges, merge_count, unreachable.empty(), all_live);
    for (std::size_t i = 0; i < byte_pairs_.size(); ++i) byte_pairs_[i] = find_byte_pair(i);
    if (!all_live) find_live_merges(merges, merge_count);
    for (std::size_t i = 0; i < count; ++i) {
      facts_.all_live &= is_made(i) || is_in(unreachable, ids[i]);
    }
  }

  // Tables made of parts that write_parts() has written: next() returns the bytes of one part after
  // another, in memory that outlives the tables and is aligned to a cache line. Checks everything
  // that look-ups rely on, so that no bytes can make them leave the tables, return an unknown id,
  // or run forever. Throws std::invalid_argument.
  template <class Next>
  static std::unique_ptr<VocabTables> adopt(Next&& next) {
    std::unique_ptr<VocabTables> out(new VocabTables);
    out->each_part([&](auto& part) { set_part(part, next()); });
    if (!out->is_sound()) throw std::invalid_argument("holds tables that do not fit together");
    return out;
  }

  // Calls write(data, size) with the bytes of one part after another, in the order of adopt().
  template <class Write>
  void write_parts(Write&& write) const {
    const_cast<VocabTables*>(this)->each_part([&](const auto& part) {
      const std::span<const std::byte> bytes = bytes_of(part);
      write(bytes.data(), bytes.size());
    });
  }

  // See TokenTable.
  std::string_view blob() const { return tokens_.blob(); }
  std::span<const std::uint32_t> ends() const { return tokens_.ends(); }
  std::span<const std::uint32_t> ids() const { return tokens_.ids(); }
  std::size_t count() const { return tokens_.count(); }
  std::uint32_t id_at(std::size_t index) const { return tokens_.id_at(index); }
  std::string_view bytes_at(std::size_t index) const { return tokens_.bytes_at(index); }
  std::size_t index_of(std::uint32_t id) const { return tokens_.index_of(id); }

  std::size_t merge_count() const { return facts_.merge_count; }
  std::uint32_t byte_id(std::uint8_t byte) const { return facts_.byte_ids[byte]; }
  const std::uint32_t* byte_ids() const { return facts_.byte_ids; }
  const PairTable& pairs() const { return pairs_; }

  // The merge of two single bytes. Every span begins with these look-ups, so they have a table of
  // their own, in which the pairs of one script are close together.
  Merge byte_pair(std::uint8_t left, std::uint8_t right) const {
    return byte_pairs_[std::size_t{left} << 8 | right];
  }

  // The id of the token with these bytes, whose key is `key`; kNoToken if there is none, or if it
  // is unreachable.
  std::uint32_t find(const SpanKey& key, const std::uint8_t* p, std::size_t n) const {
    const std::uint32_t index = tokens_.find(key, p, n);
    return index == TokenTable::kNone ? kNoToken : id_at(index);
  }
  std::uint32_t find(const std::uint8_t* p, std::size_t n) const {
    return find(SpanKey::of(p, n), p, n);
  }
  // The same, but only for tokens that byte-pair encoding of their bytes makes.
  std::uint32_t find_live(const SpanKey& key, const std::uint8_t* p, std::size_t n) const {
    const std::uint32_t index = tokens_.find(key, p, n);
    if (index == TokenTable::kNone) return kNoToken;
    const bool live = facts_.all_live || is_made(index);
    return live && id_at(index) < model_.first_virtual ? id_at(index) : kNoToken;
  }
  std::uint32_t find_live(const std::uint8_t* p, std::size_t n) const {
    return find_live(SpanKey::of(p, n), p, n);
  }
  // Prefetches the cache line that find() reads first.
  void prefetch(const SpanKey& key) const { tokens_.prefetch(key); }

  const ModelRules& model() const { return model_; }
  // The score of each token, by index, if the model has scores.
  std::span<const double> scores() const { return {scores_.data(), scores_.size()}; }
  // Whether a character has a token.
  bool has_character(const std::uint8_t* p, std::size_t size) const {
    const std::uint32_t id = find(SpanKey::of(p, size), p, size);
    return id < model_.first_virtual;  // kNoToken is above
  }
  // Replaces virtual ids by those that stand for them, and returns the number of ids. `ids` has
  // room for as many as there are bytes.
  std::size_t settle(std::uint32_t* ids, std::size_t count,
                     std::vector<std::uint32_t>& scratch) const {
    if constexpr (kOnlyBytes) return count;
    const std::uint32_t first = model_.first_virtual;
    std::size_t at = 0;
    while (at < count && ids[at] < first) ++at;
    if (at == count) return count;
    scratch.assign(ids + at, ids + count);
    std::uint32_t* to = ids + at;
    bool unknown = at > 0 && ids[at - 1] == model_.unk_id;
    std::string left;  // what is unknown after the last token
    const auto add_unknown = [&] {
      const auto* p = reinterpret_cast<const std::uint8_t*>(left.data());
      for (const auto* const end = p + left.size(); p < end; p += decode_utf8(p, end).size) {
        if (!(unknown && model_.fuse_unk)) *to++ = model_.unk_id;
        unknown = true;
      }
      left.clear();
    };
    for (const std::uint32_t id : scratch) {
      if (id < first) {
        add_unknown();
        *to++ = id;
        unknown = false;
        continue;
      }
      std::string_view bytes = bytes_at(index_of(id));
      if (model_.has_fallback()) {
        for (const char byte : bytes) *to++ = model_.fallback[static_cast<std::uint8_t>(byte)];
        continue;
      }
      // No character has this byte: it is the end of a word, spelled with its last one.
      if (bytes.size() > 1 && bytes.back() == '\xFF') bytes.remove_suffix(1);
      left += bytes;
    }
    add_unknown();
    return static_cast<std::size_t>(to - ids);
  }

  // The index that `make` makes of these tables, which is kept with them; see indexes.hpp.
  const TableIndex* index(MakeIndex make) const { return indexes_.get(make, *this); }

  const MadeBy& made_by(std::uint32_t id) const { return made_by_[index_of(id)]; }

  // Whether the parts of every token rank before it, so that merges can be undone in order of rank.
  // If not, out_of_order_token() is a token whose parts do not.
  bool supports_backtracking() const { return facts_.out_of_order_token == kNoToken; }
  std::uint32_t out_of_order_token() const { return facts_.out_of_order_token; }

  // Whether `left` followed by `right` encodes to just these two tokens. Merges across the boundary
  // with a rank of `limit` - 1 or higher are ignored. Preconditions: both tokens are made by
  // merges; supports_backtracking().
  bool is_valid_pair(std::uint32_t left, std::uint32_t right, std::uint32_t limit = kNoRank) const {
    while (true) {
      const Merge across = pairs_.find(left, right);
      if (across.rank != kNoRank && across.rank + 1 < limit) return false;
      const MadeBy& l = made_by(left);
      const MadeBy& r = made_by(right);
      if (l.rank_plus_1 > r.rank_plus_1) {
        limit = l.rank_plus_1;
        left = l.right;
      } else if (r.rank_plus_1 != kByteRank) {
        limit = r.rank_plus_1 + 1;
        right = r.left;
      } else {
        return true;
      }
    }
  }

 private:
  bool is_made(std::size_t index) const { return made_by_[index].rank_plus_1 != kNoRank; }

  static bool is_in(const std::vector<std::uint32_t>& ascending, std::uint32_t id) {
    return std::binary_search(ascending.begin(), ascending.end(), id);
  }
  static bool is_join(std::string_view token, std::string_view left, std::string_view right) {
    return token.size() == left.size() + right.size() && same_bytes(token.data(), left) &&
           same_bytes(token.data() + left.size(), right);
  }
  // Tokens are short: std::memcmp takes longer to call than they take to compare.
  static bool same_bytes(const char* p, std::string_view other) {
    const auto* a = reinterpret_cast<const std::uint8_t*>(p);
    const auto* b = reinterpret_cast<const std::uint8_t*>(other.data());
    std::size_t n = other.size();
    for (; n > 8; a += 8, b += 8, n -= 8) {
      if (load_up_to_8(a, 8) != load_up_to_8(b, 8)) return false;
    }
    return load_up_to_8(a, n) == load_up_to_8(b, n);
  }
  void read_merges(const std::uint32_t* merges, std::size_t merge_count, bool may_guess,
                   bool all_live) {
    std::size_t guess = 0;  // in most files merges are in the order of the tokens that they make
    constexpr std::size_t kBlock = 256;
    for (std::size_t rank = 0; rank < merge_count; rank += kBlock) {
      const std::size_t end = std::min(rank + kBlock, merge_count);
      guess = read_block_of_merges(merges, rank, end, guess, may_guess, all_live);
    }
  }
  // Returns the next guess.
  WORDSPLIT_PART_OF_LOOP std::size_t read_block_of_merges(const std::uint32_t* merges,
                                                          std::size_t begin, std::size_t end,
                                                          std::size_t guess, bool may_guess,
                                                          bool all_live) {
    std::string joined;
    for (std::size_t rank = begin; rank < end; ++rank) {
      const std::uint32_t left = merges[2 * rank], right = merges[2 * rank + 1];
      const std::size_t l = index_of(left), r = index_of(right);
      if (l < count() && r < count()) {
        if (!may_guess || guess >= count() || !is_join(bytes_at(guess), bytes_at(l), bytes_at(r))) {
          joined.assign(bytes_at(l)).append(bytes_at(r));
          const auto* p = reinterpret_cast<const std::uint8_t*>(joined.data());
          guess = tokens_.find(SpanKey::of(p, joined.size()), p, joined.size());
        }
        const std::uint32_t merged = guess < count() ? id_at(guess++) : kNoToken;
        if (merged != kNoToken) {
          const auto own = static_cast<std::uint32_t>(rank);
          pairs_.insert(left, right, {own, merged});
          if (all_live) {
            const bool in_order =
                made_by_[l].rank_plus_1 != kNoRank && made_by_[r].rank_plus_1 != kNoRank;
            if (!in_order && facts_.out_of_order_token == kNoToken) {
              facts_.out_of_order_token = merged;
            }
            made_by_[guess - 1] = {left, right, own + 1};
          }
          continue;
        }
      }
      throw std::invalid_argument("merges[" + std::to_string(rank) + "]: (" + std::to_string(left) +
                                  ", " + std::to_string(right) +
                                  ") names an unknown token, or makes none");
    }
    return guess;
  }

  void find_live_merges(const std::uint32_t* merges, std::size_t merge_count) {
    const auto made = [&](std::uint32_t id) { return made_by(id).rank_plus_1 != kNoRank; };
    bool all = true;
    for (std::size_t rank = 0; rank < merge_count; ++rank) {
      const std::uint32_t left = merges[2 * rank], right = merges[2 * rank + 1];
      const Merge merge = pairs_.find(left, right);
      if (merge.rank != rank) continue;  // listed again later
      if (!made(left) || !made(right)) {
        all = false;
        continue;
      }
      MadeBy& entry = made_by_[index_of(merge.merged)];
      const std::uint32_t own = static_cast<std::uint32_t>(rank) + 1;
      if (entry.rank_plus_1 == kNoRank && is_valid_pair(left, right, own)) {
        entry = {left, right, own};
      }
    }
    if (all) return;
    // A token that is not made by now is never made, or by a merge that ranks before one of its
    // parts. To find out, merge its bytes; such tokens are few.
    for (std::size_t rank = 0; rank < merge_count; ++rank) {
      const Merge merge = pairs_.find(merges[2 * rank], merges[2 * rank + 1]);
      const std::size_t index = index_of(merge.merged);
      if (made_by_[index].rank_plus_1 != kNoRank || !merges_to_itself(bytes_at(index))) continue;
      if (facts_.out_of_order_token == kNoToken) facts_.out_of_order_token = merge.merged;
      made_by_[index] = {merges[2 * rank], merges[2 * rank + 1],
                         static_cast<std::uint32_t>(rank) + 1};
    }
  }

  bool merges_to_itself(std::string_view token) const;  // in encoders/heap_merge.hpp

  // Further properties, written with the tables.
  struct Facts {
    Facts() { std::fill(std::begin(byte_ids), std::end(byte_ids), kNoToken); }
    std::uint32_t merge_count = 0;
    std::uint32_t out_of_order_token = kNoToken;
    std::uint32_t all_live = 1;  // whether every token is made by merges
    std::uint32_t byte_ids[256];
  };

  VocabTables() = default;

  template <class Part>
  void each_part(Part&& part) {
    part(facts_);
    part(model_);
    part(scores_);
    tokens_.each_part(part);
    pairs_.each_part(part);
    part(byte_pairs_);
    part(made_by_);
  }

  template <class T>
  static std::span<const std::byte> bytes_of(const T& fixed) {
    return std::as_bytes(std::span(&fixed, 1));
  }
  template <class T>
  static std::span<const std::byte> bytes_of(const ZeroedArray<T>& part) {
    return std::as_bytes(std::span<const T>(part.data(), part.size()));
  }

  template <class T>
  static void set_part(T& fixed, std::span<const std::byte> bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes.size() != sizeof fixed) throw std::invalid_argument("a part of the wrong size");
    std::memcpy(&fixed, bytes.data(), sizeof fixed);
  }
  template <class T>
  static void set_part(ZeroedArray<T>& part, std::span<const std::byte> bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes.size() % sizeof(T) != 0) throw std::invalid_argument("a part of the wrong size");
    part = ZeroedArray<T>::view(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
  }

  // See adopt().
  bool is_sound() {
    return tokens_.adopt() && pairs_.adopt() && made_by_.size() == count() + 1 &&
           byte_pairs_.size() == 65536 && are_bytes_sound() && are_merges_sound() &&
           are_live_merges_sound() && is_model_sound();
  }
  // Whether the id of each byte is that of a token of that byte.
  bool are_bytes_sound() const {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t id = facts_.byte_ids[byte];
      if (id == kNoToken) continue;
      const std::size_t index = index_of(id);
      const char letter = static_cast<char>(byte);
      if (index == count() || bytes_at(index) != std::string_view(&letter, 1) ||
          made_by_[index].rank_plus_1 != kByteRank) {
        return false;
      }
    }
    return facts_.out_of_order_token == kNoToken || index_of(facts_.out_of_order_token) < count();
  }
  // Whether each merge makes a token as long as its parts, and byte_pairs_ agrees with pairs_.
  bool are_merges_sound() const {
    const bool sound = pairs_.all_of([&](std::uint32_t left, std::uint32_t right, Merge merge) {
      const std::size_t l = index_of(left), r = index_of(right), m = index_of(merge.merged);
      return merge.rank < merge_count() && l < count() && r < count() && m < count() &&
             bytes_at(l).size() + bytes_at(r).size() == bytes_at(m).size();
    });
    for (std::size_t i = 0; sound && i < byte_pairs_.size(); ++i) {
      const Merge want = find_byte_pair(i);
      if (byte_pairs_[i].rank != want.rank || byte_pairs_[i].merged != want.merged) return false;
    }
    return sound;
  }
  // Whether the parts of each live merge are made before it, so that undoing merges ends.
  bool are_live_merges_sound() const {
    const auto is_before = [&](std::uint32_t id, std::uint32_t rank_plus_1) {
      const std::size_t index = index_of(id);
      return index < count() &&
             (!supports_backtracking() || made_by_[index].rank_plus_1 < rank_plus_1);
    };
    for (std::size_t i = 0; i < count(); ++i) {
      const MadeBy& made = made_by_[i];
      if (made.rank_plus_1 == kNoRank) continue;
      if (made.rank_plus_1 == kByteRank) {
        if (bytes_at(i).size() != 1) return false;
      } else if (made.rank_plus_1 > merge_count() || !is_before(made.left, made.rank_plus_1) ||
                 !is_before(made.right, made.rank_plus_1)) {
        return false;
      }
    }
    return made_by_[count()].rank_plus_1 == kNoRank;
  }

  // Whether there are ids for what is unknown, and a score for each token of a model that has them.
  bool is_model_sound() const {
    const auto is_token = [&](std::uint32_t id) {
      return index_of(id) < count() && id < model_.first_virtual;
    };
    if (model_.kind > ModelKind::WordLevel || model_.prefix_size > sizeof model_.prefix)
      return false;
    if (model_.kind == ModelKind::Bytes) {
      if constexpr (kOnlyBytes) {
        return model_.first_virtual == kNoToken && model_.missing == Missing::Error;
      }
      return model_.first_virtual == kNoToken && model_.missing <= Missing::Unknown &&
             (model_.missing != Missing::Unknown || is_token(model_.unk_id));
    }
    if constexpr (kOnlyBytes) return false;
    if (model_.kind == ModelKind::Unigram && scores_.size() != count()) return false;
    if (model_.has_fallback() &&
        !std::all_of(std::begin(model_.fallback), std::end(model_.fallback), is_token)) {
      return false;
    }
    return is_token(model_.unk_id) || model_.drops_characters() ||
           (model_.kind == ModelKind::Characters && model_.has_fallback());
  }

  // The merge of two bytes, left << 8 | right, by their tokens' ids.
  Merge find_byte_pair(std::size_t bytes) const {
    const std::uint32_t left = facts_.byte_ids[bytes >> 8], right = facts_.byte_ids[bytes & 255];
    const bool known = left != kNoToken && right != kNoToken;
    return known ? pairs_.find(left, right) : Merge{kNoRank, 0};
  }

  ModelRules model_;
  ZeroedArray<double> scores_;
  TokenTable tokens_;
  Facts facts_;
  PairTable pairs_;
  ZeroedArray<Merge> byte_pairs_;
  ZeroedArray<MadeBy> made_by_;  // by index, with an entry at the end for "no token"
  mutable Indexes indexes_;
};

}  // namespace wordsplit

#include "wordsplit/encoders/heap_merge.hpp"  // it needs the tables, and they need it for some tokens
