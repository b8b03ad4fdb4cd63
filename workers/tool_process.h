// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ToolProcess: runs a program to its end, without a shell and within its own limits. Its output is kept in memory.
// Nothing is left behind when it or this process ends.
#ifndef TOSAIC_WORKERS_TOOL_PROCESS_H_
#define TOSAIC_WORKERS_TOOL_PROCESS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tosaic {

struct ToolLimits {
  int cpu_seconds = 10;
  int wall_seconds = 60;
  uint64_t memory_bytes = uint64_t{4} << 30;    // of address space
  uint64_t output_bytes = uint64_t{256} << 20;  // of standard output and error each
};

struct ToolEnd {
  enum class How : uint8_t {
    kExited,
    kSignal,         // it died of one
    kDeadline,       // CPU or wall time ran out
    kTooMuchOutput,  // it did not stop printing
    kNotStarted,     // it could not be executed; `err` says why
  };
  How how = How::kNotStarted;
  int status = 0;  // kExited: the exit status; kSignal: the signal
  std::string out;
  std::string err;
  bool cramped = false;  // it had less memory than its limit, by a limit that this process was started with (ulimit -v)
};

// `arguments` begin with the program's path; `input` is its standard input.
ToolEnd RunTool(const std::vector<std::string>& arguments, absl::string_view input, const ToolLimits& limits);

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_TOOL_PROCESS_H_
