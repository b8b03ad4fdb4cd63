// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosa-to-linalg-elementwise: TOSA's elementwise ops as linalg.elementwise, where it has a kind for the op. What is
// left is tosa-to-linalg's.
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

namespace {

using mlir::AffineMap;
using mlir::Value;
using Kind = mlir::linalg::ElementwiseKind;

// The kind that computes what the op does.
std::optional<Kind> KindOf(mlir::Operation* op) {
  using namespace mlir::tosa;
  const bool is_float = mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(op->getOperand(0)));
  if (is_float) {
    const auto of_floats = llvm::TypeSwitch<mlir::Operation*, std::optional<Kind>>(op)
                               .Case<AbsOp>([](auto) { return Kind::abs; })
                               .Case<CeilOp>([](auto) { return Kind::ceil; })
                               .Case<ErfOp>([](auto) { return Kind::erf; })
                               .Case<ExpOp>([](auto) { return Kind::exp; })
                               .Case<FloorOp>([](auto) { return Kind::floor; })
                               .Case<LogOp>([](auto) { return Kind::log; })
                               .Case<NegateOp>([](auto) { return Kind::negf; })
                               .Case<PowOp>([](auto) { return Kind::powf; })
                               .Case<ReciprocalOp>([](auto) { return Kind::reciprocal; })
                               .Case<RsqrtOp>([](auto) { return Kind::rsqrt; })
                               .Case<TanhOp>([](auto) { return Kind::tanh; })
                               .Default([](auto) { return std::nullopt; });
    if (of_floats) return of_floats;
  }
  return llvm::TypeSwitch<mlir::Operation*, std::optional<Kind>>(op)
      .Case<AddOp>([](auto) { return Kind::add; })
      .Case<IntDivOp>([](auto) { return Kind::div; })
      .Case<MaximumOp>([](auto) { return Kind::max_signed; })
      .Case<MinimumOp>([](auto) { return Kind::min_signed; })
      .Case<MulOp>([](auto) { return Kind::mul; })
      .Case<SelectOp>([](auto) { return Kind::select; })
      .Case<SubOp>([](auto) { return Kind::sub; })
      .Default([](auto) { return std::nullopt; });
}

// Without shifts and zero points.
size_t InputCount(mlir::Operation* op) {
  return mlir::isa<mlir::tosa::NegateOp>(op) ? 1 : mlir::isa<mlir::tosa::MulOp>(op) ? 2 : op->getNumOperands();
}

// Whether the kind computes the op with these attributes and types: without a rounding shift, with NaNs that are passed
// on, on elements of one signless type. Of arithmetic on i1, linalg has another notion, or none.
bool IsComputedByKind(mlir::Operation* op) {
  using namespace mlir::tosa;
  const mlir::Type element = mlir::getElementTypeOrSelf(op->getResult(0));
  if (!element.isSignlessIntOrFloat()) return false;
  if (element.isInteger(1)) return mlir::isa<SelectOp>(op);
  const Value last = op->getOperand(op->getNumOperands() - 1);
  if (mlir::isa<MulOp>(op)) {
    return mlir::getElementTypeOrSelf(op->getOperand(0)) == element &&
           (mlir::matchPattern(last, mlir::m_Zero()) || mlir::matchPattern(last, mlir::m_AnyZeroFloat()));
  }
  const auto propagates = [](auto extremum) { return extremum.getNanMode() == NanPropagationMode::PROPAGATE; };
  return llvm::TypeSwitch<mlir::Operation*, bool>(op)
      .Case<MaximumOp, MinimumOp>([&](auto extremum) { return element.isSignlessInteger() || propagates(extremum); })
      .Default([](auto) { return true; });
}

using Type = mlir::RankedTensorType;
Type TypeOf(Value value) { return mlir::cast<Type>(value.getType()); }

// The shape that the operands broadcast to, as far as their types tell.
llvm::SmallVector<int64_t> BroadcastShape(llvm::ArrayRef<Value> inputs) {
  llvm::SmallVector<int64_t> shape(TypeOf(inputs[0]).getRank(), 1);
  for (size_t d = 0; d < shape.size(); ++d) {
    for (const Value input : inputs) {
      const int64_t size = TypeOf(input).getDimSize(d);
      if (size != 1 && (shape[d] == 1 || mlir::ShapedType::isDynamic(shape[d]))) shape[d] = size;
    }
  }
  return shape;
}

// The map that reads a tensor of a type: 0 where it is repeated.
AffineMap MapOf(Type type, llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<mlir::AffineExpr> results;
  for (size_t d = 0; d < shape.size(); ++d) {
    const bool is_repeated = type.getDimSize(d) == 1 && shape[d] != 1;
    results.push_back(is_repeated ? mlir::getAffineConstantExpr(0, type.getContext())
                                  : mlir::getAffineDimExpr(d, type.getContext()));
  }
  return AffineMap::get(shape.size(), 0, results, type.getContext());
}

class Lowering {
 public:
  Lowering(mlir::Operation* op, Kind kind)
      : op_(op),
        kind_(kind),
        builder_(op->getLoc(), op),
        inputs_(op->getOperands().take_front(InputCount(op))),
        shape_(BroadcastShape(inputs_)) {}

  void Run() {
    for (size_t d = 0; d < shape_.size(); ++d) extents_.push_back(Extent(d));
    const llvm::SmallVector<Value> operands = inputs_;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      for (size_t d = 0; d < shape_.size(); ++d) {
        if (MayBeRepeated(operands, i, d)) RepeatIfOne(inputs_[i], d);
      }
    }
    llvm::SmallVector<AffineMap> maps;
    for (const Value input : inputs_) maps.push_back(MapOf(TypeOf(input), shape_));
    maps.push_back(builder_.getMultiDimIdentityMap(shape_.size()));
    const Type declared = TypeOf(op_->getResult(0));
    const Value init = Empty(Type::get(shape_, declared.getElementType()), extents_);
    Value result = mlir::linalg::ElementwiseOp::create(builder_, inputs_, mlir::ValueRange(init),
                                                       mlir::linalg::ElementwiseKindAttr::get(op_->getContext(), kind_),
                                                       builder_.getAffineMapArrayAttr(maps))
                       .getResult(0);
    if (result.getType() != declared) result = mlir::tensor::CastOp::create(builder_, declared, result);
    op_->replaceAllUsesWith(mlir::ValueRange(result));
    op_->erase();
  }

 private:
  Value Index(int64_t number) { return mlir::arith::ConstantIndexOp::create(builder_, number); }
  Value Size(Value of, size_t d) { return mlir::tensor::DimOp::create(builder_, of, Index(d)); }

  // The largest of the operands' sizes, where it is known at run time only.
  Value Extent(size_t d) {
    Value largest;
    if (!mlir::ShapedType::isDynamic(shape_[d])) return largest;
    for (const Value input : inputs_) {
      if (!TypeOf(input).isDynamicDim(d)) continue;
      const Value size = Size(input, d);
      largest = largest ? Value(mlir::arith::MaxUIOp::create(builder_, largest, size)) : size;
    }
    return largest;
  }

  Value Empty(Type type, llvm::ArrayRef<Value> extents) {
    llvm::SmallVector<Value> sizes;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      if (type.isDynamicDim(d)) sizes.push_back(extents[d]);
    }
    return mlir::tensor::EmptyOp::create(builder_, type.getShape(), type.getElementType(), sizes);
  }

  // Only a dynamic dimension may turn out to be 1, and only another operand that is not 1 asks for more.
  static bool MayBeRepeated(llvm::ArrayRef<Value> operands, size_t operand, size_t d) {
    if (!TypeOf(operands[operand]).isDynamicDim(d)) return false;
    for (size_t other = 0; other < operands.size(); ++other) {
      if (other != operand && TypeOf(operands[other]).getDimSize(d) != 1) return true;
    }
    return false;
  }

  void RepeatIfOne(Value& input, size_t d) {
    const Value operand = input;
    const Value one = Index(1), size = Size(operand, d);
    const Value is_one = mlir::arith::CmpIOp::create(builder_, mlir::arith::CmpIPredicate::eq, size, one);
    auto choice = mlir::scf::IfOp::create(
        builder_, is_one,
        [&](mlir::OpBuilder&, mlir::Location) { mlir::scf::YieldOp::create(builder_, Repeated(operand, d)); },
        [&](mlir::OpBuilder&, mlir::Location) { mlir::scf::YieldOp::create(builder_, operand); });
    input = choice.getResult(0);
  }

  // The operand with dimension `d`, which is 1, as large as the result's, and all others as they are.
  Value Repeated(Value operand, size_t d) {
    const Type type = TypeOf(operand);
    llvm::SmallVector<int64_t> shape(type.getShape());
    shape[d] = shape_[d];
    llvm::SmallVector<Value> extents;
    for (int64_t other = 0; other < type.getRank(); ++other) {
      extents.push_back(static_cast<size_t>(other) == d ? extents_[d]
                        : type.isDynamicDim(other)      ? Size(operand, other)
                                                        : Value());
    }
    llvm::SmallVector<mlir::AffineExpr> results;
    for (int64_t other = 0; other < type.getRank(); ++other) {
      results.push_back(static_cast<size_t>(other) == d ? builder_.getAffineConstantExpr(0)
                                                        : builder_.getAffineDimExpr(other));
    }
    const AffineMap maps[] = {AffineMap::get(type.getRank(), 0, results, builder_.getContext()),
                              builder_.getMultiDimIdentityMap(type.getRank())};
    const llvm::SmallVector<mlir::utils::IteratorType> loops(type.getRank(), mlir::utils::IteratorType::parallel);
    const Type repeated = Type::get(shape, type.getElementType());
    Value result =
        mlir::linalg::GenericOp::create(builder_, repeated, operand, Empty(repeated, extents), maps, loops,
                                        [](mlir::OpBuilder& b, mlir::Location loc, mlir::ValueRange arguments) {
                                          mlir::linalg::YieldOp::create(b, loc, arguments.front());
                                        })
            .getResult(0);
    if (repeated != type) result = mlir::tensor::CastOp::create(builder_, type, result);
    return result;
  }

  mlir::Operation* op_;
  Kind kind_;
  mlir::ImplicitLocOpBuilder builder_;
  llvm::SmallVector<Value> inputs_;
  llvm::SmallVector<int64_t> shape_;
  llvm::SmallVector<Value> extents_;  // null where they are static
};

// Operands and result of one rank.
bool HasOneRank(mlir::Operation* op) {
  const auto result = mlir::dyn_cast<Type>(op->getResult(0).getType());
  return result && llvm::all_of(op->getOperands().take_front(InputCount(op)), [&](Value input) {
           const auto type = mlir::dyn_cast<Type>(input.getType());
           return type && type.getRank() == result.getRank();
         });
}

class TosaToLinalgElementwise
    : public mlir::PassWrapper<TosaToLinalgElementwise, mlir::OperationPass<mlir::func::FuncOp>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TosaToLinalgElementwise)
  llvm::StringRef getArgument() const override { return "tosa-to-linalg-elementwise"; }
  llvm::StringRef getDescription() const override { return "TOSA's elementwise ops as linalg.elementwise"; }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::arith::ArithDialect, mlir::linalg::LinalgDialect, mlir::scf::SCFDialect,
                    mlir::tensor::TensorDialect>();
  }

  void runOnOperation() override {
    llvm::SmallVector<std::pair<mlir::Operation*, Kind>> found;
    getOperation().walk([&](mlir::Operation* op) {
      if (op->getNumOperands() == 0) return;
      if (const std::optional<Kind> kind = KindOf(op)) found.emplace_back(op, *kind);
    });
    for (const auto& [op, kind] : found) {
      if (HasOneRank(op) && IsComputedByKind(op)) Lowering(op, kind).Run();
    }
  }
};

}  // namespace

extern "C" mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "elementwise-lowering", "1",
          [] { mlir::PassRegistration<TosaToLinalgElementwise>(); }};
}
