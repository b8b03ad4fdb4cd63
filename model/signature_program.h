// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program of one op that a signature (op_signature.h) stands for.
#ifndef TOSAIC_MODEL_SIGNATURE_PROGRAM_H_
#define TOSAIC_MODEL_SIGNATURE_PROGRAM_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/op_signature.h"
#include "model/program.h"

namespace tosaic {

// A program of one TOSA op with an argument per operand. Shift and zero points may be left out and are then constants
// of 0. Attributes are legal ones: bounds 0 and 1, else false. Errors: an unknown op, a wrong number of
// operands, a type that is not a tensor.
absl::StatusOr<Program> ProgramOf(const OpSignature& signature);

// The same from text. Errors: also those of ParseOpSignature.
absl::StatusOr<Program> ParseSignature(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SIGNATURE_PROGRAM_H_
