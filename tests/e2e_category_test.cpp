// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings by way of linalg's category ops, with the RFC's own examples: run, and judged as IR.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/run_tosaic.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

constexpr char kToCategory[] = ":linalg-morph-ops{generic-to-named=true},linalg-morph-ops{named-to-category=true}";

Ran Check(const std::string& name, std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"check", absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/spec/rfc.case.", name, ".json")});
  return RunTosaic(flags);
}

TEST(E2eCategory, BothRoutesComputeTheRfcsExamples) {
  for (const char* route : {"category", "category-loops"}) {
    for (const char* name : {"add-1d-all-dynamic", "select-2d-one-dynamic", "3x5-3x5"}) {
      const Ran ran = Check(name, {absl::StrCat("--route=", route)});
      EXPECT_EQ(ran.status, 0) << name << ran.out << ran.err;
      EXPECT_TRUE(absl::StrContains(ran.out, "agree")) << ran.out;
    }
  }
}

TEST(E2eCategory, ALoweringToCategoryOpsKeepsTheContract) {
  for (const char* name : {"add-1d-all-dynamic", "add-1d-matching-static", "abs-1d-dynamic", "3x5-3x5"}) {
    const Ran ran = Check(name, {"--route=contract", absl::StrCat("--insert-after=tosa-to-linalg", kToCategory)});
    EXPECT_EQ(ran.status, 0) << name << ran.out << ran.err;
    EXPECT_TRUE(absl::StrContains(ran.out, "agree")) << ran.out;
  }
}

// Cases whose ops are folded on the way to category ops, and an op outside of the contract.
TEST(E2eCategory, TheContractIsJudgedOnCategoryOps) {
  for (const char* name : {"add-1d-all-dynamic", "add-2d-all-dynamic", "select-2d-one-dynamic", "3x5-3x5"}) {
    const Ran ran = Check(name, {"--route=category-contract"});
    EXPECT_EQ(ran.status, 0) << name << ran.out << ran.err;
    EXPECT_TRUE(absl::StrContains(ran.out, "agree")) << ran.out;
  }
  TemporaryDirectory temporary;
  const Ran all = RunTosaic({"conform", "--route=category-contract", "--ops=clamp,reshape", "--no-reduce", "--quiet",
                             absl::StrCat("--out=", temporary / "category-contract.json")});
  EXPECT_EQ(all.status, 0) << all.out << all.err;
  EXPECT_TRUE(absl::StrContains(all.out, " 0 new")) << all.out;
}

}  // namespace
}  // namespace tosaic
