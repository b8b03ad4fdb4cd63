// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/worker/vectorize_linalg.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "model/shape.h"
#include "toolchain/capi/worker/ir_walk.h"
#include "toolchain/capi/worker/lowered_ir_reader.h"

namespace tosaic {
namespace {

// As in the pass: a vector is unrolled in the end.
constexpr int64_t kMostVectorElements = 64;

constexpr char kMark[] = "tosaic.vectorize";

// An op that does not become a vector stays as it is.
constexpr char kScript[] = R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorize(%root: !transform.any_op) {
    %all = transform.structured.match attributes {tosaic.vectorize} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %all : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      transform.sequence %op : !transform.any_op failures(suppress) {
      ^bb1(%one: !transform.any_op):
        transform.structured.vectorize %one : !transform.any_op
      }
    }
    transform.yield
  }
}
)";

// How many elements the loops of a linalg.generic go over, each as long as the first operand that it indexes says;
// nullopt: one of them is dynamic.
std::optional<int64_t> ElementsOf(const CLibrary& c, MlirOperation generic) {
  const std::vector<IndexingMap> maps = ParseIndexingMaps(AttributeText(c, generic, "indexing_maps"));
  std::map<int64_t, int64_t> extents;
  for (size_t i = 0; i < maps.size(); ++i) {
    const absl::StatusOr<TensorType> type =
        ParseTensorType(TypeOf(c, c.mlirOperationGetOperand(generic, static_cast<intptr_t>(i))));
    for (size_t k = 0; k < maps[i].size(); ++k) {
      if (maps[i][k].kind != MapResult::Kind::kLoop) continue;
      if (!type.ok() || !type->shape.IsRanked() || type->shape.rank() <= k) return std::nullopt;
      const Dim dim = type->shape.dims()[k];
      if (!extents.try_emplace(maps[i][k].number, dim.IsStatic() ? dim.size() : -1).second) continue;
      if (!dim.IsStatic() || dim.size() > kMostVectorElements) return std::nullopt;
    }
  }
  int64_t elements = 1;
  for (const auto& [loop, extent] : extents) elements *= extent;
  return elements;
}

}  // namespace

bool CanVectorizeLinalg(const CLibrary& c) {
  return c.mlirTransformOptionsCreate != nullptr && c.mlirTransformOptionsDestroy != nullptr &&
         c.mlirTransformApplyNamedSequence != nullptr;
}

bool VectorizeLinalg(const CLibrary& c, MlirContext context, MlirOperation module) {
  const MlirModule script = c.mlirModuleCreateParse(context, ToRef(kScript));
  if (script.ptr == nullptr) return false;
  const MlirAttribute mark = c.mlirAttributeParseGet(context, ToRef("unit"));
  ForEachWithin(c, module, [&](MlirOperation op) {
    if (NameOf(c, op) != "linalg.generic") return true;
    const std::optional<int64_t> elements = ElementsOf(c, op);
    if (elements && *elements <= kMostVectorElements) c.mlirOperationSetAttributeByName(op, ToRef(kMark), mark);
    return true;
  });
  const MlirTransformOptions options = c.mlirTransformOptionsCreate();
  const MlirOperation sequence = c.mlirBlockGetFirstOperation(c.mlirModuleGetBody(script));
  const bool done =
      c.mlirTransformApplyNamedSequence(module, sequence, c.mlirModuleGetOperation(script), options).value != 0;
  c.mlirTransformOptionsDestroy(options);
  c.mlirModuleDestroy(script);
  return done;
}

}  // namespace tosaic
