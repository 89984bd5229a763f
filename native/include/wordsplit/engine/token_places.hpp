// The place of each id in the original text, for all models but byte-level BPE without steps of a
// normalizer (offsets.hpp).
//
// The tokens of a span, joined, are the span as the rules of the vocab spell it, and each byte of
// that comes from a character of the original (aligned_words.hpp). Unknown text, and bytes of
// characters that are not tokens, are found by the rules of the model. Where these are ambiguous,
// or the origin of a character is not known, there is no result.
//
// Cost: that of encoding, a second run of the scanner, and about as much as normalizing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/encoders/whole_span.hpp"
#include "wordsplit/engine/engine.hpp"
#include "wordsplit/engine/offsets.hpp"
#include "wordsplit/text/aligned_words.hpp"

namespace wordsplit {

// What each id stands for, as the rules of the vocab spell its span: with a space for the mark of
// the vocab, and WordMap's byte after a word that has its end spelled.
struct SpanTexts {
  enum Kind : std::uint32_t { kApart, kAdded, kSpan };
  std::string bytes;
  Growing<std::uint32_t> ends;   // one an id; of ids that share a text, all have its end
  Growing<std::uint32_t> kinds;  // one a span

  void add(std::string_view text) { bytes += text; }
  void end_id() { ends.push(static_cast<std::uint32_t>(bytes.size())); }
};

namespace places_detail {

class TokenPlaces {
 public:
  TokenPlaces(const Engine& engine, const std::uint8_t* text, std::size_t n, Engine::State& state,
              Offsets& out, SpanTexts* texts)
      : engine_(engine),
        tables_(engine.tables()),
        model_(engine.tables().model()),
        text_(text),
        end_of_text_(text + n),
        given_(text),
        end_of_given_(text + n),
        counted_(text),
        state_(state),
        out_(out),
        texts_(texts),
        aligned_(engine.config().words.get()) {}

  // Goes to a text that steps have made of the next part of the original, with the character of
  // that for each of its own.
  void begin_given(const AlignedView& given) {
    given_ = counted_ = reinterpret_cast<const std::uint8_t*>(given.text.data());
    end_of_given_ = given_ + given.text.size();
    character_ = 0;
    originals_ = given.of_characters();
    token_ = end_of_token_ = nullptr;  // the memory of the last such text may be that of this one
  }
  // Adds an added token of the original: its characters from `first` on.
  void added_in_original(const AddedToken& token, std::string_view text, std::uint32_t first) {
    originals_.clear();
    begin_span(SpanTexts::kAdded);
    if (texts_) texts_->add(text);
    out_.ids.push(token.id);
    place(first, first + static_cast<std::uint32_t>(count_characters(
                             reinterpret_cast<const std::uint8_t*>(text.data()), text.size())));
  }
  // Goes to the end of the text that steps have made.
  bool end_given() { return !has_words() || move_to(end_of_given_); }
  // Goes to the end of the original, all of whose parts have been added.
  void end_original() {
    originals_.clear();
    character_ = characters(text_, static_cast<std::size_t>(end_of_text_ - text_));
    counted_ = end_of_text_;
  }

  // Adds ids that come from no text, before or behind what has been added.
  void apart(const std::vector<std::uint32_t>& ids) {
    for (const std::uint32_t id : ids) {
      begin_span(SpanTexts::kApart);
      out_.ids.push(id);
      place(character_, character_);
    }
  }

  // Adds an added token, found as [p, p + size).
  bool added(const AddedToken& token, const std::uint8_t* p, std::size_t size, bool spaced) {
    if (has_words() && !(is_in_text(p, size) && move_to(p))) return false;
    // Of a literal in normalized text, characters of the original may have become one.
    if (replaces_several() && !engine_.normalized_tokens().empty() &&
        token.literal != std::string_view(reinterpret_cast<const char*>(p), size)) {
      return false;
    }
    // It may begin in the white space that the one before has stripped.
    if (!has_words() && !std::less<>()(p, token_) && std::less<>()(p, end_of_token_)) {
      character_ -= characters(p, static_cast<std::size_t>(end_of_token_ - p));
    }
    token_ = p;
    end_of_token_ = p + size;
    const std::uint32_t first = character_;
    begin_span(SpanTexts::kAdded);
    if (texts_ && has_words()) {
      texts_->add(AddedTokenMatcher::normalized(token, p, size));
    } else if (texts_) {
      texts_->add({reinterpret_cast<const char*>(p), size});
    }
    out_.ids.push(token.id);
    if (has_words()) {
      count_to(p + size);
    } else {
      character_ += characters(p, size) - spaced;
    }
    place(first, character_);
    return true;
  }

  // Adds a stretch of text between added tokens. `spaced`: its first byte is not in the original.
  bool stretch(const std::uint8_t* p, std::size_t size, bool spaced) {
    if (model_.kind == ModelKind::Bytes && model_.has_missing_rule() &&
        engine_.known_bytes(p, size) < size) {
      return false;
    }
    const bool is_moved = has_words() && state_.unspaced;
    const std::uint8_t* const from = is_moved ? state_.unspaced : p;
    if (has_words() && !is_in_text(from, size - is_moved)) return false;
    if (engine_.config().nfc && !is_in_text(p, size)) return false;
    next_ = out_.ids.size();
    if (engine_.config().rewriting) return rewritten(p, size, spaced) && next_ == out_.ids.size();
    engine_.encode_range(p, size, 0, size, state_, out_.ids);
    const bool found =
        has_words() ? move_to(from) && words(p, size, from, is_moved) : spans(p, size, spaced);
    return found && next_ == out_.ids.size();
  }

  // Adds what is after the text.
  bool finish(const std::vector<std::uint32_t>& suffix) {
    if (has_words() && !move_to(end_of_text_)) return false;
    apart(suffix);
    out_.bounds.push(static_cast<std::int64_t>(end_of_text_ - text_));
    return true;
  }

 private:
  bool has_words() const { return engine_.config().words != nullptr; }
  bool replaces_several() const {
    return has_words() && engine_.config().words->replaces_several();
  }
  bool ends_words() const { return has_words() && engine_.config().words->rules().ended; }
  // Whether a piece is of the original: normalized text is elsewhere.
  bool is_in_text(const std::uint8_t* p, std::size_t size) const {
    return !std::less<>()(p, given_) && !std::less<>()(end_of_given_, p + size);
  }
  static std::uint32_t characters(const std::uint8_t* p, std::size_t n) {
    return static_cast<std::uint32_t>(count_characters(p, n));
  }
  void count_to(const std::uint8_t* to) {
    if (to < counted_) {
      character_ -= characters(to, static_cast<std::size_t>(counted_ - to));
    } else {
      character_ += characters(counted_, static_cast<std::size_t>(to - counted_));
    }
    counted_ = to;
  }
  // Goes to where a piece or what is after the text begins. Between is white space that is
  // stripped, or what becomes nothing: then, by some rules, it is not known what the characters
  // around come from. An added token may begin in what the one before has stripped.
  bool move_to(const std::uint8_t* p) {
    const bool is_space =
        p < counted_ ||
        std::all_of(
            counted_, p,
            [](std::uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); });
    count_to(p);
    return is_space || !replaces_several();
  }

  void begin_span(SpanTexts::Kind kind = SpanTexts::kSpan) {
    out_.span_starts.push(static_cast<std::int64_t>(out_.char_starts.size()));
    if (texts_) texts_->kinds.push(kind);
  }

  // Adds the words of raw text, whose ids are known. The original is at `from`; `spaced`: without
  // the first byte.
  bool words(const std::uint8_t* p, std::size_t size, const std::uint8_t* from, bool spaced) {
    const bool is_one = engine_.config().words->rules().longest_keys;  // a span of the vocab
    bool is_first = true;
    const bool found = for_each_span(p, size, [&](std::size_t start, std::size_t end) {
      const bool got_space = spaced && start == 0;
      count_to(from + (start - (spaced && start > 0)));
      if (!aligned_.make(p + start, end - start, start == 0, got_space, character_)) return false;
      const AlignedText& made = aligned_.words();
      for (std::size_t at = 0, to; at < made.text.size(); at = to + 1) {
        to = made.text.find(WordMap::kBreakChar, at);
        if (to == at) continue;
        if (!is_one || is_first) begin_span();
        is_first = false;
        const std::string_view word(made.text.data() + at, to - at + ends_words());
        if (!tokens(word, 0, word.size(), made.origins.data() + at)) return false;
      }
      return true;
    });
    count_to(from + (size - spaced));
    return found;
  }

  // Adds the spans that the steps of a pre-tokenizer make of a text.
  bool rewritten(const std::uint8_t* p, std::size_t size, bool spaced) {
    number_bytes(p, size, spaced);
    const Rewriting::Pieces& made = engine_.rewritten(p, size, state_, origins_.data());
    engine_.encode_rewritten(made, state_, out_.ids);
    std::size_t start = 0, piece = 0;  // where the span and the piece around it begin
    auto piece_end = made.unsplit.begin();
    for (const std::uint32_t end : made.ends) {
      for (; *piece_end < end; ++piece_end) piece = *piece_end;
      begin_span();
      const AlignedView around = made.view().part(piece, *piece_end - piece);
      if (!tokens(around.text, start - piece, end - piece, around.origins)) return false;
      start = end;
    }
    return true;
  }

  // Adds the spans of a text whose spaces alone may be others than those of the original.
  bool spans(const std::uint8_t* p, std::size_t size, bool spaced) {
    number_bytes(p, size, spaced);
    const std::string_view text(reinterpret_cast<const char*>(p), size);
    const auto add = [&](std::size_t start, std::size_t end) {
      begin_span();
      return tokens(text, start, end, origins_.data());
    };
    if (!engine_.config().cuts) return for_each_span(p, size, add);
    if (!engine_.config().cuts_at_spaces) return add(0, size);
    for (std::size_t start = 0, end; start < size; start = end) {
      end = std::min(text.find(' ', start + 1), size);
      if (!add(start, end)) return false;
    }
    return true;
  }

  // Sets origins_ for a text, and goes after it.
  void number_bytes(const std::uint8_t* p, std::size_t size, bool spaced) {
    origins_.clear();
    // Text that is put before the text has the place of its first character.
    if (spaced) origins_.push_back(character_);
    const std::string_view text(reinterpret_cast<const char*>(p), size);
    character_ = number_characters(text.substr(spaced), character_, origins_);
  }

  template <class Add>
  bool for_each_span(const std::uint8_t* p, std::size_t size, Add&& add) {
    std::uint32_t ends[Engine::kBlock];
    SpanFinder::Memory memory = engine_.scan_memory(p, size, 0);
    for (std::size_t at = 0, start = 0; at < size;) {
      const std::size_t count = engine_.scan(p, size, at, ends, Engine::kBlock, memory);
      for (std::size_t i = 0; i < count; start = ends[i++]) {
        if (!add(start, std::size_t{ends[i]})) return false;
      }
    }
    return true;
  }

  // Adds the tokens of a span, or of a word of one, as tokens have it: they are the next ids. It is
  // piece[begin, end), and characters may go on beyond it.
  bool tokens(std::string_view piece, std::size_t begin, std::size_t end,
              const std::uint32_t* origins) {
    const std::string_view text = piece.substr(begin, end - begin);
    origins += begin;
    const Rewriting* const rewriting = engine_.config().rewriting.get();
    const bool has_characters = !ends_words() && !(rewriting && rewriting->removes_bytes());
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = token_at(text, at);
      if (size == 0) return false;
      if (texts_) texts_->add(text.substr(at, size));
      if (model_.kind == ModelKind::Unigram && out_.ids.data()[next_] == model_.unk_id) {
        out_.unknown.emplace_back(next_, marked(text.substr(at, size)));
      }
      const std::uint32_t first = origins[at], last = origins[at + size - 1] + 1;
      const std::size_t inside = has_characters ? bytes_before(piece, begin + at) : 0;
      for (; count_ > 0; --count_, ++next_) {
        place(first, last, piece.substr(begin + at - inside), inside);
      }
      at += size;
      state_.scratch.report(8);
    }
    return true;
  }

  // A text with its spaces as tokens have them in the vocab.
  std::string marked(std::string_view text) const {
    const std::string& mark = engine_.config().space.mark;
    std::string out;
    for (const char byte : text) {
      if (byte == ' ' && !mark.empty()) {
        out += mark;
      } else {
        out += byte;
      }
    }
    return out;
  }

  // The number of bytes of the character at `at` that are before it.
  static std::size_t bytes_before(std::string_view text, std::size_t at) {
    std::size_t start = at;
    while (start > 0 && is_continuation(static_cast<std::uint8_t>(text[start]))) --start;
    return at - start;
  }

  // The size of the text of the next id at `at` of a span, or of the next count_ ids, which share
  // it. 0 if that is not certain.
  std::size_t token_at(std::string_view text, std::size_t at) {
    if (next_ == out_.ids.size()) return 0;
    count_ = 1;
    const std::uint32_t id = out_.ids.data()[next_];
    const std::string_view rest = text.substr(at), token = spelled(id);
    switch (model_.kind) {
      case ModelKind::WordLevel:
        return whole_words(rest);
      case ModelKind::WordPiece: {
        if (at == 0 && id == model_.unk_id) return rest.size();
        const std::size_t skipped = at == 0 ? 0 : model_.prefix_size;
        if (token.substr(0, skipped) != std::string_view(model_.prefix, skipped)) return 0;
        return rest.starts_with(token.substr(skipped)) ? token.size() - skipped : 0;
      }
      case ModelKind::Characters:
        if (id == model_.unk_id && !is_known(rest)) return unknown_characters(rest);
        return rest.starts_with(token) ? token.size() : 0;
      case ModelKind::Unigram:
        if (rest.starts_with(token)) return id == model_.unk_id ? 0 : token.size();
        if (id == model_.unk_id) return unknown_run(rest);
        count_ = spelled_bytes(rest);
        return count_;
      default:
        return !token.empty() && rest.starts_with(token) ? token.size() : 0;
    }
  }

  std::string_view spelled(std::uint32_t id) const {
    return tables_.bytes_at(tables_.index_of(id));
  }
  static std::size_t first_size(std::string_view text) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    return decode_utf8(p, p + text.size()).size;
  }
  // Whether the first character of the rest of a span has a token.
  bool is_known(std::string_view rest) const {
    std::size_t size = first_size(rest);
    if (ends_words() && size + 1 == rest.size()) ++size;  // the end is spelled with it
    return tables_.has_character(reinterpret_cast<const std::uint8_t*>(rest.data()), size);
  }

  // The size of the first word, or of the run of unknown ones.
  std::size_t whole_words(std::string_view rest) {
    std::size_t size = first_word(model_, rest).size();
    const auto is_known = [&](std::size_t at) {
      return find_word(tables_, first_word(model_, rest.substr(at))) != kNoToken;
    };
    if (is_known(0)) return size;
    if (model_.has_fallback()) return count_ = size;
    while (size < rest.size() && !is_known(size)) {
      size += first_word(model_, rest.substr(size)).size();
    }
    return size;
  }

  // The size of the unknown characters that the next id of a character model stands for.
  std::size_t unknown_characters(std::string_view rest) const {
    std::size_t size = first_size(rest);
    while (model_.fuse_unk && size < rest.size() && !is_known(rest.substr(size))) {
      size += first_size(rest.substr(size));
    }
    // Behind the last one is its end.
    return ends_words() && size + 1 == rest.size() ? rest.size() : size;
  }
  // The same for Unigram, of which a run is one id: the token after it says where it ends.
  std::size_t unknown_run(std::string_view rest) const {
    const std::size_t following = next_ + 1;
    const std::string_view next =
        following < out_.ids.size() && out_.ids.data()[following] != model_.unk_id
            ? spelled(out_.ids.data()[following])
            : std::string_view();
    std::size_t found = 0;
    for (std::size_t size = 0; size < rest.size() && !is_known(rest.substr(size));) {
      size += first_size(rest.substr(size));
      const bool may_end =
          size == rest.size() || (!next.empty() && rest.substr(size).starts_with(next));
      if (may_end && found != 0) return 0;
      if (may_end) found = size;
    }
    return found;
  }
  // The number of the next ids that spell the bytes of a run of unknown characters.
  std::size_t spelled_bytes(std::string_view rest) const {
    const std::size_t left = out_.ids.size() - next_;
    std::size_t size = 0;
    while (model_.has_fallback() && size < rest.size() && size < left) {
      const auto byte = static_cast<std::uint8_t>(rest[size]);
      if (out_.ids.data()[next_ + size] != model_.fallback[byte]) break;
      if (!is_continuation(byte) && is_known(rest.substr(size)))
        break;  // it may stand for its own byte
      ++size;
    }
    return size;
  }

  // Adds the place of an id: characters of the original. It leaves `inside` bytes of the first one
  // to the id before, if that is spelled like the character at the beginning of `spelling`.
  void place(std::uint32_t first, std::uint32_t last, std::string_view spelling = {},
             std::size_t inside = 0) {
    if (texts_) texts_->end_id();
    if (!originals_.empty()) {
      last = originals_[last - 1] + 1;
      first = originals_[first];
    }
    out_.char_starts.push(first);
    out_.char_ends.push(last);
    std::int64_t bound = 0;
    if (out_.bounds.size() > 0) {
      // What two tokens share is part of the first.
      const bool is_within = inside > 0 && is_copied(first, spelling);
      const std::uint32_t from = is_within || first >= last_ ? first : last_;
      bound = offset_of(from);
      if (is_within && offset_character_ == from) bound += static_cast<std::int64_t>(inside);
      bound = std::max(bound, out_.bounds.data()[out_.bounds.size() - 1]);
    }
    out_.bounds.push(bound);
    last_ = std::max(last_, last);
  }
  bool is_copied(std::uint32_t character, std::string_view spelling) {
    const std::uint8_t* const p = text_ + offset_of(character);
    const std::size_t size = first_size(spelling);
    return size <= static_cast<std::size_t>(end_of_text_ - p) &&
           std::memcmp(p, spelling.data(), size) == 0;
  }
  // Where a character begins, in bytes; or one after it that was requested before, where the last
  // bound is.
  std::int64_t offset_of(std::uint32_t character) {
    const auto n = static_cast<std::size_t>(end_of_text_ - text_);
    for (; offset_character_ < character && offset_ < n; ++offset_character_) {
      do ++offset_;
      while (offset_ < n && is_continuation(text_[offset_]));
    }
    return static_cast<std::int64_t>(offset_);
  }

  const Engine& engine_;
  const VocabTables& tables_;
  const ModelRules& model_;
  const std::uint8_t *text_, *end_of_text_;
  // The text whose characters are counted: the original, or what steps have made of a part of it.
  const std::uint8_t *given_, *end_of_given_;
  std::vector<std::uint32_t> originals_;  // of its characters; none if it is the original
  const std::uint8_t* counted_;           // what is before it has character_ characters
  std::uint32_t character_ = 0;
  Engine::State& state_;
  Offsets& out_;
  SpanTexts* texts_;
  const std::uint8_t *token_ = nullptr, *end_of_token_ = nullptr;  // the last added token
  std::size_t next_ = 0;                                           // the id to be placed
  std::size_t count_ = 0;   // how many share the text at hand
  std::uint32_t last_ = 0;  // the end of the characters of all ids so far
  std::size_t offset_ = 0;  // of offset_character_
  std::uint32_t offset_character_ = 0;
  std::vector<std::uint32_t> origins_;
  AlignedWords aligned_;
};

}  // namespace places_detail

// Sets the ids of text[0, n), between `prefix` and `suffix`, and the place of each, and adds what
// each stands for to `texts`, unless that is null. Returns false if that cannot be done.
// Preconditions: the text is UTF-8, and the engine finds spans. Throws NotInCore and MissingByte.
inline bool encode_with_texts(const Engine& engine, const std::uint8_t* text, std::size_t n,
                              AsText as_text, const std::vector<std::uint32_t>& prefix,
                              const std::vector<std::uint32_t>& suffix, Engine::State& state,
                              Offsets& out, SpanTexts* texts) {
  out.clear();
  const ModelRules& model = engine.tables().model();
  const bool is_for_bytes = model.kind == ModelKind::Bytes && !engine.config().normalizer;
  if (is_for_bytes || model.drops_characters()) return false;
  places_detail::TokenPlaces places(engine, text, n, state, out, texts);
  places.apart(prefix);
  bool found = true;
  const auto add = [&](const std::uint8_t* p, std::size_t size, const AddedToken* token,
                       bool spaced) {
    found = found && (token ? places.added(*token, p, size, spaced)
                            : size == 0 || places.stretch(p, size, spaced));
  };
  if (engine.config().normalizer) {
    std::vector<std::uint32_t> origins;
    std::uint32_t character = 0;  // those before `done`
    std::size_t done = 0;
    engine.raw_tokens().split(
        text, n, as_text, [&](std::size_t start, std::size_t end, const AddedToken* token) {
          AlignedView given{{reinterpret_cast<const char*>(text) + start, end - start}};
          // A token may begin in the white space that the one before has stripped.
          const std::size_t shared = start < done ? done - start : 0;
          character -= static_cast<std::uint32_t>(count_characters(text + start, shared));
          done = end;
          if (token) {
            places.added_in_original(*token, given.text, character);
            character += static_cast<std::uint32_t>(count_characters(text + start, end - start));
            return;
          }
          origins.clear();
          character = number_characters(given.text, character, origins);
          given.origins = origins.data();
          state.beginning = engine.beginning_at(start);
          engine.config().normalizer->apply(given, state.beginning, state.steps,
                                            state.scratch.reporting());
          if (given.text.empty()) return;
          places.begin_given(given);
          engine.pieces_of_stretch(reinterpret_cast<const std::uint8_t*>(given.text.data()),
                                   given.text.size(), start, as_text, state, add);
          found = found && places.end_given();
        });
    places.end_original();
  } else {
    engine.pieces(text, n, as_text, state, add);
  }
  return found && places.finish(suffix);
}

// The same without the texts.
inline bool encode_with_places(const Engine& engine, const std::uint8_t* text, std::size_t n,
                               AsText as_text, const std::vector<std::uint32_t>& prefix,
                               const std::vector<std::uint32_t>& suffix, Engine::State& state,
                               Offsets& out) {
  return encode_with_texts(engine, text, n, as_text, prefix, suffix, state, out, nullptr);
}

}  // namespace wordsplit
