// Indexes: made once for each maker, by whichever thread comes first, and gone with the tables.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "support.hpp"
#include "wordsplit/tables/indexes.hpp"

using wordsplit::TableIndex;
using wordsplit::VocabTables;

namespace {

std::atomic<int> alive{0};

template <int kWhich>
struct Counted : TableIndex {
  Counted() { ++alive; }
  ~Counted() override { --alive; }
};

template <int kWhich>
std::unique_ptr<const TableIndex> make(const VocabTables&) {
  return std::make_unique<const Counted<kWhich>>();
}

bool is_second(const TableIndex* index) { return dynamic_cast<const Counted<1>*>(index); }

void check(const VocabTables& tables) {
  constexpr std::size_t kThreads = 4;
  const TableIndex* found[kThreads][2];
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&tables, &mine = found[i], i] {
      const std::size_t first = i % 2;
      mine[first] = tables.index(first ? make<1> : make<0>);
      mine[1 - first] = tables.index(first ? make<0> : make<1>);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : found) {
    if (mine[0] != found[0][0] || mine[1] != found[0][1]) support::fail("two of one kind", "", 0);
    if (is_second(mine[0]) || !is_second(mine[1])) support::fail("another kind", "", 0);
  }
  if (alive != 2) support::fail("indexes that nobody has", "", 0);
}

}  // namespace

int main() {
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t end = 1, id = 0;
    check(VocabTables("a", &end, &id, 1, nullptr, 0, {}));
    if (alive != 0) support::fail("indexes without tables", "", 0);
  }
}
