// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that calls another one on constants and prints what it returns, with the CHECK lines for every value that
// the documents allow.
#ifndef TOSAIC_LIT_RUN_CHECKS_H_
#define TOSAIC_LIT_RUN_CHECKS_H_

#include <set>
#include <string>

#include "lit/shown_cases.h"

namespace tosaic {

// The lines of the caller's body for one run; `calls` tells its values from those of other calls. Adds the names of the
// printing functions that it needs.
std::string CallAndPrint(const ShownRun& run, size_t call, std::set<std::string>* printers);
// "// CHECK: ..." for what it prints.
std::string PrintedChecks(const ShownRun& run);

}  // namespace tosaic

#endif  // TOSAIC_LIT_RUN_CHECKS_H_
