#include "campaign/checking/mlir_cases.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "campaign/checking/files.h"
#include "generators/choice_source.h"
#include "generators/program_runs.h"
#include "model/json.h"
#include "model/observation.h"
#include "toolchain/mlir/mlir_import.h"

namespace tosaic {
namespace {

constexpr int64_t kMaxElements = 4096;

Json ToJson(const ImportedFunction& function) {
  Json json{{"name", function.name}, {"skipped", function.skipped}, {"expects_error", function.expects_error}};
  if (!function.program) return json;
  Case test_case;
  test_case.program = *function.program;
  json["case"] = ToJson(test_case);
  return json;
}

absl::StatusOr<MlirCase> FromJson(const Json& json) {
  MlirCase one;
  one.name = json.value("name", "");
  one.skipped = json.value("skipped", "");
  one.expects_error = json.value("expects_error", false);
  if (!json.contains("case")) return one;
  absl::StatusOr<Case> test_case = CaseFromJson(json["case"]);
  if (!test_case.ok()) return test_case.status();
  one.test_case = *std::move(test_case);
  return one;
}

// ImportMlir's answer as JSON, from a worker.
absl::StatusOr<Json> ImportInWorker(const std::string& text, bool split, const WorkerLimits& limits) {
  absl::StatusOr<Json> answer = absl::InternalError("the worker that read it gave no answer");
  bool given = false;
  PoolOptions options;
  options.limits = limits;
  const absl::Status status = RunTasks(
      options, nullptr,
      [&]() -> std::optional<uint64_t> {
        return std::exchange(given, true) ? std::nullopt : std::optional<uint64_t>(0);
      },
      [&](uint64_t, bool*) {
        Json functions = Json::array();
        for (const ImportedFunction& function : ImportMlir(text, split)) functions.push_back(ToJson(function));
        return Dump(functions, -1);
      },
      [&](TaskResult result) {
        if (result.death) {
          answer = absl::InvalidArgumentError(absl::StrCat("MLIR's parser died of it: ", Summarize(*result.death)));
        } else {
          answer = ParseJson(result.payload);
        }
      });
  if (!status.ok()) return status;
  return answer;
}

}  // namespace

absl::StatusOr<std::vector<MlirCase>> CasesInMlir(const std::string& path, bool split, int runs, uint64_t seed,
                                                  const WorkerLimits& limits) {
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return text.status();
  const absl::StatusOr<Json> functions = ImportInWorker(*text, split, limits);
  if (!functions.ok()) {
    return absl::Status(functions.status().code(), absl::StrCat(path, ": ", functions.status().message()));
  }
  std::vector<MlirCase> cases;
  for (const Json& function : *functions) {
    absl::StatusOr<MlirCase> one = FromJson(function);
    if (!one.ok()) return absl::InternalError(absl::StrCat(path, ": ", one.status().message()));
    one->name = absl::StrCat(path, ":", one->name);
    if (one->test_case) {
      SeededChoices choices(seed, cases.size());
      one->test_case->runs = DrawProgramRuns(choices, runs, kMaxElements, one->test_case->program);
      one->test_case->origin = one->name;
      // What the function returns alone says little of the ops behind it; its twin is judged as well.
      if (one->test_case->program.ops.size() > 1 && !one->test_case->runs.empty())
        one->test_case->twin = "all-returned";
    }
    cases.push_back(*std::move(one));
  }
  return cases;
}

void ApplyExpectedError(CheckedCase* checked) {
  Judgement& judgement = checked->judgement;
  if (checked->observation.outcome != Outcome::kRefused) {
    judgement.notes.push_back("expected-error: nothing was refused");
    return;
  }
  if (judgement.verdict != Verdict::kFalseReject && judgement.verdict != Verdict::kLoweringFailed) return;
  judgement.notes.push_back(absl::StrCat("expected-error: ", Name(judgement.verdict), " [", Name(judgement.rule), "]"));
  judgement.verdict = Verdict::kAgree;
  checked->signature = {};
}

}  // namespace tosaic
