// Extracts one string of each line of JSON Lines, and optionally a second value.
//
// A line is a JSON string, which is the text itself, or an object with the text under a field. The
// whole line is checked: the strings wanted are unescaped into one buffer, everything else is
// skipped. The last of duplicate keys counts, as in Python's `json`; json_cursor.hpp says what else
// is JSON.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wordsplit/base/growing.hpp"
#include "wordsplit/text/json_cursor.hpp"

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
      JsonCursor line(p, line_end);
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

  Found read_line(JsonCursor& line, std::size_t text_at, std::size_t key_at) {
    if (line.peek() == '"') {
      return line.read_string(texts.bytes) && line.at_end() ? Found::kText : Found::kProblem;
    }
    Found text = Found::kProblem;
    const auto read_value = [&](std::string_view quoted) {
      const std::string_view name = json_unescaped(quoted, name_);
      if (name != text_field_) {
        if (key_field_.empty() || name != key_field_) return line.skip();
        keys.bytes.advance_to(keys.bytes.data() + key_at);
        return read_key(line);
      }
      texts.bytes.advance_to(texts.bytes.data() + text_at);
      const std::uint8_t c = line.peek();
      text = c == '"' ? Found::kText : c == 'n' ? Found::kNull : Found::kProblem;
      return c == '"' ? line.read_string(texts.bytes) : line.skip();
    };
    return line.each_member(read_value) && line.at_end() ? text : Found::kProblem;
  }

  // A string, or any other value as it is written; nothing for null.
  bool read_key(JsonCursor& line) {
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
