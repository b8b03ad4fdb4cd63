// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The roles of ops' operands (operand_roles.def): the element type of each, and the place where its elements are read.
#ifndef TOSAIC_MODEL_OPERAND_ROLES_H_
#define TOSAIC_MODEL_OPERAND_ROLES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "codec/names.h"
#include "model/attributes.h"
#include "model/element_type.h"

namespace tosaic {

enum class OperandRole : uint8_t {
#define TOSAIC_OPERAND(name, ...) k##name,
#include "model/operand_roles.def"
#undef TOSAIC_OPERAND
};

// Which element of an operand an element of the result is computed from.
enum class OperandAccess : uint8_t {
  kPosition,  // the one at its position, where dimensions of 1 are repeated: the operands broadcast
  kOrder,     // the one of its number, row major
  kSingle,    // the only one: the shape is [1]
  kChannel,   // the one of its last index if the attribute per_channel is set, else the only one
  kLookup,    // what the first operand's element says: entries of a table (LookupIn)
};

enum class OperandTyping : uint8_t {
  kInput,
  kResult,
  kI1,
  kI8,
  kScale,  // i32 if the attribute scale32 is set, else i16
};

// A row of operand_roles.def.
struct OperandInfo {
  absl::string_view name;  // "zero_point"
  OperandAccess access;
  OperandTyping type;

  constexpr bool IsData() const { return access == OperandAccess::kPosition || access == OperandAccess::kOrder; }
};
inline constexpr OperandInfo kOperandInfos[] = {
#define TOSAIC_OPERAND(enumerator, text, reads, types) \
  {.name = text, .access = OperandAccess::reads, .type = OperandTyping::types},
#include "model/operand_roles.def"
#undef TOSAIC_OPERAND
};
constexpr const OperandInfo& Info(OperandRole role) { return kOperandInfos[static_cast<size_t>(role)]; }

// Whether the operand is a parameter and no data: it has a shape of its own, on which the result's does not depend, and
// must be a compile-time constant.
constexpr bool IsSpecial(OperandRole role) { return !Info(role).IsData(); }

// Whether a rescale's multiplier has 32 bits, not 16. An op without the attribute is refused; its operands are drawn,
// read and evaluated as if it were set.
inline bool HasScale32(const Attributes& attributes) { return attributes.scale32.value_or(true); }

// The element type that an operand must have; `input` and `result` select the op's tuple.
inline ElementType TypeOfOperand(OperandRole role, ElementType input, ElementType result,
                                 const Attributes& attributes = {}) {
  switch (Info(role).type) {
    case OperandTyping::kInput:
      return input;
    case OperandTyping::kResult:
      return result;
    case OperandTyping::kI1:
      return ElementType::kI1;
    case OperandTyping::kI8:
      return ElementType::kI8;
    case OperandTyping::kScale:
      return HasScale32(attributes) ? ElementType::kI32 : ElementType::kI16;
  }
  return input;
}

// The type whose numbers an operand's elements stand for, and those of the result: without a sign where an attribute
// says so.
ElementType ReadAs(OperandRole role, ElementType type, const Attributes& attributes);
ElementType ResultReadAs(ElementType type, const Attributes& attributes);

// Between i8, i16, i32 and ui8, ui16, ui32; another type is itself.
ElementType AsUnsigned(ElementType type);
ElementType AsSignless(ElementType type);

EnumNames NamesOf(OperandRole role);  // "zero_point"

// A table that elements of a type are looked up in: how many entries it has, how many of them, one after the other, an
// element reads, and how many values have the same first one (as a power of two).
struct Lookup {
  size_t entries, reads;
  int bits_between;

  // The first entry that an element reads: the least value reads the first of all.
  size_t FirstFor(ElementType type, uint64_t bits) const {
    return std::min(static_cast<size_t>((bits ^ SignMask(type)) >> bits_between), entries - reads);
  }
};
// i16 is interpolated between 513 entries.
constexpr Lookup LookupIn(ElementType input) {
  return input == ElementType::kI16 ? Lookup{513, 2, 7} : Lookup{256, 1, 0};
}

}  // namespace tosaic

#endif  // TOSAIC_MODEL_OPERAND_ROLES_H_
