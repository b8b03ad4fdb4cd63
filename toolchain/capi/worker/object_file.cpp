// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/worker/object_file.h"

#include <iterator>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "toolchain/capi/worker/ir_walk.h"
#include "toolchain/progress.h"
#include "workers/transfer.h"

namespace tosaic {
namespace {

// The features that every CPU of the architecture has; LLVM asks the machine for what is not said.
#if defined(__x86_64__)
constexpr char kPlainCpu[] = R"(["target-cpu", "x86-64"], ["tune-cpu", "generic"], ["target-features", "+sse2"])";
#else
constexpr char kPlainCpu[] = R"(["target-cpu", "generic"], ["target-features", "+neon"])";
#endif
// The engine's level is that of the passes on LLVM IR alone: code is generated as in -O2 unless a function says no.
constexpr char kUnoptimized[] = R"("noinline", "optnone")";
constexpr char kPackedPrefix[] = "_mlir_";
// That holds for passes, but not for registers: nothing says in a function that they are to be had at no cost.
constexpr const char* kCodeGenerationOptions[] = {"tosaic", "-optimize-regalloc=false", "-regalloc=fast"};

bool IsFunction(const CLibrary& c, MlirOperation op) { return NameOf(c, op) == "llvm.func"; }

// The engine gives each function a second one, `_mlir_NAME`, that takes its arguments packed, and that costs as much to
// compile as the function. Nobody here calls it: where it is there already, and returns at once, the engine's own code
// is unreachable and goes.
void AddStandIns(const CLibrary& c, MlirModule module) {
  std::string text;
  ForEachIn(c, module, [&](MlirOperation op) {
    if (!IsFunction(c, op) || !HasBody(c, op)) return;
    absl::StrAppend(&text, R"("llvm.func"() ({^bb0(%packed: !llvm.ptr): "llvm.return"() : () -> ()}) {sym_name = ")",
                    kPackedPrefix, SymbolOf(c, op), R"(", function_type = !llvm.func<void (ptr)>, )",
                    "linkage = #llvm.linkage<external>, passthrough = [", kUnoptimized, "]} : () -> ()\n");
  });
  const MlirModule stand_ins = c.mlirModuleCreateParse(c.mlirModuleGetContext(module), ToRef(text));
  if (stand_ins.ptr == nullptr) return;  // then the engine does its own
  ForEachIn(c, stand_ins, [&](MlirOperation op) {
    c.mlirOperationRemoveFromParent(op);
    c.mlirBlockAppendOwnedOperation(c.mlirModuleGetBody(module), op);
  });
  c.mlirModuleDestroy(stand_ins);
}

}  // namespace

void SetUpCodeGeneration(const CLibrary& c) {
  c.LLVMParseCommandLineOptions(std::size(kCodeGenerationOptions), kCodeGenerationOptions, "");
}

void SetCodeGeneration(const CLibrary& c, MlirContext context, MlirModule module, int optimization, bool for_host_cpu) {
  std::vector<absl::string_view> wanted;
  if (optimization == 0) wanted.push_back(kUnoptimized);
  if (!for_host_cpu) wanted.push_back(kPlainCpu);
  const std::string list = absl::StrCat("[", absl::StrJoin(wanted, ", "), "]");
  const MlirAttribute attributes = c.mlirAttributeParseGet(context, ToRef(list));
  ForEachIn(c, module, [&](MlirOperation op) {
    if (IsFunction(c, op) && HasBody(c, op)) c.mlirOperationSetAttributeByName(op, ToRef("passthrough"), attributes);
  });
}

void Unite(const CLibrary& c, MlirContext context, const std::vector<MlirModule>& modules) {
  const MlirBlock whole = c.mlirModuleGetBody(modules.front());
  std::set<std::string> taken;
  ForEachIn(c, modules.front(), [&](MlirOperation op) { taken.insert(SymbolOf(c, op)); });
  for (size_t i = 1; i < modules.size(); ++i) {
    std::vector<MlirOperation> moved;
    ForEachIn(c, modules[i], [&](MlirOperation op) {
      const std::string symbol = SymbolOf(c, op);
      if (!symbol.empty() && !taken.insert(symbol).second) {
        if (IsFunction(c, op) && !HasBody(c, op)) return;  // what is declared already
        const std::string renamed = NameInUnion(symbol, i);
        c.mlirSymbolTableReplaceAllSymbolUses(ToRef(symbol), ToRef(renamed), c.mlirModuleGetOperation(modules[i]));
        c.mlirOperationSetAttributeByName(op, ToRef("sym_name"), c.mlirStringAttrGet(context, ToRef(renamed)));
        taken.insert(renamed);
      }
      moved.push_back(op);
    });
    for (const MlirOperation op : moved) {
      c.mlirOperationRemoveFromParent(op);
      c.mlirBlockAppendOwnedOperation(whole, op);
    }
  }
}

std::string NameInUnion(absl::string_view function, size_t number) {
  return number == 0 ? std::string(function) : absl::StrCat(function, "_", number);
}

ObjectMade CompileModule(const CLibrary& c, MlirModule module, int optimization) {
  ObjectMade object;
  EnterStage(object.stage);
  AddStandIns(c, module);
  const MlirExecutionEngine engine =
      c.mlirExecutionEngineCreate(module, optimization, 0, nullptr, /*object_dump=*/true, /*pic=*/true);
  if (engine.ptr == nullptr) return object;
  EnterStage(object.stage = Stage::kCompile);
  const MemoryFile file("tosaic-object");
  const std::string path = absl::StrCat("/proc/self/fd/", file.fd());
  // The engine links what it has compiled, and gives up where a function that is called is not in this process; what it
  // has compiled is there then, for the second time.
  for (int time = 0; time < 2 && object.bytes.empty(); ++time) {
    c.mlirExecutionEngineDumpToObjectFile(engine, ToRef(path));
    object.bytes = file.Content();
  }
  c.mlirExecutionEngineDestroy(engine);
  return object;
}

bool GivesLlvmIr(const CLibrary& c) {
  return c.LLVMContextCreate != nullptr && c.LLVMContextDispose != nullptr &&
         c.mlirTranslateModuleToLLVMIR != nullptr && c.LLVMPrintModuleToString != nullptr &&
         c.LLVMDisposeMessage != nullptr && c.LLVMDisposeModule != nullptr;
}

std::optional<std::string> LlvmIrOf(const CLibrary& c, MlirModule module) {
  std::optional<std::string> text;
  void* context = c.LLVMContextCreate();
  if (void* translated = c.mlirTranslateModuleToLLVMIR(c.mlirModuleGetOperation(module), context)) {
    char* printed = c.LLVMPrintModuleToString(translated);
    text = printed;
    c.LLVMDisposeMessage(printed);
    c.LLVMDisposeModule(translated);
  }
  c.LLVMContextDispose(context);
  return text;
}

}  // namespace tosaic
