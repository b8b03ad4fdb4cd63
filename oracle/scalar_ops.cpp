// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/scalar_ops.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "model/tensor.h"

namespace tosaic {
namespace {

ValueCase ExtensionOf(const ScalarInput& in) {
  if (in.op.kind == OpKind::kCast) return ValueCase::kExtensionCast;
  if (IsFloat(in.input_type)) return ValueCase::kExtensionFloat;
  return in.input_type == ElementType::kI1 ? ValueCase::kExtensionBoolean : ValueCase::kExtensionInteger;
}

// An op's function on element types that the specification lacks; its rule is that of the extension.
template <ScalarFunction kFunction>
Expected Extended(const ScalarInput& in) {
  Expected expected = kFunction(in);
  if (expected.kind == Expected::Kind::kUndefined) return expected;
  // A format without infinities, such as f8E4M3FN, has a NaN instead.
  if (!Info(in.result_type).has_infinity && expected.kind == Expected::Kind::kRange) {
    expected.nan_passes |= std::isinf(expected.hi) || std::isinf(expected.lo);
    if (expected.lo == expected.hi && std::isinf(expected.lo)) expected = AnyNan();
  }
  return InCase(ExtensionOf(in), expected);
}

struct Row {
  ScalarFunction specified, extended;
};
constexpr Row kScalarFunctions[] = {
#define TOSAIC_OP(name, ...) {&Eval##name, &Extended<&Eval##name>},
#include "model/ops.def"
#undef TOSAIC_OP
};

Expected EvalBeyondSpec(const ScalarInput&) { return Undefined(ValueCase::kBeyondSpec); }

}  // namespace

OperandRole ScalarInput::RoleOf(size_t read) const {
  return op.operands[std::min(read, op.operands.size() - 1)];  // a table is the last
}

ElementType ScalarInput::OperandType(size_t read) const {
  return TypeOfOperand(RoleOf(read), input_type, result_type, attributes);
}

Wide ScalarInput::Integer(size_t read) const { return IntegerOf(OperandType(read), bits[read]); }

double ScalarInput::Value(size_t read) const { return ElementToDouble(OperandType(read), bits[read]); }

ScalarInput InputOf(const Program& program, const OpApplication& op, const Policies& policies) {
  return {.op = Info(op.op),
          .input_type = InputElementType(program, op),
          .result_type = op.result.element_type,
          .attributes = op.attributes,
          .policies = policies};
}

Wide IntegerOf(ElementType type, uint64_t bits) {
  if (!HasSignedValues(type)) return bits & BitMask(type);
  const int unused = 64 - BitWidth(type);
  return static_cast<int64_t>(bits << unused) >> unused;
}

Wide LeastInteger(ElementType type) { return HasSignedValues(type) ? -(Wide{1} << (BitWidth(type) - 1)) : 0; }

Wide GreatestInteger(ElementType type) { return LeastInteger(type) + BitMask(type); }

bool Fits(ElementType type, Wide value) { return LeastInteger(type) <= value && value <= GreatestInteger(type); }

Expected ExactInteger(const ScalarInput& in, Wide value) {
  return ExactBits(static_cast<uint64_t>(value) & BitMask(in.result_type));
}

Expected IntegerThatFits(const ScalarInput& in, Wide value) {
  return Fits(in.result_type, value) ? ExactInteger(in, value) : Undefined(ValueCase::kOverflow);
}

std::optional<Expected> RangeByRule(const ScalarInput& in, const Accuracy& accuracy, double reference, double x,
                                    double y) {
  if (in.result_type == ElementType::kF64 || std::isinf(reference)) return std::nullopt;
  const double bound = ErrorBound(accuracy, in.result_type, reference, x, y);
  if (!std::isfinite(bound) && !std::isnan(reference)) return std::nullopt;
  Expected expected = Within(in.result_type, reference, bound);
  expected.accuracy = &accuracy;
  return expected;
}

Expected RangeByRule(const ScalarInput& in, const Accuracy& accuracy, const Real& reference, const Real& x,
                     const Real& y) {
  Expected expected = Within(in.result_type, reference, ErrorBound(accuracy, in.result_type, reference, x, y));
  expected.accuracy = &accuracy;
  return expected;
}

Expected RangeByRule(const ScalarInput& in, const Accuracy& accuracy, const Interval& reference, const Interval& x,
                     const Interval& y) {
  return SurelyWithin(in.result_type, reference, ErrorBound(accuracy, in.result_type, reference, x, y));
}

bool HasValues(const OpInfo& op, ElementType input_type, ElementType result_type) {
  // An element of a block is not made of one element: 32 decide its scale.
  if (IsBlockScaled(result_type) && input_type != result_type) return false;
  if (FindSpecTuple(op, input_type, result_type, SpecVersion::k1_1) != nullptr) return true;
  if (IsBlockScaled(input_type)) return false;
  if (op.kind == OpKind::kTable || op.kind == OpKind::kRescale) return false;  // their texts name each type by itself
  const bool is_defined = absl::c_any_of(op.spec_types, [&](const TypeTuple& tuple) {
    return tuple.input != ElementType::kI1 && IsFloat(tuple.input) == IsFloat(input_type);
  });
  return is_defined && DialectAccepts(op, input_type, result_type);
}

ScalarFunction FindScalarFunction(const OpInfo& op, ElementType input_type, ElementType result_type,
                                  SpecVersion version) {
  const Row& row = kScalarFunctions[static_cast<size_t>(op.kind)];
  if (!HasValues(op, input_type, result_type)) return &EvalBeyondSpec;
  if (FindSpecTuple(op, input_type, result_type, version) != nullptr) return row.specified;
  return row.extended;
}

Expected EvaluateScalar(const ScalarInput& in) {
  return FindScalarFunction(in.op, in.input_type, in.result_type, in.policies.spec_version)(in);
}

}  // namespace tosaic
