// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summarises the IR that routes make of cases: lowers programs separately from the suite's campaign, runs nothing, and
// judges nothing.
#ifndef TOSAIC_CONFORMANCE_IR_IN_SHORT_H_
#define TOSAIC_CONFORMANCE_IR_IN_SHORT_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/program.h"
#include "results/ir_change.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// The passes of a pipeline up to bufferization, which leave linalg on tensors; all passes if the pipeline does not
// bufferize.
std::string UpToBufferization(absl::string_view pipeline);

// How often each op begins a line of MLIR's text. One in a linalg op's short form, on the line of that op, is not seen.
std::map<std::string, uint64_t> OpsIn(absl::string_view mlir);

// The summary of the IR of each case on its route. Does not return if MLIR kills the process.
std::vector<CaseIr> IrOf(Toolchain& toolchain, absl::Span<const Case> cases);

// The IR of a case at a place that IrSample::place names. Errors: there is none.
absl::StatusOr<std::string> IrTextOf(Toolchain& toolchain, const Case& test_case, absl::string_view place);

}  // namespace tosaic

#endif  // TOSAIC_CONFORMANCE_IR_IN_SHORT_H_
