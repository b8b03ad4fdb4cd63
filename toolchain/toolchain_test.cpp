// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/toolchain.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(ToolchainDescription, ReadsTheBlockScaledTypesOfItsDialectButForWordsThatItLacks) {
  ToolchainDescription description = {.dialect = Dialect::k22};
  EXPECT_TRUE(description.BlocksRead().empty());
  description.dialect = Dialect::k24;
  EXPECT_EQ(description.BlocksRead().size(), BlockScaledTypes().size());
  description.unspoken = {{OpKind::kCast, std::nullopt, "unknown type", ElementType::kBlockMxint8},
                          {OpKind::kCast, Attribute::kInputUnsigned, "no such attribute"}};
  EXPECT_EQ(description.BlocksRead().size(), BlockScaledTypes().size() - 1);
  EXPECT_NE(description.BlocksRead().back(), ElementType::kBlockMxint8);
}

TEST(ToolchainDescription, ReadsDraftAttributesThoughItLacksABlockScaledType) {
  ToolchainDescription description = {.dialect = Dialect::k24};
  EXPECT_TRUE(description.ReadsDraftAttributes());
  description.unspoken = {{OpKind::kCast, std::nullopt, "unknown type", ElementType::kBlockMxint8}};
  EXPECT_TRUE(description.ReadsDraftAttributes());
  description.unspoken.push_back({OpKind::kCast, Attribute::kInputUnsigned, "no such attribute"});
  EXPECT_FALSE(description.ReadsDraftAttributes());
}

}  // namespace
}  // namespace tosaic
