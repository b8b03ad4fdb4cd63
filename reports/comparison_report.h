// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writers of a comparison of two conformance reports: text for a terminal, Markdown for a pull request.
#ifndef TOSAIC_REPORTS_COMPARISON_REPORT_H_
#define TOSAIC_REPORTS_COMPARISON_REPORT_H_

#include <string>

#include "results/conformance.h"

namespace tosaic {

std::string ComparisonToText(const Comparison& comparison);
// Short, with what is long folded away.
std::string ComparisonToMarkdown(const Comparison& comparison);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_COMPARISON_REPORT_H_
