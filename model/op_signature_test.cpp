// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
  EXPECT_EQ(ParseOpSignature("tosaic.broadcastable() -> i1")->op, kProbeOp);
  EXPECT_EQ(ParseOpSignature("arith.add(i1) -> i1")->op, "arith.add") << "another dialect's op is not TOSA's";
}

TEST(OpSignature, NamesTheColumnOfTheOffendingCharacter) {
  struct Row {
    const char* text;
    int column;
    const char* expected;
  };
  constexpr Row kRows[] = {
      {"", 1, "an op's name: add, tosa.mul, ..."},
      {"tosa.(tensor<f32>) -> i1", 1, "an op's name: add, tosa.mul, ..."},
      {"add tensor<2xf32>", 5, "'(' after the op's name"},
      {"abs(tensor<2y?xf32>) -> tensor<f32>", 13, "'x' after a dimension"},
      {"abs(tensor<2xf33>) -> tensor<f32>", 14, "a dimension (2, ?) or an element type (f32, i8, ...)"},
      {"abs(tensor<2xf32) -> tensor<f32>", 17, "'>'"},
      {"abs(tensor<*x3xf32>) -> tensor<f32>", 14, "an element type (f32, i8, ...): '*' stands alone"},
      {"abs(tensor<2xf32>, ) -> tensor<f32>", 20, "a type: tensor<2x?xf32>, tensor<*xi8>, ..."},
      {"abs(tensor<2xf32>", 18, "',' or ')' after an operand's type"},
      {"abs(tensor<2xf32>)", 19, "'->' before the result's type"},
      {"abs(tensor<f32>) -> tensor<f32> -> i1", 33, "the end"},
      {"abs(\ttensor<f33>) -> i1", 13, "a dimension (2, ?) or an element type (f32, i8, ...)"},
  };
  for (const Row& row : kRows) {
    const absl::StatusOr<OpSignature> signature = ParseOpSignature(row.text);
    ASSERT_FALSE(signature.ok()) << row.text;
    std::string text = row.text;
    for (char& c : text) c = c == '\t' ? ' ' : c;
    EXPECT_EQ(signature.status().message(),
              "'" + text + "': expected " + row.expected + " at column " + std::to_string(row.column));
  }
}

// Whatever stands there: a signature that prints as something that reads the same, or an error of one line whose
// column is in the text or right behind it.
TEST(OpSignature, SurvivesDamagedText) {
  const std::string good = "select(tensor<*xi1>, tensor<2x?xf32>, vector<3xbf16>) -> tensor<18xf8E4M3FN>";
  constexpr char kPieces[] = "tensor<>?*x,()-> 0123456789fiub_.\t\n\0\xff";
  uint64_t state = 1;
  auto random = [&](size_t below) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return static_cast<size_t>(state >> 33) % below;
  };
  size_t parsed = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = good;
    for (size_t edits = 1 + random(4); edits > 0; --edits) {
      const size_t at = random(text.size());
      const char piece = kPieces[random(sizeof(kPieces) - 1)];
      switch (random(4)) {
        case 0:
          text[at] = piece;
          break;
        case 1:
          text.insert(at, 1, piece);
          break;
        case 2:
          text.erase(at, 1 + random(5));
          break;
        default:
          text.insert(at, text.substr(random(text.size()), random(20)));
      }
      if (text.empty()) text = "a";
    }
    const absl::StatusOr<OpSignature> signature = ParseOpSignature(text);
    if (signature.ok()) {
      ++parsed;
      EXPECT_EQ(*ParseOpSignature(ToString(*signature)), *signature) << text;
      continue;
    }
    const std::string message(signature.status().message());
    EXPECT_EQ(message.find('\n'), message.npos) << message;
    EXPECT_LE(std::stoul(message.substr(message.rfind(' '))), text.size() + 1) << message;
  }
  EXPECT_GT(parsed, 100u);
}

}  // namespace
}  // namespace tosaic
