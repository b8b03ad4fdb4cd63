// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/external_tools.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tests/fake_tools.h"

namespace tosaic {
namespace {

TEST(ExternalTools, ReadsVersions) {
  EXPECT_EQ(ParseToolVersion("Debian LLVM version 16.0.6\n  Optimized build.\n"), "16.0.6");
  EXPECT_EQ(ParseToolVersion("LLVM (http://llvm.org/):\n  LLVM version 23.0.0git\n"), "23.0.0git");
  for (const char* none : {"", "garbage", "LLVM version", "LLVM version \n", "LLVM version x.y", "LLVM version 16",
                           "LLVM version 99999.1"}) {
    EXPECT_EQ(ParseToolVersion(none), std::nullopt) << none;
  }
}

void ExpectError(const std::string& where, absl::string_view part) {
  const absl::StatusOr<ExternalTools> tools = FindTools(where);
  ASSERT_FALSE(tools.ok()) << part;
  EXPECT_TRUE(absl::IsInvalidArgument(tools.status()));
  EXPECT_TRUE(absl::StrContains(tools.status().message(), part)) << tools.status();
}

TEST(ExternalTools, FindsThemInADirectoryWithAndWithoutSuffix) {
  TemporaryDirectory directory;
  WriteTool(directory / "mlir-opt-17", Versioned("17.0.1", ""));
  EXPECT_EQ(FindTools(directory.path()).value().translate, "");
  WriteTool(directory / "mlir-translate-17", Versioned("17.0.1", ""));
  absl::StatusOr<ExternalTools> tools = FindTools(directory.path());
  ASSERT_TRUE(tools.ok()) << tools.status();
  EXPECT_EQ(tools->version, "17.0.1");
  EXPECT_EQ(tools->major, 17);
  EXPECT_EQ(tools->name(), "mlir-17-tools");
  EXPECT_TRUE(absl::EndsWith(tools->opt, "/mlir-opt-17"));

  WriteTool(directory / "mlir-opt-18", Versioned("18.0.0", ""));
  WriteTool(directory / "mlir-translate-18", Versioned("18.0.0", ""));
  ExpectError(directory.path(), "several versions (mlir-opt-17, mlir-opt-18): name one, for instance mlir-17");

  WriteTool(directory / "mlir-opt", Versioned("23.0.0git", ""));
  WriteTool(directory / "mlir-translate", Versioned("23.0.0git", ""));
  tools = FindTools(directory.path());
  ASSERT_TRUE(tools.ok()) << tools.status();
  EXPECT_EQ(tools->major, 23) << "those without a suffix come first";
}

TEST(ExternalTools, SaysWhatIsWrongWithThem) {
  TemporaryDirectory directory;
  ExpectError(directory / "nowhere", "is neither a directory nor the name of a toolchain");
  ExpectError(directory.path(), "has no mlir-opt");
  ExpectError("mlir-9", "no toolchain is named 'mlir-9' here");
  WriteTool(directory / "mlir-translate", Versioned("16.0.6", ""));
  const auto with_opt = [&](const std::string& body, absl::string_view part) {
    WriteTool(directory / "mlir-opt", body);
    ExpectError(directory.path(), part);
  };
  with_opt("echo hello", "does not say an LLVM version");
  with_opt("exit 5", "mlir-opt does not run: exit status 5");
  with_opt("kill -SEGV $$", "mlir-opt does not run: signal 11");
  with_opt("yes", "does not stop printing");
  with_opt(Versioned("19.1.7", ""), "has version 19.1.7, ");
  Spill(directory / "mlir-opt", "#!/no/such/interpreter\n");
  ExpectError(directory.path(), "mlir-opt does not run: No such file or directory");
}

TEST(ExternalTools, ListsWhatTheMachineHas) {
  int before = 0;
  for (const ExternalTools& tools : ListTools()) {
    EXPECT_GT(tools.major, before);
    before = tools.major;
  }
  EXPECT_GE(before, 22) << "mlir-22-tools is installed where these tests run";
}

}  // namespace
}  // namespace tosaic
