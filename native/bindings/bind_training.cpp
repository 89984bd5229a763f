// Python face of training/: counted spans, and the merges made of them.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "buffers.hpp"
#include "gil.hpp"
#include "module.hpp"
#include "wordsplit/encoders/heap_merge.hpp"
#include "wordsplit/training/count_texts.hpp"
#include "wordsplit/training/merge_loop.hpp"
#include "wordsplit/training/runs.hpp"

namespace nb = nanobind;
using namespace wordsplit;
using namespace wordsplit::training;

namespace {

// Counted spans, a table a thread.
class SpanCounter {
 public:
  explicit SpanCounter(std::size_t threads) : tables_(std::max<std::size_t>(threads, 1)) {}
  SpanCounter(const SpanCounter&) = delete;

  std::tuple<std::uint64_t, std::uint64_t> count_texts(const std::string& name, bool as_nfc,
                                                       bindings::Items texts) {
    const Scheme* scheme = find_scheme_named(name);
    if (!scheme) throw nb::value_error("no such scheme");
    std::vector<std::string_view> views(nb::len(texts));
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < views.size(); ++i) {
      if (!bindings::view_text(nb::object(texts[i]).ptr(), views[i])) {
        throw nb::value_error("a text is no UTF-8");
      }
      if (views[i].size() >> 30) throw nb::value_error("a text is too long");
      bytes += views[i].size();
    }
    const bindings::Unlocked unlocked;
    return {training::count_texts(*scheme, as_nfc, views, tables_), bytes};
  }
  void add_spans(nb::bytes text, const std::vector<std::uint32_t>& ends) {
    if (text.size() >> 32) throw nb::value_error("a text is too long");
    const auto* p = static_cast<const std::uint8_t*>(text.data());
    std::uint32_t start = 0;
    for (const std::uint32_t end : ends) {
      if (end <= start || end > text.size()) throw nb::value_error("spans do not tile the text");
      start = end;
    }
    tables_[0].add_spans(p, text.size(), 0, ends.data(), ends.size());
  }
  void add(nb::bytes span, std::uint64_t times) {
    if (span.size() == 0 || times == 0) throw nb::value_error("nothing to count");
    tables_[0].add(static_cast<const std::uint8_t*>(span.data()), span.size(), times);
  }
  std::size_t memory() const {
    std::size_t bytes = 0;
    for (const SpanCounts& table : tables_) bytes += table.memory();
    return bytes;
  }
  // The number of distinct spans.
  std::size_t size() { return folded().size(); }
  // The bytes of those that may be merged, with one more for each.
  std::uint64_t n_bytes() {
    std::uint64_t bytes = 0;
    folded().for_each([&](std::string_view span, std::uint64_t) {
      if (span.size() > 1) bytes += span.size() + 1;
    });
    return bytes;
  }
  void clear() {
    for (SpanCounts& table : tables_) table.clear();
  }
  void write_run(bindings::Write write) const {
    training::write_run(
        tables_, [&](std::string_view chunk) { write(nb::bytes(chunk.data(), chunk.size())); });
  }
  const SpanCounts& folded() {
    fold();
    return tables_[0];
  }

 private:
  void fold() {
    for (std::size_t i = 1; i < tables_.size(); ++i) {
      tables_[i].for_each([&](std::string_view span, std::uint64_t count) {
        tables_[0].add(reinterpret_cast<const std::uint8_t*>(span.data()), span.size(), count);
      });
      tables_[i].clear();
    }
  }

  std::vector<SpanCounts> tables_;
};

std::vector<std::string_view> views_of(const std::vector<nb::bytes>& items) {
  std::vector<std::string_view> out;
  for (const nb::bytes& item : items) out.emplace_back(item.c_str(), item.size());
  return out;
}

// The runs in files that Python has mapped.
class Runs {
 public:
  explicit Runs(bindings::Items buffers) : views_(nb::len(buffers)) {
    for (std::size_t i = 0; i < views_.size(); ++i) {
      if (PyObject_GetBuffer(nb::object(buffers[i]).ptr(), &views_[i], PyBUF_SIMPLE) != 0) {
        views_.resize(i);
        release();
        nb::raise_python_error();
      }
    }
  }
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;
  ~Runs() { release(); }

  template <class Visit>
  void for_each(Visit&& visit) const {
    std::vector<std::string_view> runs;
    for (const Py_buffer& view : views_) {
      runs.emplace_back(static_cast<const char*>(view.buf), static_cast<std::size_t>(view.len));
    }
    merge_runs(runs, visit);
  }

 private:
  void release() {
    for (Py_buffer& view : views_) PyBuffer_Release(&view);
  }
  std::vector<Py_buffer> views_;
};

// Spells spans in the symbols that a vocab has: of single bytes, or by the merges of its tables.
class Speller {
 public:
  Speller(const std::vector<std::string>& tokens, const VocabTables* tables, bool ignore_merges,
          std::vector<std::uint32_t> ids)
      : tables_(tables), ignore_merges_(ignore_merges), ids_(std::move(ids)) {
    for (std::uint32_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].size() == 1) symbols_[static_cast<std::uint8_t>(tokens[i][0])] = i;
    }
  }
  void operator()(std::string_view span, std::vector<std::uint32_t>& out) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(span.data());
    if (!tables_) {
      for (std::size_t i = 0; i < span.size(); ++i) out.push_back(symbols_[p[i]]);
      return;
    }
    const std::uint32_t whole = ignore_merges_ ? tables_->find(p, span.size()) : kNoToken;
    out.resize(whole != kNoToken ? 1 : span.size());
    if (whole != kNoToken) {
      out[0] = whole;
    } else {
      out.resize(heap_merge(*tables_, p, span.size(), out.data(), scratch_));
    }
    for (std::uint32_t& id : out) {
      id =
          static_cast<std::uint32_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
    }
  }

 private:
  const VocabTables* tables_;
  bool ignore_merges_;
  std::vector<std::uint32_t> ids_;  // of the tokens, ascending
  std::uint32_t symbols_[256] = {};
  Scratch scratch_;
};

class Merger {
 public:
  Merger(const Merger&) = delete;
  Merger(const std::vector<nb::bytes>& tokens, const std::vector<nb::bytes>& taken,
         const Rules& rules, std::size_t threads, const VocabTables* tables, bool ignore_merges,
         std::vector<std::uint32_t> ids)
      : loop_(views_of(tokens), views_of(taken), rules, threads),
        speller_(loop_.tokens(), tables, ignore_merges, std::move(ids)) {}

  void take_counts(SpanCounter& counter) {
    const bindings::Unlocked unlocked;
    const SpanCounts& counts = counter.folded();
    loop_.symbols().take([&](auto&& visit) { counts.for_each(visit); }, speller_);
  }
  // Takes the spans of runs, the most frequent ones as far as `most_bytes` go; of those that are
  // equally frequent the first in the order of runs. Returns how many were left out, and the
  // highest count among them.
  std::tuple<std::uint64_t, std::uint64_t> take_runs(bindings::Items buffers,
                                                     std::uint64_t most_bytes) {
    const Runs runs(buffers);
    const bindings::Unlocked unlocked;
    std::map<std::uint64_t, std::uint64_t, std::greater<>> bytes;  // by count
    runs.for_each([&](std::string_view span, std::uint64_t count) {
      if (span.size() > 1) bytes[count] += span.size() + 1;
    });
    std::uint64_t least = 0, room = most_bytes;  // all spans above `least` fit, and some of it
    for (const auto& [count, size] : bytes) {
      if (size > room) {
        least = count;
        break;
      }
      room -= size;
    }
    std::uint64_t left_out = 0;
    loop_.symbols().take(
        [&](auto&& visit) {
          std::uint64_t left = room;
          left_out = 0;
          runs.for_each([&](std::string_view span, std::uint64_t count) {
            if (span.size() < 2) return;
            if (count == least && span.size() + 1 <= left) {
              left -= span.size() + 1;
            } else if (count <= least) {
              ++left_out;
              return;
            }
            visit(span, count);
          });
        },
        speller_);
    return {left_out, left_out ? least : 0};
  }
  bool run(std::size_t most, double seconds) {
    const bindings::Unlocked unlocked;
    const auto span = std::chrono::duration<double>(seconds);
    return loop_.run(most, std::chrono::steady_clock::now() +
                               std::chrono::duration_cast<std::chrono::nanoseconds>(span));
  }
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> merges() const {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> out;
    for (const NewMerge& made : loop_.merges()) {
      out.emplace_back(made.left, made.right, made.frequency);
    }
    return out;
  }
  std::size_t size() const { return loop_.merges().size(); }
  std::tuple<nb::bytes, std::uint64_t> last() const {
    if (loop_.merges().empty()) throw nb::index_error("no merge has been made");
    const std::string& token = loop_.tokens().back();
    return {nb::bytes(token.data(), token.size()), loop_.merges().back().frequency};
  }

 private:
  MergeLoop loop_;
  Speller speller_;
};

}  // namespace

void bind_training(nb::module_& m) {
  nb::class_<SpanCounter>(m, "SpanCounter", "How often each span of the training texts occurs.")
      .def(nb::init<std::size_t>(), nb::arg("threads"))
      .def("count_texts", &SpanCounter::count_texts, nb::arg("scheme"), nb::arg("nfc"),
           nb::arg("texts"),
           "Count the spans of texts by a scanner; returns their number and bytes.")
      .def("add_spans", &SpanCounter::add_spans, nb::arg("text"), nb::arg("ends"),
           "Count the spans of a text whose ends are known.")
      .def("add", &SpanCounter::add, nb::arg("span"), nb::arg("times"),
           "Count one span so many times more.")
      .def("write_run", &SpanCounter::write_run, nb::arg("write"),
           "Hand the counts to a function, in chunks of bytes.")
      .def("clear", &SpanCounter::clear)
      .def("__len__", &SpanCounter::size)
      .def_prop_ro("memory", &SpanCounter::memory, "Bytes in use.")
      .def_prop_ro("n_bytes", &SpanCounter::n_bytes,
                   "Bytes of the distinct spans that may be merged, and one more for each.");
  m.def(
      "merge_runs",
      [](bindings::Items buffers, bindings::Write write) {
        const auto hand_over = [&](std::string_view chunk) {
          write(nb::bytes(chunk.data(), chunk.size()));
        };
        RunWriter out(hand_over);
        Runs(buffers).for_each(
            [&](std::string_view span, std::uint64_t count) { out.add(span, count); });
        out.finish();
      },
      nb::arg("runs"), nb::arg("write"), "Hand several runs to a function as one.");
  m.def(
      "count_distinct",
      [](bindings::Items buffers) {
        std::uint64_t distinct = 0;
        Runs(buffers).for_each([&](std::string_view, std::uint64_t) { ++distinct; });
        return distinct;
      },
      nb::arg("runs"), "The number of distinct spans in runs.");
  nb::class_<Merger>(m, "Merger", "The merges of byte-pair encoding, made from counted spans.")
      .def(
          "__init__",
          [](Merger* self, const std::vector<nb::bytes>& tokens,
             const std::vector<nb::bytes>& taken, std::uint64_t min_frequency,
             std::uint32_t max_token_bytes, bool lexicographic, bool by_span, std::size_t threads,
             const VocabTables* tables, bool ignore_merges, std::vector<std::uint32_t> ids) {
            new (self)
                Merger(tokens, taken, {min_frequency, max_token_bytes, lexicographic, by_span},
                       threads, tables, ignore_merges, std::move(ids));
          },
          nb::arg("tokens"), nb::arg("taken"), nb::arg("min_frequency"), nb::arg("max_token_bytes"),
          nb::arg("lexicographic"), nb::arg("by_span"), nb::arg("threads"),
          nb::arg("tables") = nb::none(), nb::arg("ignore_merges") = false,
          nb::arg("ids") = std::vector<std::uint32_t>(), nb::keep_alive<1, 9>())
      .def("take_counts", &Merger::take_counts, nb::arg("counter"), "Take the spans of a counter.")
      .def("take_runs", &Merger::take_runs, nb::arg("runs"), nb::arg("most_bytes"),
           "Take the spans of runs, as many as fit; returns how many do not, and their count.")
      .def("run", &Merger::run, nb::arg("most"), nb::arg("seconds"),
           "Make merges for a while; False when none is left.")
      .def("__len__", &Merger::size, "How many merges have been made.")
      .def("last", &Merger::last, "What the last merge makes, and its frequency.")
      .def("merges", &Merger::merges,
           "(left, right, frequency) of the merges; symbols count from 0.");
}
