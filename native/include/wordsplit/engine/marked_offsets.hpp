// The characters of each id in the original text, for a vocab that only spells spaces otherwise.
//
// There, the bytes of the tokens, joined, are the text with a space for the mark, and perhaps with
// one before it. Where they are not, as with unknown tokens and added ones, nothing is found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "wordsplit/engine/decoder.hpp"
#include "wordsplit/engine/engine.hpp"
#include "wordsplit/engine/offsets.hpp"

namespace wordsplit {

// Sets the ids of a text, the characters of each, and which of them begin a span: the first one
// and, if spans end before spaces, those that begin with one. All bytes of a character that is no
// token have its place, and what was put before the text has that of the first character. Returns
// false if that cannot be done, or there are no ids. Precondition: a mark, and no prefix.
inline bool encode_with_marks(const Engine& engine, const Decoder& decoder,
                              const std::uint8_t* text, std::size_t n, AsText as_text,
                              Engine::State& state, Offsets& out) {
  const auto continues = [](std::uint8_t byte) { return (byte & 0xC0) == 0x80; };
  const auto characters = [&](const std::uint8_t* p, std::size_t size) {
    return static_cast<std::int64_t>(size) - std::count_if(p, p + size, continues);
  };
  const auto locate = [&](const std::uint8_t* p, std::size_t size) {
    const bool prepended = characters(p, size) > characters(text, n);
    std::int64_t at = prepended ? -1 : 0;
    for (std::size_t i = 0; i < out.ids.size(); ++i) {
      const auto token = decoder.find(out.ids.data()[i]);
      if (!token || token->size() > size || std::memcmp(token->data(), p, token->size()) != 0) {
        return false;
      }
      const bool inside = !token->empty() && continues(*p);
      const std::int64_t start = at - inside;
      at += characters(p, token->size());
      out.char_starts.push(i == 0 && prepended ? 0 : start);
      out.char_ends.push(i == 0 && prepended ? std::max<std::int64_t>(at, 1) : at);
      if (i == 0 || (engine.config().cuts_at_spaces && token->starts_with(' '))) {
        out.span_starts.push(static_cast<std::int64_t>(i));
      }
      p += token->size();
      size -= token->size();
    }
    return size == 0;
  };
  return encode_and_locate(engine, text, n, as_text, state, out, locate);
}

}  // namespace wordsplit
