// Every scheme at every SIMD level and with several caps gives spans that tile the text and are the
// reference's. The first byte chooses the scheme, and whether the text is made of a few kinds of
// pieces.
#include "../tests/support.hpp"

namespace {

using namespace wordsplit;

// Pieces that the patterns distinguish: texts of these reach rare cases sooner than random bytes.
const char* const kPieces[] = {
    "a",      "s",      "Z",      " ",      "\n",         "\r",         "\t",     "'",
    "/",      ".",      "!",      "1",      "ll",         "re",         "\u00e9", "\u0416",
    "\u017f", "\u0301", "\u4e2d", "\u3042", "\u2019",     "\u00a0",     "\u0085", "\u0663",
    "\u01c5", "\u02b0", "\u200b", "\x01",   "\U0001f600", "\U00020000", "\xff",   "\xe4\xb8"};

support::Ids scan(ScanFn function, const support::Exact& text, std::size_t cap) {
  const std::unique_ptr<std::uint32_t[]> ends(new std::uint32_t[cap]);
  support::Ids all;
  std::size_t pos = 0, last = 0;
  while (pos < text.n) {
    const std::size_t got = function(text.data.get(), text.n, pos, ends.get(), cap);
    if (got == 0 || got > cap || pos != ends[got - 1] || (got < cap && pos != text.n)) return {};
    for (std::size_t i = 0; i < got; ++i) {
      if (ends[i] <= last || ends[i] > text.n) return {};
      all.push_back(ends[i]);
      last = ends[i];
    }
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Scheme& scheme = schemes()[data[0] % schemes().size()];
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] & 0x80) {
    std::string text;
    for (const char c : bytes) {
      const auto choice = static_cast<std::uint8_t>(c);
      // The high bits repeat a piece, for runs longer than a window.
      const int count = choice >= 0xE0 ? 1 << (choice & 7) : 1;
      for (int i = 0; i < count; ++i) text += kPieces[choice % std::size(kPieces)];
    }
    bytes = text;
  }
  const support::Exact text(bytes);
  const support::Ids want = scan(scheme.reference, text, 64);
  if (want.empty()) support::fail("no tiling", bytes);
  for (const SimdLevel level : simd_levels()) {
    for (const std::size_t cap : {1, 3, 256}) {
      if (scan(scheme.at(level), text, cap) != want) support::fail(scheme.name, bytes);
    }
  }
  return 0;
}
