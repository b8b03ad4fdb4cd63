// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/mlir_verifier.h"

#include <utility>

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "model/support_table.h"
#include "model/unsigned_types.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/mlir/probe_dialect.h"
#include "toolchain/validation_pipeline.h"

namespace tosaic {
namespace {

// The element type that a result, which may be a scalar, has in a case.
ElementType ElementTypeOf(mlir::Operation* op) {
  const ElementType type = ToElementType(mlir::getElementTypeOrSelf(op->getResult(0).getType()));
  const bool is_rescale = op->getName().getStringRef() == "tosa.rescale";
  return is_rescale && HasUnsignedTypes(Info(DialectInProcess())) ? AsSignless(type) : type;
}

// Enters the stage build. False, and the walk ended, if the dialect has no words for the program.
bool BeginBuild(const Program& program, StageWalk& walk) {
  walk.Enter(Stage::kBuild);
  const SupportEntry* entry = FindUnwritable(program, DialectInProcess());
  return entry == nullptr || walk.End(Outcome::kRefused, std::string(entry->reason));
}

// Ops in a block of no function: verifying a module around them costs as much again.
void DecideBlock(mlir::Block* block, const std::vector<mlir::Operation*>& ops, StageWalk& walk) {
  walk.Enter(Stage::kVerify);
  for (mlir::Operation& op : *block) {
    if (mlir::failed(mlir::verify(&op))) {
      walk.End(Outcome::kRefused);
      return;
    }
  }
  Infer(ops, walk);
}

}  // namespace

bool BuildAndVerify(mlir::MLIRContext* context, const Program& program, BuiltModule* built, StageWalk& walk) {
  if (!BeginBuild(program, walk)) return false;
  *built = BuildModule(context, program);
  if (!built->module) return walk.End(Outcome::kRefused);
  walk.Enter(Stage::kVerify);
  return mlir::succeeded(mlir::verify(*built->module)) || walk.End(Outcome::kRefused);
}

std::optional<TensorType> InferType(mlir::Operation* op) {
  if (mlir::isa<BroadcastableOp>(op)) {
    const std::optional<Shape> shape = InferBroadcastableShape(op);
    return shape ? std::optional(TensorType{*shape, ElementTypeOf(op)}) : std::nullopt;
  }
  auto interface = mlir::dyn_cast<mlir::InferShapedTypeOpInterface>(op);
  if (!interface) return std::nullopt;
  llvm::SmallVector<mlir::ShapedTypeComponents, 1> components;
  if (mlir::failed(interface.inferReturnTypeComponents(op->getContext(), op->getLoc(), op->getOperands(),
                                                       op->getAttrDictionary(), op->getPropertiesStorage(),
                                                       op->getRegions(), components)) ||
      components.size() != 1) {
    return std::nullopt;
  }
  const mlir::Type element_type = components[0].getElementType();
  return TensorType{components[0].hasRank() ? ToShape(components[0].getDims()) : Shape::Unranked(),
                    element_type ? ToElementType(element_type) : ElementTypeOf(op)};
}

void Infer(const std::vector<mlir::Operation*>& ops, StageWalk& walk) {
  walk.Enter(Stage::kInfer);
  for (mlir::Operation* op : ops) walk.observation.inferred.push_back(InferType(op));
  walk.errors().clear();  // an inference that finds nothing may say why; that is no refusal
}

mlir::Operation* BuildProbe(mlir::Block* block, mlir::MLIRContext* context, mlir::ValueRange operands,
                            mlir::Type result) {
  mlir::OpBuilder builder(context);
  builder.setInsertionPointToEnd(block);
  mlir::OperationState state(builder.getUnknownLoc(), BroadcastableOp::getOperationName());
  state.addOperands(operands);
  state.addTypes(result);
  return builder.create(state);
}

Observation MlirVerifier::ObserveDecision(const Program& program) {
  StageWalk walk(context_);
  if (!BeginBuild(program, walk)) return std::move(walk.observation);
  mlir::Block block;
  AddArguments(&block, context_, program);
  const BuiltOps built = BuildOps(&block, context_, program);
  if (built.ops.size() == program.ops.size()) {
    DecideBlock(&block, built.ops, walk);
  } else {
    walk.End(Outcome::kRefused);
  }
  return std::move(walk.observation);
}

Observation MlirVerifier::ObserveProbe(const OpSignature& probe) {
  StageWalk walk(context_);
  walk.Enter(Stage::kBuild);
  mlir::Block block;
  for (const ValueType& operand : probe.operands) {
    block.addArgument(ToMlirType(context_, operand), mlir::UnknownLoc::get(context_));
  }
  mlir::Operation* op = BuildProbe(&block, context_, block.getArguments(), ToMlirType(context_, probe.result));
  DecideBlock(&block, {op}, walk);
  return std::move(walk.observation);
}

Observation MlirVerifier::ObserveValidation(const Program& program, const ValidationTarget& target) {
  StageWalk walk(context_);
  BuiltModule built;
  if (BuildAndVerify(context_, program, &built, walk)) {
    walk.Enter(Stage::kVerify);
    passes_->Run(*built.module, ValidationPipeline(target), walk);
  }
  return std::move(walk.observation);
}

}  // namespace tosaic
