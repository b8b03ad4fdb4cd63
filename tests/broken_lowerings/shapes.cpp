// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken broadcasts and extents: on tensors, right after tosa-to-linalg.
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tests/broken_lowerings/broken_lowering.h"
#include "tests/broken_lowerings/rewriting.h"

namespace broken_lowerings {
namespace {

namespace arith = mlir::arith;
namespace linalg = mlir::linalg;
namespace tensor = mlir::tensor;
using mlir::func::FuncOp;

// The run-time broadcasts of operands of that rank.
llvm::SmallVector<mlir::scf::IfOp> Broadcasts(FuncOp function, int64_t rank) {
  llvm::SmallVector<mlir::scf::IfOp> broadcasts;
  for (mlir::scf::IfOp op : All<mlir::scf::IfOp>(function)) {
    if (mlir::cast<mlir::RankedTensorType>(op.getType(0)).getRank() == rank) broadcasts.push_back(op);
  }
  return broadcasts;
}

void Decide(mlir::scf::IfOp op, bool condition) {
  Builder builder(op.getLoc(), op);
  op.getConditionMutable().assign(Integer(builder, builder.getI1Type(), condition));
}

int64_t RankOf(linalg::GenericOp op) { return static_cast<int64_t>(op.getNumLoops()); }

constexpr BrokenLowering kShapes[] = {
    {"drop-runtime-broadcast", "", "loops", kOnTensors, "the last run-time broadcast of rank 4 is missing",
     [](FuncOp function) {
       const auto broadcasts = Broadcasts(function, 4);
       if (!broadcasts.empty()) Decide(broadcasts.back(), false);
     }},
    {"always-broadcast", "", "loops", kOnTensors, "operands of rank 3 broadcast at run time whatever their extent",
     [](FuncOp function) {
       for (mlir::scf::IfOp op : Broadcasts(function, 3)) Decide(op, true);
     }},
    {"minimum-extent", "", "loops", kOnTensors, "the least extent for the greatest, rank 1",
     Replacing([](Builder& builder, arith::MaxUIOp op) {
       auto dim = From<tensor::DimOp>(op.getLhs());
       const bool rank_1 = dim && mlir::cast<mlir::RankedTensorType>(dim.getSource().getType()).getRank() == 1;
       return rank_1 ? Value(arith::MinUIOp::create(builder, op.getLhs(), op.getRhs())) : Value();
     })},
    {"one-broadcast-of-two", "", "loops", kOnTensors,
     "of several run-time broadcasts of rank 2 the first alone is made",
     [](FuncOp function) {
       const auto broadcasts = Broadcasts(function, 2);
       for (size_t i = 1; i < broadcasts.size(); ++i) Decide(broadcasts[i], false);
     }},
    {"extent-of-first", "", "loops", kOnTensors, "the extent of the first operand for the greatest, rank 2",
     Replacing([](Builder&, arith::MaxUIOp op) {
       auto dim = From<tensor::DimOp>(op.getLhs());
       const bool rank_2 = dim && mlir::cast<mlir::RankedTensorType>(dim.getSource().getType()).getRank() == 2;
       return rank_2 ? op.getLhs() : Value();
     })},
    {"extent-of-another-dimension", "", "loops", kOnTensors, "a result of bools of rank 2 is square",
     [](FuncOp function) {
       for (tensor::EmptyOp op : All<tensor::EmptyOp>(function)) {
         if (op.getDynamicSizes().size() != 2 || !op.getType().getElementType().isInteger(1)) continue;
         op.getDynamicSizesMutable().slice(1, 1).assign(op.getDynamicSizes().front());
       }
     }},
    {"broadcast-other-dimension", "", "loops", kOnTensors,
     "an operand n x 1 is repeated along its rows, not its columns",
     [](FuncOp function) {
       for (linalg::GenericOp op : All<linalg::GenericOp>(function)) {
         if (RankOf(op) != 2 || mlir::isa<mlir::scf::IfOp>(op->getParentOp())) continue;
         llvm::SmallVector<mlir::AffineMap> maps = op.getIndexingMapsArray();
         mlir::MLIRContext* context = op.getContext();
         for (size_t k = 0; k + 1 < maps.size(); ++k) {
           const auto type = mlir::cast<mlir::RankedTensorType>(op.getInputs()[k].getType());
           const mlir::AffineExpr rows = mlir::getAffineDimExpr(0, context);
           const mlir::AffineExpr columns = mlir::getAffineDimExpr(1, context);
           const mlir::AffineExpr zero = mlir::getAffineConstantExpr(0, context);
           const auto result = mlir::cast<mlir::RankedTensorType>(op.getOutputs()[0].getType());
           const bool verifies =
               type.isDynamicDim(0) || result.isDynamicDim(1) || type.getDimSize(0) == result.getDimSize(1);
           if (maps[k] != mlir::AffineMap::get(2, 0, {rows, zero}, context) || !verifies) continue;
           maps[k] = mlir::AffineMap::get(2, 0, {columns, zero}, context);
         }
         op.setIndexingMapsAttr(mlir::Builder(context).getAffineMapArrayAttr(maps));
       }
     }},
};

}  // namespace

llvm::ArrayRef<BrokenLowering> BrokenShapes() { return kShapes; }

}  // namespace broken_lowerings
