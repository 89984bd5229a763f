// The work of encoding is linear in the text: look-ups, heap operations and steps of the encoders
// are counted by WORDSPLIT_COUNT for texts from 64 KB on, natural and hostile, doubling each time.
// Counts do not depend on how busy the machine is, nor on the compiler. Under sanitizers, which
// make it slow, up to 128 KB; otherwise up to 512 KB; with WORDSPLIT_LONG=1 up to 8 MB.
//
// Not counted: comparisons of priority_merge, O(n^2) on spans of up to 128 bytes; the log n of a
// heap operation; the scanners, which tests/exhaustive times.
#define WORDSPLIT_COUNTERS
#include <cstring>
#include <functional>

#include "support.hpp"

namespace {

using namespace wordsplit;
using support::fail;
using support::Random;

constexpr double kMost = 2.15;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kLast = 128 << 10;
#else
constexpr std::size_t kLast = 512 << 10;
#endif

using Generator = std::function<std::string(Random&)>;
struct HostileText {
  const char* name;
  Generator piece;  // pieces are put together up to the size
};

Generator always(const char* piece) {
  return [piece](Random&) { return std::string(piece); };
}

std::string letter(Random& random) { return {static_cast<char>('a' + random.below(26))}; }

const HostileText kTexts[] = {
    {"one letter", always("a")},
    {"two letters in turn", always("ab")},
    {"random letters", letter},
    {"two random letters", [](Random& r) { return std::string(1, "ab"[r.below(2)]); }},
    {"capitals", always("Z")},
    {"letters of both cases in turn", always("aZ")},
    {"spaces", always(" ")},
    {"newlines", always("\n")},
    {"carriage returns and newlines", always("\r\n")},
    {"newlines and spaces", always("\n  ")},
    {"digits", always("7")},
    {"circumflexes", always("^")},
    {"apostrophes", always("'")},
    {"contractions", always("a's")},
    {"combining marks", always("\u0301")},
    {"a letter and its marks", always("e\u0301\u0323")},
    {"Hangul jamo", always("\u1100\u1161\u11a8")},
    {"emoji", always("\U0001f600")},
    {"ideographs",
     [](Random& r) {
       std::string out;
       nfc_detail::append_utf8(0x4E00 + r.below(5000), out);
       return out;
     }},
    {"invalid bytes",
     [](Random& r) { return std::string(1, static_cast<char>(0x80 + r.below(128))); }},
    {"any bytes", [](Random& r) { return std::string(1, static_cast<char>(r.below(256))); }},
    {"words",
     [](Random& r) {
       std::string word = r.below(9) ? " " : "\n";
       for (std::uint32_t n = 1 + r.below(9); n--;) word += letter(r);
       return r.below(7) ? word : word + ",";
     }},
    {"words, then a long run",
     [](Random& r) {
       std::string out;  // as many runs in each stretch, so that half the text is half the work
       for (int n = 200; n--;) out += " " + letter(r) + letter(r);
       return out + std::string(300, 'a');
     }},
    {"all of these mixed",
     [](Random& r) {
       const char* const pieces[] = {"a", "ab",     " ",      "\n", "'s",         "^",
                                     "7", "\u0301", "\u1100", "Z",  "\U0001f600", "\xff"};
       const char* piece = pieces[r.below(std::size(pieces))];
       std::string out;
       for (std::uint32_t n = r.below(30) ? 1 : r.below(500); n--;) out += piece;
       return out;
     }},
};

// Tokens that are runs of up to 2^10 of many characters, overlapping words, and parts of
// characters.
std::shared_ptr<const VocabTables> make_tables() {
  support::TestVocab vocab;
  std::map<std::string, std::uint32_t> id_of;
  const auto add = [&](const std::string& token) {
    if (!id_of.emplace(token, vocab.tokens.size()).second) return false;
    vocab.ids.push_back(static_cast<std::uint32_t>(vocab.tokens.size()));
    vocab.tokens.push_back(token);
    return true;
  };
  for (int b = 0; b < 256; ++b) add(std::string(1, static_cast<char>(b)));
  const auto merge = [&](const std::string& left, const std::string& right) {
    if (!id_of.count(left) || !id_of.count(right) || !add(left + right)) return;
    vocab.merges.push_back(id_of.at(left));
    vocab.merges.push_back(id_of.at(right));
  };
  for (const char* cp : {"\u0301", "\u0323", "\u1100", "\u1161", "\u11a8"}) {
    merge({cp[0]}, {cp[1]});
    if (cp[2]) merge({cp[0], cp[1]}, {cp[2]});
  }
  merge("\xf0", "\x9f"), merge("\xf0\x9f", "\x98"), merge("\xf0\x9f\x98", "\x80");
  for (const char* run :
       {"a", "Z", " ", "\n", "\r", "7", "^", "'", "\u0301", "\u1100", "\U0001f600"}) {
    std::string token = run;
    for (int i = 0; i < 10; ++i, token += token) merge(token, token);
  }
  Random random(3);
  for (int i = 0; i < 3000; ++i) {
    const std::string left =
        vocab.tokens[random.below(static_cast<std::uint32_t>(vocab.tokens.size()))];
    const std::string right =
        random.below(2)
            ? letter(random)
            : vocab.tokens[256 +
                           random.below(static_cast<std::uint32_t>(vocab.tokens.size()) - 256)];
    if (left.size() + right.size() < 16) merge(left, right);
  }
  vocab.build();
  return vocab.tables;
}

struct Pairing {
  const char *name, *encoder, *long_encoder;
};
const Pairing kPairings[] = {
    {"auto", "priority_merge", "backtracking"},
    {"auto, without backtracking", "priority_merge", "heap_merge"},
    {"heap_merge", "heap_merge", "heap_merge"},
    {"backtracking", "backtracking", "backtracking"},
};

}  // namespace

int main() {
  const std::shared_ptr<const VocabTables> tables = make_tables();
  if (!tables->supports_backtracking()) fail("the vocab does not support backtracking", "");
  const char* given = std::getenv("WORDSPLIT_LONG");
  const bool all = given && std::strcmp(given, "1") == 0;
  const std::size_t first = 64 << 10, last = all ? 8 << 20 : kLast;
  double worst = 0, heaviest = 0;
  std::string worst_name, heaviest_name;
  for (const HostileText& text : kTexts) {
    Random random(11);
    std::string whole;
    while (whole.size() < last) whole += text.piece(random);
    for (const char* scheme : {"qwen2", "llama3", "o200k"}) {
      for (const Pairing& pairing : kPairings) {
        EngineConfig config;
        config.spans.scan = find_scheme_named(scheme)->at(best_simd_level());
        config.encoder = find_encoder(pairing.encoder);
        config.long_encoder = find_encoder(pairing.long_encoder);
        const Engine engine(tables, config, {}, {});
        const auto state = engine.make_state();
        // It is one encoder that is measured, not the change to it that enough long spans bring.
        if (config.long_encoder->make_index) {
          const std::string long_span(512 << 10, 'a');
          Output out;
          engine.encode(reinterpret_cast<const std::uint8_t*>(long_span.data()), long_span.size(),
                        nullptr, *state, out);
        }
        std::uint64_t before = 0;
        for (std::size_t n = first; n <= last; n *= 2) {
          Output out;
          work_done = 0;
          engine.encode(reinterpret_cast<const std::uint8_t*>(whole.data()), n, nullptr, *state,
                        out);
          const std::uint64_t work = work_done + n;
          const std::string name = std::string(text.name) + ", " + scheme + ", " + pairing.name +
                                   ", " + std::to_string(n);
          const double ratio = before ? static_cast<double>(work) / static_cast<double>(before) : 0;
          const double each = static_cast<double>(work) / static_cast<double>(n);
          if (ratio > kMost) {
            std::fprintf(stderr, "%s: %.3f times the work of half the text\n", name.c_str(), ratio);
            return 1;
          }
          if (ratio > worst) worst = ratio, worst_name = name;
          if (each > heaviest) heaviest = each, heaviest_name = name;
          before = work;
        }
      }
    }
  }
  std::printf("greatest ratio %.3f (%s); most work a byte %.1f (%s)\n", worst, worst_name.c_str(),
              heaviest, heaviest_name.c_str());
}
