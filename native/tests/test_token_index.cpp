// Every token is found by its bytes, whatever their length and number, and nothing else is. An
// index read from a file is refused if a look-up could go astray.
#include "support.hpp"
#include "wordsplit/tables/token_index.hpp"

namespace {

using namespace wordsplit;
using support::fail;
using support::Random;

using Tokens = std::vector<std::string>;

// Distinct tokens of two letters, so that many begin or end alike.
Tokens make_tokens(std::size_t count, Random& random) {
  std::set<std::string> made;
  while (made.size() < count) {
    std::string token;
    const std::uint32_t longest = random.below(4) ? 40 : 300;
    for (std::uint32_t n = 1 + random.below(longest); n--;) {
      token += static_cast<char>('a' + random.below(2));
    }
    made.insert(token);
  }
  return {made.begin(), made.end()};
}

SpanKey key_of(const std::string& token) {
  return TokenIndex::key_of(reinterpret_cast<const std::uint8_t*>(token.data()), token.size());
}

TokenIndex make_index(const Tokens& tokens) {
  TokenIndex index(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    index.insert(key_of(tokens[i]), static_cast<std::uint32_t>(i));
  }
  return index;
}

std::uint32_t find(const TokenIndex& index, const Tokens& tokens, const std::string& token) {
  const SpanKey key = key_of(token);
  if (key.is_short()) return index.find(key);
  return index.find(key, [&](std::uint32_t number) { return tokens[number] == token; });
}

void check(const TokenIndex& index, const Tokens& tokens, Random& random) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (find(index, tokens, tokens[i]) != i) fail("a token is not found", tokens[i]);
  }
  for (int round = 0; round < 1000; ++round) {
    std::string other =
        tokens.empty() ? "" : tokens[random.below(static_cast<std::uint32_t>(tokens.size()))];
    other += static_cast<char>('a' + random.below(3));
    const bool is_token = std::binary_search(tokens.begin(), tokens.end(), other);
    if ((find(index, tokens, other) != TokenIndex::kNone) != is_token) fail("found", other);
  }
}

// Tokens with the same key, as texts with the same hash have.
void test_same_keys() {
  TokenIndex index(100);
  const SpanKey key = key_of("a token of more than 13 bytes");
  for (std::uint32_t i = 0; i < 100; ++i) index.insert(key, i);
  for (std::uint32_t i = 0; i < 100; ++i) {
    if (index.find(key, [&](std::uint32_t number) { return number == i; }) != i) fail("same", "");
  }
  if (index.find(key, [](std::uint32_t) { return false; }) != TokenIndex::kNone) fail("none", "");
}

// More tokens than the number in an entry can distinguish. Each token is the bytes of its number.
void test_a_million() {
  constexpr std::uint32_t kCount = (1U << 20) + 1000;
  const auto token = [](std::uint32_t i) { return std::to_string(i); };
  TokenIndex index(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) index.insert(key_of(token(i)), i);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    if (index.find(key_of(token(i))) != i) fail("one of a million", token(i));
  }
  if (index.find(key_of(token(kCount))) != TokenIndex::kNone) fail("one of no million", "");
  const auto key_at = [&](std::uint32_t i) { return key_of(token(i)); };
  if (!index.adopt(kCount, key_at) || index.adopt(kCount - 1, key_at)) {
    fail("a million read again", "");
  }
}

void test_damage() {
  Random random(7);
  const Tokens tokens = make_tokens(100, random);
  TokenIndex index = make_index(tokens);
  const auto key_at = [&](std::uint32_t i) { return key_of(tokens[i]); };
  const auto shifted = [&](std::uint32_t i) { return key_of(tokens[(i + 1) % tokens.size()]); };
  if (!index.adopt(tokens.size(), key_at)) fail("an index is refused", "");
  if (index.adopt(tokens.size() - 1, key_at)) fail("a number too large", "");
  if (index.adopt(std::size_t{1} << 21, key_at)) fail("numbers are missing", "");
  if (index.adopt(tokens.size(), shifted)) fail("keys of other tokens", "");
  index.each_part([](auto& part) {
    for (auto& item : part) std::memset(static_cast<void*>(&item), 1, sizeof item);
  });
  const auto any_key = [&](std::uint32_t) {
    SpanKey same;
    std::memset(static_cast<void*>(&same), 1, sizeof same);
    return same;
  };
  if (index.adopt(1 << 12, any_key)) fail("no set has room: a look-up would not end", "");
  index.each_part([](auto& part) { part = {}; });
  if (index.adopt(0, key_at)) fail("no sets", "");
}

}  // namespace

int main() {
  for (const std::size_t count : {0, 1, 2, 10, 1000, 50000}) {
    Random random(count + 1);
    const Tokens tokens = make_tokens(count, random);
    check(make_index(tokens), tokens, random);
  }
  test_same_keys();
  test_a_million();
  test_damage();
}
