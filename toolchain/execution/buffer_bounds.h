// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How large the buffers of a case may be.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_BUFFER_BOUNDS_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_BUFFER_BOUNDS_H_

#include <cstddef>

#include "model/program.h"

namespace tosaic {

inline constexpr size_t kSlotBytes = 64 * 1024;
inline constexpr size_t kMostBufferBytes = 64 * 1024 * 1024;

// A bound of the bytes that one buffer of the case takes: at least kSlotBytes, and more than kMostBufferBytes if one is
// beyond them.
size_t LargestBuffer(const Case& test_case);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_BUFFER_BOUNDS_H_
