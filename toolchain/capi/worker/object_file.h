// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Object files of modules in LLVM's dialect, made by MLIR's ExecutionEngine: what versions of LLVM agree on.
#ifndef TOSAIC_TOOLCHAIN_CAPI_WORKER_OBJECT_FILE_H_
#define TOSAIC_TOOLCHAIN_CAPI_WORKER_OBJECT_FILE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/observation.h"
#include "toolchain/capi/worker/c_library.h"

namespace tosaic {

// Sets the options of all object files: registers are allocated the fast way, on every level of optimization. To be
// called once in a process.
void SetUpCodeGeneration(const CLibrary& c);

// How code is to be made of the module's functions: as in -O`optimization`, and for a plain CPU of this machine's
// architecture, whatever the one at hand can do, unless it is for that one. So results do not depend on the machine.
void SetCodeGeneration(const CLibrary& c, MlirContext context, MlirModule module, int optimization, bool for_host_cpu);

// Moves all that the other modules hold into the first. A name that is taken there gets the module's number behind it.
void Unite(const CLibrary& c, MlirContext context, const std::vector<MlirModule>& modules);
// The name of a function of module `number` then. REQUIRES: all have it.
std::string NameInUnion(absl::string_view function, size_t number);

struct ObjectMade {
  Stage stage = Stage::kTranslate;  // the last one entered, which said no if there are no bytes
  std::string bytes;
};
// Translates the module and compiles it, as in -O`optimization`.
ObjectMade CompileModule(const CLibrary& c, MlirModule module, int optimization);

// The module's translation as text of LLVM IR; nullopt: there is none. REQUIRES: GivesLlvmIr.
std::optional<std::string> LlvmIrOf(const CLibrary& c, MlirModule module);
// Whether the library has the functions for it.
bool GivesLlvmIr(const CLibrary& c);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_WORKER_OBJECT_FILE_H_
