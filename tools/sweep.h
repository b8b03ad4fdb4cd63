// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic sweep: its flags, and its two kinds.
#ifndef TOSAIC_TOOLS_SWEEP_H_
#define TOSAIC_TOOLS_SWEEP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "results/value_sweep.h"
#include "tools/formatted.h"
#include "tools/subcommands.h"

namespace tosaic {

struct SweepFlags {
  ToolchainFlags toolchain;
  PolicyFlags policy;
  std::vector<std::string> ops;
  int jobs = 1;
  std::string known = kDefaultKnown;
  std::string out;  // empty: no file
  FormatFlag format;
  // For a sweep of types.
  int max_rank = 2;
  std::vector<std::string> dims = {"?", "1", "2", "3"};
  bool yes = false;
  // For a sweep of values.
  bool values = false;
  uint64_t inputs = 200'000;
  std::vector<std::string> types;
  bool markdown = false;
  bool all = false;
  std::string work;  // empty: no work directory
  std::vector<std::string> take;
  std::string shard = "1/1";
};

// An error if the flags of a sweep of values do not fit together, or if there is nothing to sweep.
absl::Status CheckValueSweep(const SweepFlags& flags);
// Runs a sweep of values on a toolchain that `flags.toolchain` created.
absl::StatusOr<ValueSweepSummary> RunValues(const SweepFlags& flags, Toolchain& toolchain,
                                            const std::string& command_line);

// Each runs its sweep, prints the disagreements and a last line with totals, and writes the file. Returns an
// ExitStatus.
absl::StatusOr<int> RunTypeSweepCommand(const SweepFlags& flags, const std::string& command_line);
absl::StatusOr<int> RunValueSweepCommand(const SweepFlags& flags, const std::string& command_line);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_SWEEP_H_
