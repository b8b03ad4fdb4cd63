// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value sweep's results as text: at the end of a run, and the accuracy profile as a table for docs/.
#ifndef TOSAIC_RESULTS_VALUE_SWEEP_TEXT_H_
#define TOSAIC_RESULTS_VALUE_SWEEP_TEXT_H_

#include <string>

#include "results/value_sweep.h"

namespace tosaic {

std::string ToText(const ValueSweepSummary& summary);
// The profile of the ops whose rule allows an error, with a row per op and element types.
std::string ProfileToMarkdown(const ValueSweepSummary& summary);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_VALUE_SWEEP_TEXT_H_
