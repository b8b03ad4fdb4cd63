// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/set_comparison.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "model/tensor.h"
#include "oracle/compare.h"
#include "oracle/plausible.h"

namespace tosaic {
namespace {

// Whether the op involves floats, because only floats can be flushed or implausible.
bool HasFloats(const Program& program, const OpApplication& op) {
  return IsFloat(op.result.element_type) || IsFloat(InputElementType(program, op));
}

// A member of the set, the same each time.
uint64_t AnyMember(const AllowedSet& set) {
  return set.spans().empty() ? set.OnlyBits() : BitsOfOrdinal(set.type(), set.spans().front().first);
}

// One combination of operands that may have made the element.
ScalarInput AtSome(ScalarInput in, const RunSets::OperandSets& operands) {
  for (size_t k = 0; k < operands.size(); ++k) in.bits[k] = AnyMember(operands[k]);
  return in;
}

// Describes that element `i` is not what its operands allow.
ElementMismatch MismatchOf(const ScalarInput& in, const RunSets::OperandSets& operands, const AllowedSet& allowed,
                           const Tensor& actual, size_t i) {
  const uint64_t bits = actual.RawBits(i);
  ElementMismatch mismatch = ExplainMismatch(AtSome(in, operands), ExactBits(AnyMember(allowed)), bits);
  mismatch.index = i;
  for (size_t k = 0; k < operands.size(); ++k) mismatch.inputs[k] = Describe(operands[k]);
  mismatch.expected = Describe(allowed);
  if (allowed.Count() > 1) mismatch.expected_bits.clear();
  mismatch.ulp_distance = IsFloat(actual.element_type()) ? static_cast<double>(allowed.Distance(bits)) : 0;
  mismatch.bound = allowed.Count() == 1
                       ? "the only value that the program's arguments allow"
                       : absl::StrCat("one of ", allowed.Count(), " that the program's arguments allow");
  return mismatch;
}

// Says why an element is implausible for all plausible values of its operands; empty if it is not.
absl::string_view WhyImplausible(const ScalarInput& in, const RunSets::OperandSets& operands, const Tensor& actual,
                                 size_t op, size_t i, RunSets* plausible) {
  const ScalarFunction function = FindScalarFunction(in.op, in.input_type, in.result_type, in.policies.spec_version);
  if (plausible == nullptr) return FindImplausibility(in, function, operands, actual.Bits(i));
  if (!plausible->ImageOfOperands(op, i).Contains(actual.RawBits(i)))
    return "no plausible values of its operands make it";
  return FindImplausibility(in, function, plausible->OperandsOf(op, i), actual.Bits(i));
}

// Judges an allowed element that several operands may have made: whether it is plausible, and whether a subnormal was
// kept. `plausible`: RunSets::Plausible.
void JudgeOfSeveral(const ScalarInput& in, const RunSets::OperandSets& operands, const AllowedSet& allowed,
                    const Tensor& actual, size_t op, size_t i, RunSets* plausible, FlushingRecord* flushing,
                    ValueComparison* comparison) {
  const FlushingTargets keeping = FlushingTargets::That(false, in.result_type);
  if (flushing != nullptr && MayBeFlushed(in.result_type, actual.Bits(i)) && flushing->Narrows(keeping)) {
    flushing->Add({keeping, MismatchOf(in, operands, allowed, actual, i)});
  }
  const absl::string_view why = WhyImplausible(in, operands, actual, op, i, plausible);
  if (why.empty()) return;
  ++comparison->implausible;
  if (!in.policies.strict_values || comparison->mismatches++ > 0) return;
  comparison->first = MismatchOf(in, operands, allowed, actual, i);
  absl::StrAppend(&comparison->first->bound, ", but ", why);
  comparison->rule = RuleId::kValueImplausible;
}

bool HasOneMember(const AllowedSet& operand) { return !operand.IsUndefined() && operand.Count() == 1; }

// Adds the judgement of some allowed elements to that of all.
void Add(ValueComparison of_some, ValueComparison* all) {
  all->implausible += of_some.implausible;
  all->mismatches += of_some.mismatches;
  if (all->first || !of_some.first) return;
  all->first = std::move(of_some.first);
  all->rule = of_some.rule;
}

}  // namespace

ValueComparison CompareWithSets(const Program& program, size_t op, const Tensor& actual, const Policies& policies,
                                RunSets* sets, FlushingRecord* flushing) {
  const ScalarInput in = InputOf(program, program.ops[op], policies);
  RunSets* const plausible = sets->Plausible();
  const bool has_floats = plausible != nullptr || HasFloats(program, program.ops[op]);
  ValueComparison comparison, of_several;
  bool some_are_of_one = false;
  for (size_t i = 0; i < actual.element_count(); ++i) {
    const AllowedSet allowed = sets->Allowed(op, i);
    if (allowed.IsEverything()) {
      ++comparison.masked;
    } else {
      comparison.CountWidth(allowed.type(), allowed.IsEmpty() ? 0 : allowed.Count() - 1);
    }
    const bool is_allowed = allowed.Contains(actual.RawBits(i));
    if (is_allowed && (!has_floats || comparison.first || allowed.IsUndefined())) continue;
    if (!is_allowed && comparison.mismatches++ > 0) continue;
    const RunSets::OperandSets operands = sets->OperandsOf(op, i);
    if (!is_allowed) {
      comparison.first = MismatchOf(in, operands, allowed, actual, i);
      comparison.rule = RuleOf(in.op, EvaluateScalar(AtSome(in, operands)));
    } else if (absl::c_all_of(operands, HasOneMember)) {
      some_are_of_one = true;
    } else {
      JudgeOfSeveral(in, operands, allowed, actual, op, i, plausible, flushing, &of_several);
    }
  }
  if (!comparison.first) {
    const auto only_operands = [&](size_t element) { return sets->OnlyOperandsOf(op, element); };
    if (some_are_of_one)
      Add(CompareValues(program, program.ops[op], only_operands, actual, policies, flushing), &comparison);
    Add(std::move(of_several), &comparison);
  }
  if (comparison.first) comparison.first->count = comparison.mismatches;
  return comparison;
}

std::optional<ElementMismatch> FindOutside(const Program& program, size_t op, const Tensor& actual,
                                           const Policies& policies, RunSets* sets) {
  for (size_t i = 0; i < actual.element_count(); ++i) {
    const AllowedSet allowed = sets->Allowed(op, i);
    if (allowed.Contains(actual.RawBits(i))) continue;
    return ExplainBySets(program, op, actual, i, policies, sets);
  }
  return std::nullopt;
}

ElementMismatch ExplainBySets(const Program& program, size_t op, const Tensor& actual, size_t element,
                              const Policies& policies, RunSets* sets) {
  const ScalarInput in = InputOf(program, program.ops[op], policies);
  return MismatchOf(in, sets->OperandsOf(op, element), sets->Allowed(op, element), actual, element);
}

}  // namespace tosaic
