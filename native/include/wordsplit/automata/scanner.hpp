// Finds spans with a span automaton and its transducer, a window of characters at a time.
//
// The characters of a window become classes, and each two of them an index; the transducer reads
// these and gives a bit for each end. Where it stops, an attempt finds one piece. No state is
// carried from call to call, because every returned end is certain.
//
// Within the pieces of another step, the window has an edge after each piece, and so reads as many
// pieces as fit. It ends with a piece if it can, because then the next one may be passed over.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "wordsplit/automata/attempts.hpp"
#include "wordsplit/automata/transducer.hpp"
#include "wordsplit/base/bits.hpp"
#include "wordsplit/base/byte_set.hpp"
#include "wordsplit/base/simd.hpp"
#include "wordsplit/text/decode_avx512.hpp"

namespace wordsplit::automata {

class Scanner {
 public:
  Scanner(SpanAutomaton automaton, SimdLevel level)
      : automaton_(std::make_unique<const SpanAutomaton>(std::move(automaton))),
        transducer_(*automaton_),
        ascii_(*automaton_),
        scan_(kernel_at<Scan>(level)) {}

  const SpanAutomaton& automaton() const { return *automaton_; }

  // The pieces of a text that a step is within: [begin, ends[0]), [ends[0], ends[1]), ...
  class Pieces {
   public:
    void set(std::size_t begin, const std::uint32_t* ends, std::size_t count) {
      begin_ = begin;
      ends_ = ends;
      count_ = count;
    }
    std::size_t end() const { return count_ ? ends_[count_ - 1] : begin_; }

    // The attempts within the piece with a place < end(). They are kept until another piece is
    // requested.
    Attempts& attempts_at(std::size_t place, const SpanAutomaton& automaton,
                          const CharacterView& text) {
      const std::size_t piece = piece_at(place);
      const std::size_t begin = piece ? ends_[piece - 1] : begin_;
      if (!attempts_ || attempts_->view().begin != begin) {
        attempts_.emplace(automaton, CharacterView{text.text, begin, ends_[piece], text.on_bytes});
      }
      return *attempts_;
    }

   private:
    friend Scanner;
    std::size_t piece_at(std::size_t place) const {
      return static_cast<std::size_t>(std::upper_bound(ends_, ends_ + count_, place) - ends_);
    }

    std::size_t begin_ = 0, count_ = 0;
    const std::uint32_t* ends_ = nullptr;
    std::optional<Attempts> attempts_;
  };

  // Writes ends as a scan function does (scanners.hpp). `attempts` are those of this text.
  // Precondition: its characters are not bytes.
  std::size_t scan(std::size_t& pos, std::uint32_t* ends, std::size_t cap,
                   Attempts& attempts) const {
    return scan_(*this, attempts.view(), nullptr, &attempts, pos, ends, cap);
  }

  // Writes the ends within pieces of a text, from `pos` < pieces.end() on.
  std::size_t scan_within(const CharacterView& text, Pieces& pieces, std::size_t& pos,
                          std::uint32_t* ends, std::size_t cap) const {
    return scan_(*this, text, &pieces, nullptr, pos, ends, cap);
  }

 private:
  static constexpr unsigned kBack = Transducer::kBack;
  // Bits of one number: the characters of half a window, kBack before them and one more.
  static constexpr unsigned kHalf = 60, kWindow = 2 * kHalf;
  static constexpr unsigned kMostWithin = kWindow - 1;  // characters, before an edge
  static constexpr unsigned kPart = kWindow / 4 / 2;    // pairs in a quarter of a window
  static constexpr unsigned kFew = 4;                   // ends of a window
  static constexpr unsigned kCopied = 16;               // classes that are copied at a time
  static constexpr std::uint8_t kEdge = 0xFF;           // instead of a class; see give_symbols()

  // The characters of a window: indexes of each two of their classes, or the classes; and where
  // each begins, after those of kBack characters before it.
  struct Window {
    std::uint16_t pairs[kWindow / 2 + 4];
    std::uint8_t classes[kWindow + kCopied];  // with room for copies, here and below
    std::uint32_t at[kBack + kWindow + 64];
    unsigned count;
    bool has_classes;
  };

  // The symbols of the ASCII characters; those whose symbol varies with what follows; those with
  // which a match may begin.
  struct Ascii {
    alignas(64) std::uint8_t symbols[0x80] = {};
    ByteSet varying, beginning;

    explicit Ascii(const SpanAutomaton& automaton) {
      for (std::uint8_t code = 0; code < 0x80; ++code) {
        const std::uint8_t cls = automaton.characters().ascii()[code];
        const Lookahead* const lookahead = automaton.lookahead();
        const std::uint8_t symbol = lookahead ? lookahead->only_symbol(cls) : cls;
        const bool varies = lookahead && symbol == Lookahead::kVaries;
        if (varies) varying.add(code);
        if (!varies) symbols[code] = symbol;
        if (varies || !automaton.ends_at(symbol)) beginning.add(code);
      }
    }
  };

  // A bit for each end, those of each half from kBack characters before it on.
  struct Ends {
    std::uint64_t bits[2] = {0, 0};

    WORDSPLIT_INLINE std::size_t count() const {
      return static_cast<std::size_t>(std::popcount(bits[0]) + std::popcount(bits[1]));
    }
    WORDSPLIT_INLINE void add(std::uint32_t ends, unsigned at) {
      const unsigned half = at >= kHalf;
      bits[half] |= std::uint64_t{ends} << (at - half * kHalf);
    }
    // Removes the last one, if there is any.
    WORDSPLIT_INLINE bool remove_last() {
      std::uint64_t& last = bits[bits[1] != 0];
      if (!last) return false;
      last &= ~(std::uint64_t{1} << (63 - std::countl_zero(last)));
      return true;
    }
    // Writes their places, at most `most`, and returns the number.
    template <class Simd>
    WORDSPLIT_INLINE std::size_t write(const Window& window, std::uint32_t* to,
                                       std::size_t most) const {
      if (count() + kKeepRoom <= most) {
        const std::size_t first = Simd::keep(bits[0], window.at, 0, to);
        return first + Simd::keep(bits[1], window.at + kHalf, 0, to + first);
      }
      std::uint32_t* out = to;
      for (unsigned half = 0; half < 2; ++half) {
        for (std::uint64_t left = bits[half]; left && out < to + most; left &= left - 1) {
          *out++ = window.at[half * kHalf + lowest(left)];
        }
      }
      return static_cast<std::size_t>(out - to);
    }
  };

  // A scan with an instruction set: of a text, by its attempts, or within pieces of it.
  struct Scan {
    using Function = std::size_t (*)(const Scanner&, const CharacterView& text, Pieces* pieces,
                                     Attempts* attempts, std::size_t& pos, std::uint32_t* ends,
                                     std::size_t cap);
    template <class Simd>
    static WORDSPLIT_INLINE std::size_t run(const Scanner& scanner, const CharacterView& text,
                                            Pieces* pieces, Attempts* attempts, std::size_t& pos,
                                            std::uint32_t* ends, std::size_t cap) {
      const auto attempts_here = [&]() -> Attempts& {
        return attempts ? *attempts : pieces->attempts_at(pos, scanner.automaton(), text);
      };
      const std::size_t n = pieces ? pieces->end() : text.end;
      std::size_t written = 0;
      // How many pieces attempts find where the transducer stops: more and more where it stops
      // again and again, since it has read a window for nothing.
      unsigned some = 1;
      while (written < cap && pos < n) {
        const std::size_t before = written;
        const std::uint32_t row = scanner.transducer_.begin(attempts_here().class_before(pos));
        const bool stopped =
            scanner.run<Simd>(row, text, pieces, attempts, pos, ends, cap, written);
        if (written > before) pos = ends[written - 1];
        if (!stopped && written > before) continue;
        some = written < before + kFew ? std::min(2 * some, kWindow) : 1;
        for (unsigned i = 0; i < some && written < cap && pos < n; ++i) {
          pos = attempts_here().piece(pos).end;
          ends[written++] = static_cast<std::uint32_t>(pos);
        }
      }
      return written;
    }
  };

  // Runs the transducer from a certain end on, until there are `cap` ends, or the text ends, or it
  // stops, which it returns. All ends written are certain.
  template <class Simd>
  WORDSPLIT_INLINE bool run(std::uint32_t row, const CharacterView& text, Pieces* pieces,
                            Attempts* attempts, std::size_t from, std::uint32_t* ends,
                            std::size_t cap, std::size_t& written) const {
    Window window;
    std::fill_n(window.at, kBack, static_cast<std::uint32_t>(from));
    const std::size_t n = pieces ? pieces->end() : text.end;
    std::size_t piece = pieces ? pieces->piece_at(from) : 0;
    for (std::size_t at = from; at < n;) {
      if (pieces && row == transducer_.begin(automaton_->edge())) {
        at = pass_over<Simd>(text, *pieces, at, piece, ends, cap, written);
        if (at == n || written == cap) return false;
      }
      Ends found;
      at = pieces ? read_within<Simd>(text, *pieces, at, piece, window)
                  : read<Simd>(text.text, n, at, *attempts, window);
      row = move(row, window, found);
      bool stopped = row <= Transducer::kTakeBack;
      if (!stopped && at == n && !pieces) {
        const Transducer::Move last = transducer_.move(row, automaton_->edge());
        found.add(last.ends(), window.count);
        row = last.row();
        stopped = row <= Transducer::kTakeBack;
      }
      const bool full = written + found.count() >= cap;
      if ((stopped || full) && transducer_.is_tentative(row) && !found.remove_last()) --written;
      written += found.write<Simd>(window, ends + written, cap - written);
      if (stopped || full) return stopped;
      std::copy_n(window.at + window.count, kBack, window.at);
    }
    return false;
  }

  // From the beginning of a piece on, writes the ends of those that no attempt can match in, as far
  // as their bytes tell, and returns where the last one ends.
  template <class Simd>
  WORDSPLIT_INLINE std::size_t pass_over(const CharacterView& text, const Pieces& pieces,
                                         std::size_t at, std::size_t& piece, std::uint32_t* ends,
                                         std::size_t cap, std::size_t& written) const {
    while (written < cap && at + 64 <= pieces.end()) {
      const auto bytes = Simd::load(text.text + at);
      const std::uint64_t may_match =
          Simd::high_bits(bytes) |
          Simd::in_sets(bytes, ascii_.beginning.lower, ascii_.beginning.upper);
      const std::size_t passed = at + (may_match ? lowest(may_match) : 64), before = written;
      while (written < cap && pieces.ends_[piece] <= passed) {
        ends[written++] = pieces.ends_[piece++];
        if (piece == pieces.count_) break;
      }
      if (written == before) break;
      at = ends[written - 1];
      if (may_match) break;
    }
    return at;
  }

  // Reads characters within pieces from `at` on, with an edge after each piece, and returns where
  // they end. `piece` is the number of the piece there.
  template <class Simd>
  WORDSPLIT_INLINE std::size_t read_within(const CharacterView& text, Pieces& pieces,
                                           std::size_t at, std::size_t& piece,
                                           Window& window) const {
    const Lookahead* lookahead = automaton_->lookahead();
    Window read;
    if (read_ascii<Simd>(text.text, pieces.end(), at, read)) {
      lookahead = nullptr;  // it has given symbols
    } else if (text.on_bytes) {
      read_bytes(text.text, pieces.end(), at, read);
    } else {
      read_classes<Simd>(text.text, pieces.end(), at, read);
    }
    const std::uint8_t edge = lookahead ? kEdge : static_cast<std::uint8_t>(automaton_->edge());
    const std::uint32_t* const from = read.at + kBack;
    std::uint32_t* const to = window.at + kBack;
    const bool are_bytes = from[read.count] - at == read.count;
    unsigned used = 0, count = 0, used_by_whole = 0, count_of_whole = 0;
    while (used < read.count && count < kMostWithin) {
      const std::uint32_t end = pieces.ends_[piece];
      unsigned next = used;  // the first one after the piece
      if (from[read.count] <= end) {
        next = read.count;
      } else if (are_bytes) {
        next = static_cast<unsigned>(end - at);
      } else {
        while (from[next] < end) ++next;
      }
      const unsigned size = std::min(next - used, kMostWithin - count);
      for (unsigned i = 0; i < size; i += kCopied) {
        std::memcpy(window.classes + count + i, read.classes + used + i, kCopied);
        std::memcpy(to + count + i, from + used + i, kCopied * sizeof *to);
      }
      used += size;
      count += size;
      if (from[used] != end) break;
      window.classes[count] = edge;
      to[count++] = end;
      ++piece;
      used_by_whole = used;
      count_of_whole = count;
    }
    if (count_of_whole) used = used_by_whole, count = count_of_whole;
    to[count] = from[used];
    window.count = count;
    window.has_classes = true;
    if (lookahead && !give_symbols(*lookahead, automaton_->edge(), false, window)) {
      Attempts& attempts = pieces.attempts_at(at, *automaton_, text);
      const std::size_t end = attempts.view().end;
      at = read_symbols(end, at, attempts, window);
      if (at == end) {
        window.classes[window.count++] = static_cast<std::uint8_t>(automaton_->edge());
        to[window.count] = static_cast<std::uint32_t>(end);
        ++piece;
      }
      return at;
    }
    return to[window.count];
  }

  // Reads bytes, of which each is a character.
  void read_bytes(const std::uint8_t* text, std::size_t n, std::size_t at, Window& window) const {
    place_bytes(n, at, window);
    for (unsigned i = 0; i < window.count; ++i) {
      window.classes[i] = automaton_->characters().of(text[at + i]);
    }
  }
  // Reads ASCII, and gives symbols; false if there is another character, or one whose symbol
  // varies.
  template <class Simd>
  WORDSPLIT_INLINE bool read_ascii(const std::uint8_t* text, std::size_t n, std::size_t at,
                                   Window& window) const {
    constexpr std::size_t kLast = kWindow - 64;
    if (at + kWindow > n) return false;
    const std::uint8_t* const p = text + at;
    const auto low = Simd::load(p), high = Simd::load(p + kLast);
    if (others_in<Simd>(low) | others_in<Simd>(high)) return false;
    place_bytes(n, at, window);
    Simd::look_up(p, ascii_.symbols, window.classes);
    Simd::look_up(p + kLast, ascii_.symbols, window.classes + kLast);
    return true;
  }
  static void place_bytes(std::size_t n, std::size_t at, Window& window) {
    window.count = static_cast<unsigned>(std::min<std::size_t>(n - at, kWindow));
    for (unsigned i = 0; i <= kWindow; ++i) {
      window.at[kBack + i] = static_cast<std::uint32_t>(at + i);
    }
  }

  // Reads up to kWindow characters from `at` on, and returns where they end.
  template <class Simd>
  WORDSPLIT_INLINE std::size_t read(const std::uint8_t* text, std::size_t n, std::size_t at,
                                    Attempts& attempts, Window& window) const {
    const Lookahead* const lookahead = automaton_->lookahead();
    std::uint32_t* const places = window.at + kBack;
    if (at + kWindow <= n && transducer_.has_pairs()) {
      const std::uint8_t *const first = text + at, *const last = first + kWindow - 64;
      const auto low = Simd::load(first), high = Simd::load(last);
      if (!(others_in<Simd>(low) | others_in<Simd>(high))) {
        const auto classes = static_cast<std::uint8_t>(transducer_.classes());
        Simd::index_pairs(first, ascii_.symbols, classes, window.pairs);
        Simd::index_pairs(last, ascii_.symbols, classes, window.pairs + (kWindow - 64) / 2);
        place_bytes(n, at, window);
        window.has_classes = false;
        return at + kWindow;
      }
    }
    const std::size_t end = read_classes<Simd>(text, n, at, window);
    if (lookahead && !give_symbols(*lookahead, automaton_->edge(), end == n, window)) {
      return read_symbols(n, at, attempts, window);
    }
    return places[window.count];
  }

  // Which of 64 bytes are not ASCII characters whose symbol is known.
  template <class Simd>
  WORDSPLIT_INLINE std::uint64_t others_in(const typename Simd::Bytes& bytes) const {
    const std::uint64_t high = Simd::high_bits(bytes);
    if (!automaton_->lookahead()) return high;
    return high | Simd::in_sets(bytes, ascii_.varying.lower, ascii_.varying.upper);
  }

  // Reads characters of any kind, and gives classes, not symbols.
  template <class Simd>
  WORDSPLIT_INLINE std::size_t read_classes(const std::uint8_t* text, std::size_t n, std::size_t at,
                                            Window& window) const {
    const CharacterClasses& characters = automaton_->characters();
    std::uint32_t* const places = window.at + kBack;
    unsigned i = decode_some(Simd{}, text, n, at, window);
    // Eight bytes at a time, while eight are left: the ASCII characters before another one, of
    // which all eight are written and those behind overwritten later, then a run of others.
    while (i + 8 <= kWindow && at + 8 <= n) {
      std::uint64_t word;
      std::memcpy(&word, text + at, 8);
      const std::uint64_t high = word & 0x8080808080808080u;
      const unsigned ascii = high ? static_cast<unsigned>(std::countr_zero(high)) / 8 : 8;
      for (unsigned k = 0; k < 8; ++k) {
        window.classes[i + k] = characters.ascii()[word >> 8 * k & 0x7F];
        places[i + k] = static_cast<std::uint32_t>(at + k);
      }
      i += ascii;
      at += ascii;
      while (i < kWindow && at + 4 <= n && text[at] >= 0x80) {
        const std::uint32_t b0 = text[at];
        const std::uint32_t b1 = text[at + 1] ^ 0x80u, b2 = text[at + 2] ^ 0x80u;
        const std::uint32_t page = (b0 & 0x0F) << 6 | b1;
        places[i] = static_cast<std::uint32_t>(at);
        if (b0 - 0xC2 < 0xE0 - 0xC2 && b1 < 0x40) {
          window.classes[i] = characters.in_page(b0 & 0x1F, b1);
          at += 2;
        } else if ((b0 & 0xF0) == 0xE0 && (b1 | b2) < 0x40 && page >= 0x800 >> 6 &&
                   page - (0xD800 >> 6) >= 0x800 >> 6) {
          window.classes[i] = characters.in_page(page, b2);
          at += 3;
        } else {
          const CodePoint code = decode_utf8(text + at, text + n);
          window.classes[i] = characters.of(code.value);
          at += code.size;
        }
        ++i;
      }
    }
    // A window need not be full, but the last one must reach the end of the text.
    if (at + 8 <= n) n = at;
    for (; i < kWindow && at < n; ++i) {
      const CodePoint code = decode_utf8(text + at, text + n);
      places[i] = static_cast<std::uint32_t>(at);
      window.classes[i] = characters.of(code.value);
      at += code.size;
    }
    places[i] = static_cast<std::uint32_t>(at);
    window.count = i;
    window.has_classes = true;
    return at;
  }

  // Reads the first characters of a window, as many as an instruction set has a fast way for, moves
  // `at` after them and returns their number.
  template <class Simd>
  WORDSPLIT_INLINE unsigned decode_some(Simd, const std::uint8_t*, std::size_t, std::size_t&,
                                        Window&) const {
    return 0;
  }
#if defined(WORDSPLIT_TARGET_AVX512)
  WORDSPLIT_TARGET_AVX512 unsigned decode_some(simd::Avx512, const std::uint8_t* text,
                                               std::size_t n, std::size_t& at,
                                               Window& window) const {
    const CharacterClasses& characters = automaton_->characters();
    unsigned i = 0;
    for (utf8::Points found; i < kWindow && at < n;) {
      if (!utf8::decode_points(text + at, n - at, found)) break;
      utf8::write_offsets(found, static_cast<std::uint32_t>(at), window.at + kBack + i);
      const unsigned count = std::min(found.count, kWindow - i);
      for (unsigned k = 0; k < count; ++k) window.classes[i + k] = characters.of(found.code[k]);
      at += count < found.count ? found.offset[count] : found.size;
      i += count;
    }
    return i;
  }
#endif

  // Replaces the classes of a window by symbols, and kEdge by that of the edge, which is like the
  // end of a text. What follows the window is not known, except for the end of the text: characters
  // at its end that depend on it are removed. False if none is left.
  static bool give_symbols(const Lookahead& lookahead, unsigned edge, bool is_last,
                           Window& window) {
    std::uint8_t given[kWindow];
    std::memcpy(given, window.classes, window.count);
    unsigned varying = 0;  // the number after the last that varies
    for (unsigned i = 0; i < window.count; ++i) {
      window.classes[i] = static_cast<std::uint8_t>(
          given[i] == kEdge ? edge : unsigned{lookahead.only_symbol(given[i])});
      if (window.classes[i] == Lookahead::kVaries) varying = i + 1;
    }
    const auto forgets = [&](unsigned i) {
      return given[i] == kEdge || lookahead.forgets(given[i]);
    };
    while (varying) {
      // Towards the start from the next character that forgets what follows it.
      unsigned i = varying;
      while (i < window.count && !forgets(i)) ++i;
      if (i == window.count && !is_last) {
        window.count = --varying;
      } else {
        const bool is_edge = i == window.count || given[i] == kEdge;
        std::uint16_t state = is_edge ? 0 : lookahead.back(0, given[i]);
        do {
          --i;
          window.classes[i] = lookahead.symbol(state, given[i]);
          state = lookahead.back(state, given[i]);
        } while (i && !forgets(i) && given[i - 1] != kEdge);
        varying = i;
      }
      while (varying && window.classes[varying - 1] != Lookahead::kVaries) --varying;
    }
    return window.count != 0;
  }

  // Reads a window by the symbols of attempts, with room for an edge.
  static std::size_t read_symbols(std::size_t n, std::size_t at, Attempts& attempts,
                                  Window& window) {
    std::uint32_t* const places = window.at + kBack;
    unsigned i = 0;
    for (; i < kMostWithin && at < n; ++i) {
      const CodePoint code = attempts.view().at(at);
      places[i] = static_cast<std::uint32_t>(at);
      window.classes[i] = static_cast<std::uint8_t>(attempts.class_of(code.value, at));
      at += code.size;
    }
    places[i] = static_cast<std::uint32_t>(at);
    window.count = i;
    window.has_classes = true;
    return at;
  }

  // Runs the transducer over a window, from a row on, and returns the row after it.
  WORDSPLIT_INLINE std::uint32_t move(std::uint32_t row, Window& window, Ends& found) const {
    unsigned i = 0;
    if (transducer_.has_pairs()) {
      const unsigned count = window.count / 2, classes = transducer_.classes();
      for (unsigned k = 0; window.has_classes && k < count; ++k) {
        window.pairs[k] =
            static_cast<std::uint16_t>(window.classes[2 * k] * classes + window.classes[2 * k + 1]);
      }
      row = transducer_.row_at(move_pairs(transducer_.place_of(row), window.pairs, count, found));
      i = 2 * count;
    }
    for (; i < window.count; ++i) {
      const auto next = transducer_.move(row, window.classes[i]);
      found.add(next.ends(), i);
      row = next.row();
    }
    return row;
  }

  // The same for pairs, from the place of a row on. Each move waits for the one before, so up to
  // four parts of the window are read at once, which takes hardly longer than one. A part begins
  // where it usually does after the two characters before it, and again if that was wrong.
  WORDSPLIT_INLINE std::uint32_t move_pairs(std::uint32_t at, const std::uint16_t* pairs,
                                            unsigned count, Ends& found) const {
    if (count > 3 * kPart) return move_parts<4>(at, pairs, count, found);
    if (count > 2 * kPart) return move_parts<3>(at, pairs, count, found);
    if (count > kPart) return move_parts<2>(at, pairs, count, found);
    return move_parts<1>(at, pairs, count, found);
  }

  template <unsigned Parts>
  WORDSPLIT_INLINE std::uint32_t move_parts(std::uint32_t at, const std::uint16_t* pairs,
                                            unsigned count, Ends& found) const {
    const std::uint32_t* const to = transducer_.pair_to();
    const std::uint8_t* const ends = transducer_.pair_ends();
    const unsigned last = count - (Parts - 1) * kPart;
    std::uint32_t begin[Parts], place[Parts];
    std::uint64_t bits[Parts] = {};
    const auto move = [&](unsigned part, unsigned i) {
      const std::uint32_t next = place[part] + pairs[part * kPart + i];
      bits[part] |= std::uint64_t{ends[next]} << (2 * i);
      place[part] = to[next];
    };
    begin[0] = place[0] = at;
    for (unsigned part = 1; part < Parts; ++part) {
      begin[part] = place[part] = transducer_.usual_to()[pairs[part * kPart - 1]];
    }
    unsigned i = 0;
    for (; i < last; ++i) {
      for (unsigned part = 0; part < Parts; ++part) move(part, i);
    }
    for (; i < kPart; ++i) {
      for (unsigned part = 0; part + 1 < Parts; ++part) move(part, i);
    }
    for (unsigned part = 1; part < Parts; ++part) {
      if (place[part - 1] == begin[part]) continue;
      place[part] = place[part - 1];
      bits[part] = 0;
      const unsigned size = part + 1 < Parts ? kPart : last;
      for (i = 0; i < size; ++i) move(part, i);
    }
    for (unsigned part = 0; part < Parts; ++part) {
      found.bits[part / 2] |= bits[part] << (part % 2 * 2 * kPart);
    }
    return place[Parts - 1];
  }

  std::unique_ptr<const SpanAutomaton> automaton_;
  Transducer transducer_;
  Ascii ascii_;
  Scan::Function scan_;
};

}  // namespace wordsplit::automata
