// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/sweep_task.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "checking/signature.h"
#include "oracle/category.h"
#include "oracle/explain.h"
#include "oracle/legality.h"
#include "oracle/probe_legality.h"

namespace tosaic {
namespace {

// Large enough that starting it costs nothing, small enough that progress shows and cores share.
constexpr uint64_t kDecisionsPerTask = 20000;

// The judgement on one op on which the documents and MLIR differ.
Judgement JudgementOf(const Legality& legality, const Decider::Answer& answer) {
  Judgement judgement;
  judgement.stage = Stage::kVerify;
  judgement.beyond_spec = legality.beyond_spec;
  judgement.rule = legality.rule;
  judgement.expected = ToString(legality);
  if (answer.accepted && legality.answer == Answer::kRefuse) {
    judgement.verdict = Verdict::kFalseAccept;
    judgement.actual = "accepted by the verifier";
  } else if (!answer.accepted) {
    judgement.verdict = Verdict::kFalseReject;
    judgement.actual = absl::StrCat("refused: ", answer.diagnostic);
  } else {
    judgement.verdict = Verdict::kWrongInference;
    judgement.stage = Stage::kInfer;
    judgement.rule = legality.inferred ? RuleId::kInferShape : RuleId::kInferUnrankedOperands;
    judgement.expected =
        absl::StrCat("inferred shape: ", legality.inferred ? ToString(*legality.inferred) : "no shape");
    judgement.actual = absl::StrCat("inferred: ", answer.inferred ? ToString(*answer.inferred) : "nothing");
  }
  return judgement;
}

// Asks both sides about part of a space.
class SpaceSweep {
 public:
  SpaceSweep(Toolchain& toolchain, const SweepSpace& space, const Policies& policies)
      : space_(space),
        policies_(policies),
        decider_(toolchain.deciders()->CreateDecider(space.prototype ? &*space.prototype : nullptr, space.types)) {
    if (space.prototype) program_ = *space.prototype;
    probe_.op = space.op;
  }

  SweepCounts Sweep(const SweepTask& task) && {
    for (size_t i = task.begin; i < task.end; ++i) {
      SetOperands(space_.tuples[i]);
      for (size_t r = task.result_begin; r < task.result_end; ++r) Decide(space_.tuples[i], space_.results[r]);
    }
    for (const auto& [rule, count] : rules_) counts_.rules[std::string(Name(rule))] = count;
    for (const Category category : All<Category>()) {
      const uint64_t count = categories_[static_cast<size_t>(category)];
      if (count > 0) counts_.categories[std::string(Name(category))] = count;
    }
    return std::move(counts_);
  }

 private:
  void SetOperands(const std::vector<size_t>& tuple) {
    if (space_.prototype) {
      for (size_t i = 0; i < tuple.size(); ++i) program_.arguments[i] = space_.types[tuple[i]].type;
    } else {
      probe_.operands.clear();
      for (const size_t type : tuple) probe_.operands.push_back(space_.types[type]);
    }
  }

  void Decide(const std::vector<size_t>& tuple, size_t result) {
    if (space_.prototype) {
      program_.ops[0].result = space_.types[result].type;
    } else {
      probe_.result = space_.types[result];
    }
    const Decider::Answer& answer = decider_->Decide(tuple, result);
    const Legality legality =
        space_.prototype ? JudgeLegality(program_, program_.ops[0], policies_) : JudgeProbe(probe_, policies_);
    ++counts_.decisions;
    counts_.accepted += answer.accepted ? 1 : 0;
    if (answer.category) ++categories_[static_cast<size_t>(*answer.category)];
    ++rules_[legality.rule];
    InferenceGrade grade = InferenceGrade::kEqual;
    const bool decision_agrees =
        legality.answer == Answer::kEither || answer.accepted == (legality.answer == Answer::kAccept);
    if (answer.accepted && legality.answer == Answer::kAccept) {
      grade = GradeInference(legality.inferred, space_.types[result].type.element_type, answer.inferred);
    }
    if (grade == InferenceGrade::kLessPrecise) ++counts_.notes[std::string(Name(RuleId::kInferLessPrecise))];
    if (grade == InferenceGrade::kOtherElementType) ++counts_.notes[std::string(Name(RuleId::kInferElementType))];
    if (answer.category && legality.answer == Answer::kRefuse) NoteWrongReason(legality, *answer.category);
    if (!decision_agrees || grade == InferenceGrade::kWrong) Disagree(legality, answer);
  }

  void NoteWrongReason(const Legality& legality, Category category) {
    if (Info(legality.rule).refusal == category) return;  // nearly always, and quickly seen
    const std::string note = WrongReason(
        category, space_.prototype ? BrokenCategories(program_, policies_) : BrokenCategories(probe_, policies_),
        legality.rule);
    if (!note.empty()) ++counts_.notes[note];
  }

  void Disagree(const Legality& legality, const Decider::Answer& answer) {
    const Judgement judgement = JudgementOf(legality, answer);
    Observation observation;
    if (!answer.diagnostic.empty()) observation.diagnostics = {answer.diagnostic};
    // As a campaign would sign it.
    const FindingSignature signature = space_.prototype
                                           ? SignatureOf({.program = program_, .runs = {}}, observation, judgement)
                                           : SignatureOf(probe_, judgement);
    Finding& disagreement = counts_.disagreements[signature];
    disagreement.types().decisions.push_back(space_.prototype ? Signature(program_, program_.ops[0])
                                                              : ToString(probe_));
    if (++disagreement.count > 1) return;
    disagreement.signature = signature;
    disagreement.op = space_.op;
    disagreement.judgement = judgement;
  }

  const SweepSpace& space_;
  const Policies& policies_;
  const std::unique_ptr<Decider> decider_;
  Program program_;
  OpSignature probe_;
  absl::flat_hash_map<RuleId, uint64_t> rules_;
  uint64_t categories_[static_cast<size_t>(Category::kUnknown) + 1] = {};
  SweepCounts counts_;
};

}  // namespace

std::vector<SweepTask> SweepTask::Split() const {
  std::vector<SweepTask> parts;
  for (size_t i = begin; end - begin > 1 && i < end; ++i) {
    parts.push_back({space, i, i + 1, result_begin, result_end, part_of});
  }
  for (size_t r = result_begin; end - begin == 1 && result_end - result_begin > 1 && r < result_end; ++r) {
    parts.push_back({space, begin, end, r, r + 1, part_of});
  }
  return parts;
}

std::vector<SweepTask> TasksOf(const std::vector<SweepSpace>& spaces) {
  std::vector<SweepTask> tasks;
  for (size_t space = 0; space < spaces.size(); ++space) {
    const size_t step = std::max<size_t>(1, kDecisionsPerTask / spaces[space].results.size());
    for (size_t begin = 0; begin < spaces[space].tuples.size(); begin += step) {
      const size_t end = std::min(begin + step, spaces[space].tuples.size());
      tasks.push_back({space, begin, end, 0, spaces[space].results.size(), tasks.size()});
    }
  }
  return tasks;
}

SweepCounts Decide(Toolchain& toolchain, const SweepSpace& space, const SweepTask& task, const Policies& policies) {
  return SpaceSweep(toolchain, space, policies).Sweep(task);
}

SweepCounts CountsOfDeath(const SweepSpace& space, const SweepTask& task, const Observation& death) {
  OpSignature about{space.op, {}, {}};
  for (const size_t type : space.tuples[task.begin]) about.operands.push_back(space.types[type]);
  about.result = space.types[space.results[task.result_begin]];
  const bool hung = death.outcome == Outcome::kDeadline;
  Finding disagreement;
  Judgement& judgement = disagreement.judgement;
  judgement.verdict = hung ? Verdict::kTimeout : Verdict::kCrash;
  judgement.expected = "an answer";
  judgement.actual = Summarize(death);
  judgement.stage = death.stage;
  judgement.rule = hung ? RuleId::kRunDeadline : RuleId::kRunSignal;
  disagreement.signature = {.verdict = judgement.verdict,
                            .op = space.op,
                            .rule = std::string(Name(judgement.rule)),
                            .detail = std::string(Name(death.stage))};
  disagreement.op = space.op;
  disagreement.count = 1;
  disagreement.evidence = TypesEvidence{{ToString(about)}};
  SweepCounts counts;
  counts.disagreements[disagreement.signature] = std::move(disagreement);
  return counts;
}

}  // namespace tosaic
