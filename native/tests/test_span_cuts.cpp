// Checks cuts within spans against their definition: no token covers the text around one, and the
// parts between them have the ids of the whole. Of vocabs with tokens of several characters, and of
// parts of characters; in text that is UTF-8, and in text that is not.
#include "support.hpp"
#include "wordsplit/tables/span_cuts.hpp"

namespace {

using namespace wordsplit;
using support::fail;
using support::Ids;
using support::Random;
using support::TestVocab;

const char* const kCharacters[] = {"a",      " ",      "\u00e9", "\u0430", "\u4e2d",
                                   "\u4e00", "\u6587", "\u3042", "\u8a00", "\U0001f600"};

std::string character(Random& random) {
  return kCharacters[random.below(static_cast<std::uint32_t>(std::size(kCharacters)))];
}

// All bytes, and tokens that merges make of the bytes of characters one behind the other.
TestVocab make_vocab(Random& random) {
  TestVocab vocab;
  std::map<std::string, std::uint32_t> id_of;
  const auto add = [&](const std::string& token) {
    if (!id_of.emplace(token, static_cast<std::uint32_t>(id_of.size())).second) return false;
    vocab.tokens.push_back(token);
    vocab.ids.push_back(id_of[token]);
    return true;
  };
  for (int b = 0; b < 256; ++b) add(std::string(1, static_cast<char>(b)));
  for (std::uint32_t i = random.below(40); i--;) {
    std::string text;
    for (std::uint32_t n = 1 + random.below(3); n--;) text += character(random);
    if (random.below(4) == 0) text.erase(0, random.below(3));
    if (random.below(4) == 0) text.resize(text.size() - std::min<std::size_t>(text.size(), 1));
    if (text.empty()) continue;
    std::vector<std::string> parts;
    for (const char c : text) parts.emplace_back(1, c);
    while (parts.size() > 1) {
      const std::size_t at = random.below(static_cast<std::uint32_t>(parts.size() - 1));
      const std::string joined = parts[at] + parts[at + 1];
      if (add(joined)) {
        vocab.merges.push_back(id_of[parts[at]]);
        vocab.merges.push_back(id_of[parts[at + 1]]);
      }
      parts[at] = joined;
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
  }
  vocab.build();
  return vocab;
}

// Whether a token covers the boundary at `at`.
bool is_covered(const TestVocab& vocab, const std::string& span, std::size_t at) {
  return std::any_of(vocab.tokens.begin(), vocab.tokens.end(), [&](const std::string& token) {
    for (std::size_t k = 1; k < token.size() && k <= at; ++k) {
      if (span.compare(at - k, token.size(), token) == 0) return true;
    }
    return false;
  });
}

struct Seen {
  std::size_t cuts = 0, more = 0;  // cuts, and boundaries between characters that could be one, too
};

void check(const TestVocab& vocab, const std::string& span, std::uint64_t seed, Seen& seen) {
  const auto n = static_cast<std::uint32_t>(span.size());
  const SpanCuts& cuts = SpanCuts::of(*vocab.tables);
  std::vector<std::uint8_t> text(n + SpanCuts::kBehind, 0x80);
  std::memcpy(text.data(), span.data(), n);
  std::vector<std::uint32_t> ends(n / 2 + 1);
  ends.resize(cuts.find(text.data(), n, 1000, ends.data()));
  Ids ids;
  std::uint32_t start = 0;
  for (const std::uint32_t end : ends) {
    const std::uint32_t at = end - 1000;
    if (at <= start || at > n) fail("parts that do not tile the span", span, seed);
    if (at < n && is_covered(vocab, span, at)) fail("a cut that a token covers", span, seed);
    const Ids part = vocab.encode(span.substr(start, at - start));
    ids.insert(ids.end(), part.begin(), part.end());
    start = at;
  }
  if (start != n) fail("parts that end elsewhere", span, seed);
  if (ids != vocab.encode(span)) fail("other ids in parts", span, seed);
  seen.cuts += ends.size() - 1;
  for (std::uint32_t at = 1; at < n; ++at) {
    const auto before = static_cast<std::uint8_t>(span[at - 1]);
    const auto lead = static_cast<std::uint8_t>(span[at]);
    if (before < 0x80 || lead < 0xC0 || is_covered(vocab, span, at)) continue;
    seen.more += !std::binary_search(ends.begin(), ends.end(), at + 1000);
  }
}

}  // namespace

int main() {
  Seen seen, broken;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const TestVocab vocab = make_vocab(random);
    if (!SpanCuts::suits(vocab.tables->model())) fail("a vocab that does not suit", "", seed);
    for (int i = 0; i < 30; ++i) {
      std::string span;
      for (std::uint32_t n = 2 + random.below(20); n--;) span += character(random);
      if (SpanCuts::may_have(reinterpret_cast<const std::uint8_t*>(span.data()), span.size())) {
        check(vocab, span, seed, seen);
      }
      for (std::uint32_t n = 1 + random.below(4); n-- && span.size() > 4;) {
        const std::uint32_t at = random.below(static_cast<std::uint32_t>(span.size()));
        if (random.below(2)) {
          span.erase(at, 1);
        } else {
          span[at] = static_cast<char>(random.below(256));
        }
      }
      check(vocab, span, seed, broken);
    }
  }
  // Most that are cuts by definition must be found, or spans would be encoded whole.
  if (seen.cuts < 10000 || seen.more > seen.cuts / 4) {
    fail("too few cuts", std::to_string(seen.cuts) + ", " + std::to_string(seen.more) + " missed");
  }
  if (broken.cuts < 5000) fail("too few cuts in text that is not UTF-8", "");
  std::printf("test_span_cuts: %zu cuts, %zu missed\n", seen.cuts + broken.cuts, seen.more);
}
