// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/kept_tool_end.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/fake_tools.h"

namespace tosaic {
namespace {

class KeptToolEnd : public testing::Test {
 protected:
  ToolEnd Run(const std::string& argument, absl::string_view input = "") {
    return RunToolKept(kept_in_, {tool_, argument}, input, {});
  }

  TemporaryDirectory folder_;
  std::string kept_in_ = folder_.path();
  const std::string tool_ = folder_ / "tool";
};

TEST_F(KeptToolEnd, IsThatOfTheSameArgumentsAndInput) {
  WriteTool(tool_, absl::StrCat("echo run >> ", folder_ / "runs", "; cat; echo \"$1\" >&2; exit 1"));
  for (int i = 0; i < 2; ++i) {
    const ToolEnd end = Run("a", "in\n");
    EXPECT_EQ(end.how, ToolEnd::How::kExited);
    EXPECT_EQ(end.status, 1);
    EXPECT_EQ(end.out, "in\n");
    EXPECT_EQ(end.err, "a\n");
  }
  EXPECT_EQ(std::filesystem::file_size(folder_ / "runs"), 4u) << "it ran once";
  EXPECT_EQ(Run("b", "in\n").err, "b\n");
  EXPECT_EQ(Run("a", "other").out, "other");
}

TEST_F(KeptToolEnd, RunsAgainIfAFileIsBrokenOrNothingIsKept) {
  WriteTool(tool_, "echo one");
  EXPECT_EQ(Run("a").out, "one\n");
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "answers"))
    Spill(entry.path(), "0 400 0\none");
  WriteTool(tool_, "echo two");
  EXPECT_EQ(Run("a").out, "two\n");
  WriteTool(tool_, "echo three");
  EXPECT_EQ(Run("a").out, "two\n");
  kept_in_.clear();
  EXPECT_EQ(Run("a").out, "three\n");
}

TEST_F(KeptToolEnd, OfASignalOrOfNoToolIsNotKept) {
  WriteTool(tool_, "kill -SEGV $$");
  EXPECT_EQ(Run("a").how, ToolEnd::How::kSignal);
  WriteTool(tool_, "exec /no/such/tool");
  EXPECT_EQ(Run("a").status, 127);
  WriteTool(tool_, "echo alive");
  EXPECT_EQ(Run("a").out, "alive\n");
}

}  // namespace
}  // namespace tosaic
