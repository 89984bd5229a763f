// Reads JSON in place, piece by piece: strings are unescaped, everything else can be skipped.
//
// Python's `json` is the model: NaN and Infinity are numbers, and control characters in strings are
// errors. Unlike there, a lone surrogate becomes U+FFFD, and nesting is limited to kDepth. Bytes
// that are not UTF-8 are copied as they are.
//
// Strings are scanned and copied 16 bytes at a time, so the cost is about one operation a byte, and
// a branch for each escape.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "wordsplit/base/bytes16.hpp"
#include "wordsplit/base/growing.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

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

// The character that one after a backslash stands for; 0 if it is `u`, or none of them.
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

}  // namespace json_detail

// A position in a text. Each method returns false if the text is not JSON there.
class JsonCursor {
 public:
  JsonCursor(const std::uint8_t* begin, const std::uint8_t* end) : p_(begin), end_(end) {}

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
    // Never longer than what is left of the line, except for the 16 bytes written ahead.
    char* const begin = out.reserve(static_cast<std::size_t>(end_ - p_) + 16);
    char* to = begin;
    ++p_;
    while (true) {
      p_ = json_detail::plain<true>(p_, end_, to);
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
      p_ = json_detail::plain<false>(p_, end_, nowhere);
      if (p_ == end_ || *p_ < 0x20) return false;
      if (*p_ == '"') break;
      char ignored[4];
      char* to = ignored;
      if (!escape(to)) return false;
    }
    ++p_;
    return true;
  }

  // Reads an object: calls `read` for each member with its name as it is written, in quotes, and
  // `read` reads the value. Returns false if `read` does.
  template <class Read>
  bool each_member(const Read& read) {
    if (!take('{')) return false;
    if (take('}')) return true;
    do {
      if (peek() != '"') return false;
      const std::uint8_t* const begin = p_;
      if (!skip_string()) return false;
      const std::string_view name(reinterpret_cast<const char*>(begin),
                                  static_cast<std::size_t>(p_ - begin));
      if (!take(':') || !read(name)) return false;
    } while (take(','));
    return take('}');
  }

  // Skips a value of any kind, without recursion.
  bool skip() {
    std::uint64_t objects[json_detail::kDepth / 64] =
        {};  // a bit for each open bracket: whether it is a brace
    std::size_t depth = 0;
    const auto in_object = [&] { return objects[(depth - 1) / 64] >> (depth - 1) % 64 & 1; };
    while (true) {
      const std::uint8_t c = peek();
      if (c == '{' || c == '[') {
        if (depth == json_detail::kDepth) return false;
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
      for (; depth; --depth) {  // after a value
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
    while (p_ < end_ && json_detail::is_space(*p_)) ++p_;
  }
  bool key() { return peek() == '"' && skip_string() && take(':'); }

  // Appends what an escape stands for. Precondition: *p_ is a backslash.
  bool escape(char*& to) {
    if (end_ - p_ < 2) return false;
    const std::uint8_t c = p_[1];
    p_ += 2;
    if (const char found = json_detail::kEscaped[c]) {
      *to++ = found;
      return true;
    }
    if (c != 'u') return false;
    const std::int32_t first = json_detail::hex4(p_, end_);
    if (first < 0) return false;
    p_ += 4;
    auto code = static_cast<std::uint32_t>(first);
    if ((code & 0xF800) == 0xD800) {
      const std::int32_t second = code < 0xDC00 && end_ - p_ >= 6 && p_[0] == '\\' && p_[1] == 'u'
                                      ? json_detail::hex4(p_ + 2, end_)
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
    while (p_ < end_ && json_detail::is_digit(*p_)) ++p_;
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
    if (end_ - p_ >= 2 && *p_ == '.' && json_detail::is_digit(p_[1])) {
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

// The content of a string that was read already: a view of it, or of `buffer` if it has escapes.
inline std::string_view json_unescaped(std::string_view quoted, Growing<char>& buffer) {
  if (quoted.find('\\') == std::string_view::npos) return quoted.substr(1, quoted.size() - 2);
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(quoted.data());
  buffer.clear();
  JsonCursor(begin, begin + quoted.size()).read_string(buffer);
  return {buffer.data(), buffer.size()};
}

}  // namespace wordsplit
