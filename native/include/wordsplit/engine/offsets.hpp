// The offsets of each id in the original text.
//
// The tokens of a stretch concatenate to the normalized stretch. So the sums of their lengths are
// the boundaries in it, and the clusters that normalization changed (nfc.hpp) map them to the
// original. A boundary within a changed cluster is moved to its end; the boundary after a space
// that add_prefix_space inserts is moved to where it was inserted. So boundaries ascend from 0 to
// n, and the ranges between them tile the text.
//
// Cost: that of encoding, a second run of the scanner to find the first ids of spans, and, for text
// that is not ASCII, one pass to count characters.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "wordsplit/base/growing.hpp"
#include "wordsplit/engine/engine.hpp"
#include "wordsplit/text/nfc.hpp"

namespace wordsplit {

struct Offsets {
  Output ids;
  Growing<std::int64_t> bounds;       // one an id, and n: in bytes of the original
  Growing<std::int64_t> char_starts;  // one an id, in characters; none at all for ASCII text
  Growing<std::int64_t> char_ends;
  Growing<std::int64_t> span_starts;  // indexes of the ids that begin a span
  std::vector<std::pair<std::size_t, std::string>>
      unknown;  // of Unigram: an index, what it stands for

  void clear() {
    ids.clear();
    unknown.clear();
    for (auto* each : {&bounds, &char_starts, &char_ends, &span_starts}) each->clear();
  }
  // Frees what has a capacity above `keep`.
  void shrink(std::size_t keep) {
    ids.shrink(keep);
    for (auto* each : {&bounds, &char_starts, &char_ends, &span_starts}) each->shrink(keep);
  }
};

namespace offsets_detail {

// From ascending boundaries in a normalized stretch to those in the original.
class Origin {
 public:
  Origin(std::size_t base, const std::vector<NfcCluster>& changed)
      : at_(static_cast<std::int64_t>(base)), next_(changed.data()), end_(next_ + changed.size()) {}

  // The boundary in the original. `cluster` is set to the start of the changed cluster that `bound`
  // is within, else to the same value.
  std::int64_t of(std::size_t bound, std::int64_t& cluster) {
    for (; next_ != end_ && next_->to_end <= bound; ++next_) {
      shift_ =
          static_cast<std::int64_t>(next_->from_end) - static_cast<std::int64_t>(next_->to_end);
    }
    if (next_ != end_ && next_->to < bound) {
      cluster = at_ + static_cast<std::int64_t>(next_->from);
      return at_ + static_cast<std::int64_t>(next_->from_end);
    }
    return cluster = at_ + static_cast<std::int64_t>(bound) + shift_;
  }

 private:
  std::int64_t at_, shift_ = 0;
  const NfcCluster *next_, *end_;
};

// Collects the ids of one text with their boundaries.
class Tracer {
 public:
  Tracer(const Engine& engine, Engine::State& state, Offsets& out)
      : engine_(engine), state_(state), out_(out) {}

  // Adds an id that is not part of a span, at the boundary `from`.
  void token(std::uint32_t id, std::size_t from) {
    out_.span_starts.push(static_cast<std::int64_t>(out_.ids.size()));
    out_.ids.push(id);
    out_.bounds.push(static_cast<std::int64_t>(from));
  }

  // Adds an added token found `start` bytes into a normalized stretch.
  void token(std::uint32_t id, std::size_t start, Origin& origin) {
    out_.span_starts.push(static_cast<std::int64_t>(out_.ids.size()));
    bound(out_.ids.size(), start, origin);
    out_.ids.push(id);
  }

  // Adds a piece of a normalized stretch, `start` bytes into it. `spaced`: the first byte is a
  // space that is not in the stretch.
  void text(const std::uint8_t* p, std::size_t size, std::size_t start, bool spaced,
            Origin& origin) {
    if (engine_.tables().model().has_missing_rule()) {
      const std::size_t known = engine_.known_bytes(p, size);
      if (known < size) throw MissingByte(p[known]);
    }
    std::size_t done = out_.ids.size();
    engine_.encode_range(p, size, 0, size, state_, out_.ids);
    std::size_t pos = 0, scanned = 0, next_span = 0;
    std::uint32_t ends[Engine::kBlock];
    SpanFinder::Memory memory = engine_.scan_memory(p, size, 0);
    std::size_t span = 0, spans = 0;
    for (; done < out_.ids.size(); ++done) {
      if (pos == next_span) {
        out_.span_starts.push(static_cast<std::int64_t>(done));
        if (span == spans) {
          spans = engine_.scan(p, size, scanned, ends, Engine::kBlock, memory);
          span = 0;
        }
        next_span = ends[span++];
      }
      bound(done, start + pos - (spaced && pos), origin);
      pos += engine_.tables().bytes_at(engine_.tables().index_of(out_.ids.data()[done])).size();
    }
    if (pos != size) throw std::logic_error("tokens that do not tile their text");
  }

  // Sets the first and last characters of each id. Precondition: all ids and the last boundary, n,
  // have been added.
  void characters(const std::uint8_t* text, std::size_t n) {
    if (std::all_of(text, text + n, [](std::uint8_t byte) { return byte < 0x80; })) return;
    const std::size_t count = out_.ids.size();
    std::int64_t* starts = out_.char_starts.reserve(count + 1);
    std::int64_t* ends = out_.char_ends.reserve(count + 1);
    // `begun` characters begin before `at`. A boundary within a character counts as after its
    // start.
    std::int64_t begun = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i <= count; ++i) {
      const auto bound = static_cast<std::size_t>(out_.bounds.data()[i]);
      for (; at < bound; ++at) begun += !is_continuation(text[at]);
      starts[i] = begun - (bound < n && is_continuation(text[bound]));
      if (i > 0) ends[i - 1] = begun;
    }
    for (const auto& [id, cluster] : within_) {
      for (auto back = out_.bounds.data()[id]; back-- > cluster;) {
        starts[id] -= !is_continuation(text[back]);
      }
    }
    out_.char_starts.advance_to(starts + count);
    out_.char_ends.advance_to(ends + count);
  }

 private:
  void bound(std::size_t id, std::size_t at, Origin& origin) {
    std::int64_t cluster;
    const std::int64_t from = origin.of(at, cluster);
    if (cluster != from) within_.push_back({id, cluster});
    out_.bounds.push(from);
  }

  struct Within {
    std::size_t id;
    std::int64_t cluster;
  };
  const Engine& engine_;
  Engine::State& state_;
  Offsets& out_;
  std::vector<Within> within_;  // ids that begin within a changed cluster
};

}  // namespace offsets_detail

// Encodes text[0, n), between `prefix` and `suffix`, with offsets. Preconditions: the text is
// UTF-8, and the engine finds spans. Throws MissingByte for any byte without a token, whatever
// it gives: then the tokens are not the text.
inline void encode_with_offsets(const Engine& engine, const std::uint8_t* text, std::size_t n,
                                AsText as_text, const std::vector<std::uint32_t>& prefix,
                                const std::vector<std::uint32_t>& suffix, Engine::State& state,
                                Offsets& out) {
  using offsets_detail::Origin;
  offsets_detail::Tracer tracer(engine, state, out);
  const bool add_space = engine.config().add_prefix_space;
  for (const std::uint32_t id : prefix) tracer.token(id, 0);
  std::vector<NfcCluster> changed;
  std::string normalized, spaced;
  engine.raw_tokens().split(
      text, n, as_text, [&](std::size_t start, std::size_t end, const AddedToken* token) {
        if (token) {
          tracer.token(token->id, start);
          return;
        }
        const std::uint8_t* p = text + start;
        std::size_t size = end - start;
        changed.clear();
        if (engine.config().nfc && !is_nfc_quick(p, size, engine.config().simd)) {
          normalized.clear();
          nfc_aligned(p, size, normalized, changed, engine.config().simd);
          p = reinterpret_cast<const std::uint8_t*>(normalized.data());
          size = normalized.size();
        }
        Origin origin(start, changed);
        engine.normalized_tokens().split(
            p, size, as_text, [&](std::size_t a, std::size_t b, const AddedToken* inner) {
              if (inner) {
                tracer.token(inner->id, a, origin);
              } else if (add_space && p[a] != ' ') {
                spaced.assign(" ").append(reinterpret_cast<const char*>(p) + a, b - a);
                tracer.text(reinterpret_cast<const std::uint8_t*>(spaced.data()), spaced.size(), a,
                            true, origin);
              } else {
                tracer.text(p + a, b - a, a, false, origin);
              }
            });
      });
  for (const std::uint32_t id : suffix) tracer.token(id, n);
  out.bounds.push(static_cast<std::int64_t>(n));
  tracer.characters(text, n);
}

}  // namespace wordsplit
