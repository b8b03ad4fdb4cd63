// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CompiledProgram: the plain value that lowering passes to running, whoever made it. Making one of an object file needs
// no LLVM, so a process that links another LLVM, or none, may do the lowering.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_COMPILED_PROGRAM_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_COMPILED_PROGRAM_H_

#include <compare>
#include <memory>
#include <string>
#include <variant>

#include "model/cpus.h"
#include "model/routes.h"
#include "toolchain/execution/executor.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace tosaic {

// How code is made of LLVM IR. The default is unoptimised code for a plain x86-64 (elsewhere for the generic CPU of the
// host's architecture), so that results do not depend on the machine.
struct CodeGeneration {
  bool optimized = false;    // -O2, IR passes and code generator, else -O0
  bool host_cpu = false;     // all features of this machine's CPU, or of `cpu`
  const Cpu* cpu = nullptr;  // for which code is made; null: this machine's

  friend auto operator<=>(const CodeGeneration&, const CodeGeneration&) = default;
};
CodeGeneration GenerationOf(const Route& route);

// A relocatable ELF file of the architecture of the CPU that it will run on, with position-independent code.
struct ObjectFile {
  std::string bytes;
};

// LLVM IR in the context of the JIT of its way of making code (CodeRunner::JitFor), deleted as its maker says.
using IrModule = std::unique_ptr<llvm::Module, void (*)(llvm::Module*)>;

// The name of the entry that MLIR's lowering makes for a function @main with llvm.emit_c_interface.
inline constexpr char kEntry[] = "_mlir_ciface_main";

struct CompiledProgram {
  std::variant<ObjectFile, IrModule> code;
  // A function of MLIR's C interface: a pointer to the results' descriptors, then one to a descriptor per operand. The
  // code may call what Executor::RuntimeSymbols names, and nothing else of the host.
  std::string entry = kEntry;
  CodeGeneration generation;  // of IR
  // Who owns the results and other allocations, and the external library that is called.
  Executor::Options options;
  bool verifies_extents = false;  // it stops itself where run-time extents do not fit
  bool calls_library = false;     // the functions of options.library are called
  bool has_calls = false;         // an object file that has the calls which the route adds: of stores, of the library
  // Of an object file: the LLVM IR that it was made of, as text, whose entry is kEntry; empty: nobody knows it.
  std::string ir;
};

// The C runtime and CPU behind the executor, for result files: "glibc 2.36", "x86-64".
std::string RuntimeDescription();

// The program that a route makes, without the code and the library.
CompiledProgram ProgramOn(const Route& route);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_COMPILED_PROGRAM_H_
