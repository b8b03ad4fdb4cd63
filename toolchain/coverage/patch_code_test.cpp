// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/patch_code.h"

#include "absl/algorithm/container.h"
#include "gtest/gtest.h"
#include "toolchain/coverage/loaded_library.h"

namespace tosaic {
namespace {

#if defined(__x86_64__)
TEST(PatchCode, OfAPluginIsWhatItsOwnFunctionsHave) {
  const absl::StatusOr<PatchCode> code = CodeOfPlugin(TOSAIC_WATCHED_LIBRARY);
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_TRUE(absl::c_linear_search(code->numbers, 4096)) << "of ChooseByLimit";
  EXPECT_TRUE(absl::c_linear_search(code->numbers, 99.5)) << "a float";
  EXPECT_TRUE(absl::c_is_sorted(code->numbers));
  EXPECT_GE(code->numbers.front(), 9);
  EXPECT_EQ(code->ops, (std::vector<OpKind>{OpKind::kClamp, OpKind::kAdd}));
  EXPECT_FALSE(CodeOfPlugin(TOSAIC_SOURCE_DIR "/README.md").ok());
  if (const absl::StatusOr<LoadedLibrary> mlir = FindLoadedLibrary("libMLIR.so"); mlir.ok()) {
    EXPECT_FALSE(CodeOfPlugin(mlir->file).ok()) << "it would take too long";
  }
}

// Nothing is of the patch that a function has which is the same, or only stands elsewhere.
TEST(PatchCode, OfABuildIsWhatItsBaseLacks) {
  const auto of = [](const char* patch, const char* base) { return CodeOfBuild(patch, base).value(); };
  const PatchCode patch = of(TOSAIC_PATCHED_LIBRARY, TOSAIC_WATCHED_LIBRARY);
  EXPECT_EQ(patch.numbers, (std::vector<double>{1234.5, 5000}));
  EXPECT_EQ(patch.ops, std::vector<OpKind>{OpKind::kClamp});
  EXPECT_EQ(of(TOSAIC_WATCHED_LIBRARY, TOSAIC_PATCHED_LIBRARY).numbers, (std::vector<double>{99.5, 4096}));
  EXPECT_TRUE(of(TOSAIC_WATCHED_LIBRARY, TOSAIC_WATCHED_LIBRARY).numbers.empty());
  EXPECT_FALSE(CodeOfBuild(TOSAIC_WATCHED_LIBRARY, "/nowhere").ok());
}
#endif

}  // namespace
}  // namespace tosaic
