// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/rewriting_toolchain.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "model/mlir_text.h"
#include "oracle/result_shape.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

ToolchainDescription Describe(const ToolchainDescription& mlir) {
  ToolchainDescription description = mlir;
  description.leaves_tosa = true;
  description.only_pipeline = mlir.custom_pipeline;
  description.batch_size = 1;
  return description;
}

Observation Ending(Observation observation, Stage stage, Outcome outcome, std::string why) {
  observation.stage = stage;
  observation.outcome = outcome;
  observation.diagnostics.push_back(std::move(why));
  return observation;
}

// The program with results of whatever size the operands give: what a pass leaves may verify and be untrue of the sizes
// of a run, which then has other results than its types say.
Program WithOpenResults(Program program) {
  for (OpApplication& op : program.ops) {
    if (op.result.shape.IsRanked()) op.result.shape = Shape(std::vector<Dim>(op.result.shape.rank(), Dim::Dynamic()));
  }
  return program;
}

class RewritingToolchain : public Toolchain, private Lowering {
 public:
  RewritingToolchain(std::unique_ptr<Toolchain> mlir, ProgramReader read)
      : Toolchain(Describe(mlir->description()), {.verifier = mlir->verifier(),
                                                  .deciders = mlir->deciders(),
                                                  .lowering = this,
                                                  .reader = mlir->reader(),
                                                  .patterns = mlir->patterns(),
                                                  .rewrites = mlir->rewrites()}),
        mlir_(std::move(mlir)),
        read_(std::move(read)) {}

  Observation Observe(const Case& test_case) override { return ObserveThrough(test_case, description().only_pipeline); }

 private:
  Observation ObserveThrough(const Case& test_case, absl::string_view pipeline) override {
    Case types = test_case;
    types.runs.clear();
    Observation observation = mlir_->Observe(types);
    const bool is_legal = observation.stage > Stage::kVerify || observation.outcome == Outcome::kCompleted;
    if (!is_legal || test_case.runs.empty()) return observation;
    EnterStage(Stage::kLower);
    const std::string mlir = ToMlir(test_case.program, description().dialect);
    const absl::StatusOr<std::string> left = mlir_->lowering()->LowerTextHere(mlir, pipeline, false);
    if (!left.ok()) return Failed(test_case, pipeline, left.status());
    EnterStage(Stage::kExecute, &observation);
    observation.outcome = Outcome::kCompleted;
    const absl::StatusOr<Program> program = read_(*left);
    if (!program.ok()) {
      const std::string why = absl::StrCat("what the passes leave is no case: ", program.status().message());
      return Ending(std::move(observation), Stage::kExecute, Outcome::kRefused, why);
    }
    return ValuesOf(test_case, *program, std::move(observation));
  }

  // How the passes ended that left no text: as the toolchain itself observes it.
  Observation Failed(const Case& test_case, absl::string_view pipeline, const absl::Status& why) {
    Observation observation = mlir_->lowering()->ObserveThrough(test_case, pipeline);
    if (observation.stage <= Stage::kLower) return observation;
    return Ending({}, Stage::kLower, Outcome::kToolFailure, std::string(why.message()));
  }

  static Observation ValuesOf(const Case& test_case, const Program& left, Observation observation) {
    if (!HasSameInterface(test_case.program, left)) {
      return Ending(std::move(observation), Stage::kExecute, Outcome::kRefused,
                    "the program that the passes leave takes or returns other types");
    }
    Policies policies;
    policies.spec_version = SpecVersion::k1_1;  // has the values of the others, too
    const Case again = {.program = left, .runs = test_case.runs};
    const Case open = {.program = WithOpenResults(left), .runs = test_case.runs};
    for (size_t run = 0; run < again.runs.size(); ++run) {
      RunObservation results;
      UndefinedSizes why;
      const Case& as_run = SizesOfAllOps(left, again.runs[run]) ? again : open;
      if (!SizesOfAllOps(test_case.program, again.runs[run])) {
        for (const ValueRef ref : test_case.program.results) {  // whatever it returns is right
          results.results.push_back({.tensor = Tensor(ElementTypeOf(test_case.program, ref), {})});
        }
      } else if (!SizesOfAllOps(as_run.program, again.runs[run], &why)) {
        const std::string op = Signature(left, left.ops[static_cast<size_t>(why.op_index)]);
        return Ending(std::move(observation), Stage::kLower, Outcome::kIllegalIr,
                      absl::StrCat("the sizes contradict ", op, ", which the passes leave"));
      } else if (std::optional<RunObservation> values = ResultsIn(as_run, run, policies)) {
        results = *std::move(values);
      } else {
        return Ending(std::move(observation), Stage::kExecute, Outcome::kRefused,
                      "the program that the passes leave has an element that may be anything");
      }
      observation.runs.push_back(std::move(results));
    }
    return observation;
  }

  absl::StatusOr<std::string> LowerText(absl::string_view mlir, absl::string_view pipeline, bool to_llvm_ir) override {
    return mlir_->lowering()->LowerText(mlir, pipeline, to_llvm_ir);
  }
  absl::StatusOr<std::string> LowerTextHere(absl::string_view mlir, absl::string_view pipeline,
                                            bool to_llvm_ir) override {
    return mlir_->lowering()->LowerTextHere(mlir, pipeline, to_llvm_ir);
  }

  const std::unique_ptr<Toolchain> mlir_;
  const ProgramReader read_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Toolchain>> CreateRewritingToolchain(std::unique_ptr<Toolchain> mlir,
                                                                    ProgramReader read) {
  if (mlir->lowering() == nullptr || read == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(mlir->description().name, kLacksPipelines));
  }
  return std::make_unique<RewritingToolchain>(std::move(mlir), std::move(read));
}

}  // namespace tosaic
