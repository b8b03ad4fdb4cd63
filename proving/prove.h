// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves the bodies of a lowering (docs/proofs.md): takes them from the text that a route leaves, asks the solver in
// workers with limits, and runs each refutation as any other case. A proof is never believed against an execution.
#ifndef TOSAIC_PROVING_PROVE_H_
#define TOSAIC_PROVING_PROVE_H_

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "checking/known_divergences.h"
#include "checking/patch_base.h"
#include "oracle/judge.h"
#include "results/proofs.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

struct ProofOptions {
  std::vector<OpKind> ops;         // empty: all
  std::vector<ElementType> types;  // of the inputs; empty: all
  std::string route = "contract";
  bool folders = false;  // what the canonicalizer makes of programs that it may fold, in the place of all bodies
  int jobs = 1;
  int timeout_seconds = 30;  // of the solver, for an op with its element types
  WorkerLimits limits;       // of a run
  JudgeOptions judge;
  KnownDivergences known;
  std::optional<PatchBase> base;  // stock MLIR, if there is one: no known cause of MLIR explains what it has right
  std::string command_line;       // for the provenance
};

// *stop set (Ctrl-C): ends early with what there is. The error is about the workers, or says that there is nothing to
// prove, or that the toolchain gives no text of its IR.
absl::StatusOr<ProofSummary> Prove(Toolchain& toolchain, const ProofOptions& options, const std::atomic<bool>* stop);

}  // namespace tosaic

#endif  // TOSAIC_PROVING_PROVE_H_
