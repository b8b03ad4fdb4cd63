// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine that code is made for, and the IR passes of -O2.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_TARGET_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_TARGET_H_

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include "toolchain/execution/compiled_program.h"

namespace tosaic {

// The target of this machine's CPU, or of a plain CPU of its architecture, or of another CPU. Error: LLVM lacks it.
llvm::Expected<llvm::orc::JITTargetMachineBuilder> MachineOf(const CodeGeneration& generation);

// Runs the IR passes of clang -O2.
void OptimizeFor(llvm::TargetMachine& machine, llvm::Module& module);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_TARGET_H_
