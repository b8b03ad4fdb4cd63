// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/attributes.h"

#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "codec/visitor.h"
#include "model/tensor.h"

namespace tosaic {

EnumNames NamesOf(Attribute) {
  static constexpr absl::string_view kNames[] = {
#define TOSAIC_ATTRIBUTE(enumerator, name, ...) #name,
#include "model/attributes.def"
#undef TOSAIC_ATTRIBUTE
  };
  return NamesFor<Attribute>(kNames, "an attribute");
}

EnumNames NamesOf(NanMode) {
  static constexpr absl::string_view kNames[] = {"PROPAGATE", "IGNORE"};
  return NamesFor<NanMode>(kNames, "a mode: it is neither PROPAGATE nor IGNORE");
}

EnumNames NamesOf(RoundingMode) {
  static constexpr absl::string_view kNames[] = {"SINGLE_ROUND", "INEXACT_ROUND", "DOUBLE_ROUND"};
  return NamesFor<RoundingMode>(kNames, "a mode: it is none of SINGLE_ROUND, INEXACT_ROUND and DOUBLE_ROUND");
}

void Fields(Visitor& v, TypedBits& bits) {
  v.Type("typed-bits");
  std::string text = v.IsWriting() ? BitsToString(bits.type, bits.bits) : "";
  v("type", bits.type);
  v("bits", text, "hexadecimal, with `0x` before it");
  if (!v.IsReading()) return;
  absl::string_view digits = text;
  if (!absl::ConsumePrefix(&digits, "0x") ||
      digits.find_first_not_of("0123456789abcdefABCDEF") != absl::string_view::npos ||
      !absl::SimpleHexAtoi(digits, &bits.bits) || (bits.bits & ~BitMask(bits.type)) != 0) {
    v.Fail(
        absl::StrCat("'", text, "' is not a bit pattern of ", Name(bits.type), " such as ", BitsToString(bits.type, 1)),
        "bits");
  }
}

void Fields(Visitor& v, Attributes& attributes) {
  v.Type("attributes");
  v.Strict();
  ForEachAttribute(attributes,
                   [&](const AttributeInfo& info, auto& value) { v.Optional(info.name, value, info.description); });
}

bool SaysMore(const Attributes& attributes, Attribute attribute) {
  bool says_more = false;
  ForEachValue(attributes, [&]<typename Kind>(const AttributeInfo& info, const Kind& value) {
    if (info.attribute == attribute) says_more = value != Kind();
  });
  return says_more;
}

}  // namespace tosaic
