// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic check with data that the user brings.
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "model/npy.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

constexpr char kAdd[] = R"(
func.func @sum(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
)";

// A folder with the program and files of one f32 tensor each.
class E2eGivenData : public testing::Test {
 protected:
  E2eGivenData() {
    Spill(temporary_ / "sum.mlir", kAdd);
    Put("a", "3f800000 40000000");    // 1, 2
    Put("b", "40400000 40800000");    // 3, 4
    Put("sum", "40800000 40c00000");  // 4, 6
    Put("wrong", "40800000 40e00000");
    Put("long", "3f800000 40000000 40000000");
    Spill(File("text"), "4, 6");
    Spill(File("i32"), ToNpy(Tensor(ElementType::kI32, {2})));
    Spill(File("rank2"), ToNpy(Tensor(ElementType::kF32, {1, 2})));
  }

  std::string File(const std::string& name) const { return temporary_ / (name + ".npy"); }
  void Put(const std::string& name, const std::string& hex) {
    const int64_t count = static_cast<int64_t>((hex.size() + 1) / 9);
    Spill(File(name), ToNpy(*TensorFromHex(ElementType::kF32, {count}, hex)));
  }
  Ran Check(const std::vector<std::string>& inputs, std::vector<std::string> more = {}) const {
    std::string files;
    for (const std::string& name : inputs) absl::StrAppend(&files, files.empty() ? "" : ",", File(name));
    more.insert(more.begin(), {"check", temporary_ / "sum.mlir", "--runs=1", absl::StrCat("--inputs=", files)});
    return RunTosaic(more);
  }

  TemporaryDirectory temporary_;
};

TEST_F(E2eGivenData, IsRunAndComparedAndWritten) {
  const std::string out = temporary_ / "out";
  const Ran ran = Check({"a", "b"}, {absl::StrCat("--expect=", File("sum")), absl::StrCat("--outputs=", out),
                                     absl::StrCat("--save=", temporary_ / "saved")});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "given:     what came out is what the documents allow")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, absl::StrCat("result 0 is what ", File("sum"), " has"))) << ran.out;
  EXPECT_EQ(Slurp(out + "/0.npy"), Slurp(File("sum")));
  EXPECT_TRUE(absl::StrContains(Slurp(temporary_ / "saved/sum-sum.json"), "3f800000 40000000"));
}

// A script would take what an earlier run left for what came out.
TEST_F(E2eGivenData, OutputsOfAnEarlierRunDoNotStay) {
  const std::string out = temporary_ / "out", outputs = absl::StrCat("--outputs=", out);
  EXPECT_EQ(Check({"a", "b"}, {outputs}).status, 0);
  Spill(out + "/mine.npy", "");
  const Ran ran = Check({"a", "b"}, {outputs, "--route=contract"});
  EXPECT_TRUE(absl::StrContains(ran.out, "given:     nothing came out: ")) << ran.out << ran.err;
  EXPECT_EQ(FilesBelow(out).size(), 1u) << "only what a run would write is removed";
  // What is expected may lie where the results will.
  EXPECT_EQ(Check({"a", "b"}, {outputs}).status, 0);
  Spill(out + "/0.npy", Slurp(File("wrong")));
  const Ran same = Check({"a", "b"}, {outputs, absl::StrCat("--expect=", out, "/0.npy")});
  EXPECT_TRUE(absl::StrContains(same.out, "in 1 of 2 elements, first in element 1: 6 instead of 7")) << same.out;
}

// The case ends before the function does: its result 0 is not the function's.
TEST_F(E2eGivenData, WhatACutCaseReturnsIsNotExpected) {
  const std::string file = temporary_ / "tail.mlir";
  Spill(file, R"(func.func @tail(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0 = tosa.ceil %a : (tensor<2xf32>) -> tensor<2xf32>
    %1 = tosa.reverse %0 {axis = 0 : i32} : (tensor<2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  })");
  const std::string inputs = "--inputs=" + File("a"), out = temporary_ / "out";
  for (const std::string& flag : {"--expect=" + File("a"), "--outputs=" + out}) {
    const Ran ran = RunTosaic({"check", file, inputs, flag});
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_TRUE(absl::StrContains(ran.err,
                                  ": what the function returns is not what the case, which is @tail (the ops before "
                                  "tosa.reverse), returns\n"))
        << ran.err;
  }
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_EQ(RunTosaic({"check", file, inputs}).status, 0);
}

TEST_F(E2eGivenData, AWrongExpectationIsNamedAsSuch) {
  const Ran ran = Check({"a", "b"}, {absl::StrCat("--expect=", File("wrong"))});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "in 1 of 2 elements, first in element 1: 6 instead of 7")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "what is expected is wrong-value by the documents [value.add]")) << ran.out;
}

// What came out is said once for all routes on which it is the same, which an agreement alone does not tell.
TEST_F(E2eGivenData, OnAllRoutesItIsComparedToo) {
  const Ran ran = Check({"a", "b"}, {absl::StrCat("--expect=", File("wrong")), "--route=all"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  const size_t at =
      ran.out.find("given:     what came out is what the documents allow\n           result 0 differs from ");
  ASSERT_NE(at, std::string::npos) << ran.out;
  EXPECT_GT(at, ran.out.find(": agree on ")) << ran.out;
  EXPECT_EQ(ran.out.find("what came out", at + 20), std::string::npos) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "\non loops, loops-dealloc, dialect-by-dialect and ")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "\non contract, transposed-contract, category-contract:\ngiven:     nothing"))
      << ran.out;
  const Ran outputs = Check({"a", "b"}, {absl::StrCat("--outputs=", temporary_ / "out"), "--route=all"});
  EXPECT_EQ(outputs.status, 2);
  EXPECT_EQ(outputs.err,
            "tosaic: --outputs: each route of --route=all would write the same files; take one route, as with "
            "--route=loops\n");
}

TEST_F(E2eGivenData, WhatDoesNotFitIsOneLine) {
  const auto expect = [](const Ran& ran, const std::string& says) {
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_TRUE(absl::StrContains(ran.err, says)) << ran.err;
  };
  expect(Check({"a"}), "--inputs: 1 file for 2 arguments");
  expect(RunTosaic({"check", temporary_ / "sum.mlir", absl::StrCat("--outputs=", temporary_ / "out")}),
         "--inputs: 0 files for 2 arguments");
  expect(Check({"a", "text"}), "text.npy: it is no .npy file");
  expect(Check({"a", "i32"}), "i32.npy: its elements are '<i4', and f32 is '<f4'");
  expect(Check({"a", "rank2"}), "rank2.npy: its shape is 1x2, and argument 1 is tensor<?xf32>");
  expect(Check({"a", "missing"}), "missing.npy");
  std::string none = ToNpy(*TensorFromHex(ElementType::kF32, {0}, ""));
  none.replace(none.find("(0,), }"), 29, "(0,9223372036854775807), }   ");
  Spill(File("huge"), none);
  Spill(temporary_ / "any.mlir",
        "func.func @any(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {\n  %0 = tosa.abs %a : "
        "(tensor<?x?xf32>) -> tensor<?x?xf32>\n  return %0 : tensor<?x?xf32>\n}\n");
  expect(RunTosaic({"check", temporary_ / "any.mlir", absl::StrCat("--inputs=", File("huge"))}),
         "--inputs: run 0: %arg0 has the sizes 0x9223372036854775807, and a tensor takes up to 8388608 elements");
  expect(Check({"a", "b"}, {absl::StrCat("--expect=", File("sum"), ",", File("sum"))}),
         "--expect: 2 files for 1 result");
  Spill(temporary_ / "sum.mlir",
        absl::StrCat(kAdd, "func.func @other(%a: tensor<2xf32>) -> tensor<2xf32> {\n",
                     "  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>\n", "  return %0 : tensor<2xf32>\n}\n"));
  expect(Check({"a", "b"}), "--inputs: there are several functions; --function picks one");
  EXPECT_EQ(Check({"a", "b"}, {"--function=sum"}).status, 0);
}

constexpr char kSplit[] = R"(
func.func @f(%a: tensor<2xf32>) -> tensor<1xf32> {
  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  %1 = tosa.reduce_sum %0 {axis = 0 : i32} : (tensor<2xf32>) -> tensor<1xf32>
  %2 = tosa.abs %1 : (tensor<1xf32>) -> tensor<1xf32>
  return %2 : tensor<1xf32>
}
)";

// One function, which is two cases: the message is about what --function takes.
TEST_F(E2eGivenData, OfASplitFunctionOnePartIsPicked) {
  const std::string file = temporary_ / "split.mlir", inputs = absl::StrCat("--inputs=", File("a"));
  Spill(file, kSplit);
  const Ran both = RunTosaic({"check", file, inputs});
  EXPECT_EQ(both.status, 2);
  EXPECT_EQ(both.err,
            "tosaic: --inputs: the function is split into two cases, @f (the ops before tosa.reduce_sum) and @f.behind "
            "(the ops after tosa.reduce_sum, for whose results Tosaic draws data); --function picks one\n");
  EXPECT_EQ(RunTosaic({"check", file, "--runs=1", "--function=f", inputs}).status, 0);
  Spill(file, absl::StrReplaceAll(kSplit, {{"%0 = tosa.abs %a", "%0 = tosa.reverse %a {axis = 0 : i32}"}}));
  const Ran first = RunTosaic({"check", file, "--function=f", inputs});
  EXPECT_EQ(first.status, 2);
  EXPECT_TRUE(absl::StrContains(first.err,
                                "split.mlir: --function=f: no op of it is a case but those behind an op that is not "
                                "elementwise; --function=f.behind takes these\n"))
      << first.err;
}

// Extents that do not fit are undefined behaviour, and no mistake of the user's.
TEST_F(E2eGivenData, ExtentsThatDoNotFitAreRunAsTheyAre) {
  const Ran ran = Check({"a", "long"});
  EXPECT_TRUE(absl::StrContains(ran.out, "given:")) << ran.out << ran.err;
}

}  // namespace
}  // namespace tosaic
