// Texts read from Arrow arrays of every layout, malformed ones too, and lists exported as arrays:
// against the rows they are made of.
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support.hpp"
#include "wordsplit/arrow/lists.hpp"
#include "wordsplit/arrow/texts.hpp"
#include "wordsplit/text/utf8_check.hpp"

namespace {

using namespace wordsplit;
using support::Exact;
using support::fail;
using support::Random;
using Row = std::optional<std::string>;
using Rows = std::vector<Row>;

// An array and its schema, with buffers in heap blocks of exactly their size.
struct Built {
  std::string format;
  std::vector<std::unique_ptr<Exact>> blocks;
  std::vector<const void*> buffers;
  std::vector<std::unique_ptr<Built>> children;
  std::unique_ptr<Built> dictionary;
  std::vector<ArrowArray*> child_arrays;
  std::vector<ArrowSchema*> child_schemas;
  ArrowArray array{};
  ArrowSchema schema{};
  std::string name;

  void add(const std::string& bytes) {
    blocks.push_back(std::make_unique<Exact>(bytes));
    buffers.push_back(blocks.back()->data.get());
  }
  template <class T>
  void add_items(const std::vector<T>& items) {
    add(std::string(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T)));
  }
  void add_validity(const std::vector<bool>& valid) {
    std::string bits((valid.size() + 7) / 8, '\0');
    for (std::size_t i = 0; i < valid.size(); ++i) {
      if (valid[i]) bits[i / 8] = static_cast<char>(bits[i / 8] | 1 << i % 8);
    }
    add(bits);
  }
  void finish(std::size_t length, std::int64_t nulls) {
    array.length = static_cast<std::int64_t>(length);
    array.null_count = nulls;
    schema.format = format.c_str();
    schema.name = name.c_str();
    for (const auto& child : children) {
      child_arrays.push_back(&child->array);
      child_schemas.push_back(&child->schema);
    }
    array.n_children = schema.n_children = static_cast<std::int64_t>(children.size());
    array.children = child_arrays.data();
    schema.children = child_schemas.data();
    if (dictionary) array.dictionary = &dictionary->array, schema.dictionary = &dictionary->schema;
    array.n_buffers = static_cast<std::int64_t>(buffers.size());
    array.buffers = buffers.data();
  }
};

std::vector<bool> valid(const Rows& rows) {
  std::vector<bool> out;
  for (const Row& row : rows) out.push_back(row.has_value());
  return out;
}

template <class Offset>
void add_offsets(Built& out, const Rows& rows, Random& random) {
  std::string data(random.below(4), '?');  // the first text need not be at the start
  std::vector<Offset> offsets = {static_cast<Offset>(data.size())};
  for (const Row& row : rows) {
    data += row.value_or(random.below(2) ? "hidden" : "");
    offsets.push_back(static_cast<Offset>(data.size()));
  }
  out.add_items(offsets);
  out.add(data);
}

void add_views(Built& out, const Rows& rows, Random& random) {
  std::vector<std::string> data(3);
  std::string views;
  for (const Row& row : rows) {
    std::int32_t view[4] = {-9, -9, -9, -9};  // of a null: anything
    if (row && row->size() <= 12) {
      std::memset(view, 0, sizeof(view));
      view[0] = static_cast<std::int32_t>(row->size());
      std::memcpy(view + 1, row->data(), row->size());
    } else if (row) {
      const std::uint32_t buffer = random.below(3);
      view[0] = static_cast<std::int32_t>(row->size());
      std::memcpy(view + 1, row->data(), 4);
      view[2] = static_cast<std::int32_t>(buffer);
      view[3] = static_cast<std::int32_t>(data[buffer].size());
      data[buffer] += *row;
    }
    views.append(reinterpret_cast<const char*>(view), sizeof(view));
  }
  out.add(views);
  std::vector<std::int64_t> sizes;
  for (const std::string& one : data) {
    out.add(one);
    sizes.push_back(static_cast<std::int64_t>(one.size()));
  }
  out.add_items(sizes);
}

constexpr const char* kFormats[] = {"u", "U", "vu", "z", "Z", "vz", "w:5"};

std::unique_ptr<Built> build(const Rows& rows, const std::string& format, Random& random) {
  auto out = std::make_unique<Built>();
  out->format = format;
  std::int64_t nulls = 0;
  for (const Row& row : rows) nulls += !row;
  if (nulls == 0 && random.below(2)) {
    out->buffers.push_back(nullptr);
  } else {
    out->add_validity(valid(rows));
  }
  if (format == "u" || format == "z") {
    add_offsets<std::int32_t>(*out, rows, random);
  } else if (format == "U" || format == "Z") {
    add_offsets<std::int64_t>(*out, rows, random);
  } else if (format[0] == 'v') {
    add_views(*out, rows, random);
  } else {
    std::string data;
    for (const Row& row : rows) data += row.value_or("?????");
    out->add(data);
  }
  out->finish(rows.size(), random.below(2) ? nulls : -1);
  return out;
}

template <class Index>
void add_indices(Built& out, const std::vector<std::int64_t>& indices) {
  out.add_items(std::vector<Index>(indices.begin(), indices.end()));
}

std::unique_ptr<Built> build_dictionary(const Rows& rows, const std::string& format,
                                        Random& random) {
  auto out = std::make_unique<Built>();
  Rows values = {random.below(2) ? Row() : Row("first")};
  std::vector<std::int64_t> indices;
  std::vector<bool> present;
  if (format[0] == 'w') values[0].reset();
  for (const Row& row : rows) {
    present.push_back(true);
    if (row) {
      indices.push_back(static_cast<std::int64_t>(values.size()));
      values.push_back(row);
    } else if (!values[0] && random.below(2)) {
      indices.push_back(0);
    } else {
      indices.push_back(99);  // of a null: anything
      present.back() = false;
    }
  }
  out->dictionary = build(values, format, random);
  if (random.below(2)) {  // a slice
    out->dictionary->array.offset = 1;
    out->dictionary->array.length -= 1;
    out->dictionary->array.null_count = -1;
    bool usable = true;
    for (std::size_t i = 0; i < rows.size(); ++i)
      usable = usable && (!present[i] || indices[i] > 0);
    if (usable) {
      for (std::int64_t& index : indices) index -= index != 99;
    } else {
      out->dictionary->array.offset = 0;
      out->dictionary->array.length += 1;
    }
  }
  out->add_validity(present);
  using Add = void (*)(Built&, const std::vector<std::int64_t>&);
  constexpr std::pair<const char*, Add> kIndices[] = {
      {"c", add_indices<std::int8_t>},  {"C", add_indices<std::uint8_t>},
      {"s", add_indices<std::int16_t>}, {"S", add_indices<std::uint16_t>},
      {"i", add_indices<std::int32_t>}, {"I", add_indices<std::uint32_t>},
      {"l", add_indices<std::int64_t>}, {"L", add_indices<std::uint64_t>}};
  const auto& [index_format, add] = kIndices[random.below(8)];
  out->format = index_format;
  add(*out, indices);
  out->finish(rows.size(), -1);
  return out;
}

// A struct with the rows in its second child, some of which it hides. The child may be longer.
std::unique_ptr<Built> within_struct(std::unique_ptr<Built> child, Rows& rows, Random& random) {
  auto out = std::make_unique<Built>();
  out->format = "+s";
  std::vector<bool> present;
  for (Row& row : rows) {
    present.push_back(random.below(4) > 0);
    if (!present.back()) row.reset();
  }
  auto other = build(Rows(rows.size(), "other"), "w:5", random);
  other->name = "other";
  child->name = "text";
  other->schema.name = other->name.c_str();
  child->schema.name = child->name.c_str();
  out->children.push_back(std::move(other));
  out->children.push_back(std::move(child));
  out->add_validity(present);
  out->finish(rows.size(), -1);
  return out;
}

void slice(Built& built, Rows& rows, Random& random) {
  const std::uint32_t from = random.below(static_cast<std::uint32_t>(rows.size()) + 1);
  const std::uint32_t n = random.below(static_cast<std::uint32_t>(rows.size()) - from + 1);
  rows = Rows(rows.begin() + from, rows.begin() + from + n);
  built.array.offset += from;
  built.array.length = n;
  built.array.null_count = -1;
}

Rows rows_of(const TextColumn& column) {
  Rows out;
  for (const Text& text : column.texts()) {
    out.push_back(text.is_null() ? Row() : Row({static_cast<const char*>(text.data), text.length}));
  }
  return out;
}

void test_every_layout() {
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Random random(seed);
    const std::string format = kFormats[random.below(std::size(kFormats))];
    Rows rows;
    for (std::uint32_t n = random.below(20); n-- > 0;) {
      if (random.below(4) == 0) {
        rows.emplace_back();
      } else {
        rows.emplace_back(std::string(format[0] == 'w' ? 5 : random.below(30),
                                      static_cast<char>('a' + random.below(26))));
      }
    }
    auto built =
        random.below(2) ? build(rows, format, random) : build_dictionary(rows, format, random);
    std::optional<std::string> field;
    if (random.below(2)) slice(*built, rows, random);
    for (std::uint32_t depth = random.below(3); depth-- > 0;) {
      built = within_struct(std::move(built), rows, random);
      field = field ? *field + ".text" : "text";
      if (random.below(2)) slice(*built, rows, random);
    }
    const TextReader reader(built->schema, field);
    TextColumn column(nullptr);
    reader.read(built->array, column);
    reader.read(built->array, column);
    Rows want = rows;
    want.insert(want.end(), rows.begin(), rows.end());
    if (rows_of(column) != want) fail("rows", format, seed);
    std::size_t bytes = 0, nulls = 0;
    for (const Row& row : want) row ? bytes += row->size() : ++nulls;
    if (column.bytes() != bytes || column.nulls() != nulls) fail("sizes", format, seed);
  }
}

// Fields of arrays set to any value: an error or rows, and no access beyond what is checked.
void test_malformed() {
  const auto any = [](Random& random) -> std::int64_t {
    constexpr std::int64_t kValues[] = {-1, 0, 1, 2, 3, INT64_MIN, INT64_MAX, INT64_MAX / 2};
    return kValues[random.below(std::size(kValues))];
  };
  std::size_t errors = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Random random(seed);
    const std::string format = kFormats[random.below(std::size(kFormats))];
    const Rows rows = {"abcde", "fghij", std::nullopt};
    auto built =
        random.below(2) ? build(rows, format, random) : build_dictionary(rows, format, random);
    Rows shown = rows;
    if (random.below(2)) built = within_struct(std::move(built), shown, random);
    Built* at = built.get();
    if (random.below(2) && !at->children.empty()) at = at->children[1].get();
    if (random.below(2) && at->dictionary) at = at->dictionary.get();
    ArrowArray& array = at->array;
    auto* const items = const_cast<void*>(array.buffers[array.n_buffers > 1]);
    switch (random.below(12)) {
      case 0:
        array.length = random.below(2) ? any(random) : 2;
        // A length above the truth cannot be detected, if the parent's is the same.
        if (array.length > 3 && array.offset <= INT64_MAX - array.length) array.length = -5;
        break;
      case 1:
        array.offset = random.below(2) ? INT64_MAX : INT64_MIN;
        break;
      case 2:
        array.null_count = any(random);
        if (array.null_count == 0) array.null_count = -2;  // nulls would be read as texts
        break;
      case 3:
        array.n_buffers = random.below(2) ? -1 : 1;
        break;
      case 4:
        array.buffers = nullptr;
        break;
      case 5:
        array.buffers[random.below(static_cast<std::uint32_t>(array.n_buffers))] = nullptr;
        break;
      case 6:
        array.n_children = 0;
        array.children = nullptr;
        break;
      case 7:
        array.dictionary = nullptr;
        break;
      default:  // one of three items
        if (at->format == "u" || at->format == "z" || at->format == "i") {
          static_cast<std::int32_t*>(items)[random.below(3)] =
              static_cast<std::int32_t>(any(random)) | INT32_MIN;
        } else if (at->format == "U" || at->format == "Z" || at->format == "l") {
          static_cast<std::int64_t*>(items)[random.below(3)] = any(random) | INT64_MIN;
        } else if (at->format[0] == 'v') {
          std::int32_t* const view = static_cast<std::int32_t*>(items) + 4 * random.below(2);
          view[0] = random.below(2) ? 13 : static_cast<std::int32_t>(any(random));
          view[2] = static_cast<std::int32_t>(any(random));
          view[3] = static_cast<std::int32_t>(any(random));
        }
    }
    try {
      TextColumn column(nullptr);
      const std::optional<std::string_view> none;
      TextReader(built->schema, built->format == "+s" ? "text" : none).read(built->array, column);
      for (const Text& text : column.texts()) {  // every byte can be read
        is_utf8(static_cast<const std::uint8_t*>(text.data), text.length);
      }
    } catch (const ArrowDataError&) {
      ++errors;
    }
  }
  if (errors < 2000) fail("too few errors", std::to_string(errors));
}

void test_owned_structs_are_released_once() {
  static int released = 0;
  ArrowArray array{};
  array.release = [](ArrowArray* self) {
    ++released;
    self->release = nullptr;
  };
  {
    Owned<ArrowArray> owned(array);
    if (array.release) fail("not moved", "");
    std::vector<Owned<ArrowArray>> many;
    many.push_back(std::move(owned));
    for (int i = 0; i < 10; ++i) many.emplace_back();
    if (released || !owned.empty() || many[0].empty()) fail("released early", "");
    Owned<ArrowArray> other;
    other = std::move(many[0]);
  }
  if (released != 1) fail("releases", std::to_string(released));
}

// Rows of an exported array.
std::vector<std::optional<support::Ids>> lists_of(const ArrowArray& array, bool large) {
  std::vector<std::optional<support::Ids>> out;
  const auto* const bits = static_cast<const std::uint8_t*>(array.buffers[0]);
  const ArrowArray& values = *array.children[0];
  const auto offset = [&](std::int64_t i) {
    return large ? static_cast<const std::int64_t*>(array.buffers[1])[i]
                 : static_cast<const std::int32_t*>(array.buffers[1])[i];
  };
  std::int64_t nulls = 0;
  for (std::int64_t i = 0; i < array.length; ++i) {
    if (bits && !(bits[i / 8] >> (i % 8) & 1)) {
      out.emplace_back();
      ++nulls;
      continue;
    }
    const auto* const ids = static_cast<const std::uint32_t*>(values.buffers[1]);
    if (offset(i) < 0 || offset(i + 1) > values.length) fail("offsets", std::to_string(i));
    out.emplace_back(support::Ids(ids + offset(i), ids + offset(i + 1)));
  }
  if (nulls != array.null_count) fail("null count", std::to_string(nulls));
  return out;
}

void test_streams_of_several_arrays() {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    const auto lists = std::make_shared<TokenLists>();
    std::vector<std::optional<support::Ids>> want;
    Texts texts;
    std::size_t nulls = 0, longest = 0;
    if (random.below(10)) lists->offsets.push(0);
    for (std::uint32_t n = lists->offsets.size() ? random.below(40) : 0; n-- > 0;) {
      const bool null = random.below(4) == 0;
      want.emplace_back();
      texts.push_back({null ? nullptr : "", 0, 0});
      nulls += null;
      if (!null) want.back().emplace();
      for (std::uint32_t k = null ? 0 : random.below(6); k-- > 0;) {
        lists->ids.push(random.below(1000));
        want.back()->push_back(lists->ids.data()[lists->ids.size() - 1]);
      }
      lists->offsets.push(static_cast<std::int64_t>(lists->ids.size()));
      if (!null) longest = std::max(longest, want.back()->size());
    }
    lists->mark_nulls(texts, nulls);
    if (!lists->set_nulls() || lists->nulls != nulls) fail("nulls", "", seed);
    const std::size_t most = random.below(12);
    const ListType type{random.below(2) > 0, random.below(2) > 0};
    std::vector<std::optional<support::Ids>> found;
    std::size_t arrays = 0;
    try {
      ArrowArrayStream raw{};
      export_stream(lists, type, raw, most);
      Owned<ArrowArrayStream> stream(raw);
      ArrowSchema schema{};
      if (stream->get_schema(stream.get(), &schema) != 0) fail("schema", "", seed);
      const Owned<ArrowSchema> held(schema);
      if (requested_type(*held) != type) fail("type", "", seed);
      while (true) {
        ArrowArray next{};
        if (stream->get_next(stream.get(), &next) != 0) fail("next", "", seed);
        if (!next.release) break;
        std::optional<Owned<ArrowArray>> array(std::in_place, next);
        ++arrays;
        const auto rows = lists_of(**array, type.large);
        found.insert(found.end(), rows.begin(), rows.end());
        const Owned<ArrowArray> ids(*(*array)->children[0]);  // outlives its parent
        array.reset();
        if (!type.large && (*ids).length > static_cast<std::int64_t>(most)) fail("most", "", seed);
        const auto* const first = static_cast<const std::uint32_t*>((*ids).buffers[1]);
        const support::Ids read(first, first + (*ids).length);
        if (std::any_of(read.begin(), read.end(), [](std::uint32_t id) { return id >= 1000; })) {
          fail("ids", "", seed);
        }
      }
    } catch (const TooManyIds&) {
      if (type.large || longest <= most) fail("too many", "", seed);
      continue;
    }
    if (found != want || arrays == 0) fail("lists", "", seed);
    if (!type.large && longest > most) fail("not too many", "", seed);
    bool refused = false;
    try {
      ArrowArray raw{};
      export_array(lists, type, raw, most);
      Owned<ArrowArray> array(raw);
      if (lists_of(*array, type.large) != want) fail("array", "", seed);
      if (lists->ids.size() && array->children[0]->buffers[1] != lists->ids.data()) {
        fail("copied", "", seed);
      }
    } catch (const TooManyIds&) {
      refused = true;
    }
    if (refused != (!type.large && lists->ids.size() > most)) fail("refused", "", seed);
    if (lists.use_count() != 1) fail("kept", std::to_string(lists.use_count()), seed);
  }
}

}  // namespace

int main() {
  test_every_layout();
  test_malformed();
  test_owned_structs_are_released_once();
  test_streams_of_several_arrays();
}
