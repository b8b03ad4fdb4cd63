// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/compiled_program.h"

namespace tosaic {

CodeGeneration GenerationOf(const Route& route) { return {.optimized = route.optimized, .host_cpu = route.host_cpu}; }

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
