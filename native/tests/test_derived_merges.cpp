// The merges derived from mergeable ranks are those of their definition, for tokens in any order
// and of any length, with holes in the ids, bytes without a token and tokens that no text gives.
#include "support.hpp"
#include "wordsplit/tables/derived_merges.hpp"

namespace {

using namespace wordsplit;
using support::fail;
using support::Ids;
using support::Random;

using IdOf = std::map<std::string, std::uint32_t>;

// The last merge of the encoding of a token as parts of it, if the encoding is the token itself.
std::vector<std::string> last_merge(const std::string& token, const IdOf& id_of) {
  std::vector<std::string> parts, last;
  for (const char c : token) {
    parts.emplace_back(1, c);
    if (!id_of.count(parts.back())) return {};
  }
  while (parts.size() > 1) {
    std::uint32_t best = kNoRank;
    std::size_t where = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto found = id_of.find(parts[i] + parts[i + 1]);
      if (found != id_of.end() && found->second < best) best = found->second, where = i;
    }
    if (best == kNoRank) return {};
    last = {parts[where], parts[where + 1]};
    parts[where] += parts[where + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(where) + 1);
  }
  return last;
}

void check(std::vector<std::string> tokens, const Ids& ids, const Ids& unreachable,
           std::uint64_t seed) {
  IdOf id_of;
  std::string blob;
  Ids ends, want;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    blob += tokens[i];
    ends.push_back(static_cast<std::uint32_t>(blob.size()));
    if (std::count(unreachable.begin(), unreachable.end(), ids[i]) == 0) id_of[tokens[i]] = ids[i];
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!id_of.count(tokens[i]) || id_of[tokens[i]] != ids[i]) continue;
    for (const std::string& part : last_merge(tokens[i], id_of)) want.push_back(id_of[part]);
  }
  const Ids found = derive_merges(blob, ends.data(), ids.data(), ids.size(), unreachable);
  if (found != want) fail("the derived merges", blob, seed);
}

// Tokens of a few letters: some are merges of others, some random, in order of length or in none.
void check_random(std::uint64_t seed) {
  Random random(seed);
  const std::string letters = std::string("ab\xc3\x81").substr(0, 1 + random.below(4));
  std::set<std::string> made;
  for (const char c : letters) {
    if (random.below(20)) made.insert({c});
  }
  for (std::uint32_t n = random.below(40); n--;) {
    std::string token;
    const std::uint32_t size = random.below(10) ? 2 + random.below(8) : 60 + random.below(100);
    while (token.size() < size) {
      auto part = made.begin();
      if (!made.empty()) std::advance(part, random.below(static_cast<std::uint32_t>(made.size())));
      const bool letter = made.empty() || random.below(3) == 0;
      token +=
          letter ? std::string(1, letters[random.below(static_cast<std::uint32_t>(letters.size()))])
                 : *part;
    }
    made.insert(token);
  }
  std::vector<std::string> tokens(made.begin(), made.end());
  if (random.below(3)) {
    std::stable_sort(tokens.begin(), tokens.end(),
                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
  }
  for (std::uint32_t n = random.below(4) ? 0 : random.below(30); n-- && tokens.size() > 1;) {
    std::swap(tokens[random.below(static_cast<std::uint32_t>(tokens.size()))], tokens.back());
  }
  Ids ids, unreachable;
  std::uint32_t id = random.below(3);
  const bool holes = random.below(2);
  for (std::size_t i = 0; i < tokens.size(); ++i, ++id) {
    if (holes) id += random.below(4);
    ids.push_back(id);
    if (random.below(15) == 0) unreachable.push_back(id);
  }
  check(tokens, ids, unreachable, seed);
}

}  // namespace

int main() {
  check({}, {}, {}, 0);
  check({"a", "", "b", "ab"}, {0, 1, 2, 3}, {}, 0);
  // Made by a merge that ranks after it: "bc" is found only among all tokens.
  check({"a", "b", "c", "abc", "bc", "abcabc"}, {0, 1, 2, 3, 4, 5}, {}, 0);
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) check_random(seed);
}
