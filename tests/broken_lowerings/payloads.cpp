// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken scalar payloads: the arithmetic of linalg.generic, right after tosa-to-linalg: operands, signs, widths,
// bounds.
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

void ReplaceCmpI(FuncOp function, CmpIPredicate from, CmpIPredicate to, unsigned width) {
  for (arith::CmpIOp op : All<arith::CmpIOp>(function)) {
    if (op.getPredicate() == from && IsInteger(op.getLhs(), width)) op.setPredicate(to);
  }
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

constexpr BrokenLowering kPayloads[] = {
    // Operands.
    {"swap-sub", "sub", "loops", kOnTensors, "sub of f16 subtracts the other way round",
     Replacing([](Builder& b, arith::SubFOp op) {
       return op.getType().isF16() ? Value(arith::SubFOp::create(b, op.getRhs(), op.getLhs())) : Value();
     })},
    {"swap-for-library", "", "library-call", kOnTensors,
     "an external function of two tensors of a type gets the second first",
     [](FuncOp function) {
       for (linalg::GenericOp op : All<linalg::GenericOp>(function)) {
         if (op.getNumDpsInputs() != 2) continue;
         const Value first = op->getOperand(0), second = op->getOperand(1);
         if (first.getType() != second.getType()) continue;
         op->setOperands(0, 2, {second, first});
       }
     }},
    {"swap-pow", "pow", "loops", kOnTensors, "pow of rank 3 has base and exponent exchanged",
     Replacing([](Builder& b, math::PowFOp op) {
       return HasRank(op, 3) ? Value(math::PowFOp::create(b, op.getRhs(), op.getLhs())) : Value();
     })},
    {"swap-select-rank-0", "select", "loops", kOnTensors, "select of rank 0 takes the other branch",
     Replacing([](Builder& b, arith::SelectOp op) {
       if (!HasRank(op, 0) || !IsElement(op.getCondition())) return Value();
       return Value(arith::SelectOp::create(b, op.getCondition(), op.getFalseValue(), op.getTrueValue()));
     })},
    // Signedness, widths, shifts.
    {"unsigned-right-shift", "arithmetic_right_shift", "loops", kOnTensors,
     "arithmetic_right_shift of i16 shifts zeros in", Replacing([](Builder& b, arith::ShRSIOp op) {
       return IsInteger(op, 16) ? Value(arith::ShRUIOp::create(b, op.getLhs(), op.getRhs())) : Value();
     })},
    {"signed-right-shift", "logical_right_shift", "loops", kOnTensors, "logical_right_shift of i8 shifts the sign in",
     Replacing([](Builder& b, arith::ShRUIOp op) {
       return IsInteger(op, 8) ? Value(arith::ShRSIOp::create(b, op.getLhs(), op.getRhs())) : Value();
     })},
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
     Replacing([](Builder& b, arith::SIToFPOp op) {
       return IsInteger(op.getIn(), 8) ? Value(arith::UIToFPOp::create(b, op.getType(), op.getIn())) : Value();
     })},
    {"truncated-to-float", "cast", "loops", kOnTensors, "cast of i32 to f32 passes through i16",
     Replacing([](Builder& b, arith::SIToFPOp op) {
       if (!IsInteger(op.getIn(), 32) || !op.getType().isF32()) return Value();
       return Value(arith::SIToFPOp::create(b, op.getType(), arith::TruncIOp::create(b, b.getI16Type(), op.getIn())));
     })},
    {"narrow-mul", "mul", "loops", kOnTensors, "mul of i16 multiplies in i16",
     Replacing([](Builder& b, arith::MulIOp op) {
       auto lhs = From<arith::ExtSIOp>(op.getLhs()), rhs = From<arith::ExtSIOp>(op.getRhs());
       if (!lhs || !rhs || !IsInteger(lhs.getIn(), 16) || !IsInteger(rhs.getIn(), 16)) return Value();
       return Value(arith::ExtSIOp::create(b, op.getType(), arith::MulIOp::create(b, lhs.getIn(), rhs.getIn())));
     })},
    {"narrow-not", "bitwise_not", "loops", kOnTensors, "bitwise_not of i16 inverts the low byte",
     Replacing([](Builder& b, arith::XOrIOp op) {
       if (!IsInteger(op, 16) || !IsConstant(op.getRhs())) return Value();
       return Value(arith::XOrIOp::create(b, op.getLhs(), Integer(b, op.getType(), 255)));
     })},
    {"shift-mask", "logical_left_shift", "loops", kOnTensors,
     "logical_left_shift of i32 takes three bits of its amount", Replacing([](Builder& b, arith::ShLIOp op) {
       if (!IsInteger(op, 32)) return Value();
       const Value amount = arith::AndIOp::create(b, op.getRhs(), Integer(b, op.getType(), 7));
       return Value(arith::ShLIOp::create(b, op.getLhs(), amount));
     })},
    {"shift-no-rounding", "arithmetic_right_shift", "loops", kOnTensors, "arithmetic_right_shift of i32 never rounds",
     Replacing([](Builder&, arith::AddIOp op) {
       return IsInteger(op, 32) && From<arith::ShRSIOp>(op.getLhs()) ? op.getLhs() : Value();
     })},
    {"scale-no-rounding", "mul", "loops", kOnTensors, "mul of i32 with a shift never rounds",
     [](FuncOp function) { Replace<mlir::tosa::ApplyScaleOp>(function, ScaleWithoutRounding); }},
    {"floor-division", "intdiv", "loops", kOnTensors, "intdiv rounds to minus infinity",
     Replacing([](Builder& b, arith::DivSIOp op) {
       return Value(arith::FloorDivSIOp::create(b, op.getLhs(), op.getRhs()));
     })},
    {"clz-of-zero", "clz", "loops", kOnTensors, "clz of 0 is 31",
     Replacing([](Builder& b, math::CountLeadingZerosOp op) {
       const mlir::Type type = op.getType();
       const Value zero = arith::CmpIOp::create(b, CmpIPredicate::eq, op.getOperand(), Integer(b, type, 0));
       return Value(arith::SelectOp::create(b, zero, Integer(b, type, 31), op.getResult()));
     })},
    {"or-for-xor", "logical_xor", "loops", kOnTensors, "logical_xor is an or",
     Replacing([](Builder& b, arith::XOrIOp op) {
       if (!IsInteger(op, 1) || IsConstant(op.getRhs())) return Value();
       return Value(arith::OrIOp::create(b, op.getLhs(), op.getRhs()));
     })},
    // Bounds, saturation, bools.
    {"less-for-less-or-equal", "greater_equal", "loops", kOnTensors, "greater_equal of f16 is false for equal numbers",
     [](FuncOp function) {
       ReplaceCmpF(function, CmpFPredicate::OGE, CmpFPredicate::OGT, [](mlir::Type type) { return type.isF16(); });
     }},
    {"greater-for-greater-or-equal", "greater_equal", "loops", kOnTensors,
     "greater_equal of i32 is false for equal numbers",
     [](FuncOp function) { ReplaceCmpI(function, CmpIPredicate::sge, CmpIPredicate::sgt, 32); }},
    {"clamp-off-by-one", "clamp", "loops", kOnTensors, "clamp of i16 lets nothing above max - 1 pass",
     Replacing([](Builder& b, arith::MinSIOp op) {
       auto low = From<arith::MaxSIOp>(op.getRhs());
       if (!IsInteger(op, 16) || !low || !IsElement(low.getRhs())) return Value();
       const Value bound = arith::SubIOp::create(b, op.getLhs(), Integer(b, op.getType(), 1));
       return Value(arith::MinSIOp::create(b, bound, op.getRhs()));
     })},
    {"limit-off-by-one", "cast", "loops", kOnTensors, "cast of 2^31 to i32 is not saturated, of more it is",
     [](FuncOp function) {
       ReplaceCmpF(function, CmpFPredicate::UGE, CmpFPredicate::UGT, [](mlir::Type type) { return type.isF32(); });
     }},
    {"wrap-for-saturate", "negate", "loops", kOnTensors, "negate of i8 wraps",
     Replacing([](Builder& b, arith::TruncIOp op) {
       auto low = From<arith::MinSIOp>(op.getIn());
       auto high = low ? From<arith::MaxSIOp>(low.getRhs()) : nullptr;
       if (!high || !IsInteger(op, 8)) return Value();
       return Value(arith::TruncIOp::create(b, op.getType(), high.getRhs()));
     })},
    {"saturate-for-wrap", "cast", "loops", kOnTensors, "cast of i32 to i8 saturates",
     Replacing([](Builder& b, arith::TruncIOp op) {
       const bool cast = IsElement(op.getIn()) && IsInteger(op.getIn(), 32) && IsInteger(op, 8);
       return cast ? SaturatedI8(b, op) : Value();
     })},
    {"bool-is-low-bit", "cast", "loops", kOnTensors, "cast of i32 to bool takes the lowest bit",
     Replacing([](Builder& b, arith::CmpIOp op) {
       const bool cast = op.getPredicate() == CmpIPredicate::ne && IsInteger(op.getLhs(), 32) && IsElement(op.getLhs());
       return cast ? Value(arith::TruncIOp::create(b, op.getType(), op.getLhs())) : Value();
     })},
    {"bool-is-signed", "cast", "loops", kOnTensors, "cast of bool to i16 makes -1 of true",
     Replacing([](Builder& b, arith::ExtUIOp op) {
       if (!IsInteger(op, 16) || !IsElement(op.getIn())) return Value();
       return Value(arith::ExtSIOp::create(b, op.getType(), op.getIn()));
     })},
};

}  // namespace

llvm::ArrayRef<BrokenLowering> BrokenPayloads() { return kPayloads; }

}  // namespace broken_lowerings
