// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/tool_walk.h"

#include <map>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "model/mlir_text.h"
#include "model/support_table.h"
#include "model/unsigned_types.h"
#include "toolchain/diagnostic_category.h"
#include "toolchain/external/tool_output.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

void Enter(Stage stage, absl::Span<ToolWalk* const> walks) {
  EnterStage(stage);
  for (ToolWalk* walk : walks) walk->observation.stage = stage;
}

// The walks that go on.
std::vector<ToolWalk*> Going(absl::Span<ToolWalk> walks) {
  std::vector<ToolWalk*> going;
  for (ToolWalk& walk : walks) {
    if (!walk.ended) going.push_back(&walk);
  }
  return going;
}

std::vector<std::string> ProgramsOf(absl::Span<ToolWalk* const> walks) {
  std::vector<std::string> programs;
  for (const ToolWalk* walk : walks) programs.push_back(walk->program);
  return programs;
}

// The op alone in a function, with its operands as arguments or constants, and a result that says nothing.
Program ForInference(const Program& program, const OpApplication& op) {
  Program alone;
  OpApplication only = op;
  for (ValueRef& operand : only.operands) {
    const bool is_constant = operand.kind == ValueRef::Kind::kConstant;
    if (is_constant) {
      alone.constants.push_back(program.constants[static_cast<size_t>(operand.index)]);
    } else {
      alone.arguments.push_back(TypeOf(program, operand));
    }
    operand.kind = is_constant ? ValueRef::Kind::kConstant : ValueRef::Kind::kArgument;
    operand.index = static_cast<int>((is_constant ? alone.constants.size() : alone.arguments.size()) - 1);
  }
  only.result.shape = Shape::Unranked();
  alone.ops = {only};
  alone.results = {{ValueRef::Kind::kOp, 0}};
  return alone;
}

}  // namespace

void Fields(Visitor& v, ToolWalk& walk) {
  v("ended", walk.ended);
  v("is_object", walk.is_object);
  v("llvm_ir", walk.llvm_ir);
  v("observation", walk.observation);
}

void EndWalk(Outcome outcome, std::vector<std::string> diagnostics, ToolWalk* walk) {
  walk->ended = true;
  walk->observation.outcome = outcome;
  walk->observation.diagnostics = std::move(diagnostics);
}

void EndBeforeRun(std::string why, ToolWalk* walk) {
  EnterStage(Stage::kExecute, &walk->observation);
  EndWalk(Outcome::kRefused, {std::move(why)}, walk);
}

void ToolStages::Build(absl::Span<ToolWalk> walks) const {
  Enter(Stage::kBuild, Going(walks));
  for (ToolWalk* walk : Going(walks)) {
    const Case& test_case = *walk->test_case;
    const auto refuse = [&](absl::string_view why) {
      EndWalk(Outcome::kRefused, {absl::StrCat(calls_.tools().name(), why)}, walk);
    };
    if (const SupportEntry* entry = FindUnwritable(test_case.program, description_.dialect)) {
      refuse(absl::StrCat(": ", entry->reason));
    } else if (const Unspoken* unspoken = FindUnspoken(test_case.program, description_.unspoken)) {
      refuse(absl::StrCat(kNotInDialect, ToString(*unspoken)));
    } else if (walk->route == nullptr) {
      EndWalk(Outcome::kRefused, {NoRoute(calls_.tools().name(), test_case.route, description_.limits)}, walk);
    } else {
      walk->program = ToMlir(test_case.program, description_.dialect);
    }
  }
}

void ToolStages::Verify(absl::Span<ToolWalk> walks) const {
  std::vector<ToolWalk*> going = Going(walks);
  Enter(Stage::kVerify, going);
  std::erase_if(going, [](const ToolWalk* walk) { return walk->lowered && walk->lowered->how == Outcome::kCompleted; });
  std::vector<ToolAnswer> answers = calls_.Ask(calls_.Verification(), ProgramsOf(going));
  for (size_t i = 0; i < going.size(); ++i) {
    if (answers[i].how == Outcome::kCompleted) continue;
    going[i]->observation.signal = answers[i].signal;
    EndWalk(answers[i].how, std::move(answers[i].errors), going[i]);
    Observation& observation = going[i]->observation;
    if (observation.outcome != Outcome::kRefused) continue;
    const std::string why = observation.diagnostics.front();
    if (calls_.tools().dated && !description_.unspoken.empty() && MayBeAboutWords(why)) {
      // The dialect is not exactly this build's: it is asked in words that may not be its own.
      EnterStage(Stage::kBuild, &observation);
      EndWalk(Outcome::kRefused, {absl::StrCat(calls_.tools().name(), kNotInDialect, why)}, going[i]);
    } else {
      observation.category = CategoryOf(why);
    }
  }
}

// tosa-infer-shapes gives a result without a shape the one that the op's own inference says; where it says nothing,
// that is not told from "unranked", and left open.
void ToolStages::Infer(absl::Span<ToolWalk> walks) const {
  const std::vector<ToolWalk*> going = Going(walks);
  Enter(Stage::kInfer, going);
  if (!limits_.infers) return;
  std::vector<std::string> modules;
  for (const ToolWalk* walk : going) {
    const Program& program = walk->test_case->program;
    std::string& module = modules.emplace_back();
    for (size_t i = 0; i < program.ops.size(); ++i) {
      absl::StrAppend(&module,
                      ToMlir(ForInference(program, program.ops[i]), description_.dialect, absl::StrCat("op", i)));
    }
  }
  const std::vector<ToolAnswer> answers = calls_.Ask(calls_.Passes(kInferShapes, {"--mlir-print-op-generic"}), modules);
  for (size_t i = 0; i < going.size(); ++i) {
    // An op whose result says nothing may be illegal where the op is not; a pass that dies will die in lowering too.
    if (answers[i].how != Outcome::kCompleted) continue;
    const std::vector<std::string> types = ResultTypes(answers[i].module);
    const std::vector<OpApplication>& ops = going[i]->test_case->program.ops;
    if (types.size() != ops.size()) continue;
    for (size_t k = 0; k < ops.size(); ++k) {
      MadeType type;
      const bool says_something = ReadText(types[k], type).ok() && type.shape.IsRanked();
      const bool by_type = ops[k].op == OpKind::kRescale && HasUnsignedTypes(Info(description_.dialect));
      if (by_type) type.element_type = AsSignless(type.element_type);
      going[i]->observation.inferred.push_back(says_something ? std::optional(type) : std::nullopt);
    }
  }
}

// A pass refused: which one it was. Whether it left illegal IR, which ends the walk.
bool ToolStages::EndAtPass(const Route& route, ToolAnswer* answer, ToolWalk* walk) const {
  const ToolQuestion question =
      calls_.Passes(route.pipeline, {"--mlir-print-ir-after-all", "--mlir-print-ir-module-scope"});
  const std::string printed = calls_.Run(question, walk->program).err;
  // The errors of this call: uninitialised memory of MLIR differs from process to process.
  const std::vector<ToolError> errors = ErrorsIn(printed, {});
  if (!errors.empty()) answer->errors.clear();
  for (const ToolError& error : errors) answer->errors.push_back(error.message);
  if (std::string pass = PassWithLooseConstant(printed); !pass.empty()) {
    walk->observation.pass = std::move(pass);
    answer->errors.insert(answer->errors.begin(), std::string(kLooseConstant));
    EndWalk(Outcome::kIllegalIr, std::move(answer->errors), walk);
    return true;
  }
  const std::optional<IrDump> dump = FailedPass(printed);
  if (!dump) return false;
  walk->observation.pass = dump->pass;
  // Does it fail without the verifier behind it as well? The IR it left need not come back from its text.
  const ToolQuestion unverified = calls_.Passes(route.pipeline, {"--verify-each=0", "--mlir-print-ir-after-failure"});
  const std::optional<IrDump> own = FailedPass(calls_.Run(unverified, walk->program).err);
  if (own && own->pass == dump->pass) return false;
  EndWalk(Outcome::kIllegalIr, std::move(answer->errors), walk);
  return true;
}

// A refusal or a death behind the verifier: which pass it was, and whether it left IR that does not verify.
void ToolStages::EndLowering(ToolAnswer answer, ToolWalk* walk) const {
  const Route& route = *walk->route;
  if (answer.how == Outcome::kRefused) {
    if (EndAtPass(route, &answer, walk)) return;
  } else if (answer.how != Outcome::kToolFailure) {
    const ToolQuestion question = calls_.Passes(route.pipeline, {"--mlir-print-ir-before-all"});
    walk->observation.pass = LastPass(calls_.Run(question, walk->program).err);
    walk->observation.signal = answer.signal;
  }
  EndWalk(answer.how, std::move(answer.errors), walk);
}

// Why a program is not lowered, though it may be verified; empty: it is.
std::string ToolStages::WhyNotLowered(const ToolWalk& walk) const {
  if (walk.route->name == kCustomRoute) return "";
  if (calls_.tools().dated && !HasPlainShapes(walk.test_case->program)) {
    return absl::StrCat(calls_.tools().name(),
                        " lacks tosa-infer-shapes and tosa-make-broadcastable: it lowers static "
                        "shapes of one rank alone");
  }
  return limits_.lowers_nothing;
}

// A module that the passes take has been verified as well, which saves a call for most.
void ToolStages::TryLowering(absl::Span<ToolWalk> walks) const {
  Enter(Stage::kVerify, Going(walks));
  std::map<absl::string_view, std::vector<ToolWalk*>> by_pipeline;
  for (ToolWalk* walk : Going(walks)) {
    const bool lowers = WhyNotLowered(*walk).empty() && !walk->test_case->runs.empty();
    if (lowers) by_pipeline[walk->route->pipeline].push_back(walk);
  }
  for (auto& [pipeline, on_it] : by_pipeline) {
    std::vector<ToolAnswer> answers = calls_.Ask(calls_.Passes(pipeline), ProgramsOf(on_it));
    for (size_t i = 0; i < on_it.size(); ++i) on_it[i]->lowered = std::move(answers[i]);
  }
}

void ToolStages::Lower(absl::Span<ToolWalk> walks) const {
  Enter(Stage::kLower, Going(walks));
  for (ToolWalk* walk : Going(walks)) {
    if (!walk->lowered) {
      EndBeforeRun(WhyNotLowered(*walk), walk);
    } else if (walk->lowered->how == Outcome::kCompleted) {
      walk->program = std::move(walk->lowered->module);
    } else if (!walk->lowered->unread.empty()) {
      EndBeforeRun(std::move(walk->lowered->unread), walk);
    } else {
      EndLowering(*std::move(walk->lowered), walk);
    }
  }
}

void ToolStages::TranslateToText(absl::Span<ToolWalk* const> walks) const {
  std::vector<ToolAnswer> answers = calls_.Ask(calls_.Translation(), ProgramsOf(walks));
  for (size_t i = 0; i < walks.size(); ++i) {
    if (answers[i].how == Outcome::kCompleted) {
      walks[i]->program = std::move(answers[i].module);
    } else {
      walks[i]->observation.signal = answers[i].signal;
      EndWalk(answers[i].how, std::move(answers[i].errors), walks[i]);
    }
  }
}

// Beside what mlir-runner makes an object file of. Who translates nothing has no text, and that is told with the run.
void ToolStages::KeepText(absl::Span<ToolWalk* const> walks) const {
  std::vector<ToolAnswer> answers = calls_.Ask(calls_.Translation(), ProgramsOf(walks));
  for (size_t i = 0; i < walks.size(); ++i) {
    if (answers[i].how == Outcome::kCompleted) walks[i]->llvm_ir = std::move(answers[i].module);
  }
}

// A refusal of mlir-runner is MLIR's fault, unless mlir-runner lacks a function's code: then nobody knows.
void ToolStages::MakeObject(bool by_runner, ToolWalk* walk) const {
  ToolAnswer answer =
      by_runner ? calls_.ObjectByRunner(*walk->route, walk->program) : calls_.ObjectByLlc(*walk->route, walk->program);
  walk->is_object = answer.how == Outcome::kCompleted;
  if (walk->is_object) {
    if (!by_runner) walk->llvm_ir = std::move(walk->program);
    walk->program = std::move(answer.module);
    return;
  }
  const bool is_refused = answer.how == Outcome::kRefused;
  if (is_refused && absl::StrContains(answer.errors.front(), "Symbols not found")) {
    return EndBeforeRun(absl::StrCat("mlir-runner: ", answer.errors.front()), walk);
  }
  walk->observation.signal = answer.signal;
  // llc is of the version that wrote the LLVM IR.
  EndWalk(is_refused && !by_runner ? Outcome::kIllegalIr : answer.how, std::move(answer.errors), walk);
}

// To an object file where a tool makes one, else to LLVM IR. What Tosaic adds to IR cannot be added to an object file,
// and llc has no passes that optimize IR.
void ToolStages::Translate(absl::Span<ToolWalk> walks) const {
  const ExternalTools& tools = calls_.tools();
  Enter(Stage::kTranslate, Going(walks));
  std::vector<ToolWalk*> to_text, to_runner;
  for (ToolWalk* walk : Going(walks)) {
    const bool by_llc = !tools.llc.empty() && !walk->route->optimized;
    if (!tools.runner.empty() && !by_llc && !walk->route->counts_stores) {
      to_runner.push_back(walk);
    } else if (!tools.translate.empty()) {
      to_text.push_back(walk);
    } else {
      EndBeforeRun(absl::StrCat(tools.name(), " runs ", tools.running()), walk);
    }
  }
  if (!tools.translate.empty()) KeepText(to_runner);
  for (ToolWalk* walk : to_runner) MakeObject(/*by_runner=*/true, walk);
  TranslateToText(to_text);
  for (ToolWalk* walk : to_text) {
    const bool by_llc = !tools.llc.empty() && !walk->route->optimized && !walk->route->counts_stores;
    if (!walk->ended && by_llc) MakeObject(/*by_runner=*/false, walk);
  }
}

void ToolStages::Walk(absl::Span<ToolWalk> walks) const {
  Build(walks);
  TryLowering(walks);
  Verify(walks);
  Infer(walks);
  for (ToolWalk* walk : Going(walks)) walk->ended = walk->test_case->runs.empty();  // only the decision was asked for
  Lower(walks);
  Translate(walks);
}

}  // namespace tosaic
