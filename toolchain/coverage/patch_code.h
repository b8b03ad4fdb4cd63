// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the machine code of a patch under review says about the cases in which it may do something else.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_PATCH_CODE_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_PATCH_CODE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/op_catalogue.h"

namespace tosaic {

struct PatchCode {
  // That it compares something with: those from 9 (tensors often have fewer elements) to 2^20, in ascending order and
  // each once.
  std::vector<double> numbers;
  // Whose classes, or those of what they become behind TOSA, its symbols and those that it asks the loader for name, in
  // the catalogue's order.
  std::vector<OpKind> ops;
};

// Of a pass plugin: the functions that are its own, without the instances of templates that every library has. Errors:
// the file is no shared library, is larger than 32 MB, or is not of a machine whose code can be read.
absl::StatusOr<PatchCode> CodeOfPlugin(const std::string& file);

// Of a build of MLIR: the functions that `base` has not, with the numbers that `base` has not in functions which the
// patch changes. A build is a library, or the folder of mlir-opt, with the libraries beside it that have MLIR's code.
// Errors: as above, but there is no limit; or more functions differ than a patch changes.
absl::StatusOr<PatchCode> CodeOfBuild(const std::string& patch, const std::string& base);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_PATCH_CODE_H_
