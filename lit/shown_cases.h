// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects the programs of the conformance suite that a reader should see: for an op's first element type every
// combination of shapes, for the other types one program each. Their numbers are small, so that people can check them.
#ifndef TOSAIC_LIT_SHOWN_CASES_H_
#define TOSAIC_LIT_SHOWN_CASES_H_

#include <string>
#include <vector>

#include "model/op_catalogue.h"
#include "model/program.h"
#include "oracle/allowed_set.h"

namespace tosaic {

struct ShownCase {
  std::string function;  // "add_f32_static_broadcast"
  Program program;       // one op
};

// Programs that are legal and ranked.
std::vector<ShownCase> ShownLowerings(OpKind op);
// Programs that the verifier must refuse: one for each way to be illegal.
std::vector<ShownCase> ShownIllegal(OpKind op);
// Programs whose values are worth printing, and the values: a tensor for each argument.
struct ShownRun {
  ShownCase shown;
  Run run;
  bool transposes = false;  // the first argument comes with its dimensions swapped (TransposedFunctionText)
};
std::vector<ShownRun> ShownRuns(OpKind op);

// The allowed set of each element of the result; none if the run's extents do not fit. REQUIRES: one op.
std::vector<AllowedSet> AllowedIn(const Program& program, const Run& run);

}  // namespace tosaic

#endif  // TOSAIC_LIT_SHOWN_CASES_H_
