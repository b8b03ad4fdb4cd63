// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/pass_bisection.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "codec/status.h"
#include "diagnosis/edit_to_blame.h"
#include "diagnosis/shortest_pipeline.h"
#include "diagnosis/ways_to_code.h"
#include "generators/twins.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "toolchain/progress.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// A way from TOSA to code: the first `own` passes of the route, then those of a route from `from` on.
struct Way {
  size_t own = 0;
  std::string rest_of;
  size_t from = 0;
  std::string pipeline;
};

enum class Result : uint8_t { kNone, kRight, kDiverges };  // kNone: it does not get to code, or shows something else
EnumNames NamesOf(Result) {
  static constexpr absl::string_view kNames[] = {"none", "right", "diverges"};
  return NamesFor<Result>(kNames, "what a way to code shows");
}

// The IR behind the first passes of a pipeline.
struct Standing {
  std::string text;   // where there is none, like no other
  Rewritten program;  // as a program again
};
void Fields(Visitor& v, Standing& standing) {
  v("text", standing.text);
  v("is_right", standing.program.is_right);
  v("wrong", standing.program.wrong);
}

class Bisector {
 public:
  Bisector(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits, const JudgeOptions& judge,
           const ProgramReader& read)
      : toolchain_(toolchain), case_(test_case), limits_(limits), judge_(judge), read_(read) {}

  absl::StatusOr<PassBisection> Run();

 private:
  Standing StandingOf(const std::string& program, size_t count);
  absl::Status ReadAll();
  std::vector<Way> Ways() const;
  absl::Status Execute(const std::vector<Way>& ways, std::map<std::string, Result>* results);
  bool IsRightWithoutConstants();
  // The greatest number of passes after which the IR still reads as right, and the least after which it reads as wrong.
  // nullopt: there is none.
  std::optional<size_t> RightAsRead() const;
  std::optional<size_t> WrongAsRead() const;
  void NameSuspects(const std::vector<Way>& ways, const std::map<std::string, Result>& results);
  std::string Evidence(bool is_right_code, bool is_wrong);
  std::string Prefix(size_t count) const { return JoinPipeline(absl::MakeSpan(own_).first(count)); }

  Toolchain& toolchain_;
  const Case& case_;
  const WorkerLimits& limits_;
  const JudgeOptions& judge_;
  const ProgramReader& read_;
  PassBisection answer_;
  std::vector<PipelinePass> own_;
  std::vector<Standing> standings_;  // behind so many passes
};

absl::StatusOr<PassBisection> Bisector::Run() {
  const CheckedCase checked = CheckCase(toolchain_, case_, limits_, judge_);
  answer_.judgement = checked.judgement;
  answer_.signature = checked.signature;
  if (checked.twin) return Bisector(toolchain_, *checked.twin, limits_, judge_, read_).Run();
  if (!IsDivergence(checked.judgement.verdict)) return NoDivergence(checked.judgement, "bisected");
  if (checked.judgement.stage < Stage::kLower || judge_.validation) {
    return absl::InvalidArgumentError(absl::StrCat("the verdict is ", Name(checked.judgement.verdict), " at ",
                                                   Name(checked.judgement.stage), ": no pass of a route takes part"));
  }
  answer_.pipeline = toolchain_.description().PipelineOf(case_.route);
  TOSAIC_ASSIGN_OR_RETURN(own_, SplitPipeline(answer_.pipeline));
  for (const PipelinePass& pass : own_) answer_.passes.push_back({.text = pass.text});
  if (checked.judgement.stage == Stage::kLower) {
    const std::string shortest = ShortestFirstPart(toolchain_, case_, checked, limits_, judge_);
    absl::StatusOr<std::vector<PipelinePass>> needed = SplitPipeline(shortest);
    if (!needed.ok() || needed->empty())
      return absl::InternalError("no first part of the pass pipeline shows the divergence again");
    answer_.suspects = {needed->size() - 1};
    answer_.executed = static_cast<int>(needed->size());
    answer_.passes[needed->size() - 1].suspect = answer_.passes[needed->size() - 1].changes = true;
    answer_.evidence = "the passes up to it show it, those before it do not";
    const auto up_to = absl::MakeSpan(own_).first(needed->size());
    if (const auto maker = MakerOfIllegalIr(toolchain_, case_, checked, up_to, limits_, judge_)) {
      answer_.suspects.insert(answer_.suspects.begin(), *maker);
      answer_.passes[*maker].suspect = answer_.passes[*maker].changes = true;
      absl::StrAppend(&answer_.evidence, "; without pass ", *maker + 1, " it leaves IR that verifies");
    }
    return std::move(answer_);
  }
  TOSAIC_RETURN_IF_ERROR(ReadAll());
  // If the IR reads as right before a pass and as wrong after it, nothing needs to be executed.
  NameSuspects({}, {});
  if (answer_.suspects.size() == 1 && answer_.passes[answer_.suspects.front()].wrong) return std::move(answer_);
  answer_.suspects.clear();
  const std::vector<Way> ways = Ways();
  std::map<std::string, Result> results;
  TOSAIC_RETURN_IF_ERROR(Execute(ways, &results));
  NameSuspects(ways, results);
  if (answer_.suspects.empty())
    return absl::InternalError("the divergence does not show each time, so it cannot be bisected");
  return std::move(answer_);
}

Standing Bisector::StandingOf(const std::string& program, size_t count) {
  const absl::StatusOr<std::string> text = toolchain_.lowering()->LowerText(program, Prefix(count), false);
  if (!text.ok()) return {.text = absl::StrCat("no text ", count)};
  Standing standing = {.text = *text};
  const absl::StatusOr<Program> read = read_ ? read_(*text) : absl::UnimplementedError("nobody reads it");
  if (!read.ok()) return standing;
  standing.program = JudgeRewritten(case_, *read, judge_);
  return standing;
}

// Which passes leave other text than they found, and what that is as a program.
absl::Status Bisector::ReadAll() {
  const std::string program = ToMlir(case_.program, toolchain_.description().dialect);
  standings_.resize(own_.size() + 1);
  absl::Status status = MapIndices<Standing>(
      {.limits = limits_}, nullptr, standings_.size(), [&](uint64_t count) { return StandingOf(program, count); },
      [&](uint64_t count, WorkerResult<Standing> result) {
        if (result.death) result.answer.text = absl::StrCat("died ", count);
        standings_[count] = std::move(result.answer);
      });
  for (size_t i = 0; i < own_.size(); ++i) {
    answer_.passes[i].changes = standings_[i].text != standings_[i + 1].text;
  }
  return status;
}

std::optional<size_t> Bisector::WrongAsRead() const {
  if (standings_.front().program.is_right != true) return std::nullopt;
  for (size_t count = 0; count < standings_.size(); ++count) {
    if (standings_[count].program.is_right == false) return count;
  }
  return std::nullopt;
}

std::optional<size_t> Bisector::RightAsRead() const {
  for (size_t count = WrongAsRead().value_or(standings_.size()); count-- > 0;) {
    if (standings_[count].program.is_right == true) return count;
  }
  return std::nullopt;
}

std::vector<Way> Bisector::Ways() const {
  std::vector<std::pair<std::string, std::vector<PipelinePass>>> rests = {{case_.route, own_}};
  for (const std::string& other : OtherRoutes(case_.route)) {
    absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(toolchain_.description().PipelineOf(other));
    if (passes.ok()) rests.emplace_back(other, *std::move(passes));
  }
  std::vector<Way> ways;
  for (size_t own = 0; own <= own_.size(); ++own) {
    if (own > 0 && !answer_.passes[own - 1].changes) continue;  // the same IR as before it
    for (const auto& [name, rest] : rests) {
      for (size_t from = name == case_.route ? own : 0; from <= rest.size(); ++from) {
        ways.push_back({.own = own,
                        .rest_of = name,
                        .from = from,
                        .pipeline = JoinRoutes(absl::MakeSpan(own_).first(own), absl::MakeSpan(rest).subspan(from))});
      }
    }
  }
  return ways;
}

absl::Status Bisector::Execute(const std::vector<Way>& ways, std::map<std::string, Result>* results) {
  std::vector<std::string> pipelines;
  for (const Way& way : ways) {
    if (results->try_emplace(way.pipeline, Result::kNone).second) pipelines.push_back(way.pipeline);
  }
  answer_.executed += static_cast<int>(pipelines.size());
  return Map<std::string, Result>(
      {.limits = limits_, .tasks_per_worker = 200}, nullptr, pipelines,
      [&](const std::string& pipeline) {
        const CheckedCase checked = CheckThrough(toolchain_, case_, pipeline, judge_);
        if (IsRightCode(checked)) return Result::kRight;
        const Judgement &judgement = checked.judgement, &wanted = answer_.judgement;
        return judgement.verdict == wanted.verdict && judgement.rule == wanted.rule ? Result::kDiverges : Result::kNone;
      },
      [&](const std::string& pipeline, WorkerResult<Result> result) {
        Result& own = results->at(pipeline);
        own = result.answer;
        if (!result.death) return;
        // A death shows the divergence only if the case itself is about a death.
        const bool dies =
            answer_.judgement.verdict == Verdict::kCrash && ObservationOf(*result.death).stage == Stage::kExecute;
        own = dies ? Result::kDiverges : Result::kNone;
      });
}

// Whether the case is right if its constants are arguments: then a folder is wrong.
bool Bisector::IsRightWithoutConstants() {
  Case with_twin = case_;
  with_twin.twin = "constants-as-arguments";
  const std::optional<Case> twin = TwinOf(with_twin);
  return twin && CheckCase(toolchain_, *twin, limits_, judge_).judgement.verdict == Verdict::kAgree;
}

// " (12 pass pipelines tried: 3 make right code, 9 wrong code)"; empty if none was.
std::string Tried(const std::map<std::string, Result>& results) {
  if (results.empty()) return "";
  const auto count = [&](Result wanted) {
    return absl::c_count_if(results, [&](const auto& tried) { return tried.second == wanted; });
  };
  return absl::StrCat(" (", results.size(), " pass pipelines tried: ", count(Result::kRight), " make right code, ",
                      count(Result::kDiverges), " wrong code)");
}

void Bisector::NameSuspects(const std::vector<Way>& ways, const std::map<std::string, Result>& results) {
  // The IR is right up to `right`: some rest makes right code of it, or so it reads. A rest of another route that does
  // so is trusted: where it makes wrong code later, the IR was wrong before it took over.
  std::optional<size_t> right, wrong;
  std::map<std::string, size_t> trusted;  // by route: from which pass on
  for (const Way& way : ways) {
    if (results.at(way.pipeline) != Result::kRight) continue;
    right = std::max(right.value_or(0), way.own);
    if (way.own > 0) answer_.passes[way.own - 1].right = true;
    const auto [entry, is_new] = trusted.try_emplace(way.rest_of, way.from);
    entry->second = std::min(entry->second, way.from);
  }
  const bool is_right_code = right.has_value();
  if (const std::optional<size_t> read = RightAsRead()) right = std::max(right.value_or(0), *read);
  const bool has_others = !OtherRoutes(case_.route).empty();
  for (const Way& way : ways) {
    const auto trust = trusted.find(way.rest_of);
    const bool is_trusted =
        trust != trusted.end() && way.from >= trust->second && (way.rest_of != case_.route || !has_others);
    if (results.at(way.pipeline) != Result::kDiverges || !is_trusted || way.own <= *right) continue;
    wrong = std::min(wrong.value_or(way.own), way.own);
  }
  // If the IR reads as wrong, right code proves nothing: the later passes may not use the wrong value.
  if (const std::optional<size_t> read = WrongAsRead(); read && *read > 0 && *read > right.value_or(0)) {
    wrong = std::min(wrong.value_or(*read), *read);
    answer_.passes[*read - 1].wrong = true;
  }
  for (size_t i = 0; i < own_.size(); ++i) {
    BisectedPass& pass = answer_.passes[i];
    pass.right |= pass.changes && standings_[i + 1].program.is_right == true && i < right.value_or(0);
    pass.suspect = pass.changes && i >= right.value_or(0) && i < wrong.value_or(own_.size());
    if (pass.suspect) answer_.suspects.push_back(i);
  }
  answer_.evidence = absl::StrCat(Evidence(is_right_code, wrong.has_value()), Tried(results));
  answer_.code_generation = !results.empty() && !is_right_code && !wrong && !answer_.folded &&
                            answer_.judgement.verdict == Verdict::kWrongValue;
}

std::string Bisector::Evidence(bool is_right_code, bool is_wrong) {
  const auto wrong = absl::c_find_if(answer_.passes, [](const BisectedPass& pass) { return pass.wrong; });
  if (!is_right_code) answer_.folded = IsRightWithoutConstants();
  if (wrong != answer_.passes.end()) {
    const size_t count = static_cast<size_t>(wrong - answer_.passes.begin()) + 1;
    return absl::StrCat("the IR after it, read again as a TOSA program, is wrong: ", standings_[count].program.wrong);
  }
  if (is_right_code) {
    return absl::StrCat("if the rest of a route goes on before it, the code is right; after it, ",
                        is_wrong ? "wrong" : "with no rest that did so before");
  }
  return absl::StrCat(
      "the code is wrong with every pass pipeline",
      answer_.folded ? ", but with its constants as arguments the case is right: what becomes of them is wrong" : "");
}

}  // namespace

void Fields(Visitor& v, BisectedPass& pass) {
  v("pass", pass.text);
  v("changes", pass.changes);
  v("right", pass.right);
  v("wrong", pass.wrong);
  v("suspect", pass.suspect);
}

void Fields(Visitor& v, PassBisection& bisection) {
  const std::string pass = PassToBlame(bisection);
  v("verdict", bisection.judgement.verdict);
  v("rule", bisection.judgement.rule);
  v("signature", bisection.signature);
  v("pipeline", bisection.pipeline);
  v("passes", bisection.passes);
  v("suspects", bisection.suspects);
  v("code_generation", bisection.code_generation);
  v.Optional("edit", bisection.edit, "the passes put into the route, without which it is right");
  v.Derived("pass", pass.empty() ? std::nullopt : std::optional(pass));
  v("evidence", bisection.evidence);
  v("executed", bisection.executed);
}

absl::StatusOr<PassBisection> BisectPasses(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                                           const JudgeOptions& judge, const ProgramReader& read) {
  if (toolchain.lowering() == nullptr) {
    return absl::UnimplementedError(absl::StrCat(toolchain.description().name, kLacksPipelines));
  }
  absl::StatusOr<PassBisection> bisection = Bisector(toolchain, test_case, limits, judge, read).Run();
  if (!bisection.ok() || !PassToBlame(*bisection).empty()) return bisection;
  bisection->edit = EditToBlame(toolchain, test_case, limits, judge);
  return bisection;
}

std::string PassToBlame(const PassBisection& bisection) {
  const bool is_one = bisection.suspects.size() == 1 && !bisection.code_generation;
  return is_one ? bisection.passes[bisection.suspects.front()].text : "";
}

}  // namespace tosaic
