// The ids of one span, whatever is known of others: the token it is, else by merging, with the
// strategy that the configuration names for its length.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "wordsplit/encoders/backtracking.hpp"
#include "wordsplit/encoders/buffer_sweep.hpp"
#include "wordsplit/encoders/heap_merge.hpp"
#include "wordsplit/encoders/priority_merge.hpp"
#include "wordsplit/encoders/tail_sweep.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

enum class EncoderKind { BufferSweep, TailSweep, PriorityMerge, HeapMerge, Backtracking };

// A byte of the text that the vocab has no token for.
struct MissingByte : std::runtime_error {
  explicit MissingByte(std::uint8_t b) : std::runtime_error("missing byte"), byte(b) {}
  std::uint8_t byte;
};

struct SpanEncoderConfig {
  EncoderKind encoder = EncoderKind::PriorityMerge;
  EncoderKind long_encoder = EncoderKind::HeapMerge;
  std::size_t long_span = 128;  // spans of more bytes go to long_encoder
  bool ignore_merges = false;
};

// Shared by threads.
class SpanEncoder {
 public:
  // The tables must outlive it.
  SpanEncoder(const VocabTables& tables, const SpanEncoderConfig& config)
      : tables_(tables), config_(config) {
    for (std::uint32_t b = 0; b < 256; ++b) {
      all_bytes_ &= tables_.byte_id(static_cast<std::uint8_t>(b)) != kNoToken;
    }
  }
  ~SpanEncoder() { delete trie_.load(); }
  SpanEncoder(const SpanEncoder&) = delete;
  SpanEncoder& operator=(const SpanEncoder&) = delete;

  // Whether every byte has a token, so that no span is refused.
  bool has_all_bytes() const { return all_bytes_; }
  // Throws MissingByte for a span that is to be merged and cannot be.
  void require_bytes(const std::uint8_t* span, std::size_t n) const {
    if (all_bytes_) return;
    for (std::size_t i = 0; i < n; ++i) {
      if (tables_.byte_id(span[i]) == kNoToken) throw MissingByte(span[i]);
    }
  }

  // The id of a span that is one token; else kNoToken. `key` is the span's.
  std::uint32_t whole_token(const SpanKey& key, const std::uint8_t* span, std::size_t n) const {
    return config_.ignore_merges ? tables_.find(key, span, n) : tables_.find_live(key, span, n);
  }

  // Writes the ids, n at most, and returns how many.
  std::size_t encode(const std::uint8_t* span, std::size_t n, Scratch& scratch,
                     std::uint32_t* out) const {
    *out = whole_token(SpanKey::of(span, n), span, n);
    return *out != kNoToken ? 1 : merge(span, n, scratch, out);
  }

  // The same for a span that is no token.
  std::size_t merge(const std::uint8_t* span, std::size_t n, Scratch& scratch,
                    std::uint32_t* out) const {
    require_bytes(span, n);
    switch (n > config_.long_span ? config_.long_encoder : config_.encoder) {
      case EncoderKind::BufferSweep:
        return buffer_sweep(tables_, span, n, out, scratch);
      case EncoderKind::TailSweep:
        return tail_sweep(tables_, span, n, out, scratch);
      case EncoderKind::PriorityMerge:
        return priority_merge(tables_, span, n, out, scratch);
      case EncoderKind::HeapMerge:
        return heap_merge(tables_, span, n, out, scratch);
      case EncoderKind::Backtracking:
        if (const TokenTrie* trie = trie_for(n)) {
          return backtracking(tables_, *trie, span, n, out, scratch);
        }
        return heap_merge(tables_, span, n, out, scratch);
    }
    return 0;
  }

 private:
  static constexpr std::size_t kWorthATrie = 256 << 10;

  // Making the trie takes 60 ms and 12 MB. Where backtracking is for long spans alone, it is made
  // when there have been as many bytes of them as make that worth it; null until then.
  const TokenTrie* trie_for(std::size_t n) const {
    if (config_.encoder != EncoderKind::Backtracking &&
        long_bytes_.fetch_add(n, std::memory_order_relaxed) + n < kWorthATrie) {
      return nullptr;
    }
    // No lock, which a fork in the meantime would leave locked: two threads may both make it, and
    // one of the two is kept.
    const TokenTrie* trie = trie_.load(std::memory_order_acquire);
    if (!trie) {
      auto made = std::make_unique<const TokenTrie>(tables_);
      if (trie_.compare_exchange_strong(trie, made.get())) trie = made.release();
    }
    return trie;
  }

  const VocabTables& tables_;
  SpanEncoderConfig config_;
  mutable std::atomic<std::size_t> long_bytes_{0};
  mutable std::atomic<const TokenTrie*> trie_{nullptr};
  bool all_bytes_ = true;
};

}  // namespace wordsplit
