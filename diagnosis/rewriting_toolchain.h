// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RewritingToolchain: a toolchain of which only passes run, on TOSA that they leave as TOSA. Its execution is the
// oracle's reference on the rewritten program, which returns of each element the allowed value that is nearest to the
// true one. So every wrong value is a pass's fault and never a lowering's, also for types that nothing lowers.
#ifndef TOSAIC_DIAGNOSIS_REWRITING_TOOLCHAIN_H_
#define TOSAIC_DIAGNOSIS_REWRITING_TOOLCHAIN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "diagnosis/rewritten_program.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// `mlir` was made with the pipeline as its custom one: it decides on programs, and its passes rewrite them. Cases go
// through that pipeline whatever their routes say. A program that is left and cannot be read, or has an element that
// may be anything, is not run (Stage::kExecute refuses). Error: the toolchain has no pipelines.
absl::StatusOr<std::unique_ptr<Toolchain>> CreateRewritingToolchain(std::unique_ptr<Toolchain> mlir,
                                                                    ProgramReader read);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_REWRITING_TOOLCHAIN_H_
