// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of one op as people write it in MLIR's own tests: in the ops' own syntax, with decimal numbers.
#ifndef TOSAIC_LIT_PROGRAM_TEXT_H_
#define TOSAIC_LIT_PROGRAM_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "model/program.h"
#include "model/tensor.h"

namespace tosaic {

// "1.5", "-3", "true"; a bit pattern if a decimal number would not be exact.
std::string LiteralOf(ElementType type, uint64_t bits);
// "dense<[1.5, 2.0]> : tensor<2xf32>".
std::string DenseLiteral(const Tensor& tensor);
// The function; `before_op` is a line that stands before the op, or empty.
std::string FunctionText(const Program& program, absl::string_view name, absl::string_view before_op = "");
// The function with a first argument of swapped dimensions, which a tosa.transpose swaps back before the op. REQUIRES:
// the first argument has rank 2.
std::string TransposedFunctionText(const Program& program, absl::string_view name);
// The type of that argument.
TensorType SwappedType(const TensorType& type);

}  // namespace tosaic

#endif  // TOSAIC_LIT_PROGRAM_TEXT_H_
