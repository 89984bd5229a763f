// An engine for Python: converts texts and ids, starts threads, and releases the GIL.
//
// Methods return None for a value that they cannot take (a str with lone surrogates, an unknown
// id). The Python side then takes a slower path, which raises the error or makes the replacement.
#pragma once

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "added_buffers.hpp"
#include "arrays.hpp"
#include "buffers.hpp"
#include "collection_paused.hpp"
#include "engine_arguments.hpp"
#include "gil.hpp"
#include "id_chunks.hpp"
#include "int_table.hpp"
#include "py_text_column.hpp"
#include "py_token_lists.hpp"
#include "step_decoding.hpp"
#include "wordsplit/engine/batch.hpp"
#include "wordsplit/engine/decoder.hpp"
#include "wordsplit/engine/engine.hpp"
#include "wordsplit/engine/long_text.hpp"
#include "wordsplit/engine/offsets.hpp"
#include "wordsplit/engine/step_decoder.hpp"
#include "wordsplit/engine/token_places.hpp"
#include "workers.hpp"

namespace wordsplit::bindings {

// Texts of fewer bytes are encoded with the GIL held: to release it would cost more.
inline constexpr std::size_t kReleaseAt = 32 << 10;
using Mask = std::optional<nb::bytes>;

class PyEngine {
 public:
  PyEngine(nb::handle_t<VocabTables> tables, const EngineArguments& arguments)
      : tables_object_(nb::borrow(tables)),
        added_(arguments.added.value()),
        literals_(arguments.literals),
        engine_(tables_of(tables_object_), config_of(arguments),
                matched(added_.list, literals_, false), matched(added_.list, literals_, true)),
        decoder_(tables_of(tables_object_), added_.list),
        finds_spans_(engine_.config().spans || engine_.config().cuts || engine_.config().words ||
                     engine_.config().rewriting),
        joins_bytes_(arguments.joins_bytes),
        threads_(arguments.threads),
        prefix_(arguments.prefix),
        suffix_(arguments.suffix) {}
  ~PyEngine() { Py_XDECREF(steps_.load()); }

  nb::object encode(nb::handle text, const Mask& mask) {
    return with_ids(text, mask, [&](const Output& out) { return list_of(out.data(), out.size()); });
  }

  // The usual call of Tokenizer.encode() and count(), checked here, since each step in Python takes
  // as long as some words of text. None for everything else, such as another `special` than
  // "parse", and for all errors, which the slower way raises.
  nb::object encode_quickly(nb::handle text, nb::handle special) {
    return quickly(text, special,
                   [](const Output& out) { return list_of(out.data(), out.size()); });
  }
  nb::object count_quickly(nb::handle text, nb::handle special) {
    return quickly(text, special, [](const Output& out) { return nb::cast(out.size()); });
  }
  nb::object decode_quickly(nb::handle ids, const char* errors, nb::handle skip_special) {
    if (PyObject* const steps = steps_.load(std::memory_order_acquire)) {
      return decode_by(*nb::inst_ptr<StepDecoder>(steps), ids, errors, skip_special);
    }
    if (!joins_bytes_ || !PyList_CheckExact(ids.ptr())) return nb::none();
    return nb::cast(decode(ids, errors, skip_special));
  }

  // From now on decode_quickly() decodes by steps: by these, or by those that another thread has
  // given before, which are returned.
  nb::handle_t<StepDecoder> use_steps(nb::handle_t<StepDecoder> steps) {
    PyObject* before = nullptr;
    if (!steps_.compare_exchange_strong(before, steps.ptr())) return before;
    return steps.inc_ref(), steps;
  }

  nb::object encode_to_numpy(nb::handle text, const Mask& mask) {
    return with_ids(text, mask, [&](const Output& out) {
      Output copy;
      copy.append(out.data(), out.size());
      return nb::cast(array_of(std::move(copy)));
    });
  }

  nb::object count(nb::handle text, const Mask& mask) {
    return with_ids(text, mask, [](const Output& out) { return nb::cast(out.size()); });
  }

  nb::object encode_batch(Items texts, const Mask& mask, std::size_t threads) {
    Texts views;
    if (!view_all(texts, views)) return nb::none();
    const CollectionPaused paused;
    std::vector<nb::object> lists;
    lists.reserve(views.size());
    const auto take = [&](std::size_t first, std::size_t last, const Output& ids,
                          const std::size_t* ends) {
      std::size_t start = 0;
      for (std::size_t i = 0; i < last - first; start = ends[i++]) {
        lists.push_back(list_of(ids.data() + start, ends[i] - start));
      }
    };
    return unless_surrogate([&] {
      with_batch<true>(views, mask, threads, take);
      nb::object out = nb::steal(PyList_New(static_cast<Py_ssize_t>(lists.size())));
      if (!out.is_valid()) nb::raise_python_error();
      for (std::size_t i = 0; i < lists.size(); ++i) {
        PyList_SET_ITEM(out.ptr(), static_cast<Py_ssize_t>(i), lists[i].release().ptr());
      }
      return out;
    });
  }

  nb::object count_batch(Items texts, const Mask& mask, std::size_t threads) {
    Texts views;
    if (!view_all(texts, views)) return nb::none();
    std::vector<std::size_t> counts(views.size());
    const auto take = [&](std::size_t first, std::size_t last, const Output&,
                          const std::size_t* ends) {
      for (std::size_t i = 0; i < last - first; ++i) {
        counts[first + i] = ends[i] - (i ? ends[i - 1] : 0);
      }
    };
    return unless_surrogate([&] {
      with_batch<false>(views, mask, threads, take);
      return nb::cast(counts);
    });
  }

  nb::object encode_batch_to_numpy(Items texts, const Mask& mask, std::size_t threads) {
    Texts views;
    if (!view_all(texts, views)) return nb::none();
    return unless_surrogate([&] {
      Output all = SpareIds::shared().take(bytes_of(views));
      Growing<std::int64_t> offsets;
      encode_lists(views, mask, threads, all, offsets);
      return nb::object(nb::make_tuple(array_of(std::move(all)), array_of(std::move(offsets))));
    });
  }

  // Encodes the rows of a column. A null row becomes a null list.
  void encode_column(const PyTextColumn& column, const Mask& mask, std::size_t threads,
                     PyTokenLists& into) {
    const Texts& texts = column.get().texts();
    auto lists = into.take(column.get().bytes());
    encode_lists(texts, mask, threads, lists->ids, lists->offsets);
    lists->mark_nulls(texts, column.get().nulls());
    into.set(std::move(lists));
  }

  // Returns ids, boundaries in bytes, first and last characters (empty for ASCII text), and the
  // indexes of the ids that begin a span; all but the ids as packed 64-bit integers. A bytes object
  // must be UTF-8. None also for a text whose places the core does not find.
  nb::object encode_with_offsets(nb::handle text, const Mask& mask) {
    return with_offsets(text, mask, [](const Offsets& out) {
      const auto packed = [](const Growing<std::int64_t>& items) {
        return nb::bytes(reinterpret_cast<const char*>(items.data()), 8 * items.size());
      };
      return nb::make_tuple(list_of(out.ids.data(), out.ids.size()), packed(out.bounds),
                            packed(out.char_starts), packed(out.char_ends),
                            packed(out.span_starts));
    });
  }

  // Returns lists of ids, of the first and last characters of each, and of the number of its span;
  // and, of Unigram, what each unknown id stands for, by its index. None as above.
  nb::object encode_with_words(nb::handle text, const Mask& mask) {
    return with_offsets(text, mask, places_and_words);
  }

  // Returns the ends of the spans of a stretch. Precondition: the engine finds spans.
  std::vector<std::uint32_t> span_ends(nb::bytes text) {
    const auto* p = static_cast<const std::uint8_t*>(text.data());
    std::vector<std::uint32_t> out;
    std::uint32_t ends[Engine::kBlock];
    SpanFinder::Memory memory = engine_.scan_memory(p, text.size(), 0);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t count = engine_.scan(p, text.size(), at, ends, Engine::kBlock, memory);
      out.insert(out.end(), ends, ends + count);
    }
    return out;
  }

  // Returns the ids of a stretch whose spans the caller has found.
  nb::object encode_spans(nb::bytes text, const std::vector<std::uint32_t>& ends) {
    const Workers::Loan worker = workers_.borrow();
    const auto* p = static_cast<const std::uint8_t*>(text.data());
    engine_.encode_spans(p, text.size(), ends.data(), ends.size(), *worker->state, worker->out);
    nb::object out = list_of(worker->out.data(), worker->out.size());
    return out;
  }

  // Returns (bytes, id of the added token or None, whether that is special) for each piece of a
  // text.
  nb::object pieces(nb::handle text, const Mask& mask) {
    std::string_view view;
    if (!view_text(text.ptr(), view)) return nb::none();
    const Workers::Loan worker = workers_.borrow();
    nb::list out;
    engine_.pieces(reinterpret_cast<const std::uint8_t*>(view.data()), view.size(), as_text(mask),
                   *worker->state,
                   [&](const std::uint8_t* p, std::size_t size, const AddedToken* token, bool) {
                     nb::object id = token ? nb::cast(token->id) : nb::none();
                     out.append(nb::make_tuple(nb::bytes(p, size), id, token && token->special));
                   });
    return out;
  }

  // Returns the bytes of ids, or None if one of them is unknown.
  std::optional<nb::bytes> decode_bytes(nb::handle ids, nb::handle skip_special) {
    Growing<char> out;
    if (!decode_to(ids, is_true(skip_special), out)) return std::nullopt;
    return nb::bytes(out.data(), out.size());
  }

  // Returns a list of the bytes of each id, or None if one of them is unknown, also to `others`, a
  // dict of ids to objects.
  std::optional<nb::typed<nb::list, nb::bytes>> token_bytes(
      nb::handle ids, const nb::typed<nb::dict, int, nb::bytes>& others) {
    nb::typed<nb::list, nb::bytes> out;
    const bool known = in_chunks(ids, [&](const std::uint32_t* chunk, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) {
        if (const auto token = decoder_.find(chunk[i])) {
          out.append(nb::bytes(token->data(), token->size()));
          continue;
        }
        const nb::int_ key(chunk[i]);
        PyObject* other = PyDict_GetItemWithError(others.ptr(), key.ptr());
        if (!other) return false;
        out.append(nb::borrow(other));
      }
      return true;
    });
    if (!known) return std::nullopt;
    return out;
  }

  std::optional<nb::str> decode(nb::handle ids, const char* errors, nb::handle skip_special) {
    Growing<char> out;
    if (!decode_to(ids, is_true(skip_special), out)) return std::nullopt;
    PyObject* text = PyUnicode_DecodeUTF8(out.data(), static_cast<Py_ssize_t>(out.size()), errors);
    if (!text) nb::raise_python_error();
    return nb::steal<nb::str>(text);
  }

  std::tuple<std::size_t, std::size_t> cache_info() {
    return {engine_.shared_cache().entries() + workers_.cache_entries(),
            engine_.shared_cache().bytes() + workers_.cache_bytes()};
  }

  // Spans by where they were found.
  nb::dict span_counts() {
    const SpanCounts counts = workers_.span_counts();
    const std::uint64_t missed = counts.repeated + counts.tokens + counts.in_parts + counts.shared +
                                 counts.encoded + counts.too_long;
    nb::dict out;
    out["hot cache"] = counts.spans - missed;
    out["repeated"] = counts.repeated;
    out["tokens"] = counts.tokens;
    out["in parts"] = counts.in_parts;
    out["shared cache"] = counts.shared;
    out["encoded"] = counts.encoded;
    out["too long"] = counts.too_long;
    return out;
  }

  void cache_clear() {
    engine_.shared_cache().clear();
    workers_.cache_clear();
    SpareIds::shared().clear();
  }

 private:
  // The tables of a Python object that tables_object_ keeps alive. A shared_ptr that owned the
  // object would release it under the main interpreter's GIL.
  static std::shared_ptr<const VocabTables> tables_of(nb::handle object) {
    return {std::shared_ptr<const VocabTables>(), nb::cast<const VocabTables*>(object)};
  }

  AsText as_text(const Mask& mask) const {
    if (!mask) return nullptr;
    if (mask->size() != added_.list.size()) throw nb::value_error("mask has the wrong length");
    return static_cast<const std::uint8_t*>(mask->data());
  }

  // Appends the ids of a text, converted to UTF-8 in the worker's buffer; none at all for a null.
  void encode_whole(const Text& text, AsText mask, Worker& worker, Output& out) const {
    encode_whole(text, worker, out, [&](const std::uint8_t* p, std::size_t n) {
      engine_.encode(p, n, mask, *worker.state, out);
    });
  }
  // The same in pieces, on several threads, if there is more than one state.
  void encode_whole(const Text& text, AsText mask, Worker& worker,
                    std::span<Engine::State* const> states, Output& out) const {
    encode_whole(text, worker, out, [&](const std::uint8_t* p, std::size_t n) {
      encode_long_text(engine_, p, n, mask, states, out);
    });
  }
  template <class Encode>
  void encode_whole(const Text& text, Worker& worker, Output& out, Encode&& encode) const {
    if (text.is_null()) return;
    const std::string_view utf8 = utf8_of(text, engine_.config().simd, worker.utf8);
    out.append(prefix_.data(), prefix_.size());
    encode(reinterpret_cast<const std::uint8_t*>(utf8.data()), utf8.size());
    out.append(suffix_.data(), suffix_.size());
  }

  template <class Use>
  nb::object quickly(nb::handle text, nb::handle special, Use&& use) {
    if (!finds_spans_ || special.ptr() != parse_.ptr() || !PyUnicode_CheckExact(text.ptr())) {
      return nb::none();
    }
    return unless_refused([&] { return with_ids(text, std::nullopt, use); });
  }

  // Returns make(), or None if the engine refuses the text: the slower way says why.
  template <class Make>
  static nb::object unless_refused(Make&& make) {
    try {
      return make();
    } catch (const MissingByte&) {
    } catch (const NotInCore&) {
    } catch (const std::length_error&) {
    }
    return nb::none();
  }

  template <class Use>
  nb::object with_ids(nb::handle text, const Mask& mask, Use&& use) {
    Text view;
    if (!view_points(text.ptr(), view)) return nb::none();
    const AsText kept = as_text(mask);
    const Workers::Loan worker = workers_.borrow();
    return unless_surrogate([&] {
      if (view.bytes() < kReleaseAt) {
        encode_whole(view, kept, *worker, worker->out);
        return use(worker->out);
      }
      std::vector<Workers::Loan> helpers;
      std::vector<Engine::State*> states = {worker->state.get()};
      const std::size_t most = std::min<std::size_t>(view.bytes() / kPiece, threads_);
      while (states.size() < most) {
        helpers.push_back(workers_.borrow_another());
        states.push_back(helpers.back()->state.get());
      }
      {
        const LongCall call(states);
        encode_whole(view, kept, *worker, states, worker->out);
      }
      return use(worker->out);
    });
  }

  // Returns use(offsets), or None if the text is none, or its places are not found.
  template <class Use>
  nb::object with_offsets(nb::handle text, const Mask& mask, Use&& use) {
    std::string_view view;
    if (!view_text(text.ptr(), view)) return nb::none();
    const AsText kept = as_text(mask);
    const Workers::Loan worker = workers_.borrow();
    bool found = true;
    const auto run = [&] {
      const auto* p = reinterpret_cast<const std::uint8_t*>(view.data());
      const auto encode = [&](auto&& with) {
        return with(engine_, p, view.size(), kept, prefix_, suffix_, *worker->state,
                    worker->offsets);
      };
      if (engine_.tables().model().kind == ModelKind::Bytes && !engine_.config().normalizer) {
        encode(wordsplit::encode_with_offsets);
      } else {
        found = encode(wordsplit::encode_with_places);
      }
    };
    if (view.size() < kReleaseAt) {
      run();
    } else {
      Engine::State* const state = worker->state.get();
      const LongCall call({&state, 1});
      run();
    }
    if (!found) return nb::none();
    return use(worker->offsets);
  }

  // Lists of ids, of the first and last characters of each, and of the number of its span, and a
  // dict of what is unknown.
  static nb::object places_and_words(const Offsets& out) {
    const std::size_t count = out.ids.size();
    const bool ascii = out.char_starts.size() == 0;
    const std::int64_t* const starts = (ascii ? out.bounds : out.char_starts).data();
    const std::int64_t* const ends = ascii ? starts + 1 : out.char_ends.data();
    const std::int64_t* next = out.span_starts.data();
    const std::int64_t* const last = next + out.span_starts.size();
    std::optional<CollectionPaused> paused;
    if (count >= 1000) paused.emplace();  // for fewer, it costs more than it saves
    nb::object places = list_of_size(count), words = list_of_size(count);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (; next != last && *next <= static_cast<std::int64_t>(i); ++next) ++word;
      nb::object place = nb::steal(PyTuple_New(2));
      if (!place.is_valid()) nb::raise_python_error();
      PyTuple_SET_ITEM(place.ptr(), 0, int_of(starts[i]));
      PyTuple_SET_ITEM(place.ptr(), 1, int_of(ends[i]));
      PyList_SET_ITEM(places.ptr(), static_cast<Py_ssize_t>(i), place.release().ptr());
      PyList_SET_ITEM(words.ptr(), static_cast<Py_ssize_t>(i), int_of(word - 1));
    }
    nb::dict unknown;
    for (const auto& [at, text] : out.unknown) unknown[nb::int_(at)] = nb::cast(text);
    return nb::make_tuple(list_of(out.ids.data(), count), places, words, unknown);
  }

  static nb::object list_of_size(std::size_t count) {
    nb::object out = nb::steal(PyList_New(static_cast<Py_ssize_t>(count)));
    if (!out.is_valid()) nb::raise_python_error();
    return out;
  }
  static PyObject* int_of(std::int64_t value) {
    PyObject* const out = PyLong_FromLongLong(value);
    if (!out) nb::raise_python_error();
    return out;
  }

  // Returns make(), or None if a text has a surrogate.
  template <class Make>
  static nb::object unless_surrogate(Make&& make) {
    try {
      return make();
    } catch (const LoneSurrogate&) {
      return nb::none();
    }
  }

  // Returns false if an item is not a text.
  static bool view_all(Items texts, Texts& views) {
    views.resize(texts.size());
    for (std::size_t i = 0; i < views.size(); ++i) {
      if (!view_points(nb::handle(texts[i]).ptr(), views[i])) return false;
    }
    return true;
  }

  static std::size_t threads_for(const Texts& texts, std::size_t limit) {
    return useful_threads(bytes_of(texts), texts.size(), limit);
  }

  // Appends the ids of all texts in this thread, and calls ended() after each.
  template <class Ended>
  void encode_each(const Texts& texts, AsText mask, Worker& worker, Output& out,
                   Ended&& ended) const {
    const auto run = [&] {
      for (const Text& text : texts) encode_whole(text, mask, worker, out), ended();
    };
    if (bytes_of(texts) < kReleaseAt) {
      run();
    } else {
      Engine::State* const state = worker.state.get();
      const LongCall call({&state, 1});
      run();
    }
  }

  // Appends the ids of all texts, and sets the offsets of the texts in them.
  void encode_lists(const Texts& texts, const Mask& mask, std::size_t threads, Output& ids,
                    Growing<std::int64_t>& offsets) {
    offsets.clear();
    offsets.reserve(texts.size() + 1);
    offsets.push(0);
    if (threads_for(texts, threads) == 1) {  // straight to where they stay
      const Workers::Loan worker = workers_.borrow();
      encode_each(texts, as_text(mask), *worker, ids,
                  [&] { offsets.push(static_cast<std::int64_t>(ids.size())); });
    } else {
      with_batch<false>(
          texts, mask, threads,
          [&](std::size_t first, std::size_t last, const Output& group, const std::size_t* ends) {
            for (std::size_t i = 0; i < last - first; ++i) {
              offsets.push(static_cast<std::int64_t>(ids.size() + ends[i]));
            }
            ids.append(group.data(), group.size());
          });
    }
  }

  // See wordsplit::encode_batch(). Calls take() with the GIL held only if kTakeLocked.
  template <bool kTakeLocked, class Take>
  void with_batch(const Texts& texts, const Mask& mask, std::size_t threads, Take&& take) {
    const AsText kept = as_text(mask);
    if (bytes_of(texts) < kReleaseAt) {
      const Workers::Loan worker = workers_.borrow();
      std::vector<std::size_t> ends;
      ends.reserve(texts.size());
      encode_each(texts, kept, *worker, worker->out, [&] { ends.push_back(worker->out.size()); });
      take(0, texts.size(), worker->out, ends.data());
      return;
    }
    std::vector<Workers::Loan> workers;
    std::vector<Engine::State*> states;
    for (std::size_t n = threads_for(texts, threads); n--;) {
      workers.push_back(workers.empty() ? workers_.borrow() : workers_.borrow_another());
      states.push_back(workers.back()->state.get());
    }
    {
      LongCall call(states);
      wordsplit::encode_batch(
          texts, workers.size(),
          [&](const Text& text, std::size_t i, Output& out) {
            encode_whole(text, kept, *workers[i], out);
          },
          [&](std::size_t first, std::size_t last, const Output& ids, const std::size_t* ends) {
            if constexpr (kTakeLocked) {
              call.locked([&] { take(first, last, ids, ends); });
            } else {
              take(first, last, ids, ends);
            }
          });
    }
  }

  bool decode_to(nb::handle ids, bool skip_special, Growing<char>& out) const {
    out.reserve(1);  // so that there is memory to read, however few ids there are
    return in_chunks(ids, [&](const std::uint32_t* chunk, std::size_t count) {
      return decoder_.append(chunk, count, skip_special, out);
    });
  }

  nb::object tables_object_;
  HeldAddedList added_;
  Literals literals_;
  Engine engine_;
  Decoder decoder_;
  bool finds_spans_, joins_bytes_;
  std::size_t threads_;
  std::atomic<PyObject*> steps_{nullptr};  // a StepDecoder that is held
  std::vector<std::uint32_t> prefix_, suffix_;
  nb::object parse_ = nb::steal(PyUnicode_InternFromString("parse"));
  Workers workers_{engine_};
};

}  // namespace wordsplit::bindings
