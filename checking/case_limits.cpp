// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/case_limits.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/shape.h"
#include "oracle/result_shape.h"

namespace tosaic {
namespace {

bool IsTooLarge(const std::vector<int64_t>& sizes) {
  return ElementCount(sizes) > kMostElements ||
         std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size > kMostElements; });
}

}  // namespace

std::string BeyondLimits(const Case& test_case) {
  const Program& program = test_case.program;
  if (test_case.runs.empty()) return "";
  if (program.arguments.size() > kMostArgumentsOfRuns) {
    return absl::StrCat(program.arguments.size(), " arguments, and a run takes up to ", kMostArgumentsOfRuns);
  }
  const auto too_large = [](size_t run, absl::string_view value, const std::vector<int64_t>& sizes) {
    return absl::StrCat("run ", run, ": ", value, " has the sizes ", SizesToString(sizes),
                        ", and a tensor takes up to ", kMostElements, " elements");
  };
  for (size_t r = 0; r < test_case.runs.size(); ++r) {
    const Run& run = test_case.runs[r];
    for (size_t i = 0; i < run.size(); ++i) {
      if (IsTooLarge(run[i].sizes())) return too_large(r, absl::StrCat("%arg", i), run[i].sizes());
    }
    const auto of_ops = SizesOfAllOps(program, run);
    for (size_t i = 0; of_ops && i < of_ops->size(); ++i) {
      if (IsTooLarge((*of_ops)[i])) return too_large(r, absl::StrCat("%", i), (*of_ops)[i]);
    }
  }
  return "";
}

}  // namespace tosaic
