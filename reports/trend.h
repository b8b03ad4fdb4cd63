// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page that shows all nights in the order of time, with a small chart per measure and a table. It needs no other
// file.
#ifndef TOSAIC_REPORTS_TREND_H_
#define TOSAIC_REPORTS_TREND_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "results/nights.h"

namespace tosaic {

// The page. `summary_of`: the path of a night's summary, relative to the page; "" if it is no longer there.
std::string TrendPage(const NightHistory& history, absl::FunctionRef<std::string(const NightRow&)> summary_of);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_TREND_H_
