// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/lowered_ir_extraction.h"

#include <map>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "toolchain/mlir/attribute_import.h"
#include "toolchain/mlir/mlir_builder.h"

namespace tosaic {
namespace {

using Kind = LoweredValue::Kind;

std::string MakerOf(mlir::Value value) {
  mlir::Operation* maker = value.getDefiningOp();
  return maker == nullptr ? "argument" : maker->getName().getStringRef().str();
}

Payload ToPayload(mlir::linalg::LinalgOp op) {
  Payload payload;
  mlir::Block& body = *op.getBlock();
  for (const mlir::BlockArgument argument : body.getArguments())
    payload.arguments.push_back(TextOf(argument.getType()));
  for (const mlir::Type type : body.getTerminator()->getOperandTypes()) payload.yields.push_back(TextOf(type));
  for (const mlir::BlockArgument output : body.getArguments().drop_front(op.getNumDpsInputs())) {
    payload.reads_output |= !output.use_empty();
  }
  // The region of a linalg.map need not have the outputs.
  for (size_t i = payload.arguments.size(); i < op->getNumOperands(); ++i) {
    payload.arguments.push_back(TextOf(mlir::getElementTypeOrSelf(op->getOperand(i).getType())));
  }
  body.walk([&](mlir::Operation* inner) {
    if (inner == body.getTerminator()) return;
    payload.ops.push_back(inner->getName().getStringRef().str());
    payload.nested |= inner->getNumRegions() > 0 || !mlir::isMemoryEffectFree(inner);
  });
  body.walk([&](mlir::Operation* inner) {
    for (mlir::Value operand : inner->getOperands()) {
      if (!op->getRegion(0).isAncestor(operand.getParentRegion())) payload.captures.push_back(MakerOf(operand));
    }
  });
  return payload;
}

// Whether a linalg op is read as the linalg.generic that it stands for: one itself, or one that computes tensors
// element by element, of tensors and scalars. Those with reductions are no lowering of an elementwise op.
bool IsReadAsGeneric(mlir::linalg::LinalgOp op) {
  if (mlir::isa<mlir::linalg::GenericOp>(op)) return true;
  return op->getNumResults() == 1 && op.getNumReductionLoops() == 0 &&
         llvm::all_of(op->getOperandTypes(), [](mlir::Type type) {
           return type.isIntOrIndexOrFloat() || mlir::isa<mlir::RankedTensorType>(type);
         });
}

Generic ToGeneric(mlir::linalg::LinalgOp op) {
  Generic generic;
  generic.inputs = static_cast<int>(op.getNumDpsInputs());
  for (const mlir::utils::IteratorType iterator : op.getIteratorTypesArray()) {
    generic.iterators.push_back(mlir::utils::stringifyIteratorType(iterator).str());
  }
  for (const mlir::AffineMap map : op.getIndexingMapsArray()) generic.maps.push_back(ToIndexingMap(map));
  generic.payload = ToPayload(op);
  return generic;
}

// An input that is a scalar is a value that the region captures: what is left has tensors alone.
void CaptureScalars(mlir::linalg::LinalgOp op, LoweredValue* lowered) {
  Generic& generic = *lowered->generic;
  for (int i = generic.inputs - 1; i >= 0; --i) {
    const mlir::Value input = op->getOperand(static_cast<unsigned>(i));
    if (mlir::isa<mlir::TensorType>(input.getType())) continue;
    generic.payload.captures.push_back(MakerOf(input));
    generic.payload.arguments.erase(generic.payload.arguments.begin() + i);
    generic.maps.erase(generic.maps.begin() + i);
    lowered->operands.erase(lowered->operands.begin() + i);
    --generic.inputs;
  }
}

template <typename Op>
std::vector<std::vector<int>> GroupsOf(Op op) {
  std::vector<std::vector<int>> groups;
  for (const auto& indices : op.getReassociationIndices()) groups.emplace_back(indices.begin(), indices.end());
  return groups;
}

// Whether the type of each tensor that it reads or makes is one of TOSA's, as who reads the IR expects.
bool AreOfElementTypes(mlir::Operation* op) {
  const auto is_of_one = [](mlir::Type type) { return !mlir::isa<mlir::TensorType>(type) || ToTensorType(type); };
  return llvm::all_of(op->getOperandTypes(), is_of_one) && llvm::all_of(op->getResultTypes(), is_of_one);
}

// Whether tosaic-transpose-operands put it there.
bool IsNeighbour(mlir::Operation* op) {
  const auto name = mlir::dyn_cast<mlir::NameLoc>(op->getLoc());
  return name && name.getName() == kNeighbour;
}

class Extraction {
 public:
  LoweredIr Take(mlir::func::FuncOp function) {
    mlir::Block& body = function.getBody().front();
    for (const mlir::BlockArgument argument : body.getArguments()) {
      Add(argument,
          {.kind = Kind::kArgument, .type = ToTensorType(argument.getType()), .number = argument.getArgNumber()});
    }
    AddBlock(body);
    ir_.returned = Numbers(body.getTerminator()->getOperands());
    return std::move(ir_);
  }

 private:
  int Number(mlir::Value value) const { return numbers_.at(value); }
  std::vector<int> Numbers(mlir::ValueRange values) const {
    std::vector<int> numbers;
    for (const mlir::Value value : values) numbers.push_back(Number(value));
    return numbers;
  }

  void Add(mlir::Value value, LoweredValue lowered) {
    numbers_[value] = static_cast<int>(ir_.values.size());
    ir_.values.push_back(std::move(lowered));
  }

  void AddBlock(mlir::Block& block) {
    for (mlir::Operation& op : block.without_terminator()) AddOp(&op);
  }

  // True for an scf.if that yields one value, whose branches are then in the list.
  bool AddBranches(mlir::Operation* op, LoweredValue* lowered) {
    auto conditional = mlir::dyn_cast<mlir::scf::IfOp>(op);
    if (!conditional || op->getNumResults() != 1) return false;
    AddBlock(*conditional.thenBlock());
    AddBlock(*conditional.elseBlock());
    lowered->kind = Kind::kIf;
    for (mlir::Block* branch : {conditional.thenBlock(), conditional.elseBlock()}) {
      lowered->operands.push_back(Number(branch->getTerminator()->getOperand(0)));
    }
    return true;
  }

  // A neighbour's linalg.transpose is the tensor that it reads, by other dimensions. True if it is that tensor as it
  // was, which then stands for it.
  bool AddNeighbour(mlir::linalg::TransposeOp transpose) {
    const int input = Number(transpose.getInput());
    const auto before = views_.find(input);
    View view = {before == views_.end() ? input : before->second.of, {}};
    bool is_as_it_was = true;
    for (const int64_t dim : transpose.getPermutation()) {
      view.dims.push_back(before == views_.end() ? dim : before->second.dims[static_cast<size_t>(dim)]);
      is_as_it_was &= view.dims.back() == static_cast<int64_t>(view.dims.size()) - 1;
    }
    if (is_as_it_was) {
      numbers_[transpose->getResult(0)] = view.of;
    } else {
      views_[static_cast<int>(ir_.values.size())] = std::move(view);
    }
    return is_as_it_was;
  }

  // Reads what the neighbours read in the place of what they leave.
  void ReadThroughNeighbours(LoweredValue* lowered) {
    const auto view_of = [&](int number) {
      const auto found = views_.find(number);
      return found == views_.end() ? nullptr : &found->second;
    };
    if (lowered->kind == Kind::kGeneric) {
      for (size_t i = 0; i < static_cast<size_t>(lowered->generic->inputs); ++i) {
        const View* view = view_of(lowered->operands[i]);
        if (view == nullptr) continue;
        const IndexingMap map = lowered->generic->maps[i];
        for (size_t d = 0; d < map.size(); ++d) lowered->generic->maps[i][static_cast<size_t>(view->dims[d])] = map[d];
        lowered->operands[i] = view->of;
      }
    }
    if (lowered->kind != Kind::kDim) return;
    const View* view = view_of(lowered->operands[0]);
    const LoweredValue& index = ir_.values[static_cast<size_t>(lowered->operands[1])];
    if (view == nullptr || index.kind != Kind::kIndex) return;
    lowered->operands = {view->of, static_cast<int>(ir_.values.size())};
    ir_.values.push_back({.kind = Kind::kIndex, .number = view->dims[static_cast<size_t>(index.number)]});
  }

  void AddOp(mlir::Operation* op) {
    LoweredValue lowered{.operands = Numbers(op->getOperands())};
    const auto transpose = IsNeighbour(op) ? mlir::dyn_cast<mlir::linalg::TransposeOp>(op) : nullptr;
    if (transpose && AddNeighbour(transpose)) return;
    const mlir::Type type = op->getNumResults() == 1 ? op->getResult(0).getType() : mlir::Type();
    if (type) lowered.type = ToTensorType(type);
    if (!AddBranches(op, &lowered) && AreOfElementTypes(op)) lowered.kind = KindOf(op, &lowered);
    if (!transpose) ReadThroughNeighbours(&lowered);
    if (lowered.kind == Kind::kOther) lowered.name = op->getName().getStringRef().str();
    for (const mlir::Value result : op->getResults()) numbers_[result] = static_cast<int>(ir_.values.size());
    ir_.values.push_back(std::move(lowered));
  }

  Kind KindOf(mlir::Operation* op, LoweredValue* lowered) const {
    llvm::APInt number;
    const mlir::Type type = op->getNumResults() == 1 ? op->getResult(0).getType() : mlir::Type();
    if (type && (type.isIndex() || type.isInteger(1)) && mlir::matchPattern(op, mlir::m_ConstantInt(&number))) {
      lowered->number = type.isIndex() ? number.getSExtValue() : static_cast<int64_t>(number.getZExtValue());
      return Kind::kIndex;
    }
    if (lowered->type && mlir::matchPattern(op, mlir::m_Constant())) return Kind::kConstant;
    return llvm::TypeSwitch<mlir::Operation*, Kind>(op)
        .Case<mlir::tensor::DimOp>([](auto) { return Kind::kDim; })
        .Case<mlir::arith::MaxUIOp, mlir::arith::MaxSIOp>([](auto) { return Kind::kMax; })
        .Case<mlir::arith::CmpIOp>([](auto compare) {
          return compare.getPredicate() == mlir::arith::CmpIPredicate::eq ? Kind::kEqual : Kind::kOther;
        })
        .Case<mlir::tensor::EmptyOp>([](auto) { return Kind::kEmpty; })
        .Case<mlir::tensor::CastOp>([](auto) { return Kind::kCast; })
        .Case<mlir::tensor::ExpandShapeOp>([&](auto expand) {
          lowered->groups = GroupsOf(expand);
          lowered->operands.resize(1);  // the source, without the result's sizes, which its type and groups give
          return Kind::kExpandShape;
        })
        .Case<mlir::tensor::CollapseShapeOp>([&](auto collapse) {
          lowered->groups = GroupsOf(collapse);
          return Kind::kCollapseShape;
        })
        .Case<mlir::linalg::LinalgOp>([&](mlir::linalg::LinalgOp structured) {
          if (!IsReadAsGeneric(structured)) return Kind::kOther;
          lowered->generic = ToGeneric(structured);
          CaptureScalars(structured, lowered);
          return Kind::kGeneric;
        })
        .Default([](auto) { return Kind::kOther; });
  }

  // A tensor that is another one, an entry of `ir_`, with its dimension `dims[d]` as dimension d.
  struct View {
    int of = 0;
    std::vector<int64_t> dims;
  };

  LoweredIr ir_;
  llvm::DenseMap<mlir::Value, int> numbers_;
  std::map<int, View> views_;  // by number: what neighbours leave
};

}  // namespace

IndexingMap ToIndexingMap(mlir::AffineMap map) {
  IndexingMap results;
  for (const mlir::AffineExpr expr : map.getResults()) {
    if (const auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(expr)) {
      results.push_back({MapResult::Kind::kLoop, dim.getPosition()});
    } else if (const auto constant = mlir::dyn_cast<mlir::AffineConstantExpr>(expr)) {
      results.push_back({MapResult::Kind::kConstant, constant.getValue()});
    } else {
      results.push_back({MapResult::Kind::kOther, 0});
    }
  }
  return results;
}

LoweredIr ExtractLoweredIr(mlir::ModuleOp module) {
  return Extraction().Take(*module.getOps<mlir::func::FuncOp>().begin());
}

}  // namespace tosaic
