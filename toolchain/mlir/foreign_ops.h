// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites text in dialects that this MLIR does not have. MLIR's parser takes their ops only in generic form, but real
// files have them as their own dialect prints them. It works on the text alone, line by line, and keeps the number of
// lines.
#ifndef TOSAIC_TOOLCHAIN_MLIR_FOREIGN_OPS_H_
#define TOSAIC_TOOLCHAIN_MLIR_FOREIGN_OPS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace tosaic {

// The attribute that names what was left out of an op.
inline constexpr char kLeftOut[] = "tosaic.left_out";

// The text with each unknown op in generic form, with its operands and results if their types can be
// told, and with its value if it is a constant:
//   %0 = util.unfoldable_constant dense<1.0> : tensor<4xf32>
//   %0 = "util.unfoldable_constant"() {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
// Otherwise the op has no operands and results, and ops that use its result do not parse. What is in its regions is
// left out; the elementwise ops among it are named in the attribute kLeftOut, each with how many lines further down it
// stands:
//   "util.func"() {tosaic.left_out = "tosa.add+1 tosa.mul+2"} : () -> ()
std::string InGenericForm(absl::string_view text, absl::FunctionRef<bool(absl::string_view op)> is_known);

// Each top-level op of a file, or of a top-level module, alone after the file's aliases and resources. Everything else
// is replaced by blanks, so line numbers stay the same. Also the line on which the op begins, from 1.
std::vector<std::pair<std::string, int>> OpsAlone(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_FOREIGN_OPS_H_
