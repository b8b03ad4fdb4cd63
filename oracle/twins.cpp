// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/twins.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "oracle/compare.h"
#include "oracle/expected.h"
#include "oracle/flushing.h"
#include "oracle/operand_reads.h"
#include "oracle/reference.h"
#include "oracle/run_values.h"

namespace tosaic {
namespace {

// How much the documents leave open for an element.
enum class Freedom : uint8_t { kNone, kSome, kUnpredictable };

// Whether only one bit pattern is allowed; NaNs count as one.
bool IsDetermined(const Expected& expected, ElementType type) {
  switch (expected.kind) {
    case Expected::Kind::kBits:
      return !expected.zero_sign_free && FateOfSubnormal(type, expected, expected.bits) == SubnormalFate::kNone;
    case Expected::Kind::kNan:
      return true;
    case Expected::Kind::kUndefined:
    case Expected::Kind::kRange:
    case Expected::Kind::kIntegers:
      break;
  }
  return false;
}

using Freedoms = std::vector<Freedom>;  // of an op's result, by element

// How much is open for an element, given the expected values for its operands as they are and for flushed ones.
Freedom FreedomOf(const Expected& expected, const Expected& of_flushed, ElementType type) {
  const auto is_undefined = [](const Expected& expected) { return expected.kind == Expected::Kind::kUndefined; };
  if (is_undefined(expected) || is_undefined(of_flushed)) return Freedom::kUnpredictable;
  const bool is_determined = IsDetermined(expected, type) && IsDetermined(of_flushed, type) &&
                             expected.kind == of_flushed.kind && expected.bits == of_flushed.bits;
  return is_determined ? Freedom::kNone : Freedom::kSome;
}

// For each op, how free its elements are: at least as free as the elements that they are computed from. nullopt if a
// shape is undefined, or if the whole run is open.
std::optional<std::vector<Freedoms>> FreedomsOf(const Case& twin, size_t run, const RunObservation& observed,
                                                const Policies& policies) {
  std::vector<Freedoms> freedoms;
  const std::vector<const Tensor*> known = KnownOpResults(twin.program, observed);
  for (const OpApplication& op : twin.program.ops) {
    const std::vector<const Tensor*> operands = OperandsIn(twin, run, known, op);
    const RuntimeShape sizes = SizesFor(op, operands);
    if (!sizes.defined) return std::nullopt;
    Freedoms& own = freedoms.emplace_back();
    const std::vector<Expected> expected = Evaluate(twin.program, op, operands, sizes.sizes, policies);
    const std::vector<Expected> of_flushed =
        Evaluate(twin.program, op, operands, sizes.sizes, policies, SubnormalOperands::kFlushed);
    const OperandReader reader(Info(op.op), operands, sizes.sizes);
    for (size_t i = 0; i < expected.size(); ++i) {
      Freedom freedom = FreedomOf(expected[i], of_flushed[i], op.result.element_type);
      if (freedom == Freedom::kUnpredictable && LeavesTheRunOpen(op)) return std::nullopt;
      bool is_open = false;
      reader.ForEach(i, [&](size_t k, size_t element) {
        if (op.operands[k].kind != ValueRef::Kind::kOp) return;
        const Freedom of_operand = freedoms[op.operands[k].index][element];
        is_open |= k == 1 && of_operand == Freedom::kUnpredictable && LeavesTheRunOpen(op);
        freedom = std::max(freedom, of_operand);
      });
      if (is_open) return std::nullopt;
      own.push_back(freedom);
    }
  }
  return freedoms;
}

bool IsSame(ElementType type, uint64_t a, uint64_t b) {
  return a == b || (IsFloat(type) && std::isnan(ElementToDouble(type, a)) && std::isnan(ElementToDouble(type, b)));
}

class TwinJudging {
 public:
  TwinJudging(const Case& test_case, const Case& twin, const Policies& policies, bool notes, Judgement* judgement)
      : case_(test_case),
        twin_(twin),
        rule_(FindTwinRule(test_case.twin).value()),
        policies_(policies),
        judgement_(judgement),
        notes_(notes) {}

  // Returns true if it found a divergence.
  bool JudgeRun(size_t run, const RunObservation& observed, const RunObservation& of_twin);
  // Two elements differ that the documents leave open.
  bool FoundFreeDifference() const { return found_free_difference_; }

 private:
  void Blame(size_t run, int op, size_t element, const Tensor& actual, const RunObservation& of_twin);

  const Case& case_;
  const Case& twin_;
  const RuleId rule_;
  const Policies& policies_;
  Judgement* judgement_;
  bool notes_;  // whether differences within the bounds get a note
  bool found_free_difference_ = false;
};

bool TwinJudging::JudgeRun(size_t run, const RunObservation& observed, const RunObservation& of_twin) {
  const Program& program = case_.program;
  const std::vector<const Tensor*> known = KnownOpResults(program, observed);
  std::optional<std::vector<Freedoms>> freedoms;  // computed on demand, because it takes an evaluation
  for (size_t op = 0; op < known.size(); ++op) {
    if (known[op] == nullptr) continue;
    const Tensor& expected = of_twin.results[op].tensor;
    if (known[op]->sizes() != expected.sizes()) return false;  // both may be right where nothing is defined
    if (known[op]->bytes() == expected.bytes()) continue;
    if (!freedoms) freedoms = FreedomsOf(twin_, run, of_twin, policies_);
    if (!freedoms) return false;
    bool free_difference = false;
    for (size_t i = 0; i < expected.element_count(); ++i) {
      const Freedom freedom = (*freedoms)[op][i];
      if (freedom == Freedom::kUnpredictable ||
          IsSame(known[op]->element_type(), known[op]->Bits(i), expected.Bits(i))) {
        continue;
      }
      if (freedom == Freedom::kNone) {
        Blame(run, static_cast<int>(op), i, *known[op], of_twin);
        return true;
      }
      free_difference = true;
    }
    found_free_difference_ |= free_difference;
    if (free_difference && notes_) {
      judgement_->notes.push_back(
          absl::StrCat(Name(rule_), ": other bits within the bounds, ", Name(program.ops[op].op)));
    }
  }
  return false;
}

void TwinJudging::Blame(size_t run, int op, size_t element, const Tensor& actual, const RunObservation& of_twin) {
  const OpApplication& application = twin_.program.ops[op];
  const Tensor& expected = of_twin.results[op].tensor;
  const ElementType type = actual.element_type();
  ElementMismatch mismatch;
  mismatch.run = static_cast<int>(run);
  mismatch.op = op;
  mismatch.index = element;
  const std::vector<const Tensor*> operands =
      OperandsIn(twin_, run, KnownOpResults(twin_.program, of_twin), application);
  const OperandReader reader(Info(application.op), operands, expected.sizes());
  reader.ForEach(element, [&](size_t k, size_t at) {
    mismatch.inputs.push_back(ElementToString(operands[k]->element_type(), operands[k]->Bits(at)));
  });
  mismatch.expected = ElementToString(type, expected.Bits(element));
  mismatch.actual = ElementToString(type, actual.Bits(element));
  mismatch.expected_bits = BitsToString(type, expected.Bits(element));
  mismatch.actual_bits = BitsToString(type, actual.Bits(element));
  mismatch.bound = absl::StrCat("the same as its twin, ", case_.twin);
  mismatch.count = 1;  // the first is enough
  judgement_->verdict = Verdict::kWrongValue;
  judgement_->stage = Stage::kExecute;
  judgement_->rule = rule_;
  judgement_->expected = absl::StrCat(mismatch.expected, ", as its twin has it (", case_.twin, ")");
  judgement_->actual = mismatch.actual;
  judgement_->mismatch = std::move(mismatch);
}

// Records the flushing that an observation shows, in ops whose operands are known and which are never unpredictable.
void RecordFlushing(const Case& test_case, const Observation& observation, const Policies& policies,
                    FlushingRecord* record) {
  const Program& program = test_case.program;
  const auto may_be_undefined = [](const OpApplication& op) {
    return Info(op.op).unpredictable != Unpredictable::kNever;
  };
  if (program.ops.size() > 1 && absl::c_any_of(program.ops, may_be_undefined)) return;
  for (size_t run = 0; run < observation.runs.size(); ++run) {
    if (observation.runs[run].results.empty()) continue;  // it stopped itself
    const std::vector<const Tensor*> known = KnownOpResults(program, observation.runs[run]);
    for (size_t op = 0; op < program.ops.size(); ++op) {
      const std::vector<const Tensor*> operands = OperandsIn(test_case, run, known, program.ops[op]);
      if (known[op] == nullptr || operands.empty()) continue;
      const RuntimeShape sizes = SizesFor(program.ops[op], operands);
      if (!sizes.defined || sizes.sizes != known[op]->sizes()) continue;
      record->MoveTo(run, op);
      CompareValues(program, program.ops[op], operands, *known[op], policies, {}, record);
    }
  }
}

}  // namespace

void JudgeTwin(const Case& test_case, const Observation& observation, const Case& twin,
               const Observation& twin_observation, const Policies& policies, Judgement* judgement) {
  // The external library computes its own values.
  const bool same_library = observation.calls_library == twin_observation.calls_library;
  TwinJudging judging(test_case, twin, policies, same_library, judgement);
  const size_t runs = std::min(observation.runs.size(), twin_observation.runs.size());
  for (size_t run = 0; run < runs; ++run) {
    const RunObservation& observed = observation.runs[run];
    const RunObservation& of_twin = twin_observation.runs[run];
    if (observed.results.empty() || of_twin.results.empty()) continue;  // it stopped itself
    if (judging.JudgeRun(run, observed, of_twin)) return;
  }
  if (!judging.FoundFreeDifference() || !same_library) return;
  // The same target made both, so over both of them all subnormals of a type are flushed or none.
  FlushingRecord flushing;
  RecordFlushing(twin, twin_observation, policies, &flushing);
  RecordFlushing(test_case, observation, policies, &flushing);
  if (!flushing.open().IsEmpty()) return;
  BlameMixture(test_case.program, flushing, judgement);
  absl::StrAppend(&judgement->actual, " (the case and its twin together)");
}

}  // namespace tosaic
