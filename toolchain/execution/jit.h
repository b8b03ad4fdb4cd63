// Jit: LLVM IR in, entry point out. One LLJIT with one target machine for the process; a JITDylib per module that
// goes when its CompiledModule goes.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_JIT_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_JIT_H_

#include <compare>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace tosaic {

// How code is made. By default unoptimised for a plain x86-64 (elsewhere: the generic CPU of the host's architecture),
// so that results do not depend on the machine.
struct CodeGeneration {
  bool optimized = false;  // -O2, IR passes and code generator, else -O0
  bool host_cpu = false;   // all features of this machine's CPU

  friend auto operator<=>(const CodeGeneration&, const CodeGeneration&) = default;
};

class Jit {
 public:
  static absl::StatusOr<std::unique_ptr<Jit>> Create(const CodeGeneration& generation = {});

  class CompiledModule {
   public:
    CompiledModule(llvm::orc::ExecutionSession* session, llvm::orc::JITDylib* dylib, void* entry)
        : session_(session), dylib_(dylib), entry_(entry) {}
    CompiledModule(CompiledModule&& other) noexcept;
    CompiledModule& operator=(CompiledModule&&) = delete;
    ~CompiledModule();
    void* entry() const { return entry_; }

   private:
    friend class Jit;
    llvm::orc::ExecutionSession* session_;
    llvm::orc::JITDylib* dylib_;
    void* entry_;
  };

  // Modules to be compiled live in this context.
  llvm::LLVMContext& context() { return *context_; }
  const llvm::DataLayout& data_layout() const { return jit_->getDataLayout(); }
  const llvm::Triple& triple() const { return jit_->getTargetTriple(); }

  // Compiles the module and looks up `_mlir_ciface_main`. An error names the symbols that do not resolve.
  absl::StatusOr<CompiledModule> Compile(std::unique_ptr<llvm::Module> module);

 private:
  Jit() = default;
  void Optimize(llvm::Module& module);
  llvm::LLVMContext* context_ = nullptr;  // owned by shared_context_
  llvm::orc::ThreadSafeContext shared_context_;
  std::unique_ptr<llvm::TargetMachine> optimizer_;  // set if code is optimised
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  llvm::orc::JITDylib* runtime_ = nullptr;
  uint64_t modules_ = 0;
  std::string session_error_;
  std::string codegen_errors_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_JIT_H_
