// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The attributes of ops: a row each in attributes.def, and their values. Whatever treats attributes alike is a loop
// over the rows, and tells their kinds apart by overloads.
#ifndef TOSAIC_MODEL_ATTRIBUTES_H_
#define TOSAIC_MODEL_ATTRIBUTES_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "codec/names.h"
#include "model/element_type.h"

namespace tosaic {

class Visitor;

enum class Attribute : uint8_t {
#define TOSAIC_ATTRIBUTE(enumerator, ...) k##enumerator,
#include "model/attributes.def"
#undef TOSAIC_ATTRIBUTE
};
EnumNames NamesOf(Attribute attribute);  // "min_val"

enum class AttributePresence : uint8_t {
  kOptional,   // its absence means its kind's first value
  kMandatory,  // an op without it is illegal
  kInherent,   // a case without it, or with it at another op, is not well-formed
};

// How a version of MLIR writes an attribute.
enum class AttributeSpelling : uint8_t {
  kAttribute,  // under its name
  kUntyped,    // a number as an integer and a float, NAME_int and NAME_fp, of which the op reads that of its type
  kOperand,    // sizes as the result of a tosa.const_shape, behind the other operands
  kQuoted,     // an enum as a string: NAME = "VALUE"
  kFlag,       // an enum as a bool, `flag_name`: whether it is the last value; the ones between do not exist
  kNone,       // it does not exist there: the op behaves as if it were absent
};

struct AttributeInfo {
  Attribute attribute;
  absl::string_view name;
  AttributePresence presence = AttributePresence::kOptional;
  std::optional<Attribute> at_most = {};                       // of a number: that it may not be greater than this one
  bool for_floats = false;                                     // it means nothing on integers
  AttributeSpelling spelling = AttributeSpelling::kAttribute;  // in MLIR 22; for others see dialect_NN.cpp
  absl::string_view untyped_name = {};                         // where it is kUntyped
  absl::string_view flag_name = {};                            // where it is kFlag
  absl::string_view description = {};                          // for the list of keys
};

inline constexpr AttributeInfo kAttributes[] = {
#define TOSAIC_ATTRIBUTE(enumerator, key, kind, ...) {.attribute = Attribute::k##enumerator, .name = #key, __VA_ARGS__},
#include "model/attributes.def"
#undef TOSAIC_ATTRIBUTE
};
constexpr const AttributeInfo& Info(Attribute attribute) { return kAttributes[static_cast<size_t>(attribute)]; }

enum class NanMode : uint8_t { kPropagate, kIgnore };
EnumNames NamesOf(NanMode mode);  // "PROPAGATE", "IGNORE"

enum class RoundingMode : uint8_t { kSingleRound, kInexactRound, kDoubleRound };
EnumNames NamesOf(RoundingMode mode);  // "SINGLE_ROUND"

// A number with its own type, as MLIR writes clamp's bounds: `1.0 : f32`.
struct TypedBits {
  ElementType type = ElementType::kF32;
  uint64_t bits = 0;

  friend bool operator==(const TypedBits& a, const TypedBits& b) = default;
};
void Fields(Visitor& v, TypedBits& bits);

// The attributes that an op has, each absent or a value of its row's kind: `std::optional<bool> round`. No
// other than those that the op's catalogue row lists.
struct Attributes {
#define TOSAIC_ATTRIBUTE(enumerator, name, kind, ...) std::optional<kind> name;
#include "model/attributes.def"
#undef TOSAIC_ATTRIBUTE

  friend bool operator==(const Attributes& a, const Attributes& b) = default;
};
void Fields(Visitor& v, Attributes& attributes);

// Calls visit(info, pointer to the member) for each row, in their order.
template <typename Visit>
void ForEachRow(Visit visit) {
#define TOSAIC_ATTRIBUTE(enumerator, name, ...) visit(Info(Attribute::k##enumerator), &Attributes::name);
#include "model/attributes.def"
#undef TOSAIC_ATTRIBUTE
}

// Calls visit(info, optional) for each attribute.
template <typename MaybeConstAttributes, typename Visit>
void ForEachAttribute(MaybeConstAttributes& attributes, Visit visit) {
  ForEachRow([&](const AttributeInfo& info, auto member) { visit(info, attributes.*member); });
}

// Calls visit(info, value) for each attribute that is there.
template <typename MaybeConstAttributes, typename Visit>
void ForEachValue(MaybeConstAttributes& attributes, Visit visit) {
  ForEachAttribute(attributes, [&](const AttributeInfo& info, auto& value) {
    if (value) visit(info, *value);
  });
}

// Calls visit(lower info, its optional, upper info, its optional) for each pair of numbers.
template <typename MaybeConstAttributes, typename Visit>
void ForEachBounds(MaybeConstAttributes& attributes, Visit visit) {
  const auto visit_numbers = [&](auto visit_number) {
    ForEachAttribute(attributes, [&](const AttributeInfo& info, auto& value) {
      if constexpr (requires { value->bits; }) visit_number(info, value);
    });
  };
  visit_numbers([&](const AttributeInfo& lower_info, auto& lower) {
    visit_numbers([&](const AttributeInfo& upper_info, auto& upper) {
      if (lower_info.at_most == upper_info.attribute) visit(lower_info, lower, upper_info, upper);
    });
  });
}

// One function of several, by the kind of a value.
template <typename... Functions>
struct ByKind : Functions... {
  using Functions::operator()...;
};

inline bool IgnoresNan(const Attributes& attributes) { return attributes.nan_mode == NanMode::kIgnore; }

// Whether the attribute is there and says more than its absence: IGNORE, true.
bool SaysMore(const Attributes& attributes, Attribute attribute);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_ATTRIBUTES_H_
