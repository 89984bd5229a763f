// Numbers as serde_json reads them: src/wordsplit/vocabs/formats/tokenizer_json/numbers.py says
// why, and does the same.
#include <Python.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "module.hpp"

namespace nb = nanobind;

namespace {

constexpr int kLargestPower = 308;

// The powers of ten, each rounded correctly.
const std::array<double, kLargestPower + 1>& powers() {
  static const auto kPowers = [] {
    std::array<double, kLargestPower + 1> out;
    for (int i = 0; i <= kLargestPower; ++i) {
      out[static_cast<std::size_t>(i)] =
          PyOS_string_to_double(("1e" + std::to_string(i)).c_str(), nullptr, nullptr);
    }
    return out;
  }();
  return kPowers;
}

double scaled(double value, std::int64_t exponent) {
  for (; exponent > kLargestPower || exponent < -kLargestPower; exponent += kLargestPower) {
    if (value == 0) return 0;
    if (exponent > 0) return std::numeric_limits<double>::infinity();
    value /= 1e308;
  }
  return exponent >= 0 ? value * powers()[static_cast<std::size_t>(exponent)]
                       : value / powers()[static_cast<std::size_t>(-exponent)];
}

double rounded_as_by_serde(std::string_view spelled) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const char *p = spelled.data(), *const end = p + spelled.size();
  const bool negative = p != end && *p == '-';
  p += negative;
  std::uint64_t significand = 0;
  std::int64_t exponent = 0;
  bool full = false;
  const auto read_digits = [&](int step) {
    const char* const first = p;
    for (; p != end && is_digit(*p); ++p) {
      const auto digit = static_cast<std::uint64_t>(*p - '0');
      full = full || significand > (UINT64_MAX - digit) / 10;
      if (!full) {
        significand = significand * 10 + digit;
        exponent += step;
      } else if (step == 0) {
        ++exponent;  // digits that do not fit are dropped
      }
    }
    return p != first;
  };
  bool sound = read_digits(0);
  if (sound && p != end && *p == '.') {
    ++p;
    sound = read_digits(-1);
  }
  if (sound && p != end && (*p == 'e' || *p == 'E')) {
    ++p;
    const bool divides = p != end && *p == '-';
    if (divides || (p != end && *p == '+')) ++p;
    sound = p != end;
    std::int64_t power = 0;
    for (; p != end && is_digit(*p); ++p) {
      power =
          std::min<std::int64_t>(10 * power + (*p - '0'), INT32_MAX);  // 0 or infinite in any case
    }
    exponent += divides ? -power : power;
  }
  if (!sound || p != end) throw nb::value_error("not a number of JSON");
  const double value = scaled(static_cast<double>(significand), exponent);
  return negative ? -value : value;
}

}  // namespace

void bind_numbers(nb::module_& m) {
  m.def("rounded_as_by_serde", &rounded_as_by_serde, nb::arg("spelled"),
        "A number of JSON, rounded as serde_json does.");
}
