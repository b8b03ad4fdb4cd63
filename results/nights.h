// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nights leave for the nights after them: a row each, which stays when the night's folder is removed. Nights whose
// tests have come to test much less than those before are noticed by it.
#ifndef TOSAIC_RESULTS_NIGHTS_H_
#define TOSAIC_RESULTS_NIGHTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "codec/visitor.h"

namespace tosaic {

struct NightRow {
  std::string name;  // its folder below nights/
  uint64_t seed = 0;
  std::string ops;                    // "add,mul"; empty: all
  uint64_t cases = 0, runs = 0;       // of the campaign; runs: executed
  uint64_t compared = 0, masked = 0;  // elements; masked: left out as unpredictable
  uint64_t fresh = 0;                 // signatures that no list and no earlier night has
  std::vector<std::string> alarms;    // as AlarmsOf()
};
double RunsPerCase(const NightRow& night);
double ComparedShare(const NightRow& night);

// history.json, the oldest first.
struct NightHistory {
  std::vector<NightRow> nights;
};
void Fields(Visitor& v, NightRow& night);
void Fields(Visitor& v, NightHistory& history);

// What tonight's campaign does less than four fifths as much as the nights before, in sentences: execute runs, compare
// elements. The measure is the median of the latest nights on the same ops that had enough cases to tell; none: nothing
// is said.
std::vector<std::string> AlarmsOf(absl::Span<const NightRow> before, const NightRow& tonight);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_NIGHTS_H_
