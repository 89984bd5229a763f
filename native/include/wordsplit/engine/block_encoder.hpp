// Encodes a block of consecutive spans: looks them up in the cache, looks those that are not cached
// up among the tokens, merges those that are not tokens, and writes all ids in order. Each step is
// done for all spans that need it, so that their cache misses overlap.
//
// A span that is neither cached nor a token, and that no token covers whole, is encoded in parts
// (span_cuts.hpp): the parts of all such spans form a separate block.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "wordsplit/base/growing.hpp"
#include "wordsplit/cache/span_cache.hpp"
#include "wordsplit/encoders/lockstep_merge.hpp"
#include "wordsplit/encoders/span_encoder.hpp"
#include "wordsplit/tables/span_cuts.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

static_assert(MergeLane::kLongest >= SpanCache::kLongest);

// Where spans were found, counted since the cache was made or cleared.
struct SpanCounts {
  std::uint64_t spans = 0;  // looked up
  std::uint64_t repeated =
      0;                     // equal to an earlier span of the block that was not in the hot cache
  std::uint64_t tokens = 0;  // short tokens, found in the vocab
  std::uint64_t shared = 0;  // in the shared cache
  std::uint64_t in_parts = 0;  // in neither: encoded in parts, which are counted as spans, too
  std::uint64_t encoded = 0;   // in neither: merged, or a longer token
  std::uint64_t too_long = 0;  // for the caches; the others were in the hot cache

  // Does nothing in the JavaScript module, which has no call for the counts.
  void add(std::uint64_t SpanCounts::* level, std::size_t count) {
    if constexpr (!kOnlyBytes) this->*level += count;
  }
  SpanCounts& operator+=(const SpanCounts& other) {
    spans += other.spans;
    repeated += other.repeated;
    tokens += other.tokens;
    shared += other.shared;
    in_parts += other.in_parts;
    encoded += other.encoded;
    too_long += other.too_long;
    return *this;
  }
};

// Shared by threads.
class BlockEncoder {
 public:
  static constexpr std::size_t kBlock = SpanCache::kBlock;
  // Spans merged in lockstep: enough that a prefetched line has arrived when it is used.
  static constexpr std::size_t kLanes = PairsToFind::kMostLanes;

  // The parts of spans of a block.
  struct Parts {
    struct Whole {
      std::uint16_t span, end;  // one more than its last part
    };
    Growing<std::uint8_t> text;  // of all, one after the other
    std::uint32_t ends[kBlock];
    Whole wholes[kBlock];
    std::size_t count = 0, whole_count = 0;
    SpanCache::Spans found;
    Output ids;

    void clear() {
      text.clear();
      count = whole_count = 0;
    }
  };

  // The mutable state of a call, used by one thread at a time.
  struct State {
    State(SharedCache& shared, SimdLevel level) : cache(shared, level) {
      scratch.paths.use(cache.enabled());
    }
    SpanCache cache;
    Scratch scratch;
    // For the current block: the results of look-ups, and the spans being merged.
    SpanCache::Spans spans;
    MergeLane lanes[kLanes];
    std::size_t in_lane[kLanes];
    Parts parts;
    SpanCounts counts;
  };

  // The tables must outlive it.
  BlockEncoder(const VocabTables& tables, const SpanEncoderConfig& config, SimdLevel level)
      : tables_(tables),
        encoder_(tables, config),
        lockstep_(!encoder_.has_words() && config.encoder == find_encoder("priority_merge") &&
                  config.long_span >= SpanCache::kLongest &&
                  tables.merge_count() <= MergeLane::kMostMerges),
        has_parts_(!kOnlyBytes && SpanCuts::suits(tables.model()) && encoder_.encodes_all_bytes()),
        merge_(lockstep_merge_at(level)) {}

  // See SpanEncoder.
  bool encodes_all_bytes() const { return encoder_.encodes_all_bytes(); }
  std::size_t known_bytes(const std::uint8_t* span, std::size_t n) const {
    return encoder_.known_bytes(span, n);
  }
  bool has_words() const { return encoder_.has_words(); }
  // See SpanEncoder::sums().
  const ScoredTokens* sums() const { return encoder_.sums(); }
  std::size_t most_ids(std::size_t n) const { return encoder_.most_ids(n); }
  // Writes the ids of the first span of a text, which is not cached, at most most_ids(n + 1).
  std::size_t encode_first(const std::uint8_t* span, std::size_t n, State& state,
                           std::uint32_t* out) const {
    return encoder_.encode_words(span, n, true, most_ids(n + 1), state.scratch, out);
  }

  // Appends the ids of a block of spans.
  void encode(const SpanBlock& block, State& state, Output& out) const {
    state.cache.begin_block();
    encode(block, state.spans, has_parts_ && state.cache.enabled(), state, out);
  }

 private:
  // The same. `parts`: whether spans may be encoded in parts.
  void encode(const SpanBlock& block, SpanCache::Spans& spans, bool parts, State& state,
              Output& out) const {
    spans.more.clear();
    state.counts.add(&SpanCounts::spans, block.count);
    const bool cached = state.cache.enabled();
    if (cached) {
      state.cache.find_hot(block, spans);
    } else {
      miss_all(block, spans);
    }
    if (spans.missed_count) {
      Repeated repeated[kBlock];
      const std::size_t repeated_count = remove_repeated(block, spans, repeated);
      state.counts.add(&SpanCounts::repeated, repeated_count);
      const std::size_t distinct = spans.missed_count;
      if (!encoder_.has_words()) find_tokens(block, spans, state);
      const std::size_t no_token = spans.missed_count;
      if (spans.missed_count && cached) state.cache.find_shared(block, spans);
      const std::size_t not_shared = spans.missed_count;
      if (!kOnlyBytes && parts) encode_parts(block, spans, state);
      state.counts.add(&SpanCounts::tokens, distinct - no_token);
      state.counts.add(&SpanCounts::shared, no_token - not_shared);
      state.counts.add(&SpanCounts::in_parts, not_shared - spans.missed_count);
      state.counts.add(&SpanCounts::encoded, spans.missed_count);
      if (spans.missed_count) encode_missed(block, spans, state);
      for (std::size_t k = 0; k < repeated_count; ++k) {
        spans.found[repeated[k].span] = spans.found[repeated[k].first];
      }
    }
    if (const ScoredTokens* tokens = encoder_.sums()) {
      if (tokens->single_precision()) {
        write_in_order<float>(block, spans, *tokens, state, out);
      } else {
        write_in_order<double>(block, spans, *tokens, state, out);
      }
      return;
    }
    // The runs of single ids between rare spans are ten long if few spans are rare, else two or
    // three. A copy as wide as nearly all runs avoids a branch that is often mispredicted. Of few
    // spans, a wide one would wait for the stores of the look-up.
    if (block.count < 8) {
      write_ids<1>(block, spans, state, out);
    } else if (8 * spans.rare_count < block.count) {
      write_ids<32>(block, spans, state, out);
    } else {
      write_ids<8>(block, spans, state, out);
    }
  }

  template <std::size_t kWidth>
  void write_ids(const SpanBlock& block, SpanCache::Spans& spans, State& state, Output& out) const {
    // Copies may write up to as many ids more as they are wide.
    const std::size_t size = block.ends[block.count - 1] - block.start;
    std::uint32_t* to = out.reserve(encoder_.most_ids(size) + std::max<std::size_t>(kWidth, 8));
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
        state.counts.add(&SpanCounts::too_long, 1);
        to += encoder_.encode(block.text + block.begin(i), block.size(i), state.scratch, to);
      }
    }
    to = copy_ids<kWidth>(spans.found + from, block.count - from, to);
    out.advance_to(to);
  }

  // The same where sums of scores go on from span to span. Spans that have the same ids after all
  // sums up to kGreatestSum, and no unknown token, are cached as usual. Other results begin with
  // the unknown token: with nothing after it where the ids are to be found again; else with the
  // greatest sum, as a whole number, and the ids after it, the unknown token for each unknown
  // character.
  static constexpr std::size_t kBehindSum = 2;

  // Writes the ids. Sum rounds as find() of viterbi.hpp does.
  template <class Sum>
  void write_in_order(const SpanBlock& block, const SpanCache::Spans& spans,
                      const ScoredTokens& tokens, State& state, Output& out) const {
    const std::size_t size = block.ends[block.count - 1] - block.start;
    std::uint32_t* to = out.reserve(encoder_.most_ids(size));
    auto sum = static_cast<Sum>(state.scratch.sum);
    const auto magnitude = [&] { return std::abs(static_cast<double>(sum)); };
    const auto add = [&](std::uint32_t id) { sum += static_cast<Sum>(tokens.score_of(id)); };
    const double most = tokens.greatest_before_piece();
    for (std::size_t i = 0; i < block.count; ++i) {
      const std::uint32_t* ids = spans.found + i;
      std::size_t count = 1;
      if (*ids >= SpanCache::Spans::kListed && spans.is_known(i)) ids = spans.ids_of(i, count);
      const bool is_known = spans.is_known(i) && magnitude() <= most;
      if (is_known && *ids != tokens.unk_id()) {
        for (std::size_t k = 0; k < count; ++k) {
          *to++ = ids[k];
          add(ids[k]);
        }
      } else if (is_known && count > kBehindSum && magnitude() <= ids[1]) {
        for (std::size_t k = kBehindSum; k < count; ++k) {
          const bool joins = k > kBehindSum && ids[k] == tokens.unk_id() && ids[k - 1] == ids[k];
          *to = ids[k];
          to += !joins;
          add(ids[k]);
        }
      } else {
        state.scratch.sum = static_cast<double>(sum);
        to += encoder_.encode(block.text + block.begin(i), block.size(i), state.scratch, to);
        sum = static_cast<Sum>(state.scratch.sum);
      }
    }
    state.scratch.sum = static_cast<double>(sum);
    out.advance_to(to);
  }

  // Copies kWidth ids at a time. May read and write up to kWidth ids past the end.
  template <std::size_t kWidth>
  static std::uint32_t* copy_ids(const std::uint32_t* from, std::size_t count, std::uint32_t* to) {
    for (std::size_t i = 0; i < count; i += kWidth) std::memcpy(to + i, from + i, 4 * kWidth);
    return to + count;
  }

  // The result of look-ups without a cache.
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

  // A span equal to an earlier one of the block.
  struct Repeated {
    std::uint16_t span, first;
  };
  // Removes spans from the list of missed ones that are equal to an earlier one: one in seven in a
  // first pass over text in many languages. Returns their number.
  static std::size_t remove_repeated(const SpanBlock& block, SpanCache::Spans& spans,
                                     Repeated* repeated) {
    std::uint16_t first[256] = {};  // by hash: one more than the index of a span
    std::size_t kept = 0, count = 0;
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const std::uint16_t i = spans.missed[k];
      std::uint16_t& known = first[spans.keys[i].hash() >> 56];
      if (known && is_same(block, spans, known - 1U, i)) {
        repeated[count++] = {i, static_cast<std::uint16_t>(known - 1)};
        continue;
      }
      known = static_cast<std::uint16_t>(i + 1);
      spans.missed[kept++] = i;
    }
    spans.missed_count = kept;
    return count;
  }
  static bool is_same(const SpanBlock& block, const SpanCache::Spans& spans, std::size_t a,
                      std::size_t b) {
    if (!(spans.keys[a] == spans.keys[b])) return false;
    return spans.keys[a].is_short() ||
           (block.size(a) == block.size(b) &&
            std::memcmp(block.text + block.begin(a), block.text + block.begin(b), block.size(a)) ==
                0);
  }

  // Removes short spans that are tokens from the list of missed ones. They are not put into the
  // shared cache, where a look-up takes as long as here.
  void find_tokens(const SpanBlock& block, SpanCache::Spans& spans, State& state) const {
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      tables_.prefetch(spans.keys[spans.missed[k]]);
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
      if (state.cache.enabled()) state.cache.insert_hot(key, id);
    }
    spans.missed_count = kept;
  }

  // Removes from the list of missed spans those that have parts, and encodes these. Their parts go
  // to the hot cache, and they themselves to the shared one only: they are rarely repeated, and
  // would take the place of others.
  void encode_parts(const SpanBlock& block, SpanCache::Spans& spans, State& state) const {
    constexpr std::size_t kMost = SpanCache::kLongest / 2;  // of a span
    const SpanCuts* cuts = nullptr;
    Parts& parts = state.parts;
    parts.clear();  // an error may have left some
    std::size_t kept = 0;
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const std::uint16_t i = spans.missed[k];
      const std::size_t n = block.size(i);
      const std::uint8_t* const span = block.text + block.begin(i);
      std::size_t count = 1;
      if (SpanCuts::may_have(span, n)) {
        if (!cuts) cuts = &SpanCuts::of(tables_);
        std::uint8_t* const to = parts.text.reserve(n + SpanCuts::kBehind);
        std::memcpy(to, span, n);
        count = cuts->find(to, n, static_cast<std::uint32_t>(parts.text.size()),
                           parts.ends + parts.count);
        if (count > 1) parts.text.advance_to(to + n);
      }
      if (count == 1) {
        spans.missed[kept++] = i;
        continue;
      }
      parts.count += count;
      parts.wholes[parts.whole_count++] = {i, static_cast<std::uint16_t>(parts.count)};
      if (parts.count + kMost > kBlock) join_parts(block, spans, state);
    }
    if (parts.count) join_parts(block, spans, state);
    spans.missed_count = kept;
  }

  // Encodes the parts, and keeps the ids of the spans that they are of.
  void join_parts(const SpanBlock& block, SpanCache::Spans& spans, State& state) const {
    Parts& parts = state.parts;
    parts.ids.clear();
    encode({parts.text.data(), parts.text.size(), 0, parts.ends, parts.count}, parts.found, false,
           state, parts.ids);
    const std::uint32_t* ids = parts.ids.data();
    std::size_t part = 0;
    for (std::size_t k = 0; k < parts.whole_count; ++k) {
      const std::size_t i = parts.wholes[k].span;
      std::size_t count = 0;
      for (; part < parts.wholes[k].end; ++part) count += parts.found.count_of(part);
      spans.keep(i, ids, count);
      state.cache.insert_shared(spans.keys[i], block.text + block.begin(i), block.size(i), ids,
                                count);
      ids += count;
    }
    parts.clear();
  }

  // Encodes the spans that are still missed, of which none is a short token or too long for the
  // cache: as a longer token, else by merging.
  void encode_missed(const SpanBlock& block, SpanCache::Spans& spans, State& state) const {
    const auto span = [&](std::size_t i) { return block.text + block.begin(i); };
    if (encoder_.sums()) return encode_anywhere(block, spans, state);
    std::size_t lanes = 0;
    std::uint32_t ids[SpanEncoder::kMostPerByte * SpanCache::kLongest];
    for (std::size_t k = 0; k < spans.missed_count; ++k) {
      const std::size_t i = spans.missed[k], size = block.size(i);
      if (!spans.keys[i].is_short()) {
        ids[0] = encoder_.whole_token(spans.keys[i], span(i), size);
        if (ids[0] != kNoToken) {
          keep(block, spans, i, ids, 1, state);
          continue;
        }
      }
      if (!lockstep_ || encoder_.known_bytes(span(i), size) < size) {
        keep(block, spans, i, ids, encoder_.merge(span(i), size, state.scratch, ids), state);
        continue;
      }
      state.lanes[lanes].begin(tables_, span(i), size);
      state.in_lane[lanes++] = i;
      if (lanes == kLanes) merge_lanes(block, spans, lanes, state), lanes = 0;
    }
    merge_lanes(block, spans, lanes, state);
  }

  // The same where sums of scores go on from span to span; see write_in_order().
  void encode_anywhere(const SpanBlock& block, SpanCache::Spans& spans, State& state) const {
    for (std::size_t done = 0; done < spans.missed_count; done += SpanEncoder::kMostAnywhere) {
      const std::size_t count = std::min(spans.missed_count - done, SpanEncoder::kMostAnywhere);
      const auto span = [&](std::size_t k) {
        const std::size_t i = spans.missed[done + k];
        return std::pair(block.text + block.begin(i), block.size(i));
      };
      const auto take = [&](std::size_t k, const std::uint32_t* ids,
                            const BestPath::Anywhere& found) {
        const std::size_t i = spans.missed[done + k];
        if (found.count && !found.has_unknown && found.most >= ScoredTokens::kGreatestSum) {
          return keep(block, spans, i, ids, found.count, state);
        }
        std::uint32_t bounded[kBehindSum + SpanCache::kLongest];
        bounded[0] = encoder_.sums()->unk_id();
        bounded[1] = static_cast<std::uint32_t>(found.most);
        std::copy_n(ids, found.count, bounded + kBehindSum);
        keep(block, spans, i, bounded, found.count ? kBehindSum + found.count : 1, state);
      };
      encoder_.encode_anywhere(count, span, state.scratch, take);
    }
  }

  void merge_lanes(const SpanBlock& block, SpanCache::Spans& spans, std::size_t lanes,
                   State& state) const {
    std::uint32_t ids[SpanEncoder::kMostPerByte * SpanCache::kLongest];
    merge_(tables_.pairs(), state.lanes, lanes);
    for (std::size_t k = 0; k < lanes; ++k) {
      const std::size_t count = state.lanes[k].finish(ids);
      keep(block, spans, state.in_lane[k], ids, tables_.settle(ids, count, state.scratch.tokens),
           state);
    }
  }

  // Keeps the ids of span i, for this block and in the cache.
  static void keep(const SpanBlock& block, SpanCache::Spans& spans, std::size_t i,
                   const std::uint32_t* ids, std::size_t count, State& state) {
    spans.keep(i, ids, count);
    if (state.cache.enabled() && count > 0 && count <= SpanCache::kLongest) {
      state.cache.insert(spans.keys[i], block.text + block.begin(i), block.size(i), ids, count);
    }
  }

  const VocabTables& tables_;
  SpanEncoder encoder_;
  bool lockstep_, has_parts_;
  LockstepMerge merge_;
};

}  // namespace wordsplit
