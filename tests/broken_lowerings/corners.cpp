// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken folders and canonicalizers that a coincidence shows: a reshape at some place, a constant that fits the op
// before it, narrow constants.
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "tests/broken_lowerings/broken_lowering.h"
#include "tests/broken_lowerings/rewriting.h"

namespace broken_lowerings {
namespace {

namespace tosa = mlir::tosa;
using mlir::func::FuncOp;

mlir::RankedTensorType StaticType(Value value) {
  const auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : mlir::RankedTensorType();
}

bool IsSquare(Value value) {
  const mlir::RankedTensorType type = StaticType(value);
  return type && type.getRank() == 2 && type.getDimSize(0) == type.getDimSize(1) && type.getDimSize(0) > 1;
}

Value Transposed(Builder& b, Value value) {
  return tosa::TransposeOp::create(b, value.getType(), value, b.getDenseI32ArrayAttr({1, 0}));
}

// The same splat constant, whatever its type's shape is.
bool AreEqualSplats(Value one, Value other) {
  const mlir::DenseElementsAttr a = ConstantOf(one), b = ConstantOf(other);
  return a && b && a.isSplat() && b.isSplat() &&
         a.getSplatValue<mlir::Attribute>() == b.getSplatValue<mlir::Attribute>();
}

constexpr BrokenLowering kCorners[] = {
    {"reshape-square-by-columns", "reshape", "loops", kOnTosa, "a reshape of a square reads its columns",
     Replacing([](Builder& b, tosa::ReshapeOp op) {
       if (!IsSquare(op.getInput1())) return Value();
       return Value(tosa::ReshapeOp::create(b, op.getType(), Transposed(b, op.getInput1()), op.getShape()));
     })},
    {"reshape-to-square-by-columns", "reshape", "loops", kOnTosa, "a reshape to a square writes its columns",
     Replacing([](Builder& b, tosa::ReshapeOp op) {
       if (!IsSquare(op)) return Value();
       return Transposed(b, tosa::ReshapeOp::create(b, op.getType(), op.getInput1(), op.getShape()));
     })},
    {"fold-clz-mask", "bitwise_and,clz", "loops", kOnTosa, "clz(x) & 31 folds to clz(x), which is 32 for 0",
     Replacing([](Builder&, tosa::BitwiseAndOp op) {
       auto inner = From<tosa::ClzOp>(op.getInput1());
       const mlir::DenseElementsAttr mask = ConstantOf(op.getInput2());
       const bool is_mask = HasElements(op, 32) && mask && mask.isSplat() && mask.getSplatValue<llvm::APInt>() == 31;
       return inner && is_mask && StaticType(op) && inner.getType() == op.getType() ? inner.getResult() : Value();
     })},
    {"fold-range-of-one", "maximum,minimum", "loops", kOnTosa, "max(min(x, c), c), which is c, folds to its inner op",
     Replacing([](Builder&, tosa::MaximumOp op) {
       auto inner = From<tosa::MinimumOp>(op.getInput1());
       const bool is_one =
           inner && inner.getType() == op.getType() && AreEqualSplats(inner.getInput2(), op.getInput2());
       return is_one ? inner.getResult() : Value();
     })},
    {"constant-i4-unsigned", "", "loops", kOnTosa, "the last element of a constant of i4 loses its sign",
     Replacing([](Builder& b, tosa::ConstOp op) {
       const mlir::DenseElementsAttr constant = ConstantOf(op);
       if (!constant || !constant.getElementType().isInteger(4) || constant.getNumElements() < 2) return Value();
       llvm::SmallVector<llvm::APInt> values(constant.getValues<llvm::APInt>());
       if (!values.back().isNegative()) return Value();
       values.back().clearBit(3);
       return Value(tosa::ConstOp::create(b, op.getType(), mlir::DenseElementsAttr::get(constant.getType(), values)));
     })},
};

}  // namespace

llvm::ArrayRef<BrokenLowering> BrokenCorners() { return kCorners; }

}  // namespace broken_lowerings
