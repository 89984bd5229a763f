// From text to ids in one pass: added tokens, normalization, scanner, cache, encoder.
//
// The text is cut at added tokens; each stretch between is normalized where the vocab asks for it
// and it is not normal already, and then done a block of spans at a time: scan the block, look its
// spans up in the cache, look those that are not cached up among the tokens, merge those that are
// none, and append all ids in order. At each of these steps the spans that need it are done
// together, so that one does not wait for the memory that another one reads. Ids go straight to the
// output, which grows by blocks.
//
// An Engine is shared by threads: it is immutable but for the spans it has seen, which are made for
// that. What else a call changes is in a State, one a thread.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "wordsplit/added_tokens.hpp"
#include "wordsplit/encoders/merge_in_step.hpp"
#include "wordsplit/nfc.hpp"
#include "wordsplit/output.hpp"
#include "wordsplit/scanners.hpp"
#include "wordsplit/span_cache.hpp"
#include "wordsplit/span_encoder.hpp"
#include "wordsplit/vocab_tables.hpp"

namespace wordsplit {

static_assert(MergeLane::kLongest >= SpanCache::kLongest);

struct EngineConfig : SpanEncoderConfig {
  ScanFn scan = nullptr;  // null: the caller brings the spans
  bool nfc = false;
  bool add_prefix_space = false;
  std::size_t cache_bytes = 0;
  SimdLevel simd = best_simd_level();  // of the cache; the scanner has its own
};

class Engine {
 public:
  static constexpr std::size_t kBlock = SpanCache::kBlock;
  // Spans merged in step: enough that what is prefetched for the first has come when it is used.
  static constexpr std::size_t kLanes = PairsToFind::kMostLanes;

  // What a call changes: cache, buffers. One thread at a time.
  struct State {
    State(SharedSpans& shared, SimdLevel level) : cache(shared, level) {}
    SpanCache cache;
    Scratch scratch;
    std::string normalized;
    // Of the block at hand: where its spans end, what is found of them, and those that are merged.
    std::uint32_t ends[kBlock];
    SpanCache::Spans spans;
    MergeLane lanes[kLanes];
    std::size_t in_lane[kLanes];
  };

  Engine(std::shared_ptr<const VocabTables> tables, EngineConfig config,
         std::vector<AddedToken> raw, std::vector<AddedToken> normalized)
      : tables_(std::move(tables)),
        config_(config),
        raw_(std::move(raw)),
        normalized_(std::move(normalized)),
        spans_(std::make_unique<SharedSpans>(config.cache_bytes)),
        encoder_(*tables_, config),
        in_step_(config.encoder == EncoderKind::PriorityMerge &&
                 config.long_span >= SpanCache::kLongest &&
                 tables_->merge_count() <= MergeLane::kMostMerges),
        merge_(merge_in_step_at(config.simd)) {}

  const VocabTables& tables() const { return *tables_; }
  // Whether every byte has a token, so that no text is refused.
  bool has_all_bytes() const { return encoder_.has_all_bytes(); }
  const EngineConfig& config() const { return config_; }
  std::unique_ptr<State> make_state() const {
    return std::make_unique<State>(*spans_, config_.simd);
  }
  SharedSpans& spans() const { return *spans_; }
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

  // Appends the ids of the spans of text[0, n) from the one that begins at `from` to the first that
  // ends at `to` or beyond, and returns where that is. Precondition: config().scan is set.
  std::size_t encode_range(const std::uint8_t* text, std::size_t n, std::size_t from,
                           std::size_t to, State& state, Output& out) const {
    if (n > 0xFFFFFFFF) throw std::length_error("a stretch of text of 4 GiB or more");
    std::size_t at = from;
    while (at < to) {
      const std::size_t start = at;
      std::size_t count = config_.scan(text, n, at, state.ends, kBlock);
      if (at > to) {  // spans beyond the last one that is asked for
        const std::uint32_t* last = std::lower_bound(state.ends, state.ends + count, to);
        at = *last;
        count = static_cast<std::size_t>(last - state.ends) + 1;
      }
      encode_block(text, n, start, state.ends, count, state, out);
    }
    return at;
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
  void encode_block(const std::uint8_t* text, std::size_t n, std::size_t start,
                    const std::uint32_t* ends, std::size_t count, State& state, Output& out) const {
    const SpanBlock block{text, n, start, ends, count};
    SpanCache::Spans& spans = state.spans;
    spans.more.clear();
    const bool cached = state.cache.enabled();
    if (cached) {
      state.cache.find_near(block, spans);
    } else {
      miss_all(block, spans);
    }
    if (spans.missed_count) find_tokens(block, state);
    if (spans.missed_count && cached) state.cache.find_shared(block, spans);
    if (spans.missed_count) encode_missed(block, state);
    // Runs of single ids are ten long where few spans are rare, and two or three where many are: a
    // width that nearly all fit in spares a branch that is often guessed wrong.
    if (8 * spans.rare_count < count) {
      write_ids<32>(block, state, out);
    } else {
      write_ids<8>(block, state, out);
    }
  }

  template <std::size_t kWidth>
  void write_ids(const SpanBlock& block, State& state, Output& out) const {
    SpanCache::Spans& spans = state.spans;
    // A span of n bytes has n ids at most; some more for what is written past the last.
    std::uint32_t* to = out.reserve(block.ends[block.count - 1] - block.start + kWidth);
    (void)spans.more.reserve(8);
    std::size_t from = 0;
    for (std::size_t k = 0; k < spans.rare_count; ++k) {
      const std::size_t i = spans.rare[k];
      to = copy_ids<kWidth>(spans.found + from, i - from, to);
      from = i + 1;
      if (spans.is_known(i)) {
        std::size_t known;
        const std::uint32_t* ids = spans.ids_of(i, known);
        to = copy_ids<8>(ids, known, to);
      } else {  // too long for the cache
        to += encoder_.encode(block.text + block.begin(i), block.size(i), state.scratch, to);
      }
    }
    to = copy_ids<kWidth>(spans.found + from, block.count - from, to);
    out.advance_to(to);
  }

  // Copies so many at once: reads and writes as many more, at most.
  template <std::size_t kWidth>
  static std::uint32_t* copy_ids(const std::uint32_t* from, std::size_t count, std::uint32_t* to) {
    for (std::size_t i = 0; i < count; i += kWidth) std::memcpy(to + i, from + i, 4 * kWidth);
    return to + count;
  }

  // What a cache that holds nothing finds.
  static void miss_all(const SpanBlock& block, SpanCache::Spans& spans) {
    spans.missed_count = 0;
    spans.rare_count = block.count;
    for (std::size_t i = 0; i < block.count; ++i) {
      spans.keys[i] = SpanKey::of(block.text + block.begin(i), block.size(i));
      spans.found[i] = SpanCache::Spans::kNothing;
      spans.rare[i] = spans.missed[spans.missed_count] = static_cast<std::uint16_t>(i);
      spans.missed_count += block.size(i) <= SpanCache::kLongest;
    }
  }

  // Takes those off the list of the missed that are tokens, and short: they are not shared, since
  // to look for them here takes no longer.
  void find_tokens(const SpanBlock& block, State& state) const {
    SpanCache::Spans& spans = state.spans;
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      tables_->prefetch(spans.keys[spans.missed[k]]);
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const std::size_t i = spans.missed[k];
      const SpanKey& key = spans.keys[i];
      const std::uint32_t id =
          key.is_short() ? encoder_.whole_token(key, block.text + block.begin(i), block.size(i))
                         : kNoToken;
      if (id == kNoToken) {
        spans.missed[kept++] = spans.missed[k];
        continue;
      }
      spans.keep(i, &id, 1);
      if (state.cache.enabled()) state.cache.insert_near(key, id);
    }
    spans.missed_count = kept;
  }

  // Finds the ids of the spans that are not cached, none of which is too long for it or a short
  // token: among the longer ones, else by merging.
  void encode_missed(const SpanBlock& block, State& state) const {
    const auto span = [&](std::size_t i) { return block.text + block.begin(i); };
    const SpanCache::Spans& spans = state.spans;
    std::size_t lanes = 0;
    std::uint32_t ids[SpanCache::kLongest];
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const std::size_t i = spans.missed[k], size = block.size(i);
      if (!spans.keys[i].is_short()) {
        ids[0] = encoder_.whole_token(spans.keys[i], span(i), size);
        if (ids[0] != kNoToken) {
          keep(block, i, ids, 1, state);
          continue;
        }
      }
      encoder_.require_bytes(span(i), size);
      if (!in_step_) {
        keep(block, i, ids, encoder_.merge(span(i), size, state.scratch, ids), state);
        continue;
      }
      state.lanes[lanes].begin(*tables_, span(i), size);
      state.in_lane[lanes++] = i;
      if (lanes == kLanes) merge_lanes(block, lanes, state), lanes = 0;
    }
    merge_lanes(block, lanes, state);
  }

  void merge_lanes(const SpanBlock& block, std::size_t lanes, State& state) const {
    std::uint32_t ids[SpanCache::kLongest];
    merge_(tables_->pairs(), state.lanes, lanes);
    for (std::size_t k = 0; k < lanes; ++k) {
      keep(block, state.in_lane[k], ids, state.lanes[k].finish(ids), state);
    }
  }

  // Notes the ids of span i of the block, for this block and in the cache.
  static void keep(const SpanBlock& block, std::size_t i, const std::uint32_t* ids,
                   std::size_t count, State& state) {
    state.spans.keep(i, ids, count);
    if (state.cache.enabled()) {
      state.cache.insert(state.spans.keys[i], block.text + block.begin(i), block.size(i), ids,
                         count);
    }
  }

  std::shared_ptr<const VocabTables> tables_;
  EngineConfig config_;
  AddedTokenMatcher raw_, normalized_;
  std::unique_ptr<SharedSpans> spans_;
  SpanEncoder encoder_;
  bool in_step_;
  MergeInStep merge_;
};

}  // namespace wordsplit
