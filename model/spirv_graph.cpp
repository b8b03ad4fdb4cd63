// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/spirv_graph.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "codec/visitor.h"

namespace tosaic {

std::string NumberText(ElementType type, uint64_t bits) {
  return absl::StrCat(BitsToString(type, bits), " : ", Name(type));
}

EnumNames NamesOf(SpirvValue::Kind) {
  static constexpr absl::string_view kNames[] = {"input", "constant", "instruction", "other"};
  return NamesFor<SpirvValue::Kind>(kNames, "a kind of value");
}

std::string Describe(const SpirvValue& value) {
  std::string text = value.name.empty() ? std::string(Name(value.kind)) : value.name;
  if (value.kind == SpirvValue::Kind::kInput) absl::StrAppend(&text, " ", value.number);
  if (value.type) absl::StrAppend(&text, " ", ToString(*value.type));
  return text;
}

void Fields(Visitor& v, SpirvAttribute& attribute) {
  v("name", attribute.name);
  v("value", attribute.value);
}

void Fields(Visitor& v, SpirvValue& value) {
  v("kind", value.kind);
  v.Optional("name", value.name);
  v("operands", value.operands);
  v.Optional("attributes", value.attributes);
  v.Optional("type", value.type);
  v.Optional("number", value.number);
  v.Optional("elements", value.elements);
}

void Fields(Visitor& v, SpirvGraph& graph) {
  v("values", graph.values);
  v("outputs", graph.outputs);
  // A reference may only go to an earlier value, so following references always terminates.
  const auto check = [&](const std::vector<int>& numbers, size_t before, absl::string_view place) {
    for (const int number : numbers) {
      if (number < 0 || static_cast<size_t>(number) >= before) v.Fail("refers to no earlier value", place);
    }
  };
  for (size_t i = 0; v.IsReading() && i < graph.values.size(); ++i) {
    check(graph.values[i].operands, i, absl::StrCat("values[", i, "].operands"));
  }
  if (v.IsReading()) check(graph.outputs, graph.values.size(), "outputs");
}

}  // namespace tosaic
