// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/plain_case.h"

#include <atomic>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "checking/circumstances.h"
#include "checking/signature.h"
#include "model/pass_sequence.h"
#include "model/routes.h"
#include "reducer/reduction_steps.h"
#include "workers/map.h"

namespace tosaic {
namespace {

bool ShowsKind(const DefectKind& kind, const Case& test_case, const CheckedCase& checked) {
  return !checked.twin && IsDivergence(checked.judgement.verdict) &&
         KindOf(test_case, checked.observation, checked.judgement) == kind;
}

// The number of the first candidate from `from` on that shows it in a worker; that of all candidates if none does.
size_t FirstFrom(size_t from, Toolchain& toolchain, const std::vector<Case>& candidates, const DefectKind& kind,
                 const WorkerLimits& limits, const JudgeOptions& judge) {
  size_t first = candidates.size();
  std::atomic<bool> is_found = false;
  const auto shows = [&](uint64_t i) {
    const Case& candidate = candidates[from + i];
    const auto observe = [&](const Case& test_case) { return toolchain.Observe(test_case); };
    return ShowsKind(kind, candidate, CheckWith(observe, candidate, judge));
  };
  const absl::Status status = MapIndices<bool>({.limits = limits}, &is_found, candidates.size() - from, shows,
                                               [&](uint64_t i, WorkerResult<bool> result) {
                                                 if (is_found || !(result.death || result.answer)) return;
                                                 first = from + i;
                                                 is_found = true;
                                               });
  return status.ok() ? first : candidates.size();
}

// The first of the candidates that shows it, also alone.
std::optional<PlainCase> First(Toolchain& toolchain, const std::vector<Case>& candidates, const DefectKind& kind,
                               const WorkerLimits& limits, const JudgeOptions& judge) {
  const auto next = [&](size_t from) { return FirstFrom(from, toolchain, candidates, kind, limits, judge); };
  for (size_t i = next(0); i < candidates.size(); i = next(i + 1)) {
    CheckedCase alone = CheckCase(toolchain, candidates[i], limits, judge);
    if (ShowsKind(kind, candidates[i], alone)) return PlainCase{candidates[i], std::move(alone)};
  }
  return std::nullopt;
}

// Whether the other route shows what this one may: what IR breaks that a route ends with, no generated code shows.
bool MayShow(const Judgement& judgement, const std::string& route, const std::string& other) {
  const Route *own = FindRoute(route), *before = FindRoute(other);
  if (judgement.verdict != Verdict::kContractViolation || own == nullptr || before == nullptr) return true;
  return own->extracts == before->extracts && own->makes_graph == before->makes_graph;
}

std::vector<Case> OnRoutesBefore(const Case& test_case, const Judgement& judgement,
                                 const std::vector<std::string>& routes) {
  std::vector<Case> candidates;
  for (const std::string& route : routes) {
    if (route == RouteName(test_case.route)) break;
    if (!MayShow(judgement, test_case.route, route)) continue;
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
    const bool fits = absl::c_equal(info.operands, own.operands);
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

PlainCase PlainestCase(Toolchain& toolchain, PlainCase reduced, const std::vector<std::string>& routes, bool any_op,
                       absl::FunctionRef<bool(const PlainCase&)> is_same, const WorkerLimits& limits,
                       const JudgeOptions& judge) {
  const Judgement judgement = reduced.checked.judgement;
  if (reduced.checked.twin || !IsDivergence(judgement.verdict)) return reduced;
  const DefectKind kind = KindOf(reduced.test_case, reduced.checked.observation, judgement);
  PlainCase plain = std::move(reduced);
  const auto take = [&](const std::vector<Case>& candidates) {
    if (candidates.empty()) return;
    std::optional<PlainCase> plainer = First(toolchain, candidates, kind, limits, judge);
    if (plainer && is_same(*plainer)) plain = *std::move(plainer);
  };
  if (judgement.stage > Stage::kInfer) take(OnRoutesBefore(plain.test_case, judgement, routes));
  take(OfPlainerTypes(plain.test_case));
  if (any_op && judgement.verdict != Verdict::kWrongValue) take(OfOpsBefore(plain.test_case));
  return plain;
}

FindingSignature NameOf(const PlainCase& shown) { return NameOf(shown.checked.signature, shown.test_case.program); }

PlainCase PlainestCase(Toolchain& toolchain, const KnownDivergences& known, PlainCase reduced,
                       const std::vector<std::string>& routes, const WorkerLimits& limits, const JudgeOptions& judge) {
  const auto entry_of = [&](const PlainCase& plain) { return known.Find(NameOf(plain), &plain.test_case, toolchain); };
  const KnownDivergences::Entry* before = entry_of(reduced);
  const auto is_same = [&](const PlainCase& plain) {
    const KnownDivergences::Entry* after = entry_of(plain);
    if (before != nullptr && after != nullptr) return before->cause == after->cause;
    // An entry with the very name is in the list because an earlier campaign gave this finding that name.
    return before == after || (after != nullptr && after->signature == ToString(NameOf(plain)));
  };
  return PlainestCase(toolchain, std::move(reduced), routes, before != nullptr, is_same, limits, judge);
}

bool IsKnownReduced(Toolchain& toolchain, const KnownDivergences& known, const Case& divergent,
                    const FindingSignature& signature, const WorkerLimits& limits, const JudgeOptions& judge,
                    absl::Duration budget) {
  const absl::StatusOr<Case> reduced = ReduceCase(toolchain, divergent, signature, limits, judge, {.budget = budget});
  if (!reduced.ok()) return false;
  PlainCase plain = {*reduced, CheckCase(toolchain, *reduced, limits, judge)};
  if (plain.checked.signature.empty()) return false;
  std::vector<std::string> routes;
  for (const Route* route : toolchain.description().routes) routes.push_back(std::string(route->name));
  plain = PlainestCase(toolchain, known, std::move(plain), routes, limits, judge);
  const Case* shown = plain.checked.twin ? &*plain.checked.twin : &plain.test_case;
  return known.Find(NameOf(plain), shown, toolchain) != nullptr;
}

}  // namespace tosaic
