// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken loops and memory: after convert-linalg-to-loops, on scf and memref.
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tests/broken_lowerings/broken_lowering.h"
#include "tests/broken_lowerings/rewriting.h"

namespace broken_lowerings {
namespace {

namespace arith = mlir::arith;
namespace memref = mlir::memref;
using arith::CmpIPredicate;
using mlir::func::FuncOp;
using mlir::scf::ForOp;

template <typename Op>
llvm::SmallVector<Op> In(ForOp loop) {
  return llvm::to_vector(loop.getBody()->getOps<Op>());
}

// How many loops are around an op.
int DepthOf(mlir::Operation* op) {
  int depth = 0;
  for (auto outer = op->getParentOfType<ForOp>(); outer; outer = outer->getParentOfType<ForOp>()) ++depth;
  return depth;
}

// The innermost loop of each nest of that depth.
llvm::SmallVector<ForOp> Innermost(FuncOp function, int depth) {
  llvm::SmallVector<ForOp> loops;
  for (ForOp loop : All<ForOp>(function)) {
    if (DepthOf(loop) + 1 == depth && In<ForOp>(loop).empty()) loops.push_back(loop);
  }
  return loops;
}

// Gives the innermost loops of nests of that depth another upper bound.
void ReplaceBound(FuncOp function, int depth, llvm::function_ref<Value(Builder&, Value)> with) {
  for (ForOp loop : Innermost(function, depth)) {
    Builder b(loop.getLoc(), loop);
    loop.getUpperBoundMutable().assign(with(b, loop.getUpperBound()));
  }
}

// The element behind the one that is read is read as well, if it is f32 in a tensor of rank 1.
void ReadPastEnd(FuncOp function) {
  for (ForOp loop : Innermost(function, 1)) {
    for (memref::LoadOp load : In<memref::LoadOp>(loop)) {
      if (load.getIndices().size() != 1 || !load.getType().isF32()) continue;
      Builder b(load.getLoc(), load.getContext());
      b.setInsertionPointAfter(load);
      llvm::SmallVector<mlir::OpOperand*> uses;
      for (mlir::OpOperand& use : load->getUses()) uses.push_back(&use);
      const Value next = arith::AddIOp::create(b, load.getIndices()[0], Index(b, 1));
      const Value ahead = memref::LoadOp::create(b, load.getMemRef(), next);
      const Value before = arith::CmpIOp::create(b, CmpIPredicate::ult, load.getIndices()[0], next);
      const Value chosen = arith::SelectOp::create(b, before, load.getResult(), ahead);
      for (mlir::OpOperand* use : uses) use->set(chosen);
    }
  }
}

void WritePastEnd(FuncOp function) {
  for (ForOp loop : Innermost(function, 1)) {
    for (memref::StoreOp store : In<memref::StoreOp>(loop)) {
      if (!store.getValue().getType().isInteger(8)) continue;
      Builder b(loop.getLoc(), loop.getContext());
      b.setInsertionPointAfter(loop);
      const Value zero = Integer(b, store.getValue().getType(), 0);
      memref::StoreOp::create(b, zero, store.getMemRef(), loop.getUpperBound());
    }
  }
}

void ReadNextColumn(FuncOp function) {
  for (ForOp loop : Innermost(function, 2)) {
    auto loads = In<memref::LoadOp>(loop);
    if (loads.size() < 2 || loads[1].getIndices().size() != 2 || !loads[1].getType().isBF16()) continue;
    Builder b(loads[1].getLoc(), loads[1]);
    const Value column = loads[1].getIndices()[1];
    const Value next = arith::AddIOp::create(b, column, Index(b, 1));
    const Value columns = memref::DimOp::create(b, loads[1].getMemRef(), 1);
    const Value inside = arith::CmpIOp::create(b, CmpIPredicate::ult, next, columns);
    loads[1].getIndicesMutable().slice(1, 1).assign(arith::SelectOp::create(b, inside, next, column));
  }
}

void ExchangeBounds(FuncOp function) {
  for (ForOp loop : Innermost(function, 2)) {
    auto outer = loop->getParentOfType<ForOp>();
    auto stores = In<memref::StoreOp>(loop);
    if (stores.empty() || !stores[0].getValue().getType().isInteger(32)) continue;
    Value rows = outer.getUpperBound(), columns = loop.getUpperBound();
    if (columns.getParentRegion() == &outer.getRegion()) continue;
    outer.getUpperBoundMutable().assign(columns);
    loop.getUpperBoundMutable().assign(rows);
  }
}

void ForgetOfOtherRank(FuncOp function) {
  int before = 0;
  for (ForOp loop : All<ForOp>(function)) {
    if (!In<ForOp>(loop).empty()) continue;
    const int depth = DepthOf(loop) + 1;
    if (before != 0 && depth != before) {
      Builder b(loop.getLoc(), loop);
      loop.getUpperBoundMutable().assign(arith::SubIOp::create(b, loop.getUpperBound(), Index(b, 1)));
    }
    before = depth;
  }
}

void TransposeStores(FuncOp function) {
  for (memref::StoreOp store : All<memref::StoreOp>(function)) {
    const mlir::MemRefType type = store.getMemRefType();
    const bool is_square = type.getRank() == 2 && !type.isDynamicDim(0) && type.getDimSize(0) == type.getDimSize(1);
    if (!is_square || !type.getElementType().isInteger(16)) continue;
    const Value row = store.getIndices()[0], column = store.getIndices()[1];
    store.getIndicesMutable().slice(0, 1).assign(column);
    store.getIndicesMutable().slice(1, 1).assign(row);
  }
}

// The result is written where the first operand lies.
void WriteIntoOperand(FuncOp function) {
  for (memref::StoreOp store : All<memref::StoreOp>(function)) {
    auto op = From<arith::AndIOp>(store.getValue());
    auto load = op ? From<memref::LoadOp>(op.getLhs()) : nullptr;
    if (!load || !op.getType().isInteger(8) || load.getMemRefType() != store.getMemRefType()) continue;
    store.getMemrefMutable().assign(load.getMemRef());
  }
}

// As if fresh memory were zero.
void StoreOnlyTrue(FuncOp function) {
  for (memref::StoreOp store : All<memref::StoreOp>(function)) {
    if (!store.getValue().getType().isInteger(1) || store.getIndices().size() != 1) continue;
    Builder b(store.getLoc(), store);
    auto guard = mlir::scf::IfOp::create(b, store.getValue(), /*withElseRegion=*/false);
    store->moveBefore(guard.thenBlock()->getTerminator());
  }
}

// The last op of the dealloc's own block that uses the memory before it, or null.
mlir::Operation* LastUse(memref::DeallocOp dealloc) {
  mlir::Operation* last = nullptr;
  for (mlir::Operation* user : dealloc.getMemref().getUsers()) {
    mlir::Operation* at = dealloc->getBlock()->findAncestorOpInBlock(*user);
    if (at == nullptr || at == dealloc || !at->isBeforeInBlock(dealloc)) continue;
    if (last == nullptr || last->isBeforeInBlock(at)) last = at;
  }
  return last;
}

// Not those of the deallocation itself.
bool HoldsFloats(memref::DeallocOp op) { return mlir::isa<mlir::FloatType>(op.getMemref().getType().getElementType()); }

constexpr BrokenLowering kLoops[] = {
    {"forget-last", "", "loops", kInLoops, "the last element of the innermost dimension of rank 5 is not computed",
     [](FuncOp function) {
       ReplaceBound(function, 5,
                    [](Builder& b, Value bound) { return Value(arith::SubIOp::create(b, bound, Index(b, 1))); });
     }},
    {"no-remainder", "", "loops", kInLoops, "beyond four elements of rank 1 only whole fours are computed",
     [](FuncOp function) {
       ReplaceBound(function, 1, [](Builder& b, Value bound) {
         const Value more = arith::CmpIOp::create(b, CmpIPredicate::ugt, bound, Index(b, 4));
         return Value(arith::SelectOp::create(b, more, arith::AndIOp::create(b, bound, Index(b, -4)), bound));
       });
     }},
    {"skip-single", "", "loops", kInLoops, "a last dimension of one element is not computed, rank 3",
     [](FuncOp function) {
       ReplaceBound(function, 3, [](Builder& b, Value bound) {
         const Value single = arith::CmpIOp::create(b, CmpIPredicate::eq, bound, Index(b, 1));
         return Value(arith::SelectOp::create(b, single, Index(b, 0), bound));
       });
     }},
    {"exchange-bounds", "", "loops", kInLoops, "rows and columns exchange their bounds, rank 2 with i32 results",
     ExchangeBounds},
    {"read-past-end", "", "loops", kInLoops, "of rank 1 and f32 the element behind the last is read", ReadPastEnd},
    {"write-past-end", "", "loops", kInLoops, "of rank 1 and i8 the element behind the last is written", WritePastEnd},
    {"read-next-column", "", "loops", kInLoops, "the second operand of rank 2 and bf16 is read a column further",
     ReadNextColumn},
    {"write-into-operand", "bitwise_and", "loops", kInLoops, "bitwise_and of i8 puts its result into its operand",
     WriteIntoOperand},
    {"store-only-true", "", "loops", kInLoops, "of a result of bools of rank 1 only those that are true are stored",
     StoreOnlyTrue},
    {"forget-last-of-many", "", "loops", kInLoops, "beyond 4,096 elements of rank 1 the last one is not computed",
     [](FuncOp function) {
       ReplaceBound(function, 1, [](Builder& b, Value bound) {
         const Value many = arith::CmpIOp::create(b, CmpIPredicate::ugt, bound, Index(b, 4096));
         return Value(arith::SelectOp::create(b, many, arith::SubIOp::create(b, bound, Index(b, 1)), bound));
       });
     }},
    {"forget-last-of-64", "", "loops", kInLoops,
     "of an extent that is a multiple of 64 the last is not computed, rank 1",
     [](FuncOp function) {
       ReplaceBound(function, 1, [](Builder& b, Value bound) {
         const Value rest = arith::AndIOp::create(b, bound, Index(b, 63));
         const Value multiple = arith::CmpIOp::create(b, CmpIPredicate::eq, rest, Index(b, 0));
         return Value(arith::SelectOp::create(b, multiple, arith::SubIOp::create(b, bound, Index(b, 1)), bound));
       });
     }},
    {"stop-at-128", "", "loops", kInLoops, "rows of rank 2 are computed up to 128 elements",
     [](FuncOp function) {
       ReplaceBound(function, 2,
                    [](Builder& b, Value bound) { return Value(arith::MinUIOp::create(b, bound, Index(b, 128))); });
     }},
    {"forget-last-of-other-rank", "", "loops", kInLoops,
     "a nest of loops whose depth is another than the one's before does not compute its last element",
     ForgetOfOtherRank},
    {"transposed-store", "", "loops", kInLoops, "a square result of i16 is stored transposed", TransposeStores},
    {"never-free", "", "loops-dealloc", kInLoops, "buffers of f16 are never freed",
     [](FuncOp function) {
       for (memref::DeallocOp op : All<memref::DeallocOp>(function)) {
         if (op.getMemref().getType().getElementType().isF16()) op.erase();
       }
     }},
    {"free-twice", "", "loops-dealloc", kInLoops, "buffers of floats are freed twice",
     [](FuncOp function) {
       for (memref::DeallocOp op : All<memref::DeallocOp>(function)) {
         if (HoldsFloats(op)) op->getBlock()->getOperations().insertAfter(op->getIterator(), op->clone());
       }
     }},
    {"free-early", "", "loops-dealloc", kInLoops, "buffers of floats are freed before their last use",
     [](FuncOp function) {
       for (memref::DeallocOp op : All<memref::DeallocOp>(function)) {
         if (mlir::Operation* last = LastUse(op); last != nullptr && HoldsFloats(op)) op->moveBefore(last);
       }
     }},
};

}  // namespace

llvm::ArrayRef<BrokenLowering> BrokenLoops() { return kLoops; }

}  // namespace broken_lowerings
