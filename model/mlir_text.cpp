// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/mlir_text.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "model/block_text.h"
#include "model/unsigned_types.h"

namespace tosaic {
namespace {

// Floats as bit patterns, so that no digit is lost and NaN payloads survive.
std::string Literal(ElementType type, uint64_t bits) {
  return IsFloat(type) ? BitsToString(type, bits) : ElementToString(type, bits);
}

using LiteralFunction = absl::FunctionRef<std::string(ElementType type, uint64_t bits)>;

void AppendElements(const Tensor& tensor, LiteralFunction literal, size_t dim, size_t* next, std::string* out) {
  if (dim == tensor.sizes().size()) {
    absl::StrAppend(out, literal(tensor.element_type(), tensor.Bits((*next)++)));
    return;
  }
  out->push_back('[');
  for (int64_t i = 0; i < tensor.sizes()[dim]; ++i) {
    if (i > 0) out->append(", ");
    AppendElements(tensor, literal, dim + 1, next, out);
  }
  out->push_back(']');
}

std::string TypedLiteral(const TypedBits& value) {
  if (value.type == ElementType::kI1) return Literal(value.type, value.bits);  // true and false carry no type
  return absl::StrCat(Literal(value.type, value.bits), " : ", Name(value.type));
}

std::string AttributeText(const AttributeInfo&, const TypedBits& number) { return TypedLiteral(number); }
std::string AttributeText(const AttributeInfo&, const bool& value) { return value ? "true" : "false"; }
std::string AttributeText(const AttributeInfo&, const std::vector<int64_t>& sizes) {
  return absl::StrCat("array<i64", sizes.empty() ? "" : ": ", absl::StrJoin(sizes, ", "), ">");
}
template <NamedEnum E>
std::string AttributeText(const AttributeInfo& info, const E& value) {
  return EnumText(info, value);
}

// The integer is an i64; the float is as wide as the op's floats need. An op must have both, but ignores the one of the
// other kind.
void AddUntyped(const AttributeInfo& info, const TypedBits& number, ElementType input,
                std::vector<std::string>* parts) {
  const bool is_float = IsFloat(input);
  const ElementType type = input == ElementType::kF64 ? input : ElementType::kF32;
  const double value = ElementToDouble(input, number.bits);
  const uint64_t bits =
      type == ElementType::kF64 ? std::bit_cast<uint64_t>(value) : std::bit_cast<uint32_t>(static_cast<float>(value));
  const TypedBits as_float{type, is_float ? bits : 0};
  std::string integer = "0";
  if (!is_float) integer = input == ElementType::kI1 ? absl::StrCat(number.bits) : ElementToString(input, number.bits);
  parts->push_back(absl::StrCat(info.untyped_name, "_int = ", integer, " : i64"));
  parts->push_back(absl::StrCat(info.untyped_name, "_fp = ", TypedLiteral(as_float)));
}

// A number, or as many as the operand has.
std::string NumberText(const OperandSpelling& spelling, OperandAccess access, absl::Span<const int64_t> numbers) {
  const std::string list = absl::StrJoin(numbers, ", ");
  const absl::string_view type = Name(spelling.type);
  return access == OperandAccess::kSingle ? absl::StrCat(list, " : ", type)
                                          : absl::StrCat("array<", type, ": ", list, ">");
}

// The operands that are attributes in this dialect. They are constants.
void AddSpecialOperands(const Program& program, const OpApplication& op, const DialectInfo& dialect,
                        std::vector<std::string>* parts) {
  const OpInfo& info = Info(op.op);
  std::vector<int64_t> zero_points;
  for (size_t i = WrittenOperandCount(info, dialect); i < op.operands.size(); ++i) {
    const Tensor& constant = *AsConstant(program, op.operands[i]);
    const ElementType type = ReadAs(info.operands[i], constant.element_type(), op.attributes);
    std::vector<int64_t> numbers;
    for (size_t e = 0; e < constant.element_count(); ++e) {
      numbers.push_back(static_cast<int64_t>(ElementToDouble(type, constant.Bits(e))));
    }
    const OperandSpelling& spelling = dialect.Spelling(op.op, info.operands[i]);
    if (spelling.form == OperandSpelling::Form::kNumber) {
      const OperandAccess access = Info(info.operands[i]).access;
      parts->push_back(absl::StrCat(spelling.attribute, " = ", NumberText(spelling, access, numbers)));
    } else {
      zero_points.push_back(numbers[0]);
    }
  }
  // A float has no zero points. An integer without them wraps; with zeros it saturates, as the specification says.
  if (zero_points.empty() || IsFloat(InputElementType(program, op))) return;
  parts->push_back(absl::StrCat(dialect.Spelling(op.op, OperandRole::kZeroPoint).attribute,
                                " = #tosa.unary_quant<input_zp = ", zero_points[0], ", output_zp = ", zero_points[1],
                                ">"));
}

std::string AttributeList(const Program& program, const OpApplication& op, const DialectInfo& dialect) {
  std::vector<std::string> parts;
  ForEachValue(op.attributes, [&]<typename Kind>(const AttributeInfo& info, const Kind& value) {
    switch (dialect.Spelling(op.op, info.attribute)) {
      case AttributeSpelling::kAttribute:
        return parts.push_back(absl::StrCat(info.name, " = ", AttributeText(info, value)));
      case AttributeSpelling::kUntyped:
        if constexpr (std::is_same_v<Kind, TypedBits>) AddUntyped(info, value, InputElementType(program, op), &parts);
        return;
      case AttributeSpelling::kQuoted:
        if constexpr (NamedEnum<Kind>) parts.push_back(absl::StrCat(info.name, " = ", QuotedText(value)));
        return;
      case AttributeSpelling::kFlag:
        if constexpr (NamedEnum<Kind>) {
          parts.push_back(absl::StrCat(info.flag_name, " = ", value == All<Kind>().back() ? "true" : "false"));
        }
        return;
      case AttributeSpelling::kOperand:
      case AttributeSpelling::kNone:
        return;
    }
  });
  AddSpecialOperands(program, op, dialect, &parts);
  if (parts.empty()) return "";
  const std::string list = absl::StrCat("{", absl::StrJoin(parts, ", "), "}");
  return dialect.properties ? absl::StrCat(" <", list, ">") : absl::StrCat(" ", list);
}

// The type and the elements of a new shape that is an operand.
std::string ShapeType(absl::Span<const int64_t> sizes) { return absl::StrCat("!tosa.shape<", sizes.size(), ">"); }
std::string ShapeElements(absl::Span<const int64_t> sizes) {
  const std::string list = sizes.empty() ? "" : absl::StrCat("[", absl::StrJoin(sizes, ", "), "]");
  return absl::StrCat("dense<", list, "> : tensor<", sizes.size(), "xindex>");
}

// The op's operands that are operands in this dialect, too. Older dialects have some of them as attributes.
std::vector<ValueRef> WrittenOperands(const OpApplication& op, const DialectInfo& dialect) {
  std::vector<ValueRef> operands = op.operands;
  operands.resize(WrittenOperandCount(Info(op.op), dialect));
  return operands;
}

// Whether a constant has to be written: either an op uses it as an operand, or nothing uses it at all.
std::vector<bool> WrittenConstants(const Program& program, const DialectInfo& dialect) {
  std::vector<bool> written(program.constants.size(), true);
  auto mark = [&](absl::Span<const ValueRef> refs, bool as) {
    for (ValueRef ref : refs) {
      if (ref.kind == ValueRef::Kind::kConstant) written[static_cast<size_t>(ref.index)] = as;
    }
  };
  for (const OpApplication& op : program.ops) mark(op.operands, false);
  for (const OpApplication& op : program.ops) mark(WrittenOperands(op, dialect), true);
  mark(program.results, true);
  return written;
}

constexpr auto kTypeFormatter = [](std::string* out, const TensorType& type) { out->append(ToString(type)); };
constexpr auto kRefFormatter = [](std::string* out, ValueRef ref) { out->append(ToString(ref)); };

// The ops that make the constants, a line each.
std::string ConstantLines(const Program& program, const DialectInfo& dialect) {
  std::string lines;
  const std::vector<bool> written = WrittenConstants(program, dialect);
  for (size_t i = 0; i < program.constants.size(); ++i) {
    if (!written[i]) continue;
    const TensorType type = TypeOf(program, {ValueRef::Kind::kConstant, static_cast<int>(i)});
    absl::StrAppend(&lines, "  %cst", i, " = \"tosa.const\"() {", dialect.constant_values, " = ",
                    ConstantToText(program.constants[i]), "} : () -> ", ToString(type), "\n");
  }
  return lines;
}

// The op in MLIR's generic form, without the names of its results. `operands`, `types`: joined, as is `results`.
std::string GenericOp(const Program& program, const OpApplication& op, Dialect version, absl::string_view operands,
                      absl::string_view types, absl::string_view results) {
  return absl::StrCat("\"tosa.", NameIn(Info(op.op), version), "\"(", operands, ")",
                      AttributeList(program, op, Info(version)), " : (", types, ") -> ", results);
}

}  // namespace

std::string ConstantToText(const Tensor& tensor) {
  if (IsBlockScaled(tensor.element_type())) return BlockConstantToText(tensor);
  const TensorType type = {Shape::OfSizes(tensor.sizes()), tensor.element_type()};
  return absl::StrCat("dense<", DenseElements(tensor), "> : ", ToString(type));
}

std::string DenseElements(const Tensor& tensor) { return DenseElements(tensor, Literal); }

std::string DenseElements(const Tensor& tensor, LiteralFunction literal) {
  std::string elements;
  size_t next = 0;
  // If there are no elements, MLIR reads only dense<>: it cannot tell a shape from nested empty lists.
  if (tensor.element_count() > 0) AppendElements(tensor, literal, 0, &next, &elements);
  return elements;
}

std::string ToMlir(const Program& of_case, Dialect version, absl::string_view function) {
  const DialectInfo& dialect = Info(version);
  const std::optional<Program> typed = HasUnsignedTypes(dialect) ? WithUnsignedTypes(of_case) : std::nullopt;
  const Program& program = typed ? *typed : of_case;
  std::vector<std::string> arguments;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    arguments.push_back(absl::StrCat("%arg", i, ": ", ToString(program.arguments[i])));
  }
  std::vector<TensorType> result_types;
  for (ValueRef result : program.results) result_types.push_back(TypeOf(program, result));
  const std::string results = absl::StrJoin(result_types, ", ", kTypeFormatter);

  std::string out = absl::StrCat("func.func @", function, "(", absl::StrJoin(arguments, ", "), ") -> (", results,
                                 ") attributes {llvm.emit_c_interface} {\n");
  absl::StrAppend(&out, ConstantLines(program, dialect));
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const OpApplication& op = program.ops[i];
    const std::vector<ValueRef> operands = WrittenOperands(op, dialect);
    std::vector<TensorType> types;
    for (ValueRef operand : operands) types.push_back(TypeOf(program, operand));
    std::string names = absl::StrJoin(operands, ", ", kRefFormatter);
    std::string type_names = absl::StrJoin(types, ", ", kTypeFormatter);
    ForEachValue(op.attributes, ByKind{[&](const AttributeInfo& info, const std::vector<int64_t>& sizes) {
                                         if (dialect.Spelling(op.op, info.attribute) != AttributeSpelling::kOperand)
                                           return;
                                         const std::string shape = absl::StrCat("%shape", i), type = ShapeType(sizes);
                                         absl::StrAppend(&out, "  ", shape,
                                                         " = \"tosa.const_shape\"() {values = ", ShapeElements(sizes),
                                                         "} : () -> ", type, "\n");
                                         absl::StrAppend(&names, ", ", shape);
                                         absl::StrAppend(&type_names, ", ", type);
                                       },
                                       [](const AttributeInfo&, const auto&) {}});
    absl::StrAppend(&out, "  %", i, " = ", GenericOp(program, op, version, names, type_names, ToString(op.result)),
                    "\n");
  }
  absl::StrAppend(&out, "  return ", absl::StrJoin(program.results, ", ", kRefFormatter), " : ", results, "\n}\n");
  return out;
}

std::string ToMlir(const LooseOp& op, Dialect dialect) {
  std::vector<std::string> operands, arguments;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    operands.push_back(absl::StrCat("%arg", i));
    arguments.push_back(absl::StrCat(operands.back(), ": ", ToString(op.operands[i])));
  }
  const std::string results =
      op.results.empty() ? ""
                         : absl::StrCat("%0", op.results.size() > 1 ? absl::StrCat(":", op.results.size()) : "", " = ");
  const OpApplication attributes = {.op = op.op, .attributes = op.attributes};
  return absl::StrCat("func.func @main(", absl::StrJoin(arguments, ", "), ") {\n  ", results,
                      GenericOp(Program(), attributes, dialect, absl::StrJoin(operands, ", "),
                                absl::StrJoin(op.operands, ", ", kTypeFormatter),
                                absl::StrCat("(", absl::StrJoin(op.results, ", ", kTypeFormatter), ")")),
                      "\n  return\n}\n");
}

}  // namespace tosaic
