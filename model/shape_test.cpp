// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/shape.h"

#include <cstring>
#include <limits>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(ParseTensorType, RoundTrips) {
  for (const char* text :
       {"tensor<f32>", "tensor<*xf32>", "tensor<2x?xf32>", "tensor<?xi1>", "tensor<0xbf16>",
        "tensor<1x2x3x4x5x6x7xui16>", "tensor<9223372036854775807xi8>", "tensor<3xf8E4M3FN>", "tensor<?x?x?xsi32>"}) {
    const absl::StatusOr<TensorType> type = ParseTensorType(text);
    ASSERT_TRUE(type.ok()) << type.status();
    EXPECT_EQ(ToString(*type), text);
  }
}

TEST(ParseTensorType, RoundTripsEveryElementType) {
  for (const ElementTypeInfo& info : AllElementTypes()) {
    for (const Shape& shape : {Shape(), Shape::Unranked(), Shape({Dim::Static(2), Dim::Dynamic()})}) {
      const TensorType type{shape, info.type};
      EXPECT_EQ(ParseTensorType(ToString(type)).value(), type);
    }
  }
}

TEST(ParseTensorType, TakesBlockScaledTypesWithBlanksAndWithout) {
  for (const ElementTypeInfo& info : BlockScaledTypes()) {
    const TensorType type{Shape({Dim::Dynamic(), Dim::Static(32)}), info.type};
    EXPECT_EQ(ParseTensorType(ToString(type)).value(), type);
  }
  const TensorType type = {Shape({Dim::Static(4), Dim::Static(32)}), ElementType::kBlockMxint8};
  EXPECT_EQ(ParseTensorType("tensor<4x32x!tosa.block_scaled<BLOCK_SHAPE_32 : f8E8M0FNU : !tosa.mxint8>>").value(),
            type);
  EXPECT_FALSE(ParseTensorType("tensor<4x32x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f32>>").ok());
  EXPECT_FALSE(ParseTensorType("tensor<4x32x!tosa.block_scaled<BLOCK_SHAPE_32").ok());
}

TEST(ParseTensorType, SaysWhatIsWrong) {
  struct Row {
    const char* text;
    const char* message;
  };
  for (const Row& row :
       {Row{"", "expected a type: tensor<2x?xf32>, tensor<*xi8>, ... at the end"},
        Row{"memref<2xf32>", "expected a type: tensor<2x?xf32>, tensor<*xi8>, ... at 'memref<2xf32>'"},
        Row{"f32", "expected tensor<...> at 'f32'"}, Row{"vector<2xf32>", "expected tensor<...> at 'vector<2xf32>'"},
        Row{"tensor<2xf32", "expected '>' at the end"}, Row{"tensor<>", "or an element type (f32, i8, ...) at '>'"},
        Row{"tensor<2>", "expected 'x' after a dimension at '>'"},
        Row{"tensor<2x>", "or an element type (f32, i8, ...) at '>'"},
        Row{"tensor<2xf33>", "or an element type (f32, i8, ...) at 'f33>'"},
        Row{"tensor<-1xf32>", "expected a dimension (2, ?) or an element type (f32, i8, ...) at '-1xf32>'"},
        Row{"tensor<2x*xf32>", "(f32, i8, ...) at '*xf32>'"}, Row{"tensor<*f32>", "expected 'x' after '*' at 'f32>'"},
        Row{"tensor<*x2xf32>", "an element type (f32, i8, ...): '*' stands alone at '2xf32>'"},
        Row{"tensor<2 xf32>", "expected 'x' after a dimension at ' xf32>'"},
        Row{"tensor<9223372036854775808xf32>", "expected a dimension below 2^63 at '9223372036854775808xf32>'"},
        Row{" tensor<f32>", "at ' tensor<f32>'"}, Row{"tensor<f32> ", "expected nothing more at ' '"}}) {
    const absl::StatusOr<TensorType> type = ParseTensorType(row.text);
    ASSERT_FALSE(type.ok()) << row.text;
    EXPECT_TRUE(absl::StrContains(type.status().message(), row.message)) << type.status();
  }
}

// MLIR makes such types of illegal programs: a reshape to {-5} has one, and another compiler's mistake might.
TEST(MadeTypeTest, HasAnySizes) {
  for (const char* text : {"tensor<-5xi32>", "tensor<2x-1x?xf32>", "tensor<-9223372036854775807xi8>", "tensor<0xi8>",
                           "tensor<*xi8>", "tensor<f32>"}) {
    MadeType type;
    ASSERT_TRUE(ReadText(text, type).ok()) << text;
    EXPECT_EQ(ToString(type), text);
  }
  MadeType type;
  for (const char* text : {"tensor<-xi32>", "tensor<--5xi32>", "tensor<-5>", "tensor<-9223372036854775809xi8>"}) {
    EXPECT_FALSE(ReadText(text, type).ok()) << text;
  }
  EXPECT_FALSE(Dim::Static(-1).IsDynamic());
}

TEST(ConsumeValueType, RoundTripsEveryContainerAndLeavesTheRest) {
  for (const char* text : {"tensor<2x?xf32>", "tensor<*xi8>", "vector<2x3xi32>", "vector<f16>", "bf16"}) {
    const std::string line = absl::StrCat(text, ", i1");
    absl::string_view rest = line;
    const absl::StatusOr<ValueType> type = ConsumeValueType(&rest);
    ASSERT_TRUE(type.ok()) << type.status();
    EXPECT_EQ(ToString(*type), text);
    EXPECT_EQ(rest, ", i1");
  }
}

TEST(ConsumeValueType, RefusesWhatNoVectorHas) {
  for (const char* text : {"vector<?xf32>", "vector<0xf32>", "vector<*xf32>"}) {
    absl::string_view rest = text;
    EXPECT_FALSE(ConsumeValueType(&rest).ok()) << text;
    EXPECT_EQ(rest, absl::string_view(text).substr(strlen("vector<")));
  }
}

TEST(Shape, KnowsWhatItIs) {
  EXPECT_TRUE(Shape().IsStatic());
  EXPECT_FALSE(Shape::Unranked().IsStatic());
  EXPECT_NE(Shape::Unranked(), Shape());
  EXPECT_TRUE(Shape::OfSizes({2, 3}).IsStatic());
  EXPECT_FALSE(Shape({Dim::Static(2), Dim::Dynamic()}).IsStatic());
  EXPECT_TRUE(Dim::Static(3).Is(3));
  EXPECT_FALSE(Dim::Dynamic().Is(3));
}

TEST(Admits, ComparesRankAndStaticDimensions) {
  const Shape shape({Dim::Static(2), Dim::Dynamic()});
  EXPECT_TRUE(Admits(shape, {2, 7}));
  EXPECT_TRUE(Admits(shape, {2, 0}));
  EXPECT_FALSE(Admits(shape, {1, 7}));
  EXPECT_FALSE(Admits(shape, {2}));
  EXPECT_FALSE(Admits(shape, {1, 2, 7}));
  EXPECT_TRUE(Admits(Shape(), {}));
  EXPECT_FALSE(Admits(Shape(), {1}));
  EXPECT_TRUE(Admits(Shape::Unranked(), {1, 2, 3}));
}

TEST(ElementCount, Saturates) {
  EXPECT_EQ(ElementCount({}), 1);
  EXPECT_EQ(ElementCount({2, 3}), 6);
  EXPECT_EQ(ElementCount({kMax}), kMax);
  EXPECT_EQ(ElementCount({kMax, 2}), kMax);
  EXPECT_EQ(ElementCount({int64_t{1} << 32, int64_t{1} << 32}), kMax);
  EXPECT_EQ(ElementCount({0, kMax, kMax}), 0);
  EXPECT_EQ(ElementCount({kMax, kMax, 0}), 0);
}

TEST(SizesToString, NamesTheScalar) {
  EXPECT_EQ(SizesToString({}), "scalar");
  EXPECT_EQ(SizesToString({2, 3}), "2x3");
}

}  // namespace
}  // namespace tosaic
