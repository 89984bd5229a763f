// The tokens of a Unigram model whose scores have the greatest sum, by dynamic programming.
//
// The best way to each position is the best way to an earlier one and the token between; the first
// found stays on a tie, which is the one from the earliest position. A character that is not a
// token is a separate step, with a score below all others. The order of additions and comparisons
// is that of `tokenizers` and of `sentencepiece`: it decides between sums that are equal except for
// rounding. `sentencepiece` keeps sums of 32 bits small: where the one at a character is beyond
// kGreatestSum, it is subtracted from all that begin there or later.
//
// Long spans, which are whole texts, are made of pieces: no token contains the characters on both
// sides of the boundary of two, nor does a run of unknown characters (cuts.hpp). So every path
// passes through all boundaries, and the best path is made of the best paths of the pieces, each of
// which begins with the sum up to it. The sum takes part in rounding only. With the sum at S, a
// path of k steps whose partial sums in the piece are at most A in magnitude has a rounded sum that
// differs from the exact one by E = k u (|S| + 2A) at most, where u is the unit of rounding, with
// room to spare. (There are no more steps than characters.) Rounded addition is monotonic, so the
// rounded dynamic programming finds a path of the greatest rounded sum. If the exact sum of the
// best path exceeds that of every other by more than 2E, then so does its rounded sum, and it is
// the only best path: the same for every such S. These paths are cached (path_cache.hpp); in other
// pieces, the sums are computed again.
//
// With a bound on S, a word can be encoded without knowing S, and the span cache may hold its
// tokens together with the bound, if that is less than kGreatestSum (block_encoder.hpp). No sum is
// taken back to zero within such a word, since it is encoded by find() where one could be.
//
// O(n m) for n bytes and tokens of up to m.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "wordsplit/encoders/contract.hpp"
#include "wordsplit/encoders/suffix_trie.hpp"
#include "wordsplit/encoders/token_trie.hpp"
#include "wordsplit/tables/cuts.hpp"
#include "wordsplit/tables/vocab_tables.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

// All tokens, by their numbers in a trie in which they weigh their scores, with their ids.
class ScoredTokens : public TableIndex {
 public:
  explicit ScoredTokens(const VocabTables& tables) : ScoredTokens(tables, all_tokens(tables)) {}

  const SuffixTrie& trie() const { return trie_; }
  std::uint32_t id_at(std::uint32_t number) const { return ids_[number]; }
  // Whether a token has this id and this score.
  bool is_token(std::uint32_t id, double score) const {
    return id < by_id_.size() && by_id_[id] == score;
  }
  // Of the unknown token, that of a step that is not a token. Precondition: `id` is a token's.
  double score_of(std::uint32_t id) const { return by_id_[id]; }
  std::uint32_t unk_id() const { return unk_id_; }
  bool single_precision() const { return single_precision_; }
  // Where no token and no run of unknown characters crosses.
  const CutTable& cuts() const { return cuts_; }
  std::size_t scan_cuts(const std::uint8_t* text, std::size_t n, std::size_t& pos,
                        std::uint32_t* ends, std::size_t cap) const {
    return wordsplit::scan_cuts(simd_, cuts_, text, n, pos, ends, cap);
  }
  // The greatest magnitude of a score.
  double greatest() const { return greatest_; }
  // The greatest magnitude of a sum after which no sum within a piece exceeds kGreatestSum.
  static constexpr double kGreatestSum = 100000;
  double greatest_before_piece() const {
    return kGreatestSum - static_cast<double>(PathCache::kLongest) * greatest_;
  }

 private:
  ScoredTokens(const VocabTables& tables, const std::vector<std::uint32_t>& order)
      : trie_(
            order.size(), [&](std::size_t k) { return tables.bytes_at(order[k]); },
            [&](std::size_t k) { return tables.scores()[order[k]]; }),
        ids_(ids_of(tables, order)),
        cuts_(CutTable::of_tokens(tables)),
        unk_id_(tables.model().unk_id),
        single_precision_(tables.model().single_precision),
        greatest_(std::abs(tables.model().unknown_score)) {
    for (std::size_t number = 0; number < ids_.size(); ++number) {
      const double score = tables.scores()[order[number]];
      greatest_ = std::max(greatest_, std::abs(score));
      if (ids_[number] >= by_id_.size()) {
        by_id_.resize(ids_[number] + std::size_t{1}, std::numeric_limits<double>::quiet_NaN());
      }
      by_id_[ids_[number]] = score;
    }
    if (unk_id_ < by_id_.size()) by_id_[unk_id_] = tables.model().unknown_score;
  }

  SuffixTrie trie_;
  std::vector<std::uint32_t> ids_;
  std::vector<double> by_id_;
  CutTable cuts_;
  SimdLevel simd_ = best_simd_level();
  std::uint32_t unk_id_;
  bool single_precision_;
  double greatest_;
};

inline std::string viterbi_obstacle(const VocabTables& tables) {
  return tables.model().kind == ModelKind::Unigram ? "" : "is for Unigram models";
}

// One call of viterbi().
class BestPath {
 public:
  BestPath(const VocabTables& tables, const ScoredTokens& tokens, Scratch& scratch)
      : tables_(tables), model_(tables.model()), tokens_(tokens), scratch_(scratch) {}

  // Writes the ids of text[0, n) to `out`, and returns their number. `sum` is the sum of scores
  // before the text, and becomes the one after it.
  std::size_t find(const std::uint8_t* text, std::size_t n, double& sum, std::uint32_t* out) {
    auto& steps = begin_steps(n, sum);
    if (model_.single_precision) {
      find_single(text, n);
    } else {
      for_each_end(text, n, [&](std::size_t at, std::size_t to, std::uint32_t longest) {
        Scratch::Step best;
        for_each_step(at, to, longest, [&](std::size_t from, std::uint32_t token, double score) {
          take_better(best, from, token, score + steps[from].score);
        });
        steps[to] = best;
      });
    }
    sum = steps[n].score;
    return write_ids(text, n, out);
  }

  // The same piece by piece, for a long text or many.
  std::size_t find_in_pieces(const std::uint8_t* text, std::size_t n, double& sum,
                             std::uint32_t* out) {
    std::uint32_t* to = out;
    std::uint32_t ends[64];
    for (std::size_t at = 0, start = 0; at < n;) {
      const std::size_t count = tokens_.scan_cuts(text, n, at, ends, 64);
      for (std::size_t i = 0; i < count; start = ends[i++]) {
        to += find_piece(text + start, ends[i] - start, sum, to);
      }
    }
    return static_cast<std::size_t>(to - out);
  }

  // The tokens of a word whatever the sum before it, up to a greatest magnitude.
  struct Anywhere {
    std::size_t count = 0;  // none if there are no such tokens
    double most = 0;
    bool has_unknown = false;
  };
  // Writes the ids of a word of PathCache::kLongest bytes at most, the unknown token for each
  // unknown character. longest: the longest tokens that end after its bytes.
  Anywhere find_anywhere(const std::uint8_t* word, std::size_t n, const std::uint32_t* longest,
                         std::uint32_t* out) {
    Anywhere found;
    found.most = find_exact(word, n, longest);
    if (!(found.most > 0)) return found;
    const auto& steps = scratch_.steps;
    std::size_t to = n, step = scores_.size();
    for (std::size_t end = n, start; end > 0; end = start) {
      for (start = end; start > 0 && steps[start].token == kUnknown; start = steps[start].from) {
        out[--to] = model_.unk_id;
        --step;
      }
      if (start < end) {  // a run of unknown characters, see write_ids()
        const bool is_token = tables_.find(word + start, end - start) != kNoToken;
        if (is_token || model_.has_fallback()) return found;
        found.has_unknown = true;
        continue;
      }
      out[--to] = tokens_.id_at(steps[end].token);
      if (out[to] == model_.unk_id || !tokens_.is_token(out[to], scores_[--step])) return found;
      start = steps[end].from;
    }
    std::copy(out + to, out + n, out);
    found.count = n - to;
    return found;
  }

 private:
  // The first step found stays on a tie. From within a character there is none.
  void take_better(Scratch::Step& best, std::size_t from, std::uint32_t token, double total) const {
    if (!scratch_.steps[from].is_reached()) return;
    if (best.is_reached() && !(total > best.score)) return;
    best = {total, static_cast<std::uint32_t>(from), token};
  }

  // The steps of find() with sums of 32 bits, which are kept small.
  void find_single(const std::uint8_t* text, std::size_t n) {
    auto& steps = scratch_.steps;
    auto& subtracted = scratch_.subtracted;
    subtracted.clear();
    for_each_end(text, n, [&](std::size_t at, std::size_t to, std::uint32_t longest) {
      if (is_beyond(steps[at].score)) {
        subtracted.push_back({at, steps[at].score});
        steps[at].score = 0;
      }
      Scratch::Step best;
      // What was subtracted after the beginning of a step was subtracted from where it leads to.
      // The last step begins at `at`.
      std::size_t next = subtracted.size();
      const std::size_t first = longest == SuffixTrie::kNoKey ? at : to - trie_.key(longest).size;
      while (next > 0 && subtracted[next - 1].at > first) --next;
      const auto subtract_up_to = [&](std::size_t from) {
        for (; next < subtracted.size() && subtracted[next].at <= from; ++next) {
          if (best.is_reached()) best.score = rounded(best.score - subtracted[next].sum);
        }
      };
      for_each_step(at, to, longest, [&](std::size_t from, std::uint32_t token, double score) {
        subtract_up_to(from);
        take_better(best, from, token, rounded(score + steps[from].score));
      });
      steps[to] = best;
    });
  }

  std::size_t find_piece(const std::uint8_t* piece, std::size_t n, double& sum,
                         std::uint32_t* out) {
    if (n > PathCache::kLongest) return find(piece, n, sum, out);
    const PathCache::Path& path = path_of(piece, n, out);
    const double greatest = std::abs(sum) + static_cast<double>(n) * tokens_.greatest();
    if (std::abs(sum) > path.most || is_beyond(greatest)) return find(piece, n, sum, out);
    for (const double score : path.scores()) sum = rounded(score + sum);
    const auto ids = path.ids();
    std::copy(ids.begin(), ids.end(), out);
    scratch_.report(ids.size());
    return ids.size();
  }

  // The path of a piece of PathCache::kLongest bytes at most, valid until the next call. May write
  // n ids to `out`.
  const PathCache::Path& path_of(const std::uint8_t* piece, std::size_t n, std::uint32_t* out) {
    PathCache& paths = scratch_.paths;
    const std::uint64_t hash = PathCache::hash_of(piece, n);
    if (const PathCache::Path* path = paths.find(hash, piece, n)) return *path;
    SuffixTrie::Walk walk = {piece, n, {}};
    trie_.walk(&walk, 1);
    const double most = find_exact(piece, n, walk.longest);
    const std::size_t count = most < 0 ? 0 : write_ids(piece, n, out);
    return *paths.insert(hash, piece, n, most, {out, count}, scores_);
  }

  // Finds the best path of a piece, or of several one after the other, by exact sums, and its
  // scores. Returns the greatest magnitude of the sum before it with which it is the one that
  // find() finds; negative if there is none. longest_at: the longest tokens that end after its
  // bytes.
  double find_exact(const std::uint8_t* piece, std::size_t n, const std::uint32_t* longest_at) {
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    auto& steps = begin_steps(n, 0);
    double seconds[PathCache::kLongest + 1];  // the second best sums
    double last[PathCache::kLongest + 1];     // scores
    seconds[0] = kNone;
    std::size_t characters = 0;
    const auto find_longest = [&](std::size_t, std::size_t to) { return longest_at[to - 1]; };
    const auto step_to = [&](std::size_t at, std::size_t to, std::uint32_t longest) {
      ++characters;
      Scratch::Step best = {kNone};
      double second = kNone, last_score = 0;
      // Without branches, since nobody could predict them. What is not reached has a sum of kNone.
      for_each_step(at, to, longest, [&](std::size_t from, std::uint32_t token, double score) {
        const double total = score + steps[from].score;
        const bool better = total > best.score;
        second = std::max({second, std::min(best.score, total), score + seconds[from]});
        best.score = better ? total : best.score;
        best.from = better ? static_cast<std::uint32_t>(from) : best.from;
        best.token = better ? token : best.token;
        last_score = better ? score : last_score;
      });
      steps[to] = best;
      std::fill(seconds + at + 1, seconds + to, kNone);
      seconds[to] = second;
      last[to] = last_score;
    };
    for_each_character(piece, n, find_longest, step_to);
    scores_.clear();
    for (std::size_t end = n; end > 0; end = steps[end].from) scores_.push_back(last[end]);
    std::reverse(scores_.begin(), scores_.end());
    const double k = static_cast<double>(characters), most = k * tokens_.greatest();  // A
    const double unit = model_.single_precision ? 0x1p-24 : 0x1p-53;
    // "Exact" sums have 53 bits.
    const double margin = steps[n].score - seconds[n] - k * most * 0x1p-50;
    if (!(margin > 0)) return -1;
    return margin / (2.01 * k * unit) - 2 * most;  // margin > 2E
  }

  // Instead of the number of a token: a step that is not a token.
  static constexpr std::uint32_t kUnknown = Scratch::Step::kUnreached - 1;

  // The steps to the positions of a text of n bytes, the first of which is reached with a sum.
  std::vector<Scratch::Step>& begin_steps(std::size_t n, double sum) {
    auto& steps = scratch_.steps;
    if (steps.size() <= n) steps.resize(n + 1);
    steps[0] = {sum, 0, kUnknown};
    return steps;
  }

  // Calls visit(at, to, longest) for each character text[at, to), in order, with the number of the
  // longest token that ends with it. Positions within the character are not reached.
  template <class Visit>
  void for_each_end(const std::uint8_t* text, std::size_t n, Visit&& visit) {
    std::uint32_t state = SuffixTrie::kRoot;
    const auto find_longest = [&](std::size_t at, std::size_t to) {
      for (std::size_t i = at; i < to; ++i) state = trie_.step(state, text[i]);
      return trie_.longest_at(state);
    };
    for_each_character(text, n, find_longest, visit);
  }
  template <class FindLongest, class Visit>
  void for_each_character(const std::uint8_t* text, std::size_t n, FindLongest&& find_longest,
                          Visit&& visit) {
    for (std::size_t at = 0, to; at < n; at = to) {
      to = at + (text[at] < 0x80 ? 1 : decode_utf8(text + at, text + n).size);
      for (std::size_t i = at + 1; i < to; ++i) scratch_.steps[i] = {};
      visit(at, to, find_longest(at, to));
      scratch_.report(16);
    }
  }

  // Calls offer(from, token, score) for each token that ends at `to`, in order of `from`, which may
  // be within a character, and for the character that begins at `at` if it is none.
  template <class Offer>
  void for_each_step(std::size_t at, std::size_t to, std::uint32_t longest, Offer&& offer) const {
    bool alone = false;
    for (std::uint32_t token = longest; token != SuffixTrie::kNoKey;) {
      const SuffixTrie::Key& key = trie_.key(token);
      offer(to - key.size, token, key.weight);
      alone |= to - key.size == at;
      token = key.shorter;
    }
    if (!alone) offer(at, kUnknown, model_.unknown_score);
  }

  bool is_beyond(double sum) const {
    return model_.single_precision && std::abs(sum) > ScoredTokens::kGreatestSum;
  }
  double rounded(double sum) const {
    return model_.single_precision ? static_cast<double>(static_cast<float>(sum)) : sum;
  }

  // Back from the end; the ids are written to the end of `out`, then moved. A run of unknown
  // characters is one text, which could be a token by itself.
  std::size_t write_ids(const std::uint8_t* text, std::size_t n, std::uint32_t* out) const {
    const auto& steps = scratch_.steps;
    const auto id_at = [&](std::size_t end) {
      const std::uint32_t token = steps[end].token;
      return token == kUnknown ? model_.unk_id : tokens_.id_at(token);
    };
    std::size_t to = n;
    for (std::size_t end = n; end > 0;) {
      std::size_t start = steps[end].from;
      const std::uint32_t id = id_at(end);
      if (id != model_.unk_id) {
        out[--to] = id;
      } else {
        while (start > 0 && id_at(start) == model_.unk_id) start = steps[start].from;
        const std::uint32_t known = tables_.find(text + start, end - start);
        if (known != kNoToken) {
          out[--to] = known;
        } else if (model_.has_fallback() && have_byte_tokens(text + start, text + end)) {
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

  // Whether each byte has a token that spells it. In place of one that is missing there is the
  // token of its character, which is only unknown as a part of the unknown token's text.
  bool have_byte_tokens(const std::uint8_t* p, const std::uint8_t* end) const {
    return std::all_of(p, end, [&](std::uint8_t byte) {
      return tables_.bytes_at(tables_.index_of(model_.fallback[byte])).size() > 1;
    });
  }

  const VocabTables& tables_;
  const ModelRules& model_;
  const ScoredTokens& tokens_;
  const SuffixTrie& trie_ = tokens_.trie();
  Scratch& scratch_;
  std::vector<double>& scores_ = scratch_.scores;
};

inline std::size_t viterbi(const VocabTables& tables, const ScoredTokens& tokens,
                           const std::uint8_t* span, std::size_t n, std::uint32_t* out,
                           Scratch& scratch) {
  BestPath path(tables, tokens, scratch);
  double from_zero = 0, &sum = scratch.carries_sum ? scratch.sum : from_zero;
  if ((n > PathCache::kLongest || scratch.carries_sum) && scratch.paths.is_used()) {
    return path.find_in_pieces(span, n, sum, out);
  }
  return path.find(span, n, sum, out);
}

}  // namespace wordsplit
