// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/lowered_ir.h"

#include <cstddef>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codec/visitor.h"

namespace tosaic {

std::string ToString(const IndexingMap& map) {
  return absl::StrCat("(",
                      absl::StrJoin(map, ", ",
                                    [](std::string* out, const MapResult& result) {
                                      switch (result.kind) {
                                        case MapResult::Kind::kLoop:
                                          return absl::StrAppend(out, "d", result.number);
                                        case MapResult::Kind::kConstant:
                                          return absl::StrAppend(out, result.number);
                                        case MapResult::Kind::kOther:
                                          return absl::StrAppend(out, "?");
                                      }
                                    }),
                      ")");
}

EnumNames NamesOf(LoweredValue::Kind) {
  static constexpr absl::string_view kNames[] = {
      "argument",   "constant",       "index",       "tensor.dim",          "arith.max",
      "arith.cmpi", "tensor.empty",   "tensor.cast", "tensor.expand_shape", "tensor.collapse_shape",
      "scf.if",     "linalg.generic", "other"};
  return NamesFor<LoweredValue::Kind>(kNames, "a kind of value");
}

std::string Describe(const LoweredValue& value) {
  const absl::string_view kind_name = value.kind == LoweredValue::Kind::kOther ? value.name : Name(value.kind);
  return value.type ? absl::StrCat(kind_name, " ", ToString(*value.type)) : std::string(kind_name);
}

void Visit(Visitor& v, MapResult& result) {
  const auto write = [&]() -> Json {
    switch (result.kind) {
      case MapResult::Kind::kLoop:
        return result.number;
      case MapResult::Kind::kConstant:
        return Json{{"constant", result.number}};
      case MapResult::Kind::kOther:
        break;
    }
    return Json();
  };
  const auto read = [&](const JsonReader& reader) {
    if (reader.IsNull()) {
      result = {MapResult::Kind::kOther, 0};
    } else if (reader.Has("constant")) {
      result = {MapResult::Kind::kConstant, reader.Field("constant").Int()};
    } else {
      result = {MapResult::Kind::kLoop, reader.Int()};
    }
  };
  v.Custom(write, read, [] { return Json{{"type", {"integer", "object", "null"}}}; });
}

void Fields(Visitor& v, Payload& payload) {
  v("arguments", payload.arguments);
  v("yields", payload.yields);
  v("ops", payload.ops);
  v("captures", payload.captures);
  v("nested", payload.nested);
  v("reads_output", payload.reads_output);
}

void Fields(Visitor& v, Generic& generic) {
  v("inputs", generic.inputs);
  v("iterators", generic.iterators);
  v("maps", generic.maps);
  v("payload", generic.payload);
}

bool AreOfUnknownOps(const std::vector<LibrarySignature>& functions) {
  const auto computes = [](const LibrarySignature& function) { return !function.is_copy; };
  return absl::c_any_of(functions, computes) && absl::c_none_of(functions, [&](const LibrarySignature& function) {
           return computes(function) && function.op >= 0;
         });
}

void Fields(Visitor& v, LibrarySignature::View& view) {
  v("element_type", view.element_type);
  v("map", view.map);
}

void Fields(Visitor& v, LibrarySignature& signature) {
  v("op", signature.op);
  v("is_copy", signature.is_copy);
  v("views", signature.views);
}

void Fields(Visitor& v, LoweredValue& value) {
  v("kind", value.kind);
  v("operands", value.operands);
  v.Optional("type", value.type);
  v.Optional("number", value.number);
  v.Optional("groups", value.groups);
  v.Optional("generic", value.generic);
  v.Optional("name", value.name);
}

void Fields(Visitor& v, LoweredIr& ir) {
  v("values", ir.values);
  v("returned", ir.returned);
  // A reference may only go to an earlier value, so following references always terminates.
  const auto check = [&](const std::vector<int>& numbers, size_t before, absl::string_view place) {
    for (const int number : numbers) {
      if (number < 0 || static_cast<size_t>(number) >= before) v.Fail("refers to no earlier value", place);
    }
  };
  for (size_t i = 0; v.IsReading() && i < ir.values.size(); ++i) {
    check(ir.values[i].operands, i, absl::StrCat("values[", i, "].operands"));
  }
  if (v.IsReading()) check(ir.returned, ir.values.size(), "returned");
}

}  // namespace tosaic
