// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/instrumentation.h"

#include "absl/strings/str_cat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/ScopedPrinter.h"
#include "toolchain/execution/runtime_symbols.h"

namespace tosaic {
namespace {

constexpr char kLibraryFunction[] = "tosaic_library_";

// A function of the program itself, of the allocator or of libm; it writes to no memory of the program's buffers.
bool IsPlainCall(const llvm::CallBase& call) {
  return call.getCalledFunction() != nullptr && !call.getCalledFunction()->isIntrinsic();
}

// Where memory is written and how much; no address if it is not.
struct Write {
  llvm::Value* address = nullptr;
  llvm::Value* bytes = nullptr;
};

Write WriteOf(llvm::Instruction& instruction, llvm::IRBuilder<>& builder) {
  const llvm::DataLayout& layout = instruction.getModule()->getDataLayout();
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    const uint64_t bytes = layout.getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue();
    return {store->getPointerOperand(), builder.getInt64(bytes)};
  }
  if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    return {memory->getRawDest(), builder.CreateZExtOrTrunc(memory->getLength(), builder.getInt64Ty())};
  }
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call != nullptr && IsPlainCall(*call)) {
    const llvm::StringRef callee = call->getCalledFunction()->getName();
    if (callee == "memcpy" || callee == "memmove" || callee == "memset") {
      return {call->getArgOperand(0), call->getArgOperand(2)};
    }
  }
  return {};
}

}  // namespace

std::string CountStores(llvm::Module& module) {
  llvm::IRBuilder<> builder(module.getContext());
  const llvm::FunctionCallee count =
      module.getOrInsertFunction(kCountStoreSymbol, builder.getVoidTy(), builder.getPtrTy(), builder.getInt64Ty());
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (!instruction.mayWriteToMemory()) continue;
      builder.SetInsertPoint(&instruction);
      const Write write = WriteOf(instruction, builder);
      if (write.address != nullptr) {
        builder.CreateCall(count, {write.address, write.bytes});
        continue;
      }
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call != nullptr && (IsPlainCall(*call) || call->onlyAccessesInaccessibleMemory())) continue;
      return absl::StrCat("stores cannot be counted: ", llvm::to_string(instruction));
    }
  }
  return "";
}

std::string LibraryFunctionName(int number) { return absl::StrCat(kLibraryFunction, number); }

void DefineLibraryFunctions(llvm::Module& module) {
  llvm::IRBuilder<> builder(module.getContext());
  const llvm::FunctionCallee library =
      module.getOrInsertFunction(kLibraryCallSymbol, builder.getVoidTy(), builder.getInt64Ty(), builder.getPtrTy());
  for (llvm::Function& function : module) {
    llvm::StringRef name = function.getName();
    int number = 0;
    if (!function.isDeclaration() || !name.consume_front("_mlir_ciface_") || !name.consume_front(kLibraryFunction) ||
        name.getAsInteger(10, number)) {
      continue;
    }
    builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", &function));
    const auto arguments = static_cast<unsigned>(function.arg_size());
    llvm::Value* descriptors = builder.CreateAlloca(builder.getPtrTy(), builder.getInt32(arguments));
    for (unsigned i = 0; i < arguments; ++i) {
      builder.CreateStore(function.getArg(i), builder.CreateConstGEP1_32(builder.getPtrTy(), descriptors, i));
    }
    builder.CreateCall(library, {builder.getInt64(static_cast<uint64_t>(number)), descriptors});
    builder.CreateRetVoid();
  }
}

}  // namespace tosaic
