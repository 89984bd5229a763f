// Added tokens in Python's buffers.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "buffers.hpp"
#include "wordsplit/tables/added_list.hpp"

namespace wordsplit::bindings {

namespace nb = nanobind;

// The blob, ends, ids, flags and order of an AddedTokenList. The order may be None.
using AddedBuffers = std::tuple<nb::object, nb::object, nb::object, nb::object, nb::object>;

// A list that keeps the buffers it is a view of.
class HeldAddedList {
 public:
  explicit HeldAddedList(const AddedBuffers& buffers)
      : blob_(std::get<0>(buffers)),
        ends_(std::get<1>(buffers)),
        ids_(std::get<2>(buffers)),
        flags_(std::get<3>(buffers)) {
    list.blob = {reinterpret_cast<const char*>(blob_.bytes()), blob_.size_bytes()};
    list.ends = {ends_.data(), ends_.size()};
    list.ids = {ids_.data(), ids_.size()};
    list.flags = {reinterpret_cast<const std::uint8_t*>(flags_.bytes()), flags_.size_bytes()};
    if (const nb::object& order = std::get<4>(buffers); !order.is_none()) {
      order_.emplace(order);
      list.order = {order_->data(), order_->size()};
    }
    if (!list.is_sound()) throw nb::value_error("added tokens that do not fit together");
  }

  AddedList list;

 private:
  Words blob_, ends_, ids_, flags_;
  std::optional<Words> order_;
};

}  // namespace wordsplit::bindings
