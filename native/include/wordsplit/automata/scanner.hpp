// Finds spans with a span automaton and its transducer, a window of characters at a time.
//
// The characters of a window become classes, and each two of them an index; the transducer reads
// these and gives a bit for each end. Where it stops, an attempt finds one piece. Nothing is
// carried from call to call, since every end that is returned is certain.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>

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
        passed_over_(find_passed_over(*automaton_)),
        scan_(kernel_at<Scan>(level)) {}

  const SpanAutomaton& automaton() const { return *automaton_; }
  const Transducer& transducer() const { return transducer_; }

  // Whether no attempt at any character of a text gets beyond it, as far as bytes tell. on_bytes:
  // each byte is the code point of its number; else only ASCII is known.
  bool passes_over(const std::uint8_t* text, std::size_t n, bool on_bytes) const {
    const unsigned known = on_bytes ? 0x100 : 0x80;
    return std::all_of(text, text + n,
                       [&](std::uint8_t byte) { return byte < known && passed_over_[byte]; });
  }

  // Writes ends as a scan function does (scanners.hpp). `attempts` are those of this text.
  std::size_t scan(const std::uint8_t* text, std::size_t n, std::size_t& pos, std::uint32_t* ends,
                   std::size_t cap, Attempts& attempts) const {
    return scan_(*this, text, n, pos, ends, cap, attempts);
  }

 private:
  static constexpr unsigned kBack = Transducer::kBack;
  // Bits of one number: the characters of half a window, kBack before them and one more.
  static constexpr unsigned kHalf = 60, kWindow = 2 * kHalf;
  static constexpr unsigned kPart = kWindow / 4 / 2;  // pairs in a quarter of a window
  static constexpr unsigned kFew = 4;                 // ends of a window

  // The characters of a window: indexes of each two of their classes, or the classes; and where
  // each begins, after those of kBack characters before it.
  struct Window {
    std::uint16_t pairs[kWindow / 2 + 4];
    std::uint8_t classes[kWindow];
    std::uint32_t at[kBack + kWindow + 64];  // with room for vector stores
    unsigned count;
    bool has_classes;
  };

  // The symbols of the ASCII characters, and those whose symbol varies with what follows.
  struct Ascii {
    alignas(64) std::uint8_t symbols[0x80] = {};
    ByteSet varying;

    explicit Ascii(const SpanAutomaton& automaton) {
      for (unsigned code = 0; code < 0x80; ++code) {
        const std::uint8_t cls = automaton.characters().ascii()[code];
        const Lookahead* const lookahead = automaton.lookahead();
        const std::uint8_t symbol = lookahead ? lookahead->only_symbol(cls) : cls;
        if (lookahead && symbol == Lookahead::kVaries) {
          varying.add(static_cast<std::uint8_t>(code));
        } else {
          symbols[code] = symbol;
        }
      }
    }
  };

  // The code points at which every attempt ends without a match.
  using Latin = std::array<bool, 0x100>;
  static Latin find_passed_over(const SpanAutomaton& automaton) {
    const Lookahead* const lookahead = automaton.lookahead();
    Latin out;
    for (std::uint32_t code = 0; code < out.size(); ++code) {
      const std::uint8_t cls = automaton.characters().of(code);
      const std::uint8_t symbol = lookahead ? lookahead->only_symbol(cls) : cls;
      out[code] = (!lookahead || symbol != Lookahead::kVaries) && automaton.ends_at(symbol);
    }
    return out;
  }

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

  // A scan with an instruction set.
  struct Scan {
    using Function = std::size_t (*)(const Scanner&, const std::uint8_t* text, std::size_t n,
                                     std::size_t& pos, std::uint32_t* ends, std::size_t cap,
                                     Attempts& attempts);
    template <class Simd>
    static WORDSPLIT_INLINE std::size_t run(const Scanner& scanner, const std::uint8_t* text,
                                            std::size_t n, std::size_t& pos, std::uint32_t* ends,
                                            std::size_t cap, Attempts& attempts) {
      std::size_t written = 0;
      // How many pieces attempts find where the transducer stops: more and more where it stops
      // again and again, since it has read a window for nothing.
      unsigned pieces = 1;
      while (written < cap && pos < n) {
        const std::size_t before = written;
        const std::uint32_t row = scanner.transducer_.begin(attempts.class_before(pos));
        const bool stopped = scanner.run<Simd>(row, text, n, pos, ends, cap, attempts, written);
        if (written > before) pos = ends[written - 1];
        if (!stopped && written > before) continue;
        pieces = written < before + kFew ? std::min(2 * pieces, kWindow) : 1;
        for (unsigned i = 0; i < pieces && written < cap && pos < n; ++i) {
          pos = attempts.piece(pos).end;
          ends[written++] = static_cast<std::uint32_t>(pos);
        }
      }
      return written;
    }
  };

  // Runs the transducer from a certain end on, until there are `cap` ends, or the text ends, or it
  // stops, which it returns. All ends written are certain.
  template <class Simd>
  WORDSPLIT_INLINE bool run(std::uint32_t row, const std::uint8_t* text, std::size_t n,
                            std::size_t from, std::uint32_t* ends, std::size_t cap,
                            Attempts& attempts, std::size_t& written) const {
    Window window;
    std::fill_n(window.at, kBack, static_cast<std::uint32_t>(from));
    for (std::size_t at = from; at < n;) {
      Ends found;
      at = read<Simd>(text, n, at, attempts, window);
      row = move(row, window, found);
      bool stopped = row <= Transducer::kTakeBack;
      if (!stopped && at == n) {
        const std::uint32_t last = transducer_.finish(row);
        stopped = !(last & Transducer::kKnown);
        if (!stopped) {
          found.add((last & ~Transducer::kKnown) | 1u << kBack, window.count);
          row = Transducer::kStop;
        }
      }
      const bool full = written + found.count() >= cap;
      if ((stopped || full) && transducer_.is_tentative(row) && !found.remove_last()) --written;
      written += found.write<Simd>(window, ends + written, cap - written);
      if (stopped || full) return stopped;
      std::copy_n(window.at + window.count, kBack, window.at);
    }
    return false;
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
      std::uint64_t others = Simd::high_bits(low) | Simd::high_bits(high);
      if (lookahead) {
        others |= Simd::in_sets(low, ascii_.varying.lower, ascii_.varying.upper) |
                  Simd::in_sets(high, ascii_.varying.lower, ascii_.varying.upper);
      }
      if (!others) {
        const auto classes = static_cast<std::uint8_t>(transducer_.classes());
        Simd::index_pairs(first, ascii_.symbols, classes, window.pairs);
        Simd::index_pairs(last, ascii_.symbols, classes, window.pairs + (kWindow - 64) / 2);
        for (unsigned i = 0; i <= kWindow; ++i) places[i] = static_cast<std::uint32_t>(at + i);
        window.count = kWindow;
        window.has_classes = false;
        return at + kWindow;
      }
    }
    const std::size_t end = read_classes<Simd>(text, n, at, window);
    if (lookahead && !give_symbols(*lookahead, end == n, window)) {
      return read_symbols(text, n, at, attempts, window);
    }
    return places[window.count];
  }

  // The same for characters of any kind, and classes, not symbols.
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
  // `at` behind them and returns their number.
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

  // Replaces the classes of a window by symbols. What follows the window is not known, but for the
  // end of the text: characters at its end that depend on it are removed. False if none is left.
  static bool give_symbols(const Lookahead& lookahead, bool is_last, Window& window) {
    std::uint8_t given[kWindow];
    std::memcpy(given, window.classes, window.count);
    unsigned varying = 0;  // the number behind the last that varies
    for (unsigned i = 0; i < window.count; ++i) {
      window.classes[i] = lookahead.only_symbol(given[i]);
      if (window.classes[i] == Lookahead::kVaries) varying = i + 1;
    }
    while (varying) {
      // Towards the start from the next character that forgets what follows it.
      unsigned i = varying;
      while (i < window.count && !lookahead.forgets(given[i])) ++i;
      if (i == window.count && !is_last) {
        window.count = --varying;
      } else {
        std::uint16_t state = i == window.count ? 0 : lookahead.back(0, given[i]);
        do {
          --i;
          window.classes[i] = lookahead.symbol(state, given[i]);
          state = lookahead.back(state, given[i]);
        } while (i && !lookahead.forgets(given[i]));
        varying = i;
      }
      while (varying && window.classes[varying - 1] != Lookahead::kVaries) --varying;
    }
    return window.count != 0;
  }

  // Reads a window by the symbols of the text's attempts.
  static std::size_t read_symbols(const std::uint8_t* text, std::size_t n, std::size_t at,
                                  Attempts& attempts, Window& window) {
    std::uint32_t* const places = window.at + kBack;
    unsigned i = 0;
    for (; i < kWindow && at < n; ++i) {
      const CodePoint code = decode_utf8(text + at, text + n);
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
  Latin passed_over_;
  Scan::Function scan_;
};

}  // namespace wordsplit::automata
