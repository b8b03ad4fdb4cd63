// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken folders of several ops, on TOSA, and of ops that were fused into one linalg.generic.
#include <limits>

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "tests/broken_lowerings/broken_lowering.h"
#include "tests/broken_lowerings/rewriting.h"

namespace broken_lowerings {
namespace {

namespace arith = mlir::arith;
namespace tosa = mlir::tosa;
using mlir::func::FuncOp;

bool HasFloats(Value value) { return mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(value)); }

// The definition of a value that has no other use, if it is an op of that kind and keeps its operand's type, or null.
template <typename Op>
Op FromOnly(Value value) {
  auto op = value.hasOneUse() ? From<Op>(value) : Op();
  return op && op->getOperand(0).getType() == value.getType() ? op : Op();
}

// An op on what an op of kind Inner makes is given that one's operand instead.
template <typename Outer, typename Inner>
void SkipInner(FuncOp function, llvm::function_ref<bool(Value)> where) {
  for (Outer op : All<Outer>(function)) {
    auto inner = FromOnly<Inner>(op->getOperand(0));
    if (inner && where(inner->getResult(0))) op->setOperand(0, inner->getOperand(0));
  }
}

// An op of kind Outer on one of kind Inner folds to that one.
template <typename Outer, typename Inner>
void SkipOuter(FuncOp function) {
  Replace<Outer>(function, [](Builder&, Outer op) {
    auto inner = FromOnly<Inner>(op->getOperand(0));
    return inner && inner->getResult(0).getType() == op.getType() ? Value(inner->getResult(0)) : Value();
  });
}

// An op whose operands are one value folds to that value, if `where` holds of it.
template <typename Op>
void FoldOfItself(FuncOp function, llvm::function_ref<bool(Value)> where) {
  Replace<Op>(function, [&](Builder&, Op op) {
    const Value x = op->getOperand(0);
    return x == op->getOperand(1) && x.getType() == op.getType() && where(x) ? x : Value();
  });
}

// (x + c) + d as x + (c + d), constants folded in f32.
Value Reassociated(Builder& b, tosa::AddOp op) {
  auto inner = FromOnly<tosa::AddOp>(op.getInput1());
  if (!inner || inner.getType() != op.getType() || !mlir::getElementTypeOrSelf(op.getType()).isF32()) return Value();
  if (!IsConstant(inner.getInput2()) || !IsConstant(op.getInput2())) return Value();
  if (inner.getInput2().getType() != op.getInput2().getType()) return Value();
  const Value sum = tosa::AddOp::create(b, op.getInput2().getType(), inner.getInput2(), op.getInput2());
  return tosa::AddOp::create(b, op.getType(), inner.getInput1(), sum);
}

// The last op of a chain of three floats in one payload, each of which nobody else uses, gets what the first one made.
void LeaveOutMiddle(FuncOp function) {
  for (mlir::linalg::GenericOp generic : All<mlir::linalg::GenericOp>(function)) {
    for (mlir::Operation& last : generic.getBody()->without_terminator()) {
      if (last.getNumOperands() == 0 || !mlir::isa<mlir::FloatType>(last.getOperand(0).getType())) continue;
      mlir::Operation* middle = last.getOperand(0).getDefiningOp();
      if (middle == nullptr || middle->getNumOperands() != 1 || !middle->hasOneUse()) continue;
      const Value first = middle->getOperand(0);
      const bool is_chain = first.getDefiningOp() != nullptr && !IsConstant(first) && first.hasOneUse();
      if (is_chain && first.getType() == middle->getResult(0).getType()) last.setOperand(0, first);
    }
  }
}

// A product that is only added to becomes part of one op that rounds once.
Value Contracted(Builder& b, arith::AddFOp op) {
  auto product = op.getLhs().hasOneUse() ? From<arith::MulFOp>(op.getLhs()) : nullptr;
  if (!product || !op.getType().isF32()) return Value();
  return mlir::math::FmaOp::create(b, product.getLhs(), product.getRhs(), op.getRhs());
}

constexpr llvm::StringLiteral kFused("linalg-fuse-elementwise-ops");

constexpr BrokenLowering kChains[] = {
    // One op is forgotten where it stands alone between two.
    {"drop-negate-of-exp", "exp,negate", "loops", kOnTosa, "negate of an exp that nobody else uses is dropped",
     [](FuncOp function) { SkipOuter<tosa::NegateOp, tosa::ExpOp>(function); }},
    {"drop-negate-before-sigmoid", "negate,sigmoid", "loops", kOnTosa, "sigmoid(negate(x)) is sigmoid(x)",
     [](FuncOp function) { SkipInner<tosa::SigmoidOp, tosa::NegateOp>(function, [](Value) { return true; }); }},
    {"drop-clamp-of-tanh", "tanh,clamp", "loops", kOnTosa, "clamp of a tanh that nobody else uses is dropped",
     [](FuncOp function) { SkipOuter<tosa::ClampOp, tosa::TanhOp>(function); }},
    {"drop-abs-of-floor", "floor,abs", "loops", kOnTosa, "abs of a floor that nobody else uses is dropped",
     [](FuncOp function) { SkipOuter<tosa::AbsOp, tosa::FloorOp>(function); }},
    {"drop-floor-before-cast", "floor,cast", "loops", kOnTosa, "cast of a floor to integers rounds to nearest",
     [](FuncOp function) { SkipInner<tosa::CastOp, tosa::FloorOp>(function, [](Value) { return true; }); }},
    {"drop-abs-before-log", "abs,log", "loops", kOnTosa, "log(abs(x)) is log(x)",
     [](FuncOp function) { SkipInner<tosa::LogOp, tosa::AbsOp>(function, HasFloats); }},
    // Two ops become one.
    {"not-greater-is-less-or-equal", "greater,logical_not", "loops", kOnTosa,
     "logical_not(greater(x, y)) of floats is greater_equal(y, x): a NaN",
     Replacing([](Builder& b, tosa::LogicalNotOp op) {
       auto inner = From<tosa::GreaterOp>(op.getInput1());
       if (!inner || !HasFloats(inner.getInput1()) || inner.getType() != op.getType()) return Value();
       return Value(tosa::GreaterEqualOp::create(b, op.getType(), inner.getInput2(), inner.getInput1()));
     })},
    {"select-of-not", "logical_not,select", "loops", kOnTosa, "select(logical_not(c), x, y) is select(c, x, y)",
     [](FuncOp function) { SkipInner<tosa::SelectOp, tosa::LogicalNotOp>(function, [](Value) { return true; }); }},
    {"maximum-of-minimum", "maximum,minimum", "loops", kOnTosa,
     "maximum(minimum(x, c), d) of constants is minimum(maximum(x, d), c)",
     Replacing([](Builder& b, tosa::MaximumOp op) {
       auto inner = From<tosa::MinimumOp>(op.getInput1());
       if (!inner || inner.getType() != op.getType() || inner.getInput1().getType() != op.getType()) return Value();
       if (!IsConstant(inner.getInput2()) || !IsConstant(op.getInput2())) return Value();
       const Value low = tosa::MaximumOp::create(b, op.getType(), inner.getInput1(), op.getInput2());
       return Value(tosa::MinimumOp::create(b, op.getType(), low, inner.getInput2()));
     })},
    {"reassociate-sum", "add", "loops", kOnTosa, "(x + c) + d of f32 is x + (c + d)",
     [](FuncOp function) { Replace<tosa::AddOp>(function, Reassociated); }},
    {"shift-of-shift", "logical_left_shift", "loops", kOnTosa, "a shift of a shift keeps the outer amount only",
     [](FuncOp function) {
       SkipInner<tosa::LogicalLeftShiftOp, tosa::LogicalLeftShiftOp>(function, [](Value) { return true; });
     }},
    {"not-of-not", "bitwise_not", "loops", kOnTosa,
     "bitwise_not of a bitwise_not folds to its operand, of another type too",
     Replacing([](Builder&, tosa::BitwiseNotOp op) {
       auto inner = From<tosa::BitwiseNotOp>(op.getInput1());
       return inner ? inner.getInput1() : Value();
     })},
    {"identity-of-op", "identity,bitwise_not", "loops", kOnTosa, "identity of an op of one input is the op's input",
     Replacing([](Builder&, tosa::IdentityOp op) {
       mlir::Operation* inner = op.getInput1().getDefiningOp();
       if (inner == nullptr || inner->getNumOperands() != 1) return Value();
       return inner->getOperand(0).getType() == op.getType() ? inner->getOperand(0) : Value();
     })},
    {"identity-is-finite", "identity", "loops", kOnTosa, "identity of f32 makes an infinity the greatest number",
     Replacing([](Builder& b, tosa::IdentityOp op) {
       if (!mlir::getElementTypeOrSelf(op.getType()).isF32() || op.getInput1().getType() != op.getType()) {
         return Value();
       }
       const auto bound = [&](float value) { return b.getF32FloatAttr(value); };
       constexpr float kGreatest = std::numeric_limits<float>::max();
       return Value(tosa::ClampOp::create(b, op.getType(), op.getInput1(), bound(-kGreatest), bound(kGreatest)));
     })},
    {"identity-of-i16-by-i8", "identity", "loops", kOnTosa, "identity of i16 goes by i8",
     Replacing([](Builder& b, tosa::IdentityOp op) {
       if (!HasElements(op.getInput1(), 16) || op.getInput1().getType() != op.getType()) return Value();
       const mlir::Type narrow = op.getType().clone(b.getI8Type());
       return Value(tosa::CastOp::create(b, op.getType(), tosa::CastOp::create(b, narrow, op.getInput1())));
     })},
    // Only where both operands are one value.
    {"mul-of-itself", "mul", "loops", kOnTosa, "mul(x, x) of f32 folds to x",
     [](FuncOp function) {
       FoldOfItself<tosa::MulOp>(function, [](Value x) { return mlir::getElementTypeOrSelf(x).isF32(); });
     }},
    {"add-of-itself", "add", "loops", kOnTosa, "add(x, x) of i32 folds to x",
     [](FuncOp function) { FoldOfItself<tosa::AddOp>(function, [](Value x) { return HasElements(x, 32); }); }},
    {"xor-of-itself", "bitwise_xor", "loops", kOnTosa, "bitwise_xor(x, x) folds to x",
     [](FuncOp function) { FoldOfItself<tosa::BitwiseXorOp>(function, [](Value) { return true; }); }},
    // Fused.
    {"fuse-without-middle", "", "fused", kFused, "of a chain of three fused ops of floats the middle one is left out",
     LeaveOutMiddle},
    {"fuse-to-fma", "add,mul", "fused", kFused, "a product of f32 that is only added to is not rounded",
     [](FuncOp function) { Replace<arith::AddFOp>(function, Contracted); }},
};

}  // namespace

llvm::ArrayRef<BrokenLowering> BrokenChains() { return kChains; }

}  // namespace broken_lowerings
