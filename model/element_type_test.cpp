// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/element_type.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(ElementType, RowsStandAtTheirEnumeratorAndAreFoundByName) {
  std::set<std::string> names;
  for (const ElementTypeInfo& info : AllElementTypes()) {
    EXPECT_EQ(&Info(info.type), &info);
    EXPECT_EQ(FindElementType(info.name), info.type);
    EXPECT_TRUE(names.insert(std::string(info.name)).second) << info.name;
  }
  for (const ElementTypeInfo& info : BlockScaledTypes()) {
    EXPECT_EQ(&Info(info.type), &info);
    EXPECT_EQ(FindElementType(info.name), info.type);
    EXPECT_TRUE(names.insert(std::string(info.name)).second) << info.name;
  }
  EXPECT_EQ(FindElementType("!tosa.block_scaled<BLOCK_SHAPE_32 : f8E8M0FNU : f8E5M2>"), ElementType::kBlockF8E5M2);
  EXPECT_EQ(FindElementType("!tosa.block_scaled<BLOCK_SHAPE_16:f8E8M0FNU:f8E5M2>"), std::nullopt);
  EXPECT_EQ(FindElementType(""), std::nullopt);
  EXPECT_EQ(FindElementType("f33"), std::nullopt);
  EXPECT_EQ(FindElementType("F32"), std::nullopt);
}

TEST(ElementType, FloatFieldsFillTheWidth) {
  for (const ElementTypeInfo& info : AllElementTypes()) {
    if (IsFloat(info.type)) {
      EXPECT_EQ(1 + info.exponent_bits + info.mantissa_bits, info.bits) << info.name;
    } else {
      EXPECT_EQ(info.exponent_bits + info.mantissa_bits, 0) << info.name;
    }
  }
}

TEST(ElementType, ABlockScaledOneIsNeitherFloatNorInteger) {
  ASSERT_EQ(BlockScaledTypes().size(), 6u);
  constexpr int kValueBits[] = {8, 8, 6, 6, 4, 8};
  for (size_t i = 0; i < BlockScaledTypes().size(); ++i) {
    const ElementType type = BlockScaledTypes()[i].type;
    EXPECT_TRUE(IsBlockScaled(type));
    EXPECT_FALSE(IsFloat(type) || IsInteger(type) || HasSignedValues(type));
    EXPECT_EQ(BlockValueBits(type), kValueBits[i]) << Name(type);
    EXPECT_EQ(StorageBytes(type), 2);
  }
  for (const ElementTypeInfo& info : AllElementTypes()) EXPECT_FALSE(IsBlockScaled(info.type)) << info.name;
}

TEST(ElementType, StorageIsAPowerOfTwoOfBytesThatHoldsTheWidth) {
  struct Row {
    ElementType type;
    int bytes;
    uint64_t mask;
  };
  for (const Row& row : {Row{ElementType::kI1, 1, 1}, Row{ElementType::kI4, 1, 0xf}, Row{ElementType::kI8, 1, 0xff},
                         Row{ElementType::kI16, 2, 0xffff}, Row{ElementType::kI48, 8, 0xffffffffffff},
                         Row{ElementType::kI64, 8, ~uint64_t{0}}, Row{ElementType::kBF16, 2, 0xffff},
                         Row{ElementType::kF64, 8, ~uint64_t{0}}, Row{ElementType::kF8E5M2, 1, 0xff}}) {
    EXPECT_EQ(StorageBytes(row.type), row.bytes) << Name(row.type);
    EXPECT_EQ(BitMask(row.type), row.mask) << Name(row.type);
  }
}

TEST(ElementType, APairReadsBackAsItself) {
  for (const char* text : {"f32", "i8-i32", "f32-bf16"}) {
    const std::optional<TypePair> types = FindTypePair(text);
    ASSERT_TRUE(types.has_value()) << text;
    EXPECT_EQ(ToString(*types), text);
  }
  for (const char* none : {"", "-", "x", "f32-", "-f32", "f32-x", "i8-i8-i8"}) {
    EXPECT_FALSE(FindTypePair(none).has_value()) << none;
  }
}

TEST(ElementType, Classes) {
  EXPECT_TRUE(IsFp8(ElementType::kF8E4M3FN));
  EXPECT_FALSE(IsFp8(ElementType::kI8));
  EXPECT_TRUE(IsInteger(ElementType::kI1));
  EXPECT_EQ(Info(ElementType::kUi8).element_class, ElementClass::kUnsigned);
  EXPECT_EQ(Info(ElementType::kSi32).element_class, ElementClass::kSigned);
}

}  // namespace
}  // namespace tosaic
