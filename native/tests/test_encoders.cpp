// The encoders against byte-pair encoding as its definition reads: all five kernels, on random
// vocabs as awkward as the format allows, and on spans of a megabyte.
#include <chrono>

#include "support.hpp"

namespace {

using support::fail;
using support::Ids;
using support::Random;
using support::TestVocab;

// The tables themselves: every token's look-ups, and what `proper` says.
void check_tables(const TestVocab& vocab, std::uint64_t seed) {
  const wordsplit::VocabTables& tables = *vocab.tables;
  std::map<std::uint32_t, std::uint32_t> rank_of;  // of the last merge of each live token
  bool proper = true;
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
      proper &= !rank_of.count(part) || rank_of[part] < rank;
    }
    const wordsplit::MadeBy& made = tables.made_by(id);
    // An improper token is known to be made, its live merge is not looked for.
    if (tables.proper() &&
        (made.left != left || made.right != right || made.rank_plus_1 != rank + 1)) {
      fail("live merge", vocab.bytes_of(id), seed);
    }
  }
  if (tables.proper() != proper) fail("proper", "", seed);
}

void test_random_vocabs() {
  int improper = 0, rounds = 400;
  wordsplit::Scratch scratch;
  for (int seed = 0; seed < rounds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const TestVocab vocab = support::make_vocab(random);
    check_tables(vocab, static_cast<std::uint64_t>(seed));
    std::unique_ptr<const wordsplit::TokenTrie> trie;
    if (vocab.tables->proper()) trie = std::make_unique<wordsplit::TokenTrie>(*vocab.tables);
    improper += !trie;
    for (int i = 0; i < 60; ++i) {
      const std::string span = support::make_span(vocab, random, i % 10 ? 40 : 300);
      if (!vocab.has_bytes(span)) continue;
      support::check_encoders(vocab, trie.get(), span, vocab.encode(span), scratch,
                              static_cast<std::uint64_t>(seed));
    }
  }
  // Both answers must be met, or the test tests less than it says.
  if (improper < rounds / 20 || improper > rounds / 2)
    fail("improper vocabs", std::to_string(improper));
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
  if (!vocab.tables->proper()) fail("long_tokens is improper", "");
  const wordsplit::TokenTrie trie(*vocab.tables);
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
