// Encodes text in one pass: added tokens, normalization, scanner, cache, encoder.
//
// The text is cut at added tokens. Each stretch between them is normalized if the vocab asks for it
// and it is not normalized already, then scanned and encoded a block of spans at a time
// (block_encoder.hpp). Ids are written directly to the output.
//
// An Engine is shared by threads: it is immutable except for the shared cache, which is
// thread-safe. All other mutable state of a call is in a State, one a thread.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "wordsplit/base/growing.hpp"
#include "wordsplit/engine/added_tokens.hpp"
#include "wordsplit/engine/block_encoder.hpp"
#include "wordsplit/scanners/scanners.hpp"
#include "wordsplit/tables/vocab_tables.hpp"
#include "wordsplit/text/nfc.hpp"

namespace wordsplit {

struct EngineConfig : SpanEncoderConfig {
  ScanFn scan = nullptr;  // null: the caller brings the spans
  bool nfc = false;
  bool add_prefix_space = false;
  std::size_t cache_bytes = 0;
  SimdLevel simd = best_simd_level();  // of the cache; `scan` has its own
};

class Engine {
 public:
  static constexpr std::size_t kBlock = SpanCache::kBlock;

  // The mutable state of a call, used by one thread at a time.
  struct State : BlockEncoder::State {
    using BlockEncoder::State::State;
    std::string normalized;
    std::uint32_t ends[kBlock];  // of the spans of the current block
  };

  Engine(std::shared_ptr<const VocabTables> tables, EngineConfig config,
         std::vector<AddedToken> raw, std::vector<AddedToken> normalized)
      : tables_(std::move(tables)),
        config_(config),
        raw_(std::move(raw)),
        normalized_(std::move(normalized)),
        shared_cache_(std::make_unique<SharedCache>(config.cache_bytes)),
        blocks_(*tables_, config, config.simd) {}

  const VocabTables& tables() const { return *tables_; }
  // Whether every byte has a token, so that every text can be encoded.
  bool has_all_bytes() const { return blocks_.has_all_bytes(); }
  const EngineConfig& config() const { return config_; }
  std::unique_ptr<State> make_state() const {
    return std::make_unique<State>(*shared_cache_, config_.simd);
  }
  SharedCache& shared_cache() const { return *shared_cache_; }
  const AddedTokenMatcher& raw_tokens() const { return raw_; }
  const AddedTokenMatcher& normalized_tokens() const { return normalized_; }

  // Appends the ids of text[0, n). Precondition: config().scan is set.
  void encode(const std::uint8_t* text, std::size_t n, AsText as_text, State& state,
              Output& out) const {
    pieces(text, n, as_text, state,
           [&](const std::uint8_t* p, std::size_t size, const AddedToken* token) {
             if (token) {
               out.push(token->id);
             } else {
               encode_range(p, size, 0, size, state, out);
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
        normalize(p, size, state);
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

  // Appends the ids of the spans of text[0, n) from the one that begins at `from` to the first that
  // ends at `to` or beyond, and returns where that is. Precondition: config().scan is set.
  std::size_t encode_range(const std::uint8_t* text, std::size_t n, std::size_t from,
                           std::size_t to, State& state, Output& out) const {
    if (n > 0xFFFFFFFF) throw std::length_error("a stretch of text of 4 GiB or more");
    std::size_t at = from;
    while (at < to) {
      const std::size_t start = at;
      std::size_t count = config_.scan(text, n, at, state.ends, kBlock);
      if (at > to) {  // there are spans behind the last one wanted
        const std::uint32_t* last = std::lower_bound(state.ends, state.ends + count, to);
        at = *last;
        count = static_cast<std::size_t>(last - state.ends) + 1;
      }
      blocks_.encode({text, n, start, state.ends, count}, state, out);
      state.scratch.report(16 * count);
    }
    return at;
  }

  // Appends the ids of spans that the caller has found. ends: ascending, the last one is n.
  void encode_spans(const std::uint8_t* text, std::size_t n, const std::uint32_t* ends,
                    std::size_t count, State& state, Output& out) const {
    std::size_t start = 0;
    for (std::size_t done = 0; done < count; done += kBlock) {
      const std::size_t block = std::min(kBlock, count - done);
      blocks_.encode({text, n, start, ends + done, block}, state, out);
      state.scratch.report(16 * block);
      start = ends[done + block - 1];
    }
  }

 private:
  // Writes the NFC of a text to state.normalized, piece by piece so that the call can be stopped.
  // Pieces end before an ASCII character, which composes with nothing before it.
  static void normalize(const std::uint8_t* text, std::size_t n, State& state) {
    constexpr std::size_t kPiece = 64 << 10;
    state.normalized.clear();
    for (std::size_t start = 0, end = 0; start < n; start = end) {
      end = std::min(n, start + kPiece);
      while (end < n && text[end] >= 0x80) ++end;
      nfc(text + start, end - start, state.normalized);
      state.scratch.report(end - start);
    }
  }

  std::shared_ptr<const VocabTables> tables_;
  EngineConfig config_;
  AddedTokenMatcher raw_, normalized_;
  std::unique_ptr<SharedCache> shared_cache_;
  BlockEncoder blocks_;
};

}  // namespace wordsplit
