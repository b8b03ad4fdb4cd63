// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/jit.h"

#include <dlfcn.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "llvm/Analysis/ValueTracking.h"
#if __has_include("llvm/ExecutionEngine/Orc/AbsoluteSymbols.h")
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#endif
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "toolchain/execution/executor.h"
#include "toolchain/execution/kept_compiler.h"
#include "toolchain/execution/llvm_status.h"
#include "toolchain/execution/target.h"

namespace tosaic {
namespace {

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

// Makes the loads volatile of which nothing, or only lanes of a vector, are used. Code generation would drop or narrow
// them, and with them an access outside a buffer, which is undefined whatever becomes of the value.
void KeepLoads(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const auto takes_a_part = [](const llvm::User* user) { return llvm::isa<llvm::ExtractElementInst>(user); };
      if (load != nullptr && llvm::all_of(load->users(), takes_a_part)) load->setVolatile(true);
    }
  }
}

// The scalars in a value of struct or array type, as paths for extractvalue; none for a scalar.
std::vector<std::vector<unsigned>> FieldsOf(llvm::Type* type) {
  if (!type->isAggregateType()) return {};
  std::vector<std::vector<unsigned>> fields;
  const auto count =
      static_cast<unsigned>(type->isArrayTy() ? type->getArrayNumElements() : type->getStructNumElements());
  for (unsigned i = 0; i < count; ++i) {
    std::vector<std::vector<unsigned>> inner = FieldsOf(llvm::ExtractValueInst::getIndexedType(type, i));
    if (inner.empty()) inner.emplace_back();
    for (std::vector<unsigned>& field : inner) {
      field.insert(field.begin(), i);
      fields.push_back(std::move(field));
    }
  }
  return fields;
}

llvm::Value* FieldAddress(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* base,
                          llvm::ArrayRef<unsigned> field) {
  llvm::SmallVector<llvm::Value*> indices = {builder.getInt32(0)};
  for (const unsigned index : field) indices.push_back(builder.getInt32(index));
  return builder.CreateInBoundsGEP(type, base, indices);
}

void SplitPhi(llvm::PHINode& phi) {
  llvm::IRBuilder<> at_phi(&phi);
  llvm::IRBuilder<> after_phis(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  llvm::Value* whole = llvm::PoisonValue::get(phi.getType());
  for (const std::vector<unsigned>& field : FieldsOf(phi.getType())) {
    llvm::PHINode* part =
        at_phi.CreatePHI(llvm::ExtractValueInst::getIndexedType(phi.getType(), field), phi.getNumIncomingValues());
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      llvm::BasicBlock* block = phi.getIncomingBlock(i);
      llvm::IRBuilder<> at_end(block->getTerminator());
      // A block that enters twice (both ways of a branch) must bring one value.
      const int before = part->getBasicBlockIndex(block);
      part->addIncoming(before >= 0 ? part->getIncomingValue(static_cast<unsigned>(before))
                                    : at_end.CreateExtractValue(phi.getIncomingValue(i), field),
                        block);
    }
    whole = after_phis.CreateInsertValue(whole, part, field);
  }
  phi.replaceAllUsesWith(whole);
  phi.eraseFromParent();
}

void SplitStore(llvm::StoreInst& store) {
  llvm::IRBuilder<> builder(&store);
  llvm::Value* whole = store.getValueOperand();
  for (const std::vector<unsigned>& field : FieldsOf(whole->getType())) {
    builder.CreateStore(builder.CreateExtractValue(whole, field),
                        FieldAddress(builder, whole->getType(), store.getPointerOperand(), field));
  }
  store.eraseFromParent();
}

// The field that an extractvalue takes out, found without the aggregate; null where that is not known.
llvm::Value* FieldOf(llvm::ExtractValueInst& extract) {
  llvm::Value* whole = extract.getAggregateOperand();
  if (llvm::Value* inserted = llvm::FindInsertedValue(whole, extract.getIndices())) return inserted;
  auto* load = llvm::dyn_cast<llvm::LoadInst>(whole);
  if (load == nullptr) return nullptr;
  llvm::IRBuilder<> builder(load);
  return builder.CreateLoad(extract.getType(),
                            FieldAddress(builder, load->getType(), load->getPointerOperand(), extract.getIndices()));
}

// Memref descriptors field by field: LLVM's fast instruction selector knows no struct values, and a block that has one
// goes to the slow selector, a seventh of a case. Which fields are loaded and stored, and where, stays as it was.
void ScalarizeDescriptors(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction); phi && phi->getType()->isAggregateType()) {
      SplitPhi(*phi);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
               store && store->getValueOperand()->getType()->isAggregateType()) {
      SplitStore(*store);
    }
  }
  llvm::SmallVector<llvm::WeakTrackingVH> wholes;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction);
    llvm::Value* field = extract != nullptr ? FieldOf(*extract) : nullptr;
    if (field == nullptr) continue;
    wholes.emplace_back(extract->getAggregateOperand());
    extract->replaceAllUsesWith(field);
    extract->eraseFromParent();
  }
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(wholes);
}

// Resolves the functions that the optimizer and the code generator call on their own account, such as sincosf for a sin
// and a cos of one value: all of libm and libgcc. Their own dependencies, such as the C library, stay out of reach.
class CompilersLibraries : public llvm::orc::DefinitionGenerator {
 public:
  llvm::Error tryToGenerate(llvm::orc::LookupState&, llvm::orc::LookupKind, llvm::orc::JITDylib& dylib,
                            llvm::orc::JITDylibLookupFlags, const llvm::orc::SymbolLookupSet& wanted) override {
    llvm::orc::SymbolMap found;
    for (const auto& [name, flags] : wanted) {
      if (void* address = AddressOf(std::string(*name))) {
        found[name] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
      }
    }
    return found.empty() ? llvm::Error::success() : dylib.define(llvm::orc::absoluteSymbols(std::move(found)));
  }

 private:
  static void* AddressOf(const std::string& name) {
    for (const char* library : {"libm.so.6", "libgcc_s.so.1"}) {
      void* handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);  // loaded once, and for good
      void* address = handle != nullptr ? dlsym(handle, name.c_str()) : nullptr;
      Dl_info info = {};
      if (address != nullptr && dladdr(address, &info) != 0 && absl::StrContains(info.dli_fname, library))
        return address;
    }
    return nullptr;
  }
};

// `errors`: of the code generator. `image`: gets what is linked; null: this process's memory does.
llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> LinkerFor(const llvm::orc::JITTargetMachineBuilder& machine,
                                                            const std::string* errors, ImageMemory* image) {
  llvm::orc::LLJITBuilder builder;
  builder.setJITTargetMachineBuilder(machine);
  builder.setPlatformSetUp(llvm::orc::setUpInactivePlatform);
  builder.setLinkProcessSymbolsByDefault(false);
  if (image != nullptr) {
    builder.setObjectLinkingLayerCreator(
        [image](llvm::orc::ExecutionSession& session) -> llvm::Expected<std::unique_ptr<llvm::orc::ObjectLayer>> {
          return std::make_unique<llvm::orc::ObjectLinkingLayer>(session, *image);
        });
  }
  builder.setCompileFunctionCreator([errors](llvm::orc::JITTargetMachineBuilder own)
                                        -> llvm::Expected<std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> {
    auto target_machine = own.createTargetMachine();
    if (!target_machine) return target_machine.takeError();
    return std::make_unique<KeptCompiler>(std::move(*target_machine), errors);
  });
  return builder.create();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Jit>> Jit::Create(const CodeGeneration& generation, const CpuGreeting* server) {
  llvm::Expected<llvm::orc::JITTargetMachineBuilder> machine = MachineOf(generation);
  if (!machine) return ToStatus(machine.takeError());
  std::unique_ptr<Jit> result(new Jit());
  if (generation.optimized) {
    auto target_machine = machine->createTargetMachine();
    if (!target_machine) return ToStatus(target_machine.takeError());
    result->optimizer_ = std::move(*target_machine);
  }
  auto context = std::make_unique<llvm::LLVMContext>();
  result->context_ = context.get();
  context->setDiagnosticHandlerCallBack(CollectErrors, &result->codegen_errors_);
  result->shared_context_ = llvm::orc::ThreadSafeContext(std::move(context));
  if (server != nullptr) result->image_ = std::make_unique<ImageMemory>(server->code, server->code_bytes);
  auto jit = LinkerFor(*machine, &result->codegen_errors_, result->image_.get());
  if (!jit) return ToStatus(jit.takeError());
  result->jit_ = std::move(*jit);

  llvm::orc::ExecutionSession& session = result->jit_->getExecutionSession();
  session.setErrorReporter(
      [jit = result.get()](llvm::Error error) { jit->session_error_ = llvm::toString(std::move(error)); });
  result->runtime_ = &session.createBareJITDylib("runtime");
  llvm::orc::SymbolMap symbols;
  const auto add = [&](absl::string_view name, llvm::orc::ExecutorAddr address) {
    symbols[session.intern(llvm::StringRef(name.data(), name.size()))] = {address, llvm::JITSymbolFlags::Exported};
  };
  if (server != nullptr) {
    for (const CpuSymbol& symbol : server->symbols) add(symbol.name, llvm::orc::ExecutorAddr(symbol.address));
  } else {
    for (const Executor::Symbol& symbol : Executor::RuntimeSymbols()) {
      add(symbol.name, llvm::orc::ExecutorAddr::fromPtr(symbol.address));
    }
    result->runtime_->addGenerator(std::make_unique<CompilersLibraries>());
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

// A module of no code yet, with all that code may call within reach.
Jit::CompiledModule Jit::Begin() {
  llvm::orc::ExecutionSession& session = jit_->getExecutionSession();
  if (image_ != nullptr) image_->Clear();
  llvm::orc::JITDylib& dylib = session.createBareJITDylib(absl::StrCat("case", modules_++));
  dylib.addToLinkOrder(*runtime_);
  session_error_.clear();
  codegen_errors_.clear();
  return {&session, &dylib, nullptr};
}

absl::StatusOr<Jit::CompiledModule> Jit::Finish(CompiledModule compiled, absl::string_view name) {
  auto entry = jit_->lookup(*compiled.dylib_, llvm::StringRef(name.data(), name.size()));
  if (!entry) {
    // The session reports the cause ("Symbols not found: [ rsqrtf ]"), the lookup only that it failed.
    const std::string failed = llvm::toString(entry.takeError());
    return absl::InternalError(session_error_.empty() ? failed : session_error_);
  }
  if (!codegen_errors_.empty()) return absl::InternalError(codegen_errors_);
  compiled.entry_ = entry->toPtr<void*>();
  return compiled;
}

void Jit::Fit(llvm::Module& module) const {
  module.setDataLayout(jit_->getDataLayout());
#if LLVM_VERSION_MAJOR >= 21
  module.setTargetTriple(jit_->getTargetTriple());
#else
  module.setTargetTriple(jit_->getTargetTriple().str());
#endif
}

absl::StatusOr<Jit::CompiledModule> Jit::Compile(std::unique_ptr<llvm::Module> module, absl::string_view entry) {
  CompiledModule compiled = Begin();  // drops the dylib on every way out
  if (optimizer_ != nullptr) {
    OptimizeFor(*optimizer_, *module);
  } else {
    KeepLoads(*module);
    InlineIntoWrapper(*module);
    llvm::Function* function = module->getFunction(llvm::StringRef(entry.data(), entry.size()));
    if (function != nullptr) ScalarizeDescriptors(*function);
  }
  llvm::orc::ThreadSafeModule owned(std::move(module), shared_context_);
  if (llvm::Error error = jit_->addIRModule(*compiled.dylib_, std::move(owned))) return ToStatus(std::move(error));
  return Finish(std::move(compiled), entry);
}

absl::StatusOr<Jit::CompiledModule> Jit::Link(const ObjectFile& object, absl::string_view entry) {
  CompiledModule compiled = Begin();
  auto bytes = llvm::MemoryBuffer::getMemBufferCopy(object.bytes, "object");
  if (llvm::Error error = jit_->addObjectFile(*compiled.dylib_, std::move(bytes))) return ToStatus(std::move(error));
  return Finish(std::move(compiled), entry);
}

}  // namespace tosaic
