// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of block-scaled types as MLIR writes them since llvm-project #205506: the type states a scale for each
// block, in row-major order, and each value its own type. A value alone stands for all.
//   dense<tensor<32x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f4E2M1FN, {2.0}>> : [[0x1 : f4E2M1FN, ...]]>
#ifndef TOSAIC_MODEL_BLOCK_TEXT_H_
#define TOSAIC_MODEL_BLOCK_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/tensor.h"

namespace tosaic {

// The attribute. A NaN scale is the NaN of an f64: MLIR reads a scale in hexadecimal as the bits of one.
// REQUIRES: a block-scaled type, and whole blocks.
std::string BlockConstantToText(const Tensor& tensor);
// Reads one. A number in decimal digits is the nearest value of its format, for MLIR prints six digits; a scale of 0xFF
// is NaN, as MLIR prints it (docs/policies.md, "block-constant"). Errors: what is no such text, a scale that is no
// power of two within fp8ue8m0, a number beyond the format's, other scales or values than the type has room for.
absl::StatusOr<Tensor> BlockConstantFromText(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_BLOCK_TEXT_H_
