// Compares the engine with naive forms of its steps: added tokens, NFC, the reference scanner,
// byte-pair encoding as it is defined. With the cache off, tiny and ample; with one State for many
// texts; with spans over blocks, long spans and bytes that are not UTF-8.
#include "support.hpp"
#include "wordsplit/engine/offsets.hpp"

namespace {

using namespace wordsplit;
using support::Exact;
using support::fail;
using support::Ids;
using support::Random;
using support::rounds;
using support::TestVocab;

struct HasMissing {};  // the text has a byte without a token, and there is no rule for it

void encode_spans(const TestVocab& vocab, const std::string& text,
                  const std::vector<std::uint32_t>& ends, bool ignore_merges, Ids& out) {
  static thread_local std::map<std::string, Ids> memo;  // of one call
  memo.clear();
  std::size_t start = 0;
  for (const std::uint32_t end : ends) {
    const std::string span = text.substr(start, end - start);
    start = end;
    auto known = memo.find(span);
    if (known == memo.end()) {
      const auto whole = vocab.by_bytes.find(span);
      if (ignore_merges && whole != vocab.by_bytes.end()) {
        known = memo.emplace(span, Ids{whole->second}).first;
      } else {
        if (vocab.rules.missing == Missing::Error && !vocab.has_bytes(span)) throw HasMissing();
        known = memo.emplace(span, vocab.encode(span)).first;
      }
    }
    out.insert(out.end(), known->second.begin(), known->second.end());
  }
}

std::vector<std::uint32_t> reference_ends(const Scheme& scheme, const std::string& text) {
  std::vector<std::uint32_t> ends(text.size());
  std::size_t pos = 0;
  ends.resize(scheme.reference(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), pos,
                               ends.data(), ends.size()));
  return ends;
}

// Cuts a text with a matcher into copies.
template <class Piece>
void cut(const AddedTokenMatcher& matcher, const std::string& text, AsText as_text, Piece&& piece) {
  matcher.split(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), as_text,
                [&](std::size_t a, std::size_t b, const AddedToken* token) {
                  piece(text.substr(a, b - a), token);
                });
}

struct Case {
  TestVocab vocab;
  const Scheme* scheme;
  EngineConfig config;
  std::vector<AddedToken> raw, normalized;
  std::vector<std::uint8_t> as_text;
};

Ids naive(const Case& c, const std::string& text) {
  Ids out;
  const AsText as_text = c.as_text.empty() ? nullptr : c.as_text.data();
  const AddedTokenMatcher raw(c.raw), normalized(c.normalized);
  cut(raw, text, as_text, [&](std::string piece, const AddedToken* token) {
    if (token) return out.push_back(token->id);
    if (c.config.nfc) {
      std::string composed;
      nfc(reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size(), composed);
      piece = composed;
    }
    cut(normalized, piece, as_text, [&](std::string part, const AddedToken* inner) {
      if (inner) return out.push_back(inner->id);
      if (c.config.add_prefix_space && part[0] != ' ') part = " " + part;
      encode_spans(c.vocab, part, reference_ends(*c.scheme, part), c.config.ignore_merges, out);
    });
  });
  return out;
}

Ids run(const Engine& engine, Engine::State& state, const Case& c, const std::string& text) {
  const Exact copy(text);
  Output out;
  out.push(7);  // must be left alone
  engine.encode(copy.data.get(), copy.n, c.as_text.empty() ? nullptr : c.as_text.data(), state,
                out);
  if (out.data()[0] != 7) fail("what stood in the output", text);
  return {out.data() + 1, out.data() + out.size()};
}

Case make_case(Random& random) {
  Case c;
  c.vocab = support::make_vocab(random);
  c.scheme = &schemes()[random.below(static_cast<std::uint32_t>(schemes().size()))];
  const AvailableLevels levels = simd_levels();
  c.config.simd = levels.begin()[random.below(static_cast<std::uint32_t>(levels.count))];
  c.config.spans.scan = c.scheme->at(c.config.simd);
  c.config.encoder = &support::choose_encoder(*c.vocab.tables, random);
  c.config.long_encoder = &support::choose_encoder(*c.vocab.tables, random);
  c.config.long_span = random.below(2) ? 128 : random.below(6);
  c.config.nfc = random.below(2);
  c.config.ignore_merges = random.below(2);
  c.config.add_prefix_space = random.below(4) == 0;
  const std::size_t sizes[] = {0, 4096, 5000, 1 << 20};
  c.config.cache_bytes = sizes[random.below(4)];
  const char* const literals[] = {"<s>", "<sep>", "\u00e9", "a b", "s", "|"};
  std::uint32_t number = 0;
  for (const char* literal : literals) {
    if (random.below(2)) continue;
    AddedToken token{literal,
                     100000 + number,
                     number,
                     true,
                     random.below(4) == 0,
                     random.below(4) == 0,
                     random.below(4) == 0};
    (random.below(3) ? c.raw : c.normalized).push_back(token);
    ++number;
  }
  for (std::uint32_t i = 0; i < number && number % 2; ++i)
    c.as_text.push_back(random.below(3) == 0);
  return c;
}

// Sets a rule for missing bytes. The unknown token is in no merge.
void choose_rule(TestVocab& vocab, Random& random) {
  const std::uint32_t id = vocab.ids[random.below(static_cast<std::uint32_t>(vocab.ids.size()))];
  const bool merges = std::find(vocab.merges.begin(), vocab.merges.end(), id) != vocab.merges.end();
  vocab.rules.missing = merges ? Missing::Nothing : Missing::Unknown;
  vocab.rules.unk_id = merges ? kNoToken : id;
  vocab.rules.fuse_unk = random.below(2);
  vocab.build();
}

std::string make_text(Random& random, const TestVocab& vocab) {
  const char* const pieces[] = {" ",      " ",       "\n", "'s",   "1",    "<s>",    "<sep>",
                                "\u00e9", "e\u0301", "|",  "\xff", "\xcc", "\u4e2d", "!"};
  std::string text;
  const std::uint32_t words = random.below(4) ? random.below(12) : random.below(400);
  std::vector<std::string> few;
  for (int i = 0; i < 6; ++i) few.push_back(support::make_span(vocab, random, i ? 30 : 250));
  for (std::uint32_t i = 0; i < words; ++i) {
    text += random.below(2) ? few[random.below(6)] : pieces[random.below(std::size(pieces))];
    if (random.below(20) == 0) text += std::string(random.below(300), 'a');
  }
  return text.substr(0, 6000);
}

// Offsets come with the same ids and tile the text. (Characters are defined for UTF-8 only; here
// they must be within the text.)
void check_offsets(const Engine& engine, Engine::State& state, const Case& c,
                   const std::string& text, const Ids& want, std::uint64_t seed) {
  const Exact copy(text);
  Offsets out;
  encode_with_offsets(engine, copy.data.get(), copy.n,
                      c.as_text.empty() ? nullptr : c.as_text.data(), {1, 2}, {3}, state, out);
  Ids ids = {1, 2};
  ids.insert(ids.end(), want.begin(), want.end());
  ids.push_back(3);
  if (Ids(out.ids.data(), out.ids.data() + out.ids.size()) != ids) fail("ids", text, seed);
  const std::int64_t* bounds = out.bounds.data();
  if (out.bounds.size() != ids.size() + 1 || bounds[0] != 0 ||
      bounds[ids.size()] != static_cast<std::int64_t>(text.size()) ||
      !std::is_sorted(bounds, bounds + out.bounds.size())) {
    fail("offsets that do not tile the text", text, seed);
  }
  if (out.char_starts.size() != out.char_ends.size() ||
      (out.char_starts.size() && out.char_starts.size() != ids.size())) {
    fail("characters", text, seed);
  }
  for (std::size_t i = 0; i < out.char_ends.size(); ++i) {
    if (out.char_ends.data()[i] > static_cast<std::int64_t>(text.size())) {
      fail("characters beyond the text", text, seed);
    }
  }
}

void test_random() {
  std::uint64_t done = 0, missing = 0, ruled = 0;
  for (std::uint64_t seed = 0; seed < rounds(500); ++seed) {
    Random random(seed);
    Case c = make_case(random);
    if (seed % 2) choose_rule(c.vocab, random);
    Case strict = c;
    strict.vocab.rules = {};
    const bool has_rule = c.vocab.rules.missing != Missing::Error;
    const Engine engine(c.vocab.tables, c.config, c.raw, c.normalized);
    const auto state = engine.make_state();
    for (int i = 0; i < 8; ++i) {
      const std::string text = make_text(random, c.vocab);
      bool complete = true;
      try {
        (void)naive(strict, text);
      } catch (HasMissing) {
        complete = false;
      }
      const Ids want = complete || has_rule ? naive(c, text) : Ids();
      const auto check_missing = [&](bool expected, const MissingByte& error) {
        const std::string byte(1, static_cast<char>(error.byte));
        if (!expected || c.vocab.by_bytes.count(byte)) {
          fail("a byte is said to be missing", text, seed);
        }
      };
      for (int round = 0; round < 2; ++round) {  // the second from the cache
        try {
          const Ids got = run(engine, *state, c, text);
          if (!(complete || has_rule) || got != want) fail("engine", text, seed);
        } catch (const MissingByte& error) {
          check_missing(!complete && !has_rule, error);
        }
        try {
          check_offsets(engine, *state, c, text, want, seed);
          if (!complete) fail("offsets of missing bytes", text, seed);
        } catch (const MissingByte& error) {
          check_missing(!complete, error);
        }
      }
      ++(complete ? done : has_rule ? ruled : missing);
    }
  }
  if (done < rounds(2000) || missing < rounds(50) || ruled < rounds(50))
    fail("too few of a kind", std::to_string(done));
}

// Spans given by the caller, of any length, about as many as fit a block.
void test_given_spans() {
  for (std::uint64_t seed = 0; seed < rounds(200); ++seed) {
    Random random(seed);
    Case c = make_case(random);
    const Engine engine(c.vocab.tables, c.config, {}, {});
    const auto state = engine.make_state();
    const std::uint32_t counts[] = {0, 1, 2, 255, 256, 257, 511, 512, 513, 1000};
    for (const std::uint32_t count : counts) {
      std::string text;
      std::vector<std::uint32_t> ends;
      while (ends.size() < count) {
        const std::uint32_t most = random.below(50) ? 12 : 300;
        for (std::uint32_t n = 1 + random.below(most); n--;) {
          text += c.vocab.letters[random.below(static_cast<std::uint32_t>(c.vocab.letters.size()))];
        }
        ends.push_back(static_cast<std::uint32_t>(text.size()));
      }
      Ids want;
      encode_spans(c.vocab, text, ends, c.config.ignore_merges, want);
      const Exact copy(text);
      for (int round = 0; round < 2; ++round) {
        Output out;
        engine.encode_spans(copy.data.get(), copy.n, ends.data(), ends.size(), *state, out);
        if (Ids(out.data(), out.data() + out.size()) != want) fail("encode_spans", text, seed);
        if (round) state->cache.clear(), engine.shared_cache().clear();
      }
    }
  }
}

}  // namespace

int main() {
  test_random();
  test_given_spans();
}
