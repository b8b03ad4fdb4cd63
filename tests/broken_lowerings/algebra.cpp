// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken rules of algebra, on TOSA: identities of truth values, of real numbers or of wider integers that are none on
// tensors' elements, and ops that are merged though they differ.
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "tests/broken_lowerings/broken_lowering.h"
#include "tests/broken_lowerings/rewriting.h"

namespace broken_lowerings {
namespace {

namespace tosa = mlir::tosa;
using mlir::func::FuncOp;

bool IsZero(Value value) {
  return mlir::matchPattern(value, mlir::m_Zero()) || mlir::matchPattern(value, mlir::m_AnyZeroFloat());
}

// Whether an op's operands all have its own type: then so has whatever is made of them alone.
bool KeepsType(mlir::Operation* op) {
  return llvm::all_of(op->getOperandTypes(), [&](mlir::Type type) { return type == op->getResult(0).getType(); });
}

template <typename Op>
Value Unary(Builder& b, Value x) {
  return Op::create(b, x.getType(), x);
}

Value Negate(Builder& b, Value x) {
  const auto type = mlir::RankedTensorType::get({1}, mlir::getElementTypeOrSelf(x));
  const auto zero = [&] {
    return tosa::ConstOp::create(b, type, mlir::DenseElementsAttr::get(type, b.getZeroAttr(type.getElementType())));
  };
  const Value in = zero(), out = zero();
  return tosa::NegateOp::create(b, x.getType(), x, in, out);
}

// not(inner(x, y)) as inner(not x, not y).
template <typename Not, typename Inner>
void KeepOpUnderNot(FuncOp function) {
  Replace<Not>(function, [](Builder& b, Not op) {
    auto inner = From<Inner>(op.getInput1());
    if (!inner || !KeepsType(inner)) return Value();
    const Value x = Unary<Not>(b, inner.getInput1()), y = Unary<Not>(b, inner.getInput2());
    return Value(Inner::create(b, op.getType(), x, y));
  });
}

// outer(x, inner(x, y)) as y.
template <typename Outer, typename Inner>
void AbsorbWrongOne(FuncOp function) {
  Replace<Outer>(function, [](Builder&, Outer op) {
    for (const unsigned k : {0u, 1u}) {
      auto inner = From<Inner>(op->getOperand(k));
      if (!inner || inner->getOperand(0) != op->getOperand(1 - k)) continue;
      if (inner->getOperand(1).getType() == op.getType()) return Value(inner->getOperand(1));
    }
    return Value();
  });
}

// outer(inner(x, y)) as what `join` makes of outer(x) and outer(y).
template <typename Outer, typename Inner>
void Distribute(FuncOp function, llvm::function_ref<Value(Builder&, Value, Value)> join) {
  Replace<Outer>(function, [&](Builder& b, Outer op) {
    auto inner = From<Inner>(op.getInput1());
    if (!inner || inner.getInput1().getType() != op.getType() || inner.getInput2().getType() != op.getType())
      return Value();
    return join(b, Unary<Outer>(b, inner.getInput1()), Unary<Outer>(b, inner.getInput2()));
  });
}

// An op behind another of its kind with the same operands, in whatever order if `commuted`, is that one. Attributes do
// not count.
template <typename Op>
void Merge(FuncOp function, bool commuted) {
  llvm::DenseMap<std::pair<Value, Value>, Value> seen;
  for (Op op : All<Op>(function)) {
    Value x = op->getOperand(0), y = op->getNumOperands() > 1 ? op->getOperand(1) : x;
    if (commuted && y.getAsOpaquePointer() < x.getAsOpaquePointer()) std::swap(x, y);
    const auto [first, is_new] = seen.try_emplace({x, y}, op->getResult(0));
    if (!is_new && first->second.getType() == op.getType()) op->getResult(0).replaceAllUsesWith(first->second);
  }
}

// A difference of constants folded as if the second one's elements simply repeated: right of leading dimensions
// alone.
Value FoldedFlat(Builder& b, tosa::SubOp op) {
  const mlir::DenseElementsAttr x = ConstantOf(op.getInput1()), y = ConstantOf(op.getInput2());
  if (!x || !y || !HasElements(op, 32) || !x.getElementType().isInteger(32) || x.getType() != op.getType())
    return Value();
  llvm::SmallVector<llvm::APInt> result, subtrahends(y.getValues<llvm::APInt>());
  for (const llvm::APInt& minuend : x.getValues<llvm::APInt>()) {
    result.push_back(minuend - subtrahends[result.size() % subtrahends.size()]);
  }
  return tosa::ConstOp::create(b, op.getType(), mlir::DenseElementsAttr::get(x.getType(), result));
}

// (x >> c) >> d as one shift by c + d, modulo the width.
Value ShiftBySum(Builder& b, tosa::ArithmeticRightShiftOp op) {
  auto inner = From<tosa::ArithmeticRightShiftOp>(op.getInput1());
  if (!inner || op.getRound() || inner.getRound() || inner.getType() != op.getType()) return Value();
  const mlir::DenseElementsAttr first = ConstantOf(inner.getInput2()), second = ConstantOf(op.getInput2());
  if (!first || !second || !first.isSplat() || !second.isSplat()) return Value();
  const uint64_t sum =
      first.getSplatValue<llvm::APInt>().getZExtValue() + second.getSplatValue<llvm::APInt>().getZExtValue();
  const unsigned width = first.getElementType().getIntOrFloatBitWidth();
  const auto amount = mlir::DenseElementsAttr::get(first.getType(), llvm::APInt(width, sum % width));
  const Value shift = tosa::ConstOp::create(b, first.getType(), amount);
  return tosa::ArithmeticRightShiftOp::create(b, op.getType(), inner.getInput1(), shift, false);
}

constexpr BrokenLowering kAlgebra[] = {
    // Bits and truth values.
    {"not-of-and", "bitwise_not,bitwise_and", "loops", kOnTosa, "~(x & y) is ~x & ~y",
     [](FuncOp function) { KeepOpUnderNot<tosa::BitwiseNotOp, tosa::BitwiseAndOp>(function); }},
    {"not-of-or", "logical_not,logical_or", "loops", kOnTosa, "!(x | y) is !x | !y",
     [](FuncOp function) { KeepOpUnderNot<tosa::LogicalNotOp, tosa::LogicalOrOp>(function); }},
    {"absorb-and-of-or", "bitwise_and,bitwise_or", "loops", kOnTosa, "x & (x | y) is y",
     [](FuncOp function) { AbsorbWrongOne<tosa::BitwiseAndOp, tosa::BitwiseOrOp>(function); }},
    {"absorb-xor-of-or", "bitwise_xor,bitwise_or", "loops", kOnTosa, "x ^ (x | y) is y",
     [](FuncOp function) { AbsorbWrongOne<tosa::BitwiseXorOp, tosa::BitwiseOrOp>(function); }},
    {"absorb-minimum-of-maximum", "minimum,maximum", "loops", kOnTosa,
     "minimum(x, maximum(x, y)) of floats is x, though y is a NaN", Replacing([](Builder&, tosa::MinimumOp op) {
       auto inner = From<tosa::MaximumOp>(op.getInput2());
       const Value x = op.getInput1();
       const bool absorbs = inner && inner.getInput1() == x && x.getType() == op.getType();
       return absorbs && mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(x)) ? x : Value();
     })},
    // Choices.
    {"select-of-select", "select", "loops", kOnTosa, "select(c, x, select(c, y, z)) is select(c, x, y)",
     [](FuncOp function) {
       for (tosa::SelectOp op : All<tosa::SelectOp>(function)) {
         auto inner = From<tosa::SelectOp>(op.getInput3());
         const bool same = inner && inner.getInput1() == op.getInput1();
         if (same && inner.getInput2().getType() == inner.getType()) op.getInput3Mutable().set(inner.getInput2());
       }
     }},
    {"select-as-magnitude", "select,greater,negate", "loops", kOnTosa, "select(x > 0, x, -x) is x",
     Replacing([](Builder&, tosa::SelectOp op) {
       auto negated = From<tosa::NegateOp>(op.getInput3());
       const bool is_own = negated && negated.getInput1() == op.getInput2() && From<tosa::GreaterOp>(op.getInput1());
       return is_own && op.getInput2().getType() == op.getType() ? op.getInput2() : Value();
     })},
    // Real numbers.
    {"root-of-square", "rsqrt,mul", "loops", kOnTosa, "rsqrt(x * x) is reciprocal(x)",
     Replacing([](Builder& b, tosa::RsqrtOp op) {
       auto square = From<tosa::MulOp>(op.getInput1());
       const bool is_square = square && square.getInput1() == square.getInput2();
       return is_square && square.getInput1().getType() == op.getType()
                  ? Unary<tosa::ReciprocalOp>(b, square.getInput1())
                  : Value();
     })},
    {"log-of-product", "log,mul", "loops", kOnTosa, "log(x * y) is log(x) + log(y)",
     [](FuncOp function) {
       Distribute<tosa::LogOp, tosa::MulOp>(
           function, [](Builder& b, Value x, Value y) { return Value(tosa::AddOp::create(b, x.getType(), x, y)); });
     }},
    {"product-with-reciprocal", "mul,reciprocal", "loops", kOnTosa, "x * reciprocal(x) is 1",
     Replacing([](Builder& b, tosa::MulOp op) {
       auto inverse = From<tosa::ReciprocalOp>(op.getInput2());
       const auto type = mlir::cast<mlir::ShapedType>(op.getType());
       if (!inverse || inverse.getInput1() != op.getInput1() || !type.hasStaticShape()) return Value();
       return Value(tosa::ConstOp::create(
           b, type, mlir::DenseElementsAttr::get(type, mlir::Attribute(b.getFloatAttr(type.getElementType(), 1)))));
     })},
    {"tanh-of-negate", "tanh,negate", "loops", kOnTosa, "tanh(-x) is tanh(x)",
     Replacing([](Builder& b, tosa::TanhOp op) {
       auto negated = From<tosa::NegateOp>(op.getInput());
       return negated && negated.getInput1().getType() == op.getType() ? Unary<tosa::TanhOp>(b, negated.getInput1())
                                                                       : Value();
     })},
    {"ceil-of-negate", "ceil,negate", "loops", kOnTosa, "ceil(-x) is -ceil(x)",
     Replacing([](Builder& b, tosa::CeilOp op) {
       auto negated = From<tosa::NegateOp>(op.getInput1());
       const bool fits = negated && negated.getInput1().getType() == op.getType();
       return fits ? Negate(b, Unary<tosa::CeilOp>(b, negated.getInput1())) : Value();
     })},
    {"maximum-of-negates", "maximum,negate", "loops", kOnTosa, "maximum(-x, -y) is -maximum(x, y)",
     Replacing([](Builder& b, tosa::MaximumOp op) {
       auto x = From<tosa::NegateOp>(op.getInput1()), y = From<tosa::NegateOp>(op.getInput2());
       if (!x || !y) return Value();
       const Value greatest =
           tosa::MaximumOp::create(b, op.getType(), x.getInput1(), y.getInput1(), op.getNanModeAttr());
       return Negate(b, greatest);
     })},
    // Comparisons.
    {"greater-of-negates", "greater,negate", "loops", kOnTosa, "-x > -y is x > y",
     Replacing([](Builder& b, tosa::GreaterOp op) {
       auto x = From<tosa::NegateOp>(op.getInput1()), y = From<tosa::NegateOp>(op.getInput2());
       if (!x || !y) return Value();
       return Value(tosa::GreaterOp::create(b, op.getType(), x.getInput1(), y.getInput1()));
     })},
    {"difference-above-zero", "greater,sub", "loops", kOnTosa, "x - y > 0 is y > x",
     Replacing([](Builder& b, tosa::GreaterOp op) {
       auto difference = From<tosa::SubOp>(op.getInput1());
       if (!difference || !IsZero(op.getInput2())) return Value();
       // Not where the 0 has more elements than the difference.
       const auto from = mlir::dyn_cast<mlir::RankedTensorType>(difference.getType());
       const auto to = mlir::dyn_cast<mlir::RankedTensorType>(op.getType());
       if (!from || !to || from.getShape() != to.getShape()) return Value();
       return Value(tosa::GreaterOp::create(b, op.getType(), difference.getInput2(), difference.getInput1()));
     })},
    // Integers, constants.
    {"shift-by-sum", "arithmetic_right_shift", "loops", kOnTosa, "(x >> c) >> d is x >> (c + d) modulo the width",
     [](FuncOp function) { Replace<tosa::ArithmeticRightShiftOp>(function, ShiftBySum); }},
    {"fold-flat", "sub", "loops", kOnTosa, "a constant that broadcasts is folded as if its elements repeated",
     [](FuncOp function) { Replace<tosa::SubOp>(function, FoldedFlat); }},
    // Ops that are merged.
    {"merge-exchanged", "sub", "loops", kOnTosa, "x - y and y - x are one",
     [](FuncOp function) { Merge<tosa::SubOp>(function, true); }},
    {"merge-clamps", "clamp", "loops", kOnTosa, "two clamps of one value are one, whatever their bounds are",
     [](FuncOp function) { Merge<tosa::ClampOp>(function, false); }},
    {"merge-rounding", "arithmetic_right_shift", "loops", kOnTosa, "two shifts are one, though one rounds",
     [](FuncOp function) { Merge<tosa::ArithmeticRightShiftOp>(function, false); }},
};

}  // namespace

llvm::ArrayRef<BrokenLowering> BrokenAlgebra() { return kAlgebra; }

}  // namespace broken_lowerings
