// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers that a library's code compares something with: sizes at which a pass may do something else.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_COMPARED_NUMBERS_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_COMPARED_NUMBERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tosaic {

// Of the functions that are the library's own, without the instances of templates that every library has: the numbers
// from 9 (tensors often have fewer elements) to 2^20, in ascending order and each once. Errors: the file is no shared
// library, is larger than 32 MB, or is not of a machine whose code can be read.
absl::StatusOr<std::vector<int64_t>> ComparedNumbers(const std::string& file);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_COMPARED_NUMBERS_H_
