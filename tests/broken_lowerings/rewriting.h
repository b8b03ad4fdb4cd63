// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of broken lowerings: they rewrite one kind of op, wherever a predicate holds.
#ifndef TOSAIC_TESTS_BROKEN_LOWERINGS_REWRITING_H_
#define TOSAIC_TESTS_BROKEN_LOWERINGS_REWRITING_H_

#include <cstdint>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace broken_lowerings {

using mlir::Value;
using Builder = mlir::ImplicitLocOpBuilder;

// The elements of a value that a constant makes; null if none does.
inline mlir::DenseElementsAttr ConstantOf(Value value) {
  mlir::DenseElementsAttr attribute;
  mlir::matchPattern(value, mlir::m_Constant(&attribute));
  return attribute;
}

// The ops of a kind, collected before any of them is changed.
template <typename Op>
llvm::SmallVector<Op> All(mlir::func::FuncOp function) {
  llvm::SmallVector<Op> ops;
  function.walk([&](Op op) { ops.push_back(op); });
  return ops;
}

// Where an op has uses, they get what `with` builds right behind it from the op and its operands. `with` returns a null
// value to leave an op alone. An op that nobody uses any more is erased.
template <typename Op>
void Replace(mlir::func::FuncOp function, llvm::function_ref<Value(Builder&, Op)> with) {
  for (Op op : All<Op>(function)) {
    llvm::SmallVector<mlir::OpOperand*> uses;
    for (mlir::OpOperand& use : op->getResult(0).getUses()) uses.push_back(&use);
    Builder builder(op->getLoc(), op->getContext());
    builder.setInsertionPointAfter(op);
    const Value value = with(builder, op);
    if (!value) continue;
    for (mlir::OpOperand* use : uses) use->set(value);
    if (op->use_empty()) op->erase();
  }
}

template <typename Made, typename Op>
Op ReplacedBy(Made (*)(Builder&, Op));  // tells only which op a replacement takes

// Replace() as what a row applies: of a lambda without captures, which names the op.
template <typename With>
constexpr auto Replacing(With) {
  return [](mlir::func::FuncOp function) { Replace<decltype(ReplacedBy(+With{}))>(function, With{}); };
}

// Gives comparisons of floats of some types another predicate.
inline void ReplaceCmpF(mlir::func::FuncOp function, mlir::arith::CmpFPredicate from, mlir::arith::CmpFPredicate to,
                        llvm::function_ref<bool(mlir::Type)> type) {
  for (mlir::arith::CmpFOp op : All<mlir::arith::CmpFOp>(function)) {
    if (op.getPredicate() == from && type(op.getLhs().getType())) op.setPredicate(to);
  }
}

// A value's definition if it is an op of that kind, or null.
template <typename Op>
Op From(Value value) {
  return value.getDefiningOp<Op>();
}

inline bool HasElements(Value value, unsigned width) { return mlir::getElementTypeOrSelf(value).isInteger(width); }

// Of a payload: an element of the linalg op's operands, not something computed from them.
inline bool IsElement(Value value) { return mlir::isa<mlir::BlockArgument>(value); }
// Whether the linalg.generic around an op has so many loops.
inline bool HasRank(mlir::Operation* op, unsigned rank) {
  auto generic = op->getParentOfType<mlir::linalg::GenericOp>();
  return generic && generic.getNumLoops() == rank;
}

inline bool IsConstant(Value value) { return mlir::matchPattern(value, mlir::m_Constant()); }

inline Value Integer(Builder& builder, mlir::Type type, int64_t value) {
  return mlir::arith::ConstantOp::create(builder, builder.getIntegerAttr(type, value));
}
inline Value Index(Builder& builder, int64_t value) { return Integer(builder, builder.getIndexType(), value); }
inline Value Float(Builder& builder, mlir::Type type, double value) {
  return mlir::arith::ConstantOp::create(builder, builder.getFloatAttr(type, value));
}

}  // namespace broken_lowerings

#endif  // TOSAIC_TESTS_BROKEN_LOWERINGS_REWRITING_H_
