// Pauses Python's collection of cycles.
#pragma once

#include <Python.h>

namespace wordsplit::bindings {

// In its scope no collection begins. Many lists made in one call would start one after another,
// each of which visits every int of the lists before: with a thousand lists of a thousand ids, that
// takes as long as encoding them.
class CollectionPaused {
 public:
  CollectionPaused() : was_enabled_(PyGC_Disable()) {}
  ~CollectionPaused() {
    if (was_enabled_) PyGC_Enable();
  }
  CollectionPaused(const CollectionPaused&) = delete;
  CollectionPaused& operator=(const CollectionPaused&) = delete;

 private:
  bool was_enabled_;
};

}  // namespace wordsplit::bindings
