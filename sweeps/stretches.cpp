// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/stretches.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"

namespace tosaic {

std::vector<Stretch> StretchesOf(const std::vector<ValueSweep>& sweeps, uint64_t step) {
  std::vector<Stretch> stretches;
  for (size_t i = 0; i < sweeps.size(); ++i) {
    const uint64_t size = sweeps[i].inputs.size();
    for (uint64_t first = 0; first < size; first += step) stretches.push_back({i, first, std::min(step, size - first)});
  }
  return stretches;
}

std::string NameOf(const std::vector<ValueSweep>& sweeps, const Stretch& stretch) {
  const ValueSweep& sweep = sweeps[stretch.sweep];
  return absl::StrCat(Name(sweep.op), " ", TypesOf(sweep), sweep.setting.empty() ? "" : " ", sweep.setting, ", inputs ",
                      stretch.first, " to ", stretch.first + stretch.count - 1);
}

std::string ToText(absl::string_view label, const StretchProgress& progress) {
  const double rate = static_cast<double>(progress.inputs) / std::max(progress.seconds, 1e-9);
  const double left = std::ceil(static_cast<double>(progress.inputs_left) / std::max(rate, 1e-9));
  return absl::StrFormat("%d/%d programs %s, %d inputs, %d disagree, %.0f inputs/s, %s left", progress.done,
                         progress.all, label, progress.inputs, progress.disagreements, rate,
                         absl::FormatDuration(absl::Seconds(left)));
}

}  // namespace tosaic
