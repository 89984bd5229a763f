// Encodes text in one pass: added tokens, normalization, scanner, cache, encoder.
//
// The text is cut at added tokens. Each stretch between them is normalized if the vocab requires it
// and it is not already normalized, then scanned and encoded a block of spans at a time
// (block_encoder.hpp). Ids are written directly to the output.
//
// An Engine is shared by threads: it is immutable except for the shared cache, which is
// thread-safe. All other mutable state of a call is in a State, one per thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "wordsplit/automata/span_finder.hpp"
#include "wordsplit/base/growing.hpp"
#include "wordsplit/engine/added_tokens.hpp"
#include "wordsplit/engine/block_encoder.hpp"
#include "wordsplit/engine/normalizer.hpp"
#include "wordsplit/engine/rewriting.hpp"
#include "wordsplit/tables/cuts.hpp"
#include "wordsplit/tables/piece_cuts.hpp"
#include "wordsplit/tables/vocab_tables.hpp"
#include "wordsplit/text/nfc.hpp"
#include "wordsplit/text/stretch.hpp"

namespace wordsplit {

// How a vocab that spells a space as another character, usually U+2581, sees text. Its tables have
// the space instead of that character. So a text is already as the tables need it, except for that
// character itself, which counts as a space, and a space that may be put before the text.
struct SpaceMark {
  enum class Prepend {
    Never,
    ToStretch,     // before each stretch of text between tokens found in the original text
    ToPiece,       // before each piece between added tokens that does not begin with a space
    ToFirstPiece,  // the same, but only at the beginning of the text
  };
  std::string mark;  // the character; empty if a space is a space
  Prepend prepend = Prepend::Never;
};

struct EngineConfig : SpanEncoderConfig {
  SpanFinder spans;   // none: there are cuts, or the caller brings the spans
  bool cuts = false;  // whether spans end where no token crosses (cuts.hpp)
  bool cuts_at_spaces = false;
  SpaceMark space;
  bool nfc = false;                              // whether text is normalized to NFC
  std::shared_ptr<const Normalizer> normalizer;  // runs before all of these; null: nothing does
  // What finds the spans, in a separate text, if nothing else does; null: something does.
  std::shared_ptr<const Rewriting> rewriting;
  bool add_prefix_space = false;
  std::size_t cache_bytes = 0;
  SimdLevel simd = best_simd_level();  // a scan function has its own
};

class Engine {
 public:
  static constexpr std::size_t kBlock = SpanCache::kBlock;

  // The mutable state of a call, used by one thread at a time.
  struct State : BlockEncoder::State {
    using BlockEncoder::State::State;
    std::string normalized;
    Normalizer::Buffers steps;               // of the normalizer
    Rewriting::Buffers rewriting;            // of the pre-tokenizer
    Beginning beginning;                     // of the piece at hand, for rewriting
    const std::uint8_t* unspaced = nullptr;  // the piece without the space before it, or null
    std::string mapped;                      // what becomes of the characters of a stretch
    std::string unit;                        // what becomes of a character, or of several
    std::uint32_t ends[kBlock];              // of the spans of the current block
  };

  Engine(std::shared_ptr<const VocabTables> tables, EngineConfig config,
         std::vector<AddedToken> raw, std::vector<AddedToken> normalized)
      : tables_(std::move(tables)),
        config_(config),
        raw_(mark_spans(std::move(raw)), config.simd),
        normalized_(mark_spans(std::move(normalized)), config.simd),
        shared_cache_(std::make_unique<SharedCache>(config.cache_bytes)),
        blocks_(*tables_, config, config.simd),
        cuts_(!kOnlyBytes && config.cuts
                  ? std::make_unique<const CutTable>(*tables_, config.cuts_at_spaces)
                  : nullptr),
        piece_cuts_(make_piece_cuts()) {}

  const VocabTables& tables() const { return *tables_; }
  // See SpanEncoder.
  bool encodes_all_bytes() const { return blocks_.encodes_all_bytes(); }
  std::size_t known_bytes(const std::uint8_t* text, std::size_t n) const {
    return blocks_.known_bytes(text, n);
  }
  const EngineConfig& config() const { return config_; }
  // Whether a stretch of text has to be encoded from its beginning on, in order.
  bool is_sequential() const {
    if (!kOnlyBytes && config_.rewriting) return true;
    return blocks_.has_words() && (config_.words->rules().joined || blocks_.sums());
  }
  std::unique_ptr<State> make_state() const {
    return std::make_unique<State>(*shared_cache_, config_.simd);
  }
  SharedCache& shared_cache() const { return *shared_cache_; }
  const AddedTokenMatcher& raw_tokens() const { return raw_; }
  const AddedTokenMatcher& normalized_tokens() const { return normalized_; }

  // What the calls of scan() for one stretch of text, from `pos` on, remember.
  SpanFinder::Memory scan_memory(const std::uint8_t* text, std::size_t n, std::size_t pos) const {
    return config_.spans.memory(text, n, pos);
  }
  // Writes the ends of spans, as a scan function does (scanners.hpp). Precondition: the engine
  // finds spans.
  std::size_t scan(const std::uint8_t* text, std::size_t n, std::size_t& pos, std::uint32_t* ends,
                   std::size_t cap, SpanFinder::Memory& memory) const {
    if (n - pos == 1) {  // a last byte is a span, since spans tile the text
      ends[0] = static_cast<std::uint32_t>(pos = n);
      return 1;
    }
    if (finds_words()) {
      return scan_cuts(config_.simd, *config_.words, text, n, pos, ends, cap);
    }
    if (!kOnlyBytes && cuts_) return scan_cuts(config_.simd, *cuts_, text, n, pos, ends, cap);
    return config_.spans.find(text, n, pos, ends, cap, memory);
  }

  // Appends the ids of text[0, n). Precondition: the engine finds spans.
  void encode(const std::uint8_t* text, std::size_t n, AsText as_text, State& state,
              Output& out) const {
    constexpr auto nothing = [](const std::uint8_t*, std::size_t) {};
    encode(text, n, as_text, state, out, std::numeric_limits<std::size_t>::max(), nothing);
  }
  // The same; encode_long(bytes, size) appends the ids of stretches of `least` bytes or more.
  template <class EncodeLong>
  void encode(const std::uint8_t* text, std::size_t n, AsText as_text, State& state, Output& out,
              std::size_t least, EncodeLong&& encode_long) const {
    FoundSpans found;
    pieces(text, n, as_text, state,
           [&](const std::uint8_t* p, std::size_t size, const AddedToken* token, bool) {
             const bool is_long = !token && size >= least;
             if (!kOnlyBytes && joins_spans_ && !is_long && (!token || token->is_span)) {
               join(p, size, token != nullptr, found, state, out);
               // Elsewhere than in the text itself, the next piece may overwrite it.
               if (std::less<>()(p, text) || !std::less<>()(p, text + n)) {
                 encode_found(found, state, out);
               }
               return;
             }
             encode_found(found, state, out);
             if (token) {
               out.push(token->id);
             } else if (!kOnlyBytes && config_.rewriting) {
               encode_rewritten(rewritten(p, size, state), state, out);
             } else if (is_long) {
               encode_long(p, size);
             } else {
               encode_range(p, size, 0, size, state, out);
             }
           });
    encode_found(found, state, out);
  }

  // Calls piece(bytes, size, token, spaced) for each added token and each normalized stretch
  // between; `spaced`: its first byte is a space that was put there. The bytes of a stretch may be
  // in state.normalized, and last until the next call.
  template <class Piece>
  void pieces(const std::uint8_t* text, std::size_t n, AsText as_text, State& state,
              Piece&& piece) const {
    raw_.split(text, n, as_text, [&](std::size_t start, std::size_t end, const AddedToken* token) {
      if (token) {
        piece(text + start, end - start, token, false);
        return;
      }
      const std::uint8_t* p = text + start;
      std::size_t size = end - start;
      state.beginning = beginning_at(start);
      if (!kOnlyBytes && config_.normalizer) {
        config_.normalizer->apply(p, size, state.beginning, state.steps, state.scratch.reporting());
      }
      if (size > 0) pieces_of_stretch(p, size, start, as_text, state, piece);
    });
  }

  // The beginning of the stretch of text from `start` on.
  Beginning beginning_at(std::size_t start) const {
    const bool is_first = !kOnlyBytes && start == 0 && needs_beginning_;
    return is_first ? Beginning::One : Beginning::Elsewhere;
  }
  // The same for a stretch between added tokens that are not normalized, which begins at `start` of
  // the text, after the steps of config().normalizer. Precondition: it is not empty, and
  // state.beginning is its beginning.
  template <class Piece>
  void pieces_of_stretch(const std::uint8_t* p, std::size_t size, std::size_t start, AsText as_text,
                         State& state, Piece&& piece) const {
    if (!is_normal_quick(p, size)) {
      normalize(p, size, state);
      p = reinterpret_cast<const std::uint8_t*>(state.normalized.data());
      size = state.normalized.size();
    }
    if (finds_words()) {
      config_.words->strip(p, size);
      if (size > 0) split_words(p, size, as_text, state, piece);
      return;
    }
    if (!kOnlyBytes && needs_spaces(p, size)) {
      mark_spaces(p, size, state);
      p = reinterpret_cast<const std::uint8_t*>(state.normalized.data());
      size = state.normalized.size();
    }
    const bool may_prepend = prepends_at(start), begins_spaced = prepends_to_stretch();
    state.unspaced = nullptr;
    if (normalized_.empty() && !may_prepend) {
      piece(p, size, nullptr, begins_spaced);
      return;
    }
    normalized_.split(p, size, as_text, [&](std::size_t a, std::size_t b, const AddedToken* inner) {
      if (a > 0) state.beginning = without_first(state.beginning);
      state.unspaced = nullptr;
      if (inner || !may_prepend || p[a] == ' ' || (a > 0 && only_first())) {
        piece(p + a, b - a, inner, a == 0 && begins_spaced);
      } else {
        state.unspaced = p + a;
        std::string spaced = " ";
        spaced.append(reinterpret_cast<const char*>(p) + a, b - a);
        piece(reinterpret_cast<const std::uint8_t*>(spaced.data()), spaced.size(), nullptr, true);
      }
    });
  }

  // Appends the ids of the spans of text[0, n) from the one that begins at `from` to the first that
  // ends at `to` or beyond, and returns where that is. Precondition: the engine finds spans.
  std::size_t encode_range(const std::uint8_t* text, std::size_t n, std::size_t from,
                           std::size_t to, State& state, Output& out) const {
    check_stretch(n);
    std::size_t at = from;
    SpanFinder::Memory memory = scan_memory(text, n, from);
    if (blocks_.has_words() && from == 0 &&
        n > 0) {  // the first span may get a space, and is not cached
      scan_pieces(text, n, at, state.ends, 1, memory);
      std::uint32_t* const ids = out.reserve(blocks_.most_ids(at + 1));
      out.advance_to(ids + blocks_.encode_first(text, at, state, ids));
    }
    while (at < to) {
      const std::size_t start = at;
      std::size_t count = scan_pieces(text, n, at, state.ends, kBlock, memory);
      if (at > to) {  // there are spans after the last one wanted
        const std::uint32_t* last = std::lower_bound(state.ends, state.ends + count, to);
        at = *last;
        count = static_cast<std::size_t>(last - state.ends) + 1;
      }
      blocks_.encode({text, n, start, state.ends, count}, state, out);
      state.scratch.report(16 * count);
    }
    return at;
  }

  // The spans of a piece that pieces() has just given, in a separate text. Precondition: there
  // is rewriting. Throws NotInCore.
  const Rewriting::Pieces& rewritten(const std::uint8_t* p, std::size_t size, State& state,
                                     const std::uint32_t* origins = nullptr) const {
    return config_.rewriting->apply({{reinterpret_cast<const char*>(p), size}, origins},
                                    state.beginning, state.rewriting, state.scratch.reporting());
  }

  // Appends the ids of the spans that rewritten() has returned. Those of up to kWord bytes are
  // rather found in the cache whole: pieces of words at cuts take 1.5 times as long when they are
  // known.
  void encode_rewritten(const Rewriting::Pieces& made, State& state, Output& out) const {
    const auto* const text = reinterpret_cast<const std::uint8_t*>(made.text.data());
    if (!cuts_) {
      return encode_spans(text, made.text.size(), made.ends.data(), made.ends.size(), state, out);
    }
    FoundSpans found = {text};
    for (const std::uint32_t end : made.ends) {
      const std::size_t size = end - found.end;
      join(text + found.end, size, size <= kWord, found, state, out);
    }
    encode_found(found, state, out);
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
  static constexpr std::size_t kWord = 32;

  std::unique_ptr<const PieceCuts> make_piece_cuts() const {
    if (kOnlyBytes || !finds_words() || !PieceCuts::suit(*config_.words)) return nullptr;
    const bool merges = tables_->model().kind <= ModelKind::Characters && !config_.ignore_merges;
    if (!blocks_.sums() && !merges) return nullptr;
    return std::make_unique<const PieceCuts>(*config_.words, *tables_);
  }
  // Writes the ends of what is encoded, and cached, by itself: spans, or pieces of them.
  std::size_t scan_pieces(const std::uint8_t* text, std::size_t n, std::size_t& pos,
                          std::uint32_t* ends, std::size_t cap, SpanFinder::Memory& memory) const {
    if (kOnlyBytes || !piece_cuts_) return scan(text, n, pos, ends, cap, memory);
    return scan_cuts(config_.simd, *piece_cuts_, text, n, pos, ends, cap);
  }

  // Whether the map of words finds the spans. If a scanner does, each of them is mapped by itself.
  bool finds_words() const { return blocks_.has_words() && !config_.spans; }

  // Whether a text is certainly in the form that the engine encodes; false if it may not be.
  bool is_normal_quick(const std::uint8_t* text, std::size_t n) const {
    return !config_.nfc || is_nfc_quick(text, n, config_.simd);
  }

  // Spans of a vocab without a pattern, with added tokens among them, whose ends are in state.ends,
  // and which are still to be encoded. Where lines end with an added token, a block for each line
  // would have few spans.
  struct FoundSpans {
    const std::uint8_t* text = nullptr;
    std::size_t start = 0, end = 0, count = 0;  // in the text
  };
  // Of a vocab with cuts.
  std::vector<AddedToken> mark_spans(std::vector<AddedToken> tokens) const {
    for (AddedToken& token : tokens) {
      const auto* const literal = reinterpret_cast<const std::uint8_t*>(token.literal.data());
      token.is_span = !kOnlyBytes && config_.cuts && !token.lstrip && !token.rstrip &&
                      tables_->find_live(literal, token.literal.size()) == token.id;
    }
    return tokens;
  }

  // Appends the spans of a piece to those found, or one span, and encodes those that fill a block.
  void join(const std::uint8_t* p, std::size_t size, bool is_one, FoundSpans& found, State& state,
            Output& out) const {
    if (p != found.text + found.end || found.end + size > kLongestStretch) {
      encode_found(found, state, out);
      check_stretch(size);
      found = {p};
    }
    for (const std::size_t to = found.end + size; found.end < to;) {
      if (is_one) {
        state.ends[found.count++] = static_cast<std::uint32_t>(found.end = to);
      } else {
        found.count += scan_cuts(config_.simd, *cuts_, found.text, to, found.end,
                                 state.ends + found.count, kBlock - found.count);
      }
      if (found.count == kBlock) encode_found(found, state, out);
    }
  }
  void encode_found(FoundSpans& found, State& state, Output& out) const {
    if (found.count == 0) return;
    blocks_.encode({found.text, found.end, found.start, state.ends, found.count}, state, out);
    state.scratch.report(16 * found.count);
    found.start = found.end;
    found.count = 0;
  }

  // Writes the NFC of a text to state.normalized.
  void normalize(const std::uint8_t* text, std::size_t n, State& state) const {
    state.normalized.clear();
    for_each_part(text, n, state.scratch.reporting(), [&](const std::uint8_t* p, std::size_t size) {
      nfc(p, size, state.normalized, config_.simd);
    });
  }

  // Calls piece() for each added token in the normalized text, with the raw text that it is of, and
  // for each stretch of raw text between. Throws NotInCore.
  template <class Piece>
  void split_words(const std::uint8_t* text, std::size_t n, AsText as_text, State& state,
                   Piece&& piece) const {
    if (normalized_.empty()) return piece(text, n, nullptr, false);
    const WordMap& words = *config_.words;
    state.mapped.clear();
    for_each_unit(n, state.scratch.reporting(),
                  [&](std::size_t at) { return words.append_normal(text, n, at, state.mapped); });
    struct Found {
      std::size_t start, end;  // in the normalized text
      const AddedToken* token;
    };
    std::vector<Found> found;
    const auto* const normal = reinterpret_cast<const std::uint8_t*>(state.mapped.data());
    normalized_.split(normal, state.mapped.size(), as_text,
                      [&](std::size_t start, std::size_t end, const AddedToken* token) {
                        found.push_back({start, end, token});
                      });
    if (found.size() == 1 && !found[0].token) return piece(text, n, nullptr, false);
    // Each ends at a boundary in the raw text, which a second walk over it finds. What becomes
    // nothing there is left out.
    std::size_t at = 0, done = 0;
    for (const Found& each : found) {
      if (each.start < done)
        throw NotInCore();  // in white space that the token before has stripped
      std::size_t start = n, end = n;
      while (done < each.end) {
        state.unit.clear();
        const std::size_t size = words.append_normal(text, n, at, state.unit);
        if (start == n && !state.unit.empty()) start = at;
        at += size;
        done += state.unit.size();
        end = at;
      }
      if (done != each.end || !words.can_part(text, n, start) || !words.can_part(text, n, end)) {
        throw NotInCore();
      }
      piece(text + start, end - start, each.token, false);
    }
  }

  // Whether mark_spaces() changes a text.
  bool needs_spaces(const std::uint8_t* text, std::size_t n) const {
    if (config_.space.mark.empty()) return false;
    const std::string_view given(reinterpret_cast<const char*>(text), n);
    return prepends_to_stretch() || given.find(config_.space.mark) != given.npos;
  }
  // Writes a text with spaces instead of the mark, and before it, to state.normalized.
  void mark_spaces(const std::uint8_t* text, std::size_t n, State& state) const {
    std::string out;
    const std::string_view given(reinterpret_cast<const char*>(text), n), mark = config_.space.mark;
    out.reserve(n + 1);
    if (prepends_to_stretch()) out += ' ';
    std::size_t from = 0;
    for (std::size_t at; (at = given.find(mark, from)) != given.npos; from = at + mark.size()) {
      out.append(given, from, at - from) += ' ';
    }
    out.append(given, from);
    state.normalized.swap(out);
  }
  bool prepends_to_stretch() const {
    return !kOnlyBytes && config_.space.prepend == SpaceMark::Prepend::ToStretch;
  }
  bool only_first() const {
    return !kOnlyBytes && config_.space.prepend == SpaceMark::Prepend::ToFirstPiece;
  }
  // Whether a space is put before a piece of the stretch that begins at `start` of the text.
  bool prepends_at(std::size_t start) const {
    if constexpr (kOnlyBytes) return config_.add_prefix_space;
    return config_.add_prefix_space || config_.space.prepend == SpaceMark::Prepend::ToPiece ||
           (only_first() && start == 0);
  }

  std::shared_ptr<const VocabTables> tables_;
  EngineConfig config_;
  const bool joins_spans_ = config_.cuts && !config_.rewriting;
  const bool needs_beginning_ = config_.rewriting && config_.rewriting->needs_beginning();
  AddedTokenMatcher raw_, normalized_;
  std::unique_ptr<SharedCache> shared_cache_;
  BlockEncoder blocks_;
  std::unique_ptr<const CutTable> cuts_;
  std::unique_ptr<const PieceCuts> piece_cuts_;  // null if spans are not divided
};

}  // namespace wordsplit
