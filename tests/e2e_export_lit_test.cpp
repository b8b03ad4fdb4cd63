// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic export-lit: what it writes passes with the lit, FileCheck and mlir-opt of the tested LLVM, and fails with a
// lowering that is not what it states.
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

// lit's exit status on an exported folder.
int Lit(const std::string& folder) {
  return std::system(absl::StrCat(TOSAIC_LLVM_TOOLS, "/lit -q ", folder, " > /dev/null 2>&1").c_str());
}

std::string Export(const TemporaryDirectory& temporary, const std::vector<std::string>& flags) {
  const std::string folder = temporary / absl::StrJoin(flags, "");
  std::vector<std::string> arguments = {"export-lit", "--out=" + folder, "--ops=add,select"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  const Ran ran = RunTosaic(arguments);
  EXPECT_EQ(ran.status, 0) << ran.err;
  return folder;
}

TEST(E2eExportLit, PassesOnTheTestedLlvm) {
  TemporaryDirectory temporary;
  EXPECT_EQ(Lit(Export(temporary, {})), 0);
}

// tosa-to-linalg of 22 makes no linalg.elementwise, and without the pass nothing is lowered.
TEST(E2eExportLit, FailsWhereTheLoweringIsAnother) {
  TemporaryDirectory temporary;
  EXPECT_NE(Lit(Export(temporary, {"--form=elementwise"})), 0);
  EXPECT_NE(Lit(Export(temporary, {"--pass=canonicalize"})), 0);
}

TEST(E2eExportLit, RefusesAFolderThatIsNotEmptyAndAnOpThatIsNone) {
  TemporaryDirectory temporary;
  const std::string folder = Export(temporary, {});
  EXPECT_EQ(RunTosaic({"export-lit", "--out=" + folder}).status, 2);
  EXPECT_EQ(RunTosaic({"export-lit", "--out=" + folder + "2", "--ops=nothing"}).status, 2);
  EXPECT_EQ(RunTosaic({"export-lit", "--out=" + folder + "2", "--pass=a("}).status, 2);
}

}  // namespace
}  // namespace tosaic
