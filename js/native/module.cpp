// The WebAssembly module: the kernels for JavaScript. An instance holds one tokenizer.
//
// JavaScript calls one of the set_… functions with a vocab, set_added() and build(), then the
// others. It writes texts and ids to the memory of input(), and reads results at output() and
// bytes(); both last until the next call. A function returns -1 after an error, which error_kind()
// and error_message() describe; everything else goes on working after it.
//
// It is built twice: for byte-level BPE with the pattern of a scanner (kOnlyBytes), and for all
// models, which has functions of its own.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/engine/decoder.hpp"
#include "wordsplit/engine/engine.hpp"
#include "wordsplit/engine/offsets.hpp"
#include "wordsplit/tables/bundled.hpp"
#include "wordsplit/tables/compiled.hpp"
#include "wordsplit/tables/derived_merges.hpp"
#if !defined(WORDSPLIT_ONLY_BYTES)
#include "wordsplit/engine/text_rules_file.hpp"
#include "wordsplit/engine/token_places.hpp"
#include "wordsplit/text/word_map_file.hpp"
#endif

#define WORDSPLIT_EXPORT(name) extern "C" __attribute__((export_name(#name), used))

using namespace wordsplit;

namespace {

enum ErrorKind : std::int32_t {
  kNoError,
  kInvalidVocab,
  kUnknownToken,
  kTooLarge,
  kOther,
  kUnsupportedText
};

struct Encoding {
  std::unique_ptr<Engine> engine;
  std::unique_ptr<Engine::State> state;  // of the engine, which it must not outlive
};

// The whole state of an instance.
struct {
  std::unique_ptr<char[]> vocab_file;  // a compiled file, which its tables are views of
  std::shared_ptr<const VocabTables> tables;

  std::string added_blob;
  std::vector<std::uint32_t> added_ends, added_ids, added_order;
  std::vector<std::uint8_t> added_flags;
  AddedList added;

  ModelRules rules;  // of set_tokens()
  std::vector<double> scores;
  SpaceMark space;
  bool cuts = false, cuts_at_spaces = false;
  std::map<std::uint32_t, std::string> literals;  // of normalized text, by the numbers of tokens
  std::vector<std::string> maps;                  // of characters to words, for engines to be made

  std::vector<std::uint32_t> prefix, suffix;
  EngineConfig config;
  Encoding usual, wide;  // the second has the second map, once a text needs it
  std::optional<Decoder> decoder;

  Growing<char> input;
  Output out;
  Growing<char> bytes;

  ErrorKind error = kNoError;
  std::string message;
} g;

std::int32_t fail(ErrorKind kind, const char* message) {
  g.error = kind;
  g.message = message;
  return -1;
}

// Returns work(), or -1 after an exception.
template <class Work>
std::int32_t guarded(Work&& work) {
  try {
    return static_cast<std::int32_t>(work());
  } catch (const MissingByte& error) {
    return fail(kUnknownToken, std::to_string(error.byte).c_str());
  } catch (const std::invalid_argument& error) {
    return fail(kInvalidVocab, error.what());
  } catch (const std::length_error& error) {
    return fail(kTooLarge, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kTooLarge, "out of memory");
  } catch (const NotInCore& error) {
    return fail(kUnsupportedText, error.what());
  } catch (const std::exception& error) {
    return fail(kOther, error.what());
  }
}

std::vector<std::uint32_t> words(const std::uint32_t* from, std::size_t count) {
  return {from, from + count};
}

// The added tokens that are matched in raw text, or in normalized text.
std::vector<AddedToken> matched(bool normalized) {
  std::vector<AddedToken> out;
  for (const std::uint32_t i : g.added.order) {
    if (g.added.has(i, AddedList::kNormalized) != normalized) continue;
    const auto other = g.literals.find(i);
    const std::string_view literal =
        other == g.literals.end() ? g.added.content(i) : std::string_view(other->second);
    if (literal.empty()) continue;
    out.push_back({literal, g.added.ids[i], i, g.added.has(i, AddedList::kSpecial),
                   g.added.has(i, AddedList::kLeftStrip), g.added.has(i, AddedList::kRightStrip),
                   g.added.has(i, AddedList::kSingleWord)});
  }
  return out;
}

void require_added(const AddedList& added) {
  if (!added.is_sound() || !added.is_utf8() || !added.is_in_order()) {
    throw std::invalid_argument("has added tokens that do not fit");
  }
  g.added = added;
}

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}
const std::uint8_t* text() { return reinterpret_cast<const std::uint8_t*>(g.input.data()); }

// Makes an engine with the next character map, if there is one.
void make(Encoding& out) {
#if !defined(WORDSPLIT_ONLY_BYTES)
  if (!g.maps.empty()) {
    g.config.words = std::make_shared<const WordMap>(read_word_map(g.maps.front()));
    g.maps.erase(g.maps.begin());
  }
#endif
  out.state.reset();
  out.engine = std::make_unique<Engine>(g.tables, g.config, matched(false), matched(true));
  out.state = out.engine->make_state();
}

// Returns work(engine, state). Throws NotInCore for a text that has to be refused.
template <class Work>
auto on_text(Work&& work) {
#if !defined(WORDSPLIT_ONLY_BYTES)
  try {
    return work(*g.usual.engine, *g.usual.state);
  } catch (const NotInCore&) {
    if (!g.wide.engine && g.maps.empty()) throw;
  }
  if (!g.wide.engine) make(g.wide);
  return work(*g.wide.engine, *g.wide.state);
#else
  return work(*g.usual.engine, *g.usual.state);
#endif
}

// A character in no map is refused, as is text that is not UTF-8, which depends on bytes around it.
void require_characters(const std::uint8_t* p, std::size_t n) {
  if (!kOnlyBytes && g.config.words && !is_utf8(p, n)) throw NotInCore();
}

void append_ids(const std::uint8_t* p, std::size_t n, AsText as_text) {
  require_characters(p, n);
  const std::size_t begin = g.out.size();
  on_text([&](const Engine& engine, Engine::State& state) {
    g.out.advance_to(g.out.data() + begin);
    g.out.append(g.prefix.data(), g.prefix.size());
    engine.encode(p, n, as_text, state, g.out);
    g.out.append(g.suffix.data(), g.suffix.size());
  });
}

// The ids of a text and their places. Throws NotInCore where these cannot be found.
void find_places(const Engine& engine, Engine::State& state, const std::uint8_t* p, std::size_t n,
                 AsText as_text, Offsets& out) {
#if !defined(WORDSPLIT_ONLY_BYTES)
  if (g.tables->model().kind != ModelKind::Bytes || g.config.normalizer) {
    if (!encode_with_places(engine, p, n, as_text, g.prefix, g.suffix, state, out)) {
      throw NotInCore();
    }
    return;
  }
  try {
    return encode_with_offsets(engine, p, n, as_text, g.prefix, g.suffix, state, out);
  } catch (const MissingByte&) {
    if (!g.tables->model().has_missing_rule()) throw;
  }
  throw NotInCore();  // the rule gives ids, of which no places are known
#else
  encode_with_offsets(engine, p, n, as_text, g.prefix, g.suffix, state, out);
#endif
}

// Converts positions in characters to positions in UTF-16 code units.
void to_utf16(const std::uint8_t* p, std::size_t n, std::uint32_t* positions, std::size_t count) {
  std::vector<std::uint32_t> units;  // before each character
  std::uint32_t unit = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if ((p[i] & 0xC0) == 0x80) continue;
    units.push_back(unit);
    unit += p[i] >= 0xF0 ? 2 : 1;
  }
  units.push_back(unit);
  for (std::size_t i = 0; i < count; ++i) positions[i] = units[positions[i]];
}

}  // namespace

// The number of these sources, which the modules that call the functions must have, too.
WORDSPLIT_EXPORT(engine_build) std::int32_t engine_build() { return WORDSPLIT_ENGINE_BUILD; }

// Memory.

WORDSPLIT_EXPORT(allocate) void* allocate(std::size_t size) { return std::malloc(size); }
WORDSPLIT_EXPORT(release) void release(void* memory) { std::free(memory); }
// The place for an input of so many bytes; it may move.
WORDSPLIT_EXPORT(input) void* input(std::size_t size) {
  g.input.clear();
  try {
    return g.input.reserve(size + 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
WORDSPLIT_EXPORT(output) const std::uint32_t* output() { return g.out.data(); }
WORDSPLIT_EXPORT(bytes) const char* bytes() { return g.bytes.data(); }
WORDSPLIT_EXPORT(bytes_size) std::size_t bytes_size() { return g.bytes.size(); }
WORDSPLIT_EXPORT(error_kind) std::int32_t error_kind() { return g.error; }
WORDSPLIT_EXPORT(error_message) const char* error_message() { return g.message.c_str(); }

// Vocabs.

// The tokens in ascending order of ids, with the end of each in the blob, and the merges by rank;
// null if the ids are mergeable ranks.
WORDSPLIT_EXPORT(set_tokens)
std::int32_t set_tokens(const char* blob, std::size_t size, const std::uint32_t* ends,
                        const std::uint32_t* ids, std::size_t count, const std::uint32_t* merges,
                        std::size_t merge_count, const std::uint32_t* unreachable,
                        std::size_t unreachable_count) {
  return guarded([&] {
    const std::string_view text(blob, size);
    const std::vector<std::uint32_t> without = words(unreachable, unreachable_count);
    std::vector<std::uint32_t> derived;
    if (!merges) {
      derived = derive_merges(text, ends, ids, count, without);
      merges = derived.data(), merge_count = derived.size() / 2;
    }
    g.tables = std::make_shared<VocabTables>(text, ends, ids, count, merges, merge_count, without,
                                             false, g.rules, g.scores);
    return 0;
  });
}

// The unpacked content of a bundled vocab, whose ids leave out `holes`, which ascend.
WORDSPLIT_EXPORT(set_bundled)
std::int32_t set_bundled(const char* data, std::size_t size, const std::uint32_t* holes,
                         std::size_t hole_count) {
  return guarded([&] {
    Unpacked found = unpack_bundled({data, size});
    std::vector<std::uint32_t> ids(found.ends.size());
    for (std::uint32_t i = 0, id = 0, hole = 0; i < ids.size(); ++i, ++id) {
      for (; hole < hole_count && id == holes[hole]; ++hole) ++id;
      ids[i] = id;
    }
    for (std::uint32_t& id : found.flat) id = ids[id];
    g.tables = std::make_shared<VocabTables>(found.blob, found.ends.data(), ids.data(), ids.size(),
                                             found.flat.data(), found.flat.size() / 2,
                                             std::vector<std::uint32_t>(), true);
    return 0;
  });
}

// A compiled file, whose added tokens need no set_added(). JavaScript reads its description.
WORDSPLIT_EXPORT(set_compiled)
std::int32_t set_compiled(const char* data, std::size_t size) {
  return guarded([&] {
    constexpr std::size_t kAlign = 64;
    g.vocab_file = std::make_unique<char[]>(size + kAlign);
    const auto at = (reinterpret_cast<std::uintptr_t>(g.vocab_file.get()) + kAlign - 1) / kAlign;
    auto* const aligned = reinterpret_cast<std::byte*>(at * kAlign);
    std::memcpy(aligned, data, size);
    Compiled found = read_compiled({aligned, size}, kPortableBuild);
    require_added(found.added);
    g.tables = std::move(found.tables);
    return 0;
  });
}

// The added tokens in ascending order of ids, with their AddedList::Flag.
WORDSPLIT_EXPORT(set_added)
std::int32_t set_added(const char* blob, std::size_t size, const std::uint32_t* ends,
                       const std::uint32_t* ids, const std::uint8_t* flags, std::size_t count) {
  return guarded([&] {
    g.added_blob.assign(blob, size);
    g.added_ends = words(ends, count);
    g.added_ids = words(ids, count);
    g.added_flags.assign(flags, flags + count);
    AddedList added{g.added_blob, g.added_ends, g.added_ids, g.added_flags, {}};
    g.added_order = added.find_order();
    added.order = g.added_order;
    require_added(added);
    return 0;
  });
}

// The number of the scheme of these patterns, one for each step; -1 if none has a scanner.
WORDSPLIT_EXPORT(find_scheme_of)
std::int32_t find_scheme_of(const char* blob, const std::uint32_t* ends, std::size_t count,
                            bool tiktoken) {
  std::vector<std::string_view> steps;
  for (std::size_t i = 0, start = 0; i < count; start = ends[i++]) {
    steps.emplace_back(blob + start, ends[i] - start);
  }
  using scanners::Dialect;
  const Scheme* found = find_scheme(steps, tiktoken ? Dialect::Tiktoken : Dialect::Tokenizers);
  return found ? static_cast<std::int32_t>(found - schemes().data()) : -1;
}
WORDSPLIT_EXPORT(scheme_count) std::size_t scheme_count() { return schemes().size(); }
WORDSPLIT_EXPORT(scheme_name) const char* scheme_name(std::size_t i) { return schemes()[i].name; }
// The pattern of a step of a scheme; null if it has fewer.
WORDSPLIT_EXPORT(scheme_pattern) const char* scheme_pattern(std::size_t scheme, std::size_t step) {
  const scanners::Spelling& spelling = schemes()[scheme].spellings[0];
  return step < spelling.size() ? spelling.step[step].data() : nullptr;
}
WORDSPLIT_EXPORT(encoder_count) std::size_t encoder_count() { return encoders().size(); }
WORDSPLIT_EXPORT(encoder_name) const char* encoder_name(std::size_t i) {
  return encoders()[i].name;
}

#if !defined(WORDSPLIT_ONLY_BYTES)

// The spelling of a space in a vocab (SpaceMark), and the places where its spans end.
WORDSPLIT_EXPORT(set_space)
std::int32_t set_space(const char* mark, std::size_t size, std::uint32_t prepend, bool cuts,
                       bool cuts_at_spaces) {
  return guarded([&] {
    g.space = {std::string(mark, size), static_cast<SpaceMark::Prepend>(prepend)};
    g.cuts = cuts, g.cuts_at_spaces = cuts_at_spaces;
    return 0;
  });
}

// What an added token is in normalized text, if that is not its content. An empty text is not
// looked for.
WORDSPLIT_EXPORT(set_literal)
std::int32_t set_literal(std::uint32_t number, const char* literal, std::size_t size) {
  return guarded([&] {
    g.literals[number].assign(literal, size);
    return 0;
  });
}

// The rules that determine ids, other than tokens and merges (ModelRules), before set_tokens().
// `fallback`: 256 ids, or null; `scores`: of Unigram, one a token.
WORDSPLIT_EXPORT(set_rules)
std::int32_t set_rules(std::uint32_t kind, std::uint32_t unk_id, std::uint32_t missing,
                       std::uint32_t fuse_unk, std::uint32_t first_virtual,
                       std::uint32_t made_characters, const std::uint32_t* fallback,
                       std::uint32_t most_characters, const char* prefix, std::size_t prefix_size,
                       double unknown_score, std::uint32_t single_precision, const double* scores,
                       std::size_t score_count) {
  return guarded([&] {
    ModelRules rules;
    rules.kind = static_cast<ModelKind>(kind);
    rules.unk_id = unk_id;
    rules.missing = static_cast<Missing>(missing);
    rules.fuse_unk = static_cast<std::uint16_t>(fuse_unk);
    rules.first_virtual = first_virtual;
    rules.made_characters = made_characters;
    if (fallback) std::copy_n(fallback, std::size(rules.fallback), rules.fallback);
    rules.most_characters = most_characters;
    if (prefix_size > sizeof rules.prefix) throw std::invalid_argument("has a prefix too long");
    rules.prefix_size = static_cast<std::uint32_t>(prefix_size);
    std::memcpy(rules.prefix, prefix, prefix_size);
    rules.unknown_score = unknown_score;
    rules.single_precision = single_precision;
    g.rules = rules;
    g.scores.assign(scores, scores + score_count);
    return 0;
  });
}

// A map from characters to words (word_map_file.hpp). The next one is for texts with characters
// that are not in those before.
WORDSPLIT_EXPORT(add_map) std::int32_t add_map(const char* data, std::size_t size) {
  return guarded([&] {
    g.maps.emplace_back(data, size);
    return 0;
  });
}

// The automata that find spans, and the rules in steps (text_rules_file.hpp).
WORDSPLIT_EXPORT(set_text_rules)
std::int32_t set_text_rules(const char* data, std::size_t size) {
  return guarded([&] {
    TextRules rules = read_text_rules({data, size}, g.config.simd);
    g.config.spans.steps = std::move(rules.spans);
    g.config.normalizer = std::move(rules.normalizer);
    g.config.rewriting = std::move(rules.rewriting);
    return 0;
  });
}

#endif

enum BuildFlag : std::uint32_t { kNfc = 1, kIgnoreMerges = 2, kPrefixSpace = 4 };

// Makes the engine. Where the spans of a vocab are not those of a pattern, `scheme` is beyond the
// last one. The ids around every text are at `around`, first those before it.
WORDSPLIT_EXPORT(build)
std::int32_t build(std::size_t scheme, std::size_t encoder, std::size_t long_encoder,
                   std::uint32_t flags, std::size_t cache_bytes, const std::uint32_t* around,
                   std::size_t before, std::size_t after) {
  return guarded([&] {
    EngineConfig& config = g.config;
    if (scheme < schemes().size()) config.spans.scan = schemes()[scheme].at(config.simd);
    config.encoder = &encoders()[encoder];
    config.long_encoder = &encoders()[long_encoder];
    config.nfc = flags & kNfc;
    config.ignore_merges = flags & kIgnoreMerges;
    config.add_prefix_space = flags & kPrefixSpace;
    config.cache_bytes = cache_bytes;
    config.space = g.space;
    config.cuts = g.cuts, config.cuts_at_spaces = g.cuts_at_spaces;
    for (const Encoder* each : {config.encoder, config.long_encoder}) {
      if (const std::string why = each->obstacle(*g.tables); !why.empty()) {
        throw std::invalid_argument(std::string(each->name) + " " + why);
      }
    }
    g.prefix = words(around, before);
    g.suffix = words(around + before, after);
    make(g.usual);
    g.decoder.emplace(g.tables, g.added);
    return 0;
  });
}

// Texts.

// The ids of the first n bytes of the input, at output(). `as_text` has a byte for each added
// token, not zero if it is to stay text; or is null.
WORDSPLIT_EXPORT(encode) std::int32_t encode(std::size_t n, AsText as_text) {
  return guarded([&] {
    g.out.clear();
    append_ids(text(), n, as_text);
    return g.out.size();
  });
}

// The ids of the first n bytes of the input as one span, normalized already, at output().
WORDSPLIT_EXPORT(encode_span) std::int32_t encode_span(std::size_t n) {
  return guarded([&] {
    const auto end = static_cast<std::uint32_t>(n);
    g.out.clear();
    g.usual.engine->encode_spans(text(), n, &end, 1, *g.usual.state, g.out);
    return g.out.size();
  });
}

// The number of ids of the first n bytes of the input; or limit + 1, without encoding much more
// than that, if there are more.
WORDSPLIT_EXPORT(count)
std::int32_t count(std::size_t n, AsText as_text, std::uint32_t limit) {
  return guarded([&] {
    constexpr std::size_t kStep = 64 << 10;
    std::size_t found;
    require_characters(text(), n);
    on_text([&](const Engine& engine, Engine::State& state) {
      found = g.prefix.size() + g.suffix.size();
      engine.pieces(text(), n, as_text, state,
                    [&](const std::uint8_t* p, std::size_t size, const AddedToken* token, bool) {
                      found += token != nullptr;
                      if (!kOnlyBytes && engine.config().rewriting && !token) {
                        g.out.clear();
                        engine.encode_rewritten(engine.rewritten(p, size, state), state, g.out);
                        found += g.out.size();
                        return;
                      }
                      for (std::size_t at = 0; !token && at < size && found <= limit;) {
                        const std::size_t to = std::min(size, at + kStep);
                        g.out.clear();
                        at = engine.encode_range(p, size, at, to, state, g.out);
                        found += g.out.size();
                      }
                    });
    });
    return std::min<std::size_t>(found, std::size_t{limit} + (limit != 0xFFFFFFFF));
  });
}

// The ids of several texts, one after the other in the input. The ends of the texts become the ends
// of their ids.
WORDSPLIT_EXPORT(encode_batch)
std::int32_t encode_batch(std::uint32_t* ends, std::size_t count, AsText as_text) {
  return guarded([&] {
    g.out.clear();
    for (std::size_t i = 0, start = 0; i < count; ++i) {
      const std::size_t end = ends[i];
      append_ids(text() + start, end - start, as_text);
      ends[i] = static_cast<std::uint32_t>(g.out.size());
      start = end;
    }
    return g.out.size();
  });
}

// The ids, then for each id its first and last UTF-16 code unit, then the indexes of the ids that
// begin a span, all at output(). Returns the number of ids. Precondition: the input is UTF-8.
WORDSPLIT_EXPORT(encode_with_offsets)
std::int32_t encode_with_offsets(std::size_t n, AsText as_text) {
  return guarded([&] {
    Offsets found;
    require_characters(text(), n);
    on_text([&](const Engine& engine, Engine::State& state) {
      find_places(engine, state, text(), n, as_text, found);
    });
    const std::size_t count = found.ids.size();
    const bool ascii = found.char_starts.size() == 0;
    const auto* const starts = ascii ? found.bounds.data() : found.char_starts.data();
    const auto* const ends = ascii ? found.bounds.data() + 1 : found.char_ends.data();
    g.out.clear();
    g.out.append(found.ids.data(), count);
    for (std::size_t i = 0; i < count; ++i) {
      g.out.push(static_cast<std::uint32_t>(starts[i]));
      g.out.push(static_cast<std::uint32_t>(ends[i]));
    }
    if (!ascii) to_utf16(text(), n, g.out.data() + count, 2 * count);
    for (std::size_t i = 0; i < found.span_starts.size(); ++i) {
      g.out.push(static_cast<std::uint32_t>(found.span_starts.data()[i]));
    }
    return count;
  });
}
WORDSPLIT_EXPORT(output_size) std::size_t output_size() { return g.out.size(); }

#if !defined(WORDSPLIT_ONLY_BYTES)

// The ids, then the end of what each stands for (SpanTexts), which is at bytes(), then for each
// span the index of its first id and its kind, all at output(). Returns the number of ids.
WORDSPLIT_EXPORT(trace) std::int32_t trace(std::size_t n, AsText as_text) {
  return guarded([&] {
    if (!is_utf8(text(), n)) throw NotInCore();
    Offsets found;
    SpanTexts texts;
    on_text([&](const Engine& engine, Engine::State& state) {
      texts = {};
      if (!encode_with_texts(engine, text(), n, as_text, g.prefix, g.suffix, state, found,
                             &texts)) {
        throw NotInCore();
      }
    });
    const std::size_t count = found.ids.size();
    g.out.clear();
    g.out.append(found.ids.data(), count);
    g.out.append(texts.ends.data(), count);
    for (std::size_t i = 0; i < texts.kinds.size(); ++i) {
      g.out.push(static_cast<std::uint32_t>(found.span_starts.data()[i]));
      g.out.push(texts.kinds.data()[i]);
    }
    g.bytes.clear();
    g.bytes.append(texts.bytes.data(), texts.bytes.size());
    return count;
  });
}

// Whether the characters of a model are letters that stand for bytes, as CLIP's.
WORDSPLIT_EXPORT(has_letters) bool has_letters() {
  const ModelRules& model = g.tables->model();
  return model.kind == ModelKind::Characters && !model.has_fallback() &&
         g.tables->byte_id(0x80) < model.first_virtual;
}

// The ids that the first n bytes of the input, a span as spans() or trace() gives it, are before
// any merge, at output(). Returns their number.
WORDSPLIT_EXPORT(symbols) std::int32_t symbols(std::size_t n) {
  return guarded([&] {
    constexpr std::uint8_t kWordEnd = 0xFF;  // with the character before it
    const ModelRules& model = g.tables->model();
    const bool of_bytes = model.kind == ModelKind::Bytes || has_letters();
    const std::uint8_t* const p = text();
    bool after_unknown = false;
    g.out.clear();
    for (std::size_t at = 0, end; at < n; at = end) {
      end = at + (of_bytes ? 1 : decode_utf8(p + at, p + n).size);
      end += end < n && p[end] == kWordEnd;
      const bool is_known = g.tables->has_character(p + at, end - at);
      if (is_known) {
        g.out.push(g.tables->find(p + at, end - at));
      } else if (model.has_fallback()) {
        for (std::size_t i = at; i < end; ++i) g.out.push(model.fallback[p[i]]);
      } else if (model.missing != Missing::Nothing && !(after_unknown && model.fuse_unk)) {
        g.out.push(model.unk_id);
      }
      after_unknown = !is_known;
    }
    return g.out.size();
  });
}

// The score of a token of Unigram, and that of an unknown character.
WORDSPLIT_EXPORT(score) double score(std::uint32_t id) {
  return g.tables->scores()[g.tables->index_of(id)];
}
WORDSPLIT_EXPORT(unknown_score) double unknown_score() { return g.tables->model().unknown_score; }

#endif

// The spans, normalized: their bytes at bytes(), and for each its end and the id of its added
// token, or 2^32 - 1, at output(). Returns their number.
WORDSPLIT_EXPORT(spans) std::int32_t spans(std::size_t n, AsText as_text) {
  return guarded([&] {
    const auto put = [&](const std::uint8_t* p, std::size_t size, std::uint32_t id) {
      g.bytes.append(reinterpret_cast<const char*>(p), size);
      g.out.push(static_cast<std::uint32_t>(g.bytes.size()));
      g.out.push(id);
    };
    require_characters(text(), n);
    on_text([&](const Engine& engine, Engine::State& state) {
      g.out.clear();
      g.bytes.clear();
      engine.pieces(text(), n, as_text, state,
                    [&](const std::uint8_t* p, std::size_t size, const AddedToken* token, bool) {
                      if (token) return put(p, size, token->id);
                      if (!kOnlyBytes && engine.config().rewriting) {
                        const Rewriting::Pieces& spans = engine.rewritten(p, size, state);
                        std::size_t start = 0;
                        for (const std::uint32_t end : spans.ends) {
                          put(bytes_of(spans.text) + start, end - start, kNoToken);
                          start = end;
                        }
                        return;
                      }
                      std::uint32_t ends[Engine::kBlock];
                      SpanFinder::Memory memory = engine.scan_memory(p, size, 0);
                      for (std::size_t at = 0, start = 0; at < size;) {
                        const std::size_t count =
                            engine.scan(p, size, at, ends, Engine::kBlock, memory);
                        for (std::size_t i = 0; i < count; start = ends[i++]) {
                          put(p + start, ends[i] - start, kNoToken);
                        }
                      }
                    });
    });
    return g.out.size() / 2;
  });
}

// The bytes of the first `count` ids of the input, at bytes(). Returns -1 if one is unknown.
WORDSPLIT_EXPORT(decode) std::int32_t decode(std::size_t count, bool skip_special) {
  return guarded([&] {
    g.bytes.clear();
    const auto* const ids = reinterpret_cast<const std::uint32_t*>(g.input.data());
    if (g.decoder->append(ids, count, skip_special, g.bytes)) return 0;
    return fail(kUnknownToken, "unknown id");
  });
}

// Tokens.

WORDSPLIT_EXPORT(has_id) bool has_id(std::uint32_t id) { return g.decoder->has(id); }
// The id of the first n bytes of the input; 2^32 - 1 if they are no token.
WORDSPLIT_EXPORT(find_token) std::uint32_t find_token(std::size_t n) {
  return g.tables->find(text(), n);
}
WORDSPLIT_EXPORT(byte_id) std::uint32_t byte_id(std::uint32_t byte) {
  return g.tables->byte_id(static_cast<std::uint8_t>(byte));
}
// The rank of the merge of two ids, and the id that it makes, at output(); false if there is none.
// Merges that make characters of bytes do not count.
WORDSPLIT_EXPORT(find_merge) bool find_merge(std::uint32_t left, std::uint32_t right) {
  const Merge found = g.tables->pairs().find(left, right);
  const std::uint32_t made = kOnlyBytes ? 0 : g.tables->model().made_characters;
  g.out.clear();
  g.out.push(found.rank - made);
  g.out.push(found.merged);
  return found.rank != kNoRank && found.rank >= made;
}
// One more than the rank of the merge that makes a token; 0 if none does.
WORDSPLIT_EXPORT(rank_plus_1) std::uint32_t rank_plus_1(std::uint32_t id) {
  const std::uint32_t rank = g.tables->made_by(id).rank_plus_1;
  return rank == kNoRank ? 0 : rank;
}
// The number of ids: one more than the largest.
WORDSPLIT_EXPORT(id_count) std::uint32_t id_count() {
  const std::size_t count = g.tables->count();
  std::uint32_t top = count ? g.tables->id_at(count - 1) + 1 : 0;
  if (g.added.size()) top = std::max(top, g.added.ids.back() + 1);
  return top;
}
