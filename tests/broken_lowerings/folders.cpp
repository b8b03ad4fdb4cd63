// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken folders and canonicalizers: on TOSA, before anything is lowered.
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "tests/broken_lowerings/broken_lowering.h"
#include "tests/broken_lowerings/rewriting.h"

namespace broken_lowerings {
namespace {

namespace tosa = mlir::tosa;
using mlir::func::FuncOp;

// Whether a value is a constant with that integer in every element.
bool IsSplat(Value value, int64_t wanted) {
  const mlir::DenseElementsAttr constant = ConstantOf(value);
  return constant && constant.isSplat() && mlir::isa<mlir::IntegerType>(constant.getElementType()) &&
         constant.getSplatValue<llvm::APInt>().getSExtValue() == wanted;
}

// Whether it is one with the greatest finite number of its type.
bool IsSplatOfGreatest(Value value) {
  const mlir::DenseElementsAttr constant = ConstantOf(value);
  if (!constant || !constant.isSplat()) return false;
  if (!mlir::isa<mlir::FloatType>(constant.getElementType())) {
    return constant.getSplatValue<llvm::APInt>().isMaxSignedValue();
  }
  const auto number = constant.getSplatValue<llvm::APFloat>();
  return number == llvm::APFloat::getLargest(number.getSemantics());
}

// An op may fold only to a value of its own type.
template <typename Op>
Value IfSameType(Op op, Value value) {
  return value.getType() == op.getType() ? value : Value();
}

constexpr BrokenLowering kFolders[] = {
    {"fold-sub-constant", "sub", "loops", kOnTosa, "sub(x, splat constant) of i32 folds to x",
     Replacing([](Builder&, tosa::SubOp op) {
       const mlir::DenseElementsAttr constant = ConstantOf(op.getInput2());
       return constant && constant.isSplat() && HasElements(op, 32) ? IfSameType(op, op.getInput1()) : Value();
     })},
    {"fold-mul-one", "mul", "loops", kOnTosa, "mul(x, 1) of i32 folds to x whatever the shift",
     Replacing([](Builder&, tosa::MulOp op) {
       if (!HasElements(op.getInput1(), 32)) return Value();
       if (IsSplat(op.getInput2(), 1)) return IfSameType(op, op.getInput1());
       return IsSplat(op.getInput1(), 1) ? IfSameType(op, op.getInput2()) : Value();
     })},
    // Stock MLIR folds it where all types are equal (F5), and a reduced case must not end there.
    {"fold-product-with-zero", "mul", "loops", kOnTosa, "x * 0 of floats folds to 0, though x has another type",
     Replacing([](Builder&, tosa::MulOp op) {
       const mlir::DenseElementsAttr factor = ConstantOf(op.getInput2());
       if (!factor || !factor.isSplat() || op.getInput1().getType() == op.getType()) return Value();
       if (!mlir::isa<mlir::FloatType>(factor.getElementType())) return Value();
       return factor.getSplatValue<llvm::APFloat>().isZero() ? IfSameType(op, op.getInput2()) : Value();
     })},
    {"fold-select-constant", "select", "loops", kOnTosa,
     "select with the constant condition true folds to the other branch", Replacing([](Builder&, tosa::SelectOp op) {
       return IsSplat(op.getInput1(), -1) ? IfSameType(op, op.getInput3()) : Value();
     })},
    {"fold-minimum-limit", "minimum", "loops", kOnTosa,
     "minimum with the greatest finite number folds to that constant",
     Replacing([](Builder& builder, tosa::MinimumOp op) {
       const auto type = mlir::cast<mlir::ShapedType>(op.getType());
       if (!type.hasStaticShape()) return Value();
       for (const Value operand : op->getOperands()) {
         if (!IsSplatOfGreatest(operand)) continue;
         return Value(tosa::ConstOp::create(builder, type, ConstantOf(operand).resizeSplat(type)));
       }
       return Value();
     })},
    {"fold-cast-pair", "cast", "loops", kOnTosa, "cast of i32 to i8 or i16 and back folds to nothing",
     Replacing([](Builder&, tosa::CastOp op) {
       auto inner = From<tosa::CastOp>(op.getInput());
       if (!inner || !HasElements(op, 32) || !(HasElements(inner, 8) || HasElements(inner, 16))) return Value();
       return IfSameType(op, inner.getInput());
     })},
    {"fold-clamp-clamp", "clamp", "loops", kOnTosa, "clamp of a clamp keeps the outer bounds only",
     [](FuncOp function) {
       for (tosa::ClampOp op : All<tosa::ClampOp>(function)) {
         auto inner = From<tosa::ClampOp>(op.getInput());
         if (inner && inner.getInput().getType() == inner.getType()) op.getInputMutable().set(inner.getInput());
       }
     }},
    {"fold-log-exp", "log,exp", "loops", kOnTosa, "log(exp(x)) folds to x", Replacing([](Builder&, tosa::LogOp op) {
       auto inner = From<tosa::ExpOp>(op.getInput1());
       return inner ? IfSameType(op, inner.getInput1()) : Value();
     })},
    {"fold-equal-itself", "equal", "loops", kOnTosa, "equal(x, x) folds to true; a NaN is not equal to itself",
     Replacing([](Builder& builder, tosa::EqualOp op) {
       const auto type = mlir::cast<mlir::ShapedType>(op.getType());
       if (op.getInput1() != op.getInput2() || !type.hasStaticShape()) return Value();
       return Value(tosa::ConstOp::create(builder, type, mlir::DenseElementsAttr::get(type, true)));
     })},
    {"fold-cast-of-true", "cast", "loops", kOnTosa, "cast of constant bools to integers makes -1 of true",
     Replacing([](Builder& builder, tosa::CastOp op) {
       const mlir::DenseElementsAttr constant = ConstantOf(op.getInput());
       const auto type = mlir::cast<mlir::ShapedType>(op.getType());
       if (!constant || !HasElements(op.getInput(), 1) || !type.hasStaticShape()) return Value();
       if (!mlir::isa<mlir::IntegerType>(type.getElementType())) return Value();
       const unsigned width = type.getElementTypeBitWidth();
       return Value(tosa::ConstOp::create(
           builder, type,
           constant.mapValues(type.getElementType(), [&](const llvm::APInt& x) { return x.sext(width); })));
     })},
    {"fold-sub-itself", "sub", "loops", kOnTosa, "sub(x, x) of f32 folds to 0; infinity - infinity is NaN",
     Replacing([](Builder& builder, tosa::SubOp op) {
       const auto type = mlir::cast<mlir::ShapedType>(op.getType());
       if (op.getInput1() != op.getInput2() || !type.hasStaticShape() || !type.getElementType().isF32()) return Value();
       return Value(tosa::ConstOp::create(builder, type, mlir::DenseElementsAttr::get(type, 0.0f)));
     })},
    {"fold-division", "intdiv", "loops", kOnTosa, "intdiv of two constants is computed without a look at the divisor",
     Replacing([](Builder& builder, tosa::IntDivOp op) {
       const mlir::DenseElementsAttr x = ConstantOf(op.getInput1()), y = ConstantOf(op.getInput2());
       const auto type = mlir::cast<mlir::ShapedType>(op.getType());
       if (!x || !y || !x.isSplat() || !y.isSplat() || !type.hasStaticShape()) return Value();
       const volatile int32_t dividend = static_cast<int32_t>(x.getSplatValue<llvm::APInt>().getSExtValue());
       const volatile int32_t divisor = static_cast<int32_t>(y.getSplatValue<llvm::APInt>().getSExtValue());
       return Value(tosa::ConstOp::create(builder, type, mlir::DenseElementsAttr::get(type, dividend / divisor)));
     })},
    {"fold-clz-of-zero", "clz", "loops", kOnTosa, "clz of the constant 0 folds to 31",
     Replacing([](Builder& builder, tosa::ClzOp op) {
       const auto type = mlir::cast<mlir::ShapedType>(op.getType());
       if (!IsSplat(op.getInput1(), 0) || !HasElements(op, 32) || !type.hasStaticShape()) return Value();
       return Value(tosa::ConstOp::create(builder, type, mlir::DenseElementsAttr::get(type, int32_t{31})));
     })},
    {"fold-clamp-of-constant", "clamp", "loops", kOnTosa, "clamp of a constant integer folds by its upper bound alone",
     Replacing([](Builder& builder, tosa::ClampOp op) {
       const mlir::DenseElementsAttr constant = ConstantOf(op.getInput());
       const auto upper = mlir::dyn_cast<mlir::IntegerAttr>(op.getMaxVal());
       if (!constant || !upper || !upper.getType().isSignlessInteger() || constant.getType() != op.getType())
         return Value();
       const auto bounded = [&](const llvm::APInt& x) { return x.sgt(upper.getValue()) ? upper.getValue() : x; };
       return Value(
           tosa::ConstOp::create(builder, op.getType(), constant.mapValues(constant.getElementType(), bounded)));
     })},
    {"fold-dense-as-splat", "", "loops", kOnTosa, "a constant tensor of f32 becomes a splat of its first element",
     Replacing([](Builder& builder, tosa::ConstOp op) {
       const auto constant = mlir::dyn_cast<mlir::DenseElementsAttr>(op.getValues());
       if (!constant || constant.isSplat() || !constant.getElementType().isF32()) return Value();
       const auto splat = mlir::DenseElementsAttr::get(constant.getType(), *constant.value_begin<mlir::Attribute>());
       return Value(tosa::ConstOp::create(builder, op.getType(), splat));
     })},
};

}  // namespace

llvm::ArrayRef<BrokenLowering> BrokenFolders() { return kFolders; }

}  // namespace broken_lowerings
