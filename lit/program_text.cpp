// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/program_text.h"

#include <cmath>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/mlir_text.h"

namespace tosaic {
namespace {

std::string AttributeText(const TypedBits& number) {
  const std::string literal = LiteralOf(number.type, number.bits);
  return number.type == ElementType::kI1 ? literal : absl::StrCat(literal, " : ", Name(number.type));
}
std::string AttributeText(const bool& value) { return value ? "true" : "false"; }
template <NamedEnum E>
std::string AttributeText(const E& value) {
  return std::string(Name(value));
}
std::string AttributeText(const std::vector<int64_t>& sizes) {
  return absl::StrCat("[", absl::StrJoin(sizes, ", "), "]");
}

constexpr ValueRef kFirstArgument = {ValueRef::Kind::kArgument, 0};

std::string AttributesOf(const Attributes& attributes) {
  std::vector<std::string> parts;
  ForEachValue(attributes, [&](const AttributeInfo& info, const auto& value) {
    parts.push_back(absl::StrCat(info.name, " = ", AttributeText(value)));
  });
  return parts.empty() ? "" : absl::StrCat(" {", absl::StrJoin(parts, ", "), "}");
}

}  // namespace

std::string LiteralOf(ElementType type, uint64_t bits) {
  if (!IsFloat(type)) return ElementToString(type, bits);
  const double value = ElementToDouble(type, bits);
  const bool is_short = std::isfinite(value) && value * 4 == std::trunc(value * 4) && std::abs(value) < 1e6;
  if (!is_short || (value == 0 && std::signbit(value))) return BitsToString(type, bits);
  const std::string text = absl::StrCat(value);
  return absl::StrContains(text, '.') ? text : text + ".0";
}

std::string DenseLiteral(const Tensor& tensor) {
  const TensorType type = {Shape::OfSizes(tensor.sizes()), tensor.element_type()};
  return absl::StrCat("dense<", DenseElements(tensor, LiteralOf), "> : ", ToString(type));
}

namespace {

// `before_op`: with `in_place_of_first` it defines the value that the op takes in the place of the first argument,
// whose type is `first`.
std::string TextOf(const Program& program, absl::string_view name, absl::string_view before_op, const TensorType& first,
                   absl::string_view in_place_of_first) {
  std::vector<std::string> arguments, operands, types;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    arguments.push_back(absl::StrCat("%arg", i, ": ", ToString(i == 0 ? first : program.arguments[i])));
  }
  const OpApplication& op = program.ops[0];
  for (const ValueRef operand : op.operands) {
    operands.push_back(operand == kFirstArgument ? std::string(in_place_of_first) : ToString(operand));
    types.push_back(ToString(TypeOf(program, operand)));
  }
  const std::string result = ToString(op.result);
  std::string text = absl::StrCat("func.func @", name, "(", absl::StrJoin(arguments, ", "), ") -> ", result, " {\n");
  for (size_t i = 0; i < program.constants.size(); ++i) {
    const Tensor& constant = program.constants[i];
    const std::string type = ToString(TypeOf(program, {ValueRef::Kind::kConstant, static_cast<int>(i)}));
    absl::StrAppend(&text, "  %cst", i, " = \"tosa.const\"() <{values = ", DenseLiteral(constant), "}> : () -> ", type,
                    "\n");
  }
  if (!before_op.empty()) absl::StrAppend(&text, "  ", before_op, "\n");
  absl::StrAppend(&text, "  %0 = tosa.", Name(op.op), " ", absl::StrJoin(operands, ", "), AttributesOf(op.attributes),
                  " : (", absl::StrJoin(types, ", "), ") -> ", result, "\n  return %0 : ", result, "\n}\n");
  return text;
}

}  // namespace

std::string FunctionText(const Program& program, absl::string_view name, absl::string_view before_op) {
  const TensorType first = program.arguments.empty() ? TensorType{} : program.arguments[0];
  return TextOf(program, name, before_op, first, ToString(kFirstArgument));
}

TensorType SwappedType(const TensorType& type) { return {Shape({type.shape[1], type.shape[0]}), type.element_type}; }

std::string TransposedFunctionText(const Program& program, absl::string_view name) {
  const TensorType first = SwappedType(program.arguments[0]);
  return TextOf(program, name,
                absl::StrCat("%swapped = tosa.transpose %arg0 {perms = array<i32: 1, 0>} : (", ToString(first), ") -> ",
                             ToString(program.arguments[0])),
                first, "%swapped");
}

}  // namespace tosaic
