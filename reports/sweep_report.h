// Writers of a sweep's results: the result file, and the text at the end of a run. Nothing is decided here.
#ifndef TOSAIC_REPORTS_SWEEP_REPORT_H_
#define TOSAIC_REPORTS_SWEEP_REPORT_H_

#include <string>

#include "results/type_sweep.h"

namespace tosaic {

// Keys: provenance, options, decisions, accepted, rules, notes, disagreements, by_op, interrupted, elapsed_seconds,
// decisions_per_second, jobs (docs/case-format.md).
Json SweepToJson(const SweepSummary& summary);
// The disagreements, and a last line with "N decisions", the rate and their number.
std::string SweepToText(const SweepSummary& summary);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_SWEEP_REPORT_H_
