// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of a program's results depend on poison or undefined behaviour of its LLVM IR (docs/policies.md,
// poison): shows it (toolchain/execution/poison.h), and executes the runs again.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_POISON_SEARCH_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_POISON_SEARCH_H_

#include <memory>
#include <string>

#include "llvm/IR/Module.h"
#include "model/observation.h"
#include "model/program.h"
#include "toolchain/execution/compiled_program.h"
#include "toolchain/execution/executor.h"
#include "toolchain/execution/jit.h"

namespace tosaic {

// The module, in the context of this JIT and for its machine; null if the text is none that this LLVM reads.
std::unique_ptr<llvm::Module> ModuleFor(Jit& jit, const llvm::Module& module);
std::unique_ptr<llvm::Module> ModuleFor(Jit& jit, const std::string& text);

// Adds to an observation of completed runs which elements depend on poison (ResultObservation::poisoned), and what may
// have gone unseen. `module`: the program's IR before optimization, in this JIT's context. `program`: how it is called;
// its code is not used. `executor`: the one that executed the runs, if they were executed in this process.
void SearchForPoison(Jit& jit, std::unique_ptr<llvm::Module> module, CompiledProgram program, const Case& test_case,
                     Executor& executor, Observation* observation);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_POISON_SEARCH_H_
