// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOSAIC_TOOLS_MERGE_H_
#define TOSAIC_TOOLS_MERGE_H_

#include "tools/subcommands.h"

namespace tosaic {

void AddMerge(CLI::App& app, CommandLine& command_line);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_MERGE_H_
