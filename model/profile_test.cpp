// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/profile.h"

#include "gtest/gtest.h"
#include "model/op_catalogue.h"

namespace tosaic {
namespace {

TEST(SpecVersionTest, NamesAreRead) {
  EXPECT_EQ(Find<SpecVersion>("1.0.0"), SpecVersion::k1_0_0);
  EXPECT_EQ(Find<SpecVersion>("1.0.2"), SpecVersion::k1_0_2);
  EXPECT_EQ(Find<SpecVersion>("1.1"), SpecVersion::k1_1);
  EXPECT_EQ(Find<SpecVersion>("1.2"), std::nullopt);
  EXPECT_EQ(Name(SpecVersion::k1_1), "1.1");
}

// tosa.xml of the draft: what has version_added="1.1" among the elementwise ops, block-scaled types apart.
TEST(SpecVersionTest, TheDraftAddsI64ToTwentyTwoOpsAndSixCasts) {
  int with_i64 = 0;
  for (const OpInfo& op : AllOps()) {
    EXPECT_EQ(TuplesOf(op, SpecVersion::k1_0_2).size(), op.spec_types.size());
    const std::vector<TypeTuple> draft = TuplesOf(op, SpecVersion::k1_1);
    EXPECT_EQ(draft.size(), op.spec_types.size() + op.draft_types.size());
    for (const TypeTuple& tuple : draft) {
      const bool is_new = FindSpecTuple(op, tuple.input, tuple.result) == nullptr;
      EXPECT_EQ(is_new, IsDraftTuple(op, tuple.input, tuple.result));
      EXPECT_NE(FindSpecTuple(op, tuple.input, tuple.result, SpecVersion::k1_1), nullptr);
      if (is_new && op.kind != OpKind::kCast) EXPECT_EQ(tuple.input, ElementType::kI64) << op.name;
    }
    if (op.kind == OpKind::kCast) {
      EXPECT_EQ(op.draft_types.size(), 6u);
    } else {
      with_i64 += static_cast<int>(op.draft_types.size());
    }
  }
  EXPECT_EQ(with_i64, 22);
}

}  // namespace
}  // namespace tosaic
