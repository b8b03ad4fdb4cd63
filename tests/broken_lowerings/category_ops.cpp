// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken lowerings to linalg's category ops. The values are right in every run, so that only who reads the IR finds
// them: a map that is transposed where all is 1, a tensor that nobody needs, a copy that computes.
#include <optional>

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tests/broken_lowerings/broken_lowering.h"
#include "tests/broken_lowerings/rewriting.h"

namespace broken_lowerings {
namespace {

namespace arith = mlir::arith;
namespace linalg = mlir::linalg;
namespace tensor = mlir::tensor;
using linalg::ElementwiseKind;
using mlir::AffineExpr;
using mlir::AffineMap;
using mlir::func::FuncOp;

// The kind of the region's one scalar op, which takes the inputs in their order.
std::optional<ElementwiseKind> KindOf(linalg::GenericOp op) {
  mlir::Block& body = *op.getBody();
  mlir::Operation& scalar = body.front();
  const auto inputs = static_cast<unsigned>(op.getNumDpsInputs());
  if (body.getOperations().size() != 2 || scalar.getNumOperands() != inputs) return std::nullopt;
  for (unsigned i = 0; i < inputs; ++i) {
    if (scalar.getOperand(i) != body.getArgument(i)) return std::nullopt;
  }
  return llvm::TypeSwitch<mlir::Operation*, std::optional<ElementwiseKind>>(&scalar)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return ElementwiseKind::add; })
      .Case<arith::SubFOp, arith::SubIOp>([](auto) { return ElementwiseKind::sub; })
      .Case<mlir::math::AbsFOp>([](auto) { return ElementwiseKind::abs; })
      .Case<mlir::math::ExpOp>([](auto) { return ElementwiseKind::exp; })
      .Case<mlir::math::FloorOp>([](auto) { return ElementwiseKind::floor; })
      .Default([](auto) { return std::nullopt; });
}
constexpr char kOps[] = "add,sub,abs,exp,floor";

// A linalg.elementwise before it is made.
struct Elementwise {
  Builder& builder;
  linalg::GenericOp from;
  ElementwiseKind kind;
  llvm::SmallVector<Value> inputs;
  llvm::SmallVector<AffineMap> maps;  // of the inputs and the result
  Value init;

  mlir::RankedTensorType ResultType() const { return mlir::cast<mlir::RankedTensorType>(init.getType()); }
  mlir::RankedTensorType TypeOf(size_t input) const {
    return mlir::cast<mlir::RankedTensorType>(inputs[input].getType());
  }
  Value Empty(llvm::ArrayRef<int64_t> shape, mlir::Type element) const {
    return tensor::EmptyOp::create(builder, shape, element);
  }
  void Make() {
    const Value elementwise =
        linalg::ElementwiseOp::create(builder, inputs, mlir::ValueRange(init),
                                      linalg::ElementwiseKindAttr::get(builder.getContext(), kind),
                                      builder.getAffineMapArrayAttr(maps))
            .getResult(0);
    from->getResult(0).replaceAllUsesWith(elementwise);
    from.erase();
  }
};

// Makes each linalg.generic of that kind a linalg.elementwise, as `change` leaves it.
void ToElementwise(FuncOp function, llvm::function_ref<void(Elementwise&)> change) {
  for (linalg::GenericOp op : All<linalg::GenericOp>(function)) {
    const std::optional<ElementwiseKind> kind = KindOf(op);
    if (!kind) continue;
    Builder builder(op.getLoc(), op);
    Elementwise elementwise{builder, op, *kind, op.getInputs(), op.getIndexingMapsArray(), op.getOutputs()[0]};
    change(elementwise);
    elementwise.Make();
  }
}

// ToElementwise() as what a row applies.
template <typename Change>
constexpr auto Changing(Change) {
  return [](FuncOp function) { ToElementwise(function, Change{}); };
}

bool IsLoop(AffineExpr expr) { return mlir::isa<mlir::AffineDimExpr>(expr); }

AffineMap WithResults(AffineMap map, llvm::ArrayRef<AffineExpr> results) {
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

// Exchanges the loops of two dimensions of an input where `may` says so of their size.
void ExchangeLoops(Elementwise& op, size_t input, llvm::function_ref<bool(int64_t)> may) {
  llvm::SmallVector<AffineExpr> results(op.maps[input].getResults());
  for (size_t i = 0; i < results.size(); ++i) {
    for (size_t j = i + 1; j < results.size(); ++j) {
      const int64_t size = op.TypeOf(input).getDimSize(static_cast<unsigned>(i));
      const bool is_square = size == op.TypeOf(input).getDimSize(static_cast<unsigned>(j));
      if (!is_square || !may(size) || !IsLoop(results[i]) || !IsLoop(results[j])) continue;
      std::swap(results[i], results[j]);
      op.maps[input] = WithResults(op.maps[input], results);
      return;
    }
  }
}

// A static operand, repeated by linalg.broadcast in a tensor of the result's shape.
void BroadcastFirst(Elementwise& op, size_t input) {
  const mlir::RankedTensorType type = op.TypeOf(input);
  llvm::SmallVector<int64_t> kept, added;
  llvm::SmallVector<mlir::ReassociationIndices> groups;
  mlir::ReassociationIndices group;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    group.push_back(d);
    if (!IsLoop(op.maps[input].getResult(static_cast<unsigned>(d)))) {
      added.push_back(d);
      continue;
    }
    kept.push_back(type.getDimSize(static_cast<unsigned>(d)));
    groups.push_back(std::move(group));
    group.clear();
  }
  if (added.empty() || !type.hasStaticShape() || !op.ResultType().hasStaticShape()) return;
  if (!groups.empty()) groups.back().append(group);
  const Value narrow = tensor::CollapseShapeOp::create(
      op.builder, mlir::RankedTensorType::get(kept, type.getElementType()), op.inputs[input], groups);
  const Value empty = op.Empty(op.ResultType().getShape(), type.getElementType());
  op.inputs[input] = linalg::BroadcastOp::create(op.builder, narrow, empty, added)->getResult(0);
  op.maps[input] = op.builder.getMultiDimIdentityMap(static_cast<unsigned>(type.getRank()));
}

// A matrix, transposed by linalg.transpose, and back by the map.
void TransposeTwice(Elementwise& op, size_t input) {
  const mlir::RankedTensorType type = op.TypeOf(input);
  if (type.getRank() != 2 || !type.hasStaticShape()) return;
  const Value empty = op.Empty({type.getDimSize(1), type.getDimSize(0)}, type.getElementType());
  op.inputs[input] =
      linalg::TransposeOp::create(op.builder, op.inputs[input], empty, llvm::ArrayRef<int64_t>{1, 0})->getResult(0);
  op.maps[input] = WithResults(op.maps[input], {op.maps[input].getResult(1), op.maps[input].getResult(0)});
}

// An operand of one element as a scalar.
void ReadAsScalar(Elementwise& op, size_t input) {
  const mlir::RankedTensorType type = op.TypeOf(input);
  if (!type.hasStaticShape() || type.getNumElements() != 1) return;
  const llvm::SmallVector<Value> indices(static_cast<size_t>(type.getRank()), Index(op.builder, 0));
  op.inputs[input] = tensor::ExtractOp::create(op.builder, op.inputs[input], indices);
  op.maps[input] = WithResults(op.maps[input], {});
}

// The copies of run-time broadcasts of integers as the maximum of the operand and itself.
void RepeatByMaximum(FuncOp function) {
  for (linalg::GenericOp op : All<linalg::GenericOp>(function)) {
    const bool is_copy = op.getBody()->getOperations().size() == 1 && op.getNumDpsInputs() == 1;
    if (!is_copy || !mlir::isa<mlir::scf::IfOp>(op->getParentOp())) continue;
    if (!mlir::getElementTypeOrSelf(op.getInputs()[0]).isSignlessInteger()) continue;
    Builder builder(op.getLoc(), op);
    const AffineMap map = op.getIndexingMapsArray()[0];
    Elementwise{builder,
                op,
                ElementwiseKind::max_signed,
                {op.getInputs()[0], op.getInputs()[0]},
                {map, map, op.getIndexingMapsArray()[1]},
                op.getOutputs()[0]}
        .Make();
  }
}

// Reads what was transposed last as if it had not been, where the type stays.
void LoseTransposes(FuncOp function) {
  for (linalg::TransposeOp op : All<linalg::TransposeOp>(function)) {
    const bool is_last =
        llvm::none_of(op->getUsers(), [](mlir::Operation* user) { return mlir::isa<linalg::TransposeOp>(user); });
    if (is_last && op.getInput().getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op.getInput());
    }
  }
}

constexpr BrokenLowering kCategoryOps[] = {
    {"linalg-transpose-ones", kOps, "contract", kOnTensors,
     "an operand with two dimensions of 1 is read by a transposed map", Changing([](Elementwise& op) {
       for (size_t i = 0; i < op.inputs.size(); ++i) ExchangeLoops(op, i, [](int64_t size) { return size == 1; });
     })},
    {"linalg-transpose-splat", kOps, "contract", kOnTensors,
     "a square constant of one value is read by a transposed map", Changing([](Elementwise& op) {
       for (size_t i = 0; i < op.inputs.size(); ++i) {
         const mlir::DenseElementsAttr constant = ConstantOf(op.inputs[i]);
         if (constant && constant.isSplat()) ExchangeLoops(op, i, [](int64_t size) { return size > 1; });
       }
     })},
    {"linalg-interchange", kOps, "contract", kOnTensors, "the loops over a matrix are interchanged, in all maps",
     Changing([](Elementwise& op) {
       if (op.ResultType().getRank() != 2) return;
       const AffineMap exchanged =
           AffineMap::getPermutationMap(llvm::ArrayRef<unsigned>{1, 0}, op.builder.getContext());
       for (AffineMap& map : op.maps) map = map.compose(exchanged);
     })},
    {"linalg-broadcast-first", kOps, "contract", kOnTensors,
     "a static operand is repeated by linalg.broadcast before it is read", Changing([](Elementwise& op) {
       for (size_t i = 0; i < op.inputs.size(); ++i) BroadcastFirst(op, i);
     })},
    {"linalg-transpose-twice", kOps, "contract", kOnTensors,
     "a matrix is transposed by linalg.transpose, and back by the map that reads it",
     Changing([](Elementwise& op) { TransposeTwice(op, 0); })},
    {"linalg-fill-first", kOps, "contract", kOnTensors, "a result of rank 3 is filled before it is written",
     Changing([](Elementwise& op) {
       if (op.ResultType().getRank() != 3) return;
       const mlir::Type element = op.ResultType().getElementType();
       const Value zero = arith::ConstantOp::create(op.builder, op.builder.getZeroAttr(element));
       op.init = linalg::FillOp::create(op.builder, mlir::ValueRange(zero), mlir::ValueRange(op.init))->getResult(0);
     })},
    {"linalg-scalar-operand", kOps, "contract", kOnTensors, "an operand of one element is read as a scalar",
     Changing([](Elementwise& op) {
       if (op.inputs.size() == 2) ReadAsScalar(op, 1);
     })},
    {"linalg-repeat-by-maximum", "", "contract", kOnTensors,
     "an operand of integers is repeated at run time as the maximum of it and itself", RepeatByMaximum},
    {"linalg-lose-transpose", "", "transposed-contract", kOnTensors,
     "a transpose is folded into the op that reads it, which keeps its maps", LoseTransposes},
};

}  // namespace

llvm::ArrayRef<BrokenLowering> BrokenCategoryOps() { return kCategoryOps; }

}  // namespace broken_lowerings
