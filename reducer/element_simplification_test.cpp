// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reducer/element_simplification.h"

#include "gtest/gtest.h"
#include "model/tensor.h"

namespace tosaic {
namespace {

TEST(ElementSimplification, OffersOnlySimplerValues) {
  for (const ElementTypeInfo& info : AllElementTypes()) {
    const ElementType type = info.type;
    for (uint64_t seed : {0ull, 1ull, 2ull, 3ull, 0x80ull, 0x7c00ull, 0xfedcba9876543210ull, ~0ull, 1ull << 63}) {
      for (int shift = 0; shift < 64; shift += 3) {
        const uint64_t bits = seed >> shift & BitMask(type);
        EXPECT_LT(ElementCost(type, bits), 1u << 15);
        for (uint64_t simpler : SimplerElements(type, bits)) {
          EXPECT_EQ(simpler & ~BitMask(type), 0u) << info.name;
          EXPECT_LT(ElementCost(type, simpler), ElementCost(type, bits)) << info.name;
        }
      }
    }
    EXPECT_EQ(ElementCost(type, 0), 0u);
    EXPECT_EQ(ElementToDouble(type, OneBits(type)), 1);
    EXPECT_TRUE(SimplerElements(type, 0).empty());
    ASSERT_EQ(OrdinaryBits(type).has_value(), type != ElementType::kI1) << info.name;
    if (type != ElementType::kI1) EXPECT_EQ(ElementToDouble(type, *OrdinaryBits(type)), 3) << info.name;
  }
  for (const ElementTypeInfo& info : BlockScaledTypes()) {
    const ElementType type = info.type;
    for (uint64_t bits = 0; bits < 0x10000; bits += 7) {
      if ((bits & 0xff) >> BlockValueBits(type) != 0) continue;
      EXPECT_LT(ElementCost(type, bits), 1u << 15);
      for (uint64_t simpler : SimplerElements(type, bits)) {
        EXPECT_EQ(simpler >> kBlockScaleShift, bits >> kBlockScaleShift) << info.name;
        EXPECT_EQ((simpler & 0xff) >> BlockValueBits(type), 0u) << info.name;
        EXPECT_LT(ElementCost(type, simpler), ElementCost(type, bits)) << info.name;
      }
    }
    EXPECT_EQ(ElementToDouble(type, OneBits(type)), 1) << info.name;
    EXPECT_EQ(ElementToDouble(type, MinusOneBits(type)), -1) << info.name;
    EXPECT_TRUE(SimplerElements(type, 0).empty());
  }
  EXPECT_EQ(SimplerScales(0x0001), (std::vector<uint64_t>{127, 64, 1}));
  EXPECT_EQ(SimplerScales(0xff01), (std::vector<uint64_t>{127, 191, 254}));
  EXPECT_TRUE(SimplerScales(0x7f01).empty());
  EXPECT_EQ(ElementToDouble(ElementType::kF8E5M2, MinusOneBits(ElementType::kF8E5M2)), -1);
  EXPECT_EQ(ElementToDouble(ElementType::kI8, MinusOneBits(ElementType::kI8)), -1);
}

}  // namespace
}  // namespace tosaic
