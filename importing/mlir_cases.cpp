// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "importing/mlir_cases.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "codec/status.h"
#include "generators/choice_source.h"
#include "generators/program_runs.h"
#include "generators/twins.h"
#include "model/observation.h"
#include "model/shape.h"
#include "oracle/policy.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"
#include "oracle/run_sets.h"
#include "toolchain/progress.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// Elements of an argument: of each of many runs, and of a single one, which takes about as long.
constexpr int64_t kMaxElements = 4096, kMaxElementsOfOneRun = 262'144;

absl::StatusOr<std::vector<ImportedFunction>> ImportInWorker(absl::string_view text, bool split,
                                                             const Spelling& spelling, const WorkerLimits& limits) {
  using Functions = std::vector<ImportedFunction>;
  TOSAIC_ASSIGN_OR_RETURN(WorkerResult<Functions> result,
                          InFreshProcess<Functions>(limits, [&] { return ImportMlir(text, split, spelling); }));
  if (!result.death) return std::move(result.answer);
  if (result.death->how == Death::How::kDeadline) {
    return absl::InternalError("reading it takes more than the time limit of a case (--cpu-limit, --wall-limit)");
  }
  if (result.death->how == Death::How::kOutOfMemory) {
    return absl::InternalError("reading it takes more memory than a case may have");
  }
  return absl::InvalidArgumentError(
      absl::StrCat("MLIR's parser died of it: ", Summarize(ObservationOf(*result.death))));
}

std::vector<Run> RunsOf(const Program& program, std::optional<int> count, SeededChoices& choices) {
  constexpr int kRandom = 8;
  std::vector<Run> runs = DrawProgramRuns(choices, count.value_or(kRandom), kMaxElements, program);
  if (runs.empty()) return DrawProgramRuns(choices, count.value_or(1), kMaxElementsOfOneRun, program);
  const std::optional<Run> wide = DrawWideRun(choices, kMaxElements, program);
  if (wide && runs.size() > 1) runs.back() = *wide;
  if (count) return runs;
  for (Run& special : SpecialProgramRuns(program, wide.value_or(runs.front()))) runs.push_back(std::move(special));
  return runs;
}

// The runs with the function's own data in them, as far as it fits.
std::vector<Run> WithData(const ImportedFunction& function, std::vector<Run> runs) {
  std::vector<Run> fitting;
  for (Run& run : runs) {
    for (size_t i = 0; i < function.data.size(); ++i) {
      if (function.data[i]) run[i] = *function.data[i];
    }
    if (SizesOfAllOps(*function.program, run)) fitting.push_back(std::move(run));
  }
  return fitting;
}

std::vector<Run> RunsOf(const ImportedFunction& function, std::optional<int> count, SeededChoices& choices) {
  const std::vector<std::optional<Tensor>>& data = function.data;
  if (absl::c_none_of(data, [](const auto& argument_data) { return argument_data.has_value(); })) {
    return RunsOf(*function.program, count, choices);
  }
  if (absl::c_any_of(data, [](const auto& argument_data) { return !argument_data.has_value(); })) {
    return WithData(function, RunsOf(*function.program, count, choices));
  }
  Run own;
  for (const auto& argument_data : data) own.push_back(*argument_data);
  return {own};
}

// Leaves out the runs in which a division may have no quotient, since the code may end there, and no rule says what the
// run then shows (docs/policies.md). Where none is left, all stay.
void LeaveOutOpenRuns(Case* test_case) {
  if (absl::c_none_of(test_case->program.ops, LeavesTheRunOpen)) return;
  const std::vector<const Tensor*> unknown(test_case->program.ops.size());
  const Policies policies;
  std::vector<Run> defined;
  for (size_t run = 0; run < test_case->runs.size(); ++run) {
    std::optional<RunSets> sets = RunSets::Of(*test_case, run, unknown, policies);
    if (sets && !sets->MayLeaveTheRunOpen()) defined.push_back(test_case->runs[run]);
  }
  if (!defined.empty()) test_case->runs = std::move(defined);
}

std::string WhyNoRun(const Program& program) {
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    const Shape& shape = program.arguments[i].shape;
    if (!shape.IsStatic() || ElementCount(StaticSizes(shape)) <= kMaxElementsOfOneRun) continue;
    return absl::StrCat("%arg", i, " has more than ", kMaxElementsOfOneRun, " elements");
  }
  return "Tosaic finds no sizes of its arguments that fit each other";
}

}  // namespace

absl::StatusOr<std::vector<MlirCase>> CasesInMlir(const std::string& path, absl::string_view text, bool split,
                                                  std::optional<int> runs, uint64_t seed, const WorkerLimits& limits,
                                                  const Spelling& spelling) {
  TOSAIC_ASSIGN_OR_RETURN(std::vector<ImportedFunction> functions,
                          At(path, ImportInWorker(text, split, spelling, limits)));
  std::vector<MlirCase> cases;
  for (ImportedFunction& function : functions) {
    // A function without a name is called by its line, as compilers name a place: "PATH:12".
    MlirCase mlir_case = {.name = absl::StrCat(path, ":", absl::StripPrefix(function.name, "line ")),
                          .skipped = std::move(function.skipped),
                          .part = std::move(function.part),
                          .has_other_results = function.has_other_results,
                          .spelled = function.spelled,
                          .untested = std::move(function.untested),
                          .expects_error = function.expects_error};
    if (function.program) {
      SeededChoices choices(seed, cases.size());
      mlir_case.test_case.emplace().runs = RunsOf(function, runs, choices);
      mlir_case.test_case->program = *std::move(function.program);
      LeaveOutOpenRuns(&*mlir_case.test_case);
      if (mlir_case.test_case->runs.empty()) mlir_case.no_run = WhyNoRun(mlir_case.test_case->program);
      mlir_case.test_case->origin = mlir_case.name;
      // The returned values alone say little of the ops before them, so a twin that returns all values is judged as
      // well.
      if (mlir_case.test_case->program.ops.size() > 1 && !mlir_case.test_case->runs.empty())
        mlir_case.test_case->twin = "all-returned";
      if (!TwinOf(*mlir_case.test_case)) mlir_case.test_case->twin.clear();  // it returns them all itself
    }
    cases.push_back(std::move(mlir_case));
  }
  return cases;
}

void ApplyExpectedError(CheckedCase* checked) {
  Judgement& judgement = checked->judgement;
  if (checked->observation.outcome != Outcome::kRefused) {
    judgement.notes.emplace_back(kNothingRefused);
    return;
  }
  if (judgement.verdict != Verdict::kFalseReject && judgement.verdict != Verdict::kLoweringFailed) return;
  judgement.notes.push_back(absl::StrCat("expected-error: ", Name(judgement.verdict), " [", Name(judgement.rule), "]"));
  judgement.verdict = Verdict::kAgree;
  checked->signature = {};
}

}  // namespace tosaic
