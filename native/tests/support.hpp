// Shared by the C++ tests and fuzz targets: sources of choices, vocabs as awkward as the format
// allows, and byte-pair encoding as it is defined, over std::map.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "wordsplit/engine/engine.hpp"

namespace support {

using Ids = std::vector<std::uint32_t>;

// The repetitions of a random test, of `all` times. Sanitizers make each several times as slow,
// WebAssembly twice; they see a third of what other builds do.
inline constexpr std::uint64_t rounds(std::uint64_t all) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__EMSCRIPTEN__)
  constexpr bool is_slow = true;
#elif defined(__has_feature)  // clang has no such macros
  constexpr bool is_slow = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
  constexpr bool is_slow = false;
#endif
  return is_slow ? all / 3 : all;
}

// Reports a failure with the bytes that caused it and aborts, as a fuzz target must.
[[noreturn]] inline void fail(const char* what, const std::string& bytes, std::uint64_t seed = 0) {
  std::fprintf(stderr, "%s (seed %llu) on %zu bytes:", what, static_cast<unsigned long long>(seed),
               bytes.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 200); ++i) {
    std::fprintf(stderr, " %02x", static_cast<unsigned char>(bytes[i]));
  }
  std::fprintf(stderr, "\n");
  std::abort();
}

// A copy in a heap block of exactly its size, so that AddressSanitizer detects a read past the end.
struct Exact {
  explicit Exact(const std::string& text) : n(text.size()), data(new std::uint8_t[text.size()]) {
    if (n) std::memcpy(data.get(), text.data(), n);
  }
  std::size_t n;
  std::unique_ptr<std::uint8_t[]> data;
};

struct Random {
  explicit Random(std::uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ULL + 88172645463325252u) {}
  std::uint64_t state;
  std::uint32_t below(std::uint32_t n) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<std::uint32_t>((state >> 11) % n);
  }
};

// Choices read from a fuzzer's bytes; 0 when they are used up.
struct Choices {
  const std::uint8_t* data;
  std::size_t size;
  std::uint32_t below(std::uint32_t n) {
    std::uint32_t value = 0;
    for (std::uint32_t top = n - 1; top > 0 && size > 0; top >>= 8, --size) {
      value = value << 8 | *data++;
    }
    return value % n;
  }
};

struct TestVocab {
  std::vector<std::string> tokens;  // by index, in order of ids
  Ids ids;
  Ids merges;  // (left id, right id) by rank
  Ids unreachable;
  std::string letters;
  std::map<std::string, std::uint32_t> by_bytes;  // without the unreachable ones
  std::map<std::pair<std::uint32_t, std::uint32_t>, wordsplit::Merge> merge_of;
  wordsplit::ModelRules rules;  // of which those for missing bytes are used
  std::shared_ptr<const wordsplit::VocabTables> tables;

  std::string bytes_of(std::uint32_t id) const {
    return tokens[static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) -
                                           ids.begin())];
  }

  bool has_bytes(const std::string& span) const {
    return std::all_of(span.begin(), span.end(),
                       [&](char c) { return by_bytes.count(std::string(1, c)) > 0; });
  }

  // Precondition: has_bytes(span), or a rule for missing bytes. `last`, if given, is set to the
  // rank of the last merge.
  Ids encode(const std::string& span, std::uint32_t* last = nullptr) const {
    Ids parts;
    bool unknown = false;  // whether the byte before is
    for (const char c : span) {
      const auto found = by_bytes.find(std::string(1, c));
      if (found != by_bytes.end()) {
        parts.push_back(found->second);
      } else if (rules.missing == wordsplit::Missing::Unknown && !(unknown && rules.fuse_unk)) {
        parts.push_back(rules.unk_id);
      }
      unknown = found == by_bytes.end();
    }
    while (true) {
      wordsplit::Merge best{wordsplit::kNoRank, 0};
      std::size_t where = 0;
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        const auto found = merge_of.find({parts[i], parts[i + 1]});
        if (found != merge_of.end() && found->second.rank < best.rank) {
          best = found->second, where = i;
        }
      }
      if (best.rank == wordsplit::kNoRank) return parts;
      if (last) *last = best.rank;
      parts[where] = best.merged;
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(where) + 1);
    }
  }

  void build() {
    std::string blob;
    Ids ends;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      blob += tokens[i];
      ends.push_back(static_cast<std::uint32_t>(blob.size()));
      if (!std::binary_search(unreachable.begin(), unreachable.end(), ids[i]))
        by_bytes[tokens[i]] = ids[i];
    }
    for (std::uint32_t rank = 0; 2 * rank < merges.size(); ++rank) {
      const std::uint32_t left = merges[2 * rank], right = merges[2 * rank + 1];
      merge_of[{left, right}] = {rank, by_bytes.at(bytes_of(left) + bytes_of(right))};
    }
    tables = std::make_shared<const wordsplit::VocabTables>(
        blob, ends.data(), ids.data(), tokens.size(), merges.data(), merges.size() / 2, unreachable,
        false, rules);
  }
};

// A vocab over a few letters. Ids are not ranks and have holes, some tokens no merge reaches, some
// are unreachable, some pairs are listed twice, merges may be out of order, some bytes have no
// token.
template <class Source>
TestVocab make_vocab(Source& source) {
  TestVocab vocab;
  const std::uint32_t kinds = 1 + source.below(5);
  // Letters of text, or bytes of a few characters: their merges cross code points.
  const std::string alphabet = source.below(2) ? "abc \xcc\x81" : "s'1\n\xe4\xb8";
  vocab.letters = alphabet.substr(0, kinds);
  std::vector<std::string> known, pool;
  const bool holes = source.below(4) == 0;  // in the bytes
  for (int b = 0; b < 256; ++b) {
    const std::string byte(1, static_cast<char>(b));
    const bool letter = vocab.letters.find(byte) != std::string::npos;
    if (letter) pool.push_back(byte);
    if (letter || !holes) known.push_back(byte);
  }
  std::set<std::string> seen(known.begin(), known.end());
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::uint32_t i = 2 + source.below(50); i--;) {
    const auto size = static_cast<std::uint32_t>(pool.size());
    const std::string left = pool[source.below(size)], right = pool[source.below(size)];
    const std::string joined = left + right;
    if (joined.size() > 20 || (seen.count(joined) && source.below(3))) continue;
    pairs.emplace_back(left, right);
    if (seen.insert(joined).second) known.push_back(joined), pool.push_back(joined);
  }
  for (std::uint32_t i = source.below(5); i--;) {
    std::string token;
    for (std::uint32_t n = 2 + source.below(12); n--;) token += vocab.letters[source.below(kinds)];
    if (seen.insert(token).second) known.push_back(token);
  }
  for (std::size_t i = pairs.size(); source.below(2) && i > 1; --i) {  // out of order, from the end
    std::swap(pairs[i - 1], pairs[source.below(static_cast<std::uint32_t>(i))]);
  }
  const bool dense = source.below(2);
  std::uint32_t id = dense ? 0 : source.below(9);
  std::map<std::string, std::uint32_t> id_of;
  for (std::size_t i = known.size(); !dense && i > 1; --i) {
    std::swap(known[i - 1], known[source.below(static_cast<std::uint32_t>(i))]);
  }
  for (const std::string& token : known) {
    vocab.tokens.push_back(token);
    vocab.ids.push_back(id);
    id_of[token] = id;
    id += dense ? 1 : 1 + source.below(5);
  }
  for (const auto& [left, right] : pairs) {
    vocab.merges.push_back(id_of[left]);
    vocab.merges.push_back(id_of[right]);
  }
  // Twins that no text reaches: an entry with the bytes of another token, marked unreachable.
  for (std::uint32_t i = source.below(3); i--;) {
    vocab.tokens.push_back(known[source.below(static_cast<std::uint32_t>(known.size()))]);
    vocab.ids.push_back(id);
    vocab.unreachable.push_back(id++);
  }
  vocab.build();
  return vocab;
}

// A random span: of letters, of tokens, or mostly of one token repeated.
template <class Source>
std::string make_span(const TestVocab& vocab, Source& source, std::uint32_t longest) {
  std::string span;
  const std::uint32_t length = 1 + source.below(longest), kind = source.below(4);
  const std::string& one =
      vocab.tokens[source.below(static_cast<std::uint32_t>(vocab.tokens.size()))];
  while (span.size() < length) {
    if (kind == 0) {
      span += vocab.tokens[source.below(static_cast<std::uint32_t>(vocab.tokens.size()))];
    } else if (kind == 1 && source.below(8)) {
      span += one;
    } else {
      span += vocab.letters[source.below(static_cast<std::uint32_t>(vocab.letters.size()))];
    }
  }
  span.resize(length);
  return span;
}

// Fails unless scan_cuts() finds at every level what a loop over all boundaries of `text` does.
template <class Boundaries>
void check_scan(const Boundaries& boundaries, const std::string& text, Random& random) {
  const Exact exact(text);
  const std::uint8_t* const p = exact.data.get();
  std::vector<std::uint32_t> want;
  for (std::size_t at = 0; at < exact.n;) {
    const wordsplit::CodePoint left = wordsplit::decode_utf8(p + at, p + exact.n);
    at += left.size;
    if (at == exact.n ||
        boundaries.is_cut_between(left.value, wordsplit::decode_utf8(p + at, p + exact.n).value)) {
      want.push_back(static_cast<std::uint32_t>(at));
    }
  }
  for (const wordsplit::SimdLevel level : wordsplit::simd_levels()) {
    const std::size_t cap = random.below(2) ? 1 + random.below(20) : 2048;
    const std::unique_ptr<std::uint32_t[]> ends(new std::uint32_t[cap]);
    std::vector<std::uint32_t> got;
    for (std::size_t at = 0; at < exact.n;) {
      const std::size_t count =
          wordsplit::scan_cuts(level, boundaries, p, exact.n, at, ends.get(), cap);
      got.insert(got.end(), ends.get(), ends.get() + count);
      if (count == 0 || at != got.back()) fail("a scan that is elsewhere", text);
    }
    if (got != want) fail("other cuts", text);
  }
}

// The encoders that can be used with a vocab, ready to encode.
class AllEncoders {
 public:
  explicit AllEncoders(const wordsplit::VocabTables& tables) : tables_(tables) {
    for (const wordsplit::Encoder& encoder : wordsplit::encoders()) {
      if (!encoder.obstacle(tables).empty()) continue;
      ready_.push_back({&encoder, encoder.make_index ? tables.index(encoder.make_index) : nullptr});
    }
  }

  // Fails unless each encoder's ids are `want`. The output has room for exactly n ids.
  void check(const std::string& span, const Ids& want, std::uint64_t seed = 0) {
    const Exact text(span);
    for (const Ready& ready : ready_) {
      const std::unique_ptr<std::uint32_t[]> out(new std::uint32_t[text.n]);
      const std::size_t count =
          ready.encoder->encode(tables_, ready.index, text.data.get(), text.n, out.get(), scratch_);
      if (!std::equal(want.begin(), want.end(), out.get(), out.get() + count)) {
        fail(ready.encoder->name, span, seed);
      }
    }
  }

 private:
  struct Ready {
    const wordsplit::Encoder* encoder;
    const wordsplit::TableIndex* index;
  };
  const wordsplit::VocabTables& tables_;
  std::vector<Ready> ready_;
  wordsplit::Scratch scratch_;
};

// One of the encoders that can be used with a vocab.
template <class Source>
const wordsplit::Encoder& choose_encoder(const wordsplit::VocabTables& tables, Source& source) {
  const auto all = wordsplit::encoders();
  std::size_t at = source.below(static_cast<std::uint32_t>(all.size()));
  while (!all[at].obstacle(tables).empty()) at = (at + 1) % all.size();
  return all[at];
}

}  // namespace support
