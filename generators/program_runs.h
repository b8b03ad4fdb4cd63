// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes runs of a program of any ops: run-time sizes that fit everywhere, and data that leaves as little undefined as
// possible.
#ifndef TOSAIC_GENERATORS_PROGRAM_RUNS_H_
#define TOSAIC_GENERATORS_PROGRAM_RUNS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generators/choice_source.h"
#include "model/program.h"

namespace tosaic {

// Repairs the data that reaches an op from arguments and constants, so that no element is unpredictable; intermediate
// values may still make one so. REQUIRES: the sizes fit.
void RepairProgramRun(Program& program, Run& run);

// The same for a user's program, which does not change. If operands have different ranks or no elements (a dimension of
// 0 is illegal), it repairs nothing.
void RepairRun(const Program& program, Run& run);

// Whether the run has a tensor for each argument that its type admits, all operands broadcast, and results are what
// their types admit.
bool FitsProgram(const Program& program, const Run& run);

// Draws up to `count` runs of a program that was not generated: first with each dynamic dimension as large as the types
// around it say, then with 1 in some of an argument's. None if no sizes fit (an illegal program), one if there are no
// arguments. The program does not change: elements that its constants make undefined are undefined in the runs, too.
// Arguments of more than `max_elements` are left out.
std::vector<Run> DrawProgramRuns(ChoiceSource& choices, int count, int64_t max_elements, const Program& program);

// Draws a run whose innermost dynamic dimension is greater than vectors and unrolled loops are, and no multiple of
// their sizes. None if the types around it say what it is, or if no sizes fit.
std::optional<Run> DrawWideRun(ChoiceSource& choices, int64_t max_elements, const Program& program);

// Runs of the sizes of `first`, a run of the program, in which each argument has every special value of its element
// type and any two have every pair of the core ones (special_values.h), until what would be undefined is repaired. None
// if there are no arguments.
std::vector<Run> SpecialProgramRuns(const Program& program, const Run& first);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_PROGRAM_RUNS_H_
