// From the tables of a tokenizer.json, as Python has parsed them, to those of a vocab. Each
// function returns None for what is not as usual, so that slower code in Python says what is wrong.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "buffers.hpp"
#include "byte_level.hpp"
#include "module.hpp"
#include "packed_tokens.hpp"
#include "wordsplit/text/json_cursor.hpp"
#include "wordsplit/text/names_table.hpp"
#include "wordsplit/text/unicode.hpp"
#include "wordsplit/text/utf8.hpp"

namespace nb = nanobind;

namespace {

using Replaced = std::pair<nb::bytes, nb::bytes>;

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
bool read_names(const nb::dict& vocab, wordsplit::NamesTable& out) {
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

// The ids of merges, whose two names are added one after the other.
class PairIds {
 public:
  explicit PairIds(const nb::dict& vocab) : ids_(nb::len(vocab)), sound_(read_names(vocab, ids_)) {}

  // Whether the vocab is as usual.
  bool sound() const { return sound_; }

  // Adds a merge of two names, the second of which begins at `cut`. Returns false if one of them,
  // or what they make, is not in the vocab.
  bool add(std::string_view both, std::size_t cut) {
    const auto left = ids_.find(both.substr(0, cut)), right = ids_.find(both.substr(cut));
    if (!left || !right) return false;
    if (ids_.is_at(guess_, both)) {
      ++guess_;
    } else {
      const auto found = ids_.place_of(both);
      if (!found) return false;
      guess_ = *found + 1;
    }
    out_.push_back(*left);
    out_.push_back(*right);
    return true;
  }

  nb::bytes bytes() const { return wordsplit::bindings::bytes_of(out_); }

 private:
  wordsplit::NamesTable ids_;
  bool sound_;
  std::size_t guess_ = 0;  // most vocabs list tokens in the order of the merges
  std::vector<std::uint32_t> out_;
};

std::optional<nb::bytes> ids_of_pairs(nb::handle pairs, const nb::dict& vocab) {
  if (!PyList_Check(pairs.ptr())) return std::nullopt;
  PairIds ids(vocab);
  if (!ids.sound()) return std::nullopt;
  NameReader names;
  std::string both;
  std::size_t cut = 0;
  for (Py_ssize_t at = 0; at < PyList_Size(pairs.ptr()); ++at) {
    const nb::object pair = nb::borrow(PyList_GetItem(pairs.ptr(), at));
    if (!read_pair(pair.ptr(), names, both, cut) || !ids.add(both, cut)) return std::nullopt;
  }
  return ids.bytes();
}

// Reads a merge, as "a b" or ["a", "b"], as read_pair() does.
bool read_json_pair(wordsplit::JsonCursor& at, wordsplit::Growing<char>& both, std::size_t& cut) {
  both.clear();
  if (at.take('[')) {
    if (at.peek() != '"' || !at.read_string(both)) return false;
    cut = both.size();
    return at.take(',') && at.peek() == '"' && at.read_string(both) && at.take(']');
  }
  if (at.peek() != '"' || !at.read_string(both)) return false;
  const std::string_view text(both.data(), both.size());
  cut = text.find(' ');
  if (cut == text.npos || text.find(' ', cut + 1) != text.npos) return false;
  std::memmove(both.data() + cut, both.data() + cut + 1, both.size() - cut - 1);
  both.advance_to(both.data() + both.size() - 1);
  return true;
}

std::optional<nb::bytes> ids_of_json_pairs(const nb::bytes& data, std::size_t begin,
                                           std::size_t end, const nb::dict& vocab) {
  if (begin > end || end > data.size()) throw nb::value_error("a place beyond the data");
  PairIds ids(vocab);
  const auto* const text = reinterpret_cast<const std::uint8_t*>(data.c_str());
  wordsplit::JsonCursor at(text + begin, text + end);
  if (!ids.sound() || !at.take('[')) return std::nullopt;
  if (at.take(']')) return ids.bytes();
  wordsplit::Growing<char> both;
  std::size_t cut = 0;
  do {
    const std::uint8_t* const first = at.position();
    if (!read_json_pair(at, both, cut)) return std::nullopt;
    const std::string_view names(both.data(), both.size());
    if (!ids.add(names, cut)) return std::nullopt;
    // An escape that has become U+FFFD may be a lone surrogate.
    if (names.find("\xEF\xBF\xBD") != names.npos &&
        std::find(first, at.position(), '\\') != at.position()) {
      return std::nullopt;
    }
  } while (at.take(','));
  if (!at.take(']') || !at.at_end()) return std::nullopt;
  return ids.bytes();
}

// Calls visit(index, token) for the tokens of a table.
template <class Visit>
void each_token(const wordsplit::bindings::Words& blob, const wordsplit::bindings::Words& ends,
                Visit&& visit) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::size_t end = ends.data()[i];
    if (end < start || end > blob.size_bytes()) {
      throw nb::value_error("ends that do not fit the blob");
    }
    visit(i, blob.text().substr(start, end - start));
    start = end;
  }
}

nb::typed<nb::dict, nb::bytes, nb::int_> ids_by_bytes(nb::handle blob, nb::handle ends,
                                                      nb::handle ids) {
  const wordsplit::bindings::Words data(blob), last(ends), numbers(ids);
  nb::typed<nb::dict, nb::bytes, nb::int_> out;
  each_token(data, last, [&](std::size_t i, std::string_view bytes) {
    if (i >= numbers.size()) return;
    const nb::bytes token(bytes.data(), bytes.size());
    const nb::int_ id(numbers.data()[i]);
    if (PyDict_SetItem(out.ptr(), token.ptr(), id.ptr()) != 0) nb::raise_python_error();
  });
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

// Those of some words that occur among others, in ascending order.
nb::bytes words_among(nb::handle words, nb::handle wanted) {
  const wordsplit::bindings::Words all(words), given(wanted);
  std::vector<std::uint32_t> sorted(given.data(), given.data() + given.size());
  std::sort(sorted.begin(), sorted.end());
  constexpr std::uint32_t kLowBits = 0xFFFF;  // few words pass this filter, and are searched
  std::vector<bool> has_low_bits(kLowBits + 1), occurs(sorted.size());
  for (const std::uint32_t word : sorted) has_low_bits[word & kLowBits] = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint32_t word = all.data()[i];
    if (!has_low_bits[word & kLowBits]) continue;
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), word);
    if (at != sorted.end() && *at == word)
      occurs[static_cast<std::size_t>(at - sorted.begin())] = true;
  }
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (occurs[i]) out.push_back(sorted[i]);
  }
  return wordsplit::bindings::bytes_of(out);
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

// Whether a text is in a token of a table, not at its beginning.
bool is_inside_token(nb::handle blob, nb::handle ends, const nb::bytes& text) {
  const wordsplit::bindings::Words data(blob), last(ends);
  const std::string_view all = data.text(), wanted(text.c_str(), text.size());
  std::size_t i = 0, start = 0;
  for (std::size_t at = 0; (at = all.find(wanted, at)) != all.npos; ++at) {
    for (; i < last.size() && last.data()[i] <= at; ++i) start = last.data()[i];
    if (i == last.size()) throw nb::value_error("ends that do not fit the blob");
    if (at > start && at + wanted.size() <= last.data()[i]) return true;
  }
  return false;
}

// The blob and the ends of a table with a text in its tokens replaced.
Replaced replaced_in_tokens(nb::handle blob, nb::handle ends, const nb::bytes& text,
                            const nb::bytes& by) {
  const wordsplit::bindings::Words data(blob), last(ends);
  const std::string_view from(text.c_str(), text.size()), to(by.c_str(), by.size());
  if (from.empty()) throw nb::value_error("no text to replace");
  std::string out;
  out.reserve(data.size_bytes());
  std::vector<std::uint32_t> out_ends;
  out_ends.reserve(last.size());
  each_token(data, last, [&](std::size_t, std::string_view rest) {
    for (std::size_t at; (at = rest.find(from)) != rest.npos;
         rest.remove_prefix(at + from.size())) {
      (out += rest.substr(0, at)) += to;
    }
    out += rest;
    out_ends.push_back(static_cast<std::uint32_t>(out.size()));
  });
  return {nb::bytes(out.data(), out.size()), wordsplit::bindings::bytes_of(out_ends)};
}

// Spells each token of a table in the byte-level alphabet.
nb::typed<nb::list, nb::str> spellings_of(nb::handle blob, nb::handle ends) {
  const wordsplit::bindings::Words data(blob), last(ends);
  nb::typed<nb::list, nb::str> out;
  std::string spelled;
  each_token(data, last, [&](std::size_t, std::string_view token) {
    spelled.clear();
    wordsplit::bindings::append_byte_level(token, spelled);
    out.append(nb::str(spelled.data(), spelled.size()));
  });
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
  m.def("ids_of_json_pairs", &ids_of_json_pairs, nb::arg("data"), nb::arg("begin"), nb::arg("end"),
        nb::arg("vocab"),
        nb::sig("def ids_of_json_pairs(data: bytes, begin: int, end: int, vocab: dict[str, int] | "
                "dict[bytes, int]) -> bytes | None"),
        "The same of a list in JSON, at a position; None for what is not as usual.");
  m.def("spellings_of", &spellings_of, nb::arg("blob"), nb::arg("ends"),
        "The spelling of each token of a table in the byte-level alphabet.");
  m.def("find_token", &find_token, nb::arg("blob"), nb::arg("ends"), nb::arg("ids"),
        nb::arg("token"), "The id of the last token of a table with these bytes.");
  m.def("replaced_in_tokens", &replaced_in_tokens, nb::arg("blob"), nb::arg("ends"),
        nb::arg("text"), nb::arg("by"), "The blob and the ends of a table with a text replaced.");
  m.def("is_inside_token", &is_inside_token, nb::arg("blob"), nb::arg("ends"), nb::arg("text"),
        "Whether a text is in a token of a table, not at its beginning.");
  m.def("is_sound_table", &is_sound_table, nb::arg("blob"), nb::arg("ends"), nb::arg("ids"),
        nb::arg("most"),
        "Whether a table has tokens, in order of ids up to the maximum, whose ends ascend to that "
        "of the blob.");
  m.def("words_among", &words_among, nb::arg("words"), nb::arg("wanted"),
        "Those of some 32-bit words that occur among others, in ascending order.");
  m.def("longest_token", &longest_token, nb::arg("ends"),
        "The length of the longest token of a table, in bytes; 0 if it has none.");
  m.def("ids_by_bytes", &ids_by_bytes, nb::arg("blob"), nb::arg("ends"), nb::arg("ids"),
        "The id of each token of a table by its bytes; of two with the same bytes, the last.");
}
