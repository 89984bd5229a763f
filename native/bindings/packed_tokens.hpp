// Tokens by id, packed as Python's TokenTable holds them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace wordsplit::bindings {

inline nanobind::bytes bytes_of(const std::vector<std::uint32_t>& words) {
  return nanobind::bytes(words.data(), 4 * words.size());
}

// Blob, ends and ids, the latter as 32-bit words in ascending order.
using PackedTable = std::tuple<nanobind::bytes, nanobind::bytes, nanobind::bytes>;

// Packs tokens that come in any order.
class TokenPacker {
 public:
  explicit TokenPacker(std::size_t count) { tokens_.reserve(count); }

  // The bytes of the token that is added next are appended to these.
  std::string& bytes() { return bytes_; }
  void add(std::uint32_t id) {
    tokens_.push_back({id, last_, bytes_.size()});
    last_ = bytes_.size();
  }

  // The table; none if two tokens have one id, or if it is too large.
  std::optional<PackedTable> packed() {
    if (bytes_.size() > UINT32_MAX) return std::nullopt;
    const auto below = [](const Token& a, const Token& b) { return a.id < b.id; };
    if (!std::is_sorted(tokens_.begin(), tokens_.end(), below)) {
      std::sort(tokens_.begin(), tokens_.end(), below);
      std::string ordered;
      ordered.reserve(bytes_.size());
      for (Token& token : tokens_) {
        ordered.append(bytes_, token.start, token.end - token.start);
        token.end = ordered.size();
      }
      bytes_ = std::move(ordered);
    }
    std::vector<std::uint32_t> ends, ids;
    ends.reserve(tokens_.size()), ids.reserve(tokens_.size());
    for (const Token& token : tokens_) {
      if (!ids.empty() && ids.back() == token.id) return std::nullopt;
      ends.push_back(static_cast<std::uint32_t>(token.end));
      ids.push_back(token.id);
    }
    return PackedTable(nanobind::bytes(bytes_.data(), bytes_.size()), bytes_of(ends),
                       bytes_of(ids));
  }

 private:
  struct Token {
    std::uint32_t id;
    std::size_t start, end;  // of its bytes
  };

  std::vector<Token> tokens_;
  std::string bytes_;
  std::size_t last_ = 0;
};

}  // namespace wordsplit::bindings
