// A column of texts in memory that is owned elsewhere: views, some of which may be null.
#pragma once

#include <memory>
#include <utility>

#include "wordsplit/engine/batch.hpp"

namespace wordsplit {

class TextColumn {
 public:
  // The owner of the memory is kept as long as the column.
  explicit TextColumn(std::shared_ptr<const void> owner) : owner_(std::move(owner)) {}

  // Adds a text of UTF-8, or of bytes that may not be UTF-8.
  void push(const void* data, std::size_t size) {
    texts_.push_back({data && size ? data : "", size, 0});
    bytes_ += size;
  }
  void push_null() {
    texts_.emplace_back();
    ++nulls_;
  }
  // Allocates memory for so many more rows, without giving up the growth by a factor.
  void reserve(std::size_t rows) {
    const std::size_t wanted = texts_.size() + rows;
    if (wanted > texts_.capacity()) texts_.reserve(std::max(wanted, 2 * texts_.capacity()));
  }

  // Removes rows. Precondition: they ascend.
  void remove(const std::vector<std::size_t>& rows) {
    std::size_t to = 0, next = 0;
    for (std::size_t row = 0; row < texts_.size(); ++row) {
      if (next < rows.size() && rows[next] == row) {
        nulls_ -= texts_[row].is_null();
        bytes_ -= texts_[row].length;
        ++next;
      } else {
        texts_[to++] = texts_[row];
      }
    }
    texts_.resize(to);
  }

  // Removes the rows that are null or empty, and returns where they were.
  std::vector<std::size_t> remove_empty() {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < texts_.size(); ++row) {
      if (!texts_[row].length) rows.push_back(row);
    }
    if (!rows.empty()) remove(rows);
    return rows;
  }
  // Makes rows that are null empty.
  void fill_nulls() {
    if (!nulls_) return;
    for (Text& text : texts_) {
      if (text.is_null()) text = {"", 0, 0};
    }
    nulls_ = 0;
  }

  const Texts& texts() const { return texts_; }
  std::size_t rows() const { return texts_.size(); }
  std::size_t nulls() const { return nulls_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<const void> owner_;
  Texts texts_;
  std::size_t nulls_ = 0, bytes_ = 0;
};

}  // namespace wordsplit
