// Reads the texts of Arrow arrays into a TextColumn, as views of the arrays' own memory.
//
// The texts are strings or binary values of any layout, a dictionary of these, or nulls; in an
// array, or in a field of structs. An extension type is read as its storage. The interface gives
// pointers without sizes, so it cannot be checked whether a buffer is as long as it must be.
// Everything else that would make a reader go wrong is checked.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/arrow/abi.hpp"
#include "wordsplit/engine/text_column.hpp"

namespace wordsplit {

namespace texts_detail {

[[noreturn]] inline void malformed(const std::string& what) { throw ArrowDataError(what); }

// Items of a buffer need not be aligned.
template <class T>
T load(const void* buffer, std::int64_t index) {
  T item;
  std::memcpy(&item, static_cast<const char*>(buffer) + index * std::int64_t{sizeof(T)}, sizeof(T));
  return item;
}

// Checks what all arrays have in common.
inline void check_array(const ArrowArray* array, std::int64_t n_buffers, bool or_more = false) {
  if (!array) malformed("an array is missing");
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (array->length < 0) malformed("an array has the length " + std::to_string(array->length));
  if (array->offset < 0) malformed("an array has the offset " + std::to_string(array->offset));
  if (array->length > kMost - array->offset) malformed("the end of an array is above 2^63");
  if (array->null_count < -1 || array->null_count > array->length) {
    malformed("an array of length " + std::to_string(array->length) + " has the null count " +
              std::to_string(array->null_count));
  }
  if (or_more ? array->n_buffers < n_buffers : array->n_buffers != n_buffers) {
    malformed("an array has " + std::to_string(array->n_buffers) + " buffers, but its type has " +
              std::to_string(n_buffers) + (or_more ? " or more" : ""));
  }
  if (array->n_buffers > 0 && !array->buffers) malformed("an array has no list of buffers");
}

// The validity of the items of a checked array that has this bitmap first among its buffers.
class Validity {
 public:
  Validity() = default;
  explicit Validity(const ArrowArray& array) {
    if (array.null_count == 0) return;
    bits_ = static_cast<const std::uint8_t*>(array.buffers[0]);
    if (!bits_ && array.null_count > 0) malformed("an array with nulls has no validity bitmap");
  }
  bool all() const { return !bits_; }
  bool operator[](std::int64_t item) const { return !bits_ || (bits_[item / 8] >> (item % 8) & 1); }

 private:
  const std::uint8_t* bits_ = nullptr;
};

enum class Layout { Null, Offsets32, Offsets64, Views, Fixed };

struct TextType {
  Layout layout;
  std::int64_t width = 0;  // of Layout::Fixed

  // None for the format of a type that holds no texts.
  static std::optional<TextType> of(std::string_view format) {
    if (format == "n") return TextType{Layout::Null};
    if (format == "u" || format == "z") return TextType{Layout::Offsets32};
    if (format == "U" || format == "Z") return TextType{Layout::Offsets64};
    if (format == "vu" || format == "vz") return TextType{Layout::Views};
    if (!format.starts_with("w:")) return std::nullopt;
    std::int32_t width = 0;
    const char* const end = format.data() + format.size();
    const auto [stop, error] = std::from_chars(format.data() + 2, end, width);
    if (error != std::errc() || stop != end || width < 0) return std::nullopt;
    return TextType{Layout::Fixed, width};
  }
};

// The texts of one array without a dictionary.
class Values {
 public:
  Values(const ArrowArray* array, TextType type) : type_(type) {
    const Layout layout = type.layout;
    check_array(array,
                layout == Layout::Null    ? 0
                : layout == Layout::Fixed ? 2
                                          : 3,
                layout == Layout::Views);
    first_ = array->offset;
    length_ = array->length;
    if (layout == Layout::Null) return;
    validity_ = Validity(*array);
    if (length_ == 0) return;  // the buffers may be null
    items_ = array->buffers[1];
    if (layout == Layout::Fixed) {
      if (!items_ && type.width > 0) malformed("an array has no buffer of values");
      if (type.width > 0 &&
          first_ + length_ > std::numeric_limits<std::int64_t>::max() / type.width) {
        malformed("the values of an array end above 2^63");
      }
      return;
    }
    if (!items_)
      malformed(layout == Layout::Views ? "an array has no views" : "an array has no offsets");
    data_ = array->buffers + 2;
    if (layout == Layout::Views) {
      sizes_ = array->buffers[array->n_buffers - 1];
      buffers_ = array->n_buffers - 3;
      if (!sizes_ && buffers_ > 0) malformed("an array of views has no sizes of its buffers");
    }
  }

  std::int64_t first() const { return first_; }
  std::int64_t length() const { return length_; }

  // Adds an item, counted from the start of the buffers.
  void push(std::int64_t item, TextColumn& out) const {
    if (type_.layout == Layout::Null || !validity_[item]) {
      out.push_null();
      return;
    }
    switch (type_.layout) {
      case Layout::Offsets32:
        push_between<std::int32_t>(item, out);
        break;
      case Layout::Offsets64:
        push_between<std::int64_t>(item, out);
        break;
      case Layout::Views:
        push_view(item, out);
        break;
      default:
        out.push(type_.width ? static_cast<const char*>(items_) + item * type_.width : nullptr,
                 static_cast<std::size_t>(type_.width));
    }
  }

 private:
  template <class Offset>
  void push_between(std::int64_t item, TextColumn& out) const {
    const auto start = load<Offset>(items_, item), end = load<Offset>(items_, item + 1);
    if (start < 0 || end < start) {
      malformed("a text starts at offset " + std::to_string(start) + " and ends at " +
                std::to_string(end));
    }
    const char* const data = static_cast<const char*>(data_[0]);
    if (!data && end > start) malformed("a text is in a buffer that is missing");
    out.push(data ? data + start : nullptr, static_cast<std::size_t>(end - start));
  }

  // A view is 16 bytes: the length, and up to 12 bytes of text; or the length, the first 4 bytes,
  // the index of a buffer, and the offset in it.
  void push_view(std::int64_t item, TextColumn& out) const {
    const char* const view = static_cast<const char*>(items_) + 16 * item;
    const auto length = load<std::int32_t>(view, 0);
    if (length < 0) malformed("a text has the length " + std::to_string(length));
    if (length <= 12) {
      out.push(view + 4, static_cast<std::size_t>(length));
      return;
    }
    const auto buffer = load<std::int32_t>(view, 2), offset = load<std::int32_t>(view, 3);
    if (buffer < 0 || buffer >= buffers_) {
      malformed("a text is in buffer " + std::to_string(buffer) + " of " +
                std::to_string(buffers_));
    }
    const auto size = load<std::int64_t>(sizes_, buffer);
    if (offset < 0 || std::int64_t{offset} + length > size) {
      malformed("a text of " + std::to_string(length) + " bytes is at offset " +
                std::to_string(offset) + " of a buffer of " + std::to_string(size));
    }
    const char* const data = static_cast<const char*>(data_[buffer]);
    if (!data) malformed("a text is in a buffer that is missing");
    out.push(data + offset, static_cast<std::size_t>(length));
  }

  TextType type_;
  std::int64_t first_ = 0, length_ = 0, buffers_ = 0;
  Validity validity_;
  const void* items_ = nullptr;        // offsets, views, or fixed-size values
  const void* const* data_ = nullptr;  // buffers of text
  const void* sizes_ = nullptr;        // of these, for views
};

// Reads items of an array of integers. Unsigned 64-bit ones above 2^63 become negative.
using LoadIndex = std::int64_t (*)(const void* buffer, std::int64_t item);

template <class T>
std::int64_t load_index(const void* buffer, std::int64_t item) {
  return static_cast<std::int64_t>(load<T>(buffer, item));
}

// Null for the format of another type.
inline LoadIndex index_loader(std::string_view format) {
  if (format.size() != 1) return nullptr;
  switch (format[0]) {
    case 'c':
      return load_index<std::int8_t>;
    case 'C':
      return load_index<std::uint8_t>;
    case 's':
      return load_index<std::int16_t>;
    case 'S':
      return load_index<std::uint16_t>;
    case 'i':
      return load_index<std::int32_t>;
    case 'I':
      return load_index<std::uint32_t>;
    case 'l':
      return load_index<std::int64_t>;
    case 'L':
      return load_index<std::uint64_t>;
    default:
      return nullptr;
  }
}

// The name of a type for messages.
inline std::string type_name(std::string_view format) {
  constexpr std::pair<std::string_view, const char*> kNames[] = {{"n", "null"},
                                                                 {"b", "bool"},
                                                                 {"c", "int8"},
                                                                 {"C", "uint8"},
                                                                 {"s", "int16"},
                                                                 {"S", "uint16"},
                                                                 {"i", "int32"},
                                                                 {"I", "uint32"},
                                                                 {"l", "int64"},
                                                                 {"L", "uint64"},
                                                                 {"e", "float16"},
                                                                 {"f", "float32"},
                                                                 {"g", "float64"},
                                                                 {"z", "binary"},
                                                                 {"Z", "large_binary"},
                                                                 {"vz", "binary_view"},
                                                                 {"u", "string"},
                                                                 {"U", "large_string"},
                                                                 {"vu", "string_view"},
                                                                 {"+l", "list"},
                                                                 {"+L", "large_list"},
                                                                 {"+vl", "list_view"},
                                                                 {"+vL", "large_list_view"},
                                                                 {"+s", "struct"},
                                                                 {"+m", "map"},
                                                                 {"+r", "run_end_encoded"}};
  for (const auto& [known, name] : kNames) {
    if (format == known) return name;
  }
  if (format.starts_with("w:")) return "fixed_size_binary";
  if (format.starts_with("d:")) return "decimal";
  if (format.starts_with("t")) return "date or time";
  return "'" + std::string(format) + "' (its Arrow format)";
}

}  // namespace texts_detail

// Reads the arrays of one type: those of a stream, or a single one.
class TextReader {
 public:
  // `field`: the field of structs that holds the texts, or a path of fields with "." between; none
  // for arrays that hold the texts themselves. Throws ArrowTypeError.
  TextReader(const ArrowSchema& schema, std::optional<std::string_view> field) {
    const ArrowSchema* at = &schema;
    if (field) {
      where_.append("field '").append(*field).append("'");
      std::string_view rest = *field;
      do {
        at = find(*at, rest);
      } while (!rest.empty());
    }
    const std::string_view format = format_of(*at);
    const ArrowSchema* values = at;
    if (at->dictionary) {
      index_ = texts_detail::index_loader(format);
      if (!index_)
        throw fault("is a dictionary whose indices are " + texts_detail::type_name(format));
      values = at->dictionary;
    }
    const auto type = texts_detail::TextType::of(format_of(*values));
    if (!type || values->dictionary) {
      if (format == "+s")
        throw fault("is a struct: name the field that holds the texts" + fields_of(*at));
      throw fault("holds no texts: its type is " +
                  std::string(at->dictionary ? "dictionary of " : "") +
                  texts_detail::type_name(format_of(*values)));
    }
    type_ = *type;
  }

  // Adds the rows of an array. It must live as long as the column. Throws ArrowDataError.
  void read(const ArrowArray& array, TextColumn& out) const {
    try {
      read_rows(array, out);
    } catch (const ArrowDataError& error) {
      throw ArrowDataError((where_.empty() ? "" : where_ + ", ") + "row " +
                           std::to_string(out.rows()) + ": " + error.what());
    }
  }

 private:
  using Validity = texts_detail::Validity;

  static std::string_view format_of(const ArrowSchema& schema) {
    if (!schema.format) throw ArrowDataError("a schema has no format");
    return schema.format;
  }

  static const ArrowSchema& child_of(const ArrowSchema& schema, std::int64_t i) {
    if (!schema.children || !schema.children[i]) throw ArrowDataError("a schema lacks a child");
    return *schema.children[i];
  }

  static std::string_view name_of(const ArrowSchema& schema) {
    return schema.name ? schema.name : "";
  }

  ArrowTypeError fault(const std::string& what) const {
    return ArrowTypeError((where_.empty() ? "the data" : where_) + " " + what);
  }

  static std::string fields_of(const ArrowSchema& schema) {
    std::string out = "; it has";
    constexpr std::int64_t kMost = 20;
    for (std::int64_t i = 0; i < std::min(schema.n_children, kMost); ++i) {
      out.append(i ? ", '" : " '").append(name_of(child_of(schema, i))).append("'");
    }
    if (schema.n_children > kMost) out += ", ...";
    return schema.n_children > 0 ? out : "; it has no fields";
  }

  // The child whose name is the rest of a path, or the beginning of the rest up to a ".". Removes
  // the name from the rest. The rest is empty for a field without a name.
  const ArrowSchema* find(const ArrowSchema& schema, std::string_view& rest) {
    if (format_of(schema) != "+s" || schema.dictionary) {
      throw fault("cannot be found: '" + std::string(rest) + "' would be a field of " +
                  texts_detail::type_name(format_of(schema)));
    }
    std::int64_t found = -1;
    std::size_t size = 0;
    for (std::int64_t i = 0; i < schema.n_children; ++i) {
      const std::string_view name = name_of(child_of(schema, i));
      const bool whole = name == rest;
      if (!whole &&
          !(rest.size() > name.size() + 1 && rest.starts_with(name) && rest[name.size()] == '.')) {
        continue;
      }
      // The longest name is meant: "a.b" may be a name itself.
      if (found >= 0 && name.size() == size) {
        throw fault("is ambiguous: two fields have the name '" + std::string(name) + "'");
      }
      if (found < 0 || name.size() > size) found = i, size = name.size();
    }
    if (found < 0) throw fault("does not exist" + fields_of(schema));
    path_.push_back(found);
    rest.remove_prefix(std::min(size + 1, rest.size()));
    return &child_of(schema, found);
  }

  void read_rows(const ArrowArray& array, TextColumn& out) const {
    // Row i of the top array is item base + i of the array at hand, counted from the start of its
    // buffers.
    const ArrowArray* at = &array;
    const std::int64_t rows = array.length;
    std::int64_t base = 0;
    std::vector<std::pair<Validity, std::int64_t>> parents;
    for (const std::int64_t child : path_) {
      texts_detail::check_array(at, 1);
      base = item_in(*at, base, rows);
      const Validity validity(*at);
      if (!validity.all()) parents.emplace_back(validity, base);
      if (at->n_children <= child || !at->children) {
        texts_detail::malformed("a struct array has " + std::to_string(at->n_children) +
                                " children, fewer than its type");
      }
      at = at->children[child];
    }
    const auto has_parents = [&](std::int64_t i) {
      for (const auto& [validity, first] : parents) {
        if (!validity[first + i]) return false;
      }
      return true;
    };
    if (!index_) {
      const texts_detail::Values values(at, type_);
      base = item_in(*at, base, rows);
      out.reserve(static_cast<std::size_t>(rows));
      for (std::int64_t i = 0; i < rows; ++i) {
        if (has_parents(i)) {
          values.push(base + i, out);
        } else {
          out.push_null();
        }
      }
      return;
    }
    texts_detail::check_array(at, 2);
    base = item_in(*at, base, rows);
    const texts_detail::Values values(at->dictionary, type_);
    const Validity validity(*at);
    const void* const indices = at->buffers[1];
    if (!indices && rows > 0) texts_detail::malformed("an array has no indices");
    out.reserve(static_cast<std::size_t>(rows));
    for (std::int64_t i = 0; i < rows; ++i) {
      if (!has_parents(i) || !validity[base + i]) {
        out.push_null();
        continue;
      }
      const std::int64_t index = index_(indices, base + i);
      if (index < 0 || index >= values.length()) {
        texts_detail::malformed("index " + std::to_string(index) + " of a dictionary of " +
                                std::to_string(values.length()));
      }
      values.push(values.first() + index, out);
    }
  }

  // The item of a checked array's buffers that is item `from` of the array itself.
  static std::int64_t item_in(const ArrowArray& array, std::int64_t from, std::int64_t rows) {
    if (array.length < rows || from > array.length - rows) {
      texts_detail::malformed("a child array has the length " + std::to_string(array.length) +
                              ", less than its parent");
    }
    return array.offset + from;
  }

  std::string where_;               // for messages; empty without a field
  std::vector<std::int64_t> path_;  // of the indexes of children
  texts_detail::TextType type_{};
  texts_detail::LoadIndex index_ = nullptr;  // null: no dictionary
};

}  // namespace wordsplit
