// The tables of a model as JSON text.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "buffers.hpp"
#include "byte_level.hpp"
#include "module.hpp"
#include "wordsplit/text/names_table.hpp"
#include "wordsplit/text/utf8_check.hpp"

namespace nb = nanobind;

namespace {

// Appends UTF-8 in quotes, as json.dumps() does with ensure_ascii=False.
void append_quoted(std::string_view text, std::string& out) {
  static constexpr char kDigits[] = "0123456789abcdef";
  static constexpr std::string_view kShort = "\b\f\n\r\t\"\\", kLetters = "bfnrt\"\\";
  out += '"';
  const char* const data_end = text.data() + text.size();
  const char* from = text.data();  // what is not escaped is copied at once
  for (const char* p = from; p != data_end; ++p) {
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
  out.append(from, data_end);
  out += '"';
}

void append_number(long long value, std::string& out) {
  char digits[24];
  out.append(digits, std::to_chars(digits, std::end(digits), value).ptr);
}

// The tokens of a table in quotes: text as it is, others in the byte-level alphabet.
class QuotedTokens {
 public:
  // `text_ids` are the ids of those that are text, ascending as the ids of the table.
  QuotedTokens(nb::handle blob, nb::handle ends, nb::handle ids, nb::handle text_ids)
      : blob_(blob), ends_(ends), ids_(ids), text_ids_(text_ids) {
    if (ends_.size() != ids_.size()) throw nb::value_error("sizes differ");
  }

  // Quotes them. Returns false if one is to be text and is not UTF-8.
  bool quote() {
    std::string spelled;
    quoted_.reserve(2 * blob_.size_bytes() + 2 * count());
    quoted_ends_.reserve(count());
    std::size_t start = 0, text = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      const std::size_t end = ends_.data()[i];
      if (end < start || end > blob_.size_bytes()) {
        throw nb::value_error("ends that do not fit the blob");
      }
      const std::string_view token = blob_.text().substr(start, end - start);
      if (text < text_ids_.size() && text_ids_.data()[text] == id_at(i)) {
        ++text;
        const auto* const p = reinterpret_cast<const std::uint8_t*>(token.data());
        if (!wordsplit::is_utf8(p, token.size())) return false;
        append_quoted(token, quoted_);
      } else {
        spelled.clear();
        wordsplit::bindings::append_byte_level(token, spelled);
        append_quoted(spelled, quoted_);
      }
      quoted_ends_.push_back(quoted_.size());
      start = end;
    }
    return true;
  }

  std::size_t count() const { return ids_.size(); }
  std::uint32_t id_at(std::size_t i) const { return ids_.data()[i]; }
  std::size_t bytes() const { return quoted_.size(); }
  std::string_view at(std::size_t i) const {
    const std::size_t start = i ? quoted_ends_[i - 1] : 0;
    return std::string_view(quoted_).substr(start, quoted_ends_[i] - start);
  }
  std::string_view of_id(std::uint32_t id) const {
    if (id < count() && ids_.data()[id] == id) return at(id);  // most vocabs number all tokens
    const auto* const end = ids_.data() + count();
    const auto* const found = std::lower_bound(ids_.data(), end, id);
    if (found == end || *found != id) throw nb::key_error("a merge of unknown tokens");
    return at(static_cast<std::size_t>(found - ids_.data()));
  }

 private:
  wordsplit::bindings::Words blob_, ends_, ids_, text_ids_;
  std::string quoted_;
  std::vector<std::size_t> quoted_ends_;
};

std::optional<nb::str> json_tokens(nb::handle blob, nb::handle ends, nb::handle ids,
                                   nb::handle text_ids, std::string_view between) {
  QuotedTokens tokens(blob, ends, ids, text_ids);
  if (!tokens.quote()) return std::nullopt;
  wordsplit::NamesTable names(tokens.count());
  std::string out;
  out.reserve(tokens.bytes() + (between.size() + 9) * tokens.count());
  for (std::size_t i = 0; i < tokens.count(); ++i) {
    if (!names.set(tokens.at(i), tokens.id_at(i))) return std::nullopt;
    if (i) out += between;
    (out += tokens.at(i)) += ": ";
    append_number(tokens.id_at(i), out);
  }
  return nb::str(out.data(), out.size());
}

std::optional<nb::str> json_merges(nb::handle blob, nb::handle ends, nb::handle ids,
                                   nb::handle text_ids, nb::handle flat, std::string_view comma,
                                   std::string_view between) {
  QuotedTokens tokens(blob, ends, ids, text_ids);
  if (!tokens.quote()) return std::nullopt;
  const wordsplit::bindings::Words merged(flat);
  std::string out;
  for (std::size_t i = 0; i + 1 < merged.size(); i += 2) {
    if (i) out += between;
    ((out += tokens.of_id(merged.data()[i])) += comma) += tokens.of_id(merged.data()[i + 1]);
  }
  return nb::str(out.data(), out.size());
}

}  // namespace

void bind_json_text(nb::module_& m) {
  m.def("json_tokens", &json_tokens, nb::arg("blob"), nb::arg("ends"), nb::arg("ids"),
        nb::arg("text_ids"), nb::arg("between"),
        "The tokens of a table and their ids as JSON, without braces, in the byte-level alphabet "
        "except for those that are text; None if one of these is not UTF-8, or if two are spelled "
        "the "
        "same.");
  m.def("json_merges", &json_merges, nb::arg("blob"), nb::arg("ends"), nb::arg("ids"),
        nb::arg("text_ids"), nb::arg("flat"), nb::arg("comma"), nb::arg("between"),
        "Merges of the tokens of a table as JSON, without brackets; None as json_tokens().");
}
