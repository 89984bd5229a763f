// Extracts one string of each line of JSON Lines, and optionally a second value.
//
// A line is a JSON string, which is the text itself, or an object with the text under a field. The
// whole line is checked: the strings wanted are unescaped into one buffer, everything else is
// skipped without recursion. Python's `json` is the model: NaN and Infinity are numbers, the last
// of duplicate keys counts, control characters in strings are errors. Unlike there, a lone
// surrogate becomes U+FFFD, and nesting is limited to kDepth. Bytes that are not UTF-8 are copied
// as they are.
//
// Strings are scanned and copied 16 bytes at a time, so the cost is about one operation a byte, and
// a branch for each escape.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/base/bytes16.hpp"
#include "wordsplit/base/growing.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

// Strings stored one after the other.
struct PackedStrings {
  Growing<char> bytes;
  Growing<std::int64_t> ends;

  void clear() { bytes.clear(), ends.clear(); }
  void end() { ends.push(static_cast<std::int64_t>(bytes.size())); }
  std::size_t size() const { return ends.size(); }
  std::size_t begin_of(std::size_t i) const {
    return i ? static_cast<std::size_t>(ends.data()[i - 1]) : 0;
  }
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = begin_of(i);
    return {bytes.data() + begin, static_cast<std::size_t>(ends.data()[i]) - begin};
  }
};

namespace json_detail {

constexpr std::size_t kDepth = 1024;

inline bool is_space(std::uint8_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
inline bool is_digit(std::uint8_t c) { return c >= '0' && c <= '9'; }

// The length of the longest prefix without a quote, a backslash or a control character.
// kCopy: the prefix is also copied to `to`, and up to 16 bytes more are written there.
template <bool kCopy>
const std::uint8_t* plain(const std::uint8_t* p, const std::uint8_t* end, char*& to) {
  while (end - p >= 16) {
    const Bytes16 x = load16(p);
    if constexpr (kCopy) std::memcpy(to, &x, sizeof x);
    const auto special = (x == every16('"')) | (x == every16('\\')) | (x < every16(0x20));
    // A block without any is passed by a constant, so that the next load does not wait for the
    // comparison. This saves a fifth of the time.
    if (const unsigned n = first_set(reinterpret_cast<Bytes16>(special)); n < 16) {
      if constexpr (kCopy) to += n;
      return p + n;
    }
    if constexpr (kCopy) to += 16;
    p += 16;
  }
  for (; p < end && *p != '"' && *p != '\\' && *p >= 0x20; ++p) {
    if constexpr (kCopy) *to++ = static_cast<char>(*p);
  }
  return p;
}

// What a character behind a backslash stands for; 0 if it is `u`, or none of them.
inline constexpr auto kEscaped = [] {
  std::array<char, 256> out{};
  for (const char c : {'"', '\\', '/'}) out[static_cast<unsigned char>(c)] = c;
  out['b'] = '\b', out['f'] = '\f', out['n'] = '\n', out['r'] = '\r', out['t'] = '\t';
  return out;
}();

// Reads four hexadecimal digits; returns -1 if they are not.
inline std::int32_t hex4(const std::uint8_t* p, const std::uint8_t* end) {
  if (end - p < 4) return -1;
  std::int32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint8_t c = p[i], letter = c | 0x20;
    const int digit = is_digit(c)                      ? c - '0'
                      : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
                                                       : -1;
    if (digit < 0) return -1;
    value = value << 4 | digit;
  }
  return value;
}

// A position in one line. Each method returns false if the line is not JSON there.
class Cursor {
 public:
  Cursor(const std::uint8_t* begin, const std::uint8_t* end) : p_(begin), end_(end) {}

  bool at_end() {
    space();
    return p_ == end_;
  }
  std::uint8_t peek() {
    space();
    return p_ < end_ ? *p_ : 0;
  }
  bool take(std::uint8_t c) {
    if (peek() != c) return false;
    ++p_;
    return true;
  }
  const std::uint8_t* position() const { return p_; }

  // Appends the content of a string. Precondition: peek() is its opening quote.
  bool read_string(Growing<char>& out) {
    // Never longer than what is left of the line, but for the 16 bytes written ahead.
    char* const begin = out.reserve(static_cast<std::size_t>(end_ - p_) + 16);
    char* to = begin;
    ++p_;
    while (true) {
      p_ = plain<true>(p_, end_, to);
      if (p_ == end_ || *p_ < 0x20) return false;
      if (*p_ == '"') break;
      if (!escape(to)) return false;
    }
    ++p_;
    out.advance_to(to);
    return true;
  }
  bool skip_string() {
    ++p_;
    char* nowhere = nullptr;
    while (true) {
      p_ = plain<false>(p_, end_, nowhere);
      if (p_ == end_ || *p_ < 0x20) return false;
      if (*p_ == '"') break;
      char ignored[4];
      char* to = ignored;
      if (!escape(to)) return false;
    }
    ++p_;
    return true;
  }

  // Skips a value of any kind.
  bool skip() {
    std::uint64_t objects[kDepth / 64] = {};  // a bit for each open bracket: whether it is a brace
    std::size_t depth = 0;
    const auto in_object = [&] { return objects[(depth - 1) / 64] >> (depth - 1) % 64 & 1; };
    while (true) {
      const std::uint8_t c = peek();
      if (c == '{' || c == '[') {
        if (depth == kDepth) return false;
        ++p_;
        std::uint64_t& word = objects[depth / 64];
        const std::uint64_t bit = std::uint64_t{1} << depth % 64;
        word = c == '{' ? word | bit : word & ~bit;
        ++depth;
        if (!take(c == '{' ? '}' : ']')) {
          if (c == '{' && !key()) return false;
          continue;
        }
        --depth;
      } else if (c == '"') {
        if (!skip_string()) return false;
      } else if (!literal()) {
        return false;
      }
      for (; depth; --depth) {  // behind a value
        if (take(',')) {
          if (in_object() && !key()) return false;
          break;
        }
        if (!take(in_object() ? '}' : ']')) return false;
      }
      if (!depth) return true;
    }
  }

 private:
  void space() {
    while (p_ < end_ && is_space(*p_)) ++p_;
  }
  bool key() { return peek() == '"' && skip_string() && take(':'); }

  // Appends what an escape stands for. Precondition: *p_ is a backslash.
  bool escape(char*& to) {
    if (end_ - p_ < 2) return false;
    const std::uint8_t c = p_[1];
    p_ += 2;
    if (const char found = kEscaped[c]) {
      *to++ = found;
      return true;
    }
    if (c != 'u') return false;
    const std::int32_t first = hex4(p_, end_);
    if (first < 0) return false;
    p_ += 4;
    auto code = static_cast<std::uint32_t>(first);
    if ((code & 0xF800) == 0xD800) {
      const std::int32_t second = code < 0xDC00 && end_ - p_ >= 6 && p_[0] == '\\' && p_[1] == 'u'
                                      ? hex4(p_ + 2, end_)
                                      : -1;
      if (second >= 0xDC00 && second < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<std::uint32_t>(second) - 0xDC00);
        p_ += 6;
      } else {
        code = 0xFFFD;
      }
    }
    to = reinterpret_cast<char*>(put_utf8(code, reinterpret_cast<std::uint8_t*>(to)));
    return true;
  }

  bool word(std::string_view expected) {
    if (static_cast<std::size_t>(end_ - p_) < expected.size() ||
        std::memcmp(p_, expected.data(), expected.size()) != 0) {
      return false;
    }
    p_ += expected.size();
    return true;
  }
  bool digits() {
    const std::uint8_t* const begin = p_;
    while (p_ < end_ && is_digit(*p_)) ++p_;
    return p_ > begin;
  }
  // A number, true, false, null, NaN or Infinity.
  bool literal() {
    if (p_ == end_) return false;
    switch (*p_) {
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      case 'N':
        return word("NaN");
      case 'I':
        return word("Infinity");
      case '-':
        ++p_;
        if (p_ < end_ && *p_ == 'I') return word("Infinity");
        break;
      default:
        break;
    }
    if (p_ < end_ && *p_ == '0') {
      ++p_;
    } else if (!digits()) {
      return false;
    }
    // As in Python, a point or an exponent without digits is not part of the number.
    if (end_ - p_ >= 2 && *p_ == '.' && is_digit(p_[1])) {
      ++p_;
      digits();
    }
    if (p_ < end_ && (*p_ | 0x20) == 'e') {
      const std::uint8_t* const mark = p_++;
      if (p_ < end_ && (*p_ == '+' || *p_ == '-')) ++p_;
      if (!digits()) p_ = mark;
    }
    return true;
  }

  const std::uint8_t *p_, *end_;
};

}  // namespace json_detail

// The lines of one buffer after another. Memory is reused.
class JsonLines {
 public:
  // A line whose text could not be taken: [begin, end) in the buffer, without its line end; and its
  // index among all lines of the buffer.
  struct Problem {
    std::size_t begin, end, line;
  };

  // text_field: the field with the text. key_field: another field, with a name for the text; or
  // empty.
  JsonLines(std::string text_field, std::string key_field)
      : text_field_(std::move(text_field)), key_field_(std::move(key_field)) {}

  // Reads whole lines, the last of which need not have a line end. What was read before is
  // dropped. Lines of nothing but white space are no lines. Texts that are empty, or null, are
  // left out if they are not to be kept; a null that is kept is an empty text.
  void read(const std::uint8_t* p, std::size_t n, bool keep_empty, bool keep_null) {
    texts.clear(), keys.clear();
    problems.clear();
    lines = line_ends = 0;
    const std::uint8_t *const begin = p, *const end = p + n;
    while (p < end) {
      const void* found = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
      const auto* const line_end = found ? static_cast<const std::uint8_t*>(found) : end;
      const std::size_t text_at = texts.bytes.size(), key_at = keys.bytes.size();
      json_detail::Cursor line(p, line_end);
      if (!line.at_end()) {
        ++lines;
        const Found text = read_line(line, text_at, key_at);
        const bool is_kept = text == Found::kText ? keep_empty || texts.bytes.size() > text_at
                                                  : text == Found::kNull && keep_null;
        if (is_kept) {
          texts.end();
          if (!key_field_.empty()) keys.end();
        } else {
          texts.bytes.advance_to(texts.bytes.data() + text_at);
          keys.bytes.advance_to(keys.bytes.data() + key_at);
        }
        if (text == Found::kProblem) {
          problems.push_back({static_cast<std::size_t>(p - begin),
                              static_cast<std::size_t>(line_end - begin), line_ends});
        }
      }
      ++line_ends;
      p = line_end + 1;
    }
  }

  PackedStrings texts;            // those that are kept
  PackedStrings keys;             // of the same lines, if there is a key field; numbers as written
  std::vector<Problem> problems;  // lines whose text cannot be taken
  std::size_t lines = 0;          // all lines but empty ones
  std::size_t line_ends = 0;      // all lines

 private:
  enum class Found { kText, kNull, kProblem };

  Found read_line(json_detail::Cursor& line, std::size_t text_at, std::size_t key_at) {
    if (line.peek() == '"') {
      return line.read_string(texts.bytes) && line.at_end() ? Found::kText : Found::kProblem;
    }
    if (!line.take('{')) return Found::kProblem;
    Found text = Found::kProblem;
    if (!line.take('}')) {
      do {
        std::string_view name;
        if (line.peek() != '"' || !read_name(line, name) || !line.take(':')) return Found::kProblem;
        if (name != text_field_) {
          const bool is_key = !key_field_.empty() && name == key_field_;
          if (is_key) keys.bytes.advance_to(keys.bytes.data() + key_at);
          if (!(is_key ? read_key(line) : line.skip())) return Found::kProblem;
          continue;
        }
        texts.bytes.advance_to(texts.bytes.data() + text_at);
        const std::uint8_t c = line.peek();
        if (c == '"') {
          if (!line.read_string(texts.bytes)) return Found::kProblem;
          text = Found::kText;
        } else {
          if (!line.skip()) return Found::kProblem;
          text = c == 'n' ? Found::kNull : Found::kProblem;
        }
      } while (line.take(','));
      if (!line.take('}')) return Found::kProblem;
    }
    return line.at_end() ? text : Found::kProblem;
  }

  // The name of a field: a view of the line, or of name_ if it has escapes.
  bool read_name(json_detail::Cursor& line, std::string_view& name) {
    const std::uint8_t* const begin = line.position();
    if (!line.skip_string()) return false;
    name = {reinterpret_cast<const char*>(begin) + 1,
            static_cast<std::size_t>(line.position() - begin) - 2};
    if (name.find('\\') != std::string_view::npos) {
      name_.clear();
      json_detail::Cursor(begin, line.position()).read_string(name_);
      name = {name_.data(), name_.size()};
    }
    return true;
  }

  // A string, or any other value as it is written; nothing for null.
  bool read_key(json_detail::Cursor& line) {
    const std::uint8_t c = line.peek();
    if (c == '"') return line.read_string(keys.bytes);
    const std::uint8_t* const begin = line.position();
    if (!line.skip()) return false;
    if (c != 'n') {
      keys.bytes.append(reinterpret_cast<const char*>(begin),
                        static_cast<std::size_t>(line.position() - begin));
    }
    return true;
  }

  std::string text_field_, key_field_;
  Growing<char> name_;
};

}  // namespace wordsplit
