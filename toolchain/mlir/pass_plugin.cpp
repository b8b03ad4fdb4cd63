// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/pass_plugin.h"

#include <filesystem>
#include <map>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

namespace tosaic {
namespace {

absl::Status Error(const std::string& file, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("the pass plugin ", file, " does not load: ", why));
}

}  // namespace

absl::StatusOr<std::string> LoadPassPlugin(const std::string& file) {
  static std::map<std::string, std::string> loaded;
  std::error_code ignored;
  // A name without a directory would be looked for where the system's libraries are.
  const std::string path = std::filesystem::absolute(file, ignored).string();
  std::string& description = loaded[path];
  if (!description.empty()) return description;
  const auto content = llvm::MemoryBuffer::getFile(path);
  if (!content) return Error(file, content.getError().message());
  llvm::Expected<mlir::PassPlugin> plugin = mlir::PassPlugin::load(path);
  if (!plugin) return Error(file, llvm::toString(plugin.takeError()));
  plugin->registerPassRegistryCallbacks();
  const std::string digest = llvm::MD5::hash(llvm::arrayRefFromStringRef((*content)->getBuffer())).digest().str().str();
  description = absl::StrCat(std::filesystem::path(path).filename().string(), " (", plugin->getPluginName().str(), " ",
                             plugin->getPluginVersion().str(), ", MD5 ", digest, ")");
  return description;
}

}  // namespace tosaic
