// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/reference.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "model/tensor.h"
#include "oracle/compare.h"
#include "oracle/float_format.h"
#include "oracle/operand_reads.h"
#include "oracle/plausible.h"
#include "oracle/scalar_ops.h"

namespace tosaic {
namespace {

// One op application: gives the expected value of a result element by its index.
class OpReference {
 public:
  // For operands that are given element by element, or for tensors. The tensors and the result's sizes must outlive it.
  OpReference(const Program& program, const OpApplication& op, const Policies& policies)
      : input_(InputOf(program, op, policies)),
        function_(HasValues(program, op)
                      ? FindScalarFunction(input_.op, input_.input_type, input_.result_type, policies.spec_version)
                      : [](const ScalarInput&) { return Undefined(ValueCase::kBeyondSpec); }) {}
  OpReference(const Program& program, const OpApplication& op, absl::Span<const Tensor* const> operands,
              const std::vector<int64_t>& result_sizes, const Policies& policies)
      : OpReference(program, op, policies) {
    reader_.emplace(input_.op, operands, result_sizes);
  }

  // Moves to element `index` of the result, or to one of these operands.
  void Read(size_t index) { reader_->Read(index, &input_.bits); }
  void Take(const ElementBits& bits) { input_.bits = bits; }
  Expected Evaluate(Mode mode) {
    input_.mode = mode;
    return function_(input_);
  }
  // Evaluates with flushed operands.
  Expected EvaluateFlushed(Mode mode) const {
    ScalarInput flushed = input_;
    flushed.mode = mode;
    FlushOperands(&flushed);
    return function_(flushed);
  }
  bool HasSubnormalOperand() const {
    for (size_t i = 0, count = input_.ReadCount(); i < count; ++i) {
      if (MayBeFlushed(input_.OperandType(i), input_.bits[i])) return true;
    }
    return false;
  }
  const ScalarInput& input() const { return input_; }
  ScalarFunction function() const { return function_; }

 private:
  ScalarInput input_;
  ScalarFunction function_;
  std::optional<OperandReader> reader_;
};

// Whether tables, and parameters that have an element per channel, are declared of the type and the size that the input
// asks for. An oracle that read others would read past them.
bool ParametersFit(const Program& program, const OpApplication& op) {
  const TensorType input = TypeOf(program, op.operands.front());
  for (size_t k = 0; k < op.operands.size(); ++k) {
    const OperandRole role = Info(op.op).operands[k];
    const auto has_size = [&](int64_t size) {
      const ElementType type = TypeOfOperand(role, input.element_type, op.result.element_type, op.attributes);
      return TypeOf(program, op.operands[k]) == TensorType{Shape::OfSizes({size}), type};
    };
    switch (Info(role).access) {
      case OperandAccess::kLookup:
        if (!has_size(static_cast<int64_t>(LookupIn(input.element_type).entries))) return false;
        break;
      case OperandAccess::kChannel: {
        const bool has_last = input.shape.IsRanked() && input.shape.rank() > 0 && input.shape.dims().back().IsStatic();
        const bool per_channel = op.attributes.per_channel.value_or(false);
        if (per_channel ? !has_last || !has_size(input.shape.dims().back().size()) : !has_size(1)) return false;
        break;
      }
      case OperandAccess::kPosition:
      case OperandAccess::kOrder:
      case OperandAccess::kSingle:
        break;
    }
  }
  return true;
}

// Compares the elements one after the other.
class Comparison {
 public:
  Comparison(OpReference* reference, const Tensor& actual, FlushingRecord* flushing)
      : reference_(*reference), actual_(actual), type_(actual.element_type()), flushing_(flushing) {}

  void LeaveOut() { ++result_.masked; }
  void Compare(size_t i);
  ValueComparison Take() {
    if (result_.first) result_.first->count = result_.mismatches;
    return std::move(result_);
  }

 private:
  bool MayBeUndefined(const Expected& expected) const;
  // An enclosure that is undecided everywhere is useless.
  void Count(const Expected& expected) {
    const bool is_empty = expected.kind == Expected::Kind::kRange && expected.lo > expected.hi;
    result_.CountWidth(type_, WidthOf(type_, is_empty ? reference_.Evaluate(Mode::kDecide) : expected));
  }
  bool IsAllowed(size_t i, const Expected& expected);
  void Mismatch(size_t i, const Expected& expected);
  void JudgePlausibility(size_t i);
  ElementMismatch Explain(size_t i, const Expected& expected) const {
    ElementMismatch mismatch = ExplainMismatch(reference_.input(), expected, actual_.RawBits(i));
    mismatch.index = i;
    return mismatch;
  }

  OpReference& reference_;
  const Tensor& actual_;
  ElementType type_;
  FlushingRecord* flushing_;
  ValueComparison result_;
};

// Flushed operands may be outside the domain although the operands are inside; this happens only for pow.
bool Comparison::MayBeUndefined(const Expected& expected) const {
  if (expected.kind == Expected::Kind::kUndefined) return true;
  return reference_.input().op.unpredictable != Unpredictable::kNever && reference_.HasSubnormalOperand() &&
         reference_.EvaluateFlushed(Mode::kEnclose).kind == Expected::Kind::kUndefined;
}

bool Comparison::IsAllowed(size_t i, const Expected& expected) {
  const uint64_t bits = actual_.RawBits(i);
  const bool matches = Matches(expected, type_, bits);
  const bool is_zero = IsFloat(type_) && ElementToDouble(type_, actual_.Bits(i)) == 0;
  const bool is_about_flushing =
      MayFlush(reference_.input().op) && (reference_.HasSubnormalOperand() || MayBeFlushed(type_, bits) ||
                                          (is_zero && (!matches || PassesByFlushing(type_, expected, bits))));
  if (!is_about_flushing) return matches || Matches(reference_.Evaluate(Mode::kDecide), type_, bits);
  const bool asks_all = flushing_ == nullptr || flushing_->open().IsEmpty();
  const FlushingTargets asked = asks_all ? FlushingTargets::All() : flushing_->open();
  const ElementCheck check = CheckElement(reference_.input(), reference_.function(), bits, asked);
  if (!check.allowed || flushing_ == nullptr || !flushing_->Narrows(check.targets)) return check.allowed;
  // Of all targets, so that it is at odds only with an element about the same type.
  const FlushingTargets targets = CheckElement(reference_.input(), reference_.function(), bits).targets;
  flushing_->Add({targets, Explain(i, reference_.Evaluate(Mode::kDecide))});
  return true;
}

// REQUIRES: the reference is at this element.
void Comparison::Compare(size_t i) {
  const Expected expected = reference_.Evaluate(Mode::kEnclose);
  const bool is_open = MayBeUndefined(expected);
  is_open ? LeaveOut() : Count(expected);
  if (!IsAllowed(i, expected)) return Mismatch(i, reference_.Evaluate(Mode::kDecide));
  if (!is_open && MayBeImplausible(reference_.input().op, type_, expected, actual_.RawBits(i))) JudgePlausibility(i);
}

void Comparison::Mismatch(size_t i, const Expected& expected) {
  ++result_.mismatches;
  if (result_.first) return;
  result_.first = Explain(i, expected);
  result_.rule = RuleOf(reference_.input().op, expected);
}

void Comparison::JudgePlausibility(size_t i) {
  const absl::string_view why = FindImplausibility(reference_.input(), reference_.function(), actual_.Bits(i));
  if (why.empty()) return;
  ++result_.implausible;
  if (!reference_.input().policies.strict_values) return;
  ++result_.mismatches;
  if (result_.first) return;
  const Expected expected = reference_.Evaluate(Mode::kDecide);
  result_.first = Explain(i, expected);
  result_.first->expected = ElementToString(type_, NearestBits(type_, expected.reference));
  absl::StrAppend(&result_.first->bound, ", but ", why);
  result_.rule = RuleId::kValueImplausible;
}

}  // namespace

void ValueComparison::CountWidth(ElementType type, uint64_t width) {
  if (IsMostOf(type, width)) {
    ++open;
  } else {
    ++compared;
    widths.Add(width);
  }
}

bool HasValues(const Program& program, const OpApplication& op) {
  return HasOneInputType(program, op) && ParametersFit(program, op) &&
         HasValues(Info(op.op), InputElementType(program, op), op.result.element_type);
}

bool LeavesTheRunOpen(const OpApplication& op) { return Info(op.op).unpredictable == Unpredictable::kDivision; }

std::vector<Expected> Evaluate(const Program& program, const OpApplication& op,
                               absl::Span<const Tensor* const> operands, const std::vector<int64_t>& result_sizes,
                               const Policies& policies, SubnormalOperands subnormal) {
  OpReference reference(program, op, operands, result_sizes, policies);
  std::vector<Expected> expected;
  const size_t count = ElementCount(result_sizes);
  expected.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    reference.Read(i);
    const bool flushes = subnormal == SubnormalOperands::kFlushed;
    expected.push_back(flushes ? reference.EvaluateFlushed(Mode::kDecide) : reference.Evaluate(Mode::kDecide));
  }
  return expected;
}

ValueComparison CompareValues(const Program& program, const OpApplication& op, absl::Span<const Tensor* const> operands,
                              const Tensor& actual, const Policies& policies, const std::vector<bool>& left_out,
                              FlushingRecord* flushing) {
  OpReference reference(program, op, operands, actual.sizes(), policies);
  Comparison comparison(&reference, actual, flushing);
  for (size_t i = 0; i < actual.element_count(); ++i) {
    if (!left_out.empty() && left_out[i]) {
      comparison.LeaveOut();
    } else {
      reference.Read(i);
      comparison.Compare(i);
    }
  }
  return comparison.Take();
}

ValueComparison CompareValues(const Program& program, const OpApplication& op,
                              absl::FunctionRef<std::optional<ElementBits>(size_t element)> operands,
                              const Tensor& actual, const Policies& policies, FlushingRecord* flushing) {
  OpReference reference(program, op, policies);
  Comparison comparison(&reference, actual, flushing);
  for (size_t i = 0; i < actual.element_count(); ++i) {
    if (const std::optional<ElementBits> bits = operands(i)) {
      reference.Take(*bits);
      comparison.Compare(i);
    } else {
      comparison.LeaveOut();
    }
  }
  return comparison.Take();
}

ElementMismatch ExplainElement(const Program& program, const OpApplication& op,
                               absl::Span<const Tensor* const> operands, const Tensor& actual, size_t element,
                               const Policies& policies) {
  OpReference reference(program, op, operands, actual.sizes(), policies);
  reference.Read(element);
  const Expected expected = reference.Evaluate(Mode::kDecide);
  ElementMismatch mismatch = ExplainMismatch(reference.input(), expected, actual.RawBits(element));
  mismatch.index = element;
  return mismatch;
}

}  // namespace tosaic
