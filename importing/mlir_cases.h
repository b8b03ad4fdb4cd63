// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns ordinary MLIR files into cases: each function of TOSA elementwise ops, with run-time shapes and data drawn for
// it.
#ifndef TOSAIC_IMPORTING_MLIR_CASES_H_
#define TOSAIC_IMPORTING_MLIR_CASES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "checking/check_case.h"
#include "model/program.h"
#include "toolchain/mlir/mlir_import.h"
#include "workers/worker_pool.h"

namespace tosaic {

struct MlirCase {
  std::string name;               // "FILE:@main"
  std::optional<Case> test_case;  // none: skipped, and why:
  std::string skipped;
  std::string part;                // not empty: the part of the function that it is, "up to tosa.reduce_sum"
  bool has_other_results = false;  // than the function returns
  std::optional<int> spelled;      // the version of MLIR in whose spelling it is, if that is another than the asked one
  std::vector<std::string> untested;  // elementwise ops that no case of the function has (mlir_import.h)
  bool expects_error = false;         // an expected-error annotation stands there
  std::string no_run;                 // not empty: why it has no run, so that nothing but its types can be judged
};

// The cases in the text of a file (toolchain/mlir/mlir_import.h), read in a worker, with up to `runs` runs each, drawn
// from `seed`; by default a few of random data and then those of every special value (generators/program_runs.h), or,
// of arguments of thousands of elements, one of random data. If the function itself gives its arguments' values, these
// are its only run. Runs in which a division may have no quotient are left out, if there are others. Error: reading it
// killed the worker (invalid-argument), or took more than a case has (internal).
absl::StatusOr<std::vector<MlirCase>> CasesInMlir(const std::string& path, absl::string_view text, bool split,
                                                  std::optional<int> runs, uint64_t seed, const WorkerLimits& limits,
                                                  const Spelling& spelling = {});

// If an annotation expects a refusal, a clean refusal agrees whatever the oracle says, because the test may be about a
// pass that supports less. If nothing is refused, there is a note.
void ApplyExpectedError(CheckedCase* checked);
inline constexpr absl::string_view kNothingRefused = "expected-error: nothing was refused";  // that note

}  // namespace tosaic

#endif  // TOSAIC_IMPORTING_MLIR_CASES_H_
