#include "oracle/reference.h"

#include <string>

#include "oracle/compare.h"
#include "oracle/scalar_ops.h"

namespace tosaic {
namespace {

// Reads the elements of one operand that take part in a result element.
class OperandReader {
 public:
  OperandReader(const Tensor& operand, const std::vector<int64_t>& result_sizes)
      : operand_(operand),
        result_sizes_(result_sizes),
        walk_(operand.element_count() == 1      ? Walk::kSingle
              : operand.sizes() == result_sizes ? Walk::kSame
                                                : Walk::kBroadcast) {}

  uint64_t Bits(size_t result_index) const {
    switch (walk_) {
      case Walk::kSingle:
        return operand_.Bits(0);
      case Walk::kSame:
        return operand_.Bits(result_index);
      case Walk::kBroadcast:
        break;
    }
    return operand_.Bits(BroadcastIndex(result_index, result_sizes_, operand_.sizes()));
  }

 private:
  enum class Walk : uint8_t { kSingle, kSame, kBroadcast };
  const Tensor& operand_;
  const std::vector<int64_t>& result_sizes_;
  Walk walk_;
};

// One op application: from the index of a result element to what is expected there.
class OpReference {
 public:
  OpReference(const Program& program, const OpApplication& op, absl::Span<const Tensor* const> operands,
              const std::vector<int64_t>& result_sizes, const Policies& policies)
      : input_{.op = Info(op.op),
               .input_type = InputElementType(program, op),
               .result_type = op.result.element_type,
               .attributes = op.attributes,
               .policies = policies},
        function_(HasSpecTypes(program, op) ? FindScalarFunction(input_.op, input_.input_type, input_.result_type)
                                            : [](const ScalarInput&) { return Undefined(ValueCase::kBeyondSpec); }) {
    for (size_t i = 0; i < input_.op.operands.size(); ++i) readers_.emplace_back(*operands[i], result_sizes);
  }

  // Moves to element `index` of the result.
  void Read(size_t index) {
    for (size_t i = 0; i < readers_.size(); ++i) input_.bits[i] = readers_[i].Bits(index);
  }
  Expected Evaluate(Mode mode) {
    input_.mode = mode;
    return function_(input_);
  }
  const ScalarInput& input() const { return input_; }

 private:
  ScalarInput input_;
  ScalarFunction function_;
  std::vector<OperandReader> readers_;
};

}  // namespace

std::vector<Expected> Evaluate(const Program& program, const OpApplication& op,
                               absl::Span<const Tensor* const> operands, const std::vector<int64_t>& result_sizes,
                               const Policies& policies) {
  OpReference reference(program, op, operands, result_sizes, policies);
  std::vector<Expected> expected;
  const size_t count = ElementCount(result_sizes);
  expected.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    reference.Read(i);
    expected.push_back(reference.Evaluate(Mode::kDecide));
  }
  return expected;
}

ValueComparison CompareValues(const Program& program, const OpApplication& op, absl::Span<const Tensor* const> operands,
                              const Tensor& actual, const Policies& policies, const std::vector<bool>& left_out) {
  OpReference reference(program, op, operands, actual.sizes(), policies);
  ValueComparison comparison;
  for (size_t i = 0; i < actual.element_count(); ++i) {
    if (!left_out.empty() && left_out[i]) {
      ++comparison.masked;
      continue;
    }
    reference.Read(i);
    const uint64_t actual_bits = actual.RawBits(i);
    Expected expected = reference.Evaluate(Mode::kEnclose);
    bool matches = Matches(expected, actual.element_type(), actual_bits);
    if (!matches) {
      expected = reference.Evaluate(Mode::kDecide);
      matches = Matches(expected, actual.element_type(), actual_bits);
    }
    ++(expected.kind == Expected::Kind::kUndefined ? comparison.masked : comparison.compared);
    if (matches) {
      const SubnormalFate fate = FateOfSubnormal(actual.element_type(), expected, actual_bits);
      comparison.kept_subnormal |= fate == SubnormalFate::kKept;
      comparison.flushed_subnormal |= fate == SubnormalFate::kFlushed;
      continue;
    }
    ++comparison.mismatches;
    if (comparison.first) continue;
    comparison.first = ExplainMismatch(reference.input(), expected, actual_bits);
    comparison.first->index = i;
    comparison.rule = RuleOf(reference.input().op, expected);
  }
  if (comparison.first) comparison.first->count = comparison.mismatches;
  return comparison;
}

}  // namespace tosaic
