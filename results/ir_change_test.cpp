// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/ir_change.h"

#include <gtest/gtest.h>

#include "codec/codec.h"

namespace tosaic {
namespace {

CaseIr IrWith(const std::string& digest, std::map<std::string, uint64_t> ops, uint64_t bytes) {
  return {.tensors = IrInShort{digest, ops},
          .lowered = IrInShort{digest, std::move(ops)},
          .code_bytes = bytes,
          .missing = ""};
}

TEST(IrChange, GroupsCasesByWhatCameAndWent) {
  const CaseIr generic = IrWith("1", {{"linalg.generic", 1}, {"func.return", 1}}, 100);
  const CaseIr elementwise = IrWith("2", {{"linalg.elementwise", 1}, {"func.return", 1}}, 90);
  const CaseIr branch = IrWith("3", {{"scf.if", 2}, {"linalg.generic", 1}, {"func.return", 1}}, 120);
  const CaseIr moved = IrWith("4", {{"linalg.generic", 1}, {"func.return", 1}}, 100);
  const CaseIr refused = {.missing = "not lowered"};
  const IrChange change = CompareIr({{"op/a/0", branch, generic},
                                     {"op/b/0", generic, elementwise},
                                     {"op/b/1", generic, elementwise},
                                     {"op/c/0", generic, elementwise},
                                     {"op/d/0", generic, generic},
                                     {"op/e/0", generic, moved},
                                     {"op/f/0", generic, refused},
                                     {"op/g/0", refused, refused},
                                     {"op/h/0", refused, generic}});
  EXPECT_EQ(change.tensors.compared, 6u);
  EXPECT_EQ(change.tensors.differ, 5u);
  EXPECT_EQ(change.tensors.base_alone, 1u);
  EXPECT_EQ(change.tensors.patch_alone, 1u);
  ASSERT_EQ(change.tensors.groups.size(), 3u);
  EXPECT_EQ(change.tensors.groups[0].cases, 3u);
  EXPECT_EQ(change.tensors.groups[0].examples, (std::vector<std::string>{"op/b/0", "op/c/0"}));
  EXPECT_EQ(OpsInWords(change.tensors.groups[0].ops), "linalg.generic -> linalg.elementwise");
  EXPECT_EQ(change.tensors.ops.at("scf.if"), (std::pair<uint64_t, uint64_t>(2, 0)));
  EXPECT_FALSE(change.tensors.ops.contains("func.return")) << "as many as before";
  EXPECT_EQ(change.code.smaller, 4u);
  EXPECT_EQ(change.code.larger, 0u);
  EXPECT_EQ(change.base_missing, (std::map<std::string, uint64_t>{{"not lowered", 2}}));
  const auto [place, names] = WorthShowing(change, 4);
  EXPECT_EQ(place, "tensors");
  ASSERT_EQ(names.size(), 4u);
  EXPECT_EQ(names.front(), "op/b/0");
  EXPECT_EQ(names.back(), "op/c/0") << "the first of each group, then others of the largest";
  EXPECT_EQ(ToJson(*FromText<IrChange>(ToLine(change))), ToJson(change));
}

TEST(IrChange, OpsInWords) {
  EXPECT_EQ(OpsInWords({}), "the same ops, otherwise put together");
  EXPECT_EQ(OpsInWords({{"a.b", 2}, {"c.d", -2}}), "c.d -> a.b, 2 times");
  EXPECT_EQ(OpsInWords({{"a.b", 1}, {"c.d", -2}}), "-2 c.d, +1 a.b");
  EXPECT_EQ(OpsInWords({{"scf.if", -12}}), "-12 scf.if");
  std::map<std::string, int64_t> many;
  for (char c = 'a'; c < 'a' + 10; ++c) many[std::string(1, c)] = 1;
  EXPECT_EQ(OpsInWords(many), "+1 a, +1 b, +1 c, +1 d, +1 e, +1 f, +1 g, +1 h, and 2 more");
}

TEST(IrChange, HeadlinesSayHowMuchAndWhatIsNotKnown) {
  IrChange change;
  change.tensors.compared = 3;
  change.tensors.differ = 1;
  change.lowered.compared = 1;
  change.lowered.base_alone = 2;
  change.code = {.compared = 3, .smaller = 0, .larger = 1, .base_bytes = 1000, .patch_bytes = 1010};
  change.patch_missing = {{"not lowered", 2}};
  EXPECT_EQ(Headlines(change),
            (std::vector<std::string>{"IR before bufferization: 1 of 3 cases differs",
                                      "IR after all passes: 0 of 1 case differ; 2 lowered by the base alone",
                                      "machine code: 1000 -> 1010 bytes, +1.00 %; larger in 1 of 3 cases, smaller in 0",
                                      "not compared: 2 cases on the patch (not lowered)"}));
  change.code = {};
  EXPECT_EQ(Headlines(change)[2], "machine code: no case has a size on both sides");
}

TEST(IrChange, DiffsHaveThreeLinesAround) {
  EXPECT_EQ(DiffOf("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(DiffOf("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n"),
            "@@ line 2 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
  EXPECT_EQ(DiffOf("", "a\n"), "@@ line 1 @@\n+a\n");
  EXPECT_EQ(DiffOf("a\nb", "b"), "@@ line 1 @@\n-a\n b\n");
}

}  // namespace
}  // namespace tosaic
