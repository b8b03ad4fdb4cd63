// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/false_accepts.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/algorithm/container.h"
#include "model/operand_roles.h"
#include "model/shape.h"
#include "model/tensor.h"
#include "oracle/reshape.h"

namespace tosaic {
namespace {

absl::string_view BrokenInReshape(const std::vector<int64_t>& new_shape, const Shape& operand, const Shape& result) {
  constexpr int64_t kRest = -1;
  if (absl::c_count(new_shape, kRest) > 1) return "two-rests";
  if (!result.IsRanked()) return "";
  if (result.rank() != new_shape.size()) return "rank";
  if (!FitsNewShape(result, new_shape)) return "sizes";
  if (absl::c_any_of(new_shape, [](int64_t size) { return size < kRest; })) return "negative";
  if (!operand.IsStatic()) return "";
  const auto count = static_cast<int64_t>(ElementCount(StaticSizes(operand)));
  if (result.IsStatic() && static_cast<int64_t>(ElementCount(StaticSizes(result))) != count) return "count";
  int64_t stated = 1;
  for (const int64_t size : new_shape) stated *= size > 0 ? size : 1;
  const bool are_stated = absl::c_all_of(new_shape, [](int64_t size) { return size > 0; });
  return (are_stated ? stated != count : stated > count) ? "count" : "";
}

// Of several wrong parameters, another width comes first, and then what is no zero point.
absl::string_view BrokenInParameters(const Program& program, const OpApplication& op) {
  const absl::Span<const OperandRole> roles = Info(op.op).operands;
  absl::string_view broken;
  for (size_t i = BroadcastOperandCount(Info(op.op)); i < op.operands.size(); ++i) {
    const ElementType type =
        TypeOfOperand(roles[i], InputElementType(program, op), op.result.element_type, op.attributes);
    const ElementType actual = TypeOf(program, op.operands[i]).element_type;
    if (BitWidth(actual) != BitWidth(type)) return "width";
    const bool is_zero_point = roles[i] == OperandRole::kZeroPoint || roles[i] == OperandRole::kOutputZeroPoint;
    if (actual != type && !is_zero_point) broken = "no-zero-point";
  }
  return broken;
}

}  // namespace

absl::string_view BrokenClause(const Program& program, const OpApplication& op, RuleId rule) {
  if (rule == RuleId::kLegalReshape && op.attributes.new_shape) {
    return BrokenInReshape(*op.attributes.new_shape, TypeOf(program, op.operands[0]).shape, op.result.shape);
  }
  return rule == RuleId::kLegalSpecialOperandType ? BrokenInParameters(program, op) : "";
}

}  // namespace tosaic
