#include "model/mlir_text.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tosaic {
namespace {

// Floats as bit patterns, so that no digit is lost and NaN payloads survive.
std::string Literal(ElementType type, uint64_t bits) {
  return IsFloat(type) ? BitsToString(type, bits) : ElementToString(type, bits);
}

void AppendElements(const Tensor& tensor, size_t dim, size_t* next, std::string* out) {
  if (dim == tensor.sizes().size()) {
    absl::StrAppend(out, Literal(tensor.element_type(), tensor.Bits((*next)++)));
    return;
  }
  out->push_back('[');
  for (int64_t i = 0; i < tensor.sizes()[dim]; ++i) {
    if (i > 0) out->append(", ");
    AppendElements(tensor, dim + 1, next, out);
  }
  out->push_back(']');
}

std::string TypedLiteral(const TypedBits& value) {
  if (value.type == ElementType::kI1) return Literal(value.type, value.bits);  // true and false carry no type
  return absl::StrCat(Literal(value.type, value.bits), " : ", Name(value.type));
}

std::string AttributeList(const Attributes& attributes) {
  std::vector<std::string> parts;
  auto add = [&](Attribute attribute, absl::string_view value) {
    parts.push_back(absl::StrCat(Name(attribute), " = ", value));
  };
  if (attributes.min_val) add(Attribute::kMinVal, TypedLiteral(*attributes.min_val));
  if (attributes.max_val) add(Attribute::kMaxVal, TypedLiteral(*attributes.max_val));
  if (attributes.nan_mode) add(Attribute::kNanMode, absl::StrCat("#tosa.nan_mode<", Name(*attributes.nan_mode), ">"));
  if (attributes.round) add(Attribute::kRound, *attributes.round ? "true" : "false");
  return parts.empty() ? "" : absl::StrCat(" {", absl::StrJoin(parts, ", "), "}");
}

constexpr auto kTypeFormatter = [](std::string* out, const TensorType& type) { out->append(ToString(type)); };
constexpr auto kRefFormatter = [](std::string* out, ValueRef ref) { out->append(ToString(ref)); };

}  // namespace

std::string DenseElements(const Tensor& tensor) {
  std::string elements;
  size_t next = 0;
  // Without elements MLIR reads dense<> only: nested empty lists have no shape to it.
  if (tensor.element_count() > 0) AppendElements(tensor, 0, &next, &elements);
  return elements;
}

std::string ToMlir(const Program& program) {
  std::vector<std::string> arguments;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    arguments.push_back(absl::StrCat("%arg", i, ": ", ToString(program.arguments[i])));
  }
  std::vector<TensorType> result_types;
  for (ValueRef result : program.results) result_types.push_back(TypeOf(program, result));
  const std::string results = absl::StrJoin(result_types, ", ", kTypeFormatter);

  std::string out = absl::StrCat("func.func @main(", absl::StrJoin(arguments, ", "), ") -> (", results,
                                 ") attributes {llvm.emit_c_interface} {\n");
  for (size_t i = 0; i < program.constants.size(); ++i) {
    const TensorType type = TypeOf(program, {ValueRef::Kind::kConstant, static_cast<int>(i)});
    absl::StrAppend(&out, "  %cst", i, " = \"tosa.const\"() {values = dense<", DenseElements(program.constants[i]),
                    "> : ", ToString(type), "} : () -> ", ToString(type), "\n");
  }
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const OpApplication& op = program.ops[i];
    absl::StrAppend(&out, "  %", i, " = \"tosa.", Name(op.op), "\"(", absl::StrJoin(op.operands, ", ", kRefFormatter),
                    ")", AttributeList(op.attributes), " : (",
                    absl::StrJoin(OperandTypes(program, op), ", ", kTypeFormatter), ") -> ", ToString(op.result), "\n");
  }
  absl::StrAppend(&out, "  return ", absl::StrJoin(program.results, ", ", kRefFormatter), " : ", results, "\n}\n");
  return out;
}

}  // namespace tosaic
