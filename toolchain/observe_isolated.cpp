// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/observe_isolated.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "toolchain/progress.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// add(?, ?) of f32, one run: a little of everything that most cases need.
Case WarmUpCase() {
  const TensorType type{Shape({Dim::Dynamic()}), ElementType::kF32};
  Case warm_up;
  warm_up.program.arguments = {type, type};
  OpApplication add;
  add.operands = {{ValueRef::Kind::kArgument, 0}, {ValueRef::Kind::kArgument, 1}};
  add.result = type;
  warm_up.program.ops = {add};
  warm_up.program.results = {{ValueRef::Kind::kOp, 0}};
  warm_up.runs = {{Tensor(ElementType::kF32, {2}), Tensor(ElementType::kF32, {1})}};
  return warm_up;
}

}  // namespace

Observation ObserveIsolated(absl::FunctionRef<Observation()> observe, const WorkerLimits& limits) {
  SetOwnWork(true);  // what is tested works there, not here
  absl::StatusOr<WorkerResult<Observation>> result =
      InFreshProcess<Observation>(limits, [&] { return Observed(observe); });
  if (result.ok()) return result->death ? ObservationOf(*result->death) : std::move(result->answer);
  Observation failure;
  failure.outcome = Outcome::kToolFailure;
  failure.diagnostics.push_back(std::string(result.status().message()));
  return failure;
}

void WarmUp(Toolchain& toolchain) {
  const Case warm_up = WarmUpCase();
  const bool survives = ObserveIsolated(toolchain, warm_up, {}).outcome == Outcome::kCompleted;
  if (survives) (void)toolchain.Observe(warm_up);
}

Observation ObserveIsolated(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits) {
  return ObserveIsolated([&] { return toolchain.Observe(test_case); }, limits);
}

Observation ObserveIsolated(Toolchain& toolchain, const OpSignature& probe, const WorkerLimits& limits) {
  if (Verifier* verifier = toolchain.verifier()) {
    return ObserveIsolated([&] { return verifier->ObserveProbe(probe); }, limits);
  }
  Observation lacking;
  lacking.stage = Stage::kBuild;
  lacking.outcome = Outcome::kRefused;
  lacking.diagnostics = {absl::StrCat(toolchain.description().name, kLacksProbe)};
  return lacking;
}

}  // namespace tosaic
