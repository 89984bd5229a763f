// Compares added tokens with a matcher that tries every literal at every position, on random
// literals, flags and texts: leftmost-longest, lstrip, rstrip, single_word, contents that stay
// text.
#include "support.hpp"

namespace {

using support::fail;
using support::Random;
using wordsplit::AddedToken;

struct Found {
  std::size_t start, end;
  int number;  // of the token; -1 for text
  bool operator==(const Found&) const = default;
};

// The class of the code point that ends at `at`, found by decoding from the start of the text.
std::uint8_t class_before(const std::string& text, std::size_t at, std::size_t& start) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  std::uint32_t last = wordsplit::kInvalid;
  for (std::size_t i = start = 0; i < at;) {
    const wordsplit::CodePoint cp = wordsplit::decode_utf8(p + i, p + at);
    start = i, last = cp.value;
    i += cp.size;
  }
  return wordsplit::class_of(last);
}

std::uint8_t class_after(const std::string& text, std::size_t at, std::size_t& size) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  const wordsplit::CodePoint cp = wordsplit::decode_utf8(p + at, p + text.size());
  size = cp.size;
  return wordsplit::class_of(cp.value);
}

// The steps of `tokenizers`, in its order.
std::vector<Found> naive(const std::vector<AddedToken>& tokens, const std::string& text,
                         const std::vector<std::uint8_t>& as_text) {
  std::vector<Found> out;
  std::size_t done = 0, ignored;
  for (std::size_t at = 0; at < text.size();) {
    const AddedToken* best = nullptr;
    for (const AddedToken& token : tokens) {
      if (text.compare(at, token.literal.size(), token.literal) == 0 &&
          (!best || token.literal.size() > best->literal.size())) {
        best = &token;
      }
    }
    if (!best) {
      ++at;
      continue;
    }
    std::size_t start = at, end = at += best->literal.size();
    if (!as_text.empty() && as_text[best->number]) continue;
    if (best->single_word) {
      if (start > 0 && class_before(text, start, ignored) & wordsplit::kFlagWord) continue;
      if (end < text.size() && class_after(text, end, ignored) & wordsplit::kFlagWord) continue;
    }
    if (best->lstrip) {
      std::size_t before;
      while (start > 0 && wordsplit::is_space(class_before(text, start, before))) start = before;
      start = std::max(start, done);
    }
    if (best->rstrip) {
      std::size_t size;
      while (end < text.size() && wordsplit::is_space(class_after(text, end, size))) end += size;
    }
    if (start >= end) continue;  // the one before has swallowed all of it
    if (done < start) out.push_back({done, start, -1});
    out.push_back({start, end, static_cast<int>(best->number)});
    done = end;
  }
  if (done < text.size()) out.push_back({done, text.size(), -1});
  return out;
}

const char* const kPieces[] = {"a",  "b",      "ab",     "<",          "<|",         "|>", " ",
                               "\n", "\u00a0", "\u3000", "\u00e9",     "\u4e2d",     "_",  "1",
                               "x",  "\u0301", "\u2003", "\U0001f600", "\U00010400", "\t"};
const char* const kBroken[] = {"\xff", "\xe3\x80", "\x80", "\xc2", "\xf0\x9f\x98"};

std::string pieces(Random& random, std::uint32_t most, bool broken) {
  std::string out;
  for (std::uint32_t n = 1 + random.below(most); n--;) {
    out += broken && random.below(12) == 0 ? kBroken[random.below(std::size(kBroken))]
                                           : kPieces[random.below(std::size(kPieces))];
  }
  return out;
}

void test_random() {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const bool one_head = random.below(3) == 0;  // all begin with one byte: found by memchr
    std::vector<AddedToken> tokens;
    std::set<std::string> seen;
    for (std::uint32_t n = random.below(12); n--;) {
      const auto [known, is_new] = seen.insert((one_head ? "<" : "") + pieces(random, 4, false));
      if (!is_new) continue;
      const std::string_view literal = *known;
      const auto number = static_cast<std::uint32_t>(tokens.size());
      const std::uint32_t flags = random.below(3) ? random.below(8) : 0;
      tokens.push_back({literal, 100 + number, number, true, (flags & 1) != 0, (flags & 2) != 0,
                        (flags & 4) != 0});
    }
    const auto levels = wordsplit::simd_levels();
    const auto level = levels.levels[random.below(static_cast<std::uint32_t>(levels.count))];
    const wordsplit::AddedTokenMatcher matcher(tokens, level);
    std::vector<std::uint8_t> as_text;
    if (random.below(2)) {
      for (std::size_t i = 0; i < tokens.size(); ++i) as_text.push_back(random.below(4) == 0);
    }
    for (int i = 0; i < 20; ++i) {
      std::string text;
      const bool is_long = random.below(4) == 0;  // windows in which no literal begins
      for (std::uint32_t n = random.below(is_long ? 60 : 12); n--;) {
        if (is_long) text += std::string(random.below(40), "z\0"[random.below(2)]);
        text += !tokens.empty() && random.below(2)
                    ? std::string(
                          tokens[random.below(static_cast<std::uint32_t>(tokens.size()))].literal)
                    : pieces(random, 3, true);
      }
      const support::Exact copy(text);
      std::vector<Found> found;
      matcher.split(copy.data.get(), copy.n, as_text.empty() ? nullptr : as_text.data(),
                    [&](std::size_t start, std::size_t end, const AddedToken* token) {
                      found.push_back({start, end, token ? static_cast<int>(token->number) : -1});
                    });
      if (found != naive(tokens, text, as_text)) fail("added tokens", text, seed);
    }
  }
}

// 100,000 literals, and a text in which they begin everywhere and none ends.
void test_many() {
  std::vector<std::string> literals;
  for (std::uint32_t i = 0; i < 100000; ++i) {
    literals.push_back("<|reserved_" + std::to_string(i) + "|>");
  }
  std::vector<AddedToken> tokens;
  for (std::uint32_t i = 0; i < 100000; ++i) {
    tokens.push_back({literals[i], i, i, true, false, false, false});
  }
  const wordsplit::AddedTokenMatcher matcher(tokens);
  std::string text;
  while (text.size() < 1 << 20) text += "<|reserved_9";
  text += "<|reserved_99999|>";
  std::size_t count = 0;
  matcher.split(
      reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), nullptr,
      [&](std::size_t, std::size_t, const AddedToken* token) { count += token != nullptr; });
  if (count != 1) fail("many literals", std::to_string(count));
}

}  // namespace

int main() {
  test_random();
  test_many();
}
