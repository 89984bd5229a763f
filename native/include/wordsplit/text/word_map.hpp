// From raw text to the words of a vocab that normalizes text and removes white space, such as
// BERT's or T5's, character by character.
//
// A map gives the result for each code point. The bytes kBreak, kSpace and kSign, which UTF-8 does
// not have, stand for the end of a word, for a space, and before a character that is a sign: signs
// and other characters are in different words. So 'É' may become "e", a comma kBreak "," kBreak or
// kSign ",", and a control character nothing. Code points whose treatment depends on the characters
// around them are not in the map: this code does not handle a text with one of them.
//
// Maps of SentencePiece also replace several characters as a whole. `tokenizers` looks clusters of
// a character and its marks up, of a few bytes; `sentencepiece` looks for the longest key.
//
// Since characters are independent of each other, so are spans of raw text between which a word
// ends. The span cache is keyed by the raw text of such spans, and normalization is part of
// encoding one that is not cached. Where the words are joined again, a whole text is one span.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wordsplit/text/cluster_keys.hpp"
#include "wordsplit/text/normalizer_steps.hpp"
#include "wordsplit/text/scan_cuts.hpp"
#include "wordsplit/text/unicode.hpp"
#include "wordsplit/text/utf8_check.hpp"

namespace wordsplit {

// A text for which the core lacks something. Another implementation encodes it.
struct NotInCore : std::runtime_error {
  NotInCore() : std::runtime_error("not in the core") {}
};

class WordMap;

// The properties of all words of a map, whatever its table.
struct WordFlags {
  bool has_signs = false;
  // With has_signs: an apostrophe that no sign precedes, and "s", "t", "m", "d", "re", "ve" or "ll"
  // after it, are a word.
  bool contractions = false;
  // The kBreak after a word is encoded with it: the model spells the last letter otherwise.
  bool ended = false;
  bool spaced = false;       // words begin with a space, spelled as U+2581
  bool drop_spaces = false;  // a space ends a word and is no part of one; if spaced, all begin so
  bool collapse_spaces = false;
  bool prepend = false;       // a text that does not begin with a space gets one
  bool prepend_each = false;  // so does each word, except for one that a space ends
  bool trim_left = false, trim_right = false;  // white space at the ends of raw text is removed
  bool strip_right = false;                    // the same in the text that a map makes of it
  bool joined = false;      // the words are one text, of which no part is a span; with drop_spaces
  bool summed = false;      // sums of scores go on from word to word (viterbi.hpp)
  bool normalizes = false;  // all this is for a text as a whole, whose spans are found after it
};

struct WordRules : WordFlags {
  static constexpr std::uint8_t kBreak = 0xFF,
                                kSpace = static_cast<std::uint8_t>(ClusterKeys::kSpace),
                                kSign = 0xFD;
  static constexpr std::uint32_t kSame = 0, kDependent = 0xFFFFFFFC, kSigned = 0xFFFFFFFD,
                                 kAlone = 0xFFFFFFFE, kOutside = 0xFFFFFFFF;

  // By the high bits of a code point a page, by the low eight bits an entry of it: kSame, kAlone
  // (it stays, and is a word by itself), kSigned (it stays, and is a sign), kDependent (part of a
  // word that depends on the characters around it), kOutside, or one more than the offset in `blob`
  // of a length and as many bytes.
  std::vector<std::uint16_t> pages;
  std::vector<std::uint32_t> entries;
  std::string blob;
  // A SentencePiece map, and the marks that make clusters of up to kCluster bytes. A cluster that
  // begins with keys of the map is replaced, as a whole, by what stands for the shortest.
  static constexpr std::size_t kCluster = 5;
  ClusterKeys keys;
  // A bit a code point, empty if there are no clusters: what joins the character before it, and
  // what joins none, such as a control character.
  std::vector<std::uint8_t> marks, alone;
  // Instead of clusters, the longest key at each character is replaced. Only `marks` are within
  // keys of several characters, after the first.
  bool longest_keys = false;

  // The first and last characters of ranges of which each gets a space before and after it.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> apart;

  // Steps before the rules of another map, if there are any (map_behind_steps.hpp): then entries
  // say what becomes of a character by the steps and that map, and those that are kDependent or
  // kOutside are treated step by step, with the one before them.
  std::vector<NormalizerStep> steps;
  std::shared_ptr<const WordMap> behind;
};

class WordMap {
 public:
  static constexpr char kBreakChar = static_cast<char>(WordRules::kBreak),
                        kSpaceChar = static_cast<char>(WordRules::kSpace),
                        kSignChar = static_cast<char>(WordRules::kSign);
  static constexpr std::string_view kMark = "\xE2\x96\x81";  // how tokens spell a space

  explicit WordMap(WordRules rules) : rules_(std::move(rules)) {
    if (rules_.pages.size() != 0x1100 || rules_.entries.size() % 256 != 0) throw_wrong();
    for (const std::uint16_t page : rules_.pages) {
      if (page >= rules_.entries.size() / 256) throw_wrong();
    }
    for (const std::uint32_t entry : rules_.entries) {
      if (entry == WordRules::kSame || entry >= WordRules::kDependent) continue;
      const std::size_t at = entry - 1;
      if (at >= rules_.blob.size() ||
          static_cast<std::uint8_t>(rules_.blob[at]) > rules_.blob.size() - at - 1) {
        throw_wrong();
      }
    }
    const std::size_t bits = rules_.marks.empty() ? 0 : 0x110000 / 8;
    if (rules_.marks.size() != bits || rules_.alone.size() != bits) throw_wrong();
    places_.resize(rules_.pages.size());
    std::transform(rules_.pages.begin(), rules_.pages.end(), places_.begin(),
                   [](std::uint16_t page) { return std::uint32_t{page} << 8; });
    classes_.resize(rules_.entries.size() + 3);  // four may be read at once
    std::transform(rules_.entries.begin(), rules_.entries.end(), classes_.begin(),
                   [&](std::uint32_t entry) { return class_of_entry(entry); });
    for (unsigned c = 0; c < 128; ++c) {
      // "\r\n" is a cluster.
      stays_[c] = entry_of(c) == WordRules::kSame && (rules_.longest_keys || c != '\r');
      continues_[c] =
          rules_.behind ? !is_plain(c) : !rules_.marks.empty() && is_in(rules_.marks, c);
    }
    std::fill(continues_ + 128, continues_ + 256, rules_.behind || !rules_.marks.empty());
    for (unsigned left = 0; left < 128; ++left) {
      for (unsigned right = 0; right < 128; ++right) {
        if (!is_cut_between(left, right)) {
          crossed_[left][right >> 6] |= std::uint64_t{1} << (right & 63);
        }
      }
    }
  }

  const WordRules& rules() const { return rules_; }

  // For scan_cuts(): whether a word ends between two characters.
  CrossedPairs crossed() const { return crossed_; }
  bool is_cut_between(std::uint32_t left, std::uint32_t right) const {
    if (rules_.contractions && left == '\'' && is_in_contraction(right)) return false;
    return !rules_.joined && is_cut(class_of(left), class_of(right));
  }

  // Whether a character stays as it is, whatever is around it.
  bool stays(std::uint32_t c) const {
    return c < 0x110000 && entry_of(c) == WordRules::kSame &&
           (rules_.marks.empty() || !is_in(rules_.marks, c));
  }

  // Removes white space at the ends of a text, if the rules say so. Throws NotInCore if it is
  // unclear what is white space there.
  void strip(const std::uint8_t*& text, std::size_t& n) const {
    trim_white_space(text, n, rules_.trim_left, rules_.trim_right);
    while (rules_.strip_right && n > 0) {
      const std::size_t start = code_point_start(text, n, n - 1);
      const CodePoint c = decode_utf8(text + start, text + n);
      const Class last = class_of(c.value);
      const bool is_space = wordsplit::class_of(c.value) & kFlagSpace;
      if (last == Class::Inner && !is_space) return;
      if (last == Class::Inner ? entry_of(c.value) != WordRules::kSame : last != Class::Blank) {
        throw NotInCore();
      }
      n = start;
    }
  }

  // Appends the words of text[0, n) to `out`, each followed by kBreak. `first`: whether it begins
  // the text. With `longest_keys`, any other that begins with no space goes on with a word
  // (piece_cuts.hpp). Throws NotInCore.
  void words(const std::uint8_t* text, std::size_t n, bool first, std::string& out) const {
    const std::size_t begin = out.size();
    if (first && rules_.prepend) out += kSpaceChar;
    for (std::size_t at = 0; at < n;) at += append_next(text, n, at, out);
    end_words(out, begin, first);
  }

  // Appends what becomes of the ASCII at `at` that stays as it is, or else of the unit there, and
  // returns the size of that in the text. Throws NotInCore.
  std::size_t append_next(const std::uint8_t* text, std::size_t n, std::size_t at,
                          std::string& out) const {
    if (const std::size_t size = plain_size(text, n, at)) {
      out.append(reinterpret_cast<const char*>(text) + at, size);
      return size;
    }
    return append_unit(text, n, at, out);
  }

  // Makes words, each followed by kBreak, of what the characters of a text have become, which is
  // all from `begin` on, after a space if one is put before the text.
  void end_words(std::string& out, std::size_t begin, bool first) const {
    if (rules_.has_signs) end_words_at_signs(out, begin);
    settle_spaces(out, begin, first);
  }

  // The size of the ASCII at `at` that stays as it is, whatever is around it.
  std::size_t plain_size(const std::uint8_t* text, std::size_t n, std::size_t at) const {
    std::size_t size = 0;
    while (at + size < n && text[at + size] < 0x80 && stays_[text[at + size]] &&
           !(at + size + 1 < n && continues_[text[at + size + 1]])) {
      ++size;
    }
    return size;
  }

  // Appends the normalized text of the character, or of the several that are replaced together, at
  // `at`, and returns their size. White space may be spelled as a space. Throws NotInCore.
  std::size_t append_normal(const std::uint8_t* text, std::size_t n, std::size_t at,
                            std::string& out) const {
    if (text[at] < 0x80 && stays_[text[at]] && !(at + 1 < n && continues_[text[at + 1]])) {
      out += static_cast<char>(text[at]);
      return 1;
    }
    const std::size_t begin = out.size();
    const std::size_t size = append_unit(text, n, at, out);
    if (out.size() == begin + 1 && out.back() == kBreakChar) out.back() = ' ';
    const auto from = out.begin() + static_cast<std::ptrdiff_t>(begin);
    std::replace(from, out.end(), kSpaceChar, ' ');
    out.erase(std::remove_if(from, out.end(),
                             [](char byte) { return byte == kBreakChar || byte == kSignChar; }),
              out.end());
    if (is_apart(decode_utf8(text + at, text + n).value)) {
      out.insert(begin, 1, ' ');
      out += ' ';
    }
    return size;
  }

  // Whether the text on both sides of `at` becomes the same without the other, except for spaces
  // before and after. Precondition: what append_normal() takes together ends there.
  bool can_part(const std::uint8_t* text, std::size_t n, std::size_t at) const {
    if (at == 0 || at == n) return true;
    if (rules_.behind) return text[at] != '\n' && is_plain(decode_utf8(text + at, text + n).value);
    if (rules_.marks.empty()) return true;
    if (text[at - 1] == '\r' && text[at] == '\n') return false;
    const std::uint32_t c = decode_utf8(text + at, text + n).value;
    return c < 0x110000 && !is_in(rules_.marks, c);
  }

  // Whether several characters may be replaced together.
  bool replaces_several() const {
    return !rules_.marks.empty() || rules_.longest_keys || rules_.behind;
  }

  // Appends what becomes of the character at p, by itself, and returns its size. Throws NotInCore.
  std::size_t append(const std::uint8_t* p, const std::uint8_t* end, std::string& out) const {
    const CodePoint c = decode_utf8(p, end);
    if (is_invalid(c)) throw NotInCore();
    const std::uint32_t entry = entry_of(c.value);
    if (entry == WordRules::kOutside) throw NotInCore();
    const auto same = [&] { out.append(reinterpret_cast<const char*>(p), c.size); };
    if (entry == WordRules::kSame) {
      same();
    } else if (entry == WordRules::kSigned) {
      out += kSignChar;
      same();
    } else if (entry == WordRules::kAlone) {
      out += kBreakChar;
      same();
      out += kBreakChar;
    } else {
      out.append(rules_.blob, entry, static_cast<std::uint8_t>(rules_.blob[entry - 1]));
    }
    return c.size;
  }

  // Appends what becomes of the character, or of the several that are replaced together, at `at`,
  // and returns their size. Throws NotInCore.
  std::size_t append_unit(const std::uint8_t* text, std::size_t n, std::size_t at,
                          std::string& out) const {
    if (rules_.behind) {
      if (const std::size_t size = dependent_at(text, n, at)) {
        append_step_by_step({reinterpret_cast<const char*>(text) + at, size}, out);
        return size;
      }
    } else if (!rules_.marks.empty()) {
      std::size_t size = 0;
      if (const auto whole =
              rules_.longest_keys ? longest_key(text, n, at, size) : cluster(text, n, at, size)) {
        // To cuts and strip() its last character is a part of a word; now it is none.
        const bool is_part = !whole->empty() && whole->back() != kSpaceChar;
        if (!is_part && !rules_.drop_spaces && !rules_.normalizes) throw NotInCore();
        out += *whole;
        return size;
      }
    }
    return append(text + at, text + n, out);
  }

  // Appends what becomes of a text, except for spaces and signs. Throws NotInCore.
  void append_units(std::string_view text, std::string& out) const {
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    for (std::size_t at = 0; at < text.size();) at += append_unit(p, text.size(), at, out);
  }

 private:
  template <class Simd, class Boundaries>
  friend struct PointCuts;
  friend class MapBehindSteps;

  static constexpr std::size_t kMostMarks = 16;  // in a key, after the first character
  // What a character is for the end of words: white space; a word by itself; a sign; part of a
  // word; or nothing that is known to be one of these. Behind steps of a normalizer, what depends
  // on the character before it: part of a word, or nothing that is known.
  enum class Class : std::uint8_t { Blank, Alone, Sign, Inner, Unclear, Dependent, Tied };

  [[noreturn]] static void throw_wrong() {
    throw std::invalid_argument("a map of characters that does not fit together");
  }

  std::size_t place_of(std::uint32_t c) const { return places_[c >> 8] | (c & 255); }
  std::uint32_t entry_of(std::uint32_t c) const { return rules_.entries[place_of(c)]; }

  Class class_of(std::uint32_t c) const {
    return c < 0x110000 ? classes_[place_of(c)] : Class::Unclear;
  }
  Class class_of_entry(std::uint32_t entry) const {
    if (entry == WordRules::kSame) return Class::Inner;
    if (entry == WordRules::kDependent) return Class::Dependent;
    if (entry == WordRules::kOutside) return rules_.behind ? Class::Tied : Class::Unclear;
    if (entry == WordRules::kAlone) return Class::Alone;
    if (entry == WordRules::kSigned) return Class::Sign;
    const std::size_t size = static_cast<std::uint8_t>(rules_.blob[entry - 1]);
    return class_of_text(std::string_view(rules_.blob).substr(entry, size));
  }
  static Class class_of_text(std::string_view text) {
    const auto is_end = [](char byte) { return byte == kBreakChar || byte == kSpaceChar; };
    if (text.empty()) return Class::Unclear;
    if (text.size() == 1 && is_end(text[0])) return Class::Blank;
    // A space at its end may begin the next word.
    if (is_end(text.front()) && text.back() == kBreakChar) return Class::Alone;
    if (text.find(kSignChar) != text.npos) return Class::Unclear;
    return std::any_of(text.begin(), text.end(), is_end) ? Class::Unclear : Class::Inner;
  }

  // A cut stands before white space that follows a word, beside words of one character, and between
  // signs and other characters; never before what depends on the character before it.
  static bool is_cut(Class left, Class right) {
    if (right == Class::Dependent || right == Class::Tied) return false;
    if (left == Class::Alone) return true;
    if (left == Class::Dependent) return right == Class::Blank || right == Class::Alone;
    const bool differ = right != Class::Unclear && right != left;
    return differ && (left == Class::Inner || left == Class::Sign);
  }

  // Whether a contraction may begin with a character after the apostrophe, which may be mapped to
  // lower case.
  static bool is_in_contraction(std::uint32_t c) {
    return c < 0x80 &&
           std::string_view("stmdrvl").find(static_cast<char>(c | 0x20)) != std::string_view::npos;
  }
  // The size of the contraction at `at` of mapped text, without the mark of its sign; 0 for none.
  static std::size_t contraction_at(std::string_view text, std::size_t at) {
    for (const std::string_view each : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
      if (text.substr(at, each.size()) == each) return each.size();
    }
    return 0;
  }

  static bool is_in(const std::vector<std::uint8_t>& bits, std::uint32_t c) {
    return bits[c / 8] >> (c & 7) & 1;
  }

  // Whether a character neither depends on what is before it nor is what others depend on.
  bool is_plain(std::uint32_t c) const {
    const std::uint32_t entry = entry_of(c);
    return entry != WordRules::kDependent && entry != WordRules::kOutside;
  }

  // The size of the character at `at` and those after it that are not plain; 0 if all are plain.
  std::size_t dependent_at(const std::uint8_t* text, std::size_t n, std::size_t at) const {
    CodePoint c = decode_utf8(text + at, text + n);
    bool plain = is_plain(c.value), all_plain = plain;
    std::size_t end = at + c.size;
    for (; end < n; end += c.size) {
      c = decode_utf8(text + end, text + n);
      const bool now = is_plain(c.value);
      if (now && (plain || c.value != '\n')) break;  // not between '\r' and '\n'
      plain = now;
      all_plain = false;
    }
    return all_plain ? 0 : end - at;
  }

  // Appends what becomes of a text by the steps and the map after them. Throws NotInCore.
  void append_step_by_step(std::string_view text, std::string& out) const {
    if (!is_utf8(reinterpret_cast<const std::uint8_t*>(text.data()), text.size())) {
      throw NotInCore();
    }
    rules_.behind->append_units(after_steps(rules_.steps, std::string(text)), out);
  }
  // Whether a text may belong to the character before it.
  bool may_join(const std::uint8_t* text, std::size_t n) const {
    return n > 0 && !rules_.marks.empty() && is_in(rules_.marks, decode_utf8(text, text + n).value);
  }

  bool is_apart(std::uint32_t c) const {
    return std::any_of(rules_.apart.begin(), rules_.apart.end(),
                       [c](const auto& range) { return range.first <= c && c <= range.second; });
  }

  // What replaces a cluster of several characters at `at`, and its size; nothing if none is there.
  std::optional<std::string> cluster(const std::uint8_t* text, std::size_t n, std::size_t at,
                                     std::size_t& size) const {
    size = cluster_at(text, n, at);
    return rules_.keys.shortest(text + at, size);
  }

  // What replaces the longest key of several characters at `at`, and its size; nothing if none is
  // there.
  std::optional<std::string> longest_key(const std::uint8_t* text, std::size_t n, std::size_t at,
                                         std::size_t& size) const {
    size = decode_utf8(text + at, text + n).size;
    if (at + size == n || !continues_[text[at + size]]) return std::nullopt;
    std::size_t ends[kMostMarks];
    std::size_t count = 0;
    for (; count < kMostMarks && at + size < n; ends[count++] = size) {
      const CodePoint c = decode_utf8(text + at + size, text + n);
      if (c.value >= 0x110000 || !is_in(rules_.marks, c.value)) break;
      size += c.size;
    }
    return rules_.keys.longest(text + at, {ends, count}, size);
  }

  // The size of the cluster of several characters at `at`, if it has at most kCluster bytes; else
  // 0.
  std::size_t cluster_at(const std::uint8_t* text, std::size_t n, std::size_t at) const {
    const std::uint8_t first = text[at];
    if (first < 0x80 && (at + 1 == n || text[at + 1] < 0x80)) {
      return first == '\r' && at + 1 < n && text[at + 1] == '\n' ? 2 : 0;
    }
    const CodePoint base = decode_utf8(text + at, text + n);
    std::size_t end = at + base.size;
    if (is_in(rules_.alone, base.value)) return 0;
    if (at > 0 && is_in(rules_.marks, base.value)) {  // in the cluster of the one before, if it is
      const CodePoint before = decode_utf8(text + code_point_start(text, n, at - 1), text + n);
      if (before.value >= 0x110000 || !is_in(rules_.alone, before.value)) return 0;
    }
    while (end < n && end - at <= WordRules::kCluster) {
      const CodePoint c = decode_utf8(text + end, text + n);
      if (!is_in(rules_.marks, c.value)) break;
      end += c.size;
    }
    const std::size_t size = end - at;
    // The only pictographs of two bytes, which a joiner may join to another one.
    const bool is_pictograph = base.value == 0xA9 || base.value == 0xAE;
    if (is_pictograph && size == WordRules::kCluster && end < n && text[end] >= 0x80 &&
        std::memcmp(text + at + base.size, "\xE2\x80\x8D", 3) == 0) {
      throw NotInCore();
    }
    return size > base.size && size <= WordRules::kCluster ? size : 0;
  }

  // Ends words between signs and other characters, and around contractions, from `begin` on.
  void end_words_at_signs(std::string& out, std::size_t begin) const {
    const std::string from = out.substr(begin);
    out.resize(begin);
    enum { Nothing, Signs, Others } before = Nothing;
    bool is_sign = false;
    for (std::size_t at = 0; at < from.size(); ++at) {
      const char byte = from[at];
      if (rules_.contractions && is_sign && before != Signs) {
        if (const std::size_t size = contraction_at(from, at)) {
          if (before == Others) out += kBreakChar;
          out.append(from, at, size) += kBreakChar;
          at += size - 1;
          before = Nothing;
          is_sign = false;
          continue;
        }
      }
      if (byte == kSignChar) {
        is_sign = true;
        continue;
      }
      if (byte == kBreakChar) {
        before = Nothing;
      } else if (!is_continuation(static_cast<std::uint8_t>(byte))) {
        const auto now = is_sign ? Signs : Others;
        if (before != Nothing && before != now) out += kBreakChar;
        before = now;
        is_sign = false;
      }
      out += byte;
    }
  }

  // Whether `out` has one word from `begin` on, with a space before it and nothing left out.
  bool is_one_word(const std::string& out, std::size_t begin) const {
    const auto is_at_end = [&](char byte) { return out.find(byte, begin + 1) == out.size() - 1; };
    return out.size() > begin + 2 && out[begin] == kSpaceChar && !rules_.joined &&
           out.find(kSpaceChar, begin + 1) == out.npos && is_at_end(kBreakChar);
  }

  // Turns spaces into beginnings and ends of words, from `begin` on, and ends the last word.
  void settle_spaces(std::string& out, std::size_t begin, bool first) const {
    out += kBreakChar;
    if (!rules_.spaced) return;
    if (is_one_word(out, begin)) {
      out.replace(begin, 1, kMark);
      return;
    }
    const std::string from = out.substr(begin);
    std::string& to = out;
    to.resize(begin);
    std::size_t at = 0;
    // A space that was put before a text that begins with one is not needed.
    const bool prepended = first && rules_.prepend;
    if (prepended && (from[1] == kSpaceChar || from.size() == 2)) at = 1;
    if (from.size() - at == 1) return;  // nothing but the last break
    if (rules_.drop_spaces) {
      const auto is_end = [](char byte) { return byte == kSpaceChar || byte == kBreakChar; };
      bool goes_on = rules_.longest_keys && !first && !is_end(from[at]);
      for (std::size_t end; at < from.size(); at = end + 1) {
        end = at;
        while (!is_end(from[end])) ++end;  // the last is
        if (end == at) continue;
        if (!std::exchange(goes_on, false)) to += kMark;
        to.append(from, at, end - at);
        if (!rules_.joined) to += kBreakChar;
      }
      if (rules_.joined) {  // without the marks at its end, which the text may have had
        while (to.size() > begin && to.ends_with(kMark)) to.resize(to.size() - kMark.size());
        if (to.size() > begin) to += kBreakChar;
      }
      return;
    }
    for (bool space = false, any = false, begins = true; at < from.size(); ++at) {
      if (from[at] == kSpaceChar) {
        if (space && rules_.collapse_spaces) continue;
        if (any) to += kBreakChar;
        to += kMark;
        space = true;
        begins = false;
      } else {
        const bool ends = from[at] == kBreakChar;
        if (begins && !ends && rules_.prepend_each) to += kMark;
        to += from[at];
        space = false;
        begins = ends;
      }
      any = true;
    }
  }

  WordRules rules_;
  std::vector<std::uint32_t> places_;  // of the first entry of a page
  std::vector<Class> classes_;         // by place of an entry
  bool stays_[128];                    // an ASCII character as it is
  bool continues_[256];  // the first byte of what may belong to the character before it
  std::uint64_t crossed_[128][2] = {};
};

template <simd::HasLanes Simd>
struct PointCuts<Simd, WordMap> {
  static WORDSPLIT_INLINE std::uint64_t find(const WordMap& map, const CodePoints& points) {
    using Lanes = typename Simd::Lanes;
    using Class = WordMap::Class;
    // The memory after the points is not looked at.
    alignas(64) std::uint8_t classes[CodePoints::kMost] = {};
    for (unsigned i = 0; i < points.count; i += Lanes::kCount) {
      const Lanes value = Lanes::load(points.value + i);
      const Lanes page = Lanes::look_up(map.places_.data(), value >> Lanes::of(8));
      const auto* const table = reinterpret_cast<const std::uint8_t*>(map.classes_.data());
      Lanes::look_up(table, page | (value & Lanes::of(0xFF))).store_bytes(classes + i);
    }
    const typename Simd::Bytes found = Simd::load(classes);
    const std::uint64_t blank = Simd::equal(found, static_cast<std::uint8_t>(Class::Blank)),
                        alone = Simd::equal(found, static_cast<std::uint8_t>(Class::Alone)),
                        sign = Simd::equal(found, static_cast<std::uint8_t>(Class::Sign)),
                        inner = Simd::equal(found, static_cast<std::uint8_t>(Class::Inner)),
                        unclear = Simd::equal(found, static_cast<std::uint8_t>(Class::Unclear)),
                        dependent = Simd::equal(found, static_cast<std::uint8_t>(Class::Dependent)),
                        tied = Simd::equal(found, static_cast<std::uint8_t>(Class::Tied));
    std::uint64_t cuts = alone | (dependent & (blank | alone) >> 1) |
                         (((inner & ~(inner >> 1)) | (sign & ~(sign >> 1))) & ~(unclear >> 1));
    cuts &= ~((dependent | tied) >> 1);
    cuts &= map.rules_.joined ? 0 : below(points.count - 1);
    if (map.rules_.contractions) drop_wrong_cuts(map, points, cuts, cuts);
    return cuts;
  }
};

}  // namespace wordsplit
