// The places of tokens, on random vocabs, maps and texts: each token has the characters that it
// stands for, and their bytes tile the text.
#include <string>
#include <vector>

#include "small_vocabs.hpp"
#include "support.hpp"
#include "wordsplit/engine/token_places.hpp"

using namespace small;
using support::Ids;

namespace {

ModelRules rules_of(ModelKind kind) {
  ModelRules rules;
  rules.kind = kind;
  rules.most_characters = 100;
  if (kind == ModelKind::WordPiece) std::memcpy(rules.prefix, "##", rules.prefix_size = 2);
  return rules;
}

// With a map, or with marks for spaces.
EngineConfig config_of(ModelKind kind, std::uint32_t variant, Random& random) {
  EngineConfig config;
  config.encoder = config.long_encoder =
      find_encoder(kind == ModelKind::Unigram ? "viterbi" : "longest_match");
  if (variant == 0) {
    config.cuts = true;
    config.cuts_at_spaces = random.below(2);
    config.space = {"_", static_cast<SpaceMark::Prepend>(random.below(4))};
  } else {
    config.words = std::make_shared<const WordMap>(variant == 1   ? small_map(false)
                                                   : variant == 2 ? small_map(true)
                                                                  : map_behind_steps(random));
  }
  return config;
}

std::vector<std::string> characters_of(const std::string& text) {
  std::vector<std::string> out;
  for_each_character(text, [&](std::uint32_t, std::string_view c) { out.emplace_back(c); });
  return out;
}

// Each token stands for its own text, within the span that it is of.
void check_texts(const Made& vocab, ModelKind kind, const Offsets& out, const SpanTexts& texts,
                 const std::string& text, std::uint64_t seed) {
  const std::size_t count = out.ids.size(), spans = out.span_starts.size();
  if (texts.ends.size() != count || texts.kinds.size() != spans) {
    support::fail("not a text for each id, or not a kind for each span", text, seed);
  }
  for (std::size_t span = 0; span < spans; ++span) {
    const auto from = static_cast<std::size_t>(out.span_starts.data()[span]);
    const std::size_t to =
        span + 1 < spans ? static_cast<std::size_t>(out.span_starts.data()[span + 1]) : count;
    std::size_t start = from ? texts.ends.data()[from - 1] : 0;
    for (std::size_t i = from; i < to; start = texts.ends.data()[i++]) {
      const std::uint32_t id = out.ids.data()[i];
      const std::string stands_for = texts.bytes.substr(start, texts.ends.data()[i] - start);
      const auto found = texts.kinds.data()[span];
      std::string token = found == SpanTexts::kApart ? "" : vocab.tokens[id];
      if (kind == ModelKind::WordPiece && i > from && token.starts_with("##")) token.erase(0, 2);
      const bool fits = found == SpanTexts::kAdded             ? stands_for.ends_with("!b")
                        : found == SpanTexts::kSpan && id == 0 ? !stands_for.empty()
                                                               : stands_for == token;
      if (!fits) support::fail("stands for another text", text, seed);
    }
  }
  if (count && texts.ends.data()[count - 1] != texts.bytes.size()) {
    support::fail("text that no id stands for", text, seed);
  }
}

std::uint32_t check(std::uint64_t seed) {
  Random random(seed);
  const ModelKind kind = random.below(2) ? ModelKind::Unigram : ModelKind::WordPiece;
  const std::uint32_t variant =
      random.below(kind == ModelKind::Unigram ? 4 : 3) + (kind == ModelKind::WordPiece ? 1 : 0);
  const Made vocab(random, rules_of(kind), kind == ModelKind::WordPiece ? "##" : "");
  const std::shared_ptr<const VocabTables> tables(std::shared_ptr<void>(), vocab.tables.get());
  std::vector<AddedToken> added;
  if (random.below(2)) added.push_back({"!b", 7, 0, true, random.below(2) > 0, false, false});
  const Engine engine(tables, config_of(kind, variant, random), added, {});
  const auto state = engine.make_state();
  std::uint32_t located = 0;
  for (int round = 0; round < 20; ++round) {
    std::string text;
    for (std::uint32_t n = random.below(12); n--;) {
      const char* const more[] = {",", "B", "!b", "_", "'s", "\xCC\x81", "  "};
      text += random.below(3) ? word(random, 3) : more[random.below(7)];
    }
    const support::Exact exact(text);
    const Ids prefix(random.below(3), 1), suffix(random.below(2), 2);
    Offsets out;
    SpanTexts texts;
    try {
      if (!encode_with_texts(engine, exact.data.get(), exact.n, nullptr, prefix, suffix, *state,
                             out, &texts)) {
        continue;
      }
    } catch (const NotInCore&) {
      continue;
    }
    ++located;
    Output want;
    want.append(prefix.data(), prefix.size());
    engine.encode(exact.data.get(), exact.n, nullptr, *state, want);
    want.append(suffix.data(), suffix.size());
    const std::size_t count = want.size();
    if (out.ids.size() != count || !std::equal(want.data(), want.data() + count, out.ids.data())) {
      support::fail("other ids", text, seed);
    }
    if (out.bounds.size() != count + 1 || out.char_starts.size() != count ||
        out.char_ends.size() != count) {
      support::fail("not a place for each id", text, seed);
    }
    check_texts(vocab, kind, out, texts, text, seed);
    const std::int64_t* const bounds = out.bounds.data();
    if ((count > 0 && bounds[0] != 0) || bounds[count] != static_cast<std::int64_t>(exact.n) ||
        !std::is_sorted(bounds, bounds + count + 1)) {
      support::fail("places that do not tile the text", text, seed);
    }
    const std::vector<std::string> characters = characters_of(text);
    for (std::size_t i = prefix.size(); i + suffix.size() < count; ++i) {
      const std::int64_t first = out.char_starts.data()[i], last = out.char_ends.data()[i];
      if (first < 0 || first >= last || last > static_cast<std::int64_t>(characters.size())) {
        support::fail("a place that is none", text, seed);
      }
      const std::uint32_t id = out.ids.data()[i];
      if (id == 0 || id == 7 || variant == 3) continue;  // unknown, added; what steps make
      std::string spelled, token = vocab.tokens[id];
      for (std::int64_t c = first; c < last; ++c) {
        const std::string& one = characters[static_cast<std::size_t>(c)];
        spelled += one == "B" && variant ? "b" : one == "_" && variant == 0 ? " " : one;
      }
      if (token.starts_with("##") && kind == ModelKind::WordPiece) token.erase(0, 2);
      const bool prepended = variant == 0 && token == " " && !spelled.ends_with(token);
      if (!prepended && !token.ends_with(spelled)) support::fail("another text", text, seed);
    }
  }
  return located;
}

}  // namespace

int main() {
  std::uint32_t located = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) located += check(seed);
  if (located < 1000)
    support::fail("few texts whose tokens are located", std::to_string(located), 0);
}
