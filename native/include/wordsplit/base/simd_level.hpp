// The instruction sets for which kernels are compiled besides the baseline.
#pragma once

#include <cstddef>

#if defined(__x86_64__)
#include <immintrin.h>
#define WORDSPLIT_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2")))
#define WORDSPLIT_TARGET_AVX512                                                    \
  __attribute__((                                                                  \
      target("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi," \
             "bmi2")))
#endif

namespace wordsplit {

// Scalar runs anywhere (with NEON, the compiler vectorizes it). All levels give the same results.
enum class SimdLevel { Scalar, Avx2, Avx512 };
inline constexpr std::size_t kSimdLevels = 3;

// The best level of this machine. AVX-512 requires VBMI 2, which only CPUs have that do not lower
// their clock under 512-bit work. Queries the CPU at each call: keep the result.
inline SimdLevel best_simd_level() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2")) {
    return SimdLevel::Avx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2")) {
    return SimdLevel::Avx2;
  }
#endif
  return SimdLevel::Scalar;
}

}  // namespace wordsplit
