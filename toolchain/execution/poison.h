// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes poison and undefined behaviour of LLVM IR visible. Poison may be taken for any value, so the IR takes it for
// one that the executor says: whatever changes with the answer depends on poison. `select`, `freeze`, memory and lanes
// of vectors need no rule of their own.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_POISON_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_POISON_H_

#include <set>
#include <string>
#include <vector>

#include "llvm/IR/Module.h"
#include "toolchain/execution/poison_maker.h"

namespace tosaic {

// Whether ShowPoison may change it.
bool HasPoisonToShow(const llvm::Module& module);

struct PoisonMakers {
  std::vector<PoisonMaker> instructions;  // that may make poison, by the numbers that the code tells
  std::vector<std::string> constants;     // instructions with operands that are poison or undef, as text
  // Kinds of instructions that may make poison in a way that has no condition here: "icmp", "llvm.fma".
  std::set<std::string> not_understood;
};

// Behind each instruction that can make poison, or be undefined, for some of its operands, adds the condition for it
// and a choice between its value and what the executor says (toolchain/execution/runtime_symbols.h); poison and undef
// as operands are taken for the same. Divisions without a quotient are made harmless first. Left out, for the
// executor's guarded memory shows them: addresses, and what only they are made of. As of LLVM's language reference, 22.
PoisonMakers ShowPoison(llvm::Module& module);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_POISON_H_
