// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/circumstances.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

using Strings = std::vector<std::string>;

constexpr ValueRef Argument(int index) { return {ValueRef::Kind::kArgument, index}; }
constexpr ValueRef Constant(int index) { return {ValueRef::Kind::kConstant, index}; }
constexpr ValueRef Result(int index) { return {ValueRef::Kind::kOp, index}; }

Tensor Filled(ElementType type, const std::vector<uint64_t>& bits) {
  Tensor tensor(type, {static_cast<int64_t>(bits.size())});
  for (size_t i = 0; i < bits.size(); ++i) tensor.SetBits(i, bits[i]);
  return tensor;
}

// Four arguments and the constants 0, 1, and others.
Program ProgramOf(std::vector<OpApplication> ops) {
  const TensorType type{Shape({Dim::Dynamic()}), ElementType::kF32};
  Program program;
  program.arguments = {type, type, type, type};
  program.constants = {Filled(ElementType::kF32, {0, 0x80000000}), Filled(ElementType::kF32, {0x3f800000, 0x3f800000}),
                       Filled(ElementType::kF32, {0x3f800000, 0}), Filled(ElementType::kI8, {0}),
                       Filled(ElementType::kI1, {1})};
  for (OpApplication& op : ops) op.result = type;
  program.ops = std::move(ops);
  program.results = {Result(static_cast<int>(program.ops.size()) - 1)};
  return program;
}

TEST(CircumstancesTest, AnOpIsWrittenWithWhatItIsComputedFrom) {
  EXPECT_EQ(OpPatterns(ProgramOf({{OpKind::kAbs, {Argument(2)}}, {OpKind::kAbs, {Result(0)}}})),
            (Strings{"abs(x)", "abs(abs(x))"}));
  EXPECT_EQ(
      OpPatterns(ProgramOf({{OpKind::kAdd, {Argument(1), Argument(1)}}, {OpKind::kSub, {Argument(1), Result(0)}}})),
      (Strings{"add(x, x)", "sub(x, add(x, x))"}));
  EXPECT_EQ(OpPatterns(ProgramOf({{OpKind::kSelect, {Argument(3), Argument(0), Argument(0)}}})),
            (Strings{"select(x, y, y)"}));
}

TEST(CircumstancesTest, NeutralConstantsHaveTheirNames) {
  EXPECT_EQ(OpPatterns(ProgramOf({{OpKind::kAdd, {Argument(0), Constant(0)}},
                                  {OpKind::kIntdiv, {Constant(1), Argument(1)}},
                                  {OpKind::kEqual, {Constant(2), Constant(2)}},
                                  {OpKind::kSelect, {Constant(4), Argument(1), Argument(0)}}})),
            (Strings{"add(x, 0)", "intdiv(1, x)", "equal(c, c)", "select(1, x, y)"}));
}

TEST(CircumstancesTest, TheLastParametersAreLeftOutIfTheyAreZero) {
  EXPECT_EQ(OpPatterns(ProgramOf({{OpKind::kMul, {Argument(0), Argument(1), Constant(3)}},
                                  {OpKind::kMul, {Argument(0), Argument(1), Argument(2)}},
                                  {OpKind::kNegate, {Argument(0), Constant(3), Constant(3)}},
                                  {OpKind::kNegate, {Argument(0), Constant(1), Constant(3)}},
                                  {OpKind::kNegate, {Argument(0), Constant(3), Argument(1)}}})),
            (Strings{"mul(x, y)", "mul(x, y, z)", "negate(x)", "negate(x, 1)", "negate(x, 0, y)"}));
}

TEST(CircumstancesTest, ThePatternEndsAtTheFourthOp) {
  std::vector<OpApplication> ops = {{OpKind::kAbs, {Argument(0)}}};
  for (int i = 0; i < 100; ++i) ops.push_back({OpKind::kAdd, {Result(i), Result(i)}});
  const Strings patterns = OpPatterns(ProgramOf(ops));
  EXPECT_EQ(patterns[2], "add(add(abs(x), abs(x)), add(abs(x), abs(x)))");
  EXPECT_EQ(patterns[3], "add(add(add(.., ..), add(.., ..)), add(add(.., ..), add(.., ..)))");
  EXPECT_EQ(patterns[100], patterns[3]);
}

TEST(CircumstancesTest, AProgramIsCalledByWhatNoOtherOpUses) {
  EXPECT_EQ(PatternOf(ProgramOf(
                {{OpKind::kAbs, {Argument(0)}}, {OpKind::kCeil, {Result(0)}}, {OpKind::kExp, {Argument(0)}}})),
            "ceil(abs(x)) and exp(x)");
}

TEST(CircumstancesTest, WhatConstantsMakeIsAConstantToo) {
  const Case test_case{.program = ProgramOf({{OpKind::kCast, {Constant(1)}},
                                             {OpKind::kMul, {Argument(0), Result(0)}},
                                             {OpKind::kSub, {Constant(1), Result(0)}},
                                             {OpKind::kAdd, {Result(2), Constant(2)}},
                                             {OpKind::kAbs, {Argument(1)}}})};
  EXPECT_EQ(CircumstancesOf({}, test_case, "").ops,
            (Strings{"cast(1)", "mul(x, cast(1))", "sub(1, cast(1))", "add(sub(1, cast(1)), c)", "abs(x)", "mul(x, 1)",
                     "sub(1, 1)", "add(c, c)"}));
}

TEST(CircumstancesTest, InfiniteBoundsOfAClampAreWrittenToo) {
  const auto f32 = [](uint64_t bits) { return TypedBits{ElementType::kF32, bits}; };
  const TypedBits infinity = f32(0x7f800000), minus_infinity = f32(0xff800000), one = f32(0x3f800000);
  const Attributes ignoring = {.min_val = minus_infinity, .max_val = infinity, .nan_mode = NanMode::kIgnore};
  const Case test_case{.program =
                           ProgramOf({{OpKind::kClamp, {Argument(0)}, ignoring},
                                      {OpKind::kAbs, {Result(0)}},
                                      {OpKind::kClamp, {Argument(1)}, {.min_val = infinity, .max_val = infinity}},
                                      {OpKind::kClamp, {Argument(1)}, {.min_val = one, .max_val = infinity}}})};
  EXPECT_EQ(CircumstancesOf({}, test_case, "").ops,
            (Strings{"clamp(x)", "abs(clamp(x))", "clamp(x)", "clamp(x)", "clamp(x, -inf, inf, IGNORE)",
                     "abs(clamp(x, -inf, inf, IGNORE))", "clamp(x, inf, inf)"}));
}

TEST(CircumstancesTest, TheRestOfANewShapeIsWrittenToo) {
  Attributes stated, with_rest;
  stated.new_shape = {6};
  with_rest.new_shape = {-1, 1};
  const Case test_case{.program = ProgramOf({{OpKind::kReshape, {Constant(2)}, stated},
                                             {OpKind::kReshape, {Result(0)}, with_rest},
                                             {OpKind::kAbs, {Result(1)}}})};
  EXPECT_EQ(CircumstancesOf({}, test_case, "").ops,
            (Strings{"reshape(c)", "reshape(reshape(c))", "abs(reshape(reshape(c)))", "reshape(reshape(c), rest)",
                     "reshape(c, rest)", "abs(c)", "abs(reshape(reshape(c), rest))"}));
}

TEST(CircumstancesTest, TypesAreThoseOfEachOp) {
  Case test_case;
  Program& program = test_case.program;
  const auto type = [](ElementType element) { return TensorType{Shape::OfSizes({2}), element}; };
  program.arguments = {type(ElementType::kI8)};
  program.ops = {{OpKind::kAbs, {Argument(0)}, {}, type(ElementType::kI8)},
                 {OpKind::kCast, {Result(0)}, {}, type(ElementType::kF32)},
                 {OpKind::kAbs, {Result(0)}, {}, type(ElementType::kI8)}};
  EXPECT_EQ(CircumstancesOf({}, test_case, "").types, (Strings{"i8", "i8-f32"}));
  EXPECT_EQ(CircumstancesOf({}, test_case, "").shapes, (Strings{"static-equal"}));
  program.ops[1].result.shape = Shape::Unranked();
  EXPECT_EQ(CircumstancesOf({}, test_case, "").shapes, (Strings{"static-equal", "unranked"}));
}

TEST(CircumstancesTest, ThePassIsTheOneThatTheSignatureNamesOrAnyOfTheRoute) {
  const Case test_case{.program = ProgramOf({{OpKind::kAbs, {Argument(0)}}})};
  const auto passes = [&](const char* signature) {
    return CircumstancesOf(ParseFindingSignature(signature), test_case,
                           "builtin.module(func.func(cse,canonicalize{top-down=true}),cse)")
        .passes;
  };
  EXPECT_EQ(passes("wrong-value/abs/f32/loops/value.abs/zero-for-nan"), (Strings{"canonicalize", "cse"}));
  EXPECT_EQ(passes("crash/abs/f32/loops/run.signal/cse/signal-11"), (Strings{"cse"}));
  EXPECT_EQ(passes("crash/abs/f32/loops/run.signal/execute/signal-8"), (Strings{"canonicalize", "cse"}));
  EXPECT_EQ(passes("lowering-failed/abs/f32/loops/lower.legal-ir/tosa-to-linalg/bad / worse"),
            (Strings{"tosa-to-linalg"}));
  EXPECT_EQ(passes("crash/mul/loops/special-operand-at-run-time"), (Strings{"canonicalize", "cse"}));
}

}  // namespace
}  // namespace tosaic
