// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the pass of a route that causes a case's divergence. If the IR does not verify after a pass, or MLIR dies in
// it, that is the pass. A divergence that only the running code shows is found by executing: it replaces the rest of
// the pipeline by that of another route, or leaves passes out. If every way to code has the same passes, no execution
// tells them apart, and the answer is an interval.
#ifndef TOSAIC_DIAGNOSIS_PASS_BISECTION_H_
#define TOSAIC_DIAGNOSIS_PASS_BISECTION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "checking/check_case.h"
#include "diagnosis/rewritten_program.h"
#include "model/program.h"
#include "model/verdict.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

struct BisectedPass {
  std::string text;      // with its options
  bool changes = false;  // the IR differs from that before it
  // Right results still come of the IR after it: the rest of some route computes them, or the oracle does on the IR
  // read again as a program.
  bool right = false;
  bool wrong = false;    // the IR after it, read again as a program, is wrong by the oracle
  bool suspect = false;  // it may be the one
};

struct PassBisection {
  Judgement judgement;  // of the case on its route
  FindingSignature signature;
  std::string pipeline;
  std::vector<BisectedPass> passes;  // of the pipeline, in order
  // Indices of the suspects, ascending. One: that pass. Several: not to be told apart by executing.
  std::vector<size_t> suspects;
  // LLVM's code generation, which comes behind all passes, may be at fault too: no pass pipeline makes right code.
  bool code_generation = false;
  // Of a route that the user has edited: the passes in which it differs from the route as it is, if that one is right.
  // They make the case wrong, or bring to light what a later pass gets wrong.
  std::string edit;
  std::string evidence;  // one sentence
  bool folded = false;   // every way to code diverges, and with constants as arguments none: a folder is to blame
  int executed = 0;      // pass pipelines that were tried
};

void Fields(Visitor& v, BisectedPass& pass);
void Fields(Visitor& v, PassBisection& bisection);

// Errors: the case does not diverge, or no pass takes part in what diverges.
absl::StatusOr<PassBisection> BisectPasses(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                                           const JudgeOptions& judge, const ProgramReader& read = nullptr);

// The pass to blame, with its options; empty if several cannot be told apart.
std::string PassToBlame(const PassBisection& bisection);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_PASS_BISECTION_H_
