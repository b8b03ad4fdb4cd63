// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/adapter/adapter_toolchain.h"

#include <cmath>
#include <csignal>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/mlir_text.h"
#include "model/static_program.h"
#include "model/support_table.h"
#include "toolchain/adapter/adapter_client.h"
#include "toolchain/adapter/protocol.h"
#include "toolchain/prepared_answers.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

constexpr absl::string_view kPrefix = "adapter:";

// A case as the adapter is asked about it: one program with all runs, or one per run with its shapes.
struct Question {
  std::vector<AdapterProgram> programs;
  std::string obstacle;  // not empty: it cannot be asked
};

std::vector<AdapterTensor> InputsOf(const Run& run) {
  std::vector<AdapterTensor> inputs;
  for (const Tensor& tensor : run) inputs.push_back({tensor});
  return inputs;
}

AdapterProgram AsQuestion(const Program& program, Dialect dialect) {
  AdapterProgram question{.module = ToMlir(program, dialect)};
  for (const ValueRef result : program.results) question.results.push_back(TypeOf(program, result));
  return question;
}

// Gives the NaNs of `left` the payload that they had in `came`, where both have one.
void RestoreNans(const Tensor& came, Tensor* left) {
  if (left->element_type() != came.element_type() || left->element_count() != came.element_count()) return;
  for (size_t k = 0; k < left->element_count(); ++k) {
    const ElementType type = came.element_type();
    const bool are_nans =
        std::isnan(ElementToDouble(type, came.Bits(k))) && std::isnan(ElementToDouble(type, left->Bits(k)));
    if (are_nans) left->SetBits(k, came.Bits(k));
  }
}

// The value itself, or the one that it is a reshape of.
ValueRef SourceOf(const Program& program, ValueRef ref) {
  while (ref.kind == ValueRef::Kind::kOp && MovesElements(Info(program.ops[ref.index].op))) {
    ref = program.ops[ref.index].operands[0];
  }
  return ref;
}

// Gives NaNs that no op computes their payload: of arguments and constants that the program returns (docs/policies.md,
// run.passed-on), and of a result that it returned before (run.returned-twice), each of them reshaped or not.
void RestoreNans(const Case& test_case, Observation* observation) {
  std::vector<ValueRef> returned;
  for (const ValueRef ref : test_case.program.results) returned.push_back(SourceOf(test_case.program, ref));
  for (size_t run = 0; run < observation->runs.size(); ++run) {
    std::vector<ResultObservation>& results = observation->runs[run].results;
    for (size_t i = 0; i < results.size() && i < returned.size(); ++i) {
      const auto index = static_cast<size_t>(returned[i].index);
      switch (returned[i].kind) {
        case ValueRef::Kind::kArgument:
          RestoreNans(test_case.runs[run][index], &results[i].tensor);
          break;
        case ValueRef::Kind::kConstant:
          RestoreNans(test_case.program.constants[index], &results[i].tensor);
          break;
        case ValueRef::Kind::kOp: {
          const size_t first = absl::c_find(returned, returned[i]) - returned.begin();
          RestoreNans(results[first].tensor, &results[i].tensor);
        }
      }
    }
  }
}

// How an answer that is no completion reads as an observation.
void Describe(const AdapterAnswer& answer, Observation* observation) {
  observation->stage = answer.stage;
  observation->diagnostics = answer.diagnostics;
  switch (answer.outcome) {
    case AdapterOutcome::kCompleted:
      return;
    case AdapterOutcome::kRefused:
      observation->outcome = Outcome::kRefused;
      return;
    case AdapterOutcome::kUnsupported:
      observation->outcome = Outcome::kRefused;
      observation->stage = Stage::kBuild;
      return;
    case AdapterOutcome::kStopped:  // an end that unpredictable elements alone excuse
      observation->outcome = Outcome::kSignal;
      observation->stage = Stage::kExecute;
      observation->signal = SIGABRT;
      return;
    case AdapterOutcome::kCrashed:
      observation->outcome = Outcome::kSignal;
      observation->signal = answer.signal;
      return;
    case AdapterOutcome::kFailed:
      observation->outcome = Outcome::kToolFailure;
      return;
  }
}

class AdapterToolchain : public Toolchain, private Reader {
 public:
  AdapterToolchain(AdapterClient client, AdapterGreeting greeting, ToolchainDescription description)
      : Toolchain(std::move(description), {.reader = this}),
        client_(std::move(client)),
        greeting_(std::move(greeting)) {}

  Observation Observe(const Case& test_case) override {
    Observation observation = ObserveAll(test_case);
    if (greeting_.rewrites_nans) RestoreNans(test_case, &observation);
    return observation;
  }
  void Prepare(absl::Span<const Case> cases) override;

 private:
  absl::StatusOr<std::string> RefusalOf(absl::string_view mlir) override;
  Observation ObserveAll(const Case& test_case);
  std::string ObstacleTo(const Case& test_case) const;
  Question QuestionAbout(const Case& test_case) const;
  AdapterClient::Done AskAbout(const AdapterProgram& program);

  AdapterClient client_;
  const AdapterGreeting greeting_;
  const PreparedAnswers prepared_;
};

std::string AdapterToolchain::ObstacleTo(const Case& test_case) const {
  const Program& program = test_case.program;
  if (const SupportEntry* entry = FindUnwritable(program, description().dialect)) return std::string(entry->reason);
  for (const OpApplication& op : program.ops) {
    if (!greeting_.Takes(op.op)) return absl::StrCat("it does not take ", Name(op.op));
    for (const TensorType& type : OperandTypes(program, op)) {
      if (!greeting_.Takes(type.element_type)) return absl::StrCat("it does not take ", Name(type.element_type));
    }
    if (!greeting_.Takes(op.result.element_type))
      return absl::StrCat("it does not take ", Name(op.result.element_type));
    if (greeting_.constant_operands && HasSpecialOperandAtRunTime(program, op)) {
      return "it takes shifts and zero points as constants alone";
    }
  }
  if (greeting_.static_shapes && test_case.runs.empty() && HasDynamicType(program)) {
    return "it takes static shapes alone";
  }
  return "";
}

Question AdapterToolchain::QuestionAbout(const Case& test_case) const {
  Question question{.programs = {}, .obstacle = ObstacleTo(test_case)};
  if (!question.obstacle.empty()) return question;
  const Dialect dialect = description().dialect;
  if (!greeting_.static_shapes || !HasDynamicType(test_case.program)) {
    AdapterProgram program = AsQuestion(test_case.program, dialect);
    for (const Run& run : test_case.runs) program.runs.push_back(InputsOf(run));
    question.programs.push_back(std::move(program));
    return question;
  }
  for (const Run& run : test_case.runs) {
    const std::optional<Program> fixed = WithShapesOf(run, test_case.program);
    if (!fixed) return {.programs = {}, .obstacle = "it takes static shapes alone, and a run's extents have none"};
    question.programs.push_back(AsQuestion(*fixed, dialect));
    question.programs.back().runs = {InputsOf(run)};
  }
  return question;
}

AdapterClient::Done AdapterToolchain::AskAbout(const AdapterProgram& program) {
  if (greeting_.batch > 1) {
    if (const std::optional<std::string> kept = prepared_.Take(ToLine(program))) {
      absl::StatusOr<AdapterAnswer> answer = FromText<AdapterAnswer>(*kept);
      if (answer.ok()) return {*std::move(answer), std::nullopt};
    }
  }
  return std::move(client_.Ask({&program, 1}).front());
}

void AdapterToolchain::Prepare(absl::Span<const Case> cases) {
  std::vector<AdapterProgram> programs;
  for (const Case& test_case : cases) {
    for (AdapterProgram& program : QuestionAbout(test_case).programs) programs.push_back(std::move(program));
  }
  const size_t together = static_cast<size_t>(greeting_.batch);
  for (size_t begin = 0; begin < programs.size(); begin += together) {
    const absl::Span<const AdapterProgram> batch = absl::MakeConstSpan(programs).subspan(begin, together);
    const std::vector<AdapterClient::Done> done = client_.Ask(batch);
    for (size_t i = 0; i < batch.size(); ++i) {
      if (!done[i].end) prepared_.Put(ToLine(batch[i]), ToLine(done[i].answer));
    }
  }
}

Observation AdapterToolchain::ObserveAll(const Case& test_case) {
  Observation observation;
  EnterStage(Stage::kBuild, &observation);
  const Question question = QuestionAbout(test_case);
  if (!question.obstacle.empty()) {
    observation.outcome = Outcome::kRefused;
    observation.diagnostics = {absl::StrCat(description().name, ": ", question.obstacle)};
    return observation;
  }
  EnterStage(Stage::kVerify, &observation);
  for (const AdapterProgram& program : question.programs) {
    AdapterClient::Done done = AskAbout(program);
    observation.run = static_cast<uint32_t>(observation.runs.size() + (done.end ? 0 : done.answer.runs.size()));
    for (AdapterRun& run : done.answer.runs) {
      observation.runs.emplace_back();
      for (AdapterTensor& output : run.outputs) {
        observation.runs.back().results.push_back({std::move(output.tensor), {}, {}});
      }
    }
    if (done.end) {
      const auto run = observation.run;
      const auto runs = std::move(observation.runs);
      observation = *std::move(done.end);
      observation.run = run;
      observation.runs = runs;
      return observation;
    }
    if (done.answer.outcome != AdapterOutcome::kCompleted) {
      Describe(done.answer, &observation);
      return observation;
    }
  }
  observation.stage = test_case.runs.empty() ? Stage::kVerify : Stage::kExecute;
  observation.run = 0;
  return observation;
}

absl::StatusOr<std::string> AdapterToolchain::RefusalOf(absl::string_view mlir) {
  const AdapterProgram program{.module = std::string(mlir)};
  const AdapterClient::Done done = std::move(client_.Ask({&program, 1}).front());
  if (done.end) return absl::InternalError(absl::StrCat(description().name, " does not answer about a module"));
  const AdapterAnswer& answer = done.answer;
  if (answer.outcome == AdapterOutcome::kCompleted) return "";
  if (answer.outcome == AdapterOutcome::kRefused && answer.stage <= Stage::kVerify) {
    return answer.diagnostics.empty() ? "refused" : answer.diagnostics.front();
  }
  return absl::UnimplementedError(
      absl::StrCat(description().name, " does not say whether it takes a module: ", Name(answer.outcome)));
}

}  // namespace

bool NamesAdapter(absl::string_view text) { return absl::StartsWith(text, kPrefix); }

absl::string_view AdapterCommand(absl::string_view named) { return named.substr(kPrefix.size()); }

absl::StatusOr<std::unique_ptr<Toolchain>> CreateAdapterToolchain(absl::string_view named, const WorkerLimits& limits) {
  const std::string command(AdapterCommand(named));
  AdapterClient client(command, limits);
  TOSAIC_ASSIGN_OR_RETURN(AdapterGreeting greeting, client.Greet());
  ToolchainDescription description;
  description.name = greeting.name;
  description.version = absl::StrCat(greeting.name, " ", greeting.version);
  description.directory = command;
  description.dialect = NearestDialect(greeting.dialect);
  description.mlir_version = 0;
  description.routes = {FindRoute("loops")};
  description.batch_size = static_cast<size_t>(greeting.batch);
  return std::make_unique<AdapterToolchain>(std::move(client), std::move(greeting), std::move(description));
}

}  // namespace tosaic
