// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that a user gives for a program: NumPy files (.npy) with the inputs of a run and with its expected outputs, and
// the files for the actual outputs.
#ifndef TOSAIC_TOOLS_GIVEN_DATA_H_
#define TOSAIC_TOOLS_GIVEN_DATA_H_

#include <cstddef>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "tools/case_input.h"

namespace tosaic {

struct GivenData {
  std::vector<std::string> inputs;  // a file per argument
  std::vector<std::string> expect;  // a file per result
  std::string outputs;              // a directory

  void AddTo(CLI::App& app);
  bool IsGiven() const { return !inputs.empty() || !expect.empty() || !outputs.empty(); }
  // An error if it is given and the flags ask tosa-validate alone. Where a route runs nothing, Compare() says so.
  absl::Status CheckRuns(const ToolchainFlags& toolchain) const;
  // Makes the inputs the first run of the only case among the subjects. Errors: there are several cases, or the files
  // do not match the arguments' number, types or shapes.
  absl::Status AddRunTo(std::vector<LoadedCase>* subjects) const;
  // Lets the toolchain execute the first run alone, writes the outputs, and compares them with the expected outputs and
  // with the documents, a line each. Outputs of an earlier run are removed first, so that what is there afterwards is
  // of this one. Errors: those of the files.
  absl::StatusOr<std::string> Compare(const Case& test_case, Toolchain& toolchain, const WorkerLimits& limits,
                                      const JudgeOptions& judge) const;

 private:
  std::string OutputFile(size_t result) const;
  absl::Status MakeRoomForOutputs(size_t results) const;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_GIVEN_DATA_H_
