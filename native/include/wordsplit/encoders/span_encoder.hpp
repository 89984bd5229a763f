// Encodes one span: as the token that it is, or by merging with the encoder for its length.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "wordsplit/encoders/encoders.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

// A byte of the text for which the vocab has no token.
struct MissingByte : std::runtime_error {
  explicit MissingByte(std::uint8_t b) : std::runtime_error("missing byte"), byte(b) {}
  std::uint8_t byte;
};

// Precondition: neither encoder has an obstacle in the vocab's tables.
struct SpanEncoderConfig {
  const Encoder* encoder = find_encoder("priority_merge");
  const Encoder* long_encoder = find_encoder("heap_merge");
  std::size_t long_span = 128;  // longer spans go to long_encoder
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

  // Whether every byte has a token, so that every span can be encoded.
  bool has_all_bytes() const { return all_bytes_; }
  // Throws MissingByte if a byte of the span has no token.
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

  // Writes the ids, n at most, and returns their number. Throws MissingByte.
  std::size_t encode(const std::uint8_t* span, std::size_t n, Scratch& scratch,
                     std::uint32_t* out) const {
    *out = whole_token(SpanKey::of(span, n), span, n);
    return *out != kNoToken ? 1 : merge(span, n, scratch, out);
  }

  // The same for a span that is not a token.
  std::size_t merge(const std::uint8_t* span, std::size_t n, Scratch& scratch,
                    std::uint32_t* out) const {
    require_bytes(span, n);
    const bool is_long = n > config_.long_span;
    const Encoder& encoder = is_long ? *config_.long_encoder : *config_.encoder;
    if (!encoder.make_index) return encoder.encode(tables_, nullptr, span, n, out, scratch);
    const EncoderIndex* const index = index_for(encoder, n);
    return index ? encoder.encode(tables_, index, span, n, out, scratch)
                 : heap_merge(tables_, span, n, out, scratch);
  }

 private:
  static constexpr std::size_t kWorthAnIndex = 256 << 10;

  // An index that is made when it is first needed.
  class LazyIndex {
   public:
    ~LazyIndex() { delete made_.load(); }
    // Takes no lock, since a fork might leave it locked: two threads may both make the index, and
    // one of the two is kept.
    const EncoderIndex* get(const Encoder& encoder, const VocabTables& tables) {
      const EncoderIndex* found = made_.load(std::memory_order_acquire);
      if (!found) {
        auto made = encoder.make_index(tables);
        if (made_.compare_exchange_strong(found, made.get())) found = made.release();
      }
      return found;
    }

   private:
    std::atomic<const EncoderIndex*> made_{nullptr};
  };

  // The index of an encoder. An index takes time and memory (the trie of Qwen3: 60 ms and 12 MB),
  // so for an encoder of long spans only it is made when there have been enough bytes of them; null
  // until then.
  const EncoderIndex* index_for(const Encoder& encoder, std::size_t n) const {
    if (&encoder == config_.encoder) return index_.get(encoder, tables_);
    if (long_bytes_.fetch_add(n, std::memory_order_relaxed) + n < kWorthAnIndex) return nullptr;
    return long_index_.get(encoder, tables_);
  }

  const VocabTables& tables_;
  SpanEncoderConfig config_;
  mutable std::atomic<std::size_t> long_bytes_{0};
  mutable LazyIndex index_, long_index_;
  bool all_bytes_ = true;
};

}  // namespace wordsplit
