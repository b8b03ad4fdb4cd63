// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RewritingToolchain: passes that leave TOSA, on any toolchain, as a toolchain of their own. What "runs" is what the
// documents say of the program that is left, of each value the one that is nearest to the true one. So a pass is judged
// by the oracle's own values, for types too that nothing lowers; a wrong value is the pass's, and never a lowering's.
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
