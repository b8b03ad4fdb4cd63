// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/operand_reads.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

using E = ElementType;

size_t At(OperandAccess access, const std::vector<int64_t>& operand, size_t index, const std::vector<int64_t>& result) {
  return OperandElements(access, operand, result).At(index);
}

TEST(OperandElements, AnOperandOfOneElementTakesPartEverywhereWhateverItsRank) {
  EXPECT_EQ(At(OperandAccess::kSingle, {1}, 0, {}), 0u);
  EXPECT_EQ(At(OperandAccess::kSingle, {1}, 5, {2, 3}), 0u);
  EXPECT_EQ(At(OperandAccess::kPosition, {}, 0, {}), 0u);
  EXPECT_EQ(At(OperandAccess::kPosition, {1, 3}, 5, {2, 3}), 2u);
  EXPECT_EQ(At(OperandAccess::kPosition, {2, 1}, 5, {2, 3}), 1u);
}

TEST(OperandElements, InOrderTheSizesDoNotMatter) {
  EXPECT_EQ(At(OperandAccess::kOrder, {3, 2}, 4, {2, 3}), 4u);
  EXPECT_EQ(At(OperandAccess::kOrder, {6, 1}, 4, {1, 6}), 4u);
}

TEST(OperandElements, AChannelIsTheLastIndexOfTheResult) {
  EXPECT_EQ(At(OperandAccess::kChannel, {3}, 4, {2, 3}), 1u);
  EXPECT_EQ(At(OperandAccess::kChannel, {3}, 5, {2, 3}), 2u);
  EXPECT_EQ(At(OperandAccess::kChannel, {2}, 4, {3, 2}), 0u);
  EXPECT_EQ(At(OperandAccess::kChannel, {1}, 5, {2, 3}), 0u) << "one for all";
  // As many channels as the first dimension has: still the last index.
  EXPECT_EQ(At(OperandAccess::kChannel, {2}, 1, {2, 2}), 1u);
  EXPECT_EQ(At(OperandAccess::kChannel, {2}, 2, {2, 2}), 0u);
}

TEST(Lookup, TheLeastValueReadsTheFirstEntry) {
  const Lookup of_i8 = LookupIn(E::kI8), of_i16 = LookupIn(E::kI16);
  EXPECT_EQ(of_i8.reads, 1u);
  EXPECT_EQ(of_i8.FirstFor(E::kI8, 0x80), 0u);
  EXPECT_EQ(of_i8.FirstFor(E::kI8, 0xff), 127u);
  EXPECT_EQ(of_i8.FirstFor(E::kI8, 0x00), 128u);
  EXPECT_EQ(of_i8.FirstFor(E::kI8, 0x7f), 255u);
  // 128 values between two entries, and both are read.
  EXPECT_EQ(of_i16.reads, 2u);
  EXPECT_EQ(of_i16.FirstFor(E::kI16, 0x8000), 0u);
  EXPECT_EQ(of_i16.FirstFor(E::kI16, 0x807f), 0u);
  EXPECT_EQ(of_i16.FirstFor(E::kI16, 0x8080), 1u);
  EXPECT_EQ(of_i16.FirstFor(E::kI16, 0xffff), 255u);
  EXPECT_EQ(of_i16.FirstFor(E::kI16, 0x0000), 256u);
  EXPECT_EQ(of_i16.FirstFor(E::kI16, 0x7fff), 511u);
}

}  // namespace
}  // namespace tosaic
