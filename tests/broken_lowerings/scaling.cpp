// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken lowerings of rescale and table: the payload of their linalg.generic, right after tosa-to-linalg.
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "tests/broken_lowerings/broken_lowering.h"
#include "tests/broken_lowerings/rewriting.h"

namespace broken_lowerings {
namespace {

namespace arith = mlir::arith;
namespace tosa = mlir::tosa;
using mlir::func::FuncOp;

// Of rescale, and none of mul, whose factor is an element.
bool IsRescaling(tosa::ApplyScaleOp op) { return op && !IsElement(op.getValue()); }

// Calls change(op, scale) for the op that takes the input's zero point off.
void OnDifference(FuncOp function, llvm::function_ref<Value(Builder&, arith::SubIOp)> with) {
  for (tosa::ApplyScaleOp scale : All<tosa::ApplyScaleOp>(function)) {
    auto difference = From<arith::SubIOp>(scale.getValue());
    if (!difference) continue;
    Builder b(scale.getLoc(), scale);
    if (const Value value = with(b, difference)) scale.getValueMutable().set(value);
  }
}

void SetRounding(FuncOp function, tosa::RoundingMode from, tosa::RoundingMode to) {
  for (tosa::ApplyScaleOp op : All<tosa::ApplyScaleOp>(function)) {
    if (IsRescaling(op) && op.getRoundingMode() == from) op.setRoundingMode(to);
  }
}

// The channels' parameters are read by the first loop where it has as many steps as the last.
void ReadAlongTheFirstLoop(FuncOp function) {
  for (mlir::linalg::GenericOp generic : All<mlir::linalg::GenericOp>(function)) {
    llvm::SmallVector<mlir::AffineMap> maps = generic.getIndexingMapsArray();
    const auto type = mlir::dyn_cast<mlir::RankedTensorType>(generic->getResult(0).getType());
    const unsigned loops = generic.getNumLoops();
    if (!type || loops < 2 || type.getDimSize(0) != type.getDimSize(loops - 1)) continue;
    bool changed = false;
    for (mlir::AffineMap& map : maps) {
      if (map.getNumResults() != 1 || map.getResult(0) != mlir::getAffineDimExpr(loops - 1, map.getContext())) continue;
      map = mlir::AffineMap::get(loops, 0, mlir::getAffineDimExpr(0, map.getContext()));
      changed = true;
    }
    if (changed) generic.setIndexingMapsAttr(mlir::Builder(generic.getContext()).getAffineMapArrayAttr(maps));
  }
}

constexpr BrokenLowering kScaling[] = {
    {"rescale-no-rounding", "rescale", "loops", kOnTensors, "rescale cuts off what it shifts out",
     Replacing([](Builder& b, tosa::ApplyScaleOp op) {
       if (!IsRescaling(op) || !op.getValue().getType().isInteger(32)) return Value();
       const auto wide = [&](Value value) { return arith::ExtSIOp::create(b, b.getI64Type(), value); };
       const Value product = arith::MulIOp::create(b, wide(op.getValue()), wide(op.getMultiplier()));
       return Value(arith::TruncIOp::create(b, op.getType(), arith::ShRSIOp::create(b, product, wide(op.getShift()))));
     })},
    {"rescale-product-of-32-bits", "rescale", "loops", kOnTensors, "rescale keeps 32 bits of its product",
     Replacing([](Builder& b, tosa::ApplyScaleOp op) {
       if (!IsRescaling(op) || !op.getMultiplier().getType().isInteger(32)) return Value();
       if (!op.getValue().getType().isInteger(32)) return Value();
       const auto wide = [&](Value value) { return arith::ExtSIOp::create(b, b.getI64Type(), value); };
       const Value product = wide(arith::MulIOp::create(b, op.getValue(), op.getMultiplier()));
       const Value shift = wide(op.getShift());
       const Value half = arith::ShRSIOp::create(b, arith::ShLIOp::create(b, Integer(b, b.getI64Type(), 1), shift),
                                                 Integer(b, b.getI64Type(), 1));
       const Value sum = arith::AddIOp::create(b, product, half);
       return Value(arith::TruncIOp::create(b, op.getType(), arith::ShRSIOp::create(b, sum, shift)));
     })},
    {"rescale-single-rounds-twice", "rescale", "loops", kOnTensors, "SINGLE_ROUND rounds as DOUBLE_ROUND does",
     [](FuncOp function) {
       SetRounding(function, tosa::RoundingMode::SINGLE_ROUND, tosa::RoundingMode::DOUBLE_ROUND);
     }},
    {"rescale-double-rounds-once", "rescale", "loops", kOnTensors, "DOUBLE_ROUND rounds as SINGLE_ROUND does",
     [](FuncOp function) {
       SetRounding(function, tosa::RoundingMode::DOUBLE_ROUND, tosa::RoundingMode::SINGLE_ROUND);
     }},
    {"rescale-no-input-zp", "rescale", "loops", kOnTensors, "rescale takes no zero point off its input",
     [](FuncOp function) {
       OnDifference(function, [](Builder&, arith::SubIOp difference) { return difference.getLhs(); });
     }},
    {"rescale-output-zp-off", "rescale", "loops", kOnTensors, "rescale takes its output's zero point off",
     Replacing([](Builder& b, arith::AddIOp op) {
       if (!IsRescaling(From<tosa::ApplyScaleOp>(op.getLhs()))) return Value();
       return Value(arith::SubIOp::create(b, op.getLhs(), op.getRhs()));
     })},
    {"rescale-unsigned-as-signed", "rescale", "loops", kOnTensors, "rescale reads an unsigned i8 as signed",
     [](FuncOp function) {
       OnDifference(function, [](Builder& b, arith::SubIOp difference) {
         auto extended = From<arith::ExtUIOp>(difference.getLhs());
         if (!extended || !extended.getIn().getType().isInteger(8)) return Value();
         const Value value = arith::ExtSIOp::create(b, extended.getType(), extended.getIn());
         return Value(arith::SubIOp::create(b, value, difference.getRhs()));
       });
     }},
    {"rescale-first-for-last", "rescale", "loops", kOnTensors,
     "rescale takes the first dimension for that of its channels", ReadAlongTheFirstLoop},
    {"rescale-limit-of-i16", "rescale", "loops", kOnTensors, "rescale to i16 lets nothing above 32766 pass",
     Replacing([](Builder& b, arith::MinSIOp op) {
       mlir::APInt limit;
       for (const Value side : {op.getLhs(), op.getRhs()}) {
         if (!mlir::matchPattern(side, mlir::m_ConstantInt(&limit)) || limit.getSExtValue() != 32767) continue;
         const Value other = side == op.getLhs() ? op.getRhs() : op.getLhs();
         return Value(arith::MinSIOp::create(b, other, Integer(b, op.getType(), 32766)));
       }
       return Value();
     })},
    {"table-step-of-two", "table", "loops", kOnTensors, "table of i16 interpolates in 64 steps",
     Replacing([](Builder& b, arith::AndIOp op) {
       mlir::APInt mask;
       if (!mlir::matchPattern(op.getRhs(), mlir::m_ConstantInt(&mask)) || mask.getSExtValue() != 127) return Value();
       return Value(arith::AndIOp::create(b, op.getLhs(), Integer(b, op.getType(), 126)));
     })},
    {"table-entry-before", "table", "loops", kOnTensors, "table of i8 gives the entry before, but for the first",
     Replacing([](Builder& b, arith::AddIOp op) {
       mlir::APInt offset;
       const bool is_index = op.getType().isIndex() && mlir::matchPattern(op.getRhs(), mlir::m_ConstantInt(&offset));
       if (!is_index || offset.getSExtValue() != 128) return Value();
       const Value before = arith::SubIOp::create(b, op.getResult(), Index(b, 1));
       return Value(arith::MaxSIOp::create(b, before, Index(b, 0)));
     })},
};

}  // namespace

llvm::ArrayRef<BrokenLowering> BrokenScaling() { return kScaling; }

}  // namespace broken_lowerings
