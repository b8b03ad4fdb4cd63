#include "model/op_signature.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(OpSignature, RoundTrips) {
  for (const char* text :
       {"add(tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>", "broadcastable() -> tensor<*xi32>",
        "broadcastable(vector<2xi1>, tensor<i8>, i64, tensor<*xf16>) -> vector<4x2xi32>"}) {
    const absl::StatusOr<OpSignature> signature = ParseOpSignature(text);
    ASSERT_TRUE(signature.ok()) << signature.status();
    EXPECT_EQ(ToString(*signature), text);
  }
}

TEST(OpSignature, BlanksAndAPrefixAreNoMatter) {
  EXPECT_EQ(*ParseOpSignature("  tosa.select ( tensor<*xi1>,tensor<f32> )->tensor<?xf32> "),
            *ParseOpSignature("select(tensor<*xi1>, tensor<f32>) -> tensor<?xf32>"));
}

TEST(OpSignature, PointsAtTheOffendingCharacter) {
  struct Row {
    const char* text;
    const char* caret;  // the line below the text
    const char* expected;
  };
  constexpr Row kRows[] = {
      {"", "^", "an op's name: add, tosa.mul, ..."},
      {"add tensor<2xf32>", "    ^", "'(' after the op's name"},
      {"abs(tensor<2y?xf32>) -> tensor<f32>", "            ^", "'x' after a dimension"},
      {"abs(tensor<2xf33>) -> tensor<f32>", "             ^", "a dimension (2, ?) or an element type (f32, i8, ...)"},
      {"abs(tensor<2xf32) -> tensor<f32>", "                ^", "'>'"},
      {"abs(tensor<*x3xf32>) -> tensor<f32>", "             ^", "an element type (f32, i8, ...): '*' stands alone"},
      {"abs(tensor<2xf32>, ) -> tensor<f32>", "                   ^", "a type: tensor<2x?xf32>, tensor<*xi8>, ..."},
      {"abs(tensor<2xf32>", "                 ^", "',' or ')' after an operand's type"},
      {"abs(tensor<2xf32>)", "                  ^", "'->' before the result's type"},
      {"abs(tensor<f32>) -> tensor<f32> -> i1", "                                ^", "the end"},
      {"abs(\ttensor<f33>) -> i1", "            ^", "a dimension (2, ?) or an element type (f32, i8, ...)"},
  };
  for (const Row& row : kRows) {
    const absl::StatusOr<OpSignature> signature = ParseOpSignature(row.text);
    ASSERT_FALSE(signature.ok()) << row.text;
    std::string text = row.text;
    for (char& c : text) c = c == '\t' ? ' ' : c;
    EXPECT_EQ(signature.status().message(),
              std::string("expected ") + row.expected + "\n  " + text + "\n  " + row.caret);
  }
}

}  // namespace
}  // namespace tosaic
