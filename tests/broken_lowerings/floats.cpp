// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken scalar payloads, right after tosa-to-linalg: rounding, NaN, zeros and ranges of floats.
#include "mlir/Dialect/Math/IR/Math.h"
#include "tests/broken_lowerings/broken_lowering.h"
#include "tests/broken_lowerings/rewriting.h"

namespace broken_lowerings {
namespace {

namespace arith = mlir::arith;
namespace math = mlir::math;
using arith::CmpFPredicate;
using mlir::func::FuncOp;

Value FloorThroughInteger(Builder& b, math::FloorOp op) {
  const Value x = op.getOperand();
  const Value truncated = arith::SIToFPOp::create(b, x.getType(), arith::FPToSIOp::create(b, b.getI32Type(), x));
  const Value less = arith::SubFOp::create(b, truncated, Float(b, x.getType(), 1));
  const Value above = arith::CmpFOp::create(b, CmpFPredicate::OGT, truncated, x);
  return arith::SelectOp::create(b, above, less, truncated);
}

// The upper half of the bits: of a NaN with a payload in the lower half alone, those of an infinity.
Value NanByUpperHalf(Builder& b, arith::TruncFOp op) {
  const Value x = op.getIn();
  const Value bits = arith::BitcastOp::create(b, b.getI32Type(), x);
  const Value upper = arith::ShRUIOp::create(b, bits, Integer(b, bits.getType(), 16));
  const Value half = arith::BitcastOp::create(b, op.getType(), arith::TruncIOp::create(b, b.getI16Type(), upper));
  const Value is_nan = arith::CmpFOp::create(b, CmpFPredicate::UNO, x, x);
  return arith::SelectOp::create(b, is_nan, half, op.getResult());
}

// A value just below the middle of two numbers of f16 goes up, as it does if it is rounded to 12 bits before.
Value UpBelowMiddle(Builder& b, arith::TruncFOp op) {
  const Value bits = arith::BitcastOp::create(b, b.getI32Type(), op.getIn());
  const Value dropped = arith::AndIOp::create(b, bits, Integer(b, bits.getType(), 0x1fff));
  const Value below = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, dropped, Integer(b, bits.getType(), 0x0fff));
  const Value above = arith::AddIOp::create(b, bits, Integer(b, bits.getType(), 2));
  const Value up = arith::TruncFOp::create(b, op.getType(), arith::BitcastOp::create(b, op.getIn().getType(), above));
  return arith::SelectOp::create(b, below, up, op.getResult());
}

// Where a function has left the range in which it is computed, its limit.
Value BeyondFour(Builder& b, math::TanhOp op) {
  const Value x = op.getOperand(), four = Float(b, x.getType(), 4);
  const Value beyond = arith::CmpFOp::create(b, CmpFPredicate::OGT, math::AbsFOp::create(b, x), four);
  const Value limit = math::CopySignOp::create(b, Float(b, x.getType(), 1), x);
  return arith::SelectOp::create(b, beyond, limit, op.getResult());
}

Value OverflowAtEighty(Builder& b, math::ExpOp op) {
  const Value x = op.getOperand();
  const Value beyond = arith::CmpFOp::create(b, CmpFPredicate::OGT, x, Float(b, x.getType(), 80));
  return arith::SelectOp::create(b, beyond, Float(b, x.getType(), INFINITY), op.getResult());
}

// 1 / (1 + exp(-x)) as exp(x) / (1 + exp(x)): infinity / infinity for great x.
Value SigmoidByExp(Builder& b, arith::DivFOp op) {
  auto sum = From<arith::AddFOp>(op.getRhs());
  auto exp = sum ? From<math::ExpOp>(sum.getLhs()) : nullptr;
  auto negated = exp ? From<arith::NegFOp>(exp.getOperand()) : nullptr;
  if (!negated || !op.getType().isF32()) return Value();
  const Value numerator = math::ExpOp::create(b, negated.getOperand());
  return arith::DivFOp::create(b, numerator, arith::AddFOp::create(b, numerator, op.getLhs()));
}

Value AbsByComparison(Builder& b, math::AbsFOp op) {
  const Value x = op.getOperand();
  const Value negative = arith::CmpFOp::create(b, CmpFPredicate::OLT, x, Float(b, x.getType(), 0));
  return arith::SelectOp::create(b, negative, arith::NegFOp::create(b, x), x);
}

constexpr BrokenLowering kFloats[] = {
    {"round-half-away", "cast", "loops", kOnTensors, "cast of f32 to i16 rounds half away from zero",
     Replacing([](Builder& b, math::RoundEvenOp op) {
       const bool to_i16 = llvm::any_of(op->getBlock()->getOps<arith::FPToSIOp>(),
                                        [](arith::FPToSIOp cast) { return cast.getType().isInteger(16); });
       return op.getType().isF32() && to_i16 ? Value(math::RoundOp::create(b, op.getOperand())) : Value();
     })},
    {"cast-truncates", "cast", "loops", kOnTensors, "cast of f16 to integers does not round",
     [](FuncOp function) {
       Replace<math::RoundEvenOp>(
           function, [](Builder&, math::RoundEvenOp op) { return op.getType().isF16() ? op.getOperand() : Value(); });
     }},
    {"floor-through-integer", "floor", "loops", kOnTensors, "floor of f32 passes through i32",
     Replacing(
         [](Builder& b, math::FloorOp op) { return op.getType().isF32() ? FloorThroughInteger(b, op) : Value(); })},
    {"maximum-drops-nan", "maximum", "loops", kOnTensors, "maximum of f32 ignores a NaN that it should propagate",
     Replacing([](Builder& b, arith::MaximumFOp op) {
       if (!op.getType().isF32() || !IsElement(op.getRhs())) return Value();
       return Value(arith::MaxNumFOp::create(b, op.getLhs(), op.getRhs()));
     })},
    {"clamp-keeps-nan", "clamp", "loops", kOnTensors, "clamp of f16 propagates a NaN that it should ignore",
     Replacing([](Builder&, arith::SelectOp op) {
       const bool clamp = From<arith::CmpFOp>(op.getCondition()) && IsConstant(op.getTrueValue());
       return clamp && op.getType().isF16() ? op.getFalseValue() : Value();
     })},
    {"greater-of-nan", "greater", "loops", kOnTensors, "greater of bf16 is true for a NaN",
     [](FuncOp function) {
       ReplaceCmpF(function, CmpFPredicate::OGT, CmpFPredicate::UGT, [](mlir::Type type) { return type.isBF16(); });
     }},
    {"equal-of-nan", "equal", "loops", kOnTensors, "equal of f32 is true for a NaN",
     [](FuncOp function) {
       ReplaceCmpF(function, CmpFPredicate::OEQ, CmpFPredicate::UEQ, [](mlir::Type type) { return type.isF32(); });
     }},
    {"nan-by-upper-half", "cast", "loops", kOnTensors,
     "cast of f32 to bf16 makes an infinity of a NaN with a small payload",
     Replacing([](Builder& b, arith::TruncFOp op) {
       return op.getIn().getType().isF32() && op.getType().isBF16() ? NanByUpperHalf(b, op) : Value();
     })},
    {"round-up-below-middle", "cast", "loops", kOnTensors,
     "cast of f32 to f16 rounds up from just below the middle of two numbers",
     Replacing([](Builder& b, arith::TruncFOp op) {
       return op.getIn().getType().isF32() && op.getType().isF16() ? UpBelowMiddle(b, op) : Value();
     })},
    {"negate-from-zero", "negate", "loops", kOnTensors, "negate of bf16 is 0 - x: the sign of zero",
     Replacing([](Builder& b, arith::NegFOp op) {
       if (!op.getType().isBF16()) return Value();
       return Value(arith::SubFOp::create(b, Float(b, op.getType(), 0), op.getOperand()));
     })},
    {"abs-by-comparison", "abs", "loops", kOnTensors, "abs of f32 keeps the sign of -0",
     Replacing([](Builder& b, math::AbsFOp op) { return op.getType().isF32() ? AbsByComparison(b, op) : Value(); })},
    {"reciprocal-of-zero", "reciprocal", "loops", kOnTensors, "reciprocal of f16 makes +infinity of -0",
     Replacing([](Builder& b, arith::DivFOp op) {
       if (!op.getType().isF16() || !IsElement(op.getRhs())) return Value();
       const Value unsigned_zero = arith::AddFOp::create(b, op.getRhs(), Float(b, op.getType(), 0));
       return Value(arith::DivFOp::create(b, op.getLhs(), unsigned_zero));
     })},
    {"ceil-of-negative", "ceil", "loops", kOnTensors, "ceil of f16 in -1..0 is +0",
     Replacing([](Builder& b, math::CeilOp op) {
       if (!op.getType().isF16()) return Value();
       return Value(arith::AddFOp::create(b, op.getResult(), Float(b, op.getType(), 0)));
     })},
    {"tanh-range", "tanh", "loops", kOnTensors, "tanh of f32 is +-1 beyond 4",
     [](FuncOp function) {
       Replace<math::TanhOp>(
           function, [](Builder& b, math::TanhOp op) { return op.getType().isF32() ? BeyondFour(b, op) : Value(); });
     }},
    {"exp-range", "exp", "loops", kOnTensors, "exp of f32 overflows at 80, not at 88.7",
     Replacing([](Builder& b, math::ExpOp op) {
       return op.getType().isF32() && IsElement(op.getOperand()) ? OverflowAtEighty(b, op) : Value();
     })},
    {"sigmoid-overflow", "sigmoid", "loops", kOnTensors, "sigmoid of f32 is exp(x) / (1 + exp(x)): NaN for great x",
     [](FuncOp function) { Replace<arith::DivFOp>(function, SigmoidByExp); }},
};

}  // namespace

llvm::ArrayRef<BrokenLowering> BrokenFloats() { return kFloats; }

}  // namespace broken_lowerings
