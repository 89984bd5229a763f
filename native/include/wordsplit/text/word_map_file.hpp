// The rules of a map of words as bytes: for portable files (compiled.hpp).
//
// Numbers have 32 bits, the lowest byte first; before each list stands how many items it has. The
// same rules give the same bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "wordsplit/text/word_map.hpp"

namespace wordsplit {

namespace word_map_file_detail {

// In this order, as the bits of a number.
inline constexpr bool WordRules::* kFlags[] = {
    &WordRules::has_signs,  &WordRules::contractions, &WordRules::ended,
    &WordRules::spaced,     &WordRules::drop_spaces,  &WordRules::collapse_spaces,
    &WordRules::prepend,    &WordRules::prepend_each, &WordRules::trim_left,
    &WordRules::trim_right, &WordRules::strip_right,  &WordRules::joined,
    &WordRules::summed,     &WordRules::longest_keys, &WordRules::normalizes,
};
static_assert(std::size(kFlags) == sizeof(WordFlags) + 1, "a flag is missing in the list");

class Writer {
 public:
  void number(std::size_t value) {
    const auto word = static_cast<std::uint32_t>(value);
    out_.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  void bytes(std::string_view text) {
    number(text.size());
    out_ += text;
  }
  template <class Item>
  void items(const std::vector<Item>& all) {
    number(all.size());
    out_.append(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(Item));
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  std::uint32_t number() {
    std::uint32_t out;
    std::memcpy(&out, take(1, sizeof out).data(), sizeof out);
    return out;
  }
  std::string bytes() { return std::string(take(number(), 1)); }
  std::string text() {
    std::string out = bytes();
    if (!is_utf8(reinterpret_cast<const std::uint8_t*>(out.data()), out.size())) fail();
    return out;
  }
  template <class Item>
  void items(std::vector<Item>& out) {
    static_assert(std::is_trivially_copyable_v<Item>);
    const std::size_t count = number();
    const std::string_view bytes = take(count, sizeof(Item));
    out.resize(count);
    if (count > 0) std::memcpy(out.data(), bytes.data(), bytes.size());
  }
  // How often the caller reads something next.
  std::uint32_t count() {
    const std::uint32_t out = number();
    if (out > rest_.size()) fail();
    return out;
  }
  void finish() const {
    if (!rest_.empty()) fail();
  }
  [[noreturn]] static void fail() {
    throw std::invalid_argument("has a damaged map of characters");
  }

 private:
  std::string_view take(std::size_t count, std::size_t size) {
    if (count > rest_.size() / size) fail();
    const std::string_view out = rest_.substr(0, count * size);
    rest_.remove_prefix(out.size());
    return out;
  }

  std::string_view rest_;
};

inline void write(const NormalizerStep& step, Writer& out) {
  out.number(static_cast<std::size_t>(step.kind));
  const std::map sorted(step.characters.begin(), step.characters.end());
  out.number(sorted.size());
  for (const auto& [character, becomes] : sorted) {
    out.number(character);
    out.bytes(becomes);
  }
  out.bytes(step.pattern);
  out.bytes(step.content);
}

inline NormalizerStep read_step(Reader& in) {
  NormalizerStep out;
  const std::uint32_t kind = in.number();
  if (kind > static_cast<std::uint32_t>(NormalizerStep::Kind::Literal)) Reader::fail();
  out.kind = static_cast<NormalizerStep::Kind>(kind);
  for (std::uint32_t n = in.count(); n > 0; --n) {
    const std::uint32_t character = in.number();
    out.characters.emplace(character, in.text());
  }
  out.pattern = in.text();
  out.content = in.text();
  if (out.kind == NormalizerStep::Kind::Literal && out.pattern.empty()) Reader::fail();
  return out;
}

inline void write(const WordRules& rules, Writer& out) {
  std::uint32_t flags = 0;
  for (std::size_t i = 0; i < std::size(kFlags); ++i) flags |= std::uint32_t{rules.*kFlags[i]} << i;
  out.number(flags);
  out.items(rules.pages);
  out.items(rules.entries);
  out.bytes(rules.blob);
  const std::map sorted(rules.keys.begin(), rules.keys.end());
  out.number(sorted.size());
  for (const auto& [key, becomes] : sorted) {
    out.bytes(key);
    out.bytes(becomes);
  }
  out.items(rules.marks);
  out.items(rules.alone);
  out.number(rules.apart.size());
  for (const auto& [first, last] : rules.apart) {
    out.number(first);
    out.number(last);
  }
  out.number(rules.steps.size());
  for (const NormalizerStep& step : rules.steps) write(step, out);
  out.number(rules.behind != nullptr);
  if (rules.behind) write(rules.behind->rules(), out);
}

// `may_follow`: whether these may be behind steps themselves, and not behind others.
inline WordMap read_map(Reader& in, bool may_follow) {
  WordRules out;
  const std::uint32_t flags = in.number();
  if (flags >> std::size(kFlags)) Reader::fail();
  for (std::size_t i = 0; i < std::size(kFlags); ++i) out.*kFlags[i] = flags >> i & 1;
  in.items(out.pages);
  in.items(out.entries);
  out.blob = in.bytes();
  for (std::uint32_t n = in.count(); n > 0; --n) {
    std::string key = in.bytes();
    out.keys.emplace(std::move(key), in.bytes());
  }
  in.items(out.marks);
  in.items(out.alone);
  for (std::uint32_t n = in.count(); n > 0; --n) {
    const std::uint32_t first = in.number();
    out.apart.emplace_back(first, in.number());
  }
  for (std::uint32_t n = in.count(); n > 0; --n) out.steps.push_back(read_step(in));
  const std::uint32_t has_behind = in.number();
  if (has_behind > may_follow || (has_behind == 0 && !out.steps.empty())) Reader::fail();
  if (has_behind) out.behind = std::make_shared<const WordMap>(read_map(in, false));
  return WordMap(std::move(out));
}

}  // namespace word_map_file_detail

inline std::string write_word_map(const WordMap& map) {
  word_map_file_detail::Writer out;
  word_map_file_detail::write(map.rules(), out);
  return out.take();
}

// Reads what write_word_map() has written. Throws std::invalid_argument for anything else.
inline WordMap read_word_map(std::string_view bytes) {
  word_map_file_detail::Reader in(bytes);
  WordMap out = word_map_file_detail::read_map(in, true);
  in.finish();
  return out;
}

}  // namespace wordsplit
