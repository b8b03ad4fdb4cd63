// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sweep's results as text, at the end of a run. Nothing is decided here.
#ifndef TOSAIC_RESULTS_TYPE_SWEEP_TEXT_H_
#define TOSAIC_RESULTS_TYPE_SWEEP_TEXT_H_

#include <string>

#include "results/type_sweep.h"

namespace tosaic {

// The disagreements, and a last line with "N decisions", the rate and their number.
std::string SweepToText(const SweepSummary& summary);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_TYPE_SWEEP_TEXT_H_
