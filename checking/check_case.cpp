// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/check_case.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "checking/signature.h"
#include "generators/twins.h"
#include "model/json.h"
#include "oracle/legality.h"
#include "oracle/probe_legality.h"
#include "oracle/result_shape.h"
#include "oracle/twins.h"
#include "oracle/validation.h"
#include "reducer/reducer.h"
#include "toolchain/observe_isolated.h"
#include "toolchain/progress.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// Names a divergence by its signature.
void Sign(const Case& test_case, CheckedCase* checked) {
  if (!IsDivergence(checked->judgement.verdict)) return;
  checked->signature = SignatureOf(test_case, checked->observation, checked->judgement);
}

CheckedCase Checked(absl::FunctionRef<Observation(const Case&)> observe, const Case& test_case,
                    const JudgeOptions& judge) {
  CheckedCase checked;
  checked.observation = Observed([&] { return observe(test_case); });
  checked.judgement = Judge(test_case, checked.observation, judge);
  Sign(test_case, &checked);
  return checked;
}

bool IsClean(const CheckedCase& checked) {
  return !IsDivergence(checked.judgement.verdict) && checked.judgement.verdict != Verdict::kHarnessFault;
}

// Whether the value is wrong and any of several ops may have spoiled it.
bool IsOfSeveralOps(const CheckedCase& checked) {
  return checked.judgement.verdict == Verdict::kWrongValue && checked.signature.op == kSeveralOps;
}

// The case with all that its ops make returned, if a value is then wrong too, and one op is to blame.
std::optional<CheckedCase> CheckReturningAll(absl::FunctionRef<Observation(const Case&)> observe, const Case& test_case,
                                             const JudgeOptions& judge) {
  Case of_all = test_case;
  of_all.twin = "all-returned";
  const std::optional<Case> twin = TwinOf(of_all);
  if (!twin) return std::nullopt;
  CheckedCase checked = Checked(observe, *twin, judge);
  if (checked.judgement.verdict != Verdict::kWrongValue || IsOfSeveralOps(checked)) return std::nullopt;
  checked.twin = twin;
  checked.twin_name = of_all.twin;
  checked.is_wrong_itself = true;
  return checked;
}

// Whether a run that nothing defines has ended those behind it too.
bool HidesRuns(const Case& test_case, const CheckedCase& checked) {
  const Observation& observation = checked.observation;
  return checked.judgement.verdict == Verdict::kUndefined && observation.outcome != Outcome::kCompleted &&
         observation.stage == Stage::kExecute && observation.run + 1 < test_case.runs.size();
}

void AddElements(const Judgement& other, Judgement* to) {
  to->compared += other.compared;
  to->masked += other.masked;
  to->open += other.open;
  for (const JudgedElements& judged : other.judged) AddTo(&to->judged, judged);
  for (const std::string& note : other.notes) {
    if (!absl::c_linear_search(to->notes, note)) to->notes.push_back(note);
  }
}

// Judges the runs that such a run hides. If they are not right, the answer is about the case with these runs alone;
// otherwise their elements count with the others.
std::optional<CheckedCase> CheckHiddenRuns(absl::FunctionRef<Observation(const Case&)> observe, const Case& test_case,
                                           const JudgeOptions& judge, CheckedCase* checked) {
  Case named = test_case, rest = test_case;
  CheckedCase of_rest = *checked;
  for (size_t run = 0; HidesRuns(rest, of_rest);) {
    run += of_rest.observation.run + 1;
    named.twin = FromRun(run);
    rest = *TwinOf(named);
    of_rest = Checked(observe, rest, judge);
    if (!IsClean(of_rest)) {
      of_rest.twin = rest;
      of_rest.twin_name = named.twin;
      return of_rest;
    }
    AddElements(of_rest.judgement, &checked->judgement);
  }
  return std::nullopt;
}

}  // namespace

bool Shows(const FindingSignature& signature, const Case& test_case, const CheckedCase& checked) {
  return !checked.twin && ShowsFinding(signature, test_case, checked.observation, checked.judgement);
}

JudgeOptions ForToolchain(const Toolchain& toolchain, JudgeOptions judge) {
  judge.mlir_version = toolchain.description().mlir_version;
  judge.policies.dialect = toolchain.description().dialect;
  return judge;
}

CheckedCase CheckWith(absl::FunctionRef<Observation(const Case&)> observe, const Case& test_case,
                      const JudgeOptions& judge) {
  CheckedCase checked = Checked(observe, test_case, judge);
  if (IsOfSeveralOps(checked)) {
    if (std::optional<CheckedCase> shown = CheckReturningAll(observe, test_case, judge)) return *std::move(shown);
  }
  if (std::optional<CheckedCase> wrong = CheckHiddenRuns(observe, test_case, judge, &checked)) return *std::move(wrong);
  // Without an execution, or without a judgement on it, there is nothing to compare.
  const bool is_compared = !judge.validation && !checked.observation.lowered && !checked.observation.graph &&
                           checked.judgement.verdict != Verdict::kUnsupported;
  if (test_case.twin.empty() || !is_compared || !IsClean(checked)) return checked;
  const std::optional<Case> twin = TwinOf(test_case);
  if (!twin) {
    const std::optional<RuleId> rule = FindTwinRule(test_case.twin);
    checked.judgement.notes.push_back(absl::StrCat(rule ? Name(*rule) : test_case.twin, ": the case has no such twin"));
    return checked;
  }
  CheckedCase of_twin = Checked(observe, *twin, judge);
  if (!IsClean(of_twin)) {
    of_twin.twin = twin;
    of_twin.twin_name = test_case.twin;
    return of_twin;
  }
  JudgeTwin(test_case, checked.observation, *twin, of_twin.observation, judge.policies, &checked.judgement);
  Sign(test_case, &checked);
  return checked;
}

namespace {

// The elements that the case has and its ops make, over all runs.
double Elements(const Case& test_case) {
  double elements = 0;
  for (const Run& run : test_case.runs) {
    for (const Tensor& tensor : run) elements += static_cast<double>(tensor.element_count());
    const auto of_ops = SizesOfAllOps(test_case.program, run);
    for (size_t i = 0; of_ops && i < of_ops->size(); ++i) elements += static_cast<double>(ElementCount((*of_ops)[i]));
  }
  return elements;
}

// Judging more may take long: a process of its own, which costs some milliseconds, is then worth it.
constexpr double kMostElementsJudgedHere = 65536;
// The time that generated code may take for an element. If a run has so many that the deadline comes first, the
// deadline proves nothing.
constexpr double kMostSecondsForElement = 1e-6;

// The observation of one case alone. Nobody is to blame if the case is too large for its time.
Observation ObserveInTime(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits) {
  Observation observation = ObserveIsolated(toolchain, test_case, limits);
  const bool is_late = observation.outcome == Outcome::kDeadline && observation.stage == Stage::kExecute;
  if (!is_late || Elements(test_case) * kMostSecondsForElement < limits.cpu_seconds) return observation;
  observation.outcome = Outcome::kToolFailure;
  observation.diagnostics = {absl::StrCat("the case is too large to run in ", limits.cpu_seconds, " s (--cpu-limit)")};
  return observation;
}

}  // namespace

void Fields(Visitor& v, CheckedCase& checked) {
  v("twin", checked.twin);
  v("twin_name", checked.twin_name);
  v("is_wrong_itself", checked.is_wrong_itself);
  v("observation", checked.observation);
  v("judgement", checked.judgement);
  v("signature", checked.signature);
}

CheckedCase CheckCase(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                      const JudgeOptions& judge) {
  const JudgeOptions fitting = ForToolchain(toolchain, judge);
  const auto check = [&] {
    return CheckWith([&](const Case& candidate) { return ObserveInTime(toolchain, candidate, limits); }, test_case,
                     fitting);
  };
  if (Elements(test_case) <= kMostElementsJudgedHere) return check();
  // Observing has the same limits, in a process below.
  WorkerLimits own = limits;
  own.wall_seconds *= 4;
  const absl::StatusOr<WorkerResult<CheckedCase>> result = InFreshProcess<CheckedCase>(own, check);
  if (result.ok() && !result->death) return result->answer;
  const auto failed = [&](const Case&) {
    if (result.ok()) return ObservationOf(*result->death);
    Observation failure;
    failure.outcome = Outcome::kToolFailure;
    failure.diagnostics.emplace_back(result.status().message());
    return failure;
  };
  Case alone = test_case;
  alone.twin.clear();
  return CheckWith(failed, alone, fitting);
}

namespace {

// The oracle's answer under the default policies, in the form of an expectation.
Expectation OracleSays(const SpecCase& spec_case) {
  const Case* test_case = spec_case.test_case();
  const Legality legality =
      test_case != nullptr ? JudgeLegality(test_case->program, Policies()) : JudgeProbe(*spec_case.probe(), Policies());
  Expectation says{std::string(Name(legality.answer)), legality.rule, std::nullopt};
  ValueType type = test_case != nullptr ? ValueType{Container::kTensor, test_case->program.ops.back().result}
                                        : spec_case.probe()->result;
  if (legality.inferred) {
    type.type.shape = *legality.inferred;
    says.inferred = ToString(type);
  }
  return says;
}

std::string ToString(const Expectation& expected) {
  return absl::StrCat(expected.decision, " [", Name(expected.rule), "], inferred type ",
                      expected.inferred.value_or("none"));
}

}  // namespace

CheckedCase CheckCase(Toolchain& toolchain, const SpecCase& spec_case, const WorkerLimits& limits,
                      const JudgeOptions& judge) {
  Expectation says = OracleSays(spec_case);
  if (spec_case.expected) {
    says.mlir = spec_case.expected->mlir;  // not the oracle's business
    for (const auto& [target, rule] : spec_case.expected->validation) {
      says.validation[target] =
          JudgeValidity(spec_case.test_case()->program, *ParseValidationTarget(target), Policies()).rule;
    }
  }
  if (spec_case.expected && *spec_case.expected != says) {
    CheckedCase checked;
    checked.judgement.verdict = Verdict::kHarnessFault;
    checked.judgement.stage = Stage::kBuild;
    checked.judgement.rule = RuleId::kHarnessExpected;
    checked.judgement.expected = absl::StrCat("as the file has it: ", ToString(*spec_case.expected));
    checked.judgement.actual = absl::StrCat("the oracle says: ", ToString(says));
    return checked;
  }
  CheckedCase checked;
  if (const Case* test_case = spec_case.test_case()) {
    checked = CheckCase(toolchain, *test_case, limits, judge);
  } else {
    const OpSignature& probe = *spec_case.probe();
    checked.observation = ObserveIsolated(toolchain, probe, limits);
    checked.judgement = JudgeProbe(probe, checked.observation, ForToolchain(toolchain, judge).policies);
    if (IsDivergence(checked.judgement.verdict)) checked.signature = SignatureOf(probe, checked.judgement);
  }
  const int version = toolchain.description().mlir_version;
  const auto in_file = says.mlir.find(absl::StrCat(version));
  const Outcome outcome = checked.observation.outcome;
  const bool refused = outcome == Outcome::kRefused && checked.observation.stage <= Stage::kVerify;
  const bool verified = refused || outcome == Outcome::kCompleted || checked.observation.stage > Stage::kVerify;
  if (in_file != says.mlir.end() && verified && !judge.validation && (in_file->second == "refuse") != refused) {
    checked.judgement.notes.push_back(absl::StrCat("expected.mlir: the file has ", in_file->second, ", MLIR ", version,
                                                   refused ? " refuses" : " accepts"));
  }
  return checked;
}

absl::Status NoDivergence(const Judgement& judgement, absl::string_view done) {
  if (judgement.verdict == Verdict::kHarnessFault) return absl::InternalError(judgement.actual);
  return absl::InvalidArgumentError(
      absl::StrCat("the verdict is ", Name(judgement.verdict), "; only a divergence can be ", done));
}

// The limits of a process that reduces: those of so many cases, up to the end of the budget.
static WorkerLimits LimitsOfReduction(WorkerLimits limits, int cases, bool has_budget, absl::Time end) {
  limits.cpu_seconds *= cases;
  limits.wall_seconds *= cases;
  if (has_budget) {
    const int64_t left = absl::ToInt64Seconds(absl::Ceil(end - absl::Now(), absl::Seconds(1)));
    limits.wall_seconds = static_cast<int>(std::clamp<int64_t>(left, 1, limits.wall_seconds));
  }
  return limits;
}

absl::StatusOr<Case> ReduceCase(Toolchain& toolchain, const Case& original, const FindingSignature& signature,
                                const WorkerLimits& limits, const JudgeOptions& judge, const ReduceOptions& options) {
  // Deaths need a process per candidate; all else may share one, which is several times faster. If that one dies
  // all the same, the reduction starts again the slow way. What hangs is given up sooner while candidates are tried.
  const bool hangs = signature.verdict == Verdict::kTimeout;
  WorkerLimits trial = limits;
  if (hangs) trial.cpu_seconds = std::max(1, limits.cpu_seconds / 5);
  const absl::Time end = absl::Now() + options.budget.value_or(absl::InfiniteDuration());
  const auto is_over = [&] { return absl::Now() >= end || (options.stop != nullptr && *options.stop); };
  SharedText own;
  SharedText& best = options.best != nullptr ? *options.best : own;
  const JudgeOptions fitting = ForToolchain(toolchain, judge);
  for (const bool isolated : {false, true}) {
    if (hangs && !isolated) continue;
    if (is_over()) break;
    const absl::StatusOr<WorkerResult<Case>> result = InFreshProcess<Case>(
        LimitsOfReduction(limits, isolated ? 100 : 6, options.budget.has_value(), end),
        [&] {
          auto shows_it = [&](const Case& candidate) {
            auto observe = [&](const Case& test_case) {
              return isolated ? ObserveIsolated(toolchain, test_case, trial) : toolchain.Observe(test_case);
            };
            const CheckedCase checked = CheckWith(observe, candidate, fitting);
            return Shows(signature, candidate, checked) &&
                   (!options.also || options.also(candidate, checked.judgement));
          };
          ReductionOptions reduction;
          reduction.on_step = options.on_step;
          reduction.stop = [&] { return absl::Now() >= end; };
          reduction.on_best = [&](const Case& so_far) { best.Write(CaseToText(so_far)); };
          return Reduce(original, shows_it, reduction).reduced;
        },
        options.stop);
    if (!result.ok() && !absl::IsCancelled(result.status())) return result.status();
    const bool answered = result.ok() && !result->death;
    if (!answered && !is_over()) continue;
    const absl::StatusOr<Case> reduced = answered ? result->answer : CaseFromText(best.Read());
    if (!reduced.ok()) continue;
    // One process has tried case after case; the result must show the finding alone, too.
    const CheckedCase checked = CheckCase(toolchain, *reduced, limits, judge);
    if (Shows(signature, *reduced, checked)) return reduced;
  }
  if (is_over()) return original;
  return absl::InternalError("the case does not show the divergence again, alone in a fresh process");
}

}  // namespace tosaic
