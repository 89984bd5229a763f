// From the tables of a tokenizer.json, as Python has parsed them, to those of a vocab. Each
// function returns None for what is not as usual, so that slower code in Python says what is wrong.
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "buffers.hpp"
#include "module.hpp"
#include "wordsplit/base/hash.hpp"
#include "wordsplit/text/unicode.hpp"

namespace nb = nanobind;

namespace {

constexpr std::uint32_t kMostCharacters = 0x144;  // of the byte-level alphabet
constexpr int kNoByte = -1;

// The byte that each character of GPT-2's byte-level alphabet stands for.
std::array<std::int16_t, kMostCharacters> byte_level_alphabet() {
  std::array<std::int16_t, kMostCharacters> out;
  out.fill(kNoByte);
  std::size_t spare = 0x100;
  for (int byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= 0x21 && byte < 0x7F) || (byte >= 0xA1 && byte != 0xAD);
    out[printable ? static_cast<std::size_t>(byte) : spare++] = static_cast<std::int16_t>(byte);
  }
  return out;
}

std::optional<nb::typed<nb::dict, nb::int_, nb::bytes>> bytes_of_spellings(
    const nb::typed<nb::dict, nb::str, nb::int_>& vocab, std::uint32_t most) {
  static const auto kBytes = byte_level_alphabet();
  nb::typed<nb::dict, nb::int_, nb::bytes> out;
  std::string data;
  PyObject *name = nullptr, *id = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(vocab.ptr(), &at, &name, &id);) {
    if (!PyUnicode_Check(name) || !PyLong_CheckExact(id)) return std::nullopt;
    const long long value = PyLong_AsLongLong(id);
    if (value == -1 && PyErr_Occurred()) PyErr_Clear();
    if (value < 0 || value > most) return std::nullopt;
    std::string_view spelled;
    if (!wordsplit::bindings::view_text(name, spelled)) return std::nullopt;
    data.clear();
    const auto* const p = reinterpret_cast<const std::uint8_t*>(spelled.data());
    for (std::size_t i = 0; i < spelled.size();) {
      const auto c = wordsplit::decode_utf8(p + i, p + spelled.size());
      if (c.value >= kMostCharacters || kBytes[c.value] == kNoByte) return std::nullopt;
      data += static_cast<char>(kBytes[c.value]);
      i += c.size;
    }
    const nb::bytes token(data.data(), data.size());
    if (PyDict_SetItem(out.ptr(), id, token.ptr()) != 0) nb::raise_python_error();
  }
  // Fewer, if two have the same id.
  if (PyDict_Size(out.ptr()) != PyDict_Size(vocab.ptr())) return std::nullopt;
  return out;
}

// The ids of a vocab by the names of its tokens, which the vocab's dict keeps.
class IdsByName {
 public:
  explicit IdsByName(std::size_t count) : slots_(std::bit_ceil(2 * count + 2)) {}

  // Returns whether all names are text, and all ids have 32 bits.
  bool add_all(const nb::dict& vocab) {
    PyObject *name = nullptr, *id = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(vocab.ptr(), &at, &name, &id);) {
      std::string_view view;
      if (!PyLong_CheckExact(id) || !wordsplit::bindings::view_text(name, view)) return false;
      const long long value = PyLong_AsLongLong(id);
      if (value == -1 && PyErr_Occurred()) PyErr_Clear();
      if (value < 0 || value > 0xFFFFFFFFLL) return false;
      slot_of(view) = {view, static_cast<std::uint32_t>(value)};
    }
    return true;
  }

  // Appends the id of a name. Returns false if no token has it.
  bool append(std::string_view name, std::vector<std::uint32_t>& ids) {
    const Slot& slot = slot_of(name);
    if (!slot.name.data()) return false;
    ids.push_back(slot.id);
    return true;
  }

 private:
  struct Slot {
    std::string_view name;  // without data: empty
    std::uint32_t id = 0;
  };

  Slot& slot_of(std::string_view name) {
    const auto* const p = reinterpret_cast<const std::uint8_t*>(name.data());
    std::size_t at = wordsplit::hash_bytes(p, name.size());
    while (true) {
      Slot& slot = slots_[at++ & (slots_.size() - 1)];
      if (!slot.name.data() || slot.name == name) return slot;
    }
  }

  std::vector<Slot> slots_;
};

// The two names of a merge. One of bytes is split at the first space behind its first byte, as in
// GGUF; a str must have a single space. Returns false for anything else.
bool split_pair(PyObject* pair, std::string_view& left, std::string_view& right) {
  if (PyList_CheckExact(pair)) {
    return PyList_Size(pair) == 2 && PyUnicode_CheckExact(PyList_GetItem(pair, 0)) &&
           PyUnicode_CheckExact(PyList_GetItem(pair, 1)) &&
           wordsplit::bindings::view_text(PyList_GetItem(pair, 0), left) &&
           wordsplit::bindings::view_text(PyList_GetItem(pair, 1), right);
  }
  std::string_view both;
  if (!wordsplit::bindings::view_text(pair, both)) return false;
  const bool is_bytes = PyBytes_Check(pair);
  const std::size_t cut = both.find(' ', is_bytes ? 1 : 0);
  if (cut == std::string_view::npos) return false;
  left = both.substr(0, cut);
  right = both.substr(cut + 1);
  return is_bytes || right.find(' ') == std::string_view::npos;
}

std::optional<nb::bytes> ids_of_pairs(nb::handle pairs, const nb::dict& vocab) {
  if (!PyList_Check(pairs.ptr())) return std::nullopt;
  IdsByName ids(nb::len(vocab));
  if (!ids.add_all(vocab)) return std::nullopt;
  std::vector<std::uint32_t> out;
  std::string both;
  for (Py_ssize_t at = 0; at < PyList_Size(pairs.ptr()); ++at) {
    const nb::object pair = nb::borrow(PyList_GetItem(pairs.ptr(), at));
    std::string_view left, right;
    if (!split_pair(pair.ptr(), left, right)) return std::nullopt;
    both.assign(left).append(right);
    if (!ids.append(left, out) || !ids.append(right, out) || !ids.append(both, out)) {
      return std::nullopt;
    }
    out.pop_back();  // of the token that they make, which only has to be there
  }
  return nb::bytes(reinterpret_cast<const char*>(out.data()), 4 * out.size());
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

// Spells each token of a table in the byte-level alphabet.
nb::typed<nb::list, nb::str> spellings_of(nb::handle blob, nb::handle ends) {
  static const auto kSpelled = [] {
    std::array<std::string, 256> out;
    const auto bytes = byte_level_alphabet();
    for (std::uint32_t c = 0; c < kMostCharacters; ++c) {
      std::uint8_t utf8[4];
      const auto* const end = wordsplit::put_utf8(c, utf8);
      if (bytes[c] == kNoByte) continue;
      out[static_cast<std::size_t>(bytes[c])].assign(reinterpret_cast<const char*>(utf8),
                                                     static_cast<std::size_t>(end - utf8));
    }
    return out;
  }();
  const wordsplit::bindings::Words data(blob), last(ends);
  const auto* const p = reinterpret_cast<const std::uint8_t*>(data.bytes());
  nb::typed<nb::list, nb::str> out;
  std::string spelled;
  std::size_t start = 0;
  for (std::size_t i = 0; i < last.size(); ++i) {
    const std::size_t end = last.data()[i];
    if (end < start || end > data.size_bytes()) {
      throw nb::value_error("ends that do not fit the blob");
    }
    spelled.clear();
    for (; start < end; ++start) spelled += kSpelled[p[start]];
    out.append(nb::str(spelled.data(), spelled.size()));
  }
  return out;
}

}  // namespace

void bind_spellings(nb::module_& m) {
  m.def("bytes_of_spellings", &bytes_of_spellings, nb::arg("vocab"), nb::arg("most"),
        "The bytes of tokens spelled in the byte-level alphabet, by id; None if one is not, or if "
        "an id is above the most, or that of two.");
  m.def(
      "ids_of_pairs", &ids_of_pairs, nb::arg("pairs"), nb::arg("vocab"),
      nb::sig("def ids_of_pairs(pairs: object, vocab: dict[str, int] | dict[bytes, int]) -> bytes "
              "| None"),
      "The ids of both tokens of each merge, as 32-bit words; None if a merge is none, or names "
      "or makes no token. A merge is \"a b\", [\"a\", \"b\"], or bytes that the first space behind "
      "the first byte parts.");
  m.def("spellings_of", &spellings_of, nb::arg("blob"), nb::arg("ends"),
        "The spelling of each token of a table in the byte-level alphabet.");
  m.def("find_token", &find_token, nb::arg("blob"), nb::arg("ends"), nb::arg("ids"),
        nb::arg("token"), "The id of the last token of a table with these bytes.");
  m.def("ids_by_bytes", &ids_by_bytes, nb::arg("blob"), nb::arg("ends"), nb::arg("ids"),
        "The id of each token of a table by its bytes; of two with the same bytes, the last.");
}
