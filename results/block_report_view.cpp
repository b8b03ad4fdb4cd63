// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The view of a coverage run.
#include <utility>

#include "absl/strings/str_cat.h"
#include "results/result_file.h"
#include "results/text.h"
#include "results/view.h"

namespace tosaic {

ResultReport ViewOf(BlockReport read, const std::string& file) {
  ResultReport report = {.kind = ResultKind::kCoverage, .file = file};
  report.text = ToText(read, false);
  report.title = absl::StrCat("Coverage of ", read.library, " by ", read.of);
  report.sides = {{"", read.provenance}};
  report.facts = {{"cases of", read.of}, {"route", read.route.empty() ? "each case's own" : read.route}};
  report.cases = read.cases;
  report.functions = std::move(read.functions);
  report.notes = std::move(read.left_out);
  report.interrupted = read.interrupted;
  report.elapsed_seconds = read.elapsed_seconds;
  return report;
}

}  // namespace tosaic
