// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/attributes.h"

#include "codec/codec.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(Attributes, EachRowHasAKeyOfItsName) {
  Attributes all;
  ForEachAttribute(all, [](const AttributeInfo&, auto& value) { value.emplace(); });
  const Json json = ToJson(all);
  EXPECT_EQ(json.size(), std::size(kAttributes));
  for (const AttributeInfo& info : kAttributes) EXPECT_TRUE(json.contains(std::string(Name(info.attribute))));
  const absl::StatusOr<Attributes> read = FromJson<Attributes>(json);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, all);
}

TEST(Attributes, NumbersComeInPairsOfWhichTheLowerStandsFirst) {
  std::optional<Attribute> expected;
  ForEachRow(ByKind{[&](const AttributeInfo& info, std::optional<TypedBits> Attributes::*) {
                      if (expected) EXPECT_EQ(info.attribute, *expected);
                      EXPECT_NE(info.at_most.has_value(), expected.has_value());
                      EXPECT_FALSE(info.untyped_name.empty());
                      expected = info.at_most;
                    },
                    [](const AttributeInfo& info, auto) { EXPECT_FALSE(info.at_most.has_value()) << info.name; }});
  EXPECT_FALSE(expected.has_value());
  Attributes attributes;
  int pairs = 0;
  ForEachBounds(attributes, [&](const AttributeInfo& lower_info, auto& lower, const AttributeInfo& info, auto& upper) {
    ++pairs;
    EXPECT_EQ(lower_info.at_most, info.attribute);
    EXPECT_NE(&lower, &upper);
  });
  EXPECT_EQ(pairs, 1);
}

TEST(Attributes, SayMoreThanTheirAbsence) {
  Attributes attributes;
  EXPECT_FALSE(SaysMore(attributes, Attribute::kNanMode));
  attributes.nan_mode = NanMode::kPropagate;
  EXPECT_FALSE(SaysMore(attributes, Attribute::kNanMode));
  attributes.nan_mode = NanMode::kIgnore;
  EXPECT_TRUE(SaysMore(attributes, Attribute::kNanMode));
  EXPECT_FALSE(SaysMore(attributes, Attribute::kRound));
}

}  // namespace
}  // namespace tosaic
