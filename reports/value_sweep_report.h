// Writers of a value sweep's results: the JSON of --out (docs/case-format.md), the text, and the accuracy profile as a
// table for docs/. Writers only.
#ifndef TOSAIC_REPORTS_VALUE_SWEEP_REPORT_H_
#define TOSAIC_REPORTS_VALUE_SWEEP_REPORT_H_

#include <string>

#include "model/json.h"
#include "results/value_sweep.h"

namespace tosaic {

Json ToJson(const ValueSweepSummary& summary);
std::string ToText(const ValueSweepSummary& summary);
// The profile of the ops whose rule leaves room for an error, a row per op and element types.
std::string ProfileToMarkdown(const ValueSweepSummary& summary);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_VALUE_SWEEP_REPORT_H_
