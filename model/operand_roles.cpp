// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/operand_roles.h"

#include <utility>

namespace tosaic {
namespace {

constexpr std::pair<ElementType, ElementType> kUnsigned[] = {{ElementType::kI8, ElementType::kUi8},
                                                             {ElementType::kI16, ElementType::kUi16},
                                                             {ElementType::kI32, ElementType::kUi32}};

}  // namespace

ElementType AsUnsigned(ElementType type) {
  for (const auto& [signless, read] : kUnsigned) {
    if (type == signless) return read;
  }
  return type;
}

ElementType AsSignless(ElementType type) {
  for (const auto& [signless, read] : kUnsigned) {
    if (type == read) return signless;
  }
  return type;
}

ElementType ReadAs(OperandRole role, ElementType type, const Attributes& attributes) {
  switch (Info(role).type) {
    case OperandTyping::kInput:
      return attributes.input_unsigned.value_or(false) ? AsUnsigned(type) : type;
    case OperandTyping::kResult:
      return ResultReadAs(type, attributes);
    case OperandTyping::kI1:
    case OperandTyping::kI8:
    case OperandTyping::kScale:
      break;
  }
  return type;
}

ElementType ResultReadAs(ElementType type, const Attributes& attributes) {
  return attributes.output_unsigned.value_or(false) ? AsUnsigned(type) : type;
}

EnumNames NamesOf(OperandRole) {
  static constexpr absl::string_view kNames[] = {
#define TOSAIC_OPERAND(enumerator, name, ...) name,
#include "model/operand_roles.def"
#undef TOSAIC_OPERAND
  };
  return NamesFor<OperandRole>(kNames, "a role of an operand");
}

}  // namespace tosaic
