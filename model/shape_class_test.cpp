// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/shape_class.h"

#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

Shape S(const std::string& text) {
  return ParseTensorType(text.empty() ? "tensor<f32>" : "tensor<" + text + "xf32>").value().shape;
}

std::string Class(const std::vector<std::string>& operands, const std::string& result = "?") {
  std::vector<Shape> shapes;
  for (const std::string& operand : operands) shapes.push_back(S(operand));
  return std::string(Name(ClassOf(shapes, S(result))));
}

TEST(ShapeClassTest, OneVectorPerClassAndItsNeighbours) {
  EXPECT_EQ(Class({"", ""}, ""), "rank-0");
  EXPECT_EQ(Class({"2x3", "2x3"}), "static-equal");
  EXPECT_EQ(Class({"1", "1"}), "static-equal");
  EXPECT_EQ(Class({"2x3", "2x1"}), "static-broadcast");
  EXPECT_EQ(Class({"2", "3"}), "static-broadcast") << "illegal, and static";
  EXPECT_EQ(Class({"?", "?"}), "dynamic");
  EXPECT_EQ(Class({"?x2", "?x2"}), "mixed");
  EXPECT_EQ(Class({"?x2", "?x1"}), "mixed");
  EXPECT_EQ(Class({"?x2", "?x?"}), "dynamic-static");
  EXPECT_EQ(Class({"1", "?"}), "dynamic-static");
  EXPECT_EQ(Class({"2x3", "?x3", "2x3"}), "dynamic-static");
  EXPECT_EQ(Class({"*", "2"}), "unranked");
  EXPECT_EQ(Class({"2", "2"}, "*"), "unranked");
  EXPECT_EQ(Class({"2x3", "3"}), "static-broadcast") << "the innermost dimensions decide";
  EXPECT_EQ(Class({"2x3", "?"}), "dynamic-static");
}

TEST(ShapeClassTest, OneOperandIsOfFiveClassesAtMost) {
  std::set<std::string> seen;
  for (const char* operand : {"*", "2x3", "?x?", "?x3", "1", "?", "2"}) seen.insert(Class({operand}));
  seen.insert(Class({""}, ""));
  int possible = 0;
  for (const ShapeClass shape_class : All<ShapeClass>()) {
    EXPECT_EQ(IsPossible(shape_class, 1), seen.contains(std::string(Name(shape_class)))) << Name(shape_class);
    EXPECT_EQ(IsPossible(shape_class, 2), shape_class != ShapeClass::kSeveralOps);
    possible += IsPossible(shape_class, 1) ? 1 : 0;
  }
  EXPECT_EQ(possible, 5);
}

}  // namespace
}  // namespace tosaic
