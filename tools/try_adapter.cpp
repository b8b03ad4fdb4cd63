// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic adapter-test: tries an adapter with good and bad requests, and says what is wrong with it.
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "checking/check_case.h"
#include "codec/status.h"
#include "generators/suite.h"
#include "model/counted.h"
#include "model/escape.h"
#include "model/mlir_text.h"
#include "toolchain/adapter/adapter_client.h"
#include "toolchain/adapter/adapter_toolchain.h"
#include "tools/subcommands.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

constexpr char kNoMlir[] = "this is no MLIR {";

struct TryFlags {
  std::string command;
  WorkerLimits limits;
};

// A request with programs besides the suite's. `wanted`: the outcomes of which each answer must have one.
struct Trial {
  std::string name;
  std::vector<AdapterProgram> programs;
  std::vector<std::vector<AdapterOutcome>> wanted;
};

// An op on operands of so many elements, with a run if `inputs` is not negative: that many are given.
AdapterProgram ProgramOf(const TypedOp& typed, int64_t elements, int inputs, int64_t result_elements) {
  const TensorType type{Shape::OfSizes({elements}), typed.input};
  Program program;
  OpApplication op;
  op.op = typed.op;
  for (size_t i = 0; i < Info(typed.op).operands.size(); ++i) {
    program.arguments.push_back(type);
    op.operands.push_back({ValueRef::Kind::kArgument, static_cast<int>(i)});
  }
  op.result = {Shape::OfSizes({result_elements}), typed.result};
  program.ops = {op};
  program.results = {{ValueRef::Kind::kOp, 0}};
  AdapterProgram request{.module = ToMlir(program), .results = {op.result}};
  if (inputs >= 0) {
    const AdapterTensor input = {Tensor(typed.input, {elements})};
    request.runs.emplace_back(static_cast<size_t>(inputs), input);
  }
  return request;
}

// An op that the adapter takes, with nothing but inputs, which may be zeros; nullopt: there is none.
std::optional<TypedOp> PlainOp(const std::vector<SuiteTile>& tiles) {
  for (const SuiteTile& tile : tiles) {
    const OpInfo& info = Info(tile.op.op);
    const bool is_plain = info.attributes.empty() &&
                          absl::c_all_of(info.operands, [](OperandRole role) { return role == OperandRole::kInput; });
    const bool takes_zeros =
        info.unpredictable != Unpredictable::kDivision && info.unpredictable != Unpredictable::kPowDomain;
    if (is_plain && takes_zeros) return tile.op;
  }
  return std::nullopt;
}

std::vector<Trial> TrialsOf(const TypedOp& op) {
  using enum AdapterOutcome;
  const int arity = static_cast<int>(Info(op.op).operands.size());
  const AdapterProgram good = ProgramOf(op, 2, arity, 2), illegal = ProgramOf(op, 2, -1, 3);
  AdapterProgram no_mlir = good;
  no_mlir.module = kNoMlir;
  return {{"no program at all", {}, {}},
          {"a decision alone", {ProgramOf(op, 2, -1, 2)}, {{kCompleted}}},
          {"a module that is no MLIR", {no_mlir}, {{kRefused, kFailed, kUnsupported}}},
          {"a result of the wrong shape", {illegal}, {{kRefused}}},
          {"an input too many", {ProgramOf(op, 2, arity + 1, 2)}, {{kRefused, kFailed, kUnsupported, kStopped}}},
          {"65,536 elements", {ProgramOf(op, 1 << 16, arity, 1 << 16)}, {{kCompleted}}},
          {"a good program, a bad one, a good one", {good, illegal, good}, {{kCompleted}, {kRefused}, {kCompleted}}}};
}

// The fault in the answers; empty if there is none.
std::string FaultIn(const std::vector<AdapterClient::Done>& done, const Trial& trial) {
  for (size_t i = 0; i < done.size(); ++i) {
    if (done[i].end) return done[i].end->diagnostics.front();
    const AdapterAnswer& answer = done[i].answer;
    if (absl::c_linear_search(trial.wanted[i], answer.outcome)) continue;
    const std::string wanted = absl::StrJoin(
        trial.wanted[i], " or ", [](std::string* out, AdapterOutcome outcome) { absl::StrAppend(out, Name(outcome)); });
    return absl::StrCat("answer ", i, " is '", Name(answer.outcome), "'",
                        answer.diagnostics.empty() ? "" : absl::StrCat(" (", answer.diagnostics.front(), ")"),
                        " instead of ", wanted);
  }
  return "";
}

// A tile's first case, judged; empty: it agrees, or is nothing that the adapter takes.
std::string FaultIn(const SuiteTile& tile, Toolchain& toolchain, size_t* agreed) {
  const Case test_case = SuiteCaseOf(tile, 0);
  const CheckedCase checked = CheckWith([&](const Case& test_case) { return toolchain.Observe(test_case); }, test_case,
                                        ForToolchain(toolchain, JudgeOptions()));
  const Judgement& judgement = checked.judgement;
  if (judgement.verdict == Verdict::kAgree) ++*agreed;
  if (!IsDivergence(judgement.verdict) && judgement.verdict != Verdict::kHarnessFault) return "";
  return absl::StrCat(Name(judgement.verdict), ": expected ", judgement.expected, ", actual ", judgement.actual);
}

bool Takes(const AdapterGreeting& greeting, const TypedOp& op) {
  return greeting.Takes(op.op) && greeting.Takes(op.input) && greeting.Takes(op.result);
}

absl::StatusOr<int> RunTryAdapter(const TryFlags& flags) {
  AdapterClient client(flags.command, flags.limits);
  TOSAIC_ASSIGN_OR_RETURN(const AdapterGreeting greeting, client.Greet());
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain,
                          CreateAdapterToolchain(absl::StrCat("adapter:", flags.command), flags.limits));
  std::printf("%s: dialect of MLIR %d, %s shapes\n",
              OneLine(absl::StrCat(greeting.name, " ", greeting.version)).c_str(), greeting.dialect,
              greeting.static_shapes ? "static" : "all");
  size_t faults = 0, agreed = 0, tried = 0;
  const auto report = [&](const std::string& name, const std::string& fault) {
    if (!fault.empty()) ++faults;
    if (!fault.empty()) std::printf("  wrong: %s: %s\n", name.c_str(), OneLine(fault).c_str());
  };
  std::vector<SuiteTile> tiles = SuiteTiles(SuiteProfile::kAll);
  std::erase_if(tiles, [&](const SuiteTile& tile) {
    return tile.shapes != "static-equal" || tile.cases.empty() || !Takes(greeting, tile.op);
  });
  const std::optional<TypedOp> op = PlainOp(tiles);
  if (!op) return absl::InvalidArgumentError("the adapter takes no op of which a plain program could be made");
  const auto ask = [&](const std::vector<AdapterProgram>& programs) {
    if (greeting.batch > 1) return client.Ask(programs);
    std::vector<AdapterClient::Done> done;
    for (const AdapterProgram& program : programs) done.push_back(std::move(client.Ask({&program, 1}).front()));
    return done;
  };
  for (const Trial& trial : TrialsOf(*op)) {
    report(trial.name, FaultIn(ask(trial.programs), trial));
    ++tried;
  }
  for (const SuiteTile& tile : tiles) report(tile.cases.front(), FaultIn(tile, *toolchain, &agreed));
  std::printf("%s and %s tried: %s; of the ops, %zu agree\n", Counted(tried, "request").c_str(),
              Counted(tiles.size(), "case").c_str(), Counted(faults, "fault").c_str(), agreed);
  return faults == 0 ? kExitAgree : kExitDivergence;
}

}  // namespace

void AddAdapterTest(CLI::App& app, CommandLine& command_line) {
  CLI::App* command =
      app.add_subcommand("adapter-test", "try an adapter with good and bad requests, and say what is wrong with it");
  auto flags = std::make_shared<TryFlags>();
  command->add_option("command", flags->command, "the command that starts the adapter, without the prefix `adapter:`")
      ->required();
  command->add_option("--cpu-limit", flags->limits.cpu_seconds, "seconds for an answer")
      ->check(NumberFrom(1, 3600))
      ->capture_default_str();
  command->callback([flags, &command_line] { command_line.action = [flags] { return RunTryAdapter(*flags); }; });
}

}  // namespace tosaic
