// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken payloads that are wrong for few values only: zeros, NaN, infinities, subnormals, the ends of a type.
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tests/broken_lowerings/broken_lowering.h"
#include "tests/broken_lowerings/rewriting.h"

namespace broken_lowerings {
namespace {

namespace arith = mlir::arith;
namespace math = mlir::math;
using arith::CmpFPredicate;
using arith::CmpIPredicate;
using mlir::func::FuncOp;

// `then` where the comparison of x with a number holds, else `otherwise`.
Value Where(Builder& b, CmpFPredicate predicate, Value x, double number, Value then, Value otherwise) {
  const Value holds = arith::CmpFOp::create(b, predicate, x, Float(b, x.getType(), number));
  return arith::SelectOp::create(b, holds, then, otherwise);
}

// The result of a unary op on floats of a type becomes `number` where the comparison of its operand holds.
template <typename Op>
void SetWhere(FuncOp function, llvm::function_ref<bool(mlir::Type)> type, CmpFPredicate predicate, double limit,
              double number) {
  Replace<Op>(function, [&](Builder& b, Op op) {
    if (!type(op.getType())) return Value();
    return Where(b, predicate, op->getOperand(0), limit, Float(b, op.getType(), number), op.getResult());
  });
}

template <typename Op>
void SetWhereF32(FuncOp function, CmpFPredicate predicate, double limit, double number) {
  SetWhere<Op>(function, [](mlir::Type type) { return type.isF32(); }, predicate, limit, number);
}

// The result becomes 0 for operands beyond a limit, up to another: an infinity and what overflows a double have one
// result.
template <typename Op>
void LoseBeyond(FuncOp function, llvm::function_ref<bool(mlir::Type)> type, double limit, double last) {
  Replace<Op>(function, [&](Builder& b, Op op) {
    if (!type(op.getType())) return Value();
    const Value x = op->getOperand(0), zero = Float(b, op.getType(), 0);
    const Value lost = Where(b, CmpFPredicate::OGT, x, limit, zero, op.getResult());
    return Where(b, CmpFPredicate::OGT, x, last, op.getResult(), lost);
  });
}

// A unary op on floats of a type gets another operand.
template <typename Op>
void OnOther(FuncOp function, llvm::function_ref<bool(mlir::Type)> type, llvm::function_ref<Value(Builder&, Value)> x) {
  for (Op op : All<Op>(function)) {
    if (!type(op.getType())) continue;
    Builder b(op.getLoc(), op);
    op->setOperand(0, x(b, op->getOperand(0)));
  }
}

bool IsF32(mlir::Type type) { return type.isF32(); }
bool IsF16(mlir::Type type) { return type.isF16(); }
bool IsBf16(mlir::Type type) { return type.isBF16(); }

bool AreElements(mlir::Operation* op) { return IsElement(op->getOperand(0)) && IsElement(op->getOperand(1)); }

// The least normal f32.
constexpr double kLeastNormal = 0x1p-126;

Value FlushNegative(Builder& b, arith::MulFOp op) {
  if (!op.getType().isF32()) return Value();
  const Value x = op.getResult();
  const Value negative = arith::CmpFOp::create(b, CmpFPredicate::OLT, x, Float(b, x.getType(), 0));
  const Value small = arith::CmpFOp::create(b, CmpFPredicate::OGT, x, Float(b, x.getType(), -kLeastNormal));
  const Value subnormal = arith::AndIOp::create(b, negative, small);
  return arith::SelectOp::create(b, subnormal, Float(b, x.getType(), -0.0), x);
}

template <typename From, typename To>
void ReplaceOfElements(FuncOp function, unsigned width) {
  Replace<From>(function, [&](Builder& b, From op) {
    if (!op.getType().isInteger(width) || !AreElements(op)) return Value();
    return Value(To::create(b, op.getLhs(), op.getRhs()));
  });
}

constexpr BrokenLowering kSpecialValues[] = {
    // Rows of the tables of special values.
    {"cos-of-zero", "cos", "loops", kOnTensors, "cos of 0 in f32 is the number below 1",
     [](FuncOp function) { SetWhereF32<math::CosOp>(function, CmpFPredicate::OEQ, 0, 1 - 0x1p-24); }},
    {"sin-of-infinity", "sin", "loops", kOnTensors, "sin of an infinity in f32 is 0",
     [](FuncOp function) {
       OnOther<math::SinOp>(function, IsF32, [](Builder& b, Value x) {
         const Value size = math::AbsFOp::create(b, x);
         return Where(b, CmpFPredicate::OEQ, size, INFINITY, Float(b, x.getType(), 0), x);
       });
     }},
    {"exp-of-much", "exp", "loops", kOnTensors, "exp of numbers above 10^8 in f32 is NaN",
     [](FuncOp function) { SetWhereF32<math::ExpOp>(function, CmpFPredicate::OGT, 1e8, NAN); }},
    {"exp-of-minus-infinity", "exp", "loops", kOnTensors, "exp of -infinity in f16 is NaN",
     [](FuncOp function) { SetWhere<math::ExpOp>(function, IsF16, CmpFPredicate::OEQ, -INFINITY, NAN); }},
    {"log-of-negative", "log", "loops", kOnTensors, "log of a negative f32 is that of its absolute value",
     [](FuncOp function) {
       OnOther<math::LogOp>(function, IsF32, [](Builder& b, Value x) { return Value(math::AbsFOp::create(b, x)); });
     }},
    {"log-of-zero", "log", "loops", kOnTensors, "log of 0 in bf16 is the least finite number",
     [](FuncOp function) { SetWhere<math::LogOp>(function, IsBf16, CmpFPredicate::OEQ, 0, -0x1.fep127); }},
    {"rsqrt-of-minus-zero", "rsqrt", "loops", kOnTensors, "rsqrt of 0 in f32 is the greatest finite number",
     [](FuncOp function) { SetWhereF32<math::RsqrtOp>(function, CmpFPredicate::OEQ, 0, 0x1.fffffep127); }},
    {"rsqrt-of-infinity", "rsqrt", "loops", kOnTensors, "rsqrt of infinity in f16 is NaN",
     [](FuncOp function) { SetWhere<math::RsqrtOp>(function, IsF16, CmpFPredicate::OEQ, INFINITY, NAN); }},
    {"erf-of-negative", "erf", "loops", kOnTensors, "erf of a negative bf16 has lost its sign",
     [](FuncOp function) {
       OnOther<math::ErfOp>(function, IsBf16, [](Builder& b, Value x) { return Value(math::AbsFOp::create(b, x)); });
     }},
    {"tanh-of-infinity", "tanh", "loops", kOnTensors, "tanh of infinity in f16 is NaN",
     [](FuncOp function) { SetWhere<math::TanhOp>(function, IsF16, CmpFPredicate::OEQ, INFINITY, NAN); }},
    {"pow-of-zero", "pow", "loops", kOnTensors, "pow with the exponent 0 in f32 is 0",
     Replacing([](Builder& b, math::PowFOp op) {
       if (!op.getType().isF32()) return Value();
       return Where(b, CmpFPredicate::OEQ, op.getRhs(), 0, op.getRhs(), op.getResult());
     })},
    {"ceil-through-integer", "ceil", "loops", kOnTensors, "ceil of a f32 beyond 2^31 is 2^31 - 1",
     [](FuncOp function) { SetWhereF32<math::CeilOp>(function, CmpFPredicate::OGE, 0x1p31, 0x1p31); }},
    // Subnormals and accuracy.
    {"flush-negative-products", "mul", "loops", kOnTensors, "mul of f32 flushes negative subnormal results only",
     [](FuncOp function) { Replace<arith::MulFOp>(function, FlushNegative); }},
    {"reciprocal-three-ulp", "reciprocal", "loops", kOnTensors, "reciprocal of f32 is three ulp too great",
     Replacing([](Builder& b, arith::DivFOp op) {
       if (!op.getType().isF32() || !IsConstant(op.getLhs()) || !IsElement(op.getRhs())) return Value();
       return Value(arith::MulFOp::create(b, op.getResult(), Float(b, op.getType(), 1 + 3 * 0x1p-23)));
     })},
    {"log-in-half", "log", "loops", kOnTensors, "log of f32 is computed in f16",
     Replacing([](Builder& b, math::LogOp op) {
       if (!op.getType().isF32()) return Value();
       const Value half = arith::TruncFOp::create(b, b.getF16Type(), op.getOperand());
       return Value(arith::ExtFOp::create(b, op.getType(), math::LogOp::create(b, half).getResult()));
     })},
    {"add-one-ulp", "add", "loops", kOnTensors, "add of f32 is an ulp too great beyond 1024",
     Replacing([](Builder& b, arith::AddFOp op) {
       if (!op.getType().isF32() || !AreElements(op)) return Value();
       const Value more = arith::MulFOp::create(b, op.getResult(), Float(b, op.getType(), 1 + 0x1p-23));
       return Where(b, CmpFPredicate::OGT, op.getResult(), 1024, more, op.getResult());
     })},
    {"greater-equal-of-nan", "greater_equal", "loops", kOnTensors, "greater_equal of f32 is true for a NaN",
     [](FuncOp function) {
       for (arith::CmpFOp op : All<arith::CmpFOp>(function)) {
         const bool is_it = op.getPredicate() == CmpFPredicate::OGE && op.getLhs().getType().isF32() && AreElements(op);
         if (is_it) op.setPredicate(CmpFPredicate::UGE);
       }
     }},
    // Within the letter of the specification.
    {"mul-without-minus-zero", "mul", "loops", kOnTensors, "mul of f32 makes 0 of -0",
     Replacing([](Builder& b, arith::MulFOp op) {
       if (!op.getType().isF32() || !AreElements(op)) return Value();
       return Value(arith::AddFOp::create(b, op.getResult(), Float(b, op.getType(), 0)));
     }),
     true},
    {"tanh-lost-saturation", "tanh", "loops", kOnTensors, "tanh of a finite bf16 beyond 20 is 0",
     [](FuncOp function) { LoseBeyond<math::TanhOp>(function, IsBf16, 20, 3e38); }, true},
    {"exp-lost-overflow", "exp", "loops", kOnTensors, "exp of an f16 from 600 to 709 is 0",
     [](FuncOp function) { LoseBeyond<math::ExpOp>(function, IsF16, 600, 709); }, true},
    // Integers.
    {"abs-by-inverting", "abs", "loops", kOnTensors, "abs of a negative i32 is one too small",
     Replacing([](Builder& b, arith::SubIOp op) {
       if (!op.getType().isInteger(32) || !IsConstant(op.getLhs()) || !IsElement(op.getRhs())) return Value();
       return Value(arith::XOrIOp::create(b, op.getRhs(), Integer(b, op.getType(), -1)));
     })},
    {"unsigned-minimum", "minimum", "loops", kOnTensors, "minimum of i32 compares without sign",
     [](FuncOp function) { ReplaceOfElements<arith::MinSIOp, arith::MinUIOp>(function, 32); }},
    {"unsigned-division", "intdiv", "loops", kOnTensors, "intdiv divides without sign",
     [](FuncOp function) { ReplaceOfElements<arith::DivSIOp, arith::DivUIOp>(function, 32); }},
    {"clamp-without-low", "clamp", "loops", kOnTensors, "clamp of i8 forgets its lower bound",
     Replacing([](Builder&, arith::MaxSIOp op) {
       return op.getType().isInteger(8) && IsConstant(op.getLhs()) ? op.getRhs() : Value();
     })},
    {"or-for-and", "logical_and", "loops", kOnTensors, "logical_and is an or",
     [](FuncOp function) { ReplaceOfElements<arith::AndIOp, arith::OrIOp>(function, 1); }},
    {"xor-for-or", "bitwise_or", "loops", kOnTensors, "bitwise_or of i32 is an exclusive or",
     [](FuncOp function) { ReplaceOfElements<arith::OrIOp, arith::XOrIOp>(function, 32); }},
    {"not-of-rank-2", "logical_not", "loops", kOnTensors, "logical_not of rank 2 does nothing",
     Replacing([](Builder&, arith::XOrIOp op) {
       return op.getType().isInteger(1) && IsConstant(op.getRhs()) && HasRank(op, 2) ? op.getLhs() : Value();
     })},
    {"left-shift-of-all", "logical_left_shift", "loops", kOnTensors, "logical_left_shift of i8 by 7 shifts by 6",
     Replacing([](Builder& b, arith::ShLIOp op) {
       if (!op.getType().isInteger(8)) return Value();
       const Value most = arith::MinUIOp::create(b, op.getRhs(), Integer(b, op.getType(), 6));
       return Value(arith::ShLIOp::create(b, op.getLhs(), most));
     })},
    {"zero-point-forgotten", "negate", "loops", kOnTensors, "negate of i8 takes its zero points for 0",
     Replacing([](Builder& b, arith::SubIOp op) {
       auto extended = From<arith::ExtSIOp>(op.getRhs());
       if (!extended || !extended.getIn().getType().isInteger(8) || !IsConstant(op.getLhs())) return Value();
       return Value(arith::SubIOp::create(b, Integer(b, op.getType(), 0), op.getRhs()));
     })},
    {"narrow-sum", "add", "loops", kOnTensors, "add of i64 adds in 32 bits",
     Replacing([](Builder& b, arith::AddIOp op) {
       if (!op.getType().isInteger(64) || !AreElements(op)) return Value();
       const auto narrow = [&](Value x) { return arith::TruncIOp::create(b, b.getI32Type(), x); };
       const Value sum = arith::AddIOp::create(b, narrow(op.getLhs()), narrow(op.getRhs()));
       return Value(arith::ExtSIOp::create(b, op.getType(), sum));
     })},
    {"difference-of-rank-7", "sub", "loops", kOnTensors, "sub of rank 7 adds",
     [](FuncOp function) {
       Replace<arith::SubFOp>(function, [](Builder& b, arith::SubFOp op) {
         return HasRank(op, 7) ? Value(arith::AddFOp::create(b, op.getLhs(), op.getRhs())) : Value();
       });
       Replace<arith::SubIOp>(function, [](Builder& b, arith::SubIOp op) {
         const bool is_it = HasRank(op, 7) && AreElements(op);
         return is_it ? Value(arith::AddIOp::create(b, op.getLhs(), op.getRhs())) : Value();
       });
     }},
};

}  // namespace

llvm::ArrayRef<BrokenLowering> BrokenSpecialValues() { return kSpecialValues; }

}  // namespace broken_lowerings
