// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Observes and judges one case, or one case file, together with its twin; and reduces a case.
#ifndef TOSAIC_CHECKING_CHECK_CASE_H_
#define TOSAIC_CHECKING_CHECK_CASE_H_

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "model/judged_case.h"
#include "model/observation.h"
#include "model/program.h"
#include "model/signature.h"
#include "model/spec_case.h"
#include "model/verdict.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/shared_text.h"
#include "workers/worker_pool.h"

namespace tosaic {

class Visitor;

struct CheckedCase : JudgedCase {
  // Set if the rest is about a twin of the case (generators/twins.h), which is a complete case; and that twin's name:
  // the case's own, or "all-returned" if that shows which of several ops is wrong.
  std::optional<Case> twin;
  std::string twin_name;
  bool is_wrong_itself = false;  // the twin only shows which op is wrong
};

// The judge's options that fit the toolchain: its version, and the dialect whose verifier it has.
JudgeOptions ForToolchain(const Toolchain& toolchain, JudgeOptions judge);

// Observes a case by `observe`, and judges it. If nothing is wrong with it, it also observes and judges its twin. If
// something is wrong with the twin, the answer is about the twin; otherwise the two are compared (oracle/twins.h). If a
// wrong value may come from any of several ops, and some value is still wrong when all are returned, the answer is
// about the case that returns all. If a run whose results are undefined stopped the process, the runs after it are
// judged as a case of their own, and the answer is about that one if it is a divergence or a harness-fault.
CheckedCase CheckWith(absl::FunctionRef<Observation(const Case&)> observe, const Case& test_case,
                      const JudgeOptions& judge);

void Fields(Visitor& v, CheckedCase& checked);

// Whether a case shows the finding with that signature, itself and not by its twin alone.
bool Shows(const FindingSignature& signature, const Case& test_case, const CheckedCase& checked);

// The same, each observation alone in a fresh process, judged by the options that fit the toolchain. Judging has the
// same limits of time and memory: beyond them the answer is a harness-fault that says so.
CheckedCase CheckCase(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                      const JudgeOptions& judge);

// The same for a case or a probe of the trait, but first checks that the oracle agrees with what the file expects. If
// it does not, this is a harness-fault, harness.expected.
CheckedCase CheckCase(Toolchain& toolchain, const SpecCase& spec_case, const WorkerLimits& limits,
                      const JudgeOptions& judge);

// The error that the case does not diverge and cannot be `done` ("reduced"), or that Tosaic failed to judge it.
absl::Status NoDivergence(const Judgement& judgement, absl::string_view done);

struct ReduceOptions {
  // Wall time, after which the best so far is the answer. Without, only the number of attempts is limited: the answer
  // is then the same each time.
  std::optional<absl::Duration> budget;
  const std::atomic<bool>* stop = nullptr;  // set (Ctrl-C): the same
  // Gets each step that made the case smaller. It is called in another process, so only its output is visible.
  std::function<void(absl::string_view name, absl::string_view description)> on_step;
  // If set, a candidate that shows the divergence is taken only if this says so, too. It is called in another process.
  std::function<bool(const Case& candidate, const Judgement& judgement)> also;
  SharedText* best = nullptr;  // if not null, gets the best so far, which is read if this process is ended
};

// Reduces a divergent case as long as verdict and signature stay the same. It runs candidates in one worker process; it
// falls back to one process per candidate if a candidate kills the worker, or if the result does not show the
// divergence alone. If stopped early, it returns the best result so far, at worst the original.
absl::StatusOr<Case> ReduceCase(Toolchain& toolchain, const Case& original, const FindingSignature& signature,
                                const WorkerLimits& limits, const JudgeOptions& judge,
                                const ReduceOptions& options = {});

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_CHECK_CASE_H_
