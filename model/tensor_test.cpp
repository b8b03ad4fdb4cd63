// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/tensor.h"

#include <bit>
#include <cmath>
#include <limits>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

using E = ElementType;
using Sizes = std::vector<int64_t>;

TEST(Tensor, StartsAtZeroAndMasksWhatIsSet) {
  Tensor tensor(E::kI4, {2, 2});
  EXPECT_EQ(tensor.element_count(), 4u);
  EXPECT_EQ(DataToHex(tensor), "0 0 0 0");
  tensor.SetBits(3, 0xff);
  EXPECT_EQ(tensor.RawBits(3), 0xfu);
}

TEST(Tensor, ShowsTheRawByteOfATruthValue) {
  Tensor tensor(E::kI1, {1});
  tensor.mutable_bytes()[0] = 0xa5;
  EXPECT_EQ(tensor.RawBits(0), 0xa5u);
  EXPECT_EQ(tensor.Bits(0), 1u);
}

TEST(TensorFromHex, RoundTripsEveryType) {
  for (const ElementTypeInfo& info : AllElementTypes()) {
    Tensor tensor(info.type, {3, 2});
    for (size_t i = 0; i < 6; ++i) tensor.SetBits(i, 0xf123456789abcdef >> (7 * i));
    EXPECT_EQ(TensorFromHex(info.type, {3, 2}, DataToHex(tensor)).value(), tensor) << info.name;
  }
  EXPECT_EQ(DataToHex(TensorFromHex(E::kF32, {2}, "3F800000 7fc00000").value()), "3f800000 7fc00000");
  EXPECT_EQ(TensorFromHex(E::kF32, {0, 3}, "").value().element_count(), 0u);
  EXPECT_EQ(TensorFromHex(E::kF32, {}, "00000001").value().element_count(), 1u);
}

TEST(TensorFromHex, SaysWhatIsWrong) {
  struct Row {
    E type;
    Sizes sizes;
    const char* hex;
    const char* message;
  };
  for (const Row& row :
       {Row{E::kF32, {2}, "3f800000", "the data has 1 element, the sizes (2) call for 2"},
        Row{E::kF32, {}, "", "the data has 0 elements, the sizes (scalar) call for 1"},
        Row{E::kF32, {1}, "3f80000", "element 0: '3f80000' is not a bit pattern of f32 (8 hexadecimal digits)"},
        Row{E::kF32, {1}, "3f80000g", "'3f80000g' is not"}, Row{E::kF32, {1}, "0x3f8000", "'0x3f8000' is not"},
        Row{E::kF32, {1}, "-3f80000", "is not"}, Row{E::kI1, {2}, "1 2", "element 1: '2' is not a bit pattern of i1"},
        Row{E::kI8, {1}, "fff", "is not"}, Row{E::kI64, {1}, "fffffffffffffffff", "is not"},
        Row{E::kI8, {1000000, 1000000}, "00", "the sizes (1000000x1000000) call for 1000000000000"},
        Row{E::kI8, {int64_t{1} << 62, 4}, "00", "the data has 1 element"}}) {
    const absl::StatusOr<Tensor> tensor = TensorFromHex(row.type, row.sizes, row.hex);
    ASSERT_FALSE(tensor.ok()) << row.hex;
    EXPECT_TRUE(absl::StrContains(tensor.status().message(), row.message)) << tensor.status();
  }
}

TEST(BroadcastIndex, RepeatsDimensionsOfOneAndMissingOnes) {
  struct Row {
    Sizes result;
    Sizes operand;
    std::vector<size_t> indices;
  };
  for (const Row& row : {Row{{2, 3}, {2, 3}, {0, 1, 2, 3, 4, 5}}, Row{{2, 3}, {1, 3}, {0, 1, 2, 0, 1, 2}},
                         Row{{2, 3}, {2, 1}, {0, 0, 0, 1, 1, 1}}, Row{{2, 3}, {1, 1}, {0, 0, 0, 0, 0, 0}},
                         Row{{2, 3}, {3}, {0, 1, 2, 0, 1, 2}}, Row{{2, 3}, {}, {0, 0, 0, 0, 0, 0}}, Row{{}, {}, {0}},
                         Row{{2, 2, 2}, {2, 1, 2}, {0, 1, 0, 1, 2, 3, 2, 3}}}) {
    for (size_t i = 0; i < row.indices.size(); ++i) {
      EXPECT_EQ(BroadcastIndex(i, row.result, row.operand), row.indices[i])
          << i << " of " << SizesToString(row.result) << " from " << SizesToString(row.operand);
    }
  }
}

TEST(ElementToDouble, KnowsTheBoundariesOfEveryFloat) {
  struct Row {
    E type;
    uint64_t bits;
    double value;
  };
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const Row& row : {
           Row{E::kF16, 0x3c00, 1},
           Row{E::kF16, 0x7bff, 65504},
           Row{E::kF16, 0x0400, 0x1p-14},
           Row{E::kF16, 0x0001, 0x1p-24},
           Row{E::kF16, 0x03ff, 0x1p-14 - 0x1p-24},
           Row{E::kF16, 0xfc00, -kInf},
           Row{E::kBF16, 0x3f80, 1},
           Row{E::kBF16, 0x7f7f, 0x1p128 - 0x1p120},
           Row{E::kBF16, 0x0080, 0x1p-126},
           Row{E::kBF16, 0x0001, 0x1p-133},
           Row{E::kBF16, 0x7f80, kInf},
           Row{E::kF32, 0x3f800000, 1},
           Row{E::kF32, 0x7f7fffff, 0x1p128 - 0x1p104},
           Row{E::kF32, 0x00800000, 0x1p-126},
           Row{E::kF32, 0x00000001, 0x1p-149},
           Row{E::kF32, 0xff800000, -kInf},
           Row{E::kF64, 0x3ff0000000000000, 1},
           Row{E::kF64, 0x7fefffffffffffff, 0x1.fffffffffffffp1023},
           Row{E::kF64, 0x0000000000000001, 0x1p-1074},
           Row{E::kF64, 0x0010000000000000, 0x1p-1022},
           Row{E::kF64, 0x7ff0000000000000, kInf},
           Row{E::kF8E4M3FN, 0x38, 1},
           Row{E::kF8E4M3FN, 0x7e, 448},
           Row{E::kF8E4M3FN, 0x78, 256},
           Row{E::kF8E4M3FN, 0x08, 0x1p-6},
           Row{E::kF8E4M3FN, 0x01, 0x1p-9},
           Row{E::kF8E4M3FN, 0xfe, -448},
           Row{E::kF8E5M2, 0x3c, 1},
           Row{E::kF8E5M2, 0x7b, 57344},
           Row{E::kF8E5M2, 0x04, 0x1p-14},
           Row{E::kF8E5M2, 0x01, 0x1p-16},
           Row{E::kF8E5M2, 0x7c, kInf},
           Row{E::kF8E5M2, 0xfc, -kInf},
       }) {
    EXPECT_EQ(ElementToDouble(row.type, row.bits), row.value) << Name(row.type) << " " << row.bits;
  }
}

TEST(ElementToDouble, KnowsNansAndSignedZeros) {
  for (const auto& [type, bits] : std::vector<std::pair<E, uint64_t>>{{E::kF16, 0x7c01},
                                                                      {E::kBF16, 0x7fff},
                                                                      {E::kF32, 0x7f800001},
                                                                      {E::kF64, 0x7ff8000000000000},
                                                                      {E::kF8E4M3FN, 0x7f},
                                                                      {E::kF8E5M2, 0x7d}}) {
    const uint64_t sign = SignMask(type);
    EXPECT_TRUE(std::isnan(ElementToDouble(type, bits))) << Name(type);
    EXPECT_FALSE(std::signbit(ElementToDouble(type, bits))) << Name(type);
    EXPECT_TRUE(std::isnan(ElementToDouble(type, bits | sign))) << Name(type);
    EXPECT_TRUE(std::signbit(ElementToDouble(type, bits | sign))) << Name(type);
    EXPECT_EQ(ElementToDouble(type, sign), 0);
    EXPECT_TRUE(std::signbit(ElementToDouble(type, sign))) << Name(type);
  }
}

TEST(ElementToDouble, AgreesWithTheMachinesFloats) {
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 0x10fedc) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (!std::isnan(value)) {
      EXPECT_EQ(ElementToDouble(E::kF32, bits), value);
    }
  }
}

TEST(ElementToDouble, ReadsIntegersAsTheirClassSays) {
  EXPECT_EQ(ElementToDouble(E::kI1, 1), 1);
  EXPECT_EQ(ElementToDouble(E::kI4, 8), -8);
  EXPECT_EQ(ElementToDouble(E::kI8, 0x80), -128);
  EXPECT_EQ(ElementToDouble(E::kUi8, 0x80), 128);
  EXPECT_EQ(ElementToDouble(E::kSi32, 0xffffffff), -1);
  EXPECT_EQ(ElementToDouble(E::kI48, 0x800000000000), -0x1p47);
  EXPECT_EQ(ElementToDouble(E::kI64, uint64_t{1} << 63), -0x1p63);
}

TEST(ElementToString, IsForPeople) {
  EXPECT_EQ(ElementToString(E::kF32, 0x3fc00000), "1.5");
  EXPECT_EQ(ElementToString(E::kF32, 0x80000000), "-0");
  EXPECT_EQ(ElementToString(E::kF32, 0x7fc00001), "nan(0x7fc00001)");
  EXPECT_EQ(ElementToString(E::kF32, 0xffc00001), "-nan(0xffc00001)");
  EXPECT_EQ(ElementToString(E::kF32, 0xff800000), "-inf");
  EXPECT_EQ(ElementToString(E::kF64, 0x3fb999999999999a), "0.10000000000000001");
  EXPECT_EQ(ElementToString(E::kI8, 0x80), "-128");
  EXPECT_EQ(ElementToString(E::kUi8, 0x80), "128");
  EXPECT_EQ(ElementToString(E::kI64, uint64_t{1} << 63), "-9223372036854775808");
  EXPECT_EQ(ElementToString(E::kI1, 1), "true");
  EXPECT_EQ(ElementToString(E::kI1, 0), "false");
  EXPECT_EQ(BitsToString(E::kI1, 1), "0x1");
  EXPECT_EQ(BitsToString(E::kF8E5M2, 1), "0x01");
  EXPECT_EQ(BitsToString(E::kI48, 1), "0x000000000001");
}

TEST(Tensor, BroadcastsOnesAndEqualSizes) {
  EXPECT_TRUE(BroadcastsTo({}, {}));
  EXPECT_TRUE(BroadcastsTo({2, 1}, {2, 3}));
  EXPECT_TRUE(BroadcastsTo({1}, {0}));
  EXPECT_FALSE(BroadcastsTo({2}, {1}));
  EXPECT_FALSE(BroadcastsTo({2}, {3}));
  EXPECT_FALSE(BroadcastsTo({0}, {1}));
  EXPECT_FALSE(BroadcastsTo({3}, {2, 3}));
}

}  // namespace
}  // namespace tosaic
