// Rules of text as bytes, for portable files: the common functions to write and read them.
//
// Numbers have 32 bits, the lowest byte first; each list is preceded by its number of items. The
// same rules give the same bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "wordsplit/text/utf8_check.hpp"

namespace wordsplit::portable {

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
  bool flag() {
    const std::uint32_t out = number();
    if (out > 1) fail();
    return out != 0;
  }
  // An enumerator, of those up to the last one.
  template <class Enum>
  Enum one_of(Enum last) {
    const std::uint32_t out = number();
    if (out > static_cast<std::uint32_t>(last)) fail();
    return static_cast<Enum>(out);
  }
  // The number of things that the caller reads next.
  std::uint32_t count() {
    const std::uint32_t out = number();
    if (out > rest_.size()) fail();
    return out;
  }
  void finish() const {
    if (!rest_.empty()) fail();
  }
  [[noreturn]] static void fail() { throw std::invalid_argument("has damaged rules of text"); }

 private:
  std::string_view take(std::size_t count, std::size_t size) {
    if (count > rest_.size() / size) fail();
    const std::string_view out = rest_.substr(0, count * size);
    rest_.remove_prefix(out.size());
    return out;
  }

  std::string_view rest_;
};

}  // namespace wordsplit::portable
