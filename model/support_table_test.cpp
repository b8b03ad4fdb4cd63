// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/support_table.h"

#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

// An op on arguments of these types; the last `constants` operands are constants of one zero.
Program OneOp(OpKind op, const std::vector<std::string>& operands, const std::string& result, size_t constants = 0) {
  Program program;
  OpApplication application{op, {}, {}, ParseTensorType(result).value()};
  for (size_t i = 0; i < operands.size(); ++i) {
    const TensorType type = ParseTensorType(operands[i]).value();
    if (i + constants < operands.size()) {
      application.operands.push_back({Kind::kArgument, static_cast<int>(program.arguments.size())});
      program.arguments.push_back(type);
    } else {
      application.operands.push_back({Kind::kConstant, static_cast<int>(program.constants.size())});
      program.constants.push_back(Tensor(type.element_type, {1}));
    }
  }
  program.ops = {application};
  program.results = {{Kind::kOp, 0}};
  return program;
}

RuleId RuleOf(const Program& program, Dialect dialect = Dialect::k22) {
  const SupportEntry* entry = FindSupportEntry(program, dialect);
  return entry == nullptr ? RuleId::kNone : entry->rule;
}

TEST(SupportTableTest, EveryRowNamesItsReasonAndSource) {
  std::set<RuleId> rules;
  for (const SupportEntry& entry : SupportTable()) {
    EXPECT_EQ(FamilyOf(entry.rule), RuleFamily::kSupport);
    EXPECT_TRUE(rules.insert(entry.rule).second) << entry.rule;
    EXPECT_FALSE(entry.reason.empty()) << entry.rule;
  }
}

TEST(SupportTableTest, CoversWhatItSaysAndNothingElse) {
  EXPECT_EQ(RuleOf(OneOp(OpKind::kAbs, {"tensor<*xf32>"}, "tensor<?xf32>")), RuleId::kSupportUnranked);
  EXPECT_EQ(RuleOf(OneOp(OpKind::kAbs, {"tensor<?xf32>"}, "tensor<*xf32>")), RuleId::kSupportUnranked);
  EXPECT_EQ(RuleOf(OneOp(OpKind::kAbs, {"tensor<?xf32>"}, "tensor<?xf32>")), RuleId::kNone);
  EXPECT_EQ(RuleOf(OneOp(OpKind::kAbs, {"tensor<1xf64>"}, "tensor<1xf64>")), RuleId::kSupportBeyondSpec);
  EXPECT_EQ(RuleOf(OneOp(OpKind::kCast, {"tensor<1xf32>"}, "tensor<1xf8E5M2>")), RuleId::kSupportFp8);
  EXPECT_EQ(RuleOf(OneOp(OpKind::kCast, {"tensor<1xf8E4M3FN>"}, "tensor<1xf16>")), RuleId::kSupportFp8);
  EXPECT_EQ(RuleOf(OneOp(OpKind::kCast, {"tensor<1xf32>"}, "tensor<1xf16>")), RuleId::kNone);
}

TEST(SupportTableTest, WhatIsBeyondTheSpecificationIsAMatterOfItsVersion) {
  const auto is_beyond = [](const Program& program, SpecVersion version) {
    const SupportEntry* entry = FindSupportEntry(program, Dialect::k22, version);
    return entry != nullptr && entry->rule == RuleId::kSupportBeyondSpec;
  };
  const Program add = OneOp(OpKind::kAdd, {"tensor<1xi64>", "tensor<1xi64>"}, "tensor<1xi64>");
  const Program cast = OneOp(OpKind::kCast, {"tensor<1xi1>"}, "tensor<1xf32>");
  const Program clamp = OneOp(OpKind::kClamp, {"tensor<1xi64>"}, "tensor<1xi64>");
  const Program narrowing = OneOp(OpKind::kCast, {"tensor<1xi64>"}, "tensor<1xi32>");
  for (const SpecVersion version : {SpecVersion::k1_0_0, SpecVersion::k1_0_2, SpecVersion::k1_1}) {
    EXPECT_EQ(is_beyond(add, version), version != SpecVersion::k1_1) << Name(version);
    EXPECT_EQ(is_beyond(narrowing, version), version != SpecVersion::k1_1) << Name(version);
    EXPECT_TRUE(is_beyond(cast, version)) << Name(version) << ": MLIR 22 has an older draft";
    EXPECT_TRUE(is_beyond(clamp, version)) << Name(version);
  }
}

TEST(SupportTableTest, SpecialOperandsMustBeConstants) {
  const std::vector<std::string> mul = {"tensor<2xi32>", "tensor<2xi32>", "tensor<1xi8>"};
  EXPECT_EQ(RuleOf(OneOp(OpKind::kMul, mul, "tensor<2xi32>")), RuleId::kSupportSpecialOperand);
  EXPECT_EQ(RuleOf(OneOp(OpKind::kMul, mul, "tensor<2xi32>", 1)), RuleId::kNone);
  const std::vector<std::string> negate = {"tensor<2xi8>", "tensor<1xi8>", "tensor<1xi8>"};
  EXPECT_EQ(RuleOf(OneOp(OpKind::kNegate, negate, "tensor<2xi8>", 1)), RuleId::kSupportSpecialOperand);
  EXPECT_EQ(RuleOf(OneOp(OpKind::kNegate, negate, "tensor<2xi8>", 2)), RuleId::kNone);
  const std::vector<std::string> table = {"tensor<2xi8>", "tensor<256xi8>"};
  EXPECT_EQ(RuleOf(OneOp(OpKind::kTable, table, "tensor<2xi8>")), RuleId::kSupportSpecialOperand);
  EXPECT_EQ(RuleOf(OneOp(OpKind::kTable, table, "tensor<2xi8>", 1)), RuleId::kNone);
  EXPECT_EQ(RuleOf(OneOp(OpKind::kMul, mul, "tensor<2xi32>"), Dialect::k19), RuleId::kNone) << "an attribute there";
}

TEST(SupportTableTest, OlderDialectsHaveARankedResultOfReshape) {
  const auto rule = [](const char* result, Dialect dialect) {
    const SupportEntry* entry = FindUnwritable(OneOp(OpKind::kReshape, {"tensor<2xi32>"}, result), dialect);
    return entry == nullptr ? RuleId::kNone : entry->rule;
  };
  for (const Dialect dialect : {Dialect::k16, Dialect::k19}) {
    EXPECT_EQ(rule("tensor<*xi32>", dialect), RuleId::kSupportRankedResult);
    EXPECT_EQ(rule("tensor<?xi32>", dialect), RuleId::kNone);
  }
  EXPECT_EQ(rule("tensor<*xi32>", Dialect::k22), RuleId::kNone);
}

TEST(SupportTableTest, OneOpOfAProgramIsEnough) {
  Program program = OneOp(OpKind::kAbs, {"tensor<?xf32>"}, "tensor<?xf32>");
  program.ops.push_back({OpKind::kAbs, {{Kind::kOp, 0}}, {}, ParseTensorType("tensor<*xf32>").value()});
  EXPECT_EQ(RuleOf(program), RuleId::kSupportUnranked);
}

RuleId UnwritableIn(Dialect dialect, const Program& program) {
  const SupportEntry* entry = FindUnwritable(program, dialect);
  return entry == nullptr ? RuleId::kNone : entry->rule;
}

TEST(SupportTableTest, SaysWhatADialectHasNoWordsFor) {
  const Program sin = OneOp(OpKind::kSin, {"tensor<1xf32>"}, "tensor<1xf32>");
  EXPECT_EQ(UnwritableIn(Dialect::k16, sin), RuleId::kSupportNoSuchOp);
  for (const Dialect newer : {Dialect::k19, Dialect::k22, Dialect::k24}) {
    EXPECT_EQ(UnwritableIn(newer, sin), RuleId::kNone);
  }

  const std::vector<std::string> mul = {"tensor<2xi32>", "tensor<2xi32>", "tensor<1xi8>"};
  const Program run_time_shift = OneOp(OpKind::kMul, mul, "tensor<2xi32>");
  const Program shift = OneOp(OpKind::kMul, mul, "tensor<2xi32>", 1);
  Program long_shift = shift;
  long_shift.constants[0] = Tensor(ElementType::kI8, {2});
  Program wide_shift = shift;
  wide_shift.constants[0] = Tensor(ElementType::kI32, {1});
  for (const Dialect old : {Dialect::k16, Dialect::k19}) {
    EXPECT_EQ(UnwritableIn(old, shift), RuleId::kNone);
    for (const Program& program : {run_time_shift, long_shift, wide_shift}) {
      EXPECT_EQ(UnwritableIn(old, program), RuleId::kSupportNoSuchAttribute);
      EXPECT_EQ(UnwritableIn(Dialect::k22, program), RuleId::kNone);
    }
  }
}

TEST(SupportTableTest, TypesOfTheSpecificationThatADialectLacks) {
  const Program fp8 = OneOp(OpKind::kCast, {"tensor<1xf32>"}, "tensor<1xf8E5M2>");
  EXPECT_EQ(UnwritableIn(Dialect::k16, fp8), RuleId::kSupportNoSuchType);
  EXPECT_EQ(UnwritableIn(Dialect::k19, fp8), RuleId::kNone);
  EXPECT_EQ(UnwritableIn(Dialect::k22, fp8), RuleId::kNone);
  // Beyond the specification as well: the verifier has to refuse them.
  EXPECT_EQ(UnwritableIn(Dialect::k16, OneOp(OpKind::kCast, {"tensor<1xf8E5M2>"}, "tensor<1xf8E4M3FN>")),
            RuleId::kNone);
  EXPECT_EQ(UnwritableIn(Dialect::k16, OneOp(OpKind::kAbs, {"tensor<1xi8>"}, "tensor<1xi8>")), RuleId::kNone);
}

TEST(SupportTableTest, ZeroPointsAreIntegersWhereTheyAreAttributes) {
  const std::vector<std::string> of_i8 = {"tensor<2xi8>", "tensor<1xi8>", "tensor<1xi8>"};
  Program integer = OneOp(OpKind::kNegate, of_i8, "tensor<2xi8>", 2);
  integer.constants[0].SetBits(0, 7);
  EXPECT_EQ(UnwritableIn(Dialect::k19, integer), RuleId::kNone);
  const std::vector<std::string> of_f32 = {"tensor<2xf32>", "tensor<1xf32>", "tensor<1xf32>"};
  Program zero = OneOp(OpKind::kNegate, of_f32, "tensor<2xf32>", 2);
  EXPECT_EQ(UnwritableIn(Dialect::k19, zero), RuleId::kNone);
  zero.constants[1].SetBits(0, 0x3f800000);
  EXPECT_EQ(UnwritableIn(Dialect::k19, zero), RuleId::kSupportNoSuchAttribute);
}

TEST(SupportTableTest, BoundsAndNanModesOfOldDialects) {
  Program clamp = OneOp(OpKind::kClamp, {"tensor<1xf32>"}, "tensor<1xf32>");
  clamp.ops[0].attributes.min_val = TypedBits{ElementType::kF32, 0};
  clamp.ops[0].attributes.nan_mode = NanMode::kPropagate;
  EXPECT_EQ(UnwritableIn(Dialect::k19, clamp), RuleId::kNone) << "what is missing can be left out";
  clamp.ops[0].attributes.max_val = TypedBits{ElementType::kF16, 0};
  EXPECT_EQ(UnwritableIn(Dialect::k19, clamp), RuleId::kSupportOtherBounds);
  clamp.ops[0].attributes.max_val.reset();
  clamp.ops[0].attributes.nan_mode = NanMode::kIgnore;
  EXPECT_EQ(UnwritableIn(Dialect::k16, clamp), RuleId::kSupportNanMode);
  EXPECT_EQ(UnwritableIn(Dialect::k22, clamp), RuleId::kNone);
}

TEST(SupportTableTest, UnsignedInputsOfCastAreOfTheNewestDialect) {
  Program cast = OneOp(OpKind::kCast, {"tensor<1xi8>"}, "tensor<1xi32>");
  for (const bool is_unsigned : {false, true}) {
    cast.ops[0].attributes.input_unsigned = is_unsigned;
    const RuleId older = is_unsigned ? RuleId::kSupportNoSuchWord : RuleId::kNone;
    for (const Dialect dialect : {Dialect::k16, Dialect::k19, Dialect::k22}) {
      EXPECT_EQ(UnwritableIn(dialect, cast), older) << "what says nothing can be left out";
    }
    EXPECT_EQ(UnwritableIn(Dialect::k24, cast), RuleId::kNone);
  }
  EXPECT_TRUE(SaysDraft(cast.ops[0]));
  EXPECT_EQ(RuleOf(cast, Dialect::k24), RuleId::kSupportBeyondSpec);
}

TEST(SupportTableTest, WhatCannotBeWrittenIsNoExcuseForALowering) {
  EXPECT_EQ(RuleOf(OneOp(OpKind::kSin, {"tensor<1xf32>"}, "tensor<1xf32>"), Dialect::k16), RuleId::kNone);
}

TEST(SupportTableTest, InputsOfTwoTypesAreBeyondTheSpecification) {
  EXPECT_EQ(RuleOf(OneOp(OpKind::kAdd, {"tensor<1xf32>", "tensor<1xi32>"}, "tensor<1xf32>"), Dialect::k16),
            RuleId::kSupportBeyondSpec);
}

}  // namespace
}  // namespace tosaic
