// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of a run according to its observation: the operands that an op really got, and the result that it made.
#ifndef TOSAIC_ORACLE_RUN_VALUES_H_
#define TOSAIC_ORACLE_RUN_VALUES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "model/observation.h"
#include "model/program.h"
#include "model/tensor.h"
#include "oracle/result_shape.h"

namespace tosaic {

// Each op's result, by index into Program::ops; null if the program does not return it. REQUIRES: the observation has
// all results of the program.
std::vector<const Tensor*> KnownOpResults(const Program& program, const RunObservation& run);

// An argument, constant or op's result in a run of the case; null if it is an intermediate that is not known.
const Tensor* ValueIn(const Case& test_case, size_t run, const std::vector<const Tensor*>& op_results, ValueRef ref);

// The operands that an op got in a run of the case; `op_results` are the ops' results (or null). Empty if an operand is
// an intermediate value that is not known.
std::vector<const Tensor*> OperandsIn(const Case& test_case, size_t run, const std::vector<const Tensor*>& op_results,
                                      const OpApplication& op);

// The sizes of the op's result for these operands.
RuntimeShape SizesFor(const OpApplication& op, const std::vector<const Tensor*>& operands);

// Which ops compute a value, back to the values that the program returns (JudgedElements::computed): "exp";
// "negate(exp)" if the program does not return the result of exp; "add(mul, exp(negate))", at most three deep;
// "argument", "constant".
std::string ComputationOf(const Program& program, ValueRef ref);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_RUN_VALUES_H_
