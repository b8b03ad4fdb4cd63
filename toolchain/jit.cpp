#include "toolchain/jit.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "toolchain/executor.h"

namespace tosaic {
namespace {

absl::Status ToStatus(llvm::Error error) { return absl::InternalError(llvm::toString(std::move(error))); }

// Instead of LLVM's own handler, which prints and ends the process.
void CollectErrors(const llvm::DiagnosticInfo* diagnostic, void* errors) {
  if (diagnostic->getSeverity() != llvm::DS_Error) return;
  llvm::raw_string_ostream stream(*static_cast<std::string*>(errors));
  llvm::DiagnosticPrinterRawOStream printer(stream);
  diagnostic->print(printer);
  stream << '\n';
}

// Puts the program's function into its C wrapper, the only caller: one function to compile instead of two, and no
// call with a descriptor's fields as arguments, which sends LLVM's fast instruction selector back to the slow one.
// An eighth of a case's compilation; anything else is left as the lowering made it.
void InlineIntoWrapper(llvm::Module& module) {
  llvm::Function* main = module.getFunction("main");
  if (main == nullptr || !main->hasOneUse()) return;
  auto* call = llvm::dyn_cast<llvm::CallInst>(main->user_back());
  llvm::InlineFunctionInfo info;
  if (call != nullptr && llvm::InlineFunction(*call, info).isSuccess()) main->eraseFromParent();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Jit>> Jit::Create() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  llvm::orc::JITTargetMachineBuilder machine(triple);
  machine.setCPU(triple.getArch() == llvm::Triple::x86_64 ? "x86-64" : "generic");
  machine.setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  machine.setRelocationModel(llvm::Reloc::PIC_);

  std::unique_ptr<Jit> result(new Jit());
  auto context = std::make_unique<llvm::LLVMContext>();
  result->context_ = context.get();
  context->setDiagnosticHandlerCallBack(CollectErrors, &result->codegen_errors_);
  result->shared_context_ = llvm::orc::ThreadSafeContext(std::move(context));
  llvm::orc::LLJITBuilder builder;
  builder.setJITTargetMachineBuilder(machine);
  builder.setPlatformSetUp(llvm::orc::setUpInactivePlatform);
  builder.setLinkProcessSymbolsByDefault(false);
  builder.setCompileFunctionCreator([](llvm::orc::JITTargetMachineBuilder own)
                                        -> llvm::Expected<std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> {
    auto target_machine = own.createTargetMachine();
    if (!target_machine) return target_machine.takeError();
    return std::make_unique<llvm::orc::TMOwningSimpleCompiler>(std::move(*target_machine));
  });
  auto jit = builder.create();
  if (!jit) return ToStatus(jit.takeError());
  result->jit_ = std::move(*jit);

  llvm::orc::ExecutionSession& session = result->jit_->getExecutionSession();
  session.setErrorReporter(
      [jit = result.get()](llvm::Error error) { jit->session_error_ = llvm::toString(std::move(error)); });
  result->runtime_ = &session.createBareJITDylib("runtime");
  llvm::orc::SymbolMap symbols;
  for (const Executor::Symbol& symbol : Executor::RuntimeSymbols()) {
    symbols[session.intern(llvm::StringRef(symbol.name.data(), symbol.name.size()))] = {
        llvm::orc::ExecutorAddr::fromPtr(symbol.address), llvm::JITSymbolFlags::Exported};
  }
  if (llvm::Error error = result->runtime_->define(llvm::orc::absoluteSymbols(std::move(symbols)))) {
    return ToStatus(std::move(error));
  }
  return result;
}

Jit::CompiledModule::CompiledModule(CompiledModule&& other) noexcept
    : session_(other.session_), dylib_(std::exchange(other.dylib_, nullptr)), entry_(other.entry_) {}

Jit::CompiledModule::~CompiledModule() {
  if (dylib_ != nullptr) llvm::consumeError(session_->removeJITDylib(*dylib_));
}

absl::StatusOr<Jit::CompiledModule> Jit::Compile(std::unique_ptr<llvm::Module> module) {
  llvm::orc::ExecutionSession& session = jit_->getExecutionSession();
  llvm::orc::JITDylib& dylib = session.createBareJITDylib(absl::StrCat("case", modules_++));
  CompiledModule compiled(&session, &dylib, nullptr);  // drops the dylib on every way out
  dylib.addToLinkOrder(*runtime_);
  session_error_.clear();
  codegen_errors_.clear();
  InlineIntoWrapper(*module);
  if (llvm::Error error = jit_->addIRModule(dylib, llvm::orc::ThreadSafeModule(std::move(module), shared_context_))) {
    return ToStatus(std::move(error));
  }
  auto entry = jit_->lookup(dylib, "_mlir_ciface_main");
  if (!entry) {
    // The session reports the cause ("Symbols not found: [ rsqrtf ]"), the lookup only that it failed.
    const std::string failed = llvm::toString(entry.takeError());
    return absl::InternalError(session_error_.empty() ? failed : session_error_);
  }
  if (!codegen_errors_.empty()) return absl::InternalError(codegen_errors_);
  compiled.entry_ = entry->toPtr<void*>();
  return compiled;
}

}  // namespace tosaic
