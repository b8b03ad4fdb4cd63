// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps how a tool that never changes ended, in files beside it: a dated build is asked the same questions each time,
// which version it has, which passes, which words it reads.
#ifndef TOSAIC_TOOLCHAIN_EXTERNAL_KEPT_TOOL_END_H_
#define TOSAIC_TOOLCHAIN_EXTERNAL_KEPT_TOOL_END_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "workers/tool_process.h"

namespace tosaic {

// As RunTool, or the end that is kept in `folder` of the same arguments and input. Only what exits by 0 or 1 is kept.
// If the folder cannot be written, or a file in it is broken, the tool runs. `folder` empty: nothing is kept.
ToolEnd RunToolKept(const std::string& folder, const std::vector<std::string>& arguments, absl::string_view input,
                    const ToolLimits& limits);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_KEPT_TOOL_END_H_
