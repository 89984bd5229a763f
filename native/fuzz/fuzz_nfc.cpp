// NFC of any bytes: it is idempotent, bytes that are not UTF-8 are barriers, the quick check is
// right, and composing a decomposed text gives the same.
#include "../tests/support.hpp"

namespace {

using namespace wordsplit;

std::string normal(const std::string& text) {
  const support::Exact copy(text);
  std::string out;
  nfc(copy.data.get(), copy.n, out);
  if (is_nfc_quick(copy.data.get(), copy.n) && out != text) support::fail("is_nfc_quick", text);
  return out;
}

// Decomposes code points without reordering them; other bytes are copied.
std::string decomposed(const std::string& text) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint cp = decode_utf8(p + i, p + text.size());
    if (is_invalid(cp)) {
      out += text[i];
    } else {
      std::vector<std::uint32_t> points;
      nfc_detail::decompose(cp.value, points);
      for (const std::uint32_t point : points) nfc_detail::append_utf8(point, out);
    }
    i += cp.size;
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string once = normal(text);
  if (normal(once) != once) support::fail("NFC of NFC", text);
  if (normal(decomposed(text)) != once) support::fail("NFC of the decomposed text", text);
  // An invalid byte is a barrier: the text on either side is normalized by itself.
  for (std::size_t i = 0; i < size;) {
    const CodePoint cp = decode_utf8(data + i, data + size);
    if (is_invalid(cp)) {
      if (normal(text.substr(0, i)) + text[i] + normal(text.substr(i + 1)) != once) {
        support::fail("a barrier", text);
      }
      break;
    }
    i += cp.size;
  }
  return 0;
}
