#include <optional>
#include <string>
#include <utility>

#include "model/json.h"
#include "toolchain/worker_pool.h"

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

void WarmUp(Toolchain& toolchain) {
  const Case warm_up = WarmUpCase();
  const bool survives = ObserveIsolated(toolchain, warm_up, {}).outcome == Outcome::kCompleted;
  if (survives) (void)toolchain.Observe(warm_up);
}

Observation ObserveIsolated(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits) {
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
      [&](uint64_t, bool*) { return Dump(ToJson(toolchain.Observe(test_case)), -1); },
      [&](TaskResult result) {
        if (result.death) {
          observation = *std::move(result.death);
          return;
        }
        absl::StatusOr<Observation> parsed = ObservationFromJson(ParseJson(result.payload).value_or(Json()));
        if (parsed.ok()) {
          observation = *std::move(parsed);
        } else {
          fail(parsed.status().message());
        }
      });
  if (!status.ok()) fail(status.message());
  return observation;
}

}  // namespace tosaic
