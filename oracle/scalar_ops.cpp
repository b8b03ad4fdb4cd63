#include "oracle/scalar_ops.h"

#include "model/tensor.h"

namespace tosaic {
namespace {

constexpr ScalarFunction kScalarFunctions[] = {
#define TOSAIC_OP(name, ...) &Eval##name,
#include "model/ops.def"
#undef TOSAIC_OP
};

Expected EvalBeyondSpec(const ScalarInput&) { return Undefined(ValueCase::kBeyondSpec); }

}  // namespace

ElementType ScalarInput::OperandType(size_t operand) const {
  switch (op.operands[operand]) {
    case OperandRole::kCondition:
      return ElementType::kI1;
    case OperandRole::kShift:
      return ElementType::kI8;
    case OperandRole::kInput:
    case OperandRole::kZeroPoint:
      break;
  }
  return input_type;
}

int64_t ScalarInput::Signed(size_t operand) const {
  const int shift = 64 - BitWidth(OperandType(operand));
  return static_cast<int64_t>(bits[operand] << shift) >> shift;
}

double ScalarInput::Value(size_t operand) const { return ElementToDouble(OperandType(operand), bits[operand]); }

Expected ExactInteger(const ScalarInput& in, int64_t value) {
  return ExactBits(static_cast<uint64_t>(value) & BitMask(in.result_type));
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

ScalarFunction FindScalarFunction(const OpInfo& op, ElementType input_type, ElementType result_type) {
  if (FindSpecTuple(op, input_type, result_type) == nullptr) return &EvalBeyondSpec;
  return kScalarFunctions[static_cast<size_t>(op.kind)];
}

Expected EvaluateScalar(const ScalarInput& in) { return FindScalarFunction(in.op, in.input_type, in.result_type)(in); }

}  // namespace tosaic
