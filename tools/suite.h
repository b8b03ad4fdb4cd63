// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conformance suite for `conform` and `compare`, from the command line.
#ifndef TOSAIC_TOOLS_SUITE_H_
#define TOSAIC_TOOLS_SUITE_H_

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "conformance/conformance.h"
#include "results/conformance.h"
#include "tools/subcommands.h"

namespace tosaic {

struct SuiteFlags {
  PolicyFlags policy;
  std::string profile = "all";
  std::vector<std::string> ops;
  std::vector<std::string> corpus;  // files or directories; empty: the embedded corpus
  std::string given;                // conform --suite: a directory of Arm's tests, in the place of all others
  std::string known = kDefaultKnown;
  int jobs = 1;
  bool no_reduce = false;
  bool ir = false;           // conform: asked for; compare: unless it is not wanted
  bool reproducers = false;  // conform --work: elsewhere nobody sees them
  bool all_values = false;
  std::vector<std::string> value_types;  // empty: all

  void AddTo(CLI::App& app);
};

// Runs the suite, and all values if they are asked for, against a toolchain that `toolchain_flags` created. `work`: the
// campaign's work directory. An interrupted run leaves it, and the next one goes on there; a directory of another
// campaign is an error.
absl::StatusOr<ConformanceReport> RunSuite(const SuiteFlags& suite, const ToolchainFlags& toolchain_flags,
                                           Toolchain& toolchain, const std::string& command_line,
                                           const std::string& work);

// The cases that RunSuite runs. Errors: an op is unknown, or the corpus cannot be read.
absl::StatusOr<ConformanceOptions> SuiteOptionsOf(const SuiteFlags& suite, const ToolchainFlags& toolchain_flags);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_SUITE_H_
