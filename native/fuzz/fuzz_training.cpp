// The merges of training against recounting everything, on corpora and rules that the input
// chooses.
#include "../tests/naive_training.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  support::Choices choices{data, size};
  support::check_training(choices, 0);
  return 0;
}
