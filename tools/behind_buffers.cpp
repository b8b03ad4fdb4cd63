// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/behind_buffers.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "codec/status.h"
#include "diagnosis/one_pass.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "model/routes.h"
#include "toolchain/capi/capi_library.h"
#include "toolchain/execution/joined_toolchain.h"
#include "toolchain/external/dated_build.h"
#include "toolchain/on_pipeline.h"
#include "tools/case_input.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

// The halves of a pipeline, none of whose passes is lost.
absl::StatusOr<Halves> Split(absl::string_view pipeline) {
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<PipelinePass> passes, SplitPipeline(pipeline));
  PassNames all;
  for (const PipelinePass& pass : passes) all.insert(pass.name);
  return SplitAtBuffers(pipeline, all);
}

}  // namespace

BehindBuffers::BehindBuffers(const Case& test_case, const HistoryRow& control, const std::vector<HistoryRow>& released,
                             GetToolchain get, const WorkerLimits& limits, const JudgeOptions& judge)
    : case_(test_case), control_(control), released_(released), get_(std::move(get)), limits_(limits), judge_(judge) {}

const absl::StatusOr<PassBisection>& BehindBuffers::Bisected() {
  if (bisection_) return *bisection_;
  const absl::StatusOr<Toolchain*> toolchain = get_(control_.toolchain);
  bisection_ = toolchain.ok() ? BisectPasses(**toolchain, case_, limits_, ForToolchain(**toolchain, judge_),
                                             ReaderFor(ToolchainFlags()))
                              : toolchain.status();
  return *bisection_;
}

bool BehindBuffers::MayBeOfCodeGeneration() {
  return control_.stage >= Stage::kExecute && Bisected().ok() && Bisected()->code_generation;
}

bool BehindBuffers::AreSuspectsBehind() {
  if (control_.stage < Stage::kLower || !Bisected().ok()) return false;
  const std::vector<BisectedPass>& passes = Bisected()->passes;
  const auto end = passes.begin() + static_cast<ptrdiff_t>(Bisected()->suspects.front()) + 1;
  return std::any_of(passes.begin(), end,
                     [](const BisectedPass& pass) { return absl::StartsWith(pass.text, "one-shot-bufferize"); });
}

absl::StatusOr<bool> BehindBuffers::ShowsWithPassesOfThisProcess() {
  TOSAIC_ASSIGN_OR_RETURN(Toolchain * toolchain, get_(control_.toolchain));
  TOSAIC_ASSIGN_OR_RETURN(Toolchain * own, get_(NameInProcess()));
  if (toolchain->lowering() == nullptr) return absl::UnimplementedError(kLacksPipelines);
  TOSAIC_ASSIGN_OR_RETURN(const Halves first, Split(toolchain->description().PipelineOf(case_.route)));
  TOSAIC_ASSIGN_OR_RETURN(const Halves second, Split(own->description().PipelineOf(case_.route)));
  const auto joined = CreateJoinedToolchain({toolchain, first.first}, {own, second.second});
  return ShowsTheSame(JudgedBy(*joined, case_, limits_, judge_), control_);
}

std::string BehindBuffers::WhyHidden() {
  if (control_.stage < Stage::kLower) return "";
  const bool is_bisected = control_.toolchain == NameInProcess() || control_.toolchain == kTrunk;
  if (is_bisected && AreSuspectsBehind()) {
    return absl::StrCat("the pass at fault is behind buffers, where every dated build has the passes of ",
                        NameInProcess());
  }
  // A lowering that fails before buffers needs no pass behind them.
  if (control_.stage == Stage::kLower) return "";
  const bool is_shown = is_shown_by_a_build_ || absl::c_any_of(released_, [&](const HistoryRow& row) {
                          return row.toolchain == NameInProcess() && ShowsTheSame(row, control_);
                        });
  if (is_shown || ShowsWithPassesOfThisProcess().value_or(false)) return "";
  return absl::StrCat("behind buffers every dated build has the passes of ", NameInProcess(), ", with which ",
                      control_.toolchain, " does not show this either");
}

HistoryRow BehindBuffers::AnswerOf(HistoryRow row) {
  row = AsAnswerAbout(control_, std::move(row));
  is_shown_by_a_build_ |= IsWrong(row.answer);
  if (!LooksRight(row.answer)) return row;
  if (!why_hidden_) why_hidden_ = WhyHidden();
  return why_hidden_->empty() ? row : Unknown(std::move(row), *why_hidden_);
}

absl::StatusOr<bool> BehindBuffers::MayBeAtFault() {
  if (control_.stage <= Stage::kInfer) return false;
  // If the TOSA is wrong already, no later pass is at fault.
  if (control_.stage == Stage::kExecute) {
    TOSAIC_ASSIGN_OR_RETURN(Toolchain * own, get_(NameInProcess()));
    const std::string mlir = ToMlir(case_.program, own->description().dialect);
    const OnePass pass = FindOnePass(*own, case_, mlir, std::string(FindRoute(case_.route)->pipeline),
                                     ReaderFor(ToolchainFlags()), limits_, ForToolchain(*own, judge_));
    if (!pass.pipeline.empty()) return false;
  }
  TOSAIC_ASSIGN_OR_RETURN(const Halves own, Split(FindRoute(case_.route)->pipeline));
  if (control_.stage == Stage::kLower) return control_.pass.empty() || !absl::StrContains(own.first, control_.pass);
  // The first half of the route `loops` is the plainest of all.
  TOSAIC_ASSIGN_OR_RETURN(const Halves plain, Split(FindRoute("loops")->pipeline));
  TOSAIC_ASSIGN_OR_RETURN(Toolchain * toolchain, get_(control_.toolchain));
  OnPipeline on_pipeline(*toolchain, JoinHalves({.first = plain.first, .second = own.second}));
  return ShowsTheSame(JudgedBy(on_pipeline, case_, limits_, judge_), control_);
}

std::string BehindBuffers::EndOfSentence(const std::vector<HistoryRow>& dated) {
  const auto is_wrong = [](const HistoryRow& row) { return IsWrong(row.answer); };
  const auto looks_right = [](const HistoryRow& row) { return LooksRight(row.answer); };
  const auto is_hidden = [&](const HistoryRow& row) { return why_hidden_ && row.why == *why_hidden_; };
  const bool is_wrong_on_some = absl::c_any_of(dated, is_wrong);
  if (why_hidden_ && !why_hidden_->empty() && absl::c_any_of(dated, is_hidden)) {
    return absl::StrCat(is_wrong_on_some ? "; of builds that look right nothing is known: " : ": ", *why_hidden_);
  }
  const bool may_be = is_wrong_on_some && absl::c_none_of(dated, looks_right) && MayBeAtFault().value_or(true);
  return may_be ? "; that may be of the passes behind buffers or of LLVM's code generation, which are the same for all"
                : "";
}

}  // namespace tosaic
