// The tables of a model as JSON text.
#include <nanobind/stl/string_view.h>

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "buffers.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace {

// Appends a string in quotes, as json.dumps() does with ensure_ascii=False.
void append_quoted(nb::handle item, std::string& out) {
  static constexpr char kDigits[] = "0123456789abcdef";
  static constexpr std::string_view kShort = "\b\f\n\r\t\"\\", kLetters = "bfnrt\"\\";
  Py_ssize_t size = 0;
  const char* const data = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
  if (!data) nb::raise_python_error();
  out += '"';
  const char* from = data;  // what is not escaped is copied at once
  for (const char* p = data; p != data + size; ++p) {
    const auto byte = static_cast<unsigned char>(*p);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out.append(from, p);
    from = p + 1;
    if (const std::size_t at = kShort.find(*p); at != kShort.npos) {
      (out += '\\') += kLetters[at];
    } else {
      (out += "\\u00") += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  out.append(from, data + size);
  out += '"';
}

}  // namespace

void bind_json_text(nb::module_& m) {
  m.def(
      "json_members",
      [](const nb::typed<nb::dict, nb::str, nb::int_>& members, std::string_view between) {
        std::string out;
        PyObject *name = nullptr, *value = nullptr;
        for (Py_ssize_t at = 0; PyDict_Next(members.ptr(), &at, &name, &value);) {
          if (!out.empty()) out += between;
          append_quoted(name, out);
          char digits[24];
          const auto written =
              std::to_chars(digits, std::end(digits), nb::cast<long long>(nb::handle(value)));
          (out += ": ").append(digits, written.ptr);
        }
        return nb::str(out.data(), out.size());
      },
      nb::arg("members"), nb::arg("between"), "The members of an object as JSON, without braces.");
  m.def(
      "json_pairs",
      [](const nb::typed<nb::dict, nb::int_, nb::str>& names, nb::handle flat,
         std::string_view comma, std::string_view between) {
        struct Place {
          std::size_t start, size;
        };
        std::string quoted, out;
        std::vector<Place> places;  // by number; ids are small
        PyObject *id = nullptr, *name = nullptr;
        for (Py_ssize_t at = 0; PyDict_Next(names.ptr(), &at, &id, &name);) {
          const std::size_t start = quoted.size();
          append_quoted(name, quoted);
          const auto number = nb::cast<std::uint32_t>(nb::handle(id));
          if (number >= places.size()) places.resize(number + 1 + number / 2, Place{0, 0});
          places[number] = {start, quoted.size() - start};
        }
        const auto append = [&](std::uint32_t token) {
          if (token >= places.size() || !places[token].size) {
            throw nb::key_error("a pair of unknown names");
          }
          out.append(quoted, places[token].start, places[token].size);
        };
        const wordsplit::bindings::Words ids(flat);
        for (std::size_t i = 0; i + 1 < ids.size(); i += 2) {
          if (i > 0) out += between;
          append(ids.data()[i]);
          out += comma;
          append(ids.data()[i + 1]);
        }
        return nb::str(out.data(), out.size());
      },
      nb::arg("names"), nb::arg("flat"), nb::arg("comma"), nb::arg("between"),
      "Pairs of names, given by their numbers, as JSON without brackets.");
}
