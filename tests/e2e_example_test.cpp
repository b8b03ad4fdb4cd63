// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin of examples/, under the command of docs/patch.md.
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/run_tosaic.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

// Runs `compare` on the ops, lowered by the plugin; without the difference in the IR.
Ran Compared(const std::string& ops) {
  return RunTosaic({"compare", "--base=mlir-22", "--patch=mlir-22", "--no-reduce", "--no-ir", "--format=markdown",
                    absl::StrCat("--load-pass-plugin=", TOSAIC_EXAMPLE_PLUGIN),
                    "--insert-before=tosa-to-linalg:tosa-to-linalg-elementwise", absl::StrCat("--ops=", ops)});
}

TEST(E2eExample, TheLoweringToLinalgElementwiseBreaksNothing) {
  const Ran ran = Compared("intdiv,negate,sub");
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "### Tosaic: No regression, 1 fixed")) << ran.out;
}

// The IR is held to the contract: what diverges does so on the route without the plugin.
TEST(E2eExample, TheLoweringToLinalgElementwiseKeepsTheContract) {
  TemporaryDirectory temporary;
  const Ran ran = RunTosaic({"conform", "--route=contract", "--no-reduce", "--quiet",
                             absl::StrCat("--load-pass-plugin=", TOSAIC_EXAMPLE_PLUGIN),
                             "--insert-before=tosa-to-linalg:tosa-to-linalg-elementwise", "--ops=add,select,reshape",
                             absl::StrCat("--out=", temporary / "example-contract.json")});
  EXPECT_TRUE(absl::StrContains(ran.out, " 0 new\n")) << ran.out << ran.err;
}

}  // namespace
}  // namespace tosaic
