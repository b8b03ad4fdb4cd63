// tosaic sweep --values: the part of `tosaic sweep` that sweeps values.
#ifndef TOSAIC_TOOLS_SWEEP_VALUES_H_
#define TOSAIC_TOOLS_SWEEP_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/subcommands.h"

namespace tosaic {

struct ValueSweepFlags {
  ToolchainFlags toolchain;
  PolicyFlags policy;
  uint64_t inputs = 200'000;
  int jobs = 1;
  std::vector<std::string> ops;
  std::vector<std::string> types;
  std::string known;
  std::string out;  // empty: no file
  bool markdown = false;
};

// Runs the sweep, prints the profile and what disagrees, writes the file. Returns an ExitStatus.
int RunValueSweepCommand(const ValueSweepFlags& flags, const std::string& command_line);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_SWEEP_VALUES_H_
