// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in dialects that this MLIR does not have. Its parser takes their ops in generic form only; files in the wild
// have them as their own dialect prints them. Works on the text alone, line by line, and keeps the number of lines.
#ifndef TOSAIC_TOOLCHAIN_MLIR_FOREIGN_OPS_H_
#define TOSAIC_TOOLCHAIN_MLIR_FOREIGN_OPS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace tosaic {

// The text with each op of a dialect that is not known in generic form, with its operands and results where their types
// can be told, and its value where it is nothing but a constant:
//   %0 = util.unfoldable_constant dense<1.0> : tensor<4xf32>
//   %0 = "util.unfoldable_constant"() {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
// Where they cannot, it is there without them: what uses its result does not parse then.
std::string InGenericForm(absl::string_view text, absl::FunctionRef<bool(absl::string_view dialect)> is_known);

// Each op at the top of a file, or of a module at its top, alone, behind the aliases and resources of the file: the
// text with blanks for all else, so that lines stay what they are. With it, the line on which the op begins, from 1.
std::vector<std::pair<std::string, int>> OpsAlone(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_FOREIGN_OPS_H_
