// A .tiktoken file is read as it was written, wherever it is cut or changed it is not read past its
// end, and what is not as it should be is not read.
#include "support.hpp"
#include "wordsplit/tables/ranks_file.hpp"

namespace {

using namespace wordsplit;
using support::Exact;
using support::fail;
using support::Random;

constexpr std::uint32_t kMost = 0xFFFFFF;
const std::string kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(const std::string& token) {
  std::string out;
  for (std::size_t at = 0; at < token.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, token.size() - at);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      word = word << 8 | (i < count ? static_cast<std::uint8_t>(token[at + i]) : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= count ? kDigits[word >> (18 - 6 * i) & 63] : '=';
    }
  }
  return out;
}

bool reads(const std::string& data, RanksFile& out) {
  const Exact exact(data);
  return read_ranks({reinterpret_cast<const char*>(exact.data.get()), exact.n}, kMost, out);
}

void check_random(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::string> tokens;
  std::set<std::string> known;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  known.insert(tokens.begin(), tokens.end());
  for (std::uint32_t n = random.below(20); n--;) {
    std::string token;
    for (std::uint32_t size = 2 + random.below(30); size--;) {
      token += static_cast<char>(random.below(random.below(2) ? 256 : 3));
    }
    if (known.insert(token).second) tokens.push_back(token);
  }
  std::string data, blob;
  RanksFile want;
  std::uint32_t rank = random.below(3);
  const char* end_of_line = random.below(2) ? "\n" : "\r\n";
  for (const std::string& token : tokens) {
    data += base64(token) + " " + std::to_string(rank) + end_of_line;
    want.blob += token;
    want.ends.push_back(static_cast<std::uint32_t>(want.blob.size()));
    want.ids.push_back(rank);
    rank += 1 + random.below(3);
  }
  if (random.below(2)) data.erase(data.size() - std::strlen(end_of_line));
  RanksFile found;
  if (!reads(data, found) || found.blob != want.blob || found.ends != want.ends ||
      found.ids != want.ids) {
    fail("a sound file", data, seed);
  }
  const std::string twice = "\n" + base64(tokens[random.below(256)]) + " 99999";
  RanksFile other;
  if (reads(data + twice, other)) fail("a token twice", data, seed);
  for (int i = 0; i < 20; ++i) {
    std::string damaged = data;
    damaged[random.below(static_cast<std::uint32_t>(data.size()))] =
        static_cast<char>(random.below(256));
    if (random.below(2)) damaged.resize(random.below(static_cast<std::uint32_t>(data.size())));
    RanksFile any;
    if (!reads(damaged, any)) continue;
    if (any.ends.size() != any.ids.size() || any.ends.back() != any.blob.size()) {
      fail("a damaged file", damaged, seed);
    }
  }
}

}  // namespace

int main() {
  RanksFile none;
  if (reads("", none)) fail("the empty file", "");
  for (std::uint64_t seed = 1; seed <= 500; ++seed) check_random(seed);
}
