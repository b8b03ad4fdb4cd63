// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/unsigned_types.h"

#include <map>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"

namespace tosaic {
namespace {

// The same bits as another type of that width.
Tensor WithType(const Tensor& tensor, ElementType type) {
  Tensor other(type, tensor.sizes());
  for (size_t i = 0; i < tensor.element_count(); ++i) other.SetBits(i, tensor.Bits(i));
  return other;
}

void SetType(ValueRef value, ElementType type, Program* program) {
  const auto index = static_cast<size_t>(value.index);
  switch (value.kind) {
    case ValueRef::Kind::kArgument:
      program->arguments[index].element_type = type;
      return;
    case ValueRef::Kind::kConstant:
      program->constants[index] = WithType(program->constants[index], type);
      return;
    case ValueRef::Kind::kOp:
      program->ops[index].result.element_type = type;
      return;
  }
}

// The type that each value has to have.
class Types {
 public:
  // False: it has to have another, too.
  bool Ask(ValueRef value, ElementType type) {
    return types_.try_emplace({value.kind, value.index}, type).first->second == type;
  }
  bool Has(ValueRef value) const { return types_.contains({value.kind, value.index}); }
  void Set(Program* program) const {
    for (const auto& [value, type] : types_) {
      const ValueRef ref = {value.first, value.second};
      if (ElementTypeOf(*program, ref) != type) SetType(ref, type, program);
    }
  }

 private:
  std::map<std::pair<ValueRef::Kind, int>, ElementType> types_;
};

ValueRef ResultOf(size_t op) { return {ValueRef::Kind::kOp, static_cast<int>(op)}; }

// The type by which a number of a rescale is written; nullopt: there is none.
std::optional<ElementType> Written(ElementType type, std::optional<bool> as_unsigned) {
  if (IsUnsigned(type)) return std::nullopt;
  if (!as_unsigned.value_or(false)) return type;
  const ElementType as = AsUnsigned(type);
  return as == type ? std::nullopt : std::optional(as);
}

}  // namespace

bool HasUnsignedTypes(const DialectInfo& dialect) {
  return dialect.Spelling(OpKind::kRescale, Attribute::kInputUnsigned) == AttributeSpelling::kNone;
}

std::optional<Program> WithUnsignedTypes(Program program) {
  Types types;
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const OpApplication& op = program.ops[i];
    const bool is_rescale = op.op == OpKind::kRescale;
    // Its other operands are numbers in these dialects.
    for (const ValueRef operand : absl::MakeConstSpan(op.operands).first(is_rescale ? 1 : op.operands.size())) {
      const ElementType type = ElementTypeOf(program, operand);
      const std::optional<ElementType> as = is_rescale ? Written(type, op.attributes.input_unsigned) : type;
      if (!as || !types.Ask(operand, *as)) return std::nullopt;
    }
    const ElementType type = op.result.element_type;
    const std::optional<ElementType> as = is_rescale ? Written(type, op.attributes.output_unsigned) : type;
    if (!as || !types.Ask(ResultOf(i), *as)) return std::nullopt;
  }
  types.Set(&program);
  return program;
}

std::string UnsignedTypesToAttributes(absl::Span<const size_t> rescales, Program* program,
                                      std::vector<std::optional<Tensor>>* data) {
  Types types;
  const auto take = [&](ValueRef value) {
    const ElementType type = ElementTypeOf(*program, value);
    return IsUnsigned(type) && types.Ask(value, AsSignless(type));
  };
  for (const size_t i : rescales) {
    OpApplication& op = program->ops[i];
    op.attributes.input_unsigned = take(op.operands.front());
    for (const ValueRef number : absl::MakeConstSpan(op.operands).subspan(1)) take(number);  // zero points
    op.attributes.output_unsigned = take(ResultOf(i));
  }
  for (size_t i = 0; i < program->ops.size(); ++i) {
    const OpApplication& op = program->ops[i];
    if (absl::c_linear_search(rescales, i)) continue;
    if (types.Has(ResultOf(i)) || absl::c_any_of(op.operands, [&](ValueRef value) { return types.Has(value); })) {
      return absl::StrCat("tosa.", Info(op.op).name,
                          " has an unsigned number of a rescale, which is signless in a case, as its own");
    }
  }
  types.Set(program);
  for (size_t i = 0; i < data->size(); ++i) {
    std::optional<Tensor>& of_argument = (*data)[i];
    if (of_argument) of_argument = WithType(*of_argument, program->arguments[i].element_type);
  }
  return "";
}

}  // namespace tosaic
