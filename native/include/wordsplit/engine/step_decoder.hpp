// Decodes ids of a vocab whose decoder is a sequence of steps, from the decoded text of each token
// alone.
//
// Nearly all steps change each token separately, whatever the others are, except that the first one
// may differ. The caller, who knows the steps, runs them on one token at a time, and stores the
// result here: text, or a byte of a character. Ids whose result is not known yet are left to the
// caller. Decoding then means to append texts, to replace runs of bytes that are not characters,
// and to change the text as a whole.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wordsplit/base/growing.hpp"
#include "wordsplit/base/memory.hpp"
#include "wordsplit/text/utf8_check.hpp"

namespace wordsplit {

class StepDecoder {
 public:
  enum class Place { First, Later };  // where a token is in the text

  // For ids below `ids`.
  explicit StepDecoder(std::size_t ids) : tables_{Table(ids), Table(ids)} {}

  // Adds a change of the whole text, after those added before. Not while others decode.
  // Preconditions: `old` is not empty; `character` is one character.
  void then_replace(std::string old, std::string with) {
    changes_.push_back({std::move(old), std::move(with), false, 0, 0});
    ++replacements_;
  }
  void then_strip(std::string character, std::size_t left, std::size_t right) {
    changes_.push_back({std::move(character), "", true, left, right});
  }

  // Says what becomes of a token in a place. What is known already stays. Returns false for an id
  // out of range. All threads may call this while others decode.
  bool put_text(Place place, std::uint64_t id, bool special, std::string_view text) {
    if (text.size() > 0xFFFFFFFF) return false;
    return put(place, id, std::make_unique<const Token>(text, special, false));
  }
  bool put_byte(Place place, std::uint64_t id, bool special, std::uint8_t byte) {
    const char as_char = static_cast<char>(byte);
    return put(place, id,
               std::make_unique<const Token>(std::string_view(&as_char, 1), special, true));
  }

  // One text, from ids that come in parts.
  class Call {
   public:
    Call(const StepDecoder& decoder, bool skip_special, bool replace)
        : decoder_(decoder), skip_special_(skip_special), replace_(replace) {}

    // Returns false at an id of which nothing is known, and at a run of bytes that are no
    // characters, unless these are to be replaced.
    bool add(const std::uint32_t* ids, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) {
        const Token* const token = decoder_.tables_[begun_ ? 1 : 0].find(ids[i]);
        if (!token) return false;
        if (skip_special_ && token->special) continue;
        begun_ = true;
        if (token->is_byte != in_run_) {
          if (in_run_ && !end_run()) return false;
          in_run_ = token->is_byte;
          run_ = out_.size();
        }
        token->append_to(out_);
      }
      return true;
    }

    // Sets the text, which lasts as long as this. Returns false as add() does.
    bool finish(std::string_view& text) {
      if (in_run_ && !end_run()) return false;
      (void)out_.reserve(1);  // so that there is memory to view
      text = {out_.data(), out_.size()};
      parts_.reserve(decoder_.replacements_);  // they are viewed, and must not move
      for (const Change& change : decoder_.changes_) {
        text = change.strips ? change.stripped(text) : change.replaced(text, parts_.emplace_back());
      }
      return true;
    }

   private:
    // As a whole, a run that is not UTF-8 is replaced, byte by byte.
    bool end_run() {
      const std::size_t size = out_.size() - run_;
      if (is_utf8(reinterpret_cast<const std::uint8_t*>(out_.data() + run_), size)) return true;
      if (!replace_) return false;
      out_.advance_to(out_.data() + run_);
      char* to = out_.reserve(3 * size);
      for (std::size_t i = 0; i < size; ++i, to += 3) std::memcpy(to, "\xEF\xBF\xBD", 3);
      out_.advance_to(to);
      return true;
    }

    const StepDecoder& decoder_;
    bool skip_special_, replace_, begun_ = false, in_run_ = false;
    std::size_t run_ = 0;  // where the run begins that the text ends with
    Growing<char> out_;
    std::vector<std::string> parts_;
  };

 private:
  struct Token {
    Token(std::string_view text, bool special, bool is_byte)
        : size(static_cast<std::uint32_t>(text.size())), special(special), is_byte(is_byte) {
      if (text.size() <= sizeof head) {
        if (!text.empty()) std::memcpy(head, text.data(), text.size());
      } else {
        longer = text;
      }
    }
    // A copy of a known size needs no call.
    void append_to(Growing<char>& out) const {
      if (size <= sizeof head) {
        char* const to = out.reserve(sizeof head);
        std::memcpy(to, head, sizeof head);
        out.advance_to(to + size);
      } else {
        out.append(longer.data(), size);
      }
    }

    char head[16] = {};
    std::uint32_t size;
    bool special, is_byte;
    std::string longer;  // the text, if it is longer than the head
  };

  // Tokens by id, null where nothing is known. Pages that are never used take no memory.
  class Table {
   public:
    explicit Table(std::size_t count) : tokens_(count, Pages::AsUsed) {}
    Table(Table&&) = default;
    ~Table() {
      for (const auto& token : tokens_) delete token.load(std::memory_order_relaxed);
    }
    const Token* find(std::uint64_t id) const {
      return id < tokens_.size() ? tokens_[id].load(std::memory_order_acquire) : nullptr;
    }
    bool put(std::uint64_t id, std::unique_ptr<const Token> token) {
      if (id >= tokens_.size()) return false;
      const Token* known = nullptr;
      if (tokens_[id].compare_exchange_strong(known, token.get())) (void)token.release();
      return true;
    }

   private:
    ZeroedArray<std::atomic<const Token*>> tokens_;
  };

  struct Change {
    std::string what, with;
    bool strips;
    std::size_t left, right;

    std::string_view replaced(std::string_view text, std::string& out) const {
      std::size_t from = 0;
      for (std::size_t at; (at = text.find(what, from)) != text.npos; from = at + what.size()) {
        out.append(text, from, at - from) += with;
      }
      if (from == 0) return text;
      return out.append(text, from);
    }
    std::string_view stripped(std::string_view text) const {
      // The two sides are counted apart, and may meet.
      std::size_t start = 0, end = text.size();
      for (std::size_t n = 0; n < left && text.substr(start).starts_with(what); ++n) {
        start += what.size();
      }
      for (std::size_t n = 0; n < right && text.substr(0, end).ends_with(what); ++n) {
        end -= what.size();
      }
      return start < end ? text.substr(start, end - start) : std::string_view();
    }
  };

  bool put(Place place, std::uint64_t id, std::unique_ptr<const Token> token) {
    return tables_[place == Place::First ? 0 : 1].put(id, std::move(token));
  }

  Table tables_[2];  // by place
  std::vector<Change> changes_;
  std::size_t replacements_ = 0;  // of the changes
};

}  // namespace wordsplit
