// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges the runs of a case: results, their shapes, memory and elements.
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "model/counted.h"
#include "oracle/compare.h"
#include "oracle/judging.h"
#include "oracle/one_content.h"
#include "oracle/run_values.h"
#include "oracle/set_comparison.h"

namespace tosaic {
namespace {

// The elements of a result that are predictable: LLVM may drop the store of an unpredictable one, which may be poison
// too. `without_rule`: also those of an op that is always predictable where the documents have no rule for the element
// type.
std::vector<uint64_t> Predictable(const std::vector<uint64_t>& elements, const Program& program,
                                  const OpApplication& op, const std::vector<const Tensor*>& operands,
                                  const ResultObservation& result, const std::vector<bool>& left_out,
                                  const Policies& policies, bool without_rule) {
  std::vector<uint64_t> blamed;
  if (elements.empty()) return blamed;
  const std::vector<int64_t>& sizes = result.tensor.sizes();
  const std::vector<Expected> expected = Evaluate(program, op, operands, sizes, policies);
  const std::vector<Expected> of_flushed =
      Evaluate(program, op, operands, sizes, policies, SubnormalOperands::kFlushed);
  for (uint64_t i : elements) {
    if (!left_out.empty() && left_out[i]) continue;
    const bool has_no_rule = expected[i].value_case == ValueCase::kBeyondSpec;
    const bool always_predictable = without_rule && has_no_rule && Info(op.op).unpredictable == Unpredictable::kNever;
    const bool may_be_undefined =
        expected[i].kind == Expected::Kind::kUndefined || of_flushed[i].kind == Expected::Kind::kUndefined;
    if (!may_be_undefined || always_predictable) blamed.push_back(i);
  }
  return blamed;
}

// The first place at which the function returns the same op's result; `index` itself for an argument or a constant.
size_t FirstCopy(const std::vector<ValueRef>& results, size_t index) {
  return results[index].kind == ValueRef::Kind::kOp ? absl::c_find(results, results[index]) - results.begin() : index;
}

bool ReturnsTwice(const std::vector<ValueRef>& results) {
  for (size_t i = 0; i < results.size(); ++i) {
    if (FirstCopy(results, i) != i) return true;
  }
  return false;
}

}  // namespace

bool Judging::JudgeResult(size_t run, size_t index, const std::vector<const Tensor*>& known, RunSets* sets) {
  const Program& program = case_.program;
  const ValueRef ref = program.results[index];
  if (ref.kind != ValueRef::Kind::kOp) return JudgePassedOn(run, index);
  const OpApplication& op = program.ops[ref.index];
  if (MakesBlocks(program, MakerOf(program, ref, known))) return JudgeBlocks(run, index, known, sets);
  const std::vector<const Tensor*> operands = OperandsIn(case_, run, known, op);
  if (operands.empty() && sets != nullptr) return JudgeBySets(run, index, sets);
  if (operands.empty()) {
    CountElements(index, {.elements = observation_.runs[run].results[index].tensor.element_count()});
    return false;
  }
  const RuntimeShape sizes = SizesFor(op, operands);
  const ResultObservation& result = observation_.runs[run].results[index];
  if (!sizes.defined) {
    CountElements(index, {.elements = result.tensor.element_count()});
    return false;
  }
  if (result.tensor.sizes() != sizes.sizes) return BlameShape(run, index, sizes);
  std::vector<bool> left_out;
  if (sets != nullptr && sets->sizes(ref.index) == sizes.sizes) left_out = sets->DependingOnUndefined(ref.index);
  const Policies& policies = options_.policies;
  flushing_.MoveTo(run, ref.index);
  const auto blamed = [&](const std::vector<uint64_t>& elements, bool without_rule) {
    return Predictable(elements, program, op, operands, result, left_out, policies, without_rule);
  };
  return BlameUnwritten(run, index, blamed(result.unwritten, true)) ||
         JudgeValues(run, index, CompareValues(program, op, operands, result.tensor, policies, left_out, &flushing_)) ||
         BlamePoisoned(run, index, blamed(result.poisoned, false), [&](size_t element) {
           return ExplainElement(program, op, operands, result.tensor, element, policies);
         });
}

// Judges a result that no op makes: it must be the argument or the constant, bit by bit.
bool Judging::JudgePassedOn(size_t run, size_t index) {
  const Tensor& expected = *ValueIn(case_, run, {}, case_.program.results[index]);
  const Tensor& actual = observation_.runs[run].results[index].tensor;
  if (actual.sizes() != expected.sizes()) {
    return BlameShape(run, index, {.sizes = expected.sizes(), .rule = RuleId::kRunPassedOn});
  }
  for (size_t i = 0; i < expected.element_count(); ++i) {
    if (actual.StoredBits(i) == expected.StoredBits(i)) continue;
    const ElementType type = expected.element_type();
    return Decide(Verdict::kWrongValue, RuleId::kRunPassedOn, BitsToString(type, expected.StoredBits(i)),
                  absl::StrCat(Where(run, index), BitsToString(type, actual.StoredBits(i)), " in element ", i));
  }
  SetWidths widths;
  for (size_t i = 0; i < expected.element_count(); ++i) widths.Add(0);
  CountElements(index, {.elements = expected.element_count(), .widths = widths});
  return false;
}

// Results that the function returns more than once: one tensor has one content. Only unpredictable elements may differ.
bool Judging::JudgeReturnedTwice(size_t run, RunSets* sets) {
  const std::vector<ValueRef>& results = case_.program.results;
  for (size_t second = 1; second < results.size(); ++second) {
    const size_t first = FirstCopy(results, second);
    if (first != second && JudgeCopies(run, first, second, sets)) return true;
  }
  return false;
}

bool Judging::JudgeCopies(size_t run, size_t first, size_t second, RunSets* sets) {
  const int op = case_.program.results[second].index;
  const OpApplication& application = case_.program.ops[op];
  const bool is_open =
      !HasValues(case_.program, application) && Info(application.op).unpredictable != Unpredictable::kNever;
  const Tensor& expected = observation_.runs[run].results[first].tensor;
  const Tensor& actual = observation_.runs[run].results[second].tensor;
  if (is_open || expected.sizes() != sets->sizes(op) || actual.sizes() != sets->sizes(op)) return false;
  ElementMismatch mismatch = {.run = static_cast<int>(run), .op = op};
  for (size_t i = 0; i < expected.element_count(); ++i) {
    const uint64_t bits = expected.StoredBits(i), others = actual.StoredBits(i);
    if (others == bits || sets->IsUndefined(op, i) || mismatch.count++ > 0) continue;
    const ElementType type = expected.element_type();
    mismatch.index = i;
    mismatch.expected = StoredToString(type, bits);
    mismatch.actual = StoredToString(type, others);
    mismatch.expected_bits = BitsToString(type, bits);
    mismatch.actual_bits = BitsToString(type, others);
    mismatch.bound = absl::StrCat("the same as in result ", first, " of the function");
  }
  if (mismatch.count == 0) return false;
  Decide(Verdict::kWrongValue, RuleId::kRunReturnedTwice, absl::StrCat(mismatch.expected, " in both results"),
         absl::StrCat(mismatch.actual, " in result ", second, " of the function"));
  judgement_.mismatch = std::move(mismatch);
  return true;
}

// If not all operands of a result are known, it is compared with everything that may come of them.
bool Judging::JudgeBySets(size_t run, size_t index, RunSets* sets) {
  const int op = case_.program.results[index].index;
  const ResultObservation& result = observation_.runs[run].results[index];
  if (result.tensor.sizes() != sets->sizes(op)) return BlameShape(run, index, sets->ShapeOf(op));
  const auto blamed = [&](std::vector<uint64_t> elements) {
    std::erase_if(elements, [&](uint64_t i) { return sets->Allowed(op, i).IsUndefined(); });
    return elements;
  };
  flushing_.MoveTo(run, op);
  return BlameUnwritten(run, index, blamed(result.unwritten)) ||
         JudgeValues(run, index,
                     CompareWithSets(case_.program, op, result.tensor, options_.policies, sets, &flushing_)) ||
         BlamePoisoned(run, index, blamed(result.poisoned), [&](size_t element) {
           return ExplainBySets(case_.program, op, result.tensor, element, options_.policies, sets);
         });
}

std::string Judging::Where(size_t run, size_t index) const {
  return absl::StrCat("run ", run, ", ", ToString(case_.program.results[index]), ": ");
}

bool Judging::BlameShape(size_t run, size_t index, const RuntimeShape& expected) {
  const Tensor& actual = observation_.runs[run].results[index].tensor;
  return Decide(Verdict::kWrongShape, expected.rule, SizesToString(expected.sizes),
                absl::StrCat(Where(run, index), SizesToString(actual.sizes())));
}

bool Judging::BlameUnwritten(size_t run, size_t index, const std::vector<uint64_t>& elements) {
  return !elements.empty() &&
         Decide(Verdict::kUninitializedResult, RuleId::kRunEveryElementWritten, "every element written",
                absl::StrCat(Where(run, index), Counted(elements.size(), "element"),
                             elements.size() == 1 ? " depends" : " depend",
                             " on memory that was never written, the first is ", elements.front()));
}

// The values that a poisoned element takes under two choices for poison, and the instructions that made the poison.
static std::string DescribePoison(const RunObservation& run, const ResultObservation& result, uint64_t element) {
  const ElementType type = result.tensor.element_type();
  const size_t number = absl::c_find(result.poisoned, element) - result.poisoned.begin();
  const std::string otherwise = number < result.poisoned_otherwise.size()
                                    ? ElementToString(type, result.poisoned_otherwise[number] & BitMask(type))
                                    : "has other sizes or no end";
  return absl::StrCat("element ", element, " is ", ElementToString(type, result.tensor.Bits(element)), " here, and ",
                      otherwise, " where poison is taken for another value; poison is ",
                      absl::StrJoin(run.poison, ", and "));
}

bool Judging::BlamePoisoned(size_t run, size_t index, const std::vector<uint64_t>& elements,
                            absl::FunctionRef<ElementMismatch(size_t)> explain) {
  if (elements.empty()) return false;
  const RunObservation& observed = observation_.runs[run];
  ElementMismatch mismatch = explain(elements.front());
  mismatch.run = static_cast<int>(run);
  mismatch.op = case_.program.results[index].index;
  mismatch.count = elements.size();
  mismatch.bound = "whatever poison is taken for";
  Decide(Verdict::kWrongValue, RuleId::kRunUndefinedBehaviour, absl::StrCat(mismatch.expected, ", ", mismatch.bound),
         absl::StrCat(Where(run, index), Counted(elements.size(), "element"),
                      elements.size() == 1 ? " depends" : " depend", " on poison, of which LLVM may make anything: ",
                      DescribePoison(observed, observed.results[index], elements.front())));
  judgement_.mismatch = std::move(mismatch);
  return true;
}

void Judging::CountElements(size_t index, JudgedElements counted) {
  const Program& program = case_.program;
  const ValueRef ref = program.results[index];
  const bool is_op = ref.kind == ValueRef::Kind::kOp;
  const ElementType own = ElementTypeOf(program, ref);
  judgement_.compared += counted.compared();
  judgement_.open += counted.open;
  judgement_.masked += counted.elements - counted.compared() - counted.open;
  counted.computed = ComputationOf(program, ref);
  counted.types = ToString(is_op ? TypesOf(program, program.ops[ref.index]) : TypePair{own, own});
  AddTo(&judgement_.judged, counted);
}

bool Judging::JudgeValues(size_t run, size_t index, ValueComparison values) {
  CountElements(
      index, {.elements = values.compared + values.open + values.masked, .open = values.open, .widths = values.widths});
  if (values.implausible > 0 && !values.first) NoteImplausible(case_.program.ops[case_.program.results[index].index]);
  if (!values.first) return false;
  values.first->run = static_cast<int>(run);
  values.first->op = case_.program.results[index].index;
  Decide(Verdict::kWrongValue, values.rule, values.first->expected, values.first->actual);
  judgement_.mismatch = *std::move(values.first);
  return true;
}

// Each result is allowed by itself. Together they must be made of one content of each hidden value.
bool Judging::JudgeOneContent(size_t run, RunSets* sets) {
  OneContent content = CheckOneContent(case_.program, sets);
  if (content.open > 0) NoteOnce(std::string(Name(RuleId::kValueOneContentOpen)));
  if (!content.contradiction) return false;
  content.contradiction->run = static_cast<int>(run);
  Decide(Verdict::kWrongValue, RuleId::kValueOneContent, content.contradiction->expected,
         content.contradiction->actual);
  judgement_.mismatch = *std::move(content.contradiction);
  return true;
}

bool Judging::JudgeRun(size_t run) {
  const RunObservation& observed = observation_.runs[run];
  if (!observed.stopped.empty()) {
    // It may stop, or do anything else; where nothing verifies extents, what stops it traps on its data.
    if (HasUnfitTable(run) || (!observation_.verifies_extents && MayHaveUndefinedElement(run))) return false;
    ++stopped_;
    return !HasUndefinedShape(run) &&
           Decide(Verdict::kContractViolation, RuleId::kVerificationFalseStop, "no stop: the extents fit",
                  absl::StrCat("run ", run, ": ", absl::StrReplaceAll(observed.stopped, {{"\n", " "}})));
  }
  if (JudgeMissedStop(run, "it went on to its end")) return true;
  const std::vector<const Tensor*> known = KnownOpResults(case_.program, observed);
  // A program of one op returns all of its values.
  const bool has_intermediates = case_.program.ops.size() > 1;
  const bool needs_sets =
      has_intermediates || ReturnsTwice(case_.program.results) || absl::c_any_of(case_.program.ops, LeavesTheRunOpen);
  std::optional<RunSets> sets = needs_sets ? RunSets::Of(case_, run, known, options_.policies) : std::nullopt;
  if (needs_sets ? !sets || sets->MayLeaveTheRunOpen() : HasUndefinedShape(run)) {
    // The whole run is undefined, including what is computed before the op whose extents do not fit: a compiler may
    // assume that they fit, and size an earlier op accordingly (docs/contradictions.md: C5). The same holds for a
    // division without a quotient.
    for (size_t i = 0; i < observed.results.size(); ++i) {
      const uint64_t count = observed.results[i].tensor.element_count();
      CountElements(i, {.elements = count, .masked_by_division = sets ? count : 0});
    }
    return false;
  }
  if (sets && JudgeReturnedTwice(run, &*sets)) return true;
  for (size_t i = 0; i < case_.program.results.size(); ++i) {
    if (JudgeResult(run, i, known, has_intermediates ? &*sets : nullptr)) return true;
  }
  if (has_intermediates && JudgeOneContent(run, &*sets)) return true;
  if (JudgeProperties(run) || JudgeMemory(run)) return true;
  return observed.leaked_buffers > 0 && Decide(Verdict::kLeak, RuleId::kRunLeak, "every buffer freed or returned",
                                               absl::StrCat("run ", run, ": ", observed.leaked_buffers, " lost"));
}

// The worst comes first: an end that nothing excuses, then what the finished runs show, whatever happened after them.
bool Judging::JudgeRuns() {
  if (WasNotRun()) return false;
  const bool ended_early = observation_.outcome != Outcome::kCompleted;
  const bool excused = ended_early && EndIsUndefined();
  if (ended_early && !excused) return BlameEnd();
  for (size_t run = 0; run < observation_.runs.size(); ++run) {
    if (JudgeRun(run)) return true;
  }
  for (const std::string& unseen : observation_.poison_unseen) {
    NoteOnce(absl::StrCat(Name(RuleId::kRunUndefinedBehaviourOpen), ": ", unseen));
  }
  if (JudgeFlushing()) return true;
  if (!excused) return false;
  if (!MayHaveTrapped() && JudgeMissedStop(observation_.run, Summarize(observation_))) return true;
  // The run is undefined, but a note says what the code touched before it ended.
  if (observation_.outcome == Outcome::kMemoryFault && observation_.fault) {
    Note(observation_.fault->is_write ? RuleId::kExtentsGuardedWrite : RuleId::kExtentsGuardedRead);
  }
  return Decide(Verdict::kUndefined, RuleId::kRunUndefined, "anything", Summarize(observation_));
}

}  // namespace tosaic
