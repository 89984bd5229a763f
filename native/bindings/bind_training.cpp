// Python bindings of training/: counted spans, and the merges made of them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <optional>

#include "buffers.hpp"
#include "gil.hpp"
#include "module.hpp"
#include "wordsplit/training/merger.hpp"
#include "wordsplit/training/span_counter.hpp"

namespace nb = nanobind;
using namespace wordsplit;
using namespace wordsplit::training;

namespace {

std::string_view view_of(const nb::bytes& item) { return {item.c_str(), item.size()}; }

std::vector<std::string_view> views_of(const std::vector<nb::bytes>& items) {
  std::vector<std::string_view> out;
  for (const nb::bytes& item : items) out.push_back(view_of(item));
  return out;
}

auto chunks_to(bindings::Write& write) {
  return [&write](std::string_view chunk) { write(nb::bytes(chunk.data(), chunk.size())); };
}

std::tuple<std::uint64_t, std::uint64_t> count_texts(SpanCounter& counter, const SpanFinder& spans,
                                                     bool as_nfc, bindings::Items texts) {
  std::vector<std::string_view> views(nb::len(texts));
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (!bindings::view_text(nb::object(texts[i]).ptr(), views[i])) {
      throw nb::value_error("a text is not UTF-8");
    }
    if (views[i].size() >> 30) throw nb::value_error("a text is too long");
    bytes += views[i].size();
  }
  const bindings::Unlocked unlocked;
  return {counter.count_texts(spans, as_nfc, views), bytes};
}

void add_spans(SpanCounter& counter, nb::bytes text, const std::vector<std::uint32_t>& ends) {
  if (text.size() >> 32) throw nb::value_error("a text is too long");
  counter.add_spans(view_of(text), ends);
}

// The bytes of the spans that may be merged, and one more for each.
std::uint64_t mergeable_bytes(SpanCounter& counter) {
  std::uint64_t bytes = 0;
  counter.counts().for_each([&](std::string_view span, std::uint64_t) {
    if (span.size() > 1) bytes += span.size() + 1;
  });
  return bytes;
}

// The content of buffers, such as files that Python has mapped.
class Buffers {
 public:
  explicit Buffers(bindings::Items buffers) : held_(nb::len(buffers)) {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (PyObject_GetBuffer(nb::object(buffers[i]).ptr(), &held_[i], PyBUF_SIMPLE) != 0) {
        held_.resize(i);
        release();
        nb::raise_python_error();
      }
      views.emplace_back(static_cast<const char*>(held_[i].buf),
                         static_cast<std::size_t>(held_[i].len));
    }
  }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;
  ~Buffers() { release(); }

  std::vector<std::string_view> views;

 private:
  void release() {
    for (Py_buffer& view : held_) PyBuffer_Release(&view);
  }
  std::vector<Py_buffer> held_;
};

// A merger that keeps the tables of its base alive.
struct PyMerger {
  nb::object tables;
  Merger merger;

  void take_counts(SpanCounter& counter) {
    const bindings::LongWork work(1);
    merger.take_counts(counter.counts(), work.interrupts());
  }
  std::tuple<std::uint64_t, std::uint64_t> take_runs(bindings::Items runs,
                                                     std::uint64_t most_bytes) {
    const Buffers buffers(runs);
    const bindings::LongWork work(1);
    const Merger::LeftOut left_out = merger.take_runs(buffers.views, most_bytes, work.interrupts());
    return {left_out.spans, left_out.highest_count};
  }
  bool run(std::size_t most, double seconds) {
    const bindings::LongWork work(merger.loop().threads());
    const auto limit = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(seconds));
    return merger.loop().run(most, std::chrono::steady_clock::now() + limit, work.interrupts());
  }
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> merges() const {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> out;
    for (const NewMerge& made : merger.loop().merges()) {
      out.emplace_back(made.left, made.right, made.frequency);
    }
    return out;
  }
  std::size_t size() const { return merger.loop().merges().size(); }
  std::tuple<nb::bytes, std::uint64_t> last() const {
    if (merger.loop().merges().empty()) throw nb::index_error("no merge has been made");
    const std::string& token = merger.loop().tokens().back();
    return {nb::bytes(token.data(), token.size()), merger.loop().merges().back().frequency};
  }
};

}  // namespace

void bind_training(nb::module_& m) {
  nb::class_<SpanCounter>(m, "SpanCounter", "How often each span of the training texts occurs.")
      .def(nb::init<std::size_t>(), nb::arg("threads"))
      .def("count_texts", &count_texts, nb::arg("spans"), nb::arg("nfc"), nb::arg("texts"),
           "Count the spans of texts by a scanner; returns their number and the texts' bytes.")
      .def("add_spans", &add_spans, nb::arg("text"), nb::arg("ends"),
           "Count the spans of a text, given their ends.")
      .def(
          "add",
          [](SpanCounter& self, nb::bytes span, std::uint64_t times) {
            self.add(view_of(span), times);
          },
          nb::arg("span"), nb::arg("times"), "Count one span a number of times.")
      .def(
          "write_run",
          [](const SpanCounter& self, bindings::Write write) { self.write_run(chunks_to(write)); },
          nb::arg("write"), "Pass the counts to a function, in chunks of bytes.")
      .def("clear", &SpanCounter::clear)
      .def("__len__", [](SpanCounter& self) { return self.counts().size(); })
      .def_prop_ro("memory", &SpanCounter::memory, "Bytes in use.")
      .def_prop_ro("n_bytes", &mergeable_bytes,
                   "The bytes of the distinct spans that may be merged, plus one for each.");
  m.def(
      "merge_runs",
      [](bindings::Items runs, bindings::Write write) {
        const auto chunks = chunks_to(write);
        RunWriter out(chunks);
        merge_runs(Buffers(runs).views,
                   [&](std::string_view span, std::uint64_t count) { out.add(span, count); });
        out.finish();
      },
      nb::arg("runs"), nb::arg("write"), "Merge runs and pass the result to a function.");
  m.def(
      "count_distinct",
      [](bindings::Items runs) {
        std::uint64_t distinct = 0;
        merge_runs(Buffers(runs).views, [&](std::string_view, std::uint64_t) { ++distinct; });
        return distinct;
      },
      nb::arg("runs"), "The number of distinct spans in runs.");
  nb::class_<PyMerger>(m, "Merger", "The merges of byte-pair encoding, made from counted spans.")
      .def(
          "__init__",
          [](PyMerger* self, const std::vector<nb::bytes>& tokens,
             const std::vector<nb::bytes>& taken, std::uint64_t min_frequency,
             std::uint32_t max_token_bytes, bool lexicographic, bool by_span, std::size_t threads,
             std::optional<nb::handle_t<VocabTables>> tables, bool ignore_merges,
             std::vector<std::uint32_t> ids) {
            Base base{nullptr, ignore_merges, std::move(ids)};
            if (tables) base.tables = nb::cast<const VocabTables*>(*tables);
            new (self) PyMerger{tables ? nb::borrow(*tables) : nb::object(),
                                Merger(views_of(tokens), views_of(taken),
                                       {.min_frequency = min_frequency,
                                        .max_token_bytes = max_token_bytes,
                                        .lexicographic = lexicographic,
                                        .by_span = by_span},
                                       threads, std::move(base))};
          },
          nb::arg("tokens"), nb::arg("taken"), nb::arg("min_frequency"), nb::arg("max_token_bytes"),
          nb::arg("lexicographic"), nb::arg("by_span"), nb::arg("threads"),
          nb::arg("tables") = nb::none(), nb::arg("ignore_merges") = false,
          nb::arg("ids") = std::vector<std::uint32_t>())
      .def("take_counts", &PyMerger::take_counts, nb::arg("counter"),
           "Take the spans of a counter.")
      .def("take_runs", &PyMerger::take_runs, nb::arg("runs"), nb::arg("most_bytes"),
           "Take the spans of runs, as many as fit; returns how many do not, and the highest count "
           "among them.")
      .def("run", &PyMerger::run, nb::arg("most"), nb::arg("seconds"),
           "Make merges for some time; False when none is left.")
      .def("__len__", &PyMerger::size, "The number of merges made.")
      .def("last", &PyMerger::last, "The token that the last merge makes, and its frequency.")
      .def("merges", &PyMerger::merges,
           "(left, right, frequency) of the merges, as numbers of symbols.");
}
