// Finds added tokens in text: leftmost, then longest, with their flags, as `tokenizers` does.
//
// Where the first two bytes of a literal occur (head_finder.hpp), binary searches narrow the sorted
// literals byte by byte. So text in which no literal begins costs little, however many there are,
// and a position where one begins O(length log count), of those that begin with the same byte. A
// match that is rejected (its content is to stay text, or it does not stand alone under
// single_word) is still consumed: the search continues after it.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/text/head_finder.hpp"
#include "wordsplit/text/unicode.hpp"

namespace wordsplit {

struct AddedToken {
  std::string_view literal;  // a view of memory owned elsewhere
  std::uint32_t id;
  std::uint32_t number;  // the index in the vocab's list
  bool special, lstrip, rstrip, single_word;
  bool is_span = false;  // whether the model alone gives the id for the literal; set by Engine
};

// A byte for each of the vocab's added tokens, not zero if it is to stay text; null if none is.
using AsText = const std::uint8_t*;

class AddedTokenMatcher {
 public:
  explicit AddedTokenMatcher(std::vector<AddedToken> tokens, SimdLevel level = best_simd_level())
      : tokens_(std::move(tokens)), heads_(level) {
    const auto before = [](const auto& a, const auto& b) { return a.literal < b.literal; };
    if (!std::is_sorted(tokens_.begin(), tokens_.end(), before)) {
      std::sort(tokens_.begin(), tokens_.end(), before);
    }
    for (const AddedToken& token : tokens_) {
      const auto* p = reinterpret_cast<const std::uint8_t*>(token.literal.data());
      ++begins_[p[0] + 1];
      heads_.add(token.literal);
    }
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  }

  bool empty() const { return tokens_.empty(); }

  // Calls piece(start, end, token) for each added token and each stretch of text between, in order.
  // token is null for a stretch, which is never empty.
  template <class Piece>
  void split(const std::uint8_t* text, std::size_t n, AsText as_text, Piece&& piece) const {
    std::size_t done = 0, at = 0;
    while (!tokens_.empty() && (at = heads_.find(text, n, at)) < n) {
      const AddedToken* token = longest(text + at, n - at);
      if (!token) {
        ++at;
        continue;
      }
      const std::size_t start = at;
      at += token->literal.size();
      if ((as_text && as_text[token->number]) ||
          (token->single_word && !stands_alone(text, n, start, at))) {
        continue;
      }
      // A token with rstrip may have consumed the start of this one, which is a match all the same.
      const std::size_t left = token->lstrip ? std::max(strip_left(text, start), done) : start;
      const std::size_t right = token->rstrip ? strip_right(text, n, at) : at;
      if (left >= right) continue;  // it has consumed all of it
      if (done < left) piece(done, left, nullptr);
      piece(left, right, token);
      done = right;
    }
    if (done < n) piece(done, n, nullptr);
  }

  // A piece of raw text that was found as a token in normalized text: its literal, between the
  // white space that it strips.
  static std::string normalized(const AddedToken& token, const std::uint8_t* piece, std::size_t n) {
    const std::string_view raw(reinterpret_cast<const char*>(piece), n);
    const std::size_t begin = token.lstrip ? strip_right(piece, n, 0) : 0;
    const std::size_t end = token.rstrip ? strip_left(piece, n) : n;
    if (begin >= end) return std::string(raw);  // the literal is white space
    return std::string(raw.substr(0, begin)).append(token.literal).append(raw.substr(end));
  }

 private:
  // Precondition: a literal begins with the first byte.
  const AddedToken* longest(const std::uint8_t* p, std::size_t n) const {
    auto low = tokens_.begin() + begins_[*p], high = tokens_.begin() + begins_[*p + 1];
    const AddedToken* best = low->literal.size() == 1 ? &*low : nullptr;
    for (std::size_t depth = 1; depth < n && low != high; ++depth) {
      const std::uint8_t byte = p[depth];
      // Of the literals that agree so far, only the first, which is the shortest, can end here.
      const auto at = [depth](const AddedToken& t) {
        return depth < t.literal.size() ? static_cast<std::uint8_t>(t.literal[depth]) : -1;
      };
      low =
          std::lower_bound(low, high, byte, [&](const AddedToken& t, int b) { return at(t) < b; });
      high =
          std::upper_bound(low, high, byte, [&](int b, const AddedToken& t) { return b < at(t); });
      if (low != high && low->literal.size() == depth + 1) best = &*low;
    }
    return best;
  }

  static std::uint8_t class_before(const std::uint8_t* text, std::size_t at, std::size_t& start) {
    start = at - 1;
    while (start > 0 && at - start < 4 && is_continuation(text[start])) --start;
    CodePoint cp = decode_utf8(text + start, text + at);
    if (cp.size != at - start) {  // the byte before is not part of a valid character
      start = at - 1;
      cp = {kInvalid, 1};
    }
    return class_of(cp.value);
  }

  static std::size_t strip_left(const std::uint8_t* text, std::size_t at) {
    std::size_t start = at;
    while (at > 0 && is_space(class_before(text, at, start))) at = start;
    return at;
  }

  static std::size_t strip_right(const std::uint8_t* text, std::size_t n, std::size_t at) {
    while (at < n) {
      const CodePoint cp = decode_utf8(text + at, text + n);
      if (!is_space(class_of(cp.value))) break;
      at += cp.size;
    }
    return at;
  }

  static bool stands_alone(const std::uint8_t* text, std::size_t n, std::size_t start,
                           std::size_t end) {
    std::size_t ignored;
    if (start > 0 && class_before(text, start, ignored) & kFlagWord) return false;
    return end == n || !(class_of(decode_utf8(text + end, text + n).value) & kFlagWord);
  }

  std::vector<AddedToken> tokens_;  // sorted by literal
  HeadFinder heads_;
  std::array<std::uint32_t, 257> begins_{};  // where those begin that begin with a byte
};

}  // namespace wordsplit
