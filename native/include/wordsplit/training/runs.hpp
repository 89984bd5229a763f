// Counted spans as bytes (a run), to save counts or to move them out of memory.
//
// A run holds each span once, in order of (hash, bytes): the length as a varint, the bytes, the
// count as a varint. Any number of runs of any size can be merged in little memory, since all are
// read in parallel. The order does not depend on where the counts came from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/base/hash.hpp"
#include "wordsplit/training/span_counts.hpp"

namespace wordsplit::training {

// A span, its count, and its hash, which is its key in the order of runs.
struct Counted {
  std::uint64_t hash;
  std::string_view span;
  std::uint64_t count;

  static Counted of(std::string_view span, std::uint64_t count) {
    return {hash_bytes(reinterpret_cast<const std::uint8_t*>(span.data()), span.size()), span,
            count};
  }
  bool before(const Counted& other) const {
    return hash != other.hash ? hash < other.hash : span < other.span;
  }
};

// Writes a run in chunks, to write(string_view).
template <class Write>
class RunWriter {
 public:
  explicit RunWriter(Write& write) : write_(write) {}

  void add(std::string_view span, std::uint64_t count) {
    varint(span.size());
    buffer_.append(span);
    varint(count);
    if (buffer_.size() >= kChunk) finish();
  }
  // Must be called at the end.
  void finish() {
    write_(std::string_view(buffer_));
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 20;

  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) buffer_.push_back(static_cast<char>(value | 0x80));
    buffer_.push_back(static_cast<char>(value));
  }

  Write& write_;
  std::string buffer_;
};

// Writes the sum of several tables. Uses 32 bytes of memory a span meanwhile.
template <class Write>
void write_run(const std::vector<SpanCounts>& tables, Write&& write) {
  std::vector<Counted> all;
  std::size_t size = 0;
  for (const SpanCounts& table : tables) size += table.size();
  all.reserve(size);
  for (const SpanCounts& table : tables) {
    table.for_each([&](std::string_view span, std::uint64_t count) {
      all.push_back(Counted::of(span, count));
    });
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.before(b); });
  RunWriter<Write> out(write);
  for (std::size_t i = 0; i < all.size();) {
    std::uint64_t count = 0;
    const std::string_view span = all[i].span;
    for (; i < all.size() && all[i].span == span; ++i) count += all[i].count;
    out.add(span, count);
  }
  out.finish();
}

// Reads a run from memory. Throws std::invalid_argument with the offset of damage.
class RunReader {
 public:
  explicit RunReader(std::string_view run) : run_(run) {}

  const Counted& current() const { return current_; }
  // Moves to the next span; returns false at the end.
  bool next() {
    if (at_ == run_.size()) return false;
    const std::size_t began = at_;
    const std::uint64_t size = varint();
    if (size == 0 || size > run_.size() - at_) damaged(began);
    const std::string_view span = run_.substr(at_, size);
    at_ += size;
    const Counted read = Counted::of(span, varint());
    if (read.count == 0 || (began > 0 && !current_.before(read))) damaged(began);
    current_ = read;
    return true;
  }

 private:
  std::uint64_t varint() {
    const std::size_t began = at_;
    std::uint64_t value = 0;
    for (unsigned shift = 0; at_ < run_.size() && shift < 64; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(run_[at_++]);
      value |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    damaged(began);
  }
  [[noreturn]] static void damaged(std::size_t at) {
    throw std::invalid_argument("offset " + std::to_string(at));
  }

  std::string_view run_;
  std::size_t at_ = 0;
  Counted current_{};
};

// Calls visit(span, count) for each span of the runs, in their order, with the sum of its counts.
template <class Visit>
void merge_runs(const std::vector<std::string_view>& runs, Visit&& visit) {
  std::vector<RunReader> readers;
  for (const std::string_view run : runs) readers.emplace_back(run);
  const auto later = [](const RunReader* a, const RunReader* b) {
    return b->current().before(a->current());
  };
  std::priority_queue<RunReader*, std::vector<RunReader*>, decltype(later)> queue(later);
  const auto advance = [&](RunReader* reader) {
    if (reader->next()) queue.push(reader);
  };
  for (RunReader& reader : readers) advance(&reader);
  while (!queue.empty()) {
    const Counted first = queue.top()->current();
    std::uint64_t count = 0;
    while (!queue.empty() && queue.top()->current().span == first.span) {
      RunReader* reader = queue.top();
      queue.pop();
      count += reader->current().count;
      advance(reader);
    }
    visit(first.span, count);
  }
}

}  // namespace wordsplit::training
