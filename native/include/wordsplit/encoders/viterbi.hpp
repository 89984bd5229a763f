// The tokens of a Unigram model whose scores have the greatest sum, by dynamic programming.
//
// The best way to each position is the best way to an earlier one and the token between; the first
// found stays on a tie, which is the one from the earliest position. A character that is no token
// is a step of its own, with a score below all others. The order of additions and comparisons is
// that of `tokenizers` and of `sentencepiece`: it decides between sums that are equal but for
// rounding. `sentencepiece` keeps sums of 32 bits small: where the one at a character is beyond
// kGreatestSum, it is subtracted from all that begin there or later.
//
// Long spans, which are whole texts, are made of pieces: no token contains the characters on both
// sides of the boundary of two, nor does a run of unknown characters (cuts.hpp). So every path
// passes through all boundaries, and the best path is made of the best paths of the pieces, each of
// which begins with the sum up to it. The sum takes part in rounding only. With the sum at S, a
// path of k steps whose partial sums in the piece are at most A in magnitude has a rounded sum that
// differs from the exact one by E = k u (|S| + 2A) at most, where u is the unit of rounding, with
// room to spare. Rounded addition is monotonic, so the rounded dynamic programming finds a path of
// the greatest rounded sum. If the exact sum of the best path exceeds that of every other by more
// than 2E, then so does its rounded sum, and it is the only best path: the same for every such S.
// These paths are cached (path_cache.hpp); in other pieces, the sums are made anew.
//
// O(n m) for n bytes and tokens of up to m.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/encoders/token_trie.hpp"
#include "wordsplit/tables/cuts.hpp"
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

  explicit ScoredTokens(const VocabTables& tables)
      : AllTokens(tables),
        ends_(states()),
        cuts_(CutTable::of_tokens(tables)),
        greatest_(std::abs(tables.model().unknown_score)) {
    for (std::uint32_t state = 0; state < states(); ++state) {
      const std::uint32_t index = token_at(state);
      ends_[state] =
          index == kNoToken ? End{0, kNoToken} : End{tables.scores()[index], tables.id_at(index)};
      greatest_ = std::max(greatest_, std::abs(ends_[state].score));
    }
  }
  const End& end_at(std::uint32_t state) const { return ends_[state]; }
  // Where no token and no run of unknown characters crosses.
  const CutTable& cuts() const { return cuts_; }
  // The greatest magnitude of a score.
  double greatest() const { return greatest_; }

 private:
  std::vector<End> ends_;
  CutTable cuts_;
  double greatest_;
};

inline std::string viterbi_obstacle(const VocabTables& tables) {
  return tables.model().kind == ModelKind::Unigram ? "" : "is for Unigram models";
}

// One call of viterbi().
class BestPath {
 public:
  BestPath(const VocabTables& tables, const ScoredTokens& trie, Scratch& scratch)
      : tables_(tables), model_(tables.model()), trie_(trie), scratch_(scratch) {}

  // Writes the ids of text[0, n) to `out`, and returns their number. `sum` is the sum of scores
  // before the text, and becomes the one after it.
  std::size_t find(const std::uint8_t* text, std::size_t n, double& sum, std::uint32_t* out) {
    auto& steps = scratch_.steps;
    steps.assign(n + 1, {});
    steps[0].score = sum;
    std::size_t last = 0;  // that a step has reached
    for_each_step(text, n, [&](std::size_t from, std::size_t to, std::uint32_t id, double score) {
      if (is_beyond(steps[from].score)) rebase(from, last);
      last = std::max(last, to);
      const double total = rounded(score + steps[from].score);
      Scratch::Step& step = steps[to];
      if (step.id != kNoToken && !(total > step.score)) return;
      step = {total, static_cast<std::uint32_t>(from), id};
    });
    sum = steps[n].score;
    return write_ids(text, n, out);
  }

  // The same for a long text, piece by piece.
  std::size_t find_in_pieces(const std::uint8_t* text, std::size_t n, std::uint32_t* out) {
    double sum = 0;
    std::uint32_t* to = out;
    std::uint32_t ends[64];
    for (std::size_t at = 0, start = 0; at < n;) {
      const std::size_t count = scan_cuts(trie_.cuts(), text, n, at, ends, 64);
      for (std::size_t i = 0; i < count; start = ends[i++]) {
        to += find_piece(text + start, ends[i] - start, sum, to);
      }
    }
    return static_cast<std::size_t>(to - out);
  }

 private:
  std::size_t find_piece(const std::uint8_t* piece, std::size_t n, double& sum,
                         std::uint32_t* out) {
    if (n > PathCache::kLongest) return find(piece, n, sum, out);
    PathCache& paths = scratch_.paths;
    const std::uint64_t hash = PathCache::hash_of(piece, n);
    const PathCache::Path* path = paths.find(hash, piece, n);
    if (!path) {
      const double most = find_exact(piece, n);
      const std::size_t count = most < 0 ? 0 : write_ids(piece, n, out);
      path = paths.insert(hash, piece, n, most, {out, count}, scores_);
    }
    const double greatest = std::abs(sum) + static_cast<double>(n) * trie_.greatest();
    if (std::abs(sum) > path->most || is_beyond(greatest)) return find(piece, n, sum, out);
    for (const double score : paths.scores(*path)) sum = rounded(score + sum);
    const auto ids = paths.ids(*path);
    std::copy(ids.begin(), ids.end(), out);
    scratch_.report(ids.size());
    return ids.size();
  }

  // Finds the best path of a piece by exact sums, and its scores. Returns the greatest magnitude of
  // the sum before it with which it is the one that find() finds; negative if there is none.
  double find_exact(const std::uint8_t* piece, std::size_t n) {
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    auto& steps = scratch_.steps;
    steps.assign(n + 1, {kNone});
    steps[0].score = 0;
    double seconds[PathCache::kLongest + 1];  // the second best sums
    double last[PathCache::kLongest + 1];     // scores
    std::fill_n(seconds, n + 1, kNone);
    for_each_step(piece, n, [&](std::size_t from, std::size_t to, std::uint32_t id, double score) {
      const double first = score + steps[from].score, second = score + seconds[from];
      Scratch::Step& step = steps[to];
      if (first > step.score) {
        seconds[to] = std::max(step.score, second);
        step = {first, static_cast<std::uint32_t>(from), id};
        last[to] = score;
      } else {
        seconds[to] = std::max(seconds[to], first);
      }
    });
    scores_.clear();
    for (std::size_t end = n; end > 0; end = steps[end].from) scores_.push_back(last[end]);
    std::reverse(scores_.begin(), scores_.end());
    const double k = static_cast<double>(n), most = k * trie_.greatest();  // A
    const double unit = model_.single_precision ? 0x1p-24 : 0x1p-53;
    // "Exact" sums have 53 bits.
    const double margin = steps[n].score - seconds[n] - k * most * 0x1p-50;
    if (!(margin > 0)) return -1;
    return margin / (4 * k * unit) - 2 * most;  // margin > 2E, with room to spare
  }

  // Calls offer(from, to, id, score) for each token in text[0, n), and for each character that is
  // none, in order of `from`.
  template <class Offer>
  void for_each_step(const std::uint8_t* text, std::size_t n, Offer&& offer) {
    for (std::size_t at = 0; at < n;) {
      const std::size_t size = decode_utf8(text + at, text + n).size;
      bool alone = false;
      std::uint32_t state = TokenTrie::kRoot;
      for (std::size_t end = at; end < n;) {
        state = trie_.step(state, text[end++]);
        if (state == TokenTrie::kRoot) break;
        const ScoredTokens::End& token = trie_.end_at(state);
        if (token.id == kNoToken) continue;
        offer(at, end, token.id, token.score);
        alone |= end == at + size;
      }
      scratch_.report(16);
      if (!alone) offer(at, at + size, model_.unk_id, model_.unknown_score);
      at += size;
    }
  }

  static constexpr double kGreatestSum = 100000;
  bool is_beyond(double sum) const {
    return model_.single_precision && std::abs(sum) > kGreatestSum;
  }
  // Subtracts the sum at `from` from all sums from there to `last`.
  void rebase(std::size_t from, std::size_t last) {
    auto& steps = scratch_.steps;
    const double offset = steps[from].score;
    steps[from].score = 0;
    for (std::size_t i = from + 1; i <= last; ++i) {
      if (steps[i].id != kNoToken) steps[i].score = rounded(steps[i].score - offset);
    }
  }

  double rounded(double sum) const {
    return model_.single_precision ? static_cast<double>(static_cast<float>(sum)) : sum;
  }

  // Back from the end; the ids are written to the end of `out`, then moved. A run of unknown
  // characters is one text, which could be a token by itself.
  std::size_t write_ids(const std::uint8_t* text, std::size_t n, std::uint32_t* out) const {
    const auto& steps = scratch_.steps;
    std::size_t to = n;
    for (std::size_t end = n; end > 0;) {
      std::size_t start = steps[end].from;
      if (steps[end].id != model_.unk_id) {
        out[--to] = steps[end].id;
      } else {
        while (start > 0 && steps[start].id == model_.unk_id) start = steps[start].from;
        const std::uint32_t known = tables_.find(text + start, end - start);
        if (known != kNoToken) {
          out[--to] = known;
        } else if (model_.has_fallback()) {
          for (std::size_t i = end; i-- > start;) out[--to] = model_.fallback[text[i]];
        } else {
          out[--to] = model_.unk_id;
        }
      }
      end = start;
    }
    std::copy(out + to, out + n, out);
    return n - to;
  }

  const VocabTables& tables_;
  const ModelRules& model_;
  const ScoredTokens& trie_;
  Scratch& scratch_;
  std::vector<double>& scores_ = scratch_.scores;
};

inline std::size_t viterbi(const VocabTables& tables, const ScoredTokens& trie,
                           const std::uint8_t* span, std::size_t n, std::uint32_t* out,
                           Scratch& scratch) {
  BestPath path(tables, trie, scratch);
  if (n > PathCache::kLongest && scratch.paths.is_used()) return path.find_in_pieces(span, n, out);
  double sum = 0;
  return path.find(span, n, sum, out);
}

}  // namespace wordsplit
