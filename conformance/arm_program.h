// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program of a test of Arm's conformance suite: TOSA's flatbuffer as JSON, which the suite's generator writes
// beside the binary (--output-type both). It reads only what Tosaic can represent as a Program, and gives a reason for
// everything else.
#ifndef TOSAIC_CONFORMANCE_ARM_PROGRAM_H_
#define TOSAIC_CONFORMANCE_ARM_PROGRAM_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/mlir_text.h"
#include "model/program.h"

namespace tosaic {

struct ArmProgram {
  Program program;
  std::vector<std::string> inputs;   // what the flatbuffer calls the arguments
  std::vector<std::string> outputs;  // and the results
};

// Errors: kUnimplemented with the reason, if the text is a program that Tosaic cannot represent: another op, an element
// type that it does not know, a number of operands that the op does not have. Any other error: the text is broken.
// `miscounted`, if not null, becomes the op for which it is UNIMPLEMENTED, with its attributes, if that op has another
// number of operands or results than it takes.
absl::StatusOr<ArmProgram> ArmProgramFromText(absl::string_view text, std::optional<LooseOp>* miscounted = nullptr);

}  // namespace tosaic

#endif  // TOSAIC_CONFORMANCE_ARM_PROGRAM_H_
