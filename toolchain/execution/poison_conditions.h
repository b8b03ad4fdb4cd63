// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When an instruction makes poison of operands that are none, or has undefined behaviour: LLVM's language
// reference, 22.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_POISON_CONDITIONS_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_POISON_CONDITIONS_H_

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instruction.h"

namespace tosaic {

// Whether it has flags that make poison.
bool HasFlags(const llvm::Instruction& instruction);

// Whether it is an llvm.assume of what may be false, which makes the run undefined and no value poison.
bool IsAssumption(const llvm::Instruction& instruction);

// Whether it makes poison, or is undefined, for some operands that are not poison, as far as constants among them tell.
bool MayMakePoison(const llvm::Instruction& instruction);

// The condition, an i1 or one per lane, as `builder` adds it behind the instruction; null if it makes none. Sets
// `understood` to false if it may make poison, and there is no condition for that here.
llvm::Value* PoisonCondition(llvm::Instruction& instruction, llvm::IRBuilder<>& builder, bool* understood);

// Of a division: the condition under which it has no quotient, as `builder` adds it before, and another divisor for
// that case. Of a load or store whose alignment is more than its type's: the condition under which its address has
// less, and no alignment any more. Null of anything else.
llvm::Value* MakeHarmless(llvm::Instruction& instruction, llvm::IRBuilder<>& builder);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_POISON_CONDITIONS_H_
