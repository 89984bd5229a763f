// All encoders against byte-pair encoding as it is defined, on random vocabs as awkward as the
// format allows, and on spans of a megabyte.
#include <chrono>

#include "support.hpp"

namespace {

using support::fail;
using support::Ids;
using support::Random;
using support::TestVocab;

// The tables: the look-ups of every token, and supports_backtracking().
void check_tables(const TestVocab& vocab, std::uint64_t seed) {
  const wordsplit::VocabTables& tables = *vocab.tables;
  std::map<std::uint32_t, std::uint32_t> rank_of;  // of the last merge of each live token
  bool in_order = true;
  for (const auto& [token, id] : vocab.by_bytes) {
    const support::Exact bytes(token);
    if (tables.find(bytes.data.get(), bytes.n) != id) fail("find", token, seed);
    const bool live = vocab.has_bytes(token) && vocab.encode(token) == Ids{id};
    const std::uint32_t want = live ? id : wordsplit::kNoToken;
    if (tables.find_live(bytes.data.get(), bytes.n) != want) fail("find_live", token, seed);
    if (live && token.size() > 1) {
      vocab.encode(token, &rank_of[id]);
    }
  }
  for (const auto& [id, rank] : rank_of) {
    const std::uint32_t left = vocab.merges[2 * rank], right = vocab.merges[2 * rank + 1];
    for (const std::uint32_t part : {left, right}) {
      in_order &= !rank_of.count(part) || rank_of[part] < rank;
    }
    const wordsplit::MadeBy& made = tables.made_by(id);
    // The live merge of a token that is out of order is not searched for.
    if (tables.supports_backtracking() &&
        (made.left != left || made.right != right || made.rank_plus_1 != rank + 1)) {
      fail("live merge", vocab.bytes_of(id), seed);
    }
  }
  if (tables.supports_backtracking() != in_order) fail("supports_backtracking", "", seed);
}

void test_random_vocabs() {
  int out_of_order = 0, rounds = 400;
  for (int seed = 0; seed < rounds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const TestVocab vocab = support::make_vocab(random);
    check_tables(vocab, static_cast<std::uint64_t>(seed));
    support::AllEncoders encoders(*vocab.tables);
    out_of_order += !vocab.tables->supports_backtracking();
    for (int i = 0; i < 60; ++i) {
      const std::string span = support::make_span(vocab, random, i % 10 ? 40 : 300);
      if (!vocab.has_bytes(span)) continue;
      encoders.check(span, vocab.encode(span), static_cast<std::uint64_t>(seed));
    }
  }
  // Both kinds of vocabs must occur often enough.
  if (out_of_order < rounds / 20 || out_of_order > rounds / 2) {
    fail("vocabs without backtracking", std::to_string(out_of_order));
  }
}

// Runs of one letter to 2^12, pairs of letters, and words that overlap.
TestVocab long_tokens() {
  TestVocab vocab;
  std::map<std::string, std::uint32_t> id_of;
  const auto add = [&](const std::string& token) {
    if (!id_of.emplace(token, vocab.tokens.size()).second) return;
    vocab.ids.push_back(static_cast<std::uint32_t>(vocab.tokens.size()));
    vocab.tokens.push_back(token);
  };
  for (int b = 0; b < 256; ++b) add(std::string(1, static_cast<char>(b)));
  const auto merge = [&](const std::string& left, const std::string& right) {
    vocab.merges.push_back(id_of.at(left));
    vocab.merges.push_back(id_of.at(right));
    add(left + right);
  };
  for (std::size_t n = 1; n < 1 << 12; n *= 2) merge(std::string(n, 'a'), std::string(n, 'a'));
  for (const char* pair : {"ab", "ba", "bc", "cb", "ca"}) merge({pair[0]}, {pair[1]});
  merge("ab", "ba"), merge("ba", "ab"), merge("abba", "abba"), merge("ca", "b"), merge("bc", "ca");
  vocab.build();
  return vocab;
}

void test_a_megabyte() {
  const TestVocab vocab = long_tokens();
  if (!vocab.tables->supports_backtracking()) fail("long_tokens is out of order", "");
  const wordsplit::MadeTokens trie(*vocab.tables);
  wordsplit::Scratch scratch;
  Random random(1);
  const std::size_t n = 1 << 20;
  std::string one(n, 'a'), two, mixed, almost(n, 'a');
  while (two.size() < n) two += "ab";
  while (mixed.size() < n) mixed += "abc"[random.below(3)];
  almost.back() = 'b';
  for (const std::string& span : {one, two, mixed, almost}) {
    const support::Exact text(span);
    const std::unique_ptr<std::uint32_t[]> out(new std::uint32_t[n]), other(new std::uint32_t[n]);
    const auto begin = std::chrono::steady_clock::now();
    const std::size_t count =
        wordsplit::heap_merge(*vocab.tables, text.data.get(), n, out.get(), scratch);
    const std::size_t same =
        wordsplit::backtracking(*vocab.tables, trie, text.data.get(), n, other.get(), scratch);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (!std::equal(out.get(), out.get() + count, other.get(), other.get() + same)) {
      fail("a megabyte: the encoders differ", span);
    }
    std::string back;
    for (std::size_t i = 0; i < count; ++i) back += vocab.tokens[out[i]];
    if (back != span) fail("a megabyte: not its bytes", span);
    // A second under sanitizers is usual; a quadratic encoder takes hours.
    if (took.count() > 60) fail("a megabyte: too slow", span);
  }
}

}  // namespace

int main() {
  test_random_vocabs();
  test_a_megabyte();
}
