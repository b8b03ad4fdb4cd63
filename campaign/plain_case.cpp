#include "campaign/plain_case.h"

#include <algorithm>
#include <utility>

#include "campaign/signature.h"
#include "reducer/reduction_steps.h"

namespace tosaic {
namespace {

bool ShowsKind(const std::string& kind, const Case& test_case, const CheckedCase& checked) {
  return !checked.twin && IsDivergence(checked.judgement.verdict) &&
         FindingKind(test_case, checked.observation, checked.judgement) == kind;
}

// The first of the candidates that shows it, also alone; or the case itself.
Case First(Toolchain& toolchain, const Case& itself, const std::vector<Case>& candidates, const std::string& kind,
           const WorkerLimits& limits, const JudgeOptions& judge) {
  std::vector<char> shows(candidates.size(), 0);
  size_t at = 0;
  auto next = [&]() -> std::optional<uint64_t> {
    return at == candidates.size() ? std::nullopt : std::optional<uint64_t>(at++);
  };
  const absl::Status status = RunTasks(
      {.limits = limits}, nullptr, next,
      [&](uint64_t task, bool* retire) {
        const Case& candidate = candidates[task];
        const auto observe = [&](const Case& one) { return toolchain.Observe(one); };
        const bool shown = ShowsKind(kind, candidate, CheckWith(observe, candidate, judge));
        *retire = toolchain.tainted();
        return std::string(shown ? "yes" : "");
      },
      [&](const TaskResult& result) { shows[result.task] = result.death || !result.payload.empty(); });
  for (size_t i = 0; status.ok() && i < candidates.size(); ++i) {
    if (shows[i] != 0 && ShowsKind(kind, candidates[i], CheckCase(toolchain, candidates[i], limits, judge))) {
      return candidates[i];
    }
  }
  return itself;
}

std::vector<Case> OnRoutesBefore(const Case& test_case, const std::vector<std::string>& routes) {
  std::vector<Case> candidates;
  for (const std::string& route : routes) {
    if (route == test_case.route) break;
    candidates.push_back(test_case);
    candidates.back().route = route;
  }
  return candidates;
}

// Ops that stand before it in the catalogue, take the same operands and the element types, and have no attributes.
std::vector<Case> OfOpsBefore(const Case& test_case) {
  std::vector<Case> candidates;
  if (test_case.program.ops.size() != 1) return candidates;
  const OpApplication& op = test_case.program.ops.front();
  const OpInfo& own = Info(op.op);
  const ElementType input = InputElementType(test_case.program, op), result = op.result.element_type;
  for (const OpInfo& info : AllOps()) {
    if (info.kind == op.op) break;
    const bool fits = std::equal(info.operands.begin(), info.operands.end(), own.operands.begin(), own.operands.end());
    if (!fits || !info.attributes.empty() || !DialectAccepts(info, input, result)) continue;
    candidates.push_back(test_case);
    candidates.back().program.ops.front().op = info.kind;
    candidates.back().program.ops.front().attributes = {};
  }
  return candidates;
}

std::vector<Case> OfPlainerTypes(const Case& test_case) {
  for (const ReductionStep& step : ReductionSteps()) {
    if (step.propose == ProposeSimplerTypes) return Candidates(step, test_case);
  }
  return {};
}

}  // namespace

Case PlainestCase(Toolchain& toolchain, const Case& reduced, const CheckedCase& checked,
                  const std::vector<std::string>& routes, const WorkerLimits& limits, const JudgeOptions& judge) {
  if (checked.twin || !IsDivergence(checked.judgement.verdict)) return reduced;
  const std::string kind = FindingKind(reduced, checked.observation, checked.judgement);
  Case plain = reduced;
  const auto take = [&](const std::vector<Case>& candidates) {
    if (!candidates.empty()) plain = First(toolchain, plain, candidates, kind, limits, judge);
  };
  if (checked.judgement.stage > Stage::kInfer) take(OnRoutesBefore(plain, routes));
  take(OfPlainerTypes(plain));
  if (checked.judgement.verdict != Verdict::kWrongValue) take(OfOpsBefore(plain));
  return plain;
}

}  // namespace tosaic
