// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the inputs that a patch gets wrong from those that the MLIR below it gets wrong too.
#ifndef TOSAIC_SWEEPS_AGAINST_BASE_H_
#define TOSAIC_SWEEPS_AGAINST_BASE_H_

#include <cstdint>
#include <vector>

#include "checking/patch_base.h"
#include "model/observation.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "sweeps/value_chunk.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// What a program of one op shows with the patch, without it, and on ways behind the patch's passes.
struct Observations {
  Observation patch, base;
  std::vector<Observation> ways;
};
// In a worker.
Observations ObserveBeside(Toolchain& toolchain, const PatchBase& base, const Case& test_case);

// The findings of the program, whose inputs are those of a sweep from `first` on: those of inputs that the patch gets
// wrong (OtherResults) are findings of their own. What the base computes alike is judged only as far as a finding
// would else have no example.
std::vector<ValueChunk::Finding> SetApart(std::vector<ValueChunk::Finding> findings, const Case& test_case,
                                          const Observations& seen, uint64_t first, const JudgeOptions& options);

}  // namespace tosaic

#endif  // TOSAIC_SWEEPS_AGAINST_BASE_H_
