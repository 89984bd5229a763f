// Compares the merges of training with the naive ones, on corpora and rules from the input.
#include "../tests/naive_training.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  support::Choices choices{data, size};
  support::check_training(choices, 0);
  return 0;
}
