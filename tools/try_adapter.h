// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic adapter-test, a command as those in subcommands.h.
#ifndef TOSAIC_TOOLS_TRY_ADAPTER_H_
#define TOSAIC_TOOLS_TRY_ADAPTER_H_

#include "tools/subcommands.h"

namespace tosaic {

void AddAdapterTest(CLI::App& app, CommandLine& command_line);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_TRY_ADAPTER_H_
