// Reads a JSON text without its large tables, which Python would parse to an object for each entry.
// Each function returns None for what is not as usual, so that Python's `json` says what is wrong.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "module.hpp"
#include "wordsplit/text/json_cursor.hpp"

namespace nb = nanobind;

namespace {

using wordsplit::JsonCursor;
using Place = nb::typed<nb::tuple, nb::int_, nb::int_>;
using Outline = nb::typed<nb::tuple, nb::bytes, nb::typed<nb::dict, nb::str, Place>>;

constexpr std::size_t kSmall = 1024;  // what costs no more to parse than to leave out

const std::uint8_t* bytes_of(const nb::bytes& data) {
  return reinterpret_cast<const std::uint8_t*>(data.c_str());
}

struct Field {
  std::string_view name;
  std::size_t begin, end;
};

// Finds the values of some fields of a member. Returns false if the text is not JSON, if a name
// there is escaped, or if one occurs twice, of which the last would count.
bool find_fields(const std::uint8_t* text, std::size_t size, std::string_view member,
                 const std::vector<std::string>& wanted, std::vector<Field>& found) {
  JsonCursor at(text, text + size);
  bool is_found = false;
  const auto in_member = [&](std::string_view name) {
    if (name.find('\\') != name.npos) return false;
    name = name.substr(1, name.size() - 2);
    at.peek();  // behind white space
    const auto begin = static_cast<std::size_t>(at.position() - text);
    if (!at.skip()) return false;
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) return true;
    const auto same = [&](const Field& field) { return field.name == name; };
    if (std::any_of(found.begin(), found.end(), same)) return false;
    found.push_back({name, begin, static_cast<std::size_t>(at.position() - text)});
    return true;
  };
  const auto in_root = [&](std::string_view name) {
    if (name.find('\\') != name.npos) return false;
    if (name.substr(1, name.size() - 2) != member) return at.skip();
    if (is_found) return false;
    is_found = true;
    return at.each_member(in_member);
  };
  return at.each_member(in_root) && at.at_end();
}

std::optional<Outline> json_outline(const nb::bytes& data, const std::string& member,
                                    const std::vector<std::string>& fields) {
  std::vector<Field> found;
  if (!find_fields(bytes_of(data), data.size(), member, fields, found)) return std::nullopt;
  std::string text;
  nb::typed<nb::dict, nb::str, Place> places;
  std::size_t from = 0;
  for (const Field& field : found) {
    if (field.end - field.begin < kSmall) continue;
    text.append(data.c_str() + from, field.begin - from) += "null";
    from = field.end;
    places[nb::str(field.name.data(), field.name.size())] = nb::make_tuple(field.begin, field.end);
  }
  text.append(data.c_str() + from, data.size() - from);
  return Outline(nb::make_tuple(nb::bytes(text.data(), text.size()), places));
}

std::optional<nb::typed<nb::dict, nb::str, nb::int_>> json_members_with(
    const nb::bytes& data, std::size_t begin, std::size_t end,
    const std::vector<std::uint32_t>& values) {
  if (begin > end || end > data.size()) throw nb::value_error("a place beyond the data");
  const std::unordered_set<std::uint32_t> wanted(values.begin(), values.end());
  nb::typed<nb::dict, nb::str, nb::int_> out;
  JsonCursor at(bytes_of(data) + begin, bytes_of(data) + end);
  wordsplit::Growing<char> unescaped;
  const auto read = [&](std::string_view name) {
    at.peek();
    const auto* const digits = reinterpret_cast<const char*>(at.position());
    if (!at.skip()) return false;
    const auto* const stop = reinterpret_cast<const char*>(at.position());
    std::uint32_t value = 0;
    if (std::from_chars(digits, stop, value).ptr != stop || !wanted.contains(value)) return true;
    const std::string_view token = wordsplit::json_unescaped(name, unescaped);
    out[nb::str(token.data(), token.size())] = value;
    return true;
  };
  if (!at.each_member(read) || !at.at_end()) return std::nullopt;
  return out;
}

}  // namespace

void bind_json_outline(nb::module_& m) {
  m.def("json_outline", &json_outline, nb::arg("data"), nb::arg("member"), nb::arg("fields"),
        "A JSON object in which large values of some fields of one member are replaced by null, "
        "and the positions of these values; None if the data is not an object, or if a name is "
        "escaped or occurs twice.");
  m.def("json_members_with", &json_members_with, nb::arg("data"), nb::arg("begin"), nb::arg("end"),
        nb::arg("values"),
        "The members of the object at a position that have one of the given values; None if there "
        "is no object.");
}
