// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/coverage.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

CaseRecord Record(const std::string& op, const std::string& types, const std::string& shapes,
                  const std::string& route) {
  CaseRecord record;
  record.op = FindOp(op).value();
  record.types = FindTypePair(types).value();
  record.shapes = Find<ShapeClass>(shapes).value();
  record.route = route;
  record.rule.id = RuleId::kBcastVerifyEqual;
  return record;
}

Coverage CoverageOf(const std::vector<CaseRecord>& records, const std::vector<std::string>& patterns = {}) {
  GeneratorOptions options;
  options.ops = {OpKind::kAdd, OpKind::kAbs};
  options.types = {ElementType::kF32, ElementType::kI32};
  options.routes = {{"loops", 1}, {"fused", 1}};
  std::vector<const CaseRecord*> pointers;
  for (const CaseRecord& record : records) pointers.push_back(&record);
  return CoverageOf(ReachedBy(pointers), options, patterns);
}

TEST(CoverageTest, WhatIsPossibleIsWhatTheOptionsAllow) {
  const Coverage coverage = CoverageOf({});
  EXPECT_EQ(coverage.op_types.possible, 4u);                     // two ops, two types each
  EXPECT_EQ(coverage.op_types_shapes.possible, 2u * 7 + 2 * 5);  // abs has one operand
  EXPECT_EQ(coverage.op_types_shapes_routes.possible, 2u * (2 * 7 + 2 * 5));
  EXPECT_EQ(coverage.op_types.seen, 0u);
  EXPECT_EQ(coverage.patterns.possible, 0u);
}

TEST(CoverageTest, CountsEachCombinationOnce) {
  const Coverage coverage =
      CoverageOf({Record("add", "f32", "dynamic", "loops"), Record("add", "f32", "dynamic", "loops"),
                  Record("add", "f32", "dynamic", "fused"), Record("add", "f32", "rank-0", "loops"),
                  Record("abs", "i32", "several-ops", "loops"), Record("add", "i4", "dynamic", "loops")});
  EXPECT_EQ(coverage.op_types.seen, 2u) << "i4 is none of the specification's";
  EXPECT_EQ(coverage.op_types_shapes.seen, 2u);
  EXPECT_EQ(coverage.op_types_shapes_routes.seen, 3u);
  EXPECT_EQ(coverage.routes, (std::map<std::string, uint64_t>{{"fused", 1}, {"loops", 5}}));
  EXPECT_EQ(coverage.shapes.at("several-ops"), 1u);
  EXPECT_EQ(coverage.rules, (std::map<std::string, uint64_t>{{"bcast.verify.equal", 6}}));
}

TEST(CoverageTest, WhatTheVerifierRefusedReachedNothingButItsCategory) {
  CaseRecord refused = Record("add", "f32", "dynamic", "loops");
  refused.category = "rank";
  const Coverage coverage = CoverageOf({refused});
  EXPECT_EQ(coverage.op_types.seen, 0u);
  EXPECT_EQ(coverage.categories, (std::map<std::string, uint64_t>{{"rank", 1}}));
}

TEST(CoverageTest, PatternsThatNeverFiredAreNamed) {
  CaseRecord first = Record("add", "f32", "dynamic", "loops"), second = first;
  first.patterns = {"lower-add", "of-another-dialect"};
  second.patterns = {"lower-add"};
  second.twin = "after-cse";
  const Coverage coverage = CoverageOf({first, second}, {"fold-abs", "lower-add"});
  EXPECT_EQ(coverage.patterns.seen, 1u);
  EXPECT_EQ(coverage.patterns.possible, 2u);
  EXPECT_EQ(coverage.never_fired, (std::vector<std::string>{"fold-abs"}));
  EXPECT_EQ(coverage.fired, (std::vector<std::string>{"lower-add", "of-another-dialect"}));
  EXPECT_EQ(coverage.twins, (std::map<std::string, uint64_t>{{"after-cse", 1}}));
}

}  // namespace
}  // namespace tosaic
