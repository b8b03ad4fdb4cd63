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
absl::StatusOr<ArmProgram> ArmProgramFromText(absl::string_view text);

// The first op of the text's program that has another number of operands or results than it takes, with its attributes.
// Nullopt: there is none before something else that Tosaic does not know, or the text is broken.
std::optional<LooseOp> MiscountedOpOf(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_CONFORMANCE_ARM_PROGRAM_H_
