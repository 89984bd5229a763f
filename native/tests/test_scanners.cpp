// The part of tests/exhaustive that needs no Python. Every SIMD level gives the reference's spans,
// for any bytes, any cap, and texts of every length up to 200 in buffers of exactly their size, so
// that AddressSanitizer detects a read past the end. A few strings are compared with recorded
// spans. Returns non-zero on failure.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "wordsplit/scanners/scanners.hpp"

namespace {

using wordsplit::Scheme;
using wordsplit::SimdLevel;

int failures = 0;

void fail(const char* what, const Scheme& scheme, const char* level, const std::string& text) {
  if (++failures > 20) return;
  std::fprintf(stderr, "%s: %s, %s, on %zu bytes:", what, scheme.name, level, text.size());
  for (const unsigned char c : text) std::fprintf(stderr, " %02x", c);
  std::fprintf(stderr, "\n");
}

// All ends, `cap` a call, with text and ends in heap blocks of exactly their size. Empty if the
// spans do not tile the text.
std::vector<std::uint32_t> scan(wordsplit::ScanFn function, const std::string& text,
                                std::size_t cap) {
  const std::size_t n = text.size();
  const std::unique_ptr<std::uint8_t[]> copy(new std::uint8_t[n]);
  if (n) std::memcpy(copy.get(), text.data(), n);
  const std::unique_ptr<std::uint32_t[]> ends(new std::uint32_t[cap]);
  std::vector<std::uint32_t> all;
  std::size_t pos = 0;
  while (pos < n) {
    const std::size_t last = pos, got = function(copy.get(), n, pos, ends.get(), cap);
    if (got == 0 || got > cap || pos != ends[got - 1] || (got < cap && pos != n)) return {};
    for (std::size_t i = 0; i < got; ++i) {
      if (ends[i] <= (i ? ends[i - 1] : last) || ends[i] > n) return {};
      all.push_back(ends[i]);
    }
  }
  if (function(copy.get(), n, pos, ends.get(), cap) != 0 || pos != n) return {};
  return all;
}

void check(const Scheme& scheme, const std::string& text) {
  const std::vector<std::uint32_t> want = scan(scheme.reference, text, 256);
  if (want.empty() != text.empty()) return fail("no tiling", scheme, "reference", text);
  for (const SimdLevel level : wordsplit::simd_levels()) {
    for (const std::size_t cap : {1, 2, 7, 256}) {
      if (scan(scheme.at(level), text, cap) != want) fail("differs", scheme, name_of(level), text);
    }
  }
}

struct Random {
  std::uint64_t state = 88172645463325252u;
  std::uint32_t below(std::uint32_t n) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<std::uint32_t>((state >> 11) % n);
  }
};

// Characters of every class that the patterns distinguish, and invalid bytes.
const std::string kPieces[] = {"a",          "s",
                               "Z",          "S",
                               " ",          " ",
                               "\n",         "\r",
                               "\t",         "'",
                               "/",          ".",
                               "!",          "1",
                               "7",          "l",
                               "re",         "ve",
                               "\u00e9",     "\u0416",
                               "\u017f",     "\u0301",
                               "\u4e2d",     "\u3042",
                               "\u30fb",     "\u3097",
                               "\u2019",     "\u00a0",
                               "\u0085",     "\u0663",
                               "\u3007",     "\u2e80",
                               "\u01c5",     "\u02b0",
                               "\u200b",     "\x01",
                               "\U0001f600", "\U00020000",
                               "\U00010400", "\xff",
                               "\x80",       "\xc5",
                               "\xe4\xb8",   "\xed\xa0\x80",
                               "\xc0\x80",   "\xf4\x90\x80\x80",
                               "\xf0\x9f"};

void test_random_texts(const Scheme& scheme) {
  Random random;
  for (std::size_t length = 0; length <= 200; ++length) {
    for (int round = 0; round < 12; ++round) {
      std::string some[8], text;
      for (std::string& piece : some) {
        // A third of the rounds are ASCII alone, the vector path.
        piece = kPieces[random.below(round % 3 ? std::size(kPieces) : 18)];
      }
      while (text.size() < length) {
        const std::string& piece = some[random.below(8)];
        for (std::uint32_t i = random.below(10) ? 1 : random.below(80); i--;) text += piece;
      }
      text.resize(length);  // may well cut a character
      check(scheme, text);
    }
  }
}

void test_one_kind_of_text(const Scheme& scheme) {
  for (const std::string& piece : kPieces) {
    for (const std::size_t count : {1, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000}) {
      std::string text;
      for (std::size_t i = 0; i < count; ++i) text += piece;
      check(scheme, text);
      check(scheme, text + "x");
      check(scheme, text + "\n");
      check(scheme, "A" + text);
      check(scheme, "!" + text + "Z ");
    }
  }
}

// Recorded from `tokenizers`, and for cl100k from tiktoken; a | is a boundary.
struct Golden {
  const char* scheme;
  const char* spans;
};
const Golden kGoldens[] = {
    {"gpt2", "Hello| world|,| it|'s| 12345| o|'|clock|!|\n\n | x"},
    {"gpt2", "x|'|ſ| DON|'|T| don|'|Tx| we|'ll"},
    {"gpt2", "a| | b| \n\n| c|  \n "},
    {"gpt2", "!|\n|//|code|\n|\t|/"},
    {"gpt2", "HTMLParser| 中文ABC中文ABCd"},
    {"gpt2", "क|्|ष|ि| e|\u0301.\u0301|a| (|é|)"},
    {"gpt2", "中文|・|かな|3| ア|。\u200b|x|\001\002|y"},
    {"starcoder", "Hello| world|,| it|'s| |1|2|3|4|5| o|'|clock|!|\n\n | x"},
    {"starcoder", "x|'|ſ| DON|'|T| don|'|Tx| we|'ll"},
    {"starcoder", "a| | b| \n\n| c|  \n "},
    {"starcoder", "!|\n|//|code|\n|\t|/"},
    {"starcoder", "HTMLParser| 中文ABC中文ABCd"},
    {"starcoder", "क|्|ष|ि| e|\u0301.\u0301|a| (|é|)"},
    {"starcoder", "中文|・|かな|3| ア|。\u200b|x|\001\002|y"},
    {"llama3", "Hello| world|,| it|'s| |123|45| o|'clock|!\n\n| | x"},
    {"llama3", "x|'ſ| DON|'T| don|'T|x| we|'ll"},
    {"llama3", "a| | b| \n\n| c|  \n| "},
    {"llama3", "!\n|//|code|\n|\t|/"},
    {"llama3", "HTMLParser| 中文ABC中文ABCd"},
    {"llama3", "क|्ष|ि| e|\u0301.\u0301|a| (|é|)"},
    {"llama3", "中文|・かな|3| ア|。\u200b|x|\001\002|y"},
    {"cl100k", "Hello| world|,| it|'s| |123|45| o|'clock|!\n\n| | x"},
    {"cl100k", "x|'ſ| DON|'T| don|'T|x| we|'ll"},
    {"cl100k", "a| | b| \n\n| c|  \n "},
    {"cl100k", "!\n|//|code|\n|\t|/"},
    {"cl100k", "HTMLParser| 中文ABC中文ABCd"},
    {"cl100k", "क|्ष|ि| e|\u0301.\u0301|a| (|é|)"},
    {"cl100k", "中文|・かな|3| ア|。\u200b|x|\001\002|y"},
    {"qwen2", "Hello| world|,| it|'s| |1|2|3|4|5| o|'clock|!\n\n| | x"},
    {"qwen2", "x|'ſ| DON|'T| don|'T|x| we|'ll"},
    {"qwen2", "a| | b| \n\n| c|  \n| "},
    {"qwen2", "!\n|//|code|\n|\t|/"},
    {"qwen2", "HTMLParser| 中文ABC中文ABCd"},
    {"qwen2", "क|्ष|ि| e|\u0301.\u0301|a| (|é|)"},
    {"qwen2", "中文|・かな|3| ア|。\u200b|x|\001\002|y"},
    {"qwen35", "Hello| world|,| it|'s| |1|2|3|4|5| o|'clock|!\n\n| | x"},
    {"qwen35", "x|'ſ| DON|'T| don|'T|x| we|'ll"},
    {"qwen35", "a| | b| \n\n| c|  \n| "},
    {"qwen35", "!\n|//|code|\n|\t|/"},
    {"qwen35", "HTMLParser| 中文ABC中文ABCd"},
    {"qwen35", "क्षि| e\u0301|.\u0301a| (|é|)"},
    {"qwen35", "中文|・かな|3| ア|。\u200b|x|\001\002|y"},
    {"seed_coder", "Hello| world|,| it|'s| |1|2|3|4|5| o|'clock|!|\n\n| | x"},
    {"seed_coder", "x|'ſ| DON|'T| don|'T|x| we|'ll"},
    {"seed_coder", "a| | b| \n\n| c|  \n| "},
    {"seed_coder", "!|\n|//|code|\n|\t|/"},
    {"seed_coder", "HTMLParser| 中文ABC中文ABCd"},
    {"seed_coder", "क|्ष|ि| e|\u0301.\u0301|a| (|é|)"},
    {"seed_coder", "中文|・かな|3| ア|。\u200b|x|\001\002|y"},
    {"o200k", "Hello| world|,| it's| |123|45| o|'clock|!\n\n| | x"},
    {"o200k", "x'ſ| DON'T| don'T|x| we'll"},
    {"o200k", "a| | b| \n\n| c|  \n| "},
    {"o200k", "!\n//|code|\n|\t|/"},
    {"o200k", "HTMLParser| 中文ABC中文ABCd"},
    {"o200k", "क्षि| e\u0301|.\u0301a| (|é|)"},
    {"o200k", "中文|・かな|3| ア|。\u200b|x|\001\002|y"},
    {"tekken", "Hello| world|,| it|'s| |1|2|3|4|5| o|'clock|!\n\n| | x"},
    {"tekken", "x|'ſ| DON|'T| don|'Tx| we|'ll"},
    {"tekken", "a| | b| \n\n| c|  \n| "},
    {"tekken", "!\n//|code|\n|\t|/"},
    {"tekken", "HTMLParser| 中文ABC中文ABCd"},
    {"tekken", "क्षि| e\u0301|.\u0301a| (|é|)"},
    {"tekken", "中文|・かな|3| ア|。\u200b|x|\001\002|y"},
    {"kimi_k2", "Hello| world|,| it's| |123|45| o|'clock|!\n\n| | x"},
    {"kimi_k2", "x'ſ| DON'T| don'T|x| we'll"},
    {"kimi_k2", "a| | b| \n\n| c|  \n| "},
    {"kimi_k2", "!\n|//|code|\n|\t|/"},
    {"kimi_k2", "HTMLParser| |中文|ABC|中文|ABCd"},
    {"kimi_k2", "क्षि| e\u0301|.\u0301a| (|é|)"},
    {"kimi_k2", "中文|・かな|3| ア|。\u200b|x|\001\002|y"},
    {"deepseek_v3", "Hello| world|,| it|'s| |123|45| o|'clock|!\n\n| | x"},
    {"deepseek_v3", "x|'|ſ| DON|'T| don|'Tx| we|'ll"},
    {"deepseek_v3", "a| | b| \n\n| c|  \n| "},
    {"deepseek_v3", "!\n|//|code|\n|\t|/"},
    {"deepseek_v3", "HTMLParser| |中文|ABC|中文|ABCd"},
    {"deepseek_v3", "क्षि| e\u0301|.|\u0301a| (|é|)"},
    {"deepseek_v3", "中文|・|かな|3| |ア|。|\u200bx|\001|\002y"},
};

void test_goldens() {
  for (const Golden& golden : kGoldens) {
    const Scheme* scheme = wordsplit::find_scheme_named(golden.scheme);
    if (!scheme) std::abort();
    std::string text;
    std::vector<std::uint32_t> want;
    for (const char* p = golden.spans; *p; ++p) {
      if (*p == '|') {
        want.push_back(static_cast<std::uint32_t>(text.size()));
      } else {
        text += *p;
      }
    }
    want.push_back(static_cast<std::uint32_t>(text.size()));
    if (scan(scheme->at(wordsplit::best_simd_level()), text, 256) != want) {
      fail("golden", *scheme, name_of(wordsplit::best_simd_level()), text);
    }
    check(*scheme, text);
  }
}

void test_lookup() {
  using wordsplit::scanners::Dialect;
  for (const Scheme& scheme : wordsplit::schemes()) {
    if (wordsplit::find_scheme_named(scheme.name) != &scheme) std::abort();
    for (const auto& spelling : scheme.spellings) {
      const Dialect dialect =
          spelling.dialect == Dialect::Any ? Dialect::Tokenizers : spelling.dialect;
      const std::span<const std::string_view> steps(spelling.begin(), spelling.size());
      if (wordsplit::find_scheme(steps, dialect) != &scheme) fail("lookup", scheme, "none", "");
    }
  }
  const std::string_view unknown[] = {"\\w+"};
  if (wordsplit::find_scheme(unknown, Dialect::Tokenizers)) ++failures;
  if (wordsplit::find_scheme({}, Dialect::Tokenizers)) ++failures;
}

}  // namespace

#if defined(WORDSPLIT_TARGET_AVX512)
// Compares decode_avx512() with decode_window(): every lead byte with every second byte and some
// third ones, at the borders of a group of bytes, before and after other code points.
void test_decode() {
  using namespace wordsplit::scanners;
  if (!wordsplit::simd::Avx512::is_available()) return;
  std::size_t refused = 0, done = 0;
  for (unsigned lead = 0x80; lead < 0x100; ++lead) {
    for (unsigned second = 0; second < 0x100; ++second) {
      for (const unsigned third : {0x00u, 0x7Fu, 0x80u, 0xBFu, 0xC3u, 0xE3u}) {
        for (const std::size_t before : {0, 1, 61, 62, 63, 64, 125}) {
          for (const std::size_t behind : {0, 1, 70}) {
            std::string text(before, 'a');
            if (before > 2) text.replace(before - 3, 3, "\xE2\x80\x99");
            text += {static_cast<char>(lead), static_cast<char>(second), static_cast<char>(third)};
            for (std::size_t i = 0; i < behind; ++i) text += "\xC3\xA9";
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
            Decoded quick, slow;
            if (!decode_avx512<Flag::Han>(bytes, text.size(), quick)) {
              ++refused;
              continue;
            }
            decode_window<Flag::Han>(bytes, text.size(), slow);
            // Windows may differ in how much they hold, but not at the text's end.
            const unsigned count = std::min(quick.count, slow.count);
            const bool same = std::memcmp(quick.bits, slow.bits, count) == 0 &&
                              std::memcmp(quick.ascii, slow.ascii, count) == 0 &&
                              std::equal(quick.offset, quick.offset + count, slow.offset) &&
                              (quick.count == 64 || quick.offset[quick.count] == text.size());
            if (!same) fail("decode", wordsplit::schemes()[0], "avx512", text);
            ++done;
          }
        }
      }
    }
  }
  if (done < refused / 20) fail("decode refuses nearly all", wordsplit::schemes()[0], "avx512", "");
}
#else
void test_decode() {}
#endif

int main() {
  test_lookup();
  test_decode();
  test_goldens();
  for (const Scheme& scheme : wordsplit::schemes()) {
    test_random_texts(scheme);
    test_one_kind_of_text(scheme);
  }
  if (failures) std::fprintf(stderr, "%d failures\n", failures);
  return failures ? 1 : 0;
}
