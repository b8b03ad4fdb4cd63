// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/compiled_program.h"

#include "absl/strings/str_cat.h"
#include "gnu/libc-version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Triple.h"

namespace tosaic {

CodeGeneration GenerationOf(const Route& route) { return {.optimized = route.optimized, .host_cpu = route.host_cpu}; }

std::string RuntimeDescription() {
  return absl::StrCat("glibc ", gnu_get_libc_version(), "; generated code for plain ",
                      llvm::Triple(LLVM_DEFAULT_TARGET_TRIPLE).getArchName().str(), ", -O0");
}

CompiledProgram ProgramOn(const Route& route) {
  CompiledProgram program;
  program.generation = GenerationOf(route);
  program.options.count_leaks = route.deallocates;
  program.options.alignment = route.alignment;
  program.options.counts_stores = route.counts_stores;
  program.verifies_extents = route.verifies;
  program.calls_library = route.calls_library;
  return program;
}

}  // namespace tosaic
