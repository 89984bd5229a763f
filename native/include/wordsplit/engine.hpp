// From text to ids in one pass: added tokens, normalization, scanner, cache, encoder.
//
// The text is cut at added tokens; each stretch between is normalized where the vocab asks for it
// and it is not normal already, and then done a block of spans at a time: scan the block, make each
// span's key and prefetch its cache line, then look the spans up in order and append their ids. A
// span that is not cached is looked up among the tokens, and merged if it is none. Ids go straight
// to the output, which grows by blocks.
//
// An Engine is immutable and shared by threads; what a call changes is in a State, one a thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "wordsplit/added_tokens.hpp"
#include "wordsplit/encoders/backtracking.hpp"
#include "wordsplit/encoders/buffer_sweep.hpp"
#include "wordsplit/encoders/heap_merge.hpp"
#include "wordsplit/encoders/priority_merge.hpp"
#include "wordsplit/encoders/tail_sweep.hpp"
#include "wordsplit/nfc.hpp"
#include "wordsplit/output.hpp"
#include "wordsplit/scanners.hpp"
#include "wordsplit/span_cache.hpp"
#include "wordsplit/vocab_tables.hpp"

namespace wordsplit {

enum class EncoderKind { BufferSweep, TailSweep, PriorityMerge, HeapMerge, Backtracking };

// A byte of the text that the vocab has no token for.
struct MissingByte : std::runtime_error {
  explicit MissingByte(std::uint8_t b) : std::runtime_error("missing byte"), byte(b) {}
  std::uint8_t byte;
};

struct EngineConfig {
  ScanFn scan = nullptr;  // null: the caller brings the spans
  EncoderKind encoder = EncoderKind::PriorityMerge;
  EncoderKind long_encoder = EncoderKind::HeapMerge;
  std::size_t long_span = 128;  // spans of more bytes go to long_encoder
  bool nfc = false;
  bool ignore_merges = false;
  bool add_prefix_space = false;
  std::size_t cache_bytes = 0;
};

class Engine {
 public:
  static constexpr std::size_t kBlock = SpanCache::kBlock;

  // What a call changes: cache, buffers. One thread at a time.
  struct State {
    explicit State(std::size_t cache_bytes) : cache(cache_bytes) {}
    SpanCache cache;
    Scratch scratch;
    std::string normalized;
    std::uint32_t ends[kBlock];
    SpanCache::Found found[kBlock];
  };

  Engine(std::shared_ptr<const VocabTables> tables, EngineConfig config,
         std::vector<AddedToken> raw, std::vector<AddedToken> normalized)
      : tables_(std::move(tables)),
        config_(config),
        raw_(std::move(raw)),
        normalized_(std::move(normalized)) {
    for (std::uint32_t b = 0; b < 256; ++b) {
      all_bytes_ &= tables_->byte_id(static_cast<std::uint8_t>(b)) != kNoToken;
    }
  }

  const VocabTables& tables() const { return *tables_; }
  const EngineConfig& config() const { return config_; }
  std::unique_ptr<State> make_state() const { return std::make_unique<State>(config_.cache_bytes); }

  // Appends the ids of text[0, n). Precondition: config().scan is set.
  void encode(const std::uint8_t* text, std::size_t n, AsText as_text, State& state,
              Output& out) const {
    pieces(text, n, as_text, state,
           [&](const std::uint8_t* p, std::size_t size, const AddedToken* token) {
             if (token) {
               out.push(token->id);
             } else {
               encode_stretch(p, size, state, out);
             }
           });
  }

  // Calls piece(bytes, size, token) for each added token and each normalized stretch between.
  // The bytes of a stretch may be in state.normalized, and last until the next call.
  template <class Piece>
  void pieces(const std::uint8_t* text, std::size_t n, AsText as_text, State& state,
              Piece&& piece) const {
    raw_.split(text, n, as_text, [&](std::size_t start, std::size_t end, const AddedToken* token) {
      if (token) {
        piece(text + start, end - start, token);
        return;
      }
      const std::uint8_t* p = text + start;
      std::size_t size = end - start;
      if (config_.nfc && !is_nfc_quick(p, size)) {
        state.normalized.clear();
        nfc(p, size, state.normalized);
        p = reinterpret_cast<const std::uint8_t*>(state.normalized.data());
        size = state.normalized.size();
      }
      if (normalized_.empty() && !config_.add_prefix_space) {
        piece(p, size, nullptr);
        return;
      }
      normalized_.split(
          p, size, as_text, [&](std::size_t a, std::size_t b, const AddedToken* inner) {
            if (inner || !config_.add_prefix_space || p[a] == ' ') {
              piece(p + a, b - a, inner);
            } else {
              std::string spaced = " ";
              spaced.append(reinterpret_cast<const char*>(p) + a, b - a);
              piece(reinterpret_cast<const std::uint8_t*>(spaced.data()), spaced.size(), nullptr);
            }
          });
    });
  }

  // Appends the ids of spans that the caller has found. ends: ascending, the last one is n.
  void encode_spans(const std::uint8_t* text, std::size_t n, const std::uint32_t* ends,
                    std::size_t count, State& state, Output& out) const {
    std::size_t start = 0;
    for (std::size_t done = 0; done < count; done += kBlock) {
      const std::size_t block = std::min(kBlock, count - done);
      encode_block(text, n, start, ends + done, block, state, out);
      start = ends[done + block - 1];
    }
  }

 private:
  void encode_stretch(const std::uint8_t* text, std::size_t n, State& state, Output& out) const {
    if (n > 0xFFFFFFFF) throw std::length_error("a stretch of text of 4 GiB or more");
    std::size_t at = 0;
    while (at < n) {
      const std::size_t start = at;
      const std::size_t count = config_.scan(text, n, at, state.ends, kBlock);
      encode_block(text, n, start, state.ends, count, state, out);
    }
  }

  void encode_block(const std::uint8_t* text, std::size_t n, std::size_t start,
                    const std::uint32_t* ends, std::size_t count, State& state, Output& out) const {
    // A span of n bytes has n ids at most; 3 more for what the cache writes past a hit.
    std::uint32_t* to = out.reserve(ends[count - 1] - start + 3);
    if (!state.cache.enabled()) {
      for (std::size_t i = 0; i < count; ++i) {
        to += encode_span(text + start, ends[i] - start, state.scratch, to);
        start = ends[i];
      }
      out.advance_to(to);
      return;
    }
    state.cache.find_block(text, n, start, ends, count, state.found);
    for (std::size_t i = 0; i < count; ++i) {
      // Three ids are written, and as many kept as there are: no branch but for spans that are not
      // held.
      const SpanCache::Found& found = state.found[i];
      std::memcpy(to, found.ids, sizeof found.ids);
      to += found.count;
      if (found.count == 0) to += encode_missed(text + start, ends[i] - start, state, to);
      start = ends[i];
    }
    out.advance_to(to);
  }

  // A span that find_block has not found.
  std::size_t encode_missed(const std::uint8_t* span, std::size_t n, State& state,
                            std::uint32_t* out) const {
    if (n > SpanCache::kLongest) return encode_span(span, n, state.scratch, out);
    std::size_t count = state.cache.find_large(span, n, out);
    if (count == 0) {
      count = encode_span(span, n, state.scratch, out);
      state.cache.insert(span, n, out, count);
    }
    return count;
  }

  std::size_t encode_span(const std::uint8_t* span, std::size_t n, Scratch& scratch,
                          std::uint32_t* out) const {
    const std::uint32_t whole =
        config_.ignore_merges ? tables_->find(span, n) : tables_->find_live(span, n);
    if (whole != kNoToken) {
      *out = whole;
      return 1;
    }
    if (!all_bytes_) {
      for (std::size_t i = 0; i < n; ++i) {
        if (tables_->byte_id(span[i]) == kNoToken) throw MissingByte(span[i]);
      }
    }
    switch (n > config_.long_span ? config_.long_encoder : config_.encoder) {
      case EncoderKind::BufferSweep:
        return buffer_sweep(*tables_, span, n, out, scratch);
      case EncoderKind::TailSweep:
        return tail_sweep(*tables_, span, n, out, scratch);
      case EncoderKind::PriorityMerge:
        return priority_merge(*tables_, span, n, out, scratch);
      case EncoderKind::HeapMerge:
        return heap_merge(*tables_, span, n, out, scratch);
      case EncoderKind::Backtracking:
        return backtracking(*tables_, trie(), span, n, out, scratch);
    }
    return 0;
  }

  // Made when the first span needs it: most programs meet no span that long, and it takes 30 ms and
  // 12 MB.
  const TokenTrie& trie() const {
    std::call_once(trie_made_, [&] { trie_ = std::make_unique<const TokenTrie>(*tables_); });
    return *trie_;
  }

  std::shared_ptr<const VocabTables> tables_;
  EngineConfig config_;
  AddedTokenMatcher raw_, normalized_;
  mutable std::once_flag trie_made_;
  mutable std::unique_ptr<const TokenTrie> trie_;
  bool all_bytes_ = true;
};

}  // namespace wordsplit
