// Python bindings of the readers of documents: columns of texts in a buffer, and JSON Lines.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "gil.hpp"
#include "module.hpp"
#include "py_text_column.hpp"
#include "wordsplit/text/json_lines.hpp"
#include "wordsplit/text/separated.hpp"

namespace nb = nanobind;
using namespace wordsplit;
using bindings::PyTextColumn;
using bindings::Unlocked;

namespace {

// A part of an object with a buffer, which is kept.
class Part {
 public:
  Part(nb::handle object, std::size_t start, std::size_t stop) : held_(std::make_shared<Held>()) {
    if (PyObject_GetBuffer(object.ptr(), &held_->view, PyBUF_SIMPLE) != 0) {
      nb::raise_python_error();
    }
    held_->is_held = true;
    if (start > stop || stop > static_cast<std::size_t>(held_->view.len)) {
      throw nb::value_error("not a part of the buffer");
    }
    data = static_cast<const char*>(held_->view.buf) + start;
    size = stop - start;
  }
  std::shared_ptr<const void> owner() const { return held_; }

  const char* data;
  std::size_t size;

 private:
  struct Held {
    Py_buffer view{};
    bool is_held = false;
    ~Held() {
      if (is_held) PyBuffer_Release(&view);
    }
  };
  std::shared_ptr<Held> held_;
};

using Found = std::pair<PyTextColumn, std::size_t>;

// The documents between separators, and their number with the empty ones that are left out.
Found split(nb::handle buffer, std::size_t start, std::size_t stop, nb::bytes separator,
            bool keep_empty) {
  if (separator.size() == 0) throw nb::value_error("an empty separator");
  const Part part(buffer, start, stop);
  TextColumn column(part.owner());
  std::size_t documents = 0;
  {
    const Unlocked unlocked;
    split_documents(part.data, part.size, {separator.c_str(), separator.size()},
                    [&](const char* text, std::size_t size) {
                      ++documents;
                      if (size || keep_empty) column.push(text, size);
                    });
  }
  return {PyTextColumn(std::move(column)), documents};
}

// One document in one or several rows, each between two places.
Found in_parts(nb::handle buffer, const std::vector<std::pair<std::size_t, std::size_t>>& places,
               bool keep_empty) {
  if (places.empty()) throw nb::value_error("no places");
  const std::size_t start = places.front().first;
  const Part part(buffer, start, places.back().second);
  TextColumn column(part.owner());
  std::size_t done = start;
  for (const auto& [begin, end] : places) {
    if (begin < done || end < begin) throw nb::value_error("the places do not ascend");
    if (end > begin || keep_empty) column.push(part.data + (begin - start), end - begin);
    done = end;
  }
  return {PyTextColumn(std::move(column)), 1};
}

// The lines of one buffer after another. Columns share their memory. There are two in turn, since
// the last column is still in use when the next one is read: each is used again when nothing else
// shares it any more.
class PyJsonLines {
 public:
  PyJsonLines(std::string text_field, std::string key_field, bool keep_empty, bool keep_null)
      : text_field_(std::move(text_field)),
        key_field_(std::move(key_field)),
        keep_empty_(keep_empty),
        keep_null_(keep_null) {}

  Found read(nb::handle buffer, std::size_t start, std::size_t stop) {
    const Part part(buffer, start, stop);
    std::shared_ptr<JsonLines> lines = std::move(before_);
    before_ = std::move(lines_);
    if (!lines || lines.use_count() > 1) {
      lines = std::make_shared<JsonLines>(text_field_, key_field_);
    }
    TextColumn column(lines);
    {
      const Unlocked unlocked;
      lines->read(reinterpret_cast<const std::uint8_t*>(part.data), part.size, keep_empty_,
                  keep_null_);
      column.reserve(lines->texts.size());
      for (std::size_t i = 0; i < lines->texts.size(); ++i) {
        column.push(lines->texts[i].data(), lines->texts[i].size());
      }
    }
    start_ = start;
    const std::size_t documents = lines->lines;
    lines_ = std::move(lines);
    return {PyTextColumn(std::move(column)), documents};
  }

  // The bytes of the keys of the last column, and where each ends, as packed 64-bit integers.
  std::pair<nb::bytes, nb::bytes> keys() const {
    if (!lines_) return {nb::bytes("", 0), nb::bytes("", 0)};
    const PackedStrings& keys = lines_->keys;
    return {nb::bytes(keys.bytes.data(), keys.bytes.size()),
            nb::bytes(reinterpret_cast<const char*>(keys.ends.data()), 8 * keys.size())};
  }

  // The lines that cannot be taken: where each begins and ends in the last buffer, and how many
  // lines are before it.
  using Problem = std::tuple<std::size_t, std::size_t, std::size_t>;
  std::vector<Problem> problems() const {
    std::vector<Problem> out;
    if (!lines_) return out;
    for (const auto& [begin, end, line] : lines_->problems) {
      out.emplace_back(start_ + begin, start_ + end, line);
    }
    return out;
  }

  // The number of all lines of the last buffer, empty ones too.
  std::size_t line_ends() const { return lines_ ? lines_->line_ends : 0; }

 private:
  std::string text_field_, key_field_;
  bool keep_empty_, keep_null_;
  std::shared_ptr<JsonLines> lines_, before_;
  std::size_t start_ = 0;
};

}  // namespace

void bind_documents(nb::module_& m) {
  m.def("split_documents", &split, nb::arg("buffer"), nb::arg("start"), nb::arg("stop"),
        nb::arg("separator"), nb::arg("keep_empty"),
        "The texts between separators in a part of a buffer, and their number with empty ones.");
  m.def("document_in_parts", &in_parts, nb::arg("buffer"), nb::arg("places"), nb::arg("keep_empty"),
        "The text between these positions of a buffer as a column, and 1.");
  nb::class_<PyJsonLines>(m, "JsonLines", "The texts of JSON Lines, one buffer after another.")
      .def(nb::init<std::string, std::string, bool, bool>(), nb::arg("text_field"),
           nb::arg("key_field"), nb::arg("keep_empty"), nb::arg("keep_null"))
      .def("read", &PyJsonLines::read, nb::arg("buffer"), nb::arg("start"), nb::arg("stop"),
           "The texts of whole lines in a part of a buffer, and the number of lines.",
           nb::lock_self())
      .def("keys", &PyJsonLines::keys, nb::lock_self())
      .def("problems", &PyJsonLines::problems, nb::lock_self())
      .def_prop_ro("line_ends", &PyJsonLines::line_ends, nb::lock_self());
}
