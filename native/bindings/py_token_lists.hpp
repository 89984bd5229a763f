// TokenLists for Python: buffers and Arrow arrays that share their memory.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "arrays.hpp"
#include "buffers.hpp"
#include "capsules.hpp"
#include "wordsplit/arrow/lists.hpp"

namespace wordsplit::bindings {

// A read-only array of memory that is owned elsewhere, for Python's buffer protocol.
class BufferView {
 public:
  template <class T>
  BufferView(std::shared_ptr<const void> owner, const T* data, std::size_t count,
             const char* format)
      : owner_(std::move(owner)),
        data_(lists_detail::pointer(data)),
        format_(format),
        size_(static_cast<Py_ssize_t>(count)),
        stride_(sizeof(T)) {}

  // A memoryview of it.
  nb::object view() && {
    const nb::object held = nb::cast(std::move(*this));
    PyObject* const out = PyMemoryView_FromObject(held.ptr());
    if (!out) nb::raise_python_error();
    return nb::steal(out);
  }

  static int get_buffer(PyObject* self, Py_buffer* out, int flags) {
    if (flags & PyBUF_WRITABLE) {
      PyErr_SetString(PyExc_BufferError, "the buffer is read-only");
      return -1;
    }
    auto* const held = nb::inst_ptr<BufferView>(self);
    *out = {};
    out->buf = const_cast<void*>(held->data_);
    out->len = held->size_ * held->stride_;
    out->itemsize = held->stride_;
    out->readonly = 1;
    out->ndim = 1;
    if (flags & PyBUF_FORMAT) out->format = const_cast<char*>(held->format_);
    if (flags & PyBUF_ND) out->shape = &held->size_;
    if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES) out->strides = &held->stride_;
    out->obj = self;
    Py_INCREF(self);
    return 0;
  }

 private:
  std::shared_ptr<const void> owner_;
  const void* data_;
  const char* format_;
  Py_ssize_t size_, stride_;
};

class PyTokenLists {
 public:
  PyTokenLists(bool large, bool is_signed) : type_{large, is_signed} {}

  // The lists to encode into, empty; for a text of this size. They are the ones held, if nothing
  // else shares their memory. Until set() is called, this object is empty, so that two threads
  // never write to the same memory.
  std::shared_ptr<TokenLists> take(std::size_t text_bytes) {
    std::shared_ptr<TokenLists> out = std::move(lists_);
    lists_.reset();
    if (out && out.use_count() == 1) {
      // What other owners have read, they have read before.
      std::atomic_thread_fence(std::memory_order_acquire);
      out->clear();
    } else {
      out = make_lists();
      out->ids = SpareIds::shared().take(text_bytes);
    }
    return out;
  }
  void set(std::shared_ptr<TokenLists> lists) { lists_ = std::move(lists); }

  // Takes rows from lists of ids, and None for null.
  void fill(Items rows) {
    auto lists = take(0);
    lists->offsets.reserve(rows.size() + 1);
    lists->offsets.push(0);
    Texts texts;
    texts.reserve(rows.size());
    std::size_t nulls = 0;
    for (nb::handle row : rows) {
      if (row.is_none()) {
        texts.emplace_back();
        ++nulls;
      } else {
        texts.push_back({"", 0, 0});
        for (nb::handle id : nb::borrow<nb::list>(row)) {
          lists->ids.push(nb::cast<std::uint32_t>(id));
        }
      }
      lists->offsets.push(static_cast<std::int64_t>(lists->ids.size()));
    }
    lists->mark_nulls(texts, nulls);
    set(std::move(lists));
  }

  // Takes copies of buffers as ids(), offsets() and validity() give them.
  void set_buffers(nb::bytes ids, nb::bytes offsets, nb::bytes validity) {
    auto lists = take(0);
    const auto copy = [](const nb::bytes& from, auto& to) {
      using Item = std::remove_cvref_t<decltype(*to.data())>;
      const std::size_t count = from.size() / sizeof(Item);
      std::memcpy(to.reserve(count + 1), from.data(), count * sizeof(Item));
      to.advance_to(to.data() + count);
    };
    copy(ids, lists->ids);
    copy(offsets, lists->offsets);
    copy(validity, lists->validity);
    if (!lists->set_nulls()) throw nb::value_error("buffers that do not fit together");
    set(std::move(lists));
  }

  // Frees unused memory.
  void fit() {
    if (lists_ && lists_.use_count() == 1) lists_->ids.fit();
  }

  std::size_t rows() const { return lists_ ? lists_->rows() : 0; }
  std::size_t nulls() const { return lists_ ? lists_->nulls : 0; }
  std::size_t tokens() const { return lists_ ? lists_->ids.size() : 0; }

  nb::object ids() const {
    const SharedLists lists = shared();
    const Output& ids = lists->ids;
    return BufferView(lists, ids.data(), ids.size(), type_.is_signed ? "i" : "I").view();
  }
  nb::object offsets() const {
    const SharedLists lists = shared();
    const Growing<std::int64_t>& offsets = lists->offsets;
    static constexpr std::int64_t kNone = 0;
    if (offsets.size() == 0) return BufferView(nullptr, &kNone, 1, "q").view();
    return BufferView(lists, offsets.data(), offsets.size(), "q").view();
  }

  // A bit a row, 1 if it is not null; empty if no row is null.
  nb::object validity() const {
    const SharedLists lists = shared();
    return BufferView(lists, lists->validity.data(), lists->validity.size(), "B").view();
  }
  bool is_null(std::size_t row) const {
    if (row >= rows()) throw nb::index_error("no such row");
    return lists_->is_null(row);
  }

  nb::object arrow_schema() const {
    return capsule_of<ArrowSchema>([&](ArrowSchema& out) { export_schema(type_, out); });
  }
  nb::object arrow_array(nb::handle requested) const {
    const ListType type = type_for(requested);
    nb::object schema =
        capsule_of<ArrowSchema>([&](ArrowSchema& out) { export_schema(type, out); });
    nb::object array =
        capsule_of<ArrowArray>([&](ArrowArray& out) { export_array(shared(), type, out); });
    return nb::make_tuple(schema, array);
  }
  nb::object arrow_stream(nb::handle requested) const {
    const ListType type = type_for(requested);
    return capsule_of<ArrowArrayStream>(
        [&](ArrowArrayStream& out) { export_stream(shared(), type, out); });
  }

 private:
  static std::shared_ptr<TokenLists> make_lists() {
    return {new TokenLists, [](TokenLists* lists) {
              SpareIds::shared().give_back(std::move(lists->ids));
              delete lists;
            }};
  }
  SharedLists shared() const { return lists_ ? lists_ : make_lists(); }

  // The type that a consumer requests, if it is one of ours; else the type of this object, as the
  // specification allows.
  ListType type_for(nb::handle requested) const {
    if (requested.is_none()) return type_;
    const char* const name = kCapsuleName<ArrowSchema>;
    if (!PyCapsule_IsValid(requested.ptr(), name)) {
      throw ArrowTypeError("requested_schema is not a capsule named 'arrow_schema'");
    }
    const auto* const schema =
        static_cast<const ArrowSchema*>(PyCapsule_GetPointer(requested.ptr(), name));
    return requested_type(*schema).value_or(type_);
  }

  ListType type_;
  std::shared_ptr<TokenLists> lists_;  // null: empty
};

}  // namespace wordsplit::bindings
