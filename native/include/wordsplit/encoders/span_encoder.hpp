// Encodes one span: as the token that it is, or by merging with the encoder for its length.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "wordsplit/encoders/encoders.hpp"
#include "wordsplit/tables/vocab_tables.hpp"
#include "wordsplit/text/word_map.hpp"

namespace wordsplit {

// A byte of the text for which the vocab has no token, and no rule either.
struct MissingByte : std::runtime_error {
  explicit MissingByte(std::uint8_t b) : std::runtime_error("missing byte"), byte(b) {}
  std::uint8_t byte;
};

// Precondition: neither encoder has an obstacle in the vocab's tables.
struct SpanEncoderConfig {
  const Encoder* encoder = find_encoder("priority_merge");
  const Encoder* long_encoder = find_encoder("heap_merge");
  std::size_t long_span = 128;  // longer spans go to long_encoder
  bool ignore_merges = false;
  // Spans are raw text, to be normalized and split into words; null if they are as tokens have
  // them.
  std::shared_ptr<const WordMap> words;
};

// Shared by threads.
class SpanEncoder {
 public:
  // The tables must outlive it.
  SpanEncoder(const VocabTables& tables, const SpanEncoderConfig& config)
      : tables_(tables),
        config_(config),
        index_(config.encoder->make_index ? tables.index(config.encoder->make_index) : nullptr) {
    if (tables_.model().kind > ModelKind::Characters) return;  // which do not begin with bytes
    for (std::uint32_t b = 0; b < 256; ++b) {
      all_bytes_ &= tables_.byte_id(static_cast<std::uint8_t>(b)) != kNoToken;
    }
  }

  // Whether every span can be encoded.
  bool encodes_all_bytes() const { return all_bytes_ || tables_.model().has_missing_rule(); }
  // How many bytes from the start of the span have a token, or are of characters that have one, if
  // others are left out.
  std::size_t known_bytes(const std::uint8_t* span, std::size_t n) const {
    if (tables_.model().drops_characters()) {
      std::size_t at = 0;
      while (at < n) {
        const std::size_t size = first_size(span + at, n - at);
        if (!tables_.has_character(span + at, size)) break;
        at += size;
      }
      return at;
    }
    if (all_bytes_) return n;
    const auto is_missing = [&](std::uint8_t byte) { return tables_.byte_id(byte) == kNoToken; };
    return static_cast<std::size_t>(std::find_if(span, span + n, is_missing) - span);
  }

  // The id of a span that is one token; else kNoToken. `key` is the span's.
  std::uint32_t whole_token(const SpanKey& key, const std::uint8_t* span, std::size_t n) const {
    return has_words() ? kNoToken : whole_word(key, span, n);
  }
  std::uint32_t whole_word(const SpanKey& key, const std::uint8_t* span, std::size_t n) const {
    return config_.ignore_merges ? tables_.find(key, span, n) : tables_.find_live(key, span, n);
  }

  // Of a Unigram model whose sums of scores go on from span to span: its tokens; else null. Spans
  // have to be encoded in order then, except for those that encode_anywhere() encodes.
  const ScoredTokens* sums() const {
    return has_words() && config_.words->rules().summed ? static_cast<const ScoredTokens*>(index_)
                                                        : nullptr;
  }
  // Encodes several spans: calls take(k, ids, found) for each, in order, with the ids that
  // BestPath::Anywhere describes, most_ids() at most. span(k): the k-th and its size.
  static constexpr std::size_t kMostAnywhere = SuffixTrie::kMostWalks;
  template <class Span, class Take>
  void encode_anywhere(std::size_t spans, Span&& span, Scratch& scratch, Take&& take) const {
    static_assert(PathCache::kLongest <= SuffixTrie::kMostWalked);
    const ScoredTokens& tokens = *sums();
    std::size_t ends[kMostAnywhere];
    scratch.text.clear();
    for (std::size_t k = 0; k < spans; ++k) {
      const auto [p, n] = span(k);
      config_.words->words(p, n, false, scratch.text);
      ends[k] = scratch.text.size();
    }
    const auto* const text = reinterpret_cast<const std::uint8_t*>(scratch.text.data());
    SuffixTrie::Walk walks[kMostAnywhere];
    for (std::size_t k = 0, start = 0; k < spans; start = ends[k++]) {
      const std::size_t size = ends[k] - start;
      walks[k].text = text + start;
      walks[k].size = size <= PathCache::kLongest ? size : 0;
    }
    tokens.trie().walk(walks, spans);
    std::uint32_t ids[PathCache::kLongest];
    for (std::size_t k = 0, start = 0; k < spans; start = ends[k++]) {
      BestPath::Anywhere found;
      if (ends[k] - start <= PathCache::kLongest) found = find_anywhere(walks[k], scratch, ids);
      if (found.count > most_ids(span(k).second)) found.count = 0;
      take(k, ids, found);
    }
  }

  // Whether spans are raw text.
  bool has_words() const { return !kOnlyBytes && config_.words; }
  // The most ids that a span of n bytes may have. Of raw text it may be more than n, since one
  // character may become several.
  std::size_t most_ids(std::size_t n) const { return has_words() ? kMostPerByte * n : n; }
  static constexpr std::size_t kMostPerByte = 4;

  // Writes the ids, most_ids(n) at most, and returns their number. Throws MissingByte.
  std::size_t encode(const std::uint8_t* span, std::size_t n, Scratch& scratch,
                     std::uint32_t* out) const {
    *out = whole_token(SpanKey::of(span, n), span, n);
    return *out != kNoToken ? 1 : merge(span, n, scratch, out);
  }

  // The same for a span that is not a token.
  std::size_t merge(const std::uint8_t* span, std::size_t n, Scratch& scratch,
                    std::uint32_t* out) const {
    if (has_words()) return encode_words(span, n, false, most_ids(n), scratch, out);
    return merge_word(span, n, scratch, out);
  }

  // Writes the ids of a span of raw text, `most` at most. Throws NotInCore for more.
  std::size_t encode_words(const std::uint8_t* span, std::size_t n, bool first, std::size_t most,
                           Scratch& scratch, std::uint32_t* out) const {
    scratch.text.clear();
    config_.words->words(span, n, first, scratch.text);
    scratch.carries_sum = config_.words->rules().summed;
    if (first) scratch.sum = 0;
    const auto* text = reinterpret_cast<const std::uint8_t*>(scratch.text.data());
    std::size_t count = 0;
    for (std::size_t at = 0, end; at < scratch.text.size(); at = end + 1) {
      end = scratch.text.find(static_cast<char>(WordRules::kBreak), at);
      if (end == at) continue;
      const std::size_t size = end - at + config_.words->rules().ended;
      if (size <= most - count) {  // room for as many ids as there may be
        count += encode_word(text + at, size, scratch, out + count);
        continue;
      }
      scratch.ids.resize(size);
      const std::size_t found = encode_word(text + at, size, scratch, scratch.ids.data());
      if (found > most - count) throw NotInCore();
      std::copy_n(scratch.ids.data(), found, out + count);
      count += found;
    }
    return count;
  }

 private:
  // Writes the ids of all words of a span, one at most for each of their bytes.
  BestPath::Anywhere find_anywhere(const SuffixTrie::Walk& words, Scratch& scratch,
                                   std::uint32_t* out) const {
    BestPath path(tables_, *sums(), scratch);
    BestPath::Anywhere all = {0, ScoredTokens::kGreatestSum, false};
    for (std::size_t at = 0, end; at < words.size; at = end + 1) {
      end = static_cast<std::size_t>(
          std::find(words.text + at, words.text + words.size, WordRules::kBreak) - words.text);
      if (end == at) continue;
      const BestPath::Anywhere found =
          path.find_anywhere(words.text + at, end - at, words.longest + at, out + all.count);
      const bool joins = all.count > 0 && (all.has_unknown || found.has_unknown);
      if (found.count == 0 || joins) return {};
      all = {all.count + found.count, std::min(all.most, found.most), found.has_unknown};
    }
    return all;
  }

  // Writes the ids of a word, n at most.
  std::size_t encode_word(const std::uint8_t* word, std::size_t n, Scratch& scratch,
                          std::uint32_t* out) const {
    // Unigram looks up no word as a whole, and WordPiece finds it in its trie.
    const ModelKind kind = tables_.model().kind;
    if (kind != ModelKind::Unigram && kind != ModelKind::WordPiece) {
      *out = whole_word(SpanKey::of(word, n), word, n);
      if (*out != kNoToken) return 1;
    }
    return merge_word(word, n, scratch, out);
  }

  std::size_t merge_word(const std::uint8_t* span, std::size_t n, Scratch& scratch,
                         std::uint32_t* out) const {
    const std::size_t known = known_bytes(span, n);
    if (known == n) return merge_known(span, n, scratch, out);
    const ModelRules& model = tables_.model();
    if (!model.has_missing_rule()) throw MissingByte(span[known]);
    return model.missing == Missing::Nothing ? merge_without(span, n, scratch, out)
                                             : merge_between(span, n, scratch, out);
  }

  // Leaves missing bytes or characters out.
  std::size_t merge_without(const std::uint8_t* span, std::size_t n, Scratch& scratch,
                            std::uint32_t* out) const {
    scratch.kept.clear();
    for (std::size_t at = 0; at < n;) {
      const std::size_t size = known_bytes(span + at, n - at);
      scratch.kept.append(reinterpret_cast<const char*>(span) + at, size);
      at += size;
      if (at < n) at += first_size(span + at, n - at);
    }
    const auto* kept = reinterpret_cast<const std::uint8_t*>(scratch.kept.data());
    return scratch.kept.empty() ? 0 : merge_known(kept, scratch.kept.size(), scratch, out);
  }
  // The size of what the model knows or does not: a byte, or a character, with the end of its word.
  std::size_t first_size(const std::uint8_t* p, std::size_t n) const {
    if (!tables_.model().drops_characters()) return 1;
    const std::size_t size = decode_utf8(p, p + n).size;
    const bool ends = has_words() && config_.words->rules().ended;
    return size + (ends && size < n && p[size] == WordRules::kBreak);
  }

  // Writes the unknown token for missing bytes. It is in no merge, so that what is between is
  // merged for itself.
  std::size_t merge_between(const std::uint8_t* span, std::size_t n, Scratch& scratch,
                            std::uint32_t* out) const {
    const ModelRules& model = tables_.model();
    std::size_t count = 0;
    for (std::size_t at = 0; at < n;) {
      if (const std::size_t size = known_bytes(span + at, n - at)) {
        count += merge_known(span + at, size, scratch, out + count);
        at += size;
      }
      for (std::size_t run = 0; at < n && tables_.byte_id(span[at]) == kNoToken; ++run, ++at) {
        if (run == 0 || !model.fuse_unk) out[count++] = model.unk_id;
      }
    }
    return count;
  }

  // The same for a span of which every byte has a token.
  std::size_t merge_known(const std::uint8_t* span, std::size_t n, Scratch& scratch,
                          std::uint32_t* out) const {
    const bool is_long = n > config_.long_span;
    const Encoder& encoder = is_long ? *config_.long_encoder : *config_.encoder;
    std::size_t count;
    if (!encoder.make_index) {
      count = encoder.encode(tables_, nullptr, span, n, out, scratch);
    } else {
      const TableIndex* const index = index_for(encoder, n);
      count = index ? encoder.encode(tables_, index, span, n, out, scratch)
                    : heap_merge(tables_, span, n, out, scratch);
    }
    return tables_.settle(out, count, scratch.tokens);
  }

  static constexpr std::size_t kWorthAnIndex = 256 << 10;

  // The index of an encoder. An index takes time and memory (the trie of Qwen3: 50 ms and 8 MB),
  // so for an encoder of long spans only it is made when there have been enough bytes of them; null
  // until then.
  const TableIndex* index_for(const Encoder& encoder, std::size_t n) const {
    if (&encoder == config_.encoder) return index_;
    if (long_bytes_.fetch_add(n, std::memory_order_relaxed) + n < kWorthAnIndex) return nullptr;
    return tables_.index(encoder.make_index);
  }

  const VocabTables& tables_;
  SpanEncoderConfig config_;
  const TableIndex* index_;  // of the tables; null if the encoder has none
  mutable std::atomic<std::size_t> long_bytes_{0};
  bool all_bytes_ = true;
};

}  // namespace wordsplit
