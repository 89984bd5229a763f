// The span cache returns the ids that were inserted: for spans of every length, after any
// evictions, while it grows, and on many threads at once. tests/tsan.sh runs this under
// ThreadSanitizer.
#include <functional>
#include <thread>

#include "support.hpp"

namespace {

using namespace wordsplit;
using support::Exact;
using support::fail;
using support::Ids;
using support::Random;

// Always the same ids for a span, as in real use: a span may be inserted again after it was not
// found.
Ids ids_of(const std::string& span) {
  Ids ids;
  Random own(std::hash<std::string>()(span));
  for (std::uint32_t n = 1 + own.below(static_cast<std::uint32_t>(span.size())); n--;) {
    ids.push_back(own.below(1 << 24));
  }
  return ids;
}

// A block of one span.
std::size_t look_up(SpanCache& cache, const Exact& span, std::uint32_t* out) {
  const auto end = static_cast<std::uint32_t>(span.n);
  const SpanBlock block{span.data.get(), span.n, 0, &end, 1};
  SpanCache::Spans spans;
  cache.find_hot(block, spans);
  cache.find_shared(block, spans);
  if (!spans.rare_count) {
    out[0] = spans.found[0];
    return 1;
  }
  if (spans.is_known(0) != (spans.missed_count == 0)) fail("the cache's list of misses", "");
  if (!spans.is_known(0)) return 0;
  std::size_t count;
  const std::uint32_t* ids = spans.ids_of(0, count);
  std::copy(ids, ids + count, out);
  return count;
}

// One thread.
void test_cache(SimdLevel level) {
  for (const std::size_t bytes : {0, 4095, 4096, 10000, 1 << 16, 1 << 20, 16 << 20}) {
    Random random(bytes);
    SharedCache shared(bytes);
    SpanCache cache(shared, level);
    if (shared.most_bytes() > bytes || cache.enabled() != (bytes >= 4096)) fail("cache size", "");
    const std::size_t at_first = shared.bytes() + cache.bytes();
    if (!cache.enabled()) continue;
    std::map<std::string, Ids> known;
    std::size_t hits = 0;
    for (int i = 0; i < 60000; ++i) {
      std::string span;
      const std::uint32_t most =
          random.below(3) ? 4 : static_cast<std::uint32_t>(SpanCache::kLongest);
      for (std::uint32_t n = 1 + random.below(most); n--;)
        span += static_cast<char>(random.below(3));
      if (random.below(2) && !known.empty()) {
        const auto at = known.lower_bound(span);
        span = (at == known.end() ? known.begin() : at)->first;
      }
      const Exact copy(span);
      const std::size_t room = std::max<std::size_t>(3, copy.n);
      const std::unique_ptr<std::uint32_t[]> out(new std::uint32_t[room]);
      const std::size_t found = look_up(cache, copy, out.get());
      if (found) {
        ++hits;
        if (!known.count(span) || known[span] != Ids(out.get(), out.get() + found))
          fail("cache", span);
        continue;
      }
      const Ids ids = ids_of(span);
      known[span] = ids;
      cache.insert(SpanKey::of(copy.data.get(), copy.n), copy.data.get(), copy.n, ids.data(),
                   ids.size());
    }
    if (hits < 1000) fail("the cache holds nothing", std::to_string(hits));
    if (shared.bytes() > bytes || cache.bytes() > bytes / 2) fail("cache size in use", "");
    if (bytes >= 1 << 20 && shared.bytes() + cache.bytes() < 2 * at_first) fail("growth", "");
  }
}

// Many threads, each with its hot cache, on a shared cache that grows meanwhile.
void test_growth_on_threads() {
  SharedCache shared(4 << 20);
  const std::size_t at_first = shared.bytes();
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      SpanCache cache(shared, best_simd_level());
      Random random(t);
      std::size_t hits = 0;
      for (int i = 0; i < 30000; ++i) {
        std::string span = std::to_string(random.below(8000));
        if (random.below(3) == 0) span.resize(span.size() * (1 + random.below(24)), '-');
        const Exact copy(span);
        std::uint32_t out[SpanCache::kLongest + 1];
        const Ids want = ids_of(span);
        const std::size_t found = look_up(cache, copy, out);
        if (found && want != Ids(out, out + found)) fail("cache on threads", span);
        if (!found)
          cache.insert(SpanKey::of(copy.data.get(), copy.n), copy.data.get(), copy.n, want.data(),
                       want.size());
        hits += found != 0;
      }
      if (hits < 10000) fail("threads find nothing", std::to_string(hits));
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (shared.bytes() < 4 * at_first) fail("growth on threads", std::to_string(shared.bytes()));
}

}  // namespace

int main() {
  for (const SimdLevel level : simd_levels()) test_cache(level);
  test_growth_on_threads();
}
