// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzzers/fuzz_one.h"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "checking/check_case.h"
#include "checking/circumstances.h"
#include "checking/embedded_lists.h"
#include "checking/library_function.h"
#include "checking/signature.h"
#include "diagnosis/plain_case.h"
#include "fuzzers/crash_state.h"
#include "fuzzers/features.h"
#include "oracle/judge.h"
#include "oracle/probe_legality.h"
#include "results/judgement_text.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/progress.h"
#include "workers/fixed_addresses.h"
#include "workers/signal_trap.h"

namespace tosaic {
namespace {

template <typename T>
T OrDie(absl::StatusOr<T> value) {
  if (value.ok()) return *std::move(value);
  std::fprintf(stderr, "tosaic: %s\n", std::string(value.status().message()).c_str());
  std::exit(3);
}

KnownDivergences ReadKnown() {
  const char* path = std::getenv("TOSAIC_KNOWN");
  if (path == nullptr) return OrDie(KnownDivergences::FromText(EmbeddedKnownDivergences().front().content));
  absl::StatusOr<KnownDivergences> known = KnownDivergences::FromFile(path);
  if (known.ok()) return *std::move(known);
  std::fprintf(stderr, "tosaic: TOSAIC_KNOWN: %s\n", std::string(known.status().message()).c_str());
  std::exit(2);
}

std::optional<KnownDivergences> known_at_start;

std::unique_ptr<Toolchain> FreshToolchain() {
  ToolchainOptions options;
  options.library_function = OracleLibrary();
  std::unique_ptr<Toolchain> fresh = OrDie(CreateMlirToolchain(options));
  fresh->patterns()->Watch(LightFeature);
  return fresh;
}

std::string About(const SpecCase& subject) {
  if (subject.probe() != nullptr) return ToString(*subject.probe());
  const Program& program = subject.test_case()->program;
  return Signature(program, program.ops.back());
}

[[noreturn]] void Stop(const SpecCase& subject, absl::string_view reason, const Judgement& judgement) {
  std::fprintf(stderr, "\ntosaic: a new divergence: %s\n%s\n%s\nthe case, for 'tosaic check' and 'tosaic reduce':\n%s",
               std::string(reason).c_str(), About(subject).c_str(), JudgementToText(judgement).c_str(),
               SpecCaseToText(subject).c_str());
  std::fprintf(stderr, "%s\n%s\n", DedupTokenOf(reason).c_str(), FatalCheckOf(reason).c_str());
  std::abort();
}

}  // namespace

void ReadKnownAtStart() { known_at_start = ReadKnown(); }

FuzzOne::FuzzOne(int inputs_per_toolchain)
    : inputs_per_toolchain_(inputs_per_toolchain), known_(known_at_start ? *known_at_start : ReadKnown()) {}

void FuzzOne::RefreshToolchain() {
  if (toolchain_ != nullptr && !TakeRetirement() && inputs_++ % inputs_per_toolchain_ != 0) return;
  toolchain_.reset();  // before the next: two contexts at a time are twice the memory
  toolchain_ = FreshToolchain();
  known_ = known_.For(toolchain_->description().version);
}

bool FuzzOne::Try(const Case& test_case) {
  RefreshToolchain();
  const Observation observation = Observe([&] { return toolchain_->Observe(test_case); });
  const Judgement judgement = Judge(test_case, observation);
  LightFeatures(test_case, observation, judgement);
  if (judgement.verdict == Verdict::kHarnessFault)
    Stop({test_case, "", {}}, std::string(Name(judgement.rule)), judgement);
  if (!IsDivergence(judgement.verdict) || judgement.beyond_spec) return false;
  const FindingSignature signature = SignatureOf(test_case, observation, judgement);
  // After a death there is no toolchain to ask.
  const bool is_known = toolchain_ != nullptr ? known_.Find(signature, &test_case, *toolchain_) != nullptr
                                              : known_.Find(signature, Circumstances()) != nullptr;
  return is_known || Confirm({test_case, "", {}});
}

bool FuzzOne::Try(const OpSignature& probe) {
  RefreshToolchain();
  const Observation observation = Observe([&] { return toolchain_->verifier()->ObserveProbe(probe); });
  const Judgement judgement = JudgeProbe(probe, observation, Policies());
  LightFeatures(probe, observation, judgement);
  if (judgement.verdict == Verdict::kHarnessFault) Stop({probe, "", {}}, std::string(Name(judgement.rule)), judgement);
  if (!IsDivergence(judgement.verdict)) return false;
  return known_.Find(SignatureOf(probe, judgement), Circumstances()) != nullptr || Confirm({probe, "", {}});
}

// MLIR's death is an observation too; then the toolchain is left to lie where it fell.
Observation FuzzOne::Observe(absl::FunctionRef<Observation()> observe) {
  Observation observation;
  const std::optional<TrappedSignal> trapped = RunTrapped([&] { observation = observe(); });
  RetireAfter(observation);
  if (!trapped) return observation;
  (void)toolchain_.release();
  Observation death = EndedAt(ReadProgress(CurrentProgress()));
  death.signal = trapped->signal;
  return death;
}

// An earlier input may have left something behind, so a new divergence has to show with a fresh toolchain, in a process
// of its own. Returns whether it shows, and is known after all.
bool FuzzOne::Confirm(const SpecCase& subject) {
  const std::unique_ptr<Toolchain> fresh = FreshToolchain();
  const CheckedCase checked = [&] {
    const DeadlySignals for_the_child;
    return CheckCase(*fresh, subject, WorkerLimits(), JudgeOptions());
  }();
  if (checked.signature.empty()) return false;
  const Case* test_case = checked.twin ? &*checked.twin : subject.test_case();
  if (known_.Find(checked.signature, test_case, *fresh) != nullptr) return true;
  if (test_case != nullptr) {
    constexpr absl::Duration kBudget = absl::Seconds(15);  // the services give an input 25
    const DeadlySignals for_the_child;
    const FindingSignature& signature = checked.signature;
    if (IsKnownReduced(*fresh, known_, *test_case, signature, WorkerLimits(), JudgeOptions(), kBudget)) return true;
  }
  Stop(subject, ToString(checked.signature), checked.judgement);
}

}  // namespace tosaic

extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
  tosaic::FixAddresses(*argv);
  tosaic::ReadKnownAtStart();
  return 0;
}
