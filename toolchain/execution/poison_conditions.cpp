// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/poison_conditions.h"

#include <algorithm>
#include <cmath>

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/MathExtras.h"

namespace tosaic {
namespace {

using llvm::Instruction;
using llvm::Value;
using Builder = llvm::IRBuilder<>;

Value* Or(Builder& builder, Value* a, Value* b) { return a != nullptr ? builder.CreateOr(a, b) : b; }

Value* Zero(const Value* like) { return llvm::Constant::getNullValue(like->getType()); }

unsigned WidthOf(const Value* value) { return value->getType()->getScalarSizeInBits(); }

Value* Least(const Value* like) {
  return llvm::ConstantInt::get(like->getType(), llvm::APInt::getSignedMinValue(WidthOf(like)));
}

Value* Overflow(Builder& builder, llvm::Intrinsic::ID id, Value* a, Value* b) {
  return builder.CreateExtractValue(builder.CreateBinaryIntrinsic(id, a, b), 1);
}

// add, sub and mul with nsw and nuw.
Value* OfSum(const llvm::BinaryOperator& op, Builder& builder) {
  const bool is_add = op.getOpcode() == Instruction::Add, is_sub = op.getOpcode() == Instruction::Sub;
  Value *a = op.getOperand(0), *b = op.getOperand(1), *poison = nullptr;
  if (op.hasNoSignedWrap()) {
    poison = Overflow(builder,
                      is_add   ? llvm::Intrinsic::sadd_with_overflow
                      : is_sub ? llvm::Intrinsic::ssub_with_overflow
                               : llvm::Intrinsic::smul_with_overflow,
                      a, b);
  }
  if (op.hasNoUnsignedWrap()) {
    poison = Or(builder, poison,
                Overflow(builder,
                         is_add   ? llvm::Intrinsic::uadd_with_overflow
                         : is_sub ? llvm::Intrinsic::usub_with_overflow
                                  : llvm::Intrinsic::umul_with_overflow,
                         a, b));
  }
  return poison;
}

// An amount of the width or more; bits that exact, nsw or nuw say are not lost.
Value* OfShift(llvm::BinaryOperator& op, Builder& builder) {
  Value *x = op.getOperand(0), *amount = op.getOperand(1);
  Value* width = llvm::ConstantInt::get(amount->getType(), WidthOf(x));
  Value* poison = builder.CreateICmpUGE(amount, width);
  Value* fits = builder.CreateSelect(poison, Zero(amount), amount);
  const auto loses = [&](Instruction::BinaryOps there, Instruction::BinaryOps back) {
    Value* shifted = builder.CreateBinOp(there, x, fits);
    return builder.CreateICmpNE(builder.CreateBinOp(back, shifted, fits), x);
  };
  const Instruction::BinaryOps opcode = op.getOpcode();
  if (opcode != Instruction::Shl) {
    return op.isExact() ? Or(builder, poison, loses(opcode, Instruction::Shl)) : poison;
  }
  if (op.hasNoSignedWrap()) poison = Or(builder, poison, loses(opcode, Instruction::AShr));
  if (op.hasNoUnsignedWrap()) poison = Or(builder, poison, loses(opcode, Instruction::LShr));
  return poison;
}

Value* OfBinary(llvm::BinaryOperator& op, Builder& builder) {
  Value *a = op.getOperand(0), *b = op.getOperand(1);
  switch (static_cast<unsigned>(op.getOpcode())) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
      return OfSum(op, builder);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return OfShift(op, builder);
    case Instruction::SDiv:
      return op.isExact() ? builder.CreateICmpNE(builder.CreateSRem(a, b), Zero(a)) : nullptr;
    case Instruction::UDiv:
      return op.isExact() ? builder.CreateICmpNE(builder.CreateURem(a, b), Zero(a)) : nullptr;
    case Instruction::Or:
      return llvm::cast<llvm::PossiblyDisjointInst>(op).isDisjoint()
                 ? builder.CreateICmpNE(builder.CreateAnd(a, b), Zero(a))
                 : nullptr;
    default:
      return nullptr;
  }
}

bool RoundsAwayFromZero(const Instruction& instruction) {
  const llvm::Intrinsic::ID id = llvm::cast<llvm::IntrinsicInst>(instruction).getIntrinsicID();
  return id == llvm::Intrinsic::lround || id == llvm::Intrinsic::llround;
}

// llvm.lrint and its like. What does not fit is any value by LLVM's language reference, as if poison were frozen.
bool RoundsToInteger(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call == nullptr) return false;
  const llvm::Intrinsic::ID id = call->getIntrinsicID();
  return id == llvm::Intrinsic::lrint || id == llvm::Intrinsic::llrint || id == llvm::Intrinsic::lround ||
         id == llvm::Intrinsic::llround;
}

// Of floats up to 64 bits, which a double holds. What is truncated, or rounded to the nearest, must fit: the bounds are
// those of the next integers, or half way to them.
Value* OfFloatToInteger(const Instruction& op, Builder& builder, bool* understood) {
  Value* x = op.getOperand(0);
  const bool rounds = RoundsToInteger(op);
  const bool is_signed = rounds || op.getOpcode() == Instruction::FPToSI;
  if (x->getType()->getScalarSizeInBits() > 64 || WidthOf(&op) > 128) {
    *understood = false;
    return nullptr;
  }
  llvm::Type* type = x->getType()->getWithNewType(builder.getDoubleTy());
  if (x->getType() != type) x = builder.CreateFPExt(x, type);
  const int bits = static_cast<int>(WidthOf(&op)) - (is_signed ? 1 : 0);
  const double above = std::ldexp(1.0, bits);
  const double least = is_signed ? -above : 0;
  const double room = rounds ? 0.5 : 1;
  // Half way below the least integer is the tie that the even one, which is the least, wins.
  const bool is_tie = rounds && !RoundsAwayFromZero(op);
  const bool has_next = least - room != least && !is_tie;
  Value* high = builder.CreateFCmpUGE(x, llvm::ConstantFP::get(type, rounds ? above - room : above));
  Value* low = has_next ? builder.CreateFCmpULE(x, llvm::ConstantFP::get(type, least - room))
                        : builder.CreateFCmpULT(x, llvm::ConstantFP::get(type, is_tie ? least - room : least));
  return builder.CreateOr(low, high);
}

Value* OfCast(llvm::CastInst& op, Builder& builder, bool* understood) {
  Value* x = op.getOperand(0);
  if (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(op)) return OfFloatToInteger(op, builder, understood);
  if (llvm::isa<llvm::PossiblyNonNegInst>(op)) return op.hasNonNeg() ? builder.CreateICmpSLT(x, Zero(x)) : nullptr;
  auto* trunc = llvm::dyn_cast<llvm::TruncInst>(&op);
  if (trunc == nullptr) return nullptr;
  Value* poison = nullptr;
  if (trunc->hasNoSignedWrap()) poison = builder.CreateICmpNE(builder.CreateSExt(trunc, x->getType()), x);
  if (trunc->hasNoUnsignedWrap()) {
    poison = Or(builder, poison, builder.CreateICmpNE(builder.CreateZExt(trunc, x->getType()), x));
  }
  return poison;
}

// nnan and ninf, of operands and result. Of a select only the result, for the other operand is not used.
Value* OfFastMath(Instruction& op, Builder& builder) {
  if (!llvm::isa<llvm::FPMathOperator>(op) || !(op.hasNoNaNs() || op.hasNoInfs())) return nullptr;
  llvm::SmallVector<Value*> values;
  if (!op.getType()->isIntOrIntVectorTy()) values.push_back(&op);
  if (!llvm::isa<llvm::SelectInst>(op)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&op);
    for (Value* operand :
         call != nullptr ? llvm::to_vector<4>(llvm::map_range(call->args(), [](llvm::Use& use) { return use.get(); }))
                         : llvm::SmallVector<Value*, 4>(op.operand_values())) {
      if (operand->getType()->isFPOrFPVectorTy()) values.push_back(operand);
    }
  }
  Value* poison = nullptr;
  for (Value* value : values) {
    if (op.hasNoNaNs()) poison = Or(builder, poison, builder.CreateFCmpUNO(value, value));
    if (!op.hasNoInfs()) continue;
    for (const bool negative : {false, true}) {
      Value* infinity = llvm::ConstantFP::getInfinity(value->getType(), negative);
      poison = Or(builder, poison, builder.CreateFCmpOEQ(value, infinity));
    }
  }
  return poison;
}

// llvm.abs, llvm.ctlz and llvm.cttz, whose second operand says whether one value is poison.
Value* OfIntrinsic(const llvm::IntrinsicInst& call, Builder& builder) {
  Value* x = call.arg_size() == 2 ? call.getArgOperand(0) : nullptr;
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::abs:
      return llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne() ? builder.CreateICmpEQ(x, Least(x))
                                                                           : nullptr;
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
      return llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne() ? builder.CreateICmpEQ(x, Zero(x)) : nullptr;
    default:
      return nullptr;
  }
}

// An index at run time that is outside the vector.
Value* OfLane(const Value* vector, Value* index, Builder& builder) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());
  if (type == nullptr) return nullptr;
  const llvm::APInt count(WidthOf(index) + 32, type->getNumElements());
  if (count.getActiveBits() > WidthOf(index)) return nullptr;
  return builder.CreateICmpUGE(index, llvm::ConstantInt::get(index->getType(), count.trunc(WidthOf(index))));
}

// Lanes that are taken from nowhere.
Value* OfShuffle(const llvm::ShuffleVectorInst& op, Builder& builder) {
  llvm::SmallVector<llvm::Constant*> open;
  for (const int lane : op.getShuffleMask()) open.push_back(builder.getInt1(lane < 0));
  const bool is_fixed = llvm::isa<llvm::FixedVectorType>(op.getType());
  const bool has_open = llvm::any_of(op.getShuffleMask(), [](int lane) { return lane < 0; });
  return is_fixed && has_open ? llvm::ConstantVector::get(open) : nullptr;
}

// The alignment that memory of this type has in any case: that of its elements. Pointers lie in descriptors.
llvm::Align NaturalAlignment(const llvm::Type* type) {
  const llvm::Type* scalar = type->getScalarType();
  const uint64_t bits = scalar->isPointerTy() ? 64 : scalar->getPrimitiveSizeInBits().getKnownMinValue();
  return llvm::Align(llvm::PowerOf2Ceil(std::max<uint64_t>(1, bits / 8)));
}

// A load or store that says more of its address than its type does.
bool IsOveraligned(const Instruction& instruction) {
  if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) return false;
  const llvm::Type* type = llvm::getLoadStoreType(&instruction);
  return type->isSingleValueType() && llvm::getLoadStoreAlignment(&instruction) > NaturalAlignment(type);
}

// The condition under which the address is not as the load or store says, which then says nothing any more.
Value* MakeUnaligned(Instruction& instruction, Builder& builder) {
  if (!IsOveraligned(instruction)) return nullptr;
  const uint64_t below = llvm::getLoadStoreAlignment(&instruction).value() - 1;
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  load != nullptr ? load->setAlignment(llvm::Align(1))
                  : llvm::cast<llvm::StoreInst>(instruction).setAlignment(llvm::Align(1));
  Value* address = builder.CreatePtrToInt(llvm::getLoadStorePointerOperand(&instruction), builder.getInt64Ty());
  return builder.CreateICmpNE(builder.CreateAnd(address, builder.getInt64(below)), builder.getInt64(0));
}

}  // namespace

bool HasFlags(const Instruction& instruction) {
  if (llvm::isa<llvm::GetElementPtrInst>(instruction)) return false;
  const auto* math = llvm::dyn_cast<llvm::FPMathOperator>(&instruction);
  return math != nullptr ? math->hasNoNaNs() || math->hasNoInfs() : instruction.hasPoisonGeneratingFlags();
}

bool IsAssumption(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::assume &&
         !llvm::isa<llvm::ConstantInt>(call->getArgOperand(0));
}

bool MayMakePoison(const Instruction& instruction) {
  if (HasFlags(instruction) || llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(instruction)) return true;
  if (RoundsToInteger(instruction)) return true;
  if (IsOveraligned(instruction) || IsAssumption(instruction)) return true;
  if (instruction.isShift() || instruction.isIntDivRem()) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(instruction.getOperand(1));
    if (constant != nullptr && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant);
    if (number == nullptr) return true;
    return instruction.isShift() ? number->getValue().uge(WidthOf(&instruction))
                                 : number->isZero() || number->isMinusOne();
  }
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    const llvm::Intrinsic::ID id = call->getIntrinsicID();
    return (id == llvm::Intrinsic::abs || id == llvm::Intrinsic::ctlz || id == llvm::Intrinsic::cttz) &&
           llvm::cast<llvm::ConstantInt>(call->getArgOperand(1))->isOne();
  }
  if (llvm::isa<llvm::InsertElementInst>(instruction)) return !llvm::isa<llvm::ConstantInt>(instruction.getOperand(2));
  if (llvm::isa<llvm::ExtractElementInst>(instruction)) return !llvm::isa<llvm::ConstantInt>(instruction.getOperand(1));
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction);
  return shuffle != nullptr && llvm::any_of(shuffle->getShuffleMask(), [](int lane) { return lane < 0; });
}

Value* PoisonCondition(Instruction& instruction, Builder& builder, bool* understood) {
  Value* poison = OfFastMath(instruction, builder);
  if (RoundsToInteger(instruction)) poison = Or(builder, poison, OfFloatToInteger(instruction, builder, understood));
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction); binary != nullptr && poison == nullptr) {
    poison = OfBinary(*binary, builder);
  } else if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction); cast != nullptr && poison == nullptr) {
    poison = OfCast(*cast, builder, understood);
  } else if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction); call != nullptr && poison == nullptr) {
    poison = OfIntrinsic(*call, builder);
  } else if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
    poison = OfLane(insert, insert->getOperand(2), builder);
  } else if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
    poison = OfLane(extract->getVectorOperand(), extract->getIndexOperand(), builder);
  } else if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    poison = OfShuffle(*shuffle, builder);
  }
  if (HasFlags(instruction) && poison == nullptr) *understood = false;
  const auto* constant = llvm::dyn_cast_or_null<llvm::Constant>(poison);
  return constant != nullptr && constant->isNullValue() ? nullptr : poison;
}

Value* MakeHarmless(Instruction& instruction, Builder& builder) {
  auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
  if (op == nullptr || !op->isIntDivRem()) return MakeUnaligned(instruction, builder);
  Value *a = op->getOperand(0), *b = op->getOperand(1);
  Value* undefined = builder.CreateICmpEQ(b, Zero(b));
  if (op->getOpcode() == Instruction::SDiv || op->getOpcode() == Instruction::SRem) {
    Value* minus_one = llvm::Constant::getAllOnesValue(b->getType());
    Value* overflows = builder.CreateAnd(builder.CreateICmpEQ(a, Least(a)), builder.CreateICmpEQ(b, minus_one));
    undefined = builder.CreateOr(undefined, overflows);
  }
  op->setOperand(1, builder.CreateSelect(undefined, llvm::ConstantInt::get(b->getType(), 1), b));
  const auto* constant = llvm::dyn_cast<llvm::Constant>(undefined);
  return constant != nullptr && constant->isNullValue() ? nullptr : undefined;
}

}  // namespace tosaic
