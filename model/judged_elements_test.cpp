// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/judged_elements.h"

#include <limits>

#include "codec/codec.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

SetWidths Of(const std::vector<uint64_t>& all) {
  SetWidths widths;
  for (const uint64_t width : all) widths.Add(width);
  return widths;
}

TEST(SetWidthsTest, TheMedianIsThePowerOfTwoThatHalfOfThemDoNotExceed) {
  EXPECT_EQ(Of({}).Median(), 0u);
  EXPECT_EQ(Of({0}).Median(), 0u);
  EXPECT_EQ(Of({1}).Median(), 1u);
  EXPECT_EQ(Of({2}).Median(), 2u);
  EXPECT_EQ(Of({3}).Median(), 4u);
  EXPECT_EQ(Of({4}).Median(), 4u);
  EXPECT_EQ(Of({5}).Median(), 8u);
  EXPECT_EQ(Of({0, 0, 100}).Median(), 0u);
  EXPECT_EQ(Of({0, 100}).Median(), 0u) << "half of them are enough";
  EXPECT_EQ(Of({0, 100, 100}).Median(), 128u);
  EXPECT_EQ(Of({0, 2, 100}).Median(), 2u);
  EXPECT_EQ(Of({uint64_t{1} << 62}).Median(), uint64_t{1} << 62);
  EXPECT_EQ(Of({std::numeric_limits<uint64_t>::max()}).Median(), uint64_t{1} << 63) << "the widest are one";
}

TEST(SetWidthsTest, SumsAreTheSameInAnyOrder) {
  SetWidths one = Of({0, 3, 77}), other = Of({1, uint64_t{1} << 40});
  SetWidths sum = one, turned = other;
  sum.Add(other);
  turned.Add(one);
  EXPECT_EQ(sum, turned);
  EXPECT_EQ(sum, Of({77, 0, uint64_t{1} << 40, 1, 3}));
  EXPECT_EQ(sum.count(), 5u);
}

JudgedElements Row(const std::string& computed, uint64_t elements, const std::vector<uint64_t>& widths,
                   const std::string& types = "f32") {
  return {.computed = computed, .types = types, .elements = elements, .widths = Of(widths)};
}

TEST(JudgedElementsTest, RowsAreByWhatComputedThemAndTheirTypes) {
  std::vector<JudgedElements> rows;
  AddTo(&rows, Row("exp", 3, {2, 2}));
  AddTo(&rows, Row("abs(exp)", 2, {}));
  AddTo(&rows, Row("exp", 1, {2}, "f16"));
  AddTo(&rows, Row("exp", 5, {8}));
  EXPECT_EQ(rows,
            (std::vector<JudgedElements>{Row("abs(exp)", 2, {}), Row("exp", 1, {2}, "f16"), Row("exp", 8, {2, 2, 8})}));
  EXPECT_EQ(rows[0].share(), 0);
  EXPECT_EQ(rows[2].compared(), 3u);
  EXPECT_EQ(rows[2].share(), 0.375);
  EXPECT_TRUE(rows[0].IsChain());
  EXPECT_FALSE(rows[2].IsChain());
  EXPECT_EQ(SumOf(rows, "all"), Row("all", 11, {2, 2, 2, 8}, ""));
}

TEST(JudgedElementsTest, WhatIsLeftOutOfTheLargestIsSummedUpOnce) {
  const std::vector<JudgedElements> rows = {Row("a", 1, {0}), Row("b", 9, {1}), Row("c", 5, {2}), Row("d", 9, {4})};
  EXPECT_EQ(Largest(rows, 4), (std::vector<JudgedElements>{rows[1], rows[3], rows[2], rows[0]}));
  const std::vector<JudgedElements> three = Largest(rows, 3);
  EXPECT_EQ(three.back(), Row("others", 1, {0}, ""));
  const std::vector<JudgedElements> two = Largest(three, 2);
  EXPECT_EQ(two, (std::vector<JudgedElements>{rows[1], rows[3], Row("others", 6, {2, 0}, "")}));
  EXPECT_EQ(Largest(two, 2), two) << "others are not counted among them";
}

TEST(JudgedElementsTest, ReadsWhatItWrites) {
  JudgedElements row = Row("exp", 4, {0, 2, 1000});
  row.open = 1, row.masked_by_division = 1;
  EXPECT_EQ(FromText<JudgedElements>(ToLine(row)).value(), row);
  JudgedElements twice = row;
  twice.Add(row);
  EXPECT_EQ(twice.open, 2u);
  EXPECT_EQ(twice.masked_by_division, 2u);
  Json json = ToJson(row);
  // As versions wrote it that did not count these.
  json.erase("open"), json.erase("masked_by_division");
  row.open = 0, row.masked_by_division = 0;
  EXPECT_EQ(FromJson<JudgedElements>(json).value(), row);
  EXPECT_EQ(json["compared"], 3);
  EXPECT_EQ(json["compared_share"], 0.75);
  EXPECT_EQ(json["median_width_ulp"], 2);
  EXPECT_EQ(json["widths"].size(), 12u);
  Json bad = json;
  bad["widths"] = std::vector<int>(66, 1);
  EXPECT_FALSE(FromJson<JudgedElements>(bad).ok());
}

}  // namespace
}  // namespace tosaic
