// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jit: LLVM IR or an object file in, entry point out. One LLJIT with one target machine for the process; a JITDylib per
// module that goes when its CompiledModule goes.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_JIT_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_JIT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "toolchain/execution/code_image.h"
#include "toolchain/execution/compiled_program.h"
#include "toolchain/execution/cpu_protocol.h"

namespace tosaic {

class Jit {
 public:
  // `server`: what is compiled is linked for its memory, as an image; null: for this process.
  static absl::StatusOr<std::unique_ptr<Jit>> Create(const CodeGeneration& generation = {},
                                                     const CpuGreeting* server = nullptr);

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
  // Makes a module one of the machine that code is made for.
  void Fit(llvm::Module& module) const;

  // Compiles the module and looks up the entry. An error names the symbols that do not resolve.
  absl::StatusOr<CompiledModule> Compile(std::unique_ptr<llvm::Module> module, absl::string_view entry = kEntry);
  // The code of the last module, linked for a server. REQUIRES: there is one.
  const CodeImage& image() const { return image_->image(); }
  // The same as Compile of code that something else has compiled.
  absl::StatusOr<CompiledModule> Link(const ObjectFile& object, absl::string_view entry = kEntry);

 private:
  Jit() = default;
  CompiledModule Begin();
  absl::StatusOr<CompiledModule> Finish(CompiledModule compiled, absl::string_view name);
  llvm::LLVMContext* context_ = nullptr;  // owned by shared_context_
  llvm::orc::ThreadSafeContext shared_context_;
  std::unique_ptr<llvm::TargetMachine> optimizer_;  // set if code is optimised
  std::unique_ptr<ImageMemory> image_;              // set if it links for a server
  std::string session_error_;
  std::string codegen_errors_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  llvm::orc::JITDylib* runtime_ = nullptr;
  uint64_t modules_ = 0;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_JIT_H_
