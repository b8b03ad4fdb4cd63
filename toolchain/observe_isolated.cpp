#include "toolchain/observe_isolated.h"

#include <optional>
#include <string>
#include <utility>

#include "model/json.h"

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

// What `observe` says in a fresh process.
Observation Isolated(absl::FunctionRef<Observation()> observe, const WorkerLimits& limits) {
  Observation observation;
  auto fail = [&](absl::string_view why) {
    observation = Observation();
    observation.outcome = Outcome::kToolFailure;
    observation.diagnostics.push_back(std::string(why));
  };
  bool given = false;
  PoolOptions options;
  options.limits = limits;
  const absl::Status status = RunTasks(
      options, nullptr,
      [&]() -> std::optional<uint64_t> {
        return std::exchange(given, true) ? std::nullopt : std::optional<uint64_t>(0);
      },
      [&](uint64_t, bool*) { return Dump(ToJson(observe()), -1); },
      [&](TaskResult result) {
        if (result.death) {
          observation = *std::move(result.death);
          return;
        }
        const absl::StatusOr<Json> json = ParseJson(result.payload);
        if (!json.ok()) return fail(json.status().message());
        absl::StatusOr<Observation> parsed = FromJson<Observation>(*json);
        if (!parsed.ok()) return fail(parsed.status().message());
        observation = *std::move(parsed);
      });
  if (!status.ok()) fail(status.message());
  return observation;
}

}  // namespace

void WarmUp(Toolchain& toolchain) {
  const Case warm_up = WarmUpCase();
  const bool survives = ObserveIsolated(toolchain, warm_up, {}).outcome == Outcome::kCompleted;
  if (survives) (void)toolchain.Observe(warm_up);
}

Observation ObserveIsolated(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits) {
  return Isolated([&] { return toolchain.Observe(test_case); }, limits);
}

Observation ObserveIsolated(Toolchain& toolchain, const OpSignature& probe, const WorkerLimits& limits) {
  return Isolated([&] { return toolchain.ObserveProbe(probe); }, limits);
}

}  // namespace tosaic
