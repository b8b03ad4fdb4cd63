#include "model/shape.h"

#include <limits>
#include <string>

#include "absl/strings/match.h"
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

TEST(ParseTensorType, SaysWhatIsWrong) {
  struct Row {
    const char* text;
    const char* what;
  };
  for (const Row& row :
       {Row{"", "it must be tensor<...>"}, Row{"memref<2xf32>", "it must be tensor<...>"},
        Row{"tensor<2xf32", "it must be tensor<...>"}, Row{"tensor<>", "unknown element type ''"},
        Row{"tensor<2>", "the element type is missing"}, Row{"tensor<2x>", "unknown element type ''"},
        Row{"tensor<2xf33>", "unknown element type 'f33'"}, Row{"tensor<-1xf32>", "unknown element type '-1xf32'"},
        Row{"tensor<2x*xf32>", "'*' stands alone"}, Row{"tensor<*x2xf32>", "unknown element type '2xf32'"},
        Row{"tensor<2 xf32>", "'2 ' is no dimension"}, Row{"tensor<9223372036854775808xf32>", "is no dimension"},
        Row{" tensor<f32>", "it must be tensor<...>"}, Row{"tensor<f32> ", "it must be tensor<...>"}}) {
    const absl::StatusOr<TensorType> type = ParseTensorType(row.text);
    ASSERT_FALSE(type.ok()) << row.text;
    EXPECT_TRUE(absl::StrContains(type.status().message(), row.what)) << type.status();
    EXPECT_TRUE(absl::StrContains(type.status().message(), "for instance")) << type.status();
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
