// Compares NFC and NFKC with their definition (Unicode Standard Annex 15) without any optimization:
// everything decomposed, sorted by a bubble sort, composed. Bytes that are not UTF-8 are barriers.
#include "support.hpp"
#include "wordsplit/text/nfc.hpp"

namespace {

using support::fail;
using support::Random;
using namespace wordsplit;

void put(std::string& out, std::uint32_t cp) { nfc_detail::append_utf8(cp, out); }

std::string utf8(std::initializer_list<std::uint32_t> points) {
  std::string out;
  for (const std::uint32_t cp : points) put(out, cp);
  return out;
}

void finish(std::vector<std::uint32_t>& points, std::string& out) {
  using nfc_detail::combining;
  for (std::size_t n = points.size(); n-- > 1;) {
    for (std::size_t i = 0; i < n; ++i) {
      if (combining(points[i + 1]) && combining(points[i]) > combining(points[i + 1])) {
        std::swap(points[i], points[i + 1]);
      }
    }
  }
  for (std::size_t i = 0; i < points.size();) {
    // D117: composed with the last starter before it that nothing in between blocks.
    std::size_t starter = i;
    while (starter > 0 && combining(points[starter - 1])) --starter;
    std::uint32_t composed = 0;
    if (starter > 0) {
      bool blocked = false;
      for (std::size_t k = starter; k < i; ++k)
        blocked |= combining(points[k]) >= combining(points[i]);
      if (!combining(points[i]) && starter < i) blocked = true;
      if (!blocked) composed = nfc_detail::compose(points[starter - 1], points[i]);
    }
    if (composed) {
      points[starter - 1] = composed;
      points.erase(points.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  for (const std::uint32_t cp : points) put(out, cp);
  points.clear();
}

template <NormalForm kForm = NormalForm::Nfc>
std::string naive(const std::string& text) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  std::string out;
  std::vector<std::uint32_t> points;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint cp = decode_utf8(p + i, p + text.size());
    if (is_invalid(cp)) {
      finish(points, out);
      out += text[i];
    } else {
      nfc_detail::decompose<kForm>(cp.value, points);
    }
    i += cp.size;
  }
  finish(points, out);
  return out;
}

template <NormalForm kForm = NormalForm::Nfc>
std::string at_level(const std::string& text, SimdLevel level) {
  const support::Exact copy(text);
  std::string out = "kept";
  nfc<kForm>(copy.data.get(), copy.n, out, level);
  if (out.compare(0, 4, "kept") != 0) fail("what stood in the output", text);
  out.erase(0, 4);
  if (is_nfc_quick<kForm>(copy.data.get(), copy.n, level) && out != text)
    fail("is_nfc_quick", text);
  return out;
}

template <NormalForm kForm = NormalForm::Nfc>
std::string ours(const std::string& text) {
  const std::string out = at_level<kForm>(text, best_simd_level());
  for (const SimdLevel level : simd_levels()) {
    if (at_level<kForm>(text, level) != out) fail(name_of(level), text);
  }
  return out;
}

// nfc_aligned() gives the same text, and the clusters that changed: in order, each normalizing to
// other bytes, with copies between.
void check_alignment(const std::string& text, const std::string& want) {
  const support::Exact copy(text);
  std::string out, joined;
  std::vector<NfcCluster> changed;
  nfc_aligned(copy.data.get(), copy.n, out, changed);
  if (out != want) fail("aligned NFC", text);
  std::size_t from = 0;
  for (const NfcCluster& c : changed) {
    if (c.from < from || c.from_end <= c.from) fail("clusters out of order", text);
    joined += text.substr(from, c.from - from);
    if (joined.size() != c.to) fail("where a cluster goes", text);
    const std::string raw = text.substr(c.from, c.from_end - c.from);
    if (ours(raw) == raw) fail("a cluster that does not change", text);
    joined += ours(raw);
    if (joined.size() != c.to_end) fail("where a cluster ends", text);
    from = c.from_end;
  }
  if (joined + text.substr(from) != want) fail("clusters that do not join", text);
}

void check(const std::string& text) {
  const std::string once = ours(text);
  check_alignment(text, once);
  if (once != naive(text)) fail("NFC", text);
  if (ours(once) != once) fail("NFC of NFC", text);
  if (ours<NormalForm::Nfkc>(text) != naive<NormalForm::Nfkc>(text)) fail("NFKC", text);
}

void check_cut_anywhere(const std::string& text) {
  for (std::size_t n = 0; n <= text.size(); ++n) check(text.substr(0, n));
  for (std::size_t n = 0; n <= text.size(); ++n) check(text.substr(n));
}

void expect(const std::string& text, const std::string& want) {
  if (ours(text) != want) fail("a known NFC", text);
  check_cut_anywhere("ab" + text + "c" + text);
}

void test_known() {
  expect(utf8({'e', 0x301}), utf8({0xE9}));
  expect(utf8({0x1100, 0x1161, 0x11A8}), utf8({0xAC01}));  // Hangul: L, V, T
  expect(utf8({0xAC00, 0x11A8}), utf8({0xAC01}));          // LV, T
  expect(utf8({0xAC01, 0x11A8}), utf8({0xAC01, 0x11A8}));  // LVT takes no T
  expect(utf8({0xAC00, 0x11A7}), utf8({0xAC00, 0x11A7}));  // one before the first T
  expect(utf8({0x1112, 0x1175, 0x11C2}), utf8({0xD7A3}));  // the last syllable
  expect(utf8({0x1100, 0x301, 0x1161}), utf8({0x1100, 0x301, 0x1161}));
  expect(utf8({'q', 0x307, 0x323}), utf8({'q', 0x323, 0x307}));  // reordered
  expect(utf8({0x1E9B, 0x323}), utf8({0x1E9B, 0x323}));
  expect(utf8({'a', 0x328, 0x301}), utf8({0x105, 0x301}));
  expect(utf8({0x212B}), utf8({0xC5}));         // a singleton
  expect(utf8({0x958}), utf8({0x915, 0x93C}));  // excluded from composition
  expect(utf8({0x344}), utf8({0x308, 0x301}));
  expect(utf8({0x11935, 0x11930}),
         utf8({0x11935, 0x11930}));                   // newer than the data of `tokenizers`
  expect(utf8({0x110A5, 0x110BA}), utf8({0x110AB}));  // composition in a high plane
  expect(utf8({0x10FFFF, 0x301}), utf8({0x10FFFF, 0x301}));
  expect("\xff" + utf8({0x301}), "\xff" + utf8({0x301}));
  expect(std::string("e\xcc"), "e\xcc");  // half a mark
  expect("e\xed\xa0\x80" + utf8({0x301}), "e\xed\xa0\x80" + utf8({0x301}));
  expect("\xc0\x80\xf5\x80\x80\x80\x80", "\xc0\x80\xf5\x80\x80\x80\x80");
}

std::vector<std::uint32_t> interesting() {
  std::vector<std::uint32_t> points{'a',      'e',    ' ',    0x4E2D, 0x1F600,
                                    0x10FFFF, 0xAC00, 0xAC01, 0xD7A3};
  for (std::uint32_t cp = 0; cp < 0x110000; ++cp) {
    if ((cp < 0xD800 || cp > 0xDFFF) && (cp < 0xAC00 || cp > 0xD7A3) &&
        nfc_detail::unstable<NormalForm::Nfkc>(cp)) {
      points.push_back(cp);
    }
  }
  for (std::uint32_t key = 0; key < std::size(unicode_data::kComposePair); ++key) {
    const std::uint64_t pair = unicode_data::kComposePair[key];
    points.push_back(static_cast<std::uint32_t>(pair >> 32));
    points.push_back(static_cast<std::uint32_t>(pair));
  }
  return points;
}

void test_all_alone_and_random() {
  const std::vector<std::uint32_t> points = interesting();
  for (std::uint32_t cp = 0; cp < 0x110000; cp += cp < 0x30000 ? 1 : 97) {
    if (cp >= 0xD800 && cp <= 0xDFFF) continue;
    check(utf8({cp}));
    check(utf8({'e', cp, 0x301}));
  }
  for (const std::uint64_t pair : unicode_data::kComposePair) {
    const auto first = static_cast<std::uint32_t>(pair >> 32),
               second = static_cast<std::uint32_t>(pair);
    check(utf8({first, second}));
    check(utf8({first, 0x327, 0x301, second}));
    check(utf8({first, second, 0x300}));
  }
  Random random(7);
  const auto size = static_cast<std::uint32_t>(points.size());
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    std::uint32_t few[4];
    for (std::uint32_t& cp : few) cp = points[random.below(size)];
    for (std::uint32_t n = random.below(30); n--;) {
      switch (random.below(8)) {
        case 0:
          text += static_cast<char>(random.below(256));
          break;
        case 1:
          put(text, points[random.below(size)]);
          break;
        case 2:
          put(text, 0x300 + random.below(0x30));
          break;
        case 3:
          put(text, 0x1100 + random.below(0x100));
          break;
        default:
          put(text, few[random.below(4)]);
      }
    }
    check(text);
    text.resize(random.below(static_cast<std::uint32_t>(text.size()) + 1));
    check(text);
  }
}

// A million marks in the worst order, which would take a bubble sort hours.
void test_long_runs() {
  std::string text = "e";
  for (int i = 0; i < 500000; ++i) text += utf8({i % 2 ? 0x301u : 0x323u});
  const std::string once = ours(text);
  if (once.compare(0, 3, utf8({0x1EB9})) != 0 || ours(once) != once) fail("long run", text);
}

}  // namespace

int main() {
  test_known();
  test_all_alone_and_random();
  test_long_runs();
}
