// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/mlir_toolchain.h"

#include <string.h>

#include <filesystem>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "codec/status.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "toolchain/mlir/mlir_lowering.h"
#include "toolchain/mlir/mlir_verifier.h"
#include "toolchain/mlir/own_passes.h"
#include "toolchain/mlir/pattern_switch.h"
#include "toolchain/mlir/probe_dialect.h"
#include "toolchain/validation_pipeline.h"
#include "workers/map.h"

namespace tosaic {
namespace {

absl::Status Error(const std::string& file, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("the pass plugin ", file, " does not load: ", why));
}

// An error if loading a plugin ends the process: its file is cut short, or one of its passes has another's name.
absl::Status SurvivesLoading(const std::string& file, const std::string& path) {
  const absl::StatusOr<WorkerResult<bool>> tried = InFreshProcess<bool>({}, [&] {
    llvm::Expected<mlir::PassPlugin> plugin = mlir::PassPlugin::load(path);
    if (!plugin) return llvm::consumeError(plugin.takeError()), true;
    plugin->registerPassRegistryCallbacks();
    return true;
  });
  if (!tried.ok() || !tried->death) return tried.status();
  const std::vector<std::string> lines = absl::StrSplit(tried->death->output, '\n', absl::SkipWhitespace());
  return Error(
      file, absl::StrCat("that ends the process: ", lines.empty() ? strsignal(tried->death->status) : lines.front()));
}

// Loads a plugin and registers its passes, once in a process. Returns its description for result files: "FILE (NAME
// VERSION, MD5 ...)", without the file's directory. Errors: there is no such file, it is not a shared library or not a
// plugin, or it is for another API.
absl::StatusOr<std::string> LoadPassPlugin(const std::string& file) {
  static std::map<std::string, std::string> loaded;
  std::error_code ignored;
  // A name without a directory would be looked for where the system's libraries are.
  const std::string path = std::filesystem::absolute(file, ignored).string();
  std::string& description = loaded[path];
  if (!description.empty()) return description;
  const auto content = llvm::MemoryBuffer::getFile(path);
  if (!content) return Error(file, content.getError().message());
  TOSAIC_RETURN_IF_ERROR(SurvivesLoading(file, path));
  llvm::Expected<mlir::PassPlugin> plugin = mlir::PassPlugin::load(path);
  if (!plugin) return Error(file, llvm::toString(plugin.takeError()));
  plugin->registerPassRegistryCallbacks();
  const std::string digest = llvm::MD5::hash(llvm::arrayRefFromStringRef((*content)->getBuffer())).digest().str().str();
  description = absl::StrCat(std::filesystem::path(path).filename().string(), " (", plugin->getPluginName().str(), " ",
                             plugin->getPluginVersion().str(), ", MD5 ", digest, ")");
  return description;
}

mlir::DialectRegistry Dialects() {
  mlir::DialectRegistry registry;
  registry.insert<ProbeDialect>();
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  return registry;
}

// Once.
void RegisterPasses() {
  static const bool registered = [] {
    mlir::registerAllPasses();
    RegisterOwnPasses();
    return true;
  }();
  (void)registered;
}

// One context with the verifier and the lowering that work in it.
struct MlirParts {
  explicit MlirParts(const ToolchainOptions& given) : options(given) {
    context.loadDialect<mlir::func::FuncDialect, mlir::tosa::TosaDialect, ProbeDialect>();
    context.printOpOnDiagnostic(false);  // notes, which nobody reads here, and half the cost of a refusal
  }

  const ToolchainOptions options;
  mlir::MLIRContext context{Dialects(), mlir::MLIRContext::Threading::DISABLED};
  PassRunner passes{&context};
  MlirVerifier verifier{&context, &passes};
  PatternSwitch rewrites{&context};
  MlirLowering lowering{&context, &passes, options};
};

class MlirToolchain : public Toolchain {
 public:
  MlirToolchain(ToolchainDescription description, std::unique_ptr<MlirParts> parts)
      : Toolchain(std::move(description), {.verifier = &parts->verifier,
                                           .deciders = &parts->verifier,
                                           .lowering = &parts->lowering,
                                           .patterns = &parts->rewrites,
                                           .rewrites = &parts->rewrites}),
        parts_(std::move(parts)) {}

  Observation Observe(const Case& test_case) override {
    const std::optional<ValidationTarget>& validation = parts_->options.validation;
    return validation ? parts_->verifier.ObserveValidation(test_case.program, *validation)
                      : parts_->lowering.Observe(test_case);
  }

 private:
  const std::unique_ptr<MlirParts> parts_;
};

}  // namespace

std::string VersionInProcess() { return "LLVM " LLVM_VERSION_STRING; }

const std::string& NameInProcess() {
  static const std::string* const name = new std::string(absl::StrCat("mlir-", LLVM_VERSION_MAJOR));
  return *name;
}

Dialect DialectInProcess() {
  static const Dialect dialect = NearestDialect(LLVM_VERSION_MAJOR);
  return dialect;
}

std::vector<const Route*> RoutesInProcess() {
  std::vector<const Route*> routes;
  for (const Route& route : RoutesOf(DialectInProcess())) {
    if (!route.makes_graph) routes.push_back(&route);  // only toolchain/capi reads the graph
  }
  return routes;
}

std::vector<std::string> PassesUnknownInProcess(const std::vector<std::string>& names) {
  RegisterPasses();
  std::vector<std::string> unknown;
  for (const std::string& name : names) {
    const bool is_known = mlir::PassInfo::lookup(name) != nullptr || mlir::PassPipelineInfo::lookup(name) != nullptr;
    if (!is_known) unknown.push_back(name);
  }
  return unknown;
}

absl::StatusOr<std::unique_ptr<Toolchain>> CreateMlirToolchain(const ToolchainOptions& options) {
  RegisterPasses();
  ToolchainDescription description;
  description.name = NameInProcess();
  description.version = VersionInProcess();
  description.dialect = DialectInProcess();
  description.mlir_version = LLVM_VERSION_MAJOR;
  description.routes = RoutesInProcess();
  description.custom_pipeline = options.pipeline;
  description.custom_like = options.custom_like;
  description.custom_flags = options.custom_flags;
  if (options.validation) description.only_pipeline = ValidationPipeline(*options.validation);
  for (const std::string& file : options.plugins) {
    TOSAIC_ASSIGN_OR_RETURN(std::string plugin, LoadPassPlugin(file));
    description.plugins.push_back(std::move(plugin));
  }
  auto parts = std::make_unique<MlirParts>(options);
  TOSAIC_RETURN_IF_ERROR(parts->lowering.Prepare(&description));
  if (options.validation) {
    // A target that it does not know would be a refusal of every program.
    const absl::Status taken = parts->lowering.LowerTextHere("module {}", description.only_pipeline, false).status();
    if (!taken.ok()) return TargetIsRefused(description.name, *options.validation, taken.message());
  }
  return std::make_unique<MlirToolchain>(std::move(description), std::move(parts));
}

}  // namespace tosaic
