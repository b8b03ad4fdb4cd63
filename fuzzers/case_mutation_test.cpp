// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzzers/case_mutation.h"

#include <string>

#include "generators/generator.h"
#include "gtest/gtest.h"
#include "model/json.h"

namespace tosaic {
namespace {

constexpr size_t kMost = 1 << 16;

GeneratorOptions Options() { return {.runs = 2, .max_elements = 64}; }

std::string SomeFile(uint64_t number) { return CaseToText(GenerateCase(5, number, Options())); }

TEST(CaseMutation, TakesCaseFilesOnRoutesWithANameAndNothingElse) {
  EXPECT_TRUE(CaseInInput(SomeFile(1)));
  EXPECT_FALSE(CaseInInput(""));
  EXPECT_FALSE(CaseInInput("{\"tosaic_case\": 1}"));
  Case test_case = *CaseInInput(SomeFile(1));
  for (const char* route : {"custom", "nowhere", "sequence(cse)"}) {
    test_case.route = route;
    EXPECT_FALSE(CaseInInput(CaseToText(test_case))) << route;
  }
}

TEST(CaseMutation, TakesNoCaseThatOverwritesMemory) {
  Case test_case;
  OpApplication mul;
  mul.op = OpKind::kMul;
  for (int i = 0; i < 3; ++i) mul.operands.push_back({ValueRef::Kind::kArgument, i});
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  for (const Shape& shape : {Shape::OfSizes({1, 1}), Shape::OfSizes({1})}) {  // of rank 1 the lowering is right
    const TensorType type{shape, ElementType::kI8}, shift{Shape::OfSizes({1}), ElementType::kI8};
    test_case.program.arguments = {type, type, shift};
    mul.result = {shape, ElementType::kI32};
    test_case.program.ops = {mul};
    EXPECT_EQ(CaseInInput(CaseToText(test_case)).has_value(), shape.rank() == 1);
  }
}

TEST(CaseMutation, TakesNoReshapeOfAnUnrankedTensor) {
  Case test_case;
  OpApplication reshape;
  reshape.op = OpKind::kReshape;
  reshape.operands = {{ValueRef::Kind::kArgument, 0}};
  reshape.attributes.new_shape = {1, 2};
  reshape.result = {Shape::OfSizes({1, 2}), ElementType::kF32};
  test_case.program.ops = {reshape};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  for (const bool ranked : {true, false}) {
    test_case.program.arguments = {{ranked ? Shape::OfSizes({2}) : Shape::Unranked(), ElementType::kF32}};
    EXPECT_EQ(CaseInInput(CaseToText(test_case)).has_value(), ranked);
  }
}

TEST(CaseMutation, AMutantIsAnotherCaseAndTheSameForASeed) {
  int changed = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::string parent = SomeFile(seed), mutant = MutatedInput(parent, "", seed, Options(), kMost);
    EXPECT_TRUE(CaseInInput(mutant)) << mutant;
    EXPECT_EQ(mutant, MutatedInput(parent, "", seed, Options(), kMost));
    changed += mutant != parent ? 1 : 0;
  }
  EXPECT_GT(changed, 90);
}

TEST(CaseMutation, MakesACaseOfNothing) {
  EXPECT_TRUE(CaseInInput(MutatedInput("", "", 1, Options(), kMost)));
  EXPECT_TRUE(CaseInInput(MutatedInput("no case", SomeFile(1), 1, Options(), kMost)));
}

TEST(CaseMutation, ACrossoverHasTheOpsOfBoth) {
  int joined = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::string one = SomeFile(seed), other = SomeFile(seed + 100);
    const std::optional<Case> crossed = CaseInInput(MutatedInput(one, other, seed, Options(), kMost));
    if (!crossed || !CaseInInput(one)) continue;
    joined += crossed->program.ops.size() > CaseInInput(one)->program.ops.size() ? 1 : 0;
  }
  EXPECT_GT(joined, 20);
}

TEST(CaseMutation, KeepsToTheSizeThatIsAsked) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_LE(MutatedInput(SomeFile(seed), "", seed, Options(), 1500).size(), 1500u);
  }
  EXPECT_EQ(MutatedInput(SomeFile(1), "", 1, Options(), 10), "");
}

}  // namespace
}  // namespace tosaic
