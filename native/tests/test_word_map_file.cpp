// Maps of words as bytes: what is read is what was written, and damaged bytes are refused or give a
// map that does no harm.
#include <functional>
#include <stdexcept>
#include <string>

#include "small_vocabs.hpp"
#include "support.hpp"
#include "wordsplit/text/word_map_file.hpp"

using namespace small;

namespace {

// With clusters of a letter and an accent, and characters that stand apart.
WordMap map_with_keys(Random& random) {
  WordRules rules = small_map(false).rules();
  rules.marks.resize(0x110000 / 8);
  rules.alone.resize(0x110000 / 8);
  rules.marks[0x301 / 8] |= 1 << (0x301 & 7);
  const support::Pairs pairs = {{"a\xCC\x81", "x"}, {"b", "yy"}, {"\xCC\x81", ""}};
  rules.keys = ClusterKeys(support::trie_of(pairs), {" "});
  rules.apart = {{0x4E00, 0x4E10}, {0x5000, 0x5001}};
  rules.spaced = rules.drop_spaces = random.below(2);
  rules.longest_keys = random.below(2);
  rules.prepend = random.below(2);
  return WordMap(std::move(rules));
}

std::string text_of(Random& random) {
  std::string out;
  for (std::uint32_t n = random.below(12); n--;) {
    const char* const more[] = {",", "B", "\xCC\x81", "\r\n", "ab", "\xE4\xB8\x80", "  "};
    out += random.below(2) ? word(random, 3) : more[random.below(7)];
  }
  return out;
}

// The words of a text and where they may end, or that it is not in the core.
std::string result(const WordMap& map, const std::string& text) {
  const support::Exact exact(text);
  std::string out;
  try {
    const std::uint8_t* p = exact.data.get();
    std::size_t n = exact.n;
    map.strip(p, n);
    map.words(p, n, true, out);
    out += '\n';
    for (std::size_t at = 0; at < n;) at += map.append_normal(p, n, at, out);
  } catch (const NotInCore&) {
    out = "not in the core";
  }
  for (std::uint32_t left = 0; left < 0x400; left += 7)
    out += map.is_cut_between(left, 'a') ? '|' : '.';
  return out;
}

// What can be read of some bytes, if anything, is tried.
bool try_bytes(const std::string& bytes, Random& random) {
  const support::Exact exact(bytes);
  try {
    const WordMap map = read_word_map({reinterpret_cast<const char*>(exact.data.get()), exact.n});
    for (int i = 0; i < 3; ++i) (void)result(map, text_of(random));
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

void check(std::uint64_t seed, const WordMap& map) {
  Random random(seed);
  const std::string bytes = write_word_map(map);
  const WordMap read = read_word_map(bytes);
  if (write_word_map(read) != bytes) support::fail("other bytes", bytes, seed);
  for (int i = 0; i < 50; ++i) {
    const std::string text = text_of(random);
    if (result(read, text) != result(map, text)) support::fail("other words", text, seed);
  }
  for (int i = 0; i < 20; ++i) {
    const std::string cut = bytes.substr(0, random.below(static_cast<std::uint32_t>(bytes.size())));
    if (try_bytes(cut, random)) support::fail("a part was read", cut, seed);
  }
  if (try_bytes(bytes + "x", random)) support::fail("more was read", bytes, seed);
  for (int i = 0; i < 60; ++i) {
    std::string changed = bytes;
    for (std::uint32_t n = 1 + random.below(4); n--;) {
      // Mostly at the ends, where the numbers are.
      const auto size = static_cast<std::uint32_t>(bytes.size());
      const std::uint32_t near = random.below(std::min(size, 200U));
      const std::uint32_t places[] = {near, size - 1 - near, random.below(size)};
      changed[places[random.below(3)]] = static_cast<char>(random.below(256));
    }
    try_bytes(changed, random);
  }
}

}  // namespace

int main() {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    check(seed, small_map(seed % 2));
    check(seed, map_with_keys(random));
    if (seed % 4 == 0) check(seed, map_behind_steps(random));
  }
}
