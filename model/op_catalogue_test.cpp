// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/op_catalogue.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

using E = ElementType;

const OpInfo& Op(absl::string_view name) { return Info(FindOp(name).value()); }

TEST(OpCatalogue, HasTheRfcsOpsAndSinAndCosAndFourMore) {
  const auto broadcasts = [](const OpInfo& op) { return op.result_shape == ResultShape::kBroadcast; };
  EXPECT_EQ(std::count_if(AllOps().begin(), AllOps().end(), broadcasts), 38);
  EXPECT_EQ(AllOps().size(), 42u) << "identity, reshape, table, rescale";
  std::set<std::string> names;
  for (const OpInfo& op : AllOps()) {
    EXPECT_EQ(&Info(op.kind), &op);
    EXPECT_TRUE(names.insert(std::string(op.name)).second) << op.name;
    EXPECT_EQ(FindOp(op.name), op.kind);
    EXPECT_EQ(FindOp(absl::StrCat("tosa.", op.name)), op.kind);
    EXPECT_FALSE(op.section.empty()) << op.name;
    EXPECT_FALSE(NameIn(op, Dialect::k19).empty()) << op.name;
  }
  for (const char* unknown : {"", "tosa.", "tosa.tosa.add", "conv2d", "Add", "div"}) {
    EXPECT_EQ(FindOp(unknown), std::nullopt) << unknown;
  }
}

TEST(OpCatalogue, TheDialectAcceptsEveryTupleOfTheSpecification) {
  for (const OpInfo& op : AllOps()) {
    EXPECT_FALSE(op.spec_types.empty()) << op.name;
    std::set<std::pair<E, E>> seen;
    for (const TypeTuple& tuple : op.spec_types) {
      EXPECT_TRUE(DialectAccepts(op, tuple.input, tuple.result))
          << op.name << " " << Name(tuple.input) << " -> " << Name(tuple.result);
      EXPECT_EQ(FindSpecTuple(op, tuple.input, tuple.result), &tuple);
      EXPECT_TRUE(seen.insert({tuple.input, tuple.result}).second) << op.name;
    }
  }
}

TEST(OpCatalogue, BroadcastOperandsComeFirst) {
  for (const OpInfo& op : AllOps()) {
    const size_t count = BroadcastOperandCount(op);
    EXPECT_GE(count, 1u) << op.name;
    EXPECT_LE(count, op.operands.size());
    for (size_t i = 0; i < op.operands.size(); ++i) {
      EXPECT_EQ(IsSpecial(op.operands[i]), i >= count) << op.name;
    }
  }
  EXPECT_EQ(BroadcastOperandCount(Op("mul")), 2u);
  EXPECT_EQ(BroadcastOperandCount(Op("negate")), 1u);
  EXPECT_EQ(Op("negate").operands.size(), 3u);
  EXPECT_EQ(BroadcastOperandCount(Op("select")), 3u);
  EXPECT_EQ(Op("select").operands[0], OperandRole::kCondition);
}

TEST(OpCatalogue, MulWidens) {
  const OpInfo& mul = Op("mul");
  EXPECT_EQ(mul.spec_types.size(), 6u);
  EXPECT_NE(FindSpecTuple(mul, E::kI8, E::kI32), nullptr);
  EXPECT_NE(FindSpecTuple(mul, E::kI16, E::kI32), nullptr);
  EXPECT_EQ(FindSpecTuple(mul, E::kI8, E::kI8), nullptr);
  EXPECT_TRUE(DialectAccepts(mul, E::kI8, E::kI8));
  EXPECT_FALSE(DialectAccepts(mul, E::kI32, E::kI8));
  EXPECT_FALSE(DialectAccepts(mul, E::kF16, E::kF32));
}

TEST(OpCatalogue, CastHasThePairsOfTheSpecification) {
  const OpInfo& cast = Op("cast");
  auto is_int = [](E type) { return type == E::kI8 || type == E::kI16 || type == E::kI32; };
  auto is_float = [](E type) { return type == E::kF16 || type == E::kBF16 || type == E::kF32; };
  for (const ElementTypeInfo& from : AllElementTypes()) {
    for (const ElementTypeInfo& to : AllElementTypes()) {
      const E a = from.type;
      const E b = to.type;
      const bool with_bool = (a == E::kI1 && is_int(b)) || (is_int(a) && b == E::kI1);
      const bool numbers = (is_int(a) || is_float(a)) && (is_int(b) || is_float(b)) && a != b;
      const bool halves = (a == E::kF16 && b == E::kBF16) || (a == E::kBF16 && b == E::kF16);
      const bool fp8 = (IsFp8(a) && is_float(b)) || (is_float(a) && IsFp8(b));
      EXPECT_EQ(FindSpecTuple(cast, a, b) != nullptr, with_bool || (numbers && !halves) || fp8)
          << from.name << " -> " << to.name;
    }
  }
  EXPECT_EQ(cast.spec_types.size(), 46u);
}

// Columns 2 and 3 of the table in tosa-semantics.md, "Ops".
TEST(OpCatalogue, AgreesWithTheTableOfSemantics) {
  constexpr const char* kFloats = "f16 f32 bf16";
  for (const auto& [op, tuples] :
       std::vector<std::pair<std::string, std::string>>{{"abs", "i32 f16 f32 bf16"},
                                                        {"bitwise_not", "i8 i16 i32"},
                                                        {"bitwise_xor", "i8 i16 i32"},
                                                        {"ceil", kFloats},
                                                        {"floor", kFloats},
                                                        {"clamp", "i8 i16 f16 f32 bf16"},
                                                        {"clz", "i32"},
                                                        {"cos", kFloats},
                                                        {"sin", kFloats},
                                                        {"erf", kFloats},
                                                        {"exp", kFloats},
                                                        {"log", kFloats},
                                                        {"logical_not", "i1"},
                                                        {"logical_xor", "i1"},
                                                        {"negate", "i8 i16 i32 f16 f32 bf16"},
                                                        {"reciprocal", kFloats},
                                                        {"rsqrt", kFloats},
                                                        {"sigmoid", kFloats},
                                                        {"tanh", kFloats},
                                                        {"add", "i32 f16 f32 bf16"},
                                                        {"sub", "i32 f16 f32 bf16"},
                                                        {"intdiv", "i32"},
                                                        {"arithmetic_right_shift", "i8 i16 i32"},
                                                        {"logical_left_shift", "i8 i16 i32"},
                                                        {"maximum", "i32 f16 f32 bf16"},
                                                        {"minimum", "i32 f16 f32 bf16"},
                                                        {"pow", kFloats},
                                                        {"equal", "i32 f16 f32 bf16"},
                                                        {"greater_equal", "i32 f16 f32 bf16"},
                                                        {"select", "i1 i8 i16 i32 f16 f32 bf16"}}) {
    std::string inputs;
    for (const TypeTuple& tuple : Op(op).spec_types) {
      absl::StrAppend(&inputs, inputs.empty() ? "" : " ", Name(tuple.input));
    }
    EXPECT_EQ(inputs, tuples) << op;
  }
  EXPECT_TRUE(HasAttribute(Op("clamp"), Attribute::kMinVal));
  EXPECT_TRUE(HasAttribute(Op("maximum"), Attribute::kNanMode));
  EXPECT_TRUE(HasAttribute(Op("arithmetic_right_shift"), Attribute::kRound));
  EXPECT_FALSE(HasAttribute(Op("logical_right_shift"), Attribute::kRound));
}

TEST(OpCatalogue, TheDialectRefusesSignedIntegersAndMixedTypes) {
  for (const OpInfo& op : AllOps()) EXPECT_FALSE(DialectAccepts(op, E::kSi32, E::kSi32)) << op.name;
  EXPECT_FALSE(DialectAccepts(Op("add"), E::kI32, E::kF32));
  EXPECT_TRUE(DialectAccepts(Op("add"), E::kF8E5M2, E::kF8E5M2));
  EXPECT_TRUE(DialectAccepts(Op("intdiv"), E::kI64, E::kI64));
  EXPECT_FALSE(DialectAccepts(Op("intdiv"), E::kI8, E::kI8));
  EXPECT_FALSE(DialectAccepts(Op("sin"), E::kI32, E::kI32));
  EXPECT_TRUE(DialectAccepts(Op("equal"), E::kF64, E::kI1));
  EXPECT_FALSE(DialectAccepts(Op("equal"), E::kF64, E::kF64));
}

TEST(OpCatalogue, DescribesAccuracy) {
  EXPECT_EQ(Describe(Op("abs").accuracy), "exact");
  EXPECT_EQ(Describe(Op("add").accuracy), "0.5 ulp");
  EXPECT_EQ(Describe(Op("cos").accuracy), "AEB(1 + |x|, 1, 0, 2)");
  EXPECT_EQ(Describe(Op("exp").accuracy), "AEB(ref, base + 2 |x|, 0, 1)");
  EXPECT_EQ(Describe(Op("tanh").accuracy), "AEB(ref, 4 base + 8 |x|, 0.5, 1)");
  EXPECT_EQ(Describe(Op("intdiv").unpredictable), "divisor 0, or INT_MIN / -1");
}

TEST(OpCatalogue, NamesAreThoseOfTheVersion) {
  EXPECT_EQ(NameIn(Op("intdiv"), Dialect::k16), "div");
  EXPECT_EQ(NameIn(Op("intdiv"), Dialect::k19), "int_div");
  EXPECT_EQ(NameIn(Op("intdiv"), Dialect::k22), "intdiv");
  for (const char* name : {"erf", "sin", "cos"}) EXPECT_EQ(NameIn(Op(name), Dialect::k16), "") << name;
}

// As mlir-opt-16 and mlir-opt-19 answer for every op and every pair of types.
TEST(OpCatalogue, WhatOlderDialectsAccept) {
  constexpr Dialect k16 = Dialect::k16, k19 = Dialect::k19;
  EXPECT_TRUE(DialectAccepts(Op("add"), E::kI8, E::kF32, k16)) << "nothing relates operands and result";
  EXPECT_FALSE(DialectAccepts(Op("add"), E::kI8, E::kF32, k19));
  EXPECT_TRUE(TypingIn(Op("add"), k16).inputs_may_differ);
  EXPECT_FALSE(TypingIn(Op("add"), k19).inputs_may_differ);
  EXPECT_TRUE(TypingIn(Op("select"), k19).inputs_may_differ);
  for (const ElementType type : {E::kI4, E::kUi32, E::kF64, E::kF8E5M2}) {
    EXPECT_FALSE(DialectAccepts(Op("abs"), type, type, k16)) << Name(type);
    EXPECT_TRUE(DialectAccepts(Op("abs"), type, type, k19)) << Name(type);
  }
  for (const Dialect dialect : {k16, k19}) {
    EXPECT_FALSE(DialectAccepts(Op("abs"), E::kSi32, E::kSi32, dialect));
    EXPECT_TRUE(DialectAccepts(Op("intdiv"), E::kI32, E::kI32, dialect));
    EXPECT_FALSE(DialectAccepts(Op("intdiv"), E::kI64, E::kI64, dialect));
    EXPECT_FALSE(DialectAccepts(Op("logical_and"), E::kI8, E::kI8, dialect));
    EXPECT_TRUE(DialectAccepts(Op("equal"), E::kF32, E::kI1, dialect));
    EXPECT_FALSE(DialectAccepts(Op("equal"), E::kF32, E::kF32, dialect));
    EXPECT_TRUE(DialectAccepts(Op("sigmoid"), E::kF32, E::kF16, dialect));
    EXPECT_TRUE(DialectAccepts(Op("cast"), E::kF32, E::kI1, dialect));
  }
  for (const Dialect dialect : {Dialect::k17, Dialect::k18}) {
    EXPECT_TRUE(DialectAccepts(Op("cast"), E::kF64, E::kBF16, dialect)) << "as the builds of 2023 from March on";
    EXPECT_TRUE(DialectAccepts(Op("cast"), E::kI32, E::kF64, dialect));
    EXPECT_FALSE(DialectAccepts(Op("abs"), E::kF64, E::kF64, dialect));
  }
  EXPECT_FALSE(DialectAccepts(Op("cast"), E::kF64, E::kBF16, k16));
  EXPECT_FALSE(DialectAccepts(Op("tanh"), E::kF32, E::kF16, k19));
  EXPECT_TRUE(DialectAccepts(Op("mul"), E::kI8, E::kI32, k19));
  EXPECT_FALSE(DialectAccepts(Op("mul"), E::kI32, E::kI8, k19));
  EXPECT_FALSE(DialectAccepts(Op("sin"), E::kI32, E::kI32, k19));
}

}  // namespace
}  // namespace tosaic
