// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/poison.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"
#include "toolchain/execution/poison_conditions.h"
#include "toolchain/execution/runtime_symbols.h"

namespace tosaic {
namespace {

// A type of which a value can be put together from an integer's bits.
bool IsOfBits(const llvm::Type* type) {
  const llvm::Type* scalar = type->getScalarType();
  return !llvm::isa<llvm::ScalableVectorType>(type) && (scalar->isIntegerTy() || scalar->isIEEELikeFPTy()) &&
         scalar->getPrimitiveSizeInBits() <= 128;
}

// The lanes of a constant that are poison or undef; one for a scalar.
llvm::SmallVector<bool> OpenLanes(const llvm::Constant& constant) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(constant.getType());
  if (vector == nullptr) return {llvm::isa<llvm::UndefValue>(constant)};
  llvm::SmallVector<bool> lanes;
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    const llvm::Constant* lane = constant.getAggregateElement(i);
    lanes.push_back(lane != nullptr && llvm::isa<llvm::UndefValue>(lane));
  }
  return lanes;
}

llvm::Constant* MaskOf(llvm::LLVMContext& context, llvm::ArrayRef<bool> lanes) {
  llvm::SmallVector<llvm::Constant*> bits;
  for (const bool lane : lanes) bits.push_back(llvm::ConstantInt::getBool(context, lane));
  return llvm::ConstantVector::get(bits);
}

// Whether a value that is poison or undef in places is read in those places. The usual ways to fill a vector with one
// element do not: insert it into poison at 0 and shuffle that by zeros, without a second vector.
bool IsReadWhole(const llvm::Use& use) {
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(use.getUser())) {
    const auto* first = llvm::dyn_cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType());
    return use.getOperandNo() == 0 || first == nullptr || llvm::any_of(shuffle->getShuffleMask(), [&](int lane) {
             return lane >= static_cast<int>(first->getNumElements());
           });
  }
  const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(use.getUser());
  const auto* at = insert != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2)) : nullptr;
  if (at == nullptr || !at->isZero()) return true;
  return llvm::any_of(insert->users(), [&](const llvm::User* user) {
    const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(user);
    return shuffle == nullptr || !shuffle->isZeroEltSplat() || shuffle->getOperand(0) != insert;
  });
}

bool IsOpen(const llvm::Use& use) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(use.get());
  return constant != nullptr && IsOfBits(constant->getType()) && llvm::is_contained(OpenLanes(*constant), true) &&
         IsReadWhole(use);
}

// Sums and products that only addresses are made of. Without them, most programs make no poison.
bool IsOfAddresses(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::BinaryOperator>(instruction) && !instruction.isShift() && !instruction.isIntDivRem() &&
         !instruction.use_empty() && llvm::all_of(instruction.users(), [](const llvm::User* user) {
           return llvm::isa<llvm::GetElementPtrInst>(user) || IsOfAddresses(*llvm::cast<llvm::Instruction>(user));
         });
}

// The kind of an instruction: "shl", "llvm.abs".
std::string KindOf(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call == nullptr ? instruction.getOpcodeName() : llvm::Intrinsic::getBaseName(call->getIntrinsicID()).str();
}

// The type in whose words a value of 64 bits or fewer is told; none of a type that has no such words.
std::optional<ElementType> TypeInWords(const llvm::Type* type) {
  const llvm::Type* scalar = type->getScalarType();
  if (llvm::isa<llvm::ScalableVectorType>(type)) return std::nullopt;
  if (scalar->isHalfTy()) return ElementType::kF16;
  if (scalar->isBFloatTy()) return ElementType::kBF16;
  if (scalar->isFloatTy()) return ElementType::kF32;
  if (scalar->isDoubleTy()) return ElementType::kF64;
  for (const ElementType integer : {ElementType::kI1, ElementType::kI4, ElementType::kI8, ElementType::kI16,
                                    ElementType::kI32, ElementType::kI48, ElementType::kI64}) {
    if (scalar->isIntegerTy(static_cast<unsigned>(BitWidth(integer)))) return integer;
  }
  return std::nullopt;
}

// The operands of which the code tells what they were.
llvm::SmallVector<llvm::Value*> OperandsTold(llvm::Instruction& instruction) {
  llvm::SmallVector<llvm::Value*> told;
  // insertelement makes poison of all lanes at once.
  const auto* result = llvm::isa<llvm::InsertElementInst>(instruction)
                           ? nullptr
                           : llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  for (llvm::Value* operand : instruction.operand_values()) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(operand->getType());
    // The lane of a vector is that of the result.
    const bool has_lane =
        vector == nullptr || (result != nullptr && vector->getNumElements() == result->getNumElements());
    const bool is_new = !llvm::isa<llvm::Constant>(operand) && !llvm::is_contained(told, operand);
    if (is_new && has_lane && TypeInWords(operand->getType()) && told.size() < kOperandsTold) told.push_back(operand);
  }
  return told;
}

PoisonMaker MakerOf(llvm::Instruction& instruction, llvm::ModuleSlotTracker& slots) {
  const auto printed = [&](auto print) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    print(stream);
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
  };
  PoisonMaker maker = {.instruction = printed([&](llvm::raw_ostream& to) { instruction.print(to, slots); }),
                       .operands = {}};
  for (const llvm::Value* operand : OperandsTold(instruction)) {
    maker.operands.push_back({printed([&](llvm::raw_ostream& to) { operand->printAsOperand(to, false, slots); }),
                              *TypeInWords(operand->getType())});
  }
  return maker;
}

class Showing {
 public:
  Showing(llvm::Function& function, PoisonMakers* makers)
      : first_(&*function.getEntryBlock().getFirstInsertionPt()), makers_(makers), entry_(first_) {
    llvm::Module& module = *function.getParent();
    taken_for_ = module.getOrInsertFunction(kPoisonTakenForSymbol, entry_.getInt64Ty());
    llvm::Type* number = entry_.getInt64Ty();
    tell_ = module.getOrInsertFunction(kMadePoisonSymbol, entry_.getVoidTy(), number, number, number, number);
  }

  void Show(llvm::Instruction& instruction, PoisonMaker maker) {
    ReplaceOpenOperands(instruction, maker.instruction);
    if (!MayMakePoison(instruction) || IsOfAddresses(instruction)) return;
    if (instruction.isTerminator() || llvm::isa<llvm::PHINode>(instruction) || IsAssumption(instruction)) {
      if (HasFlags(instruction) || IsAssumption(instruction)) makers_->not_understood.insert(KindOf(instruction));
      return;
    }
    const llvm::SmallVector<llvm::Value*> operands = OperandsTold(instruction);
    llvm::IRBuilder<> before(&instruction);
    llvm::Value* undefined = MakeHarmless(instruction, before);
    if (llvm::isa<llvm::StoreInst>(instruction)) {
      ShowStore(instruction, undefined, std::move(maker), before);
      return;
    }
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : instruction.uses()) uses.push_back(&use);
    llvm::IRBuilder<> after(instruction.getNextNode());
    bool understood = true;
    llvm::Value* poison = PoisonCondition(instruction, after, &understood);
    if (undefined != nullptr) poison = poison != nullptr ? after.CreateOr(poison, undefined) : undefined;
    const bool can_be_chosen = IsOfBits(instruction.getType());
    if (!understood || (poison != nullptr && !can_be_chosen)) makers_->not_understood.insert(KindOf(instruction));
    if (poison == nullptr || !can_be_chosen) return;
    // Else what is asked of the result is folded away by what the flags promise of it.
    if (understood) instruction.dropPoisonGeneratingFlags();
    Tell(poison, operands, after);
    makers_->instructions.push_back(std::move(maker));
    llvm::Value* chosen = after.CreateSelect(poison, TakenFor(instruction.getType()), &instruction);
    for (llvm::Use* use : uses) use->set(chosen);
  }

 private:
  // Stores what poison is taken for where the store is undefined.
  void ShowStore(llvm::Instruction& store, llvm::Value* undefined, PoisonMaker maker, llvm::IRBuilder<>& before) {
    llvm::Value* value = store.getOperand(0);
    if (!IsOfBits(value->getType())) {
      makers_->not_understood.insert(KindOf(store));
      return;
    }
    Tell(undefined, {}, before);
    makers_->instructions.push_back(std::move(maker));
    store.setOperand(0, before.CreateSelect(undefined, TakenFor(value->getType()), value));
  }

  // Tells whether the next instruction made poison in any lane, and of which operands in the first such lane.
  void Tell(llvm::Value* poison, llvm::ArrayRef<llvm::Value*> operands, llvm::IRBuilder<>& builder) {
    llvm::Value *any = poison, *lane = nullptr;
    if (const auto* lanes = llvm::dyn_cast<llvm::FixedVectorType>(poison->getType())) {
      llvm::Value* bits = builder.CreateBitCast(poison, builder.getIntNTy(lanes->getNumElements()));
      any = builder.CreateICmpNE(bits, llvm::Constant::getNullValue(bits->getType()));
      lane = builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder.getFalse());
      lane = builder.CreateSelect(any, lane, llvm::Constant::getNullValue(bits->getType()));
      lane = builder.CreateZExtOrTrunc(lane, builder.getInt64Ty());
    }
    llvm::SmallVector<llvm::Value*> told = {builder.getInt64(makers_->instructions.size()),
                                            builder.CreateZExt(any, builder.getInt64Ty())};
    for (llvm::Value* operand : operands) {
      if (operand->getType()->isVectorTy()) operand = builder.CreateExtractElement(operand, lane);
      operand = builder.CreateBitCast(operand, builder.getIntNTy(operand->getType()->getScalarSizeInBits()));
      told.push_back(builder.CreateZExt(operand, builder.getInt64Ty()));
    }
    told.resize(2 + kOperandsTold, builder.getInt64(0));
    builder.CreateCall(tell_, told);
  }

  // The value that stands for poison of this type, the same throughout a call of the function.
  llvm::Value* TakenFor(llvm::Type* type) {
    llvm::Value*& value = values_[type];
    if (value != nullptr) return value;
    llvm::Value*& bits = values_[nullptr];
    if (bits == nullptr) bits = entry_.CreateCall(taken_for_, {});
    const auto width = static_cast<unsigned>(type->getScalarType()->getPrimitiveSizeInBits());
    llvm::Value* scalar = entry_.CreateZExtOrTrunc(bits, entry_.getIntNTy(width));
    scalar = entry_.CreateBitCast(scalar, type->getScalarType());
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return values_[type] = vector == nullptr ? scalar : entry_.CreateVectorSplat(vector->getNumElements(), scalar);
  }

  void ReplaceOpenOperands(llvm::Instruction& instruction, const std::string& text) {
    for (llvm::Use& use : instruction.operands()) {
      if (!IsOpen(use)) continue;
      auto* constant = llvm::cast<llvm::Constant>(use.get());
      const llvm::SmallVector<bool> lanes = OpenLanes(*constant);
      llvm::Value* value = TakenFor(constant->getType());
      if (lanes.size() > 1 && !llvm::isa<llvm::UndefValue>(constant)) {
        value = entry_.CreateSelect(MaskOf(entry_.getContext(), lanes), value, constant);
      }
      use.set(value);
      if (!llvm::is_contained(makers_->constants, text)) makers_->constants.push_back(text);
    }
  }

  llvm::Instruction* first_;
  PoisonMakers* makers_;
  llvm::IRBuilder<> entry_;
  llvm::FunctionCallee taken_for_, tell_;
  std::map<llvm::Type*, llvm::Value*> values_;
};

// Whether code may read a global of which the IR does not say what is in it.
bool HasOpenGlobal(const llvm::Module& module) {
  return llvm::any_of(module.globals(), [](const llvm::GlobalVariable& global) {
    return global.hasInitializer() && llvm::isa<llvm::UndefValue>(global.getInitializer());
  });
}

}  // namespace

bool HasPoisonToShow(const llvm::Module& module) {
  if (HasOpenGlobal(module)) return true;
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (MayMakePoison(instruction) && !IsOfAddresses(instruction)) return true;
      if (llvm::any_of(instruction.operands(), IsOpen)) return true;
    }
  }
  return false;
}

PoisonMakers ShowPoison(llvm::Module& module) {
  PoisonMakers makers;
  if (HasOpenGlobal(module)) makers.not_understood.insert("a global of undef");
  llvm::ModuleSlotTracker slots(&module);
  std::vector<std::pair<llvm::Instruction*, PoisonMaker>> instructions;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    slots.incorporateFunction(function);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const bool is_told = MayMakePoison(instruction) || llvm::any_of(instruction.operands(), IsOpen);
      instructions.emplace_back(&instruction, is_told ? MakerOf(instruction, slots) : PoisonMaker());
    }
  }
  const llvm::Function* last = nullptr;
  std::optional<Showing> showing;
  for (auto& [instruction, maker] : instructions) {
    if (instruction->getFunction() != last) showing.emplace(*instruction->getFunction(), &makers);
    last = instruction->getFunction();
    showing->Show(*instruction, std::move(maker));
  }
  return makers;
}

}  // namespace tosaic
