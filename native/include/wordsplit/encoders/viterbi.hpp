// The tokens of a Unigram model whose scores have the greatest sum, by dynamic programming.
//
// The best way to each position is the best way to an earlier one and the token between; the first
// found stays on a tie, which is the one from the earliest position. A character that is no token
// is a step of its own, with a score below all others. The order of additions and comparisons is
// that of `tokenizers` and of `sentencepiece`: it decides between sums that are equal but for
// rounding. For the same reason a span is cut nowhere but where the vocab's own rules cut it.
//
// O(n m) for n bytes and tokens of up to m.
#pragma once

#include <cstdint>
#include <string>

#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/encoders/token_trie.hpp"
#include "wordsplit/tables/vocab_tables.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

// All tokens that text can give.
class AllTokens : public TokenTrie {
 public:
  explicit AllTokens(const VocabTables& tables)
      : TokenTrie(tables, [&](std::size_t i) {
          const auto* p = reinterpret_cast<const std::uint8_t*>(tables.bytes_at(i).data());
          return tables.find(p, tables.bytes_at(i).size()) == tables.id_at(i);
        }) {}
};

// All tokens with their scores, which are beside each other at the state where a token ends.
class ScoredTokens : public AllTokens {
 public:
  struct End {
    double score;
    std::uint32_t id;  // kNoToken: no token ends here
  };

  explicit ScoredTokens(const VocabTables& tables) : AllTokens(tables), ends_(states()) {
    for (std::uint32_t state = 0; state < states(); ++state) {
      const std::uint32_t index = token_at(state);
      ends_[state] =
          index == kNoToken ? End{0, kNoToken} : End{tables.scores()[index], tables.id_at(index)};
    }
  }
  const End& end_at(std::uint32_t state) const { return ends_[state]; }

 private:
  std::vector<End> ends_;
};

inline std::string viterbi_obstacle(const VocabTables& tables) {
  return tables.model().kind == ModelKind::Unigram ? "" : "is for Unigram models";
}

inline std::size_t viterbi(const VocabTables& tables, const ScoredTokens& trie,
                           const std::uint8_t* span, std::size_t n, std::uint32_t* out,
                           Scratch& scratch) {
  const ModelRules& model = tables.model();
  const bool single = model.single_precision;
  auto& steps = scratch.steps;
  steps.assign(n + 1, {});
  const auto offer = [&](std::size_t from, std::size_t to, std::uint32_t id, double score) {
    const double exact = score + steps[from].score;
    const double sum = single ? static_cast<double>(static_cast<float>(exact)) : exact;
    Scratch::Step& step = steps[to];
    if (step.id != kNoToken && !(sum > step.score)) return;
    step = {sum, static_cast<std::uint32_t>(from), id};
  };
  for (std::size_t at = 0; at < n;) {
    const std::size_t size = decode_utf8(span + at, span + n).size;
    bool alone = false;
    std::uint32_t state = TokenTrie::kRoot;
    for (std::size_t end = at; end < n;) {
      state = trie.step(state, span[end++]);
      if (state == TokenTrie::kRoot) break;
      const ScoredTokens::End& token = trie.end_at(state);
      if (token.id == kNoToken) continue;
      offer(at, end, token.id, token.score);
      alone |= end == at + size;
    }
    scratch.report(16);
    if (!alone) offer(at, at + size, model.unk_id, model.unknown_score);
    at += size;
  }
  // Back from the end; the ids are written to the end of `out`, then moved. A run of unknown
  // characters is one text, which could be a token by itself.
  std::size_t to = n;
  for (std::size_t end = n; end > 0;) {
    std::size_t start = steps[end].from;
    if (steps[end].id != model.unk_id) {
      out[--to] = steps[end].id;
    } else {
      while (start > 0 && steps[start].id == model.unk_id) start = steps[start].from;
      const std::uint32_t known = tables.find(span + start, end - start);
      if (known != kNoToken) {
        out[--to] = known;
      } else if (model.has_fallback()) {
        for (std::size_t i = end; i-- > start;) out[--to] = model.fallback[span[i]];
      } else {
        out[--to] = model.unk_id;
      }
    }
    end = start;
  }
  std::copy(out + to, out + n, out);
  return n - to;
}

}  // namespace wordsplit
