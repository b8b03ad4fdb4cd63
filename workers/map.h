// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typed tasks for worker processes: a worker's answer is a value with fields (codec/visitor.h), and so is its death.
// Callers need no encoding of their own.
#ifndef TOSAIC_WORKERS_MAP_H_
#define TOSAIC_WORKERS_MAP_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "workers/worker_pool.h"

namespace tosaic {

// The end of a task: the worker's answer, or how it died.
template <typename Out>
struct WorkerResult {
  Out answer{};
  std::optional<Death> death;
};

// Runs numbered tasks as RunTasks does. It also fails if an answer cannot be read.
template <typename Out>
absl::Status MapNumbers(const PoolOptions& options, const std::atomic<bool>* stop,
                        absl::FunctionRef<std::optional<uint64_t>()> next, absl::FunctionRef<Out(uint64_t task)> work,
                        absl::FunctionRef<void(uint64_t task, WorkerResult<Out>)> done) {
  absl::Status malformed;
  const absl::Status status = RunTasks(
      options, stop, next, [&](uint64_t task) { return ToLine(work(task)); },
      [&](TaskResult result) {
        if (result.death) return done(result.task, {.death = std::move(result.death)});
        absl::StatusOr<Out> answer = FromText<Out>(result.payload);
        if (answer.ok()) return done(result.task, {.answer = *std::move(answer)});
        malformed.Update(absl::InternalError(
            absl::StrCat("task ", result.task, ": a worker's answer is malformed: ", answer.status().message())));
      });
  return malformed.ok() ? status : malformed;
}

// The same for the numbers from 0 to `count` - 1.
template <typename Out>
absl::Status MapIndices(const PoolOptions& options, const std::atomic<bool>* stop, uint64_t count,
                        absl::FunctionRef<Out(uint64_t task)> work,
                        absl::FunctionRef<void(uint64_t task, WorkerResult<Out>)> done) {
  uint64_t at = 0;
  return MapNumbers<Out>(
      options, stop, [&] { return at < count ? std::optional<uint64_t>(at++) : std::nullopt; }, work, done);
}

// Runs one task per input. `done` is called in order of completion, but not for tasks that were dropped when stopped.
template <typename In, typename Out>
absl::Status Map(const PoolOptions& options, const std::atomic<bool>* stop, const std::vector<In>& inputs,
                 absl::FunctionRef<Out(const In&)> work, absl::FunctionRef<void(const In&, WorkerResult<Out>)> done) {
  return MapIndices<Out>(
      options, stop, inputs.size(), [&](uint64_t task) { return work(inputs[task]); },
      [&](uint64_t task, WorkerResult<Out> result) { done(inputs[task], std::move(result)); });
}

// Does one task in a fresh process. Fails if the process cannot be created, or if it was stopped before it answered.
template <typename Out>
absl::StatusOr<WorkerResult<Out>> InFreshProcess(const WorkerLimits& limits, absl::FunctionRef<Out()> work,
                                                 const std::atomic<bool>* stop = nullptr) {
  absl::StatusOr<WorkerResult<Out>> only = absl::CancelledError("stopped before it answered");
  absl::Status status = MapIndices<Out>(
      {.limits = limits}, stop, 1, [&](uint64_t) { return work(); },
      [&](uint64_t, WorkerResult<Out> result) { only = std::move(result); });
  if (!status.ok()) return status;
  return only;
}

}  // namespace tosaic

#endif  // TOSAIC_WORKERS_MAP_H_
