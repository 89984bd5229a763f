// The span cache returns the ids that were inserted: for spans of every length, after any
// evictions, while it grows, and on many threads at once. tsan.sh runs this under ThreadSanitizer.
#include <atomic>
#include <functional>
#include <thread>

#include "support.hpp"

namespace {

using namespace wordsplit;
using support::Exact;
using support::fail;
using support::Ids;
using support::Random;
using support::rounds;

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
std::size_t look_up(SpanCache& cache, const Exact& span, std::uint32_t* out,
                    bool hot_only = false) {
  const auto end = static_cast<std::uint32_t>(span.n);
  const SpanBlock block{span.data.get(), span.n, 0, &end, 1};
  SpanCache::Spans spans;
  cache.begin_block();
  cache.find_hot(block, spans);
  if (!hot_only) cache.find_shared(block, spans);
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

// What the hot cache holds stays in it while it grows.
void test_growth(SimdLevel level) {
  SharedCache shared(4 << 20);
  SpanCache cache(shared, level);
  constexpr std::uint32_t kSpans = 20000;  // it has room for 512 at first, for 32,768 in the end
  const auto span_of = [](std::uint32_t i) {
    return std::string(i % 8 ? "span" : "a span with a hash ") + std::to_string(i);
  };
  const auto few_ids = [](std::uint32_t i) { return Ids(1 + i % 3, i); };
  for (std::uint32_t i = 0; i < kSpans; ++i) {
    const Exact span(span_of(i));
    const Ids ids = few_ids(i);
    cache.insert(SpanKey::of(span.data.get(), span.n), span.data.get(), span.n, ids.data(),
                 ids.size());
  }
  std::uint32_t held = 0;
  for (std::uint32_t i = 0; i < kSpans; ++i) {
    std::uint32_t out[SpanCache::kLongest];
    const std::size_t found = look_up(cache, Exact(span_of(i)), out, true);
    if (found && Ids(out, out + found) != few_ids(i)) fail("the hot cache", span_of(i));
    held += found != 0;
  }
  if (held < kSpans / 100 * 95) fail("the hot cache has lost spans", std::to_string(held));
}

// A span that a block has twice is found twice, in whatever set of its group its entry is.
void test_twice_in_a_block(SimdLevel level) {
  SharedCache shared(8 << 10);
  SpanCache cache(shared, level);  // with one group, of four sets of four entries
  std::vector<std::string> spans;
  for (std::uint32_t i = 0; spans.size() < 8; ++i) {
    const Exact span("span" + std::to_string(100 + i));
    const SpanKey key = SpanKey::of(span.data.get(), span.n);
    if (key.hash() >> 62) continue;  // those of the first set only
    cache.insert(key, span.data.get(), span.n, &i, 1);
    spans.emplace_back(reinterpret_cast<const char*>(span.data.get()), span.n);
  }
  for (const std::string& span : spans) {
    const Exact text(span + span);
    const auto n = static_cast<std::uint32_t>(span.size());
    const std::uint32_t ends[] = {n, 2 * n};
    SpanCache::Spans found;
    cache.find_hot({text.data.get(), text.n, 0, ends, 2}, found);
    if (found.missed_count) fail("a span that a block has twice", span);
  }
}

// The ids that were found for a block stay as they are while its other spans are inserted, whatever
// these evict, and later ones find room.
void test_evicted_in_a_block(SimdLevel level) {
  SharedCache shared(64 << 10);
  SpanCache cache(shared, level);  // with room for 512 spans
  const auto insert = [&](std::uint32_t i) {
    const Exact span("span" + std::to_string(i));
    const std::uint32_t ids[] = {i, i + 1};
    cache.insert(SpanKey::of(span.data.get(), span.n), span.data.get(), span.n, ids, 2);
  };
  std::uint32_t next = 0;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 1000; ++i) {
      cache.begin_block();
      insert(next++);
    }
    std::string text;
    std::vector<std::uint32_t> ends;
    const std::uint32_t first = next - 100;
    for (std::uint32_t i = first; i < first + 100; ++i) {
      text += "span" + std::to_string(i);
      ends.push_back(static_cast<std::uint32_t>(text.size()));
    }
    const Exact copy(text);
    SpanCache::Spans found;
    cache.begin_block();
    cache.find_hot({copy.data.get(), copy.n, 0, ends.data(), ends.size()}, found);
    for (int i = 0; i < 300; ++i) insert(next++);
    std::size_t known = 0;
    for (std::uint32_t i = 0; i < ends.size(); ++i) {
      if (!found.is_known(i)) continue;
      ++known;
      std::size_t count;
      const std::uint32_t* const ids = found.ids_of(i, count);
      if (count != 2 || ids[0] != first + i || ids[1] != first + i + 1) fail("the ids of", text);
    }
    if (known == 0) fail("a full cache that takes nothing", std::to_string(round));
  }
}

// What one thread has found is in its hot cache alone while that has room, and in the shared one
// when it has none, or when there is another thread.
void test_sharing(SimdLevel level) {
  SharedCache shared(1 << 20);
  SpanCache cache(shared, level);
  const auto insert = [](SpanCache& into, const std::string& span) {
    const Exact copy(span);
    const Ids ids{static_cast<std::uint32_t>(span.size()), 7};
    into.insert(SpanKey::of(copy.data.get(), copy.n), copy.data.get(), copy.n, ids.data(),
                ids.size());
  };
  const auto has = [](SpanCache& in, const std::string& span) {
    std::uint32_t out[SpanCache::kLongest];
    return look_up(in, Exact(span), out) == 2 && out[0] == span.size();
  };
  for (int i = 0; i < 50; ++i) insert(cache, "few" + std::to_string(i));
  if (shared.entries() || cache.entries() != 50) fail("the caches of one thread", "");
  insert(cache, "too long for the hot cache, as it has too many bytes");
  if (shared.entries() != 1) fail("a long span of one thread", "");
  // The hot cache has room for 8192 spans, of which 2048 may be long.
  for (const auto& [span, many] : {std::pair("many", 20000), std::pair("many long spans", 8000)}) {
    SharedCache small(1 << 20);
    SpanCache of_one(small, level);
    for (int i = 0; i < many; ++i) insert(of_one, span + std::to_string(i));
    int found = 0;
    for (int i = 0; i < many; ++i) found += has(of_one, span + std::to_string(i));
    if (found < many / 10 * 7) fail("a hot cache that is full", std::to_string(found));
  }
  SharedCache by_two(1 << 20);
  SpanCache first(by_two, level);
  insert(first, "before");
  SpanCache second(by_two, level);
  insert(first, "after");
  if (has(second, "before") || !has(second, "after")) fail("what two threads share", "");
}

// Many threads, each with its hot cache, on a shared cache that grows meanwhile, or is too small
// for the spans, so that its memory is used again and again.
void test_on_threads(std::size_t bytes, std::size_t least_hits) {
  // As few for fewer rounds, so that a thread that runs before the others finds enough by itself.
  constexpr auto kSpans = static_cast<std::uint32_t>(rounds(8000));
  SharedCache shared(bytes);
  const std::size_t at_first = shared.bytes();
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      SpanCache cache(shared, best_simd_level());
      Random random(t);
      std::size_t hits = 0;
      for (std::uint64_t i = 0; i < rounds(30000); ++i) {
        std::string span = std::to_string(random.below(kSpans));
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
      if (hits < least_hits) fail("threads find too little", std::to_string(hits));
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (shared.bytes() < 4 * at_first) fail("growth on threads", std::to_string(shared.bytes()));
  if (shared.bytes() > shared.most_bytes()) fail("size on threads", std::to_string(shared.bytes()));
}

// A thread writes over what others are reading: they read all of an entry or nothing.
void test_reading_while_written_over() {
  SharedCache shared(16 << 10);
  constexpr std::size_t kSpans = 64, kSize = SharedCache::kLongest;
  std::vector<std::string> spans;
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 0; i < kSpans; ++i) {
    spans.push_back(std::string(kSize - 8, '-') + std::to_string(10000000 + i));
    hashes.push_back(hash_bytes(reinterpret_cast<const std::uint8_t*>(spans[i].data()), kSize));
  }
  std::atomic<bool> done{false};
  std::atomic<std::size_t> hits{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t) {
    readers.emplace_back([&] {
      while (!done) {
        for (std::size_t i = 0; i < kSpans; ++i) {
          std::uint32_t ids[SpanLog::kMostIds];
          const auto* const span = reinterpret_cast<const std::uint8_t*>(spans[i].data());
          const std::size_t count =
              shared.find(shared.candidates(hashes[i]), hashes[i], span, kSize, ids);
          for (std::size_t k = 0; k < count; ++k) {
            if (ids[k] != i) fail("ids of another span", spans[i]);
          }
          hits += count != 0;
        }
      }
    });
  }
  SharedCache::Writer writer(shared);
  for (std::uint32_t round = 0; round < rounds(20000); ++round) {
    for (std::uint32_t i = 0; i < kSpans; ++i) {
      const std::vector<std::uint32_t> ids(SpanLog::kMostIds, i);
      writer.insert(hashes[i], reinterpret_cast<const std::uint8_t*>(spans[i].data()), kSize,
                    ids.data(), ids.size());
    }
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  if (hits == 0) fail("readers find nothing", "");
}

// The entries of the last chunks can be read, the others are forgotten one by one, and a chunk that
// a thread fills is not given to another.
void test_log() {
  SpanLog log;
  log.reset(8192);
  SpanLog::Chunk chunk;
  std::map<std::size_t, std::string> held;  // by place
  Random random(5);
  std::size_t forgotten = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string span(1 + random.below(SpanLog::kMostBytes),
                           static_cast<char>(random.below(256)));
    const Ids ids = ids_of(span);
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(span.data());
    if (!SpanLog::has_room(chunk, span.size(), ids.size())) {
      log.close(chunk);
      const bool opened =
          log.open(chunk, [&](std::size_t place, const std::uint8_t* text, std::size_t n) {
            if (held.at(place) != std::string(reinterpret_cast<const char*>(text), n)) {
              fail("a forgotten entry", held.at(place));
            }
            held.erase(place);
            ++forgotten;
          });
      if (!opened) fail("no chunk is free", "");
    }
    const std::size_t place = log.append(chunk, bytes, span.size(), ids.data(), ids.size());
    if (!held.emplace(place, span).second) fail("an entry was written over", span);
    const auto& [at, text] =
        *std::next(held.begin(), random.below(static_cast<std::uint32_t>(held.size())));
    std::uint32_t out[SpanLog::kMostIds];
    const std::size_t count =
        log.read(at, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), out);
    if (Ids(out, out + count) != ids_of(text)) fail("an entry of the log", text);
  }
  if (forgotten < 10000) fail("the log forgets too little", std::to_string(forgotten));
  SpanLog::Chunk others[64];
  std::size_t open = 0;
  const auto ignore = [](std::size_t, const std::uint8_t*, std::size_t) {};
  while (log.open(others[open], ignore)) {
    if (++open == 64) fail("an open chunk was opened again", "");
  }
  log.close(chunk);
  if (!log.open(chunk, ignore)) fail("a closed chunk is not opened again", "");
}

// Slots are found after growth, except for those that found no room, and can be removed.
void test_slots() {
  SlotTable table;
  table.reset(1 << 20);
  const std::size_t at_first = table.bytes();
  std::map<std::uint64_t, std::size_t> places;  // by hash
  const auto has = [&](std::uint64_t hash) {
    const unsigned found = SlotTable::candidates(table.set(hash), hash);
    for (unsigned left = found; left; left &= left - 1) {
      if (SlotTable::place_of(table.set(hash)[lowest_bit(left)]) == places.at(hash)) return true;
    }
    return false;
  };
  std::size_t lost = 0;
  for (std::size_t i = 0; i < 50000; ++i) {
    const std::uint64_t hash = mix(i);
    places[hash] = i;
    const std::uint64_t slot = SlotTable::slot_for(hash, i);
    if (table.add(slot)) continue;
    if (table.is_crowded()) table.grow();
    if (!table.add(slot)) table.write_over(slot), ++lost;
  }
  if (table.bytes() < 8 * at_first) fail("slots do not grow", std::to_string(table.bytes()));
  std::size_t kept = 0;
  for (const auto& [hash, place] : places) kept += has(hash);
  if (kept + 2 * lost < places.size() || table.used() > places.size()) {
    fail("slots after growth", std::to_string(kept) + " and " + std::to_string(lost));
  }
  for (const auto& [hash, place] : places) {
    table.remove(SlotTable::slot_for(hash, place));
    if (has(hash)) fail("a removed slot", std::to_string(place));
  }
  if (table.used()) fail("slots that cannot be removed", std::to_string(table.used()));
}

}  // namespace

// With any argument, only what several threads do: under ThreadSanitizer, the rest takes minutes.
int main(int argc, char**) {
  test_on_threads(4 << 20, rounds(10000));
  test_on_threads(64 << 10, rounds(500));
  test_reading_while_written_over();
  if (argc > 1) return 0;
  for (const SimdLevel level : simd_levels()) {
    test_cache(level);
    test_growth(level);
    test_twice_in_a_block(level);
    test_evicted_in_a_block(level);
    test_sharing(level);
  }
  test_log();
  test_slots();
}
