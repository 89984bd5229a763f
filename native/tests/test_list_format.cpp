// Lists as text: ids written and read, words that are not ids, and JSON strings.
#include "support.hpp"
#include "wordsplit/text/list_format.hpp"

namespace {

using namespace wordsplit;
using support::Exact;
using support::fail;
using support::Ids;
using support::Random;

std::pair<Ids, std::size_t> read(const std::string& text) {
  const Exact held(text);
  Ids ids;
  const std::string_view view{reinterpret_cast<const char*>(held.data.get()), held.n};
  const std::size_t end = read_ids(view, [&](std::uint32_t id) { ids.push_back(id); });
  return {ids, end};
}

void test_back_and_forth() {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    Ids want;
    std::string text;
    for (std::uint32_t n = random.below(20); n-- > 0;) {
      want.push_back(random.below(2) ? random.below(1000) : 0xFFFFFFFFU - random.below(1000));
      text += " \n\t,[]\r"[random.below(7)];
      write_id(want.back(), text);
    }
    const auto [ids, end] = read(text);
    if (ids != want || end != text.size()) fail("ids", text);
  }
}

void test_what_is_not_an_id() {
  for (const char* word : {"x", "-1", "+1", "1.0", "4294967296", "1x", "0x1", "1e3", "\xff"}) {
    const std::string text = std::string("7 8 ") + word + " 9";
    const auto [ids, end] = read(text);
    if (ids != Ids{7, 8} || end != 4) fail("not an id", text);
  }
}

void test_json_strings() {
  std::string all, out;
  for (int c = 0; c < 0x80; ++c) all += static_cast<char>(c);
  all += "\xE4\xBD\xA0";
  write_json_string(all, out);
  if (out.find("\\u0000\\u0001") != 1 || out.find("\\b\\t\\n\\u000b\\f\\r\\u000e") == out.npos ||
      out.find("!\\\"#") == out.npos || out.find("[\\\\]") == out.npos ||
      out.substr(out.size() - 6) != "~\x7F\xE4\xBD\xA0\"") {
    fail("JSON", out);
  }
  for (std::size_t at = 0; at <= all.size(); ++at) {
    if (is_boundary(all, at) == (at == all.size() - 2 || at == all.size() - 1))
      fail("boundary", all);
  }
}

}  // namespace

int main() {
  test_back_and_forth();
  test_what_is_not_an_id();
  test_json_strings();
}
