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
#include "checking/signature.h"
#include "codec/status.h"
#include "generators/twins.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "toolchain/progress.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// The case on its route with that pipeline instead; its twin, which is what it is compared with, as it is.
// REQUIRES: the toolchain can lower.
CheckedCase CheckThrough(Toolchain& toolchain, const Case& test_case, const std::string& pipeline,
                         const JudgeOptions& judge) {
  return CheckWith(
      [&](const Case& one) {
        return one == test_case ? toolchain.lowering()->ObserveThrough(one, pipeline) : toolchain.Observe(one);
      },
      test_case, judge);
}

bool ShowsIt(const FindingSignature& signature, const Case& test_case, const CheckedCase& checked) {
  return !checked.twin && ShowsFinding(signature, test_case, checked.observation, checked.judgement);
}

// A way from TOSA to code: the first `own` passes of the route, then those of a route from `from` on.
struct Way {
  size_t own = 0;
  std::string rest_of;
  size_t from = 0;
  std::string pipeline;
};

// Added to the number of an anchor of the rest, so that it is no neighbour of the passes before.
constexpr int kOthers = 1000;

enum class Result : uint8_t { kNone, kRight, kDiverges };  // kNone: it does not get to code, or shows something else
EnumNames NamesOf(Result) {
  static constexpr absl::string_view kNames[] = {"none", "right", "diverges"};
  return NamesFor<Result>(kNames, "what a way to code shows");
}

class Bisector {
 public:
  Bisector(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits, const JudgeOptions& judge)
      : toolchain_(toolchain), case_(test_case), limits_(limits), judge_(judge) {}

  absl::StatusOr<PassBisection> Run();

 private:
  absl::Status FindChanges();
  std::vector<std::string> Others() const;
  std::vector<Way> Ways() const;
  absl::Status Execute(const std::vector<Way>& ways, std::map<std::string, Result>* results);
  bool IsRightWithoutConstants();
  void NameByExecution(const std::vector<Way>& ways, const std::map<std::string, Result>& results);
  std::string Prefix(size_t count) const { return JoinPipeline(absl::MakeSpan(own_).first(count)); }

  Toolchain& toolchain_;
  const Case& case_;
  const WorkerLimits& limits_;
  const JudgeOptions& judge_;
  PassBisection answer_;
  std::vector<PipelinePass> own_;
};

absl::StatusOr<PassBisection> Bisector::Run() {
  const CheckedCase checked = CheckCase(toolchain_, case_, limits_, judge_);
  answer_.judgement = checked.judgement;
  answer_.signature = checked.signature;
  if (checked.twin) return Bisector(toolchain_, *checked.twin, limits_, judge_).Run();
  if (!IsDivergence(checked.judgement.verdict)) return NoDivergence(checked.judgement, "bisected");
  if (checked.judgement.stage < Stage::kLower || judge_.validation) {
    return absl::InvalidArgumentError(absl::StrCat("the verdict is ", Name(checked.judgement.verdict), " at ",
                                                   Name(checked.judgement.stage), ": no pass of a route takes part"));
  }
  answer_.pipeline = toolchain_.description().PipelineOf(case_.route);
  TOSAIC_ASSIGN_OR_RETURN(own_, SplitPipeline(answer_.pipeline));
  for (const PipelinePass& pass : own_) answer_.passes.push_back({.text = pass.text});
  if (checked.judgement.stage == Stage::kLower) {
    const std::string shortest = ShortestPipeline(toolchain_, case_, checked, limits_, judge_);
    absl::StatusOr<std::vector<PipelinePass>> needed = SplitPipeline(shortest);
    if (!needed.ok() || needed->empty())
      return absl::InternalError("no first part of the pass pipeline shows the divergence again");
    answer_.suspects = {needed->size() - 1};
    answer_.executed = static_cast<int>(needed->size());
    answer_.passes[needed->size() - 1].suspect = true;
    answer_.passes[needed->size() - 1].changes = true;
    answer_.evidence = "the passes up to it show it, those before it do not";
    return std::move(answer_);
  }
  TOSAIC_RETURN_IF_ERROR(FindChanges());
  const std::vector<Way> ways = Ways();
  std::map<std::string, Result> results;
  TOSAIC_RETURN_IF_ERROR(Execute(ways, &results));
  NameByExecution(ways, results);
  if (answer_.suspects.empty())
    return absl::InternalError("the divergence does not show each time, so it cannot be bisected");
  return std::move(answer_);
}

// Which passes leave other text than they found. Where there is no text, it counts as other.
absl::Status Bisector::FindChanges() {
  const std::string program = ToMlir(case_.program, toolchain_.description().dialect);
  std::vector<std::string> texts(own_.size() + 1);
  absl::Status status = MapIndices<std::string>(
      {.limits = limits_}, nullptr, texts.size(),
      [&](uint64_t count) {
        Lowering& lowering = *toolchain_.lowering();
        return lowering.LowerText(program, Prefix(count), false).value_or(absl::StrCat("no text ", count));
      },
      [&](uint64_t count, WorkerResult<std::string> result) {
        texts[count] = result.death ? absl::StrCat("died ", count) : std::move(result.answer);
      });
  for (size_t i = 0; i < own_.size(); ++i) answer_.passes[i].changes = texts[i] != texts[i + 1];
  return status;
}

std::vector<Way> Bisector::Ways() const {
  std::vector<std::pair<std::string, std::vector<PipelinePass>>> rests = {{case_.route, own_}};
  for (const std::string& other : Others()) {
    absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(toolchain_.description().PipelineOf(other));
    if (passes.ok()) rests.emplace_back(other, *std::move(passes));
  }
  std::vector<Way> ways;
  for (size_t own = 0; own <= own_.size(); ++own) {
    if (own > 0 && !answer_.passes[own - 1].changes) continue;  // the same IR as before it
    for (const auto& [name, rest] : rests) {
      for (size_t from = name == case_.route ? own : 0; from <= rest.size(); ++from) {
        std::vector<PipelinePass> passes(own_.begin(), own_.begin() + static_cast<ptrdiff_t>(own));
        for (PipelinePass pass : absl::MakeSpan(rest).subspan(from)) {
          for (size_t i = 1; i < pass.anchors.size(); ++i) pass.anchors[i].number += kOthers;
          passes.push_back(std::move(pass));
        }
        ways.push_back({.own = own, .rest_of = name, .from = from, .pipeline = JoinPipeline(passes)});
      }
    }
  }
  return ways;
}

// The rests of others say nothing of what a route has of its own: that it frees, stops, calls a library.
std::vector<std::string> Bisector::Others() const {
  const Route* route = FindRoute(case_.route);
  const bool is_ordinary = route == nullptr || !(route->deallocates || route->verifies || route->calls_library ||
                                                 route->extracts || route->alignment > 0);
  std::vector<std::string> others;
  for (const char* other : {"loops", "affine-loops", "parallel-loops"}) {
    if (is_ordinary && case_.route != other) others.push_back(other);
  }
  return others;
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
        const Judgement& judgement = checked.judgement;
        // It ran to its end, and nothing contradicts it; the documents may leave open what only this run shows.
        const bool ran = checked.observation.outcome == Outcome::kCompleted && !checked.observation.runs.empty();
        if (ran && (judgement.verdict == Verdict::kAgree || judgement.verdict == Verdict::kUndefined)) {
          return Result::kRight;
        }
        const Judgement& wanted = answer_.judgement;
        return judgement.verdict == wanted.verdict && judgement.rule == wanted.rule ? Result::kDiverges : Result::kNone;
      },
      [&](const std::string& pipeline, WorkerResult<Result> result) {
        Result& own = results->at(pipeline);
        own = result.answer;
        if (!result.death) return;
        // A death is what diverges only if that is what the case is about.
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

// " (12 pass pipelines tried: 3 make right code, 9 wrong code)".
std::string Tried(const std::map<std::string, Result>& results) {
  const auto count = [&](Result wanted) {
    return absl::c_count_if(results, [&](const auto& one) { return one.second == wanted; });
  };
  return absl::StrCat(" (", results.size(), " pass pipelines tried: ", count(Result::kRight), " make right code, ",
                      count(Result::kDiverges), " wrong code)");
}

void Bisector::NameByExecution(const std::vector<Way>& ways, const std::map<std::string, Result>& results) {
  // The IR is right up to `right`: some rest makes right code of it. A rest of another route that does so is trusted:
  // where it makes wrong code later, the IR was wrong before it took over.
  std::optional<size_t> right, wrong;
  std::map<std::string, size_t> trusted;  // by route: from which pass on
  for (const Way& way : ways) {
    if (results.at(way.pipeline) != Result::kRight) continue;
    right = std::max(right.value_or(0), way.own);
    if (way.own > 0) answer_.passes[way.own - 1].right = true;
    const auto [entry, is_new] = trusted.try_emplace(way.rest_of, way.from);
    entry->second = std::min(entry->second, way.from);
  }
  const bool has_others = !Others().empty();
  for (const Way& way : ways) {
    const auto trust = trusted.find(way.rest_of);
    const bool is_trusted =
        trust != trusted.end() && way.from >= trust->second && (way.rest_of != case_.route || !has_others);
    if (results.at(way.pipeline) != Result::kDiverges || !is_trusted || way.own <= *right) continue;
    wrong = std::min(wrong.value_or(way.own), way.own);
  }
  for (size_t i = right.value_or(0); i < wrong.value_or(own_.size()); ++i) {
    BisectedPass& pass = answer_.passes[i];
    pass.suspect = pass.changes;
    if (pass.suspect) answer_.suspects.push_back(i);
  }
  const std::string tried = Tried(results);
  if (wrong) {
    answer_.evidence =
        absl::StrCat("if the rest of a route goes on before it, the code is right; after it, wrong", tried);
  } else if (right) {
    answer_.evidence = absl::StrCat(
        "if the rest of a route goes on before it, the code is right; after it, with no rest that did so before",
        tried);
  } else {
    answer_.folded = IsRightWithoutConstants();
    answer_.evidence = absl::StrCat(
        "the code is wrong with every pass pipeline",
        answer_.folded ? ", but with its constants as arguments the case is right: passes fold them wrongly" : "",
        tried);
  }
}

}  // namespace

void Fields(Visitor& v, BisectedPass& pass) {
  v("pass", pass.text);
  v("changes", pass.changes);
  v("right", pass.right);
  v("suspect", pass.suspect);
}

void Fields(Visitor& v, PassBisection& bisection) {
  const std::vector<size_t>& suspects = bisection.suspects;
  v("verdict", bisection.judgement.verdict);
  v("rule", bisection.judgement.rule);
  v("signature", bisection.signature);
  v("pipeline", bisection.pipeline);
  v("passes", bisection.passes);
  v("suspects", bisection.suspects);
  v.Derived("pass", suspects.size() == 1 ? std::optional(bisection.passes[suspects[0]].text) : std::nullopt);
  v("evidence", bisection.evidence);
  v("executed", bisection.executed);
}

absl::StatusOr<PassBisection> BisectPasses(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                                           const JudgeOptions& judge) {
  if (toolchain.lowering() == nullptr) {
    return absl::UnimplementedError(absl::StrCat(toolchain.description().name, kLacksPipelines));
  }
  return Bisector(toolchain, test_case, limits, judge).Run();
}

std::string ShortestPipeline(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                             const WorkerLimits& limits, const JudgeOptions& judge) {
  const FindingSignature& signature = checked.signature;
  if (signature.empty() || checked.judgement.stage != Stage::kLower || checked.twin) return "";
  const std::string pipeline = toolchain.description().PipelineOf(test_case.route);
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(pipeline);
  if (!passes.ok() || toolchain.lowering() == nullptr) return pipeline;
  // In one process each: what is looked for may be a death.
  for (size_t count = 1; count < passes->size(); ++count) {
    const std::string prefix = JoinPipeline(absl::MakeSpan(*passes).first(count));
    const auto result = InFreshProcess<bool>(
        limits, [&] { return ShowsIt(signature, test_case, CheckThrough(toolchain, test_case, prefix, judge)); });
    if (!result.ok()) continue;
    bool shows = result->answer;
    if (result->death) {
      const auto observe = [&](const Case&) { return ObservationOf(*result->death); };
      Case alone = test_case;
      alone.twin.clear();
      shows = ShowsIt(signature, alone, CheckWith(observe, alone, judge));
    }
    if (shows) return prefix;
  }
  return pipeline;
}

}  // namespace tosaic
