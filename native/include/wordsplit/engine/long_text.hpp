// Encodes one long text on many threads.
//
// Where a span begins depends on the spans before it. So each stretch is cut at places where spans
// begin in nearly every scheme, and all pieces are encoded at once, each up to the first span end
// at or after the next cut. If that end is the cut, the next piece has begun at a span start, and
// its ids are those of the whole text; else they are dropped, and the piece is encoded again from
// that end. So the ids do not depend on the number of threads or the cuts. Vocabs that lack a token
// for some byte are excluded: a piece that begins within a span could fail on a span that the text
// does not have.
//
// The spans of patterns in several steps depend on the pieces that they are in. Such texts are cut
// only where the automata prove that the parts have the spans of the whole (SplitSteps::can_cut),
// and the parts are encoded as separate texts.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "wordsplit/base/threads.hpp"
#include "wordsplit/engine/engine.hpp"

namespace wordsplit {

// The least size of a piece that is worth a thread.
inline constexpr std::size_t kPiece = 256 << 10;

// The first offset in [from, to) where a line begins with a letter, else where a space stands
// between two letters; `to` if there is none.
inline std::size_t find_cut(const std::uint8_t* text, std::size_t from, std::size_t to) {
  const auto letter = [](std::uint8_t c) {
    return static_cast<std::uint8_t>((c | 0x20) - 'a') < 26;
  };
  for (std::size_t i = from; i < to; ++i) {
    if (text[i - 1] == '\n' && letter(text[i])) return i;
  }
  for (std::size_t i = from; i + 1 < to; ++i) {
    if (letter(text[i - 1]) && text[i] == ' ' && letter(text[i + 1])) return i;
  }
  return to;
}

// The first offset in [from, to) where the parts have the spans of the whole; `to` if there is
// none.
inline std::size_t find_proven_cut(const SpanFinder& spans, const std::uint8_t* text, std::size_t n,
                                   std::size_t from, std::size_t to) {
  const std::size_t start = code_point_start(text, n, from - 1);
  CodePoint before = decode_utf8(text + start, text + n);
  for (std::size_t at = start + before.size; at < to;) {
    const CodePoint after = decode_utf8(text + at, text + n);
    if (at >= from && spans.steps->can_cut(before.value, after.value)) return at;
    at += after.size;
    before = after;
  }
  return to;
}

// Appends the ids of text[0, n), on as many threads as there are states.
inline void encode_long_text(const Engine& engine, const std::uint8_t* text, std::size_t n,
                             AsText as_text, std::span<Engine::State* const> states, Output& out) {
  struct Piece {
    std::size_t end = 0;  // where its last span ends
    std::atomic<bool> done{false};
    Output ids;
  };
  const SpanFinder& spans = engine.config().spans;
  const bool alone = !spans.can_begin_anywhere();  // the parts are texts of their own
  const auto stretch = [&](const std::uint8_t* p, std::size_t size) {
    const std::size_t count = std::min(size / kPiece, 4 * states.size());
    std::vector<std::size_t> cuts = {0};
    for (std::size_t k = 1; k < count; ++k) {
      const std::size_t at = size / count * k;
      const std::size_t to = std::min(at + (16 << 10), size);
      const std::size_t cut = alone ? find_proven_cut(spans, p, size, at, to) : find_cut(p, at, to);
      if (cut > cuts.back() && cut < to) cuts.push_back(cut);
    }
    cuts.push_back(size);
    const std::unique_ptr<Piece[]> pieces(new Piece[cuts.size() - 1]);
    std::atomic<std::size_t> next{0};
    std::size_t taken = 0, reached = 0;  // reached: where the spans in `out` end
    run_threads(
        std::min(states.size(), cuts.size() - 1),
        [&](std::size_t worker) {
          const std::size_t k = next.fetch_add(1);
          if (k + 1 >= cuts.size()) return false;
          Piece& piece = pieces[k];
          const std::size_t from = cuts[k], to = cuts[k + 1];
          if (alone) {
            engine.encode_range(p + from, to - from, 0, to - from, *states[worker], piece.ids);
            piece.end = to;
          } else {
            piece.end = engine.encode_range(p, size, from, to, *states[worker], piece.ids);
          }
          piece.done.store(true, std::memory_order_release);
          return true;
        },
        [&] {
          for (; taken + 1 < cuts.size() && pieces[taken].done.load(std::memory_order_acquire);
               ++taken) {
            Piece& piece = pieces[taken];
            if (reached == cuts[taken]) {
              out.append(piece.ids.data(), piece.ids.size());
              reached = piece.end;
            } else if (reached < cuts[taken + 1]) {
              reached = engine.encode_range(p, size, reached, cuts[taken + 1], *states[0], out);
            }
            piece.ids = Output();
          }
        });
  };
  if (states.size() < 2 || !engine.encodes_all_bytes() || engine.is_sequential()) {
    engine.encode(text, n, as_text, *states[0], out);
  } else {
    engine.encode(text, n, as_text, *states[0], out, 2 * kPiece, stretch);
  }
}

}  // namespace wordsplit
