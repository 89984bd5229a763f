// Indexes derived only from a vocab's tables, such as an encoder's for its look-ups. They are kept
// with the tables, so that all engines of a vocab share them: an engine is built for each change of
// the added tokens, and BERT's index takes longer than the rest of it.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace wordsplit {

class VocabTables;

// Shared by threads.
struct TableIndex {
  virtual ~TableIndex() = default;
};

using MakeIndex = std::unique_ptr<const TableIndex> (*)(const VocabTables& tables);

class Indexes {
 public:
  Indexes() = default;
  Indexes(const Indexes&) = delete;
  Indexes& operator=(const Indexes&) = delete;
  ~Indexes() {
    for (const Made* each = first_.load(); each;) delete std::exchange(each, each->next);
  }

  // The index that `make` makes of the tables, made on the first call. Takes no lock, since a fork
  // might leave it locked: two threads may both make an index, and one of the two is kept.
  const TableIndex* get(MakeIndex make, const VocabTables& tables) {
    const Made* newest = first_.load(std::memory_order_acquire);
    if (const Made* found = find(make, newest, nullptr)) return found->index.get();
    std::unique_ptr<Made> own(new Made{make, make(tables), newest});
    while (!first_.compare_exchange_weak(newest, own.get(), std::memory_order_acq_rel)) {
      if (const Made* found = find(make, newest, own->next)) return found->index.get();
      own->next = newest;
    }
    return own.release()->index.get();
  }

 private:
  struct Made {
    MakeIndex make;
    std::unique_ptr<const TableIndex> index;
    const Made* next;  // made before
  };

  // Looks from `at` to `end`.
  static const Made* find(MakeIndex make, const Made* at, const Made* end) {
    while (at != end && at->make != make) at = at->next;
    return at == end ? nullptr : at;
  }

  std::atomic<const Made*> first_{nullptr};
};

}  // namespace wordsplit
