// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/probe_dialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "toolchain/mlir/mlir_builder.h"

namespace tosaic {

ProbeDialect::ProbeDialect(mlir::MLIRContext* context)
    : Dialect(getDialectNamespace(), context, mlir::TypeID::get<ProbeDialect>()) {
  addOperations<BroadcastableOp>();
}

std::optional<Shape> InferBroadcastableShape(mlir::Operation* op) {
  std::optional<llvm::SmallVector<int64_t>> inferred;
  for (const mlir::Type type : op->getOperandTypes()) {
    const auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
    if (!shaped || !shaped.hasRank()) continue;
    if (!inferred) {
      inferred.emplace(shaped.getShape());
      continue;
    }
    llvm::SmallVector<int64_t> both;
    if (!mlir::OpTrait::util::getBroadcastedShape(*inferred, shaped.getShape(), both)) return std::nullopt;
    inferred = std::move(both);
  }
  if (!inferred) return std::nullopt;
  return ToShape(*inferred);
}

}  // namespace tosaic
