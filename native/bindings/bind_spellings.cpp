// From the tables of a tokenizer.json, as Python has parsed them, to those of a vocab. Each
// function returns None for what is not as usual, so that slower code in Python says what is wrong.
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "buffers.hpp"
#include "byte_level.hpp"
#include "module.hpp"
#include "names_table.hpp"
#include "packed_tokens.hpp"
#include "wordsplit/text/unicode.hpp"
#include "wordsplit/text/utf8.hpp"

namespace nb = nanobind;

namespace {

// The UTF-8 of names. Unlike view_text(), it leaves no copy of it in the objects; unlike utf8_of(),
// it is made for short ones.
class NameReader {
 public:
  // Views a str or a bytes until the next call. Returns false for other types, and for text with
  // lone surrogates.
  bool read(PyObject* object, std::string_view& out) {
    wordsplit::Text text;
    if (!wordsplit::bindings::view_points(object, text)) return false;
    if (text.width == 0) {
      out = {static_cast<const char*>(text.data), text.length};
      return true;
    }
    return text.width == 1   ? write<std::uint8_t>(text, out)
           : text.width == 2 ? write<std::uint16_t>(text, out)
                             : write<std::uint32_t>(text, out);
  }

 private:
  template <class Char>
  bool write(const wordsplit::Text& text, std::string_view& out) {
    buffer_.clear();
    char* const start = buffer_.reserve(4 * text.length + 64);
    auto* const to = reinterpret_cast<std::uint8_t*>(start);
    const auto* const points = static_cast<const Char*>(text.data);
    const auto* const end = wordsplit::utf8_detail::write_portable(points, text.length, to);
    out = {start, static_cast<std::size_t>(end ? end - to : 0)};
    return end != nullptr;
  }

  wordsplit::Growing<char> buffer_;
};

// An id of 32 bits, at most `most`.
bool read_id(PyObject* object, std::uint32_t most, std::uint32_t& out) {
  if (!PyLong_CheckExact(object)) return false;
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  out = static_cast<std::uint32_t>(value);
  return !overflow && value >= 0 && value <= most;
}

std::optional<wordsplit::bindings::PackedTable> table_of_spellings(
    const nb::typed<nb::dict, nb::str, nb::int_>& vocab, std::uint32_t most) {
  static const auto kBytes = wordsplit::bindings::byte_level_alphabet();
  wordsplit::bindings::TokenPacker tokens(vocab.size());
  NameReader names;
  PyObject *name = nullptr, *id = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(vocab.ptr(), &at, &name, &id);) {
    std::uint32_t number;
    std::string_view spelled;
    if (!PyUnicode_Check(name) || !read_id(id, most, number) || !names.read(name, spelled)) {
      return std::nullopt;
    }
    const auto* const p = reinterpret_cast<const std::uint8_t*>(spelled.data());
    for (std::size_t i = 0; i < spelled.size();) {
      const auto c = wordsplit::decode_utf8(p + i, p + spelled.size());
      if (c.value >= wordsplit::bindings::kByteLevelCharacters ||
          kBytes[c.value] == wordsplit::bindings::kNoByte)
        return std::nullopt;
      tokens.bytes() += static_cast<char>(kBytes[c.value]);
      i += c.size;
    }
    tokens.add(number);
  }
  return tokens.packed();
}

// The ids of a vocab by the names of its tokens. Returns false unless all names are text or bytes,
// and all ids have 32 bits.
bool read_names(const nb::dict& vocab, wordsplit::bindings::NamesTable& out) {
  NameReader names;
  PyObject *name = nullptr, *id = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(vocab.ptr(), &at, &name, &id);) {
    std::string_view view;
    std::uint32_t number;
    if (!read_id(id, UINT32_MAX, number) || !names.read(name, view)) return false;
    out.set(view, number);
  }
  return true;
}

// Reads the two names of a merge, one after the other, and where the second begins. A merge of
// bytes is split at the first space after its first byte, as in GGUF; a str must have a single
// space. Returns false for anything else.
bool read_pair(PyObject* pair, NameReader& names, std::string& both, std::size_t& cut) {
  std::string_view name;
  const bool is_list = PyList_CheckExact(pair);
  if (is_list || PyTuple_CheckExact(pair)) {
    if ((is_list ? PyList_Size(pair) : PyTuple_Size(pair)) != 2) return false;
    both.clear();
    for (Py_ssize_t i = 0; i < 2; ++i) {
      cut = both.size();
      PyObject* const part = is_list ? PyList_GetItem(pair, i) : PyTuple_GetItem(pair, i);
      if (!PyUnicode_CheckExact(part) || !names.read(part, name)) return false;
      both += name;
    }
    return true;
  }
  if (!names.read(pair, name)) return false;
  const bool is_bytes = PyBytes_Check(pair);
  cut = name.find(' ', is_bytes ? 1 : 0);
  if (cut == name.npos || (!is_bytes && name.find(' ', cut + 1) != name.npos)) return false;
  both.assign(name.substr(0, cut)).append(name.substr(cut + 1));
  return true;
}

std::optional<nb::bytes> ids_of_pairs(nb::handle pairs, const nb::dict& vocab) {
  if (!PyList_Check(pairs.ptr())) return std::nullopt;
  wordsplit::bindings::NamesTable ids(nb::len(vocab));
  if (!read_names(vocab, ids)) return std::nullopt;
  std::vector<std::uint32_t> out;
  out.reserve(2 * static_cast<std::size_t>(PyList_Size(pairs.ptr())) + 1);
  NameReader names;
  std::string both;
  std::size_t cut = 0, guess = 0;  // most vocabs list tokens in the order of the merges
  for (Py_ssize_t at = 0; at < PyList_Size(pairs.ptr()); ++at) {
    const nb::object pair = nb::borrow(PyList_GetItem(pairs.ptr(), at));
    if (!read_pair(pair.ptr(), names, both, cut)) return std::nullopt;
    const std::string_view made = both;
    const auto left = ids.find(made.substr(0, cut)), right = ids.find(made.substr(cut));
    if (!left || !right) return std::nullopt;
    if (ids.is_at(guess, made)) {
      ++guess;
    } else {
      const auto found = ids.place_of(made);
      if (!found) return std::nullopt;
      guess = *found + 1;
    }
    out.push_back(*left);
    out.push_back(*right);
  }
  return wordsplit::bindings::bytes_of(out);
}

nb::typed<nb::dict, nb::bytes, nb::int_> ids_by_bytes(nb::handle blob, nb::handle ends,
                                                      nb::handle ids) {
  const wordsplit::bindings::Words data(blob), last(ends), numbers(ids);
  nb::typed<nb::dict, nb::bytes, nb::int_> out;
  std::size_t start = 0;
  for (std::size_t i = 0; i < last.size() && i < numbers.size(); ++i) {
    const std::size_t end = last.data()[i];
    if (end < start || end > data.size_bytes())
      throw nb::value_error("ends that do not fit the blob");
    const nb::bytes token(reinterpret_cast<const char*>(data.bytes()) + start, end - start);
    const nb::int_ id(numbers.data()[i]);
    if (PyDict_SetItem(out.ptr(), token.ptr(), id.ptr()) != 0) nb::raise_python_error();
    start = end;
  }
  return out;
}

// The id of the last token of a table with these bytes.
std::optional<std::uint32_t> find_token(nb::handle blob, nb::handle ends, nb::handle ids,
                                        const nb::bytes& token) {
  const wordsplit::bindings::Words data(blob), last(ends), numbers(ids);
  for (std::size_t i = std::min(last.size(), numbers.size()); i-- > 0;) {
    const std::size_t start = i ? last.data()[i - 1] : 0, end = last.data()[i];
    if (end - start != token.size()) continue;
    if (end > data.size_bytes()) throw nb::value_error("ends that do not fit the blob");
    if (std::memcmp(data.bytes() + start, token.c_str(), token.size()) == 0) {
      return numbers.data()[i];
    }
  }
  return std::nullopt;
}

// Whether ids and ends ascend, ids to at most `most`, ends to the end of the blob.
bool is_sound_table(nb::handle blob, nb::handle ends, nb::handle ids, std::uint32_t most) {
  const wordsplit::bindings::Words data(blob), last(ends), numbers(ids);
  const std::size_t count = numbers.size();
  if (last.size() != count || count == 0) return false;
  if (last.data()[count - 1] != data.size_bytes() || numbers.data()[count - 1] > most) return false;
  bool sound = true;
  for (std::size_t i = 1; i < count; ++i) {
    sound &= numbers.data()[i - 1] < numbers.data()[i] && last.data()[i - 1] <= last.data()[i];
  }
  return sound;
}

// The bytes of the longest token.
std::uint32_t longest_token(nb::handle ends) {
  const wordsplit::bindings::Words last(ends);
  std::uint32_t longest = 0, start = 0;
  for (std::size_t i = 0; i < last.size(); start = last.data()[i++]) {
    longest = std::max(longest, last.data()[i] - start);
  }
  return longest;
}

// Spells each token of a table in the byte-level alphabet.
nb::typed<nb::list, nb::str> spellings_of(nb::handle blob, nb::handle ends) {
  const wordsplit::bindings::Words data(blob), last(ends);
  nb::typed<nb::list, nb::str> out;
  std::string spelled;
  std::size_t start = 0;
  for (std::size_t i = 0; i < last.size(); ++i) {
    const std::size_t end = last.data()[i];
    if (end < start || end > data.size_bytes()) {
      throw nb::value_error("ends that do not fit the blob");
    }
    spelled.clear();
    wordsplit::bindings::append_byte_level(data.text().substr(start, end - start), spelled);
    out.append(nb::str(spelled.data(), spelled.size()));
    start = end;
  }
  return out;
}

}  // namespace

void bind_spellings(nb::module_& m) {
  m.def("table_of_spellings", &table_of_spellings, nb::arg("vocab"), nb::arg("most"),
        "Blob, ends and ids of tokens spelled in the byte-level alphabet, in order of ids, as "
        "32-bit words; None if a token is not spelled in it, or if an id is above the maximum or "
        "occurs twice.");
  m.def(
      "ids_of_pairs", &ids_of_pairs, nb::arg("pairs"), nb::arg("vocab"),
      nb::sig("def ids_of_pairs(pairs: object, vocab: dict[str, int] | dict[bytes, int]) -> bytes "
              "| None"),
      "The ids of both tokens of each merge, as 32-bit words; None if a merge is invalid, or names "
      "or makes something that is not a token. A merge is \"a b\", [\"a\", \"b\"], the same as a "
      "tuple, or bytes that are divided at the first space after the first byte.");
  m.def("spellings_of", &spellings_of, nb::arg("blob"), nb::arg("ends"),
        "The spelling of each token of a table in the byte-level alphabet.");
  m.def("find_token", &find_token, nb::arg("blob"), nb::arg("ends"), nb::arg("ids"),
        nb::arg("token"), "The id of the last token of a table with these bytes.");
  m.def("is_sound_table", &is_sound_table, nb::arg("blob"), nb::arg("ends"), nb::arg("ids"),
        nb::arg("most"),
        "Whether a table has tokens, in order of ids up to the maximum, whose ends ascend to that "
        "of the blob.");
  m.def("longest_token", &longest_token, nb::arg("ends"),
        "The length of the longest token of a table, in bytes; 0 if it has none.");
  m.def("ids_by_bytes", &ids_by_bytes, nb::arg("blob"), nb::arg("ends"), nb::arg("ids"),
        "The id of each token of a table by its bytes; of two with the same bytes, the last.");
}
