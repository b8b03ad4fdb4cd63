#include "model/lowered_ir.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

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

absl::string_view Name(LoweredValue::Kind kind) {
  constexpr absl::string_view kNames[] = {
      "argument",   "constant",       "index",       "tensor.dim",          "arith.max",
      "arith.cmpi", "tensor.empty",   "tensor.cast", "tensor.expand_shape", "tensor.collapse_shape",
      "scf.if",     "linalg.generic", "other"};
  return kNames[static_cast<size_t>(kind)];
}

std::string Describe(const LoweredValue& value) {
  const absl::string_view what = value.kind == LoweredValue::Kind::kOther ? value.name : Name(value.kind);
  return value.type ? absl::StrCat(what, " ", ToString(*value.type)) : std::string(what);
}

}  // namespace tosaic
