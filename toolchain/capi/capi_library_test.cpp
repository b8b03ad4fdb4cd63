// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/capi_library.h"

#include <stdlib.h>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

TEST(CapiLibrary, IsNamedByItsFileOrAsTrunk) {
  EXPECT_TRUE(NamesCapiLibrary("mlir-trunk"));
  EXPECT_TRUE(NamesCapiLibrary("/no/such/libMLIR-C.so"));
  EXPECT_TRUE(NamesCapiLibrary("libMLIR-C.so.24.0git"));
  EXPECT_TRUE(NamesCapiLibrary(TOSAIC_SOURCE_DIR "/README.md")) << "a file of any name";
  EXPECT_FALSE(NamesCapiLibrary("mlir-19"));
  EXPECT_FALSE(NamesCapiLibrary("/usr")) << "a directory of tools";
  EXPECT_FALSE(NamesCapiLibrary(""));
}

TEST(CapiLibrary, AFileThatIsNotThereIsNone) {
  const absl::Status status = FindCapiLibrary("/no/such/libMLIR-C.so").status();
  EXPECT_EQ(status.message(), "'/no/such/libMLIR-C.so' is no file");
  EXPECT_FALSE(FindCapiLibrary("/usr").ok());
}

TEST(CapiLibrary, TrunkIsTheNewestWhereTheScriptPutsIt) {
  const TemporaryDirectory cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  EXPECT_FALSE(FindTrunk().has_value());
  EXPECT_TRUE(absl::StrContains(FindCapiLibrary("mlir-trunk").status().message(), "ci/install_trunk.sh"));
  for (const auto& [python, version] : {std::pair("python3.12", "20261001"), std::pair("python3.11", "20260801")}) {
    const std::filesystem::path packages =
        std::filesystem::path(cache.path()) / "tosaic/trunk/lib" / python / "site-packages";
    std::filesystem::create_directories(packages / "torch_mlir/_mlir_libs");
    std::filesystem::create_directories(packages / (std::string("torch_mlir-") + version + ".dist-info"));
    std::ofstream(packages / "torch_mlir/_mlir_libs/libTorchMLIRAggregateCAPI.so") << "";
  }
  const absl::StatusOr<CapiLibrary> trunk = FindCapiLibrary("mlir-trunk");
  unsetenv("XDG_CACHE_HOME");
  ASSERT_TRUE(trunk.ok()) << trunk.status();
  EXPECT_EQ(trunk->name, "mlir-trunk");
  EXPECT_EQ(trunk->package, "torch-mlir 20261001");
  EXPECT_TRUE(absl::StrContains(trunk->file, "python3.12")) << trunk->file;
}

// The script keeps trunk's own library among them, which stays mlir-trunk until there is a newer one.
TEST(CapiLibrary, TrunksOfEarlierDaysAreToolchainsOfTheirOwn) {
  const TemporaryDirectory cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  EXPECT_TRUE(ListArchivedTrunks().empty());
  const std::filesystem::path root = std::filesystem::path(cache.path()) / "tosaic";
  for (const char* name : {"torch-mlir-20261001", "torch-mlir-20260801", "torch-mlir-20260601", "iree-3.3.0"}) {
    std::filesystem::create_directories(root / "versions" / name);
    std::ofstream(root / "versions" / name / "libTorchMLIRAggregateCAPI.so") << "";
  }
  std::filesystem::create_directories(root / "versions/torch-mlir-20260701");  // not done
  const std::filesystem::path packages = root / "trunk/lib/python3.11/site-packages";
  std::filesystem::create_directories(packages / "torch_mlir/_mlir_libs");
  std::filesystem::create_directories(packages / "torch_mlir-20261001.dist-info");
  std::ofstream(packages / "torch_mlir/_mlir_libs/libTorchMLIRAggregateCAPI.so") << "";
  const std::vector<CapiLibrary> archived = ListArchivedTrunks();
  const bool is_named = NamesCapiLibrary("torch-mlir-20260801"),
             is_newest_named = NamesCapiLibrary("torch-mlir-20261001");
  const absl::StatusOr<CapiLibrary> found = FindCapiLibrary("torch-mlir-20260801");
  unsetenv("XDG_CACHE_HOME");
  ASSERT_EQ(archived.size(), 2u);
  EXPECT_EQ(archived[0].name, "torch-mlir-20260601");
  EXPECT_EQ(archived[1].package, "torch-mlir 20260801");
  EXPECT_TRUE(is_named);
  EXPECT_FALSE(is_newest_named);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(absl::StrContains(found->file, "versions/torch-mlir-20260801/")) << found->file;
}

}  // namespace
}  // namespace tosaic
