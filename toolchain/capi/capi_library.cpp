// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/capi_library.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "toolchain/cache_directory.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

constexpr char kLibraryOfTrunk[] = "libTorchMLIRAggregateCAPI.so";

// Where ci/install_trunk.sh makes its virtual environment.
fs::path TrunkDirectory() { return CacheDirectory() / "trunk"; }

// "torch_mlir-20261001.dist-info" beside the package has "torch-mlir 20261001".
std::string PackageIn(const fs::path& site_packages) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(site_packages, ignored)) {
    const std::string name = entry.path().filename().string();
    absl::string_view version = name;
    if (absl::ConsumePrefix(&version, "torch_mlir-") && absl::ConsumeSuffix(&version, ".dist-info")) {
      return absl::StrCat("torch-mlir ", version);
    }
  }
  return "";
}

bool IsFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

}  // namespace

std::vector<CapiLibrary> ListArchivedTrunks() {
  const std::string newest = FindTrunk().value_or(CapiLibrary()).package;
  std::vector<CapiLibrary> archived;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(CacheDirectory() / "versions", ignored)) {
    const std::string name = entry.path().filename().string();
    absl::string_view version = name;
    const fs::path file = entry.path() / kLibraryOfTrunk;
    if (!absl::ConsumePrefix(&version, "torch-mlir-") || !IsFile(file)) continue;
    const std::string package = absl::StrCat("torch-mlir ", version);
    if (package != newest) archived.push_back({.file = file.string(), .name = name, .package = package});
  }
  absl::c_sort(archived, [](const CapiLibrary& a, const CapiLibrary& b) { return a.name < b.name; });
  return archived;
}

// Empty: it is none of those.
static std::optional<CapiLibrary> FindArchived(absl::string_view name) {
  if (!absl::StartsWith(name, "torch-mlir-")) return std::nullopt;
  for (CapiLibrary& library : ListArchivedTrunks()) {
    if (library.name == name) return std::move(library);
  }
  return std::nullopt;
}

bool NamesCapiLibrary(absl::string_view text) {
  return text == kTrunk || FindArchived(text) || absl::EndsWith(text, ".so") || absl::StrContains(text, ".so.") ||
         IsFile(std::string(text));
}

std::optional<CapiLibrary> FindTrunk() {
  std::optional<CapiLibrary> newest;
  std::error_code ignored;
  for (const auto& python : fs::directory_iterator(TrunkDirectory() / "lib", ignored)) {
    const fs::path packages = python.path() / "site-packages";
    const fs::path file = packages / "torch_mlir" / "_mlir_libs" / kLibraryOfTrunk;
    if (!IsFile(file)) continue;
    CapiLibrary found = {.file = file.string(), .name = std::string(kTrunk), .package = PackageIn(packages)};
    if (!newest || newest->package < found.package) newest = std::move(found);
  }
  return newest;
}

absl::StatusOr<CapiLibrary> FindCapiLibrary(const std::string& where) {
  if (where == kTrunk) {
    std::optional<CapiLibrary> trunk = FindTrunk();
    if (trunk) return *std::move(trunk);
    return absl::InvalidArgumentError(
        absl::StrCat("no ", kTrunk, " in ", TrunkDirectory().string(), " (ci/install_trunk.sh fetches one)"));
  }
  if (std::optional<CapiLibrary> archived = FindArchived(where)) return *std::move(archived);
  std::error_code error;
  const fs::path file = fs::canonical(where, error);
  if (error || !IsFile(file)) return absl::InvalidArgumentError(absl::StrCat("'", where, "' is no file"));
  return CapiLibrary{.file = file.string()};
}

}  // namespace tosaic
