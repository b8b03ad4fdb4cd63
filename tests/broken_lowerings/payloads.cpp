// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken scalar payloads: the arithmetic of linalg.generic, right after tosa-to-linalg.
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "tests/broken_lowerings/broken_lowering.h"
#include "tests/broken_lowerings/rewriting.h"

namespace broken_lowerings {
namespace {

namespace arith = mlir::arith;
namespace math = mlir::math;
using arith::CmpFPredicate;
using arith::CmpIPredicate;
using mlir::func::FuncOp;

bool IsInteger(Value value, unsigned width) { return value.getType().isInteger(width); }

void ReplaceCmpF(FuncOp function, CmpFPredicate from, CmpFPredicate to, llvm::function_ref<bool(mlir::Type)> type) {
  for (arith::CmpFOp op : All<arith::CmpFOp>(function)) {
    if (op.getPredicate() == from && type(op.getLhs().getType())) op.setPredicate(to);
  }
}

void ReplaceCmpI(FuncOp function, CmpIPredicate from, CmpIPredicate to, unsigned width) {
  for (arith::CmpIOp op : All<arith::CmpIOp>(function)) {
    if (op.getPredicate() == from && IsInteger(op.getLhs(), width)) op.setPredicate(to);
  }
}

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

Value ScaleWithoutRounding(Builder& b, mlir::tosa::ApplyScaleOp op) {
  const auto wide = [&](Value value) { return arith::ExtSIOp::create(b, b.getI64Type(), value); };
  const Value product = arith::MulIOp::create(b, wide(op.getValue()), wide(op.getMultiplier()));
  return arith::TruncIOp::create(b, op.getType(), arith::ShRSIOp::create(b, product, wide(op.getShift())));
}

Value SaturatedI8(Builder& b, arith::TruncIOp op) {
  const mlir::Type type = op.getIn().getType();
  const Value low = arith::MaxSIOp::create(b, op.getIn(), Integer(b, type, -128));
  return arith::TruncIOp::create(b, op.getType(), arith::MinSIOp::create(b, low, Integer(b, type, 127)));
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

constexpr BrokenLowering kPayloads[] = {
    // Operands.
    {"swap-sub", "sub", "loops", kOnTensors, "sub of f16 subtracts the other way round",
     [](FuncOp function) {
       Replace<arith::SubFOp>(function, [](Builder& b, arith::SubFOp op) {
         return op.getType().isF16() ? Value(arith::SubFOp::create(b, op.getRhs(), op.getLhs())) : Value();
       });
     }},
    {"swap-pow", "pow", "loops", kOnTensors, "pow of rank 3 has base and exponent exchanged",
     [](FuncOp function) {
       Replace<math::PowFOp>(function, [](Builder& b, math::PowFOp op) {
         return HasRank(op, 3) ? Value(math::PowFOp::create(b, op.getRhs(), op.getLhs())) : Value();
       });
     }},
    {"swap-select-rank-0", "select", "loops", kOnTensors, "select of rank 0 takes the other branch",
     [](FuncOp function) {
       Replace<arith::SelectOp>(function, [](Builder& b, arith::SelectOp op) {
         if (!HasRank(op, 0) || !IsElement(op.getCondition())) return Value();
         return Value(arith::SelectOp::create(b, op.getCondition(), op.getFalseValue(), op.getTrueValue()));
       });
     }},
    // Signedness, widths, shifts.
    {"unsigned-right-shift", "arithmetic_right_shift", "loops", kOnTensors,
     "arithmetic_right_shift of i16 shifts zeros in",
     [](FuncOp function) {
       Replace<arith::ShRSIOp>(function, [](Builder& b, arith::ShRSIOp op) {
         return IsInteger(op, 16) ? Value(arith::ShRUIOp::create(b, op.getLhs(), op.getRhs())) : Value();
       });
     }},
    {"signed-right-shift", "logical_right_shift", "loops", kOnTensors, "logical_right_shift of i8 shifts the sign in",
     [](FuncOp function) {
       Replace<arith::ShRUIOp>(function, [](Builder& b, arith::ShRUIOp op) {
         return IsInteger(op, 8) ? Value(arith::ShRSIOp::create(b, op.getLhs(), op.getRhs())) : Value();
       });
     }},
    {"unsigned-greater", "greater", "loops", kOnTensors, "greater of i32 compares without sign",
     [](FuncOp function) { ReplaceCmpI(function, CmpIPredicate::sgt, CmpIPredicate::ugt, 32); }},
    {"unsigned-factor", "mul", "loops", kOnTensors, "mul of i8 extends its second factor without sign",
     [](FuncOp function) {
       for (arith::MulIOp op : All<arith::MulIOp>(function)) {
         auto extended = From<arith::ExtSIOp>(op.getRhs());
         if (!extended || !IsInteger(extended.getIn(), 8)) continue;
         Builder b(op.getLoc(), op);
         op.getRhsMutable().set(arith::ExtUIOp::create(b, extended.getType(), extended.getIn()));
       }
     }},
    {"unsigned-to-float", "cast", "loops", kOnTensors, "cast of i8 to floats takes it as unsigned",
     [](FuncOp function) {
       Replace<arith::SIToFPOp>(function, [](Builder& b, arith::SIToFPOp op) {
         return IsInteger(op.getIn(), 8) ? Value(arith::UIToFPOp::create(b, op.getType(), op.getIn())) : Value();
       });
     }},
    {"truncated-to-float", "cast", "loops", kOnTensors, "cast of i32 to f32 passes through i16",
     [](FuncOp function) {
       Replace<arith::SIToFPOp>(function, [](Builder& b, arith::SIToFPOp op) {
         if (!IsInteger(op.getIn(), 32) || !op.getType().isF32()) return Value();
         return Value(arith::SIToFPOp::create(b, op.getType(), arith::TruncIOp::create(b, b.getI16Type(), op.getIn())));
       });
     }},
    {"narrow-mul", "mul", "loops", kOnTensors, "mul of i16 multiplies in i16",
     [](FuncOp function) {
       Replace<arith::MulIOp>(function, [](Builder& b, arith::MulIOp op) {
         auto lhs = From<arith::ExtSIOp>(op.getLhs()), rhs = From<arith::ExtSIOp>(op.getRhs());
         if (!lhs || !rhs || !IsInteger(lhs.getIn(), 16) || !IsInteger(rhs.getIn(), 16)) return Value();
         return Value(arith::ExtSIOp::create(b, op.getType(), arith::MulIOp::create(b, lhs.getIn(), rhs.getIn())));
       });
     }},
    {"narrow-not", "bitwise_not", "loops", kOnTensors, "bitwise_not of i16 inverts the low byte",
     [](FuncOp function) {
       Replace<arith::XOrIOp>(function, [](Builder& b, arith::XOrIOp op) {
         if (!IsInteger(op, 16) || !IsConstant(op.getRhs())) return Value();
         return Value(arith::XOrIOp::create(b, op.getLhs(), Integer(b, op.getType(), 255)));
       });
     }},
    {"shift-mask", "logical_left_shift", "loops", kOnTensors,
     "logical_left_shift of i32 takes three bits of its amount",
     [](FuncOp function) {
       Replace<arith::ShLIOp>(function, [](Builder& b, arith::ShLIOp op) {
         if (!IsInteger(op, 32)) return Value();
         const Value amount = arith::AndIOp::create(b, op.getRhs(), Integer(b, op.getType(), 7));
         return Value(arith::ShLIOp::create(b, op.getLhs(), amount));
       });
     }},
    {"shift-no-rounding", "arithmetic_right_shift", "loops", kOnTensors, "arithmetic_right_shift of i32 never rounds",
     [](FuncOp function) {
       Replace<arith::AddIOp>(function, [](Builder&, arith::AddIOp op) {
         return IsInteger(op, 32) && From<arith::ShRSIOp>(op.getLhs()) ? op.getLhs() : Value();
       });
     }},
    {"scale-no-rounding", "mul", "loops", kOnTensors, "mul of i32 with a shift never rounds",
     [](FuncOp function) { Replace<mlir::tosa::ApplyScaleOp>(function, ScaleWithoutRounding); }},
    {"floor-division", "intdiv", "loops", kOnTensors, "intdiv rounds to minus infinity",
     [](FuncOp function) {
       Replace<arith::DivSIOp>(function, [](Builder& b, arith::DivSIOp op) {
         return Value(arith::FloorDivSIOp::create(b, op.getLhs(), op.getRhs()));
       });
     }},
    {"clz-of-zero", "clz", "loops", kOnTensors, "clz of 0 is 31",
     [](FuncOp function) {
       Replace<math::CountLeadingZerosOp>(function, [](Builder& b, math::CountLeadingZerosOp op) {
         const mlir::Type type = op.getType();
         const Value zero = arith::CmpIOp::create(b, CmpIPredicate::eq, op.getOperand(), Integer(b, type, 0));
         return Value(arith::SelectOp::create(b, zero, Integer(b, type, 31), op.getResult()));
       });
     }},
    {"or-for-xor", "logical_xor", "loops", kOnTensors, "logical_xor is an or",
     [](FuncOp function) {
       Replace<arith::XOrIOp>(function, [](Builder& b, arith::XOrIOp op) {
         if (!IsInteger(op, 1) || IsConstant(op.getRhs())) return Value();
         return Value(arith::OrIOp::create(b, op.getLhs(), op.getRhs()));
       });
     }},
    // Bounds, saturation, bools.
    {"less-for-less-or-equal", "greater_equal", "loops", kOnTensors, "greater_equal of f16 is false for equal numbers",
     [](FuncOp function) {
       ReplaceCmpF(function, CmpFPredicate::OGE, CmpFPredicate::OGT, [](mlir::Type type) { return type.isF16(); });
     }},
    {"greater-for-greater-or-equal", "greater_equal", "loops", kOnTensors,
     "greater_equal of i32 is false for equal numbers",
     [](FuncOp function) { ReplaceCmpI(function, CmpIPredicate::sge, CmpIPredicate::sgt, 32); }},
    {"clamp-off-by-one", "clamp", "loops", kOnTensors, "clamp of i16 lets nothing above max - 1 pass",
     [](FuncOp function) {
       Replace<arith::MinSIOp>(function, [](Builder& b, arith::MinSIOp op) {
         auto low = From<arith::MaxSIOp>(op.getRhs());
         if (!IsInteger(op, 16) || !low || !IsElement(low.getRhs())) return Value();
         const Value bound = arith::SubIOp::create(b, op.getLhs(), Integer(b, op.getType(), 1));
         return Value(arith::MinSIOp::create(b, bound, op.getRhs()));
       });
     }},
    {"limit-off-by-one", "cast", "loops", kOnTensors, "cast of 2^31 to i32 is not saturated, of more it is",
     [](FuncOp function) {
       ReplaceCmpF(function, CmpFPredicate::UGE, CmpFPredicate::UGT, [](mlir::Type type) { return type.isF32(); });
     }},
    {"wrap-for-saturate", "negate", "loops", kOnTensors, "negate of i8 wraps",
     [](FuncOp function) {
       Replace<arith::TruncIOp>(function, [](Builder& b, arith::TruncIOp op) {
         auto low = From<arith::MinSIOp>(op.getIn());
         auto high = low ? From<arith::MaxSIOp>(low.getRhs()) : nullptr;
         if (!high || !IsInteger(op, 8)) return Value();
         return Value(arith::TruncIOp::create(b, op.getType(), high.getRhs()));
       });
     }},
    {"saturate-for-wrap", "cast", "loops", kOnTensors, "cast of i32 to i8 saturates",
     [](FuncOp function) {
       Replace<arith::TruncIOp>(function, [](Builder& b, arith::TruncIOp op) {
         const bool cast = IsElement(op.getIn()) && IsInteger(op.getIn(), 32) && IsInteger(op, 8);
         return cast ? SaturatedI8(b, op) : Value();
       });
     }},
    {"bool-is-low-bit", "cast", "loops", kOnTensors, "cast of i32 to bool takes the lowest bit",
     [](FuncOp function) {
       Replace<arith::CmpIOp>(function, [](Builder& b, arith::CmpIOp op) {
         const bool cast =
             op.getPredicate() == CmpIPredicate::ne && IsInteger(op.getLhs(), 32) && IsElement(op.getLhs());
         return cast ? Value(arith::TruncIOp::create(b, op.getType(), op.getLhs())) : Value();
       });
     }},
    {"bool-is-signed", "cast", "loops", kOnTensors, "cast of bool to i16 makes -1 of true",
     [](FuncOp function) {
       Replace<arith::ExtUIOp>(function, [](Builder& b, arith::ExtUIOp op) {
         if (!IsInteger(op, 16) || !IsElement(op.getIn())) return Value();
         return Value(arith::ExtSIOp::create(b, op.getType(), op.getIn()));
       });
     }},
    // Rounding, NaN, zeros, ranges of floats.
    {"round-half-away", "cast", "loops", kOnTensors, "cast of f32 to i16 rounds half away from zero",
     [](FuncOp function) {
       Replace<math::RoundEvenOp>(function, [](Builder& b, math::RoundEvenOp op) {
         const bool to_i16 = llvm::any_of(op->getBlock()->getOps<arith::FPToSIOp>(),
                                          [](arith::FPToSIOp cast) { return IsInteger(cast, 16); });
         return op.getType().isF32() && to_i16 ? Value(math::RoundOp::create(b, op.getOperand())) : Value();
       });
     }},
    {"cast-truncates", "cast", "loops", kOnTensors, "cast of f16 to integers does not round",
     [](FuncOp function) {
       Replace<math::RoundEvenOp>(
           function, [](Builder&, math::RoundEvenOp op) { return op.getType().isF16() ? op.getOperand() : Value(); });
     }},
    {"floor-through-integer", "floor", "loops", kOnTensors, "floor of f32 passes through i32",
     [](FuncOp function) {
       Replace<math::FloorOp>(function, [](Builder& b, math::FloorOp op) {
         return op.getType().isF32() ? FloorThroughInteger(b, op) : Value();
       });
     }},
    {"maximum-drops-nan", "maximum", "loops", kOnTensors, "maximum of f32 ignores a NaN that it should propagate",
     [](FuncOp function) {
       Replace<arith::MaximumFOp>(function, [](Builder& b, arith::MaximumFOp op) {
         if (!op.getType().isF32() || !IsElement(op.getRhs())) return Value();
         return Value(arith::MaxNumFOp::create(b, op.getLhs(), op.getRhs()));
       });
     }},
    {"clamp-keeps-nan", "clamp", "loops", kOnTensors, "clamp of f16 propagates a NaN that it should ignore",
     [](FuncOp function) {
       Replace<arith::SelectOp>(function, [](Builder&, arith::SelectOp op) {
         const bool clamp = From<arith::CmpFOp>(op.getCondition()) && IsConstant(op.getTrueValue());
         return clamp && op.getType().isF16() ? op.getFalseValue() : Value();
       });
     }},
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
     [](FuncOp function) {
       Replace<arith::TruncFOp>(function, [](Builder& b, arith::TruncFOp op) {
         return op.getIn().getType().isF32() && op.getType().isBF16() ? NanByUpperHalf(b, op) : Value();
       });
     }},
    {"negate-from-zero", "negate", "loops", kOnTensors, "negate of bf16 is 0 - x: the sign of zero",
     [](FuncOp function) {
       Replace<arith::NegFOp>(function, [](Builder& b, arith::NegFOp op) {
         if (!op.getType().isBF16()) return Value();
         return Value(arith::SubFOp::create(b, Float(b, op.getType(), 0), op.getOperand()));
       });
     }},
    {"abs-by-comparison", "abs", "loops", kOnTensors, "abs of f32 keeps the sign of -0",
     [](FuncOp function) {
       Replace<math::AbsFOp>(function, [](Builder& b, math::AbsFOp op) {
         return op.getType().isF32() ? AbsByComparison(b, op) : Value();
       });
     }},
    {"reciprocal-of-zero", "reciprocal", "loops", kOnTensors, "reciprocal of f16 makes +infinity of -0",
     [](FuncOp function) {
       Replace<arith::DivFOp>(function, [](Builder& b, arith::DivFOp op) {
         if (!op.getType().isF16() || !IsElement(op.getRhs())) return Value();
         const Value unsigned_zero = arith::AddFOp::create(b, op.getRhs(), Float(b, op.getType(), 0));
         return Value(arith::DivFOp::create(b, op.getLhs(), unsigned_zero));
       });
     }},
    {"ceil-of-negative", "ceil", "loops", kOnTensors, "ceil of f16 in -1..0 is +0",
     [](FuncOp function) {
       Replace<math::CeilOp>(function, [](Builder& b, math::CeilOp op) {
         if (!op.getType().isF16()) return Value();
         return Value(arith::AddFOp::create(b, op.getResult(), Float(b, op.getType(), 0)));
       });
     }},
    {"tanh-range", "tanh", "loops", kOnTensors, "tanh of f32 is +-1 beyond 4",
     [](FuncOp function) {
       Replace<math::TanhOp>(
           function, [](Builder& b, math::TanhOp op) { return op.getType().isF32() ? BeyondFour(b, op) : Value(); });
     }},
    {"exp-range", "exp", "loops", kOnTensors, "exp of f32 overflows at 80, not at 88.7",
     [](FuncOp function) {
       Replace<math::ExpOp>(function, [](Builder& b, math::ExpOp op) {
         return op.getType().isF32() && IsElement(op.getOperand()) ? OverflowAtEighty(b, op) : Value();
       });
     }},
    {"sigmoid-overflow", "sigmoid", "loops", kOnTensors, "sigmoid of f32 is exp(x) / (1 + exp(x)): NaN for great x",
     [](FuncOp function) { Replace<arith::DivFOp>(function, SigmoidByExp); }},
};

}  // namespace

llvm::ArrayRef<BrokenLowering> BrokenPayloads() { return kPayloads; }

}  // namespace broken_lowerings
