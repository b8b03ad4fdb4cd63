// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SweepComparison: changes of ops' values by a patch, from the result files of two sweeps of values.
#ifndef TOSAIC_RESULTS_SWEEP_COMPARISON_H_
#define TOSAIC_RESULTS_SWEEP_COMPARISON_H_

#include <cstdint>
#include <string>
#include <vector>

#include "results/value_sweep.h"

namespace tosaic {

// A row of both sweeps, of the same inputs, that differs.
struct SweepChange {
  std::string row;             // "tanh f32", "clamp f32 min_val=-1.5 max_val=6"
  std::string op, types;       // of it
  double error_before = 0;     // the largest, in units of the result's last place
  double error_after = 0;      //
  std::string error_at;        // inputs with the patch's largest error
  uint64_t judged_before = 0;  // inputs (AccuracyProfile::Judged)
  uint64_t judged_after = 0;   //
  std::string not_judged;      // why the patch's others are not: "lowering-failed"; empty if there are none
  uint64_t open_before = 0;    // inputs of these for which more than half of all values are right
  uint64_t open_after = 0;     //
  uint64_t wrong_before = 0;   // inputs
  uint64_t wrong_after = 0;    //
  std::string wrong_in_words;  // the patch's stretches (WrongInputsInWords)
  std::string newly_wrong;     // a stretch of the patch's that has an input that the base has right, of a sweep of all

  bool HasRegressed() const {
    return wrong_after > wrong_before || judged_after < judged_before || !newly_wrong.empty();
  }
};
void Fields(Visitor& v, SweepChange& change);

struct SweepComparison {
  uint64_t compared = 0;                    // rows
  std::vector<SweepChange> changes;         // in the order of the patch's rows
  std::vector<std::string> uncompared;      // rows that one of them lacks, has with other inputs, or failed on
  std::vector<std::string> harness_faults;  // of both: "base: add i32, inputs 0 to 65535: WHY"
  std::vector<Finding> regressions;         // the patch's findings of ops and types that regressed, with ValuesEvidence
};
void Fields(Visitor& v, SweepComparison& comparison);

bool HasRegressed(const SweepComparison& comparison);

SweepComparison CompareSweeps(const ValueSweepSummary& base, const ValueSweepSummary& patch);

// "tanh f32: worst error 3.1 -> 5.7 ulp at 0x3f123456", a line per change, and a last line with totals.
std::string ToText(const SweepComparison& comparison);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_SWEEP_COMPARISON_H_
