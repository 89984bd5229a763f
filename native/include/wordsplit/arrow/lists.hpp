// Exports TokenLists as Arrow arrays of lists, whose values are the encoder's own buffer.
//
// Every array that is exported shares the ownership of the lists, also after a consumer has moved
// it out of its parent.
#pragma once

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/arrow/abi.hpp"
#include "wordsplit/engine/token_lists.hpp"

namespace wordsplit {

// The types of the same ids. Ids are below 2^31, so the sign changes nothing in memory.
struct ListType {
  bool large = false;      // 64-bit offsets, which are not copied either
  bool is_signed = false;  // int32 instead of uint32
  friend bool operator==(const ListType&, const ListType&) = default;
};

inline constexpr std::size_t kMostIn32Bits = std::numeric_limits<std::int32_t>::max();

// More ids than 32-bit offsets can reach.
struct TooManyIds : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using SharedLists = std::shared_ptr<const TokenLists>;

namespace lists_detail {

// What an exported schema or array owns: at most one child, and for an array the buffers that are
// not part of the lists.
template <class T>
struct Node {
  SharedLists lists;
  std::string name;
  Growing<std::int32_t> offsets;
  Growing<std::uint8_t> validity;
  std::array<const void*, 2> buffers{};
  T child{};
  T* children[1] = {&child};

  static void release(T* item) {
    const std::unique_ptr<Node> node(static_cast<Node*>(item->private_data));
    if (node->child.release) node->child.release(&node->child);
    item->release = nullptr;
  }

  // Gives the node to an item, whose children and release() are set.
  static void give(std::unique_ptr<Node> node, T& item) {
    item.n_children = node->child.release ? 1 : 0;
    item.children = node->children;
    item.release = release;
    item.private_data = node.release();
  }
};

using SchemaNode = Node<ArrowSchema>;
using ArrayNode = Node<ArrowArray>;

inline void export_field(const char* format, const std::string& name, bool nullable,
                         std::unique_ptr<SchemaNode> node, ArrowSchema& out) {
  node->name = name;
  out = {};
  out.format = format;
  out.name = node->name.c_str();
  out.flags = nullable ? kArrowNullable : 0;
  SchemaNode::give(std::move(node), out);
}

// Buffers are never null, though the specification allows it for empty ones: not every consumer
// does.
inline const void* pointer(const void* p) {
  alignas(64) static constexpr std::uint64_t kEmpty[8] = {};
  return p ? p : kEmpty;
}

// Bits [first, last) of a bitmap, from the first bit on.
inline void copy_bits(const std::uint8_t* bits, std::size_t first, std::size_t last,
                      Growing<std::uint8_t>& out) {
  for (std::size_t at = first; at < last; at += 8) {
    unsigned byte = bits[at / 8] >> (at % 8);
    if (at % 8 && at / 8 + 1 <= (last - 1) / 8) byte |= unsigned{bits[at / 8 + 1]} << (8 - at % 8);
    out.push(static_cast<std::uint8_t>(byte));
  }
}

inline void export_ids(SharedLists lists, std::size_t first, std::size_t last, ArrowArray& out) {
  auto node = std::make_unique<ArrayNode>();
  const std::uint32_t* const ids = lists->ids.data();
  node->buffers = {nullptr, pointer(ids ? ids + first : nullptr)};
  node->lists = std::move(lists);
  out = {};
  out.length = static_cast<std::int64_t>(last - first);
  out.n_buffers = 2;
  out.buffers = node->buffers.data();
  ArrayNode::give(std::move(node), out);
}

}  // namespace lists_detail

// The type of a schema, if it is one that can be exported.
inline std::optional<ListType> requested_type(const ArrowSchema& schema) {
  const std::string_view list = schema.format ? schema.format : "";
  if ((list != "+l" && list != "+L") || schema.n_children != 1 || !schema.children) return {};
  const ArrowSchema* const item = schema.children[0];
  const std::string_view id = item && item->format && !item->dictionary ? item->format : "";
  if (id != "I" && id != "i") return {};
  return ListType{list == "+L", id == "i"};
}

inline void export_schema(ListType type, ArrowSchema& out) {
  using namespace lists_detail;
  auto list = std::make_unique<SchemaNode>();
  export_field(type.is_signed ? "i" : "I", "item", true, std::make_unique<SchemaNode>(),
               list->child);
  export_field(type.large ? "+L" : "+l", "", true, std::move(list), out);
}

// Exports rows [first, last). Precondition: with 32-bit offsets, they have no more ids than these
// can reach.
inline void export_rows(const SharedLists& lists, ListType type, std::size_t first,
                        std::size_t last, ArrowArray& out) {
  using namespace lists_detail;
  auto node = std::make_unique<ArrayNode>();
  const std::int64_t* const offsets = lists->offsets.data();
  const bool any = lists->rows() > 0;
  const std::size_t start = any ? static_cast<std::size_t>(offsets[first]) : 0;
  const std::size_t end = any ? static_cast<std::size_t>(offsets[last]) : 0;
  out = {};
  out.length = static_cast<std::int64_t>(last - first);
  const bool whole = first == 0 && last == lists->rows();
  if (whole) {
    out.null_count = static_cast<std::int64_t>(lists->nulls);
  } else {
    for (std::size_t row = first; row < last; ++row) out.null_count += lists->is_null(row);
  }
  const void* validity = nullptr;
  if (out.null_count > 0) {
    validity = lists->validity.data();
    if (!whole) {
      copy_bits(lists->validity.data(), first, last, node->validity);
      validity = node->validity.data();
    }
  }
  if (type.large) {  // offsets into all ids
    export_ids(lists, 0, end, node->child);
    node->buffers = {validity, pointer(any ? offsets + first : nullptr)};
  } else {
    export_ids(lists, start, end, node->child);
    std::int32_t* to = node->offsets.reserve(last - first + 1);
    for (std::size_t row = first; any && row <= last; ++row) {
      *to++ = static_cast<std::int32_t>(static_cast<std::size_t>(offsets[row]) - start);
    }
    if (!any) *to++ = 0;
    node->offsets.advance_to(to);
    node->buffers = {validity, node->offsets.data()};
  }
  node->lists = lists;
  out.n_buffers = 2;
  out.buffers = node->buffers.data();
  ArrayNode::give(std::move(node), out);
}

// The rows at which the arrays of a stream begin, and the number of rows: arrays of no more than
// `most` ids each, as few as possible. Throws TooManyIds if one row has more.
inline std::vector<std::size_t> cut_rows(const TokenLists& lists, std::size_t most) {
  std::vector<std::size_t> cuts = {0};
  const std::int64_t* const offsets = lists.offsets.data();
  const std::size_t rows = lists.rows();
  while (rows > 0 && cuts.back() < rows) {
    // The last row whose end can be reached.
    const std::int64_t* const last =
        std::upper_bound(offsets + cuts.back(), offsets + rows + 1,
                         offsets[cuts.back()] + static_cast<std::int64_t>(most)) -
        1;
    const auto cut = static_cast<std::size_t>(last - offsets);
    if (cut == cuts.back()) {
      throw TooManyIds("row " + std::to_string(cut) + " has " +
                       std::to_string(offsets[cut + 1] - offsets[cut]) +
                       " ids, more than 32-bit offsets can reach: use large_list");
    }
    cuts.push_back(cut);
  }
  if (rows == 0) cuts.push_back(0);
  return cuts;
}

// Exports all rows as one array. Throws TooManyIds.
inline void export_array(const SharedLists& lists, ListType type, ArrowArray& out,
                         std::size_t most = kMostIn32Bits) {
  if (!type.large && lists->ids.size() > most) {
    throw TooManyIds("there are " + std::to_string(lists->ids.size()) +
                     " ids, more than the 32-bit offsets of one array can reach: use large_list, "
                     "or the stream, which has several arrays");
  }
  export_rows(lists, type, 0, lists->rows(), out);
}

// Exports all rows as a stream: of one array, unless 32-bit offsets cannot reach all ids. Throws
// TooManyIds.
inline void export_stream(const SharedLists& lists, ListType type, ArrowArrayStream& out,
                          std::size_t most = kMostIn32Bits) {
  struct Stream {
    SharedLists lists;
    ListType type;
    std::vector<std::size_t> cuts;
    std::size_t next = 0;
  };
  auto stream = std::make_unique<Stream>(Stream{lists, type, {}});
  stream->cuts = type.large ? std::vector<std::size_t>{0, lists->rows()} : cut_rows(*lists, most);
  out.get_schema = [](ArrowArrayStream* from, ArrowSchema* schema) -> int {
    try {
      export_schema(static_cast<Stream*>(from->private_data)->type, *schema);
      return 0;
    } catch (const std::bad_alloc&) {
      return ENOMEM;
    }
  };
  out.get_next = [](ArrowArrayStream* from, ArrowArray* array) -> int {
    Stream& held = *static_cast<Stream*>(from->private_data);
    try {
      *array = {};
      if (held.next + 1 == held.cuts.size()) return 0;
      export_rows(held.lists, held.type, held.cuts[held.next], held.cuts[held.next + 1], *array);
      ++held.next;
      return 0;
    } catch (const std::bad_alloc&) {
      return ENOMEM;
    }
  };
  out.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  out.release = [](ArrowArrayStream* from) {
    delete static_cast<Stream*>(from->private_data);
    from->release = nullptr;
  };
  out.private_data = stream.release();
}

}  // namespace wordsplit
