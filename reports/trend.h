// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page that shows all nights in the order of time, with a small chart per measure and a table. It needs no other
// file.
#ifndef TOSAIC_REPORTS_TREND_H_
#define TOSAIC_REPORTS_TREND_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "results/nights.h"

namespace tosaic {

// A file or folder of a night, and its path relative to the page.
struct NightLink {
  std::string name, path;
};

// The page. `links_of`: what is there of a night; nothing if its folder was removed.
std::string TrendPage(const NightHistory& history, absl::FunctionRef<std::vector<NightLink>(const NightRow&)> links_of);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_TREND_H_
