// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judging: the steps of judge.h's Judge, in the order of the pipeline. judge.cpp judges what the toolchain said before
// code ran, judge_runs.cpp what runs showed.
#ifndef TOSAIC_ORACLE_JUDGING_H_
#define TOSAIC_ORACLE_JUDGING_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "oracle/block_results.h"
#include "oracle/flushing.h"
#include "oracle/judge.h"
#include "oracle/legality.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"
#include "oracle/run_sets.h"
#include "oracle/validation.h"

namespace tosaic {

class Judging {
 public:
  Judging(const Case& test_case, const Observation& observation, const JudgeOptions& options)
      : case_(test_case), observation_(observation), options_(options) {}

  Judgement Take() {
    judgement_.stage = observation_.stage;
    if (options_.validation) {
      legality_ = JudgeValidity(case_.program, *options_.validation, options_.policies);
      judgement_.rule = legality_.rule;
      judgement_.strictness = Strictness(*options_.validation);
      JudgeEnding() || JudgeDecision() || JudgeValidator();
      return std::move(judgement_);
    }
    legality_ = JudgeLegality(case_.program, options_.policies);
    judgement_.beyond_spec = legality_.beyond_spec;
    JudgeEnding() || JudgeBuild() || JudgeDecision() || JudgeGraph() || JudgeLowering() || JudgeContract() ||
        JudgeRuns() || JudgeInference() || JudgeNothingCompared();
    return std::move(judgement_);
  }

 private:
  // Each step returns true if it decided.
  bool JudgeEnding();
  bool BlameEnd();
  bool JudgeBuild();
  bool JudgeDecision();
  void NoteWrongReason();
  bool JudgeValidator();
  bool JudgeContradiction();
  bool JudgeGraph();
  bool JudgeLowering();
  bool JudgeContract();
  bool JudgeRuns();
  bool JudgeFlushing();
  void FindHiddenFlushing();
  bool FindHiddenFlushing(size_t run, SubnormalsOf known, FlushingTargets others);
  bool JudgeInference();
  bool JudgeNothingCompared();

  // Judges one run; false if nothing is wrong with it.
  bool JudgeRun(size_t run);
  bool JudgeProperties(size_t run);
  bool JudgeMemory(size_t run);
  bool JudgeResult(size_t run, size_t index, const std::vector<const Tensor*>& known, RunSets* sets);
  bool JudgeBlocks(size_t run, size_t index, const std::vector<const Tensor*>& known, RunSets* sets);
  bool JudgeOneContent(size_t run, RunSets* sets);
  bool JudgePassedOn(size_t run, size_t index);
  bool JudgeReturnedTwice(size_t run, RunSets* sets);
  bool JudgeCopies(size_t run, size_t first, size_t second, RunSets* sets);
  bool JudgeBySets(size_t run, size_t index, RunSets* sets);
  bool JudgeValues(size_t run, size_t index, ValueComparison values);
  void CountElements(size_t index, JudgedElements counted);  // of that result
  bool BlameShape(size_t run, size_t index, const RuntimeShape& expected);
  // `explain`: of an element of that result.
  bool BlamePoisoned(size_t run, size_t index, const std::vector<uint64_t>& elements,
                     absl::FunctionRef<ElementMismatch(size_t)> explain);
  bool BlameUnwritten(size_t run, size_t index, const std::vector<uint64_t>& elements);
  std::string Where(size_t run, size_t index) const;
  bool EndIsUndefined() const;
  const Tensor* GivenTensor(ValueRef value, size_t run) const;
  bool HasUnfitTable(size_t run) const;
  bool MayHaveTrapped() const;
  // The program was lowered, but the toolchain lacks the tools to run it.
  bool WasNotRun() const { return observation_.outcome == Outcome::kRefused && observation_.stage == Stage::kExecute; }
  bool JudgeMissedStop(size_t run, const std::string& actual);
  bool HasUndefinedShape(size_t run) const { return !SizesOfAllOps(case_.program, case_.runs[run]); }
  bool MayHaveUndefinedElement(size_t run) const;

  bool Decide(Verdict verdict, RuleId rule, std::string expected, std::string actual) {
    judgement_.verdict = verdict;
    judgement_.rule = rule;
    judgement_.expected = std::move(expected);
    judgement_.actual = std::move(actual);
    return true;
  }

  // As the verifier should have decided.
  bool DecideByLegality(Verdict verdict, std::string actual) {
    judgement_.op = legality_.op_index;
    return Decide(verdict, legality_.rule, ToString(legality_), std::move(actual));
  }

  void Note(RuleId rule) { judgement_.notes.emplace_back(Name(rule)); }
  void NoteOnce(std::string note) {
    if (!absl::c_linear_search(judgement_.notes, note)) judgement_.notes.push_back(std::move(note));
  }
  void NoteImplausible(const OpApplication& op) {
    NoteOnce(absl::StrCat(Name(RuleId::kValueImplausible), ": ", Name(op.op)));
  }

  const Case& case_;
  const Observation& observation_;
  const JudgeOptions& options_;
  Legality legality_;
  Judgement judgement_;
  size_t stopped_ = 0;       // runs that stopped themselves
  FlushingRecord flushing_;  // over all runs
};

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_JUDGING_H_
