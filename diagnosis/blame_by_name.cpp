// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/blame_by_name.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "checking/check_case.h"
#include "codec/status.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "workers/map.h"

namespace tosaic {
namespace {

constexpr char kPass[] = "canonicalize";

// Whether a pass pipeline can hold the name; that of a template it cannot.
bool IsPlain(const std::string& name) {
  return absl::c_all_of(name, [](char c) { return absl::ascii_isalnum(c) || c == '_' || c == ':'; });
}

// The passes up to the only suspect, which leaves out these patterns; empty if that is no canonicalize. Later passes
// are left off, because some of them would apply the patterns again.
std::string Without(const PassBisection& bisection, const std::vector<std::string>& names) {
  const size_t suspect = bisection.suspects.front();
  absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(bisection.pipeline);
  if (bisection.suspects.size() != 1 || !passes.ok() || (*passes)[suspect].text != kPass) return "";
  (*passes)[suspect].text = absl::StrCat(kPass, "{disable-patterns=", absl::StrJoin(names, ","), "}");
  return JoinPipeline(absl::MakeSpan(*passes).first(suspect + 1));
}

}  // namespace

absl::StatusOr<Blame> BlameByName(Toolchain& toolchain, const std::vector<std::string>& names, const Case& test_case,
                                  const WorkerLimits& limits, const JudgeOptions& judge, const ProgramReader& read) {
  const CheckedCase checked = CheckCase(toolchain, test_case, limits, judge);
  if (checked.twin) return BlameByName(toolchain, names, *checked.twin, limits, judge, read);
  if (!IsDivergence(checked.judgement.verdict)) return NoDivergence(checked.judgement, "blamed on a pass");
  Blame blame = {.judgement = checked.judgement, .signature = checked.signature};
  TOSAIC_ASSIGN_OR_RETURN(blame.bisection, BisectPasses(toolchain, test_case, limits, judge, read));
  std::vector<std::string> plain = names;
  std::erase_if(plain, [](const std::string& name) { return !IsPlain(name); });
  if (plain.empty() || Without(*blame.bisection, plain).empty()) return blame;
  const std::string program = ToMlir(test_case.program, toolchain.description().dialect);
  const bool is_lowering = checked.judgement.stage == Stage::kLower;
  const auto is_right = [&](const std::string& pipeline) {
    if (is_lowering) {
      // The passes behind this one are left off, so the stage at which the case ends then says nothing more.
      const Observation seen = toolchain.lowering()->ObserveThrough(test_case, pipeline);
      return seen.stage > Stage::kLower || seen.outcome == Outcome::kCompleted;
    }
    const absl::StatusOr<std::string> left = toolchain.lowering()->LowerText(program, pipeline, false);
    const absl::StatusOr<Program> rewritten = left.ok() && read ? read(*left) : left.status();
    return rewritten.ok() && JudgeRewritten(test_case, *rewritten, judge).is_right == true;
  };
  const auto guilt_of = [&](const std::vector<std::string>& left_out) {
    const auto now = InFreshProcess<bool>(limits, [&] { return is_right(Without(*blame.bisection, left_out)); });
    return now.ok() && !now->death && now->answer ? Guilt::kProved : Guilt::kCleared;
  };
  const bool is_among_them = guilt_of(plain) == Guilt::kProved;
  for (const std::string& name : plain) {
    blame.rewrites.push_back({.name = name, .kind = "pattern", .passes = {kPass}});
    if (is_among_them) blame.rewrites.back().guilt = guilt_of({name});
  }
  absl::c_stable_sort(blame.rewrites, [](const auto& a, const auto& b) { return a.guilt < b.guilt; });
  return blame;
}

}  // namespace tosaic
