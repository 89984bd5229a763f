// A column of texts for Python, read from any object with Arrow data.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capsules.hpp"
#include "gil.hpp"
#include "wordsplit/arrow/texts.hpp"
#include "wordsplit/engine/text_column.hpp"
#include "wordsplit/text/utf8_check.hpp"

namespace wordsplit::bindings {

class PyTextColumn {
 public:
  explicit PyTextColumn(TextColumn&& column) : column_(std::move(column)) {}

  static PyTextColumn from_arrow(nb::handle object, const std::optional<std::string>& field) {
    if (nb::hasattr(object, "__arrow_c_stream__")) {
      return from_stream(take_from<ArrowArrayStream>(call_method(object, "__arrow_c_stream__")),
                         field);
    }
    if (!nb::hasattr(object, "__arrow_c_array__")) {
      throw ArrowTypeError("the data has neither __arrow_c_stream__ nor __arrow_c_array__");
    }
    const nb::object pair = call_method(object, "__arrow_c_array__");
    if (!PyTuple_Check(pair.ptr()) || nb::len(pair) != 2) {
      throw ArrowDataError("__arrow_c_array__ did not return two capsules");
    }
    const auto schema = take_from<ArrowSchema>(pair[0]);
    Arrays arrays;
    arrays->push_back(take_from<ArrowArray>(pair[1]));
    TextColumn out(arrays.shared());
    const Unlocked unlocked;
    TextReader(*schema, field).read(*arrays->back(), out);
    return PyTextColumn(std::move(out));
  }

  const TextColumn& get() const { return column_; }
  void remove(const std::vector<std::size_t>& rows) { column_.remove(rows); }
  std::vector<std::size_t> remove_empty() { return column_.remove_empty(); }
  void fill_nulls() { column_.fill_nulls(); }

  // The text of a row, or None. A negative row counts from the end.
  std::optional<nb::bytes> at(Py_ssize_t row) const {
    const auto rows = static_cast<Py_ssize_t>(column_.rows());
    if (row < 0) row += rows;
    if (row < 0 || row >= rows) throw nb::index_error("no such row");
    const Text& text = column_.texts()[static_cast<std::size_t>(row)];
    if (text.is_null()) return std::nullopt;
    return nb::bytes(text.data, text.length);
  }

  // The first rows that are not UTF-8, at most so many.
  std::vector<std::size_t> invalid_utf8(std::size_t most) const {
    std::vector<std::size_t> out;
    std::optional<Unlocked> unlocked;
    if (column_.bytes() > (64 << 10)) unlocked.emplace();
    const Texts& texts = column_.texts();
    for (std::size_t row = 0; row < texts.size() && out.size() < most; ++row) {
      const auto* const p = static_cast<const std::uint8_t*>(texts[row].data);
      if (!is_utf8(p, texts[row].length)) out.push_back(row);
    }
    return out;
  }

 private:
  // Arrays that are kept until nothing shares them.
  struct Arrays {
    std::shared_ptr<std::vector<Owned<ArrowArray>>> held =
        std::make_shared<std::vector<Owned<ArrowArray>>>();
    std::vector<Owned<ArrowArray>>* operator->() const { return held.get(); }
    std::shared_ptr<const void> shared() const { return held; }
  };

  // Reads a stream to its end. Without the GIL: a producer may wait for threads that need it.
  static PyTextColumn from_stream(Owned<ArrowArrayStream> stream,
                                  const std::optional<std::string>& field) {
    Arrays arrays;
    TextColumn out(arrays.shared());
    Unlocked unlocked;
    const auto check = [&](int error) {
      if (error == 0) return;
      const char* const why =
          stream->get_last_error ? stream->get_last_error(stream.get()) : nullptr;
      throw ArrowDataError("the stream failed: " + std::string(why ? why : std::strerror(error)));
    };
    ArrowSchema raw_schema{};
    check(stream->get_schema(stream.get(), &raw_schema));
    const Owned<ArrowSchema> schema(raw_schema);
    const TextReader reader(*schema, field);
    while (true) {
      ArrowArray raw_array{};
      check(stream->get_next(stream.get(), &raw_array));
      if (!raw_array.release) break;
      arrays->emplace_back(raw_array);
      reader.read(*arrays->back(), out);
      bool stopped = false;
      unlocked.locked([&] { stopped = PyErr_CheckSignals() != 0; });
      if (stopped) throw Interrupted{};
    }
    return PyTextColumn(std::move(out));
  }

  TextColumn column_;
};

}  // namespace wordsplit::bindings
