// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges the IR between passes where it stands, as long as it is TOSA: a pass may rewrite a program, and what the
// documents say of the rewritten one, for the case's data, must be right for the program that it was. Nothing runs.
#ifndef TOSAIC_DIAGNOSIS_REWRITTEN_PROGRAM_H_
#define TOSAIC_DIAGNOSIS_REWRITTEN_PROGRAM_H_

#include <functional>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/observation.h"
#include "model/program.h"
#include "oracle/judge.h"

namespace tosaic {

// Reads the only function of a module, which may have no op left. Error: it has other ops than elementwise ones. May
// die of text that is not MLIR's own. Null: nobody reads it.
using ProgramReader = std::function<absl::StatusOr<Program>(absl::string_view mlir)>;

// Whether the rewritten function takes and returns what the other does.
bool HasSameInterface(const Program& program, const Program& rewritten);

// The results of a run by the documents, of each element the allowed value that is nearest to the true one. nullopt: an
// element may be anything, or the documents have no values for an op's types. REQUIRES: the run's sizes fit.
std::optional<RunObservation> ResultsIn(const Case& test_case, size_t run, const Policies& policies);

struct Rewritten {
  // Whether the results of the rewritten program are right for the one that it was. nullopt: that cannot be told,
  // because an element of it is undefined, or the documents have no values for an op's types.
  std::optional<bool> is_right;
  std::string wrong;  // "it returns 0 instead of NaN"
};

// Judges the case as if it had returned what the rewritten program computes (ResultsIn). Sizes that contradict the
// rewritten program's types are a mistake. REQUIRES: the documents define the results of the case itself.
Rewritten JudgeRewritten(const Case& test_case, const Program& rewritten, const JudgeOptions& judge);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_REWRITTEN_PROGRAM_H_
