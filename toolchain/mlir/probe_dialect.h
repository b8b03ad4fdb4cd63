// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The probe: a dialect with one op that has MLIR's ResultsBroadcastableShape trait and nothing else, so that the trait
// itself can be asked. (MLIR's test dialect has such an op, but is not in every build.)
#ifndef TOSAIC_TOOLCHAIN_MLIR_PROBE_DIALECT_H_
#define TOSAIC_TOOLCHAIN_MLIR_PROBE_DIALECT_H_

#include <optional>

#include "mlir/Dialect/Traits.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "model/shape.h"

namespace tosaic {

// tosaic.broadcastable: any number of operands of any types, one result.
class BroadcastableOp : public mlir::Op<BroadcastableOp, mlir::OpTrait::ZeroRegions, mlir::OpTrait::OneResult,
                                        mlir::OpTrait::ZeroSuccessors, mlir::OpTrait::VariadicOperands,
                                        mlir::OpTrait::ResultsBroadcastableShape> {
 public:
  using Op::Op;
  static llvm::StringRef getOperationName() { return "tosaic.broadcastable"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
};

class ProbeDialect : public mlir::Dialect {
 public:
  explicit ProbeDialect(mlir::MLIRContext* context);
  static llvm::StringRef getDialectNamespace() { return "tosaic"; }
};

// The shape that the trait's own function, util::getBroadcastedShape, infers from the ranked operands, pair by pair;
// nullopt if it finds them incompatible, or if none is ranked.
std::optional<Shape> InferBroadcastableShape(mlir::Operation* op);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_PROBE_DIALECT_H_
