// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/mlir_import.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "model/mlir_text.h"
#include "model/support_table.h"
#include "toolchain/program_testing.h"

namespace tosaic {
namespace {

ImportedFunction Only(absl::string_view text) {
  std::vector<ImportedFunction> functions = ImportMlir(text, /*split=*/false);
  EXPECT_EQ(functions.size(), 1u);
  return functions.empty() ? ImportedFunction() : functions[0];
}

TEST(MlirImport, TakesArgumentsConstantsAttributesAndResults) {
  const ImportedFunction function = Only(R"(
    func.func @f(%a: tensor<?x3xf16>, %b: tensor<*xf16>) -> (tensor<?x3xi1>, tensor<?x3xf16>) {
      %c = "tosa.const"() {values = dense<[1.0, -0.0, 0x7E01]> : tensor<3xf16>} : () -> tensor<3xf16>
      %0 = tosa.clamp %a {min_val = -1.0 : f16, max_val = 2.0 : f16, nan_mode = IGNORE} : (tensor<?x3xf16>) -> tensor<?x3xf16>
      %1 = "tosa.greater"(%0, %c) : (tensor<?x3xf16>, tensor<3xf16>) -> tensor<?x3xi1>
      return %1, %0 : tensor<?x3xi1>, tensor<?x3xf16>
    })");
  EXPECT_EQ(function.name, "@f");
  ASSERT_TRUE(function.program) << function.skipped;
  const Program& program = *function.program;
  ASSERT_EQ(program.arguments.size(), 2u);
  EXPECT_EQ(ToString(program.arguments[0]), "tensor<?x3xf16>");
  EXPECT_FALSE(program.arguments[1].shape.IsRanked());
  ASSERT_EQ(program.constants.size(), 1u);
  EXPECT_EQ(program.constants[0].Bits(1), 0x8000u);
  EXPECT_EQ(program.constants[0].Bits(2), 0x7e01u);
  ASSERT_EQ(program.ops.size(), 2u);
  EXPECT_EQ(program.ops[0].attributes.min_val->bits, 0xbc00u);
  EXPECT_EQ(program.ops[0].attributes.nan_mode, NanMode::kIgnore);
  EXPECT_EQ(program.results, (std::vector<ValueRef>{{ValueRef::Kind::kOp, 1}, {ValueRef::Kind::kOp, 0}}));
}

TEST(MlirImport, WhatIsPrintedComesBack) {
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : op.spec_types) {
      for (const Shape& shape : {Shape::OfSizes({}), Shape::OfSizes({2, 3}), Dynamic(2), Shape::Unranked()}) {
        const Program program = OneOp(op, tuple.input, tuple.result, shape);
        const ImportedFunction function = Only(ToMlir(program));
        ASSERT_TRUE(function.program) << function.skipped << ToMlir(program);
        EXPECT_EQ(*function.program, program) << ToMlir(program);
      }
    }
  }
}

// All that an older version can say, read as if it were of this one.
TEST(MlirImport, WhatAnOlderDialectSaysComesBackAsItWas) {
  int read = 0;
  for (const Dialect dialect : {Dialect::k21, Dialect::k20, Dialect::k19, Dialect::k18, Dialect::k17, Dialect::k16}) {
    for (const OpInfo& op : AllOps()) {
      for (const TypeTuple& tuple : op.spec_types) {
        for (const Shape& shape : {Shape::OfSizes({2, 3}), Dynamic(2), Shape::Unranked()}) {
          const Program program = OneOp(op, tuple.input, tuple.result, shape);
          if (FindUnwritable(program, dialect) != nullptr) continue;
          const std::string text = ToMlir(program, dialect);
          const ImportedFunction function = Only(text);
          ASSERT_TRUE(function.program) << function.skipped << text;
          EXPECT_EQ(*function.program, program) << text;
          ++read;
        }
      }
    }
  }
  EXPECT_GT(read, 500);
}

// As the tools of 20 and 21 print it, which this MLIR does not parse: an enum is a string there.
TEST(MlirImport, EnumsAsStringsAreReadOfWhoWritesThemSo) {
  Program program = OneOp(Info(OpKind::kMaximum), ElementType::kF16, ElementType::kF16, Shape::OfSizes({2}));
  const auto read = [&](Dialect by, Dialect written) {
    const std::string text = ToMlir(program, written);
    const Spelling printed = {.dialect = by,
                              .to_generic = [](absl::string_view generic) { return std::string(generic); }};
    return ReadWholeFunction(text, printed);
  };
  for (const std::optional<NanMode> mode : {std::optional(NanMode::kIgnore), std::optional(NanMode::kPropagate)}) {
    program.ops[0].attributes.nan_mode = mode;
    for (const Dialect dialect : {Dialect::k20, Dialect::k21}) {
      EXPECT_EQ(read(dialect, dialect).value_or(Program()), program) << read(dialect, dialect).status();
    }
    EXPECT_FALSE(read(Dialect::k24, Dialect::k21).ok()) << "of 24 it is no enum";
  }
  program = OneOp(Info(OpKind::kRescale), ElementType::kI8, ElementType::kI8, Shape::OfSizes({2}));
  program.ops[0].attributes.rounding_mode = RoundingMode::kDoubleRound;
  EXPECT_EQ(read(Dialect::k21, Dialect::k21).value_or(Program()), program) << read(Dialect::k21, Dialect::k21).status();
}

// In a user's file, and as the tools of a newer version print it.
TEST(MlirImport, BlockScaledTypesAreRead) {
  for (const ElementTypeInfo& info : BlockScaledTypes()) {
    for (const Shape& shape : {Shape::OfSizes({2, 32}), Dynamic(2), Shape::Unranked()}) {
      const Program program = OneOp(Info(OpKind::kCast), ElementType::kF32, info.type, shape);
      const std::string text = ToMlir(program, Dialect::k24);
      for (const std::string& spelled : {text, absl::StrReplaceAll(text, {{":f8E8M0FNU:", " : f8E8M0FNU : "}})}) {
        const ImportedFunction function = Only(spelled);
        ASSERT_TRUE(function.program) << function.skipped << spelled;
        EXPECT_EQ(*function.program, program) << spelled;
        const Spelling newer = {.dialect = Dialect::k24,
                                .to_generic = [](absl::string_view generic) { return std::string(generic); }};
        EXPECT_EQ(ReadWholeFunction(spelled, newer).value(), program) << spelled;
      }
    }
  }
  const ImportedFunction function =
      Only(R"(func.func @f(%a: tensor<32x!tosa.block_scaled<BLOCK_SHAPE_16:f8E8M0FNU:f8E5M2>>)
    -> tensor<32x!tosa.block_scaled<BLOCK_SHAPE_16:f8E8M0FNU:f8E5M2>> {
    %0 = tosa.identity %a : (tensor<32x!tosa.block_scaled<BLOCK_SHAPE_16:f8E8M0FNU:f8E5M2>>)
      -> tensor<32x!tosa.block_scaled<BLOCK_SHAPE_16:f8E8M0FNU:f8E5M2>>
    return %0 : tensor<32x!tosa.block_scaled<BLOCK_SHAPE_16:f8E8M0FNU:f8E5M2>>})");
  EXPECT_FALSE(function.program);
}

TEST(MlirImport, ConstantsOfBlockScaledTypesAreRead) {
  Program program;
  for (const ElementTypeInfo& info : BlockScaledTypes()) {
    Tensor constant(info.type, {2, 32});
    for (size_t i = 0; i < 64; ++i) constant.SetBits(i, (i < 32 ? 0xff00 : 0x0100) + i % 16);
    program.constants.push_back(std::move(constant));
    const int index = static_cast<int>(program.constants.size()) - 1;
    program.ops.push_back({OpKind::kIdentity,
                           {{ValueRef::Kind::kConstant, index}},
                           {},
                           TypeOf(program, {ValueRef::Kind::kConstant, index})});
    program.results.push_back({ValueRef::Kind::kOp, index});
  }
  const std::string text = ToMlir(program, Dialect::k24);
  const ImportedFunction function = Only(text);
  ASSERT_TRUE(function.program) << function.skipped << text;
  EXPECT_EQ(*function.program, program);
  // As the newest tools print it.
  const std::string clauses =
      absl::StrReplaceAll(text, {{"\"tosa.const\"() {values = ", "tosa.const values("}, {"} : () ->", ") : () ->"}});
  EXPECT_EQ(ReadWholeFunction(clauses, {.dialect = Dialect::k24}).value(), program) << clauses;
  const Spelling rounds = {.dialect = Dialect::k24, .to_generic = [](absl::string_view) {
                             return absl::StatusOr<std::string>("func.func @of_other_constants() { return }");
                           }};
  EXPECT_EQ(ReadWholeFunction(text, rounds).value(), program) << "the tools read other scales";
}

TEST(MlirImport, ConstantsOfBlockScaledTypesThatCannotBeReadAreSkippedWithTheReason) {
  const struct {
    absl::string_view constant, why;
  } rows[] = {
      {"dense<tensor<32x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f4E2M1FN, {3.0}>> : 1.0 : f4E2M1FN>",
       "a constant does not parse: a scale is 3.0, no power of 2 from 2^-127 to 2^127"},
      {"dense<tensor<32x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f8E5M2, {1.0}>> : 1.0 : f8E5M2>",
       "a constant is of another type than its elements"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(
        Only(absl::StrCat("func.func @f() -> tensor<32xf32> { %0 = \"tosa.const\"() <{values = ", row.constant, R"(}>
      : () -> tensor<32x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f4E2M1FN>>
    %1 = tosa.cast %0 : (tensor<32x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f4E2M1FN>>) -> tensor<32xf32>
    return %1 : tensor<32xf32>})"))
            .skipped,
        row.why);
  }
}

// As the tools of an older version print it.
ImportedFunction OnlyOf(Dialect dialect, absl::string_view generic) {
  const Spelling spelling = {.dialect = dialect,
                             .to_generic = [](absl::string_view text) { return std::string(text); }};
  std::vector<ImportedFunction> functions = ImportMlir(generic, /*split=*/false, spelling);
  EXPECT_EQ(functions.size(), 1u);
  return functions.empty() ? ImportedFunction() : functions[0];
}

constexpr absl::string_view kBody19 = R"(
    %c = "tosa.const"() <{value = dense<2> : tensor<3xi32>}> : () -> tensor<3xi32>
    %k = "arith.constant"() <{value = dense<7> : tensor<3xi32>}> : () -> tensor<3xi32>
    %0 = "tosa.mul"(%a, %k) <{shift = 31 : i8}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %1 = "tosa.int_div"(%0, %c) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %2 = "tosa.clamp"(%1) <{max_fp = 5.0 : f32, max_int = 5 : i64, min_fp = 0.0 : f32, min_int = -4 : i64}> : (tensor<3xi32>) -> tensor<3xi32>
    %3 = "tosa.negate"(%2) <{quantization_info = #tosa.unary_quant<input_zp = 0, output_zp = -3>}> : (tensor<3xi32>) -> tensor<3xi32>)";

TEST(MlirImport, OlderSpellingsBecomeTheCanonicalOnes) {
  for (const Dialect dialect : {Dialect::k19, Dialect::k16}) {
    std::string body(kBody19);
    // MLIR 16 has no properties, a shift of i32, and div.
    if (dialect == Dialect::k16) {
      absl::StrReplaceAll({{"<{", "{"}, {"}>", "}"}, {"31 : i8", "31 : i32"}, {"int_div", "div"}}, &body);
    }
    const ImportedFunction function = OnlyOf(dialect, absl::StrCat("func.func @f(%a: tensor<3xi32>) -> tensor<3xi32> {",
                                                                   body, "\nreturn %3 : tensor<3xi32>}"));
    ASSERT_TRUE(function.program) << function.skipped;
    const Program& program = *function.program;
    ASSERT_EQ(program.ops.size(), 4u);
    EXPECT_EQ(program.ops[0].op, OpKind::kMul);
    ASSERT_EQ(program.ops[0].operands.size(), 3u);
    const Tensor* shift = AsConstant(program, program.ops[0].operands[2]);
    ASSERT_NE(shift, nullptr);
    EXPECT_EQ(shift->element_type(), ElementType::kI8);
    EXPECT_EQ(shift->Bits(0), 31u);
    EXPECT_EQ(program.ops[1].op, OpKind::kIntdiv);
    EXPECT_EQ(program.ops[2].attributes.min_val, (TypedBits{ElementType::kI32, 0xfffffffc}));
    EXPECT_EQ(program.ops[2].attributes.max_val, (TypedBits{ElementType::kI32, 5}));
    ASSERT_EQ(program.ops[3].operands.size(), 3u);
    EXPECT_EQ(AsConstant(program, program.ops[3].operands[1])->Bits(0), 0u);
    EXPECT_EQ(AsConstant(program, program.ops[3].operands[2])->Bits(0), 0xfffffffdu);
    // The dialect prints the program that was read.
    const ImportedFunction again = OnlyOf(dialect, ToMlir(program, dialect));
    EXPECT_TRUE(again.program) << again.skipped << ToMlir(program, dialect);
    EXPECT_EQ(again.program->ops, program.ops);
  }
}

constexpr absl::string_view kNumbers19 =
    " {double_round = false, input_zp = 200 : i32, multiplier = array<i32: 1073741824>, output_zp = 0 : i32, "
    "per_channel = false, scale32 = true, shift = array<i8: 30>} : ";

// In the middle of a function, as its argument and as its result.
TEST(MlirImport, UnsignedTypesOfOlderRescalesBecomeAttributes) {
  for (const Dialect dialect : {Dialect::k19, Dialect::k16}) {
    const ImportedFunction function =
        OnlyOf(dialect, absl::StrCat("func.func @f(%a: tensor<3xui8>) -> tensor<3xui16> {\n %0 = \"tosa.rescale\"(%a)",
                                     kNumbers19, "(tensor<3xui8>) -> tensor<3xi8>\n %1 = \"tosa.rescale\"(%0)",
                                     absl::StrReplaceAll(kNumbers19, {{"200", "0"}}),
                                     "(tensor<3xi8>) -> tensor<3xui16>\n return %1 : tensor<3xui16>}"));
    ASSERT_TRUE(function.program) << function.skipped;
    const Program& program = *function.program;
    EXPECT_EQ(ToString(program.arguments[0]), "tensor<3xi8>");
    EXPECT_EQ(program.ops[0].attributes.input_unsigned, true);
    EXPECT_EQ(program.ops[0].attributes.output_unsigned, false);
    EXPECT_EQ(program.ops[1].attributes.input_unsigned, false);
    EXPECT_EQ(program.ops[1].attributes.output_unsigned, true);
    EXPECT_EQ(Signature(program, program.ops[1]),
              "rescale(tensor<3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi16>) -> tensor<3xi16>");
    EXPECT_EQ(AsConstant(program, program.ops[0].operands[3])->Bits(0), 200u);
    const std::string text = ToMlir(program, dialect);
    EXPECT_EQ(OnlyOf(dialect, text).program, program) << text;
    EXPECT_EQ(ReadWholeFunction(text, {.dialect = dialect}).value(), program) << text;
  }
}

TEST(MlirImport, UnsignedTypesThatOtherOpsTakeTooAreSkippedWithTheReason) {
  EXPECT_EQ(OnlyOf(Dialect::k19,
                   absl::StrCat("func.func @f(%a: tensor<3xui8>) -> tensor<3xi16> {\n %0 = \"tosa.identity\"(%a) : "
                                "(tensor<3xui8>) -> tensor<3xui8>\n %1 = \"tosa.rescale\"(%0)",
                                kNumbers19, "(tensor<3xui8>) -> tensor<3xi16>\n return %1 : tensor<3xi16>}"))
                .skipped,
            "tosa.identity has an unsigned number of a rescale, which is signless in a case, as its own");
}

// f32 of rank 1 made ranks equal by a reshape, behind which an op stands.
Program Reshaping() {
  Program program;
  const TensorType given{Shape::OfSizes({4}), ElementType::kF32}, wanted{Shape::OfSizes({1, 4}), ElementType::kF32};
  program.arguments = {given, {Dynamic(2), ElementType::kF32}};
  OpApplication reshape = {OpKind::kReshape, {{ValueRef::Kind::kArgument, 0}}, {}, wanted};
  reshape.attributes.new_shape = {1, -1};
  program.ops = {
      reshape,
      {OpKind::kAdd, {{ValueRef::Kind::kOp, 0}, {ValueRef::Kind::kArgument, 1}}, {}, {Dynamic(2), ElementType::kF32}}};
  program.results = {{ValueRef::Kind::kOp, 1}};
  return program;
}

TEST(MlirImport, ReshapeToAConstantShapeIsTakenIn) {
  const Program program = Reshaping();
  const ImportedFunction function = Only(ToMlir(program));
  ASSERT_TRUE(function.program) << function.skipped << ToMlir(program);
  EXPECT_EQ(*function.program, program) << ToMlir(program);
  for (const Dialect dialect : {Dialect::k19, Dialect::k16}) {
    const ImportedFunction older = OnlyOf(dialect, ToMlir(program, dialect));
    ASSERT_TRUE(older.program) << older.skipped << ToMlir(program, dialect);
    EXPECT_EQ(*older.program, program) << ToMlir(program, dialect);
  }
}

TEST(MlirImport, FloatBoundsOfOlderSpellingsAreOfTheInputsType) {
  const auto clamp = [](absl::string_view low) {
    return OnlyOf(
        Dialect::k19,
        absl::StrCat("func.func @f(%a: tensor<3xf16>) { %0 = \"tosa.clamp\"(%a) <{max_fp = 5.0 : f32, max_int = "
                     "0 : i64, min_fp = ",
                     low, " : f32, min_int = 0 : i64}> : (tensor<3xf16>) -> tensor<3xf16>\n return }"));
  };
  const ImportedFunction function = clamp("-1.0");
  ASSERT_TRUE(function.program) << function.skipped;
  EXPECT_EQ(function.program->ops[0].attributes.min_val, (TypedBits{ElementType::kF16, 0xbc00}));
  EXPECT_EQ(clamp("-0.1").skipped, "a bound is no value of f16");
}

// The spelling of each version is read whatever the toolchain is, and the answer names the version.
TEST(MlirImport, WhatAnotherVersionSpellsIsRead) {
  const struct {
    Dialect dialect;
    absl::string_view type, op;
    std::optional<int> spelled;
    absl::string_view canonical;
  } rows[] = {
      {Dialect::k22, "i32", "\"tosa.int_div\"(%a, %a)", 20, "intdiv(%arg0, %arg0)"},
      {Dialect::k22, "i32", "tosa.int_div %a, %a", 20, "intdiv(%arg0, %arg0)"},
      {Dialect::k22, "i32", "tosa.div %a, %a", 18, "intdiv(%arg0, %arg0)"},
      {Dialect::k22, "i32", "tosa.mul %a, %a {shift = 31 : i8}", 19, "mul(%arg0, %arg0, %cst0)"},
      {Dialect::k22, "i32", "\"tosa.mul\"(%a, %a) <{shift = 31 : i32}>", 19, "mul(%arg0, %arg0, %cst0)"},
      {Dialect::k22, "f32", "\"tosa.negate\"(%a)", 20, "negate(%arg0, %cst0, %cst1)"},
      {Dialect::k22, "i8", "tosa.negate %a {quantization_info = #tosa.unary_quant<input_zp = 5, output_zp = 0>}", 20,
       "negate(%arg0, %cst0, %cst1)"},
      {Dialect::k22, "f32",
       "tosa.clamp %a {min_fp = 0.0 : f32, max_fp = 1.0 : f32, min_int = 0 : i64, max_int = 1 : i64}", 20,
       "clamp(%arg0) [0, 0x3f800000]"},
      {Dialect::k22, "f32", "\"tosa.clamp\"(%a) <{min_fp = 0.0 : f32, max_fp = 1.0 : f32}> {x.y}", 20,
       "clamp(%arg0) [0, 0x3f800000]"},
      {Dialect::k22, "f32", "tosa.reshape %a {new_shape = array<i64: 3>}", 20, "reshape(%arg0)"},
      {Dialect::k22, "i32", "tosa.add %a, %a", std::nullopt, "add(%arg0, %arg0)"},
      {Dialect::k19, "i32", "\"tosa.intdiv\"(%a, %a)", 21, "intdiv(%arg0, %arg0)"},
      {Dialect::k19, "f32", "\"tosa.clamp\"(%a) <{min_val = 0.0 : f32, max_val = 1.0 : f32}>", 21,
       "clamp(%arg0) [0, 0x3f800000]"},
      {Dialect::k19, "i32", "\"tosa.int_div\"(%a, %a)", std::nullopt, "intdiv(%arg0, %arg0)"},
      {Dialect::k16, "f32", "\"tosa.erf\"(%a)", 17, "erf(%arg0)"},
  };
  for (const auto& row : rows) {
    const std::string type = absl::StrCat("tensor<3x", row.type, ">");
    const auto operands = static_cast<size_t>(std::count(row.op.begin(), row.op.end(), '%'));
    const std::string text = absl::StrCat("func.func @f(%a: ", type, ") -> ", type, " {\n%0 = ", row.op, " : (",
                                          absl::StrJoin(std::vector<std::string>(operands, type), ", "), ") -> ", type,
                                          "\n return %0 : ", type, " }");
    const ImportedFunction function = row.dialect == Dialect::k22 ? Only(text) : OnlyOf(row.dialect, text);
    ASSERT_TRUE(function.program) << function.skipped << " " << text;
    EXPECT_EQ(function.spelled, row.spelled) << text;
    const OpApplication& op = function.program->ops.front();
    std::string canonical = absl::StrCat(Info(op.op).name, "(");
    for (size_t i = 0; i < op.operands.size(); ++i) {
      absl::StrAppend(&canonical, i == 0 ? "" : ", ", ToString(op.operands[i]));
    }
    absl::StrAppend(&canonical, ")");
    if (op.attributes.max_val) {
      absl::StrAppend(&canonical, " [", op.attributes.min_val->bits, ", 0x", absl::Hex(op.attributes.max_val->bits),
                      "]");
    }
    EXPECT_EQ(canonical, row.canonical) << text;
  }
}

// Three reports of LLVM's tracker are of this kind; read by 22, their constants were nobody's.
TEST(MlirImport, ConstantsOfOlderSpellingsStayWhatTheyAre) {
  for (const absl::string_view constant :
       {"\"tosa.const\"() {value = dense<[1, 32]> : tensor<2xi32>}",
        "\"tosa.const\"() <{value = dense<[1, 32]> : tensor<2xi32>}>",
        "\"tosa.const\"()<{value = dense<[1, 32]>\n : tensor<2xi32>}>",
        "\"tosa.const\"() <{value = dense<[1, 32]> : tensor<2xi32>}> {x.y = 1 : i8}"}) {
    const ImportedFunction function =
        Only(absl::StrCat("func.func @f(%a: tensor<2xi32>) -> tensor<2xi32> { %c = ", constant,
                          " : () -> tensor<2xi32>\n%0 = tosa.logical_left_shift %a, %c : (tensor<2xi32>, "
                          "tensor<2xi32>) -> tensor<2xi32>\n return %0 : tensor<2xi32> }"));
    ASSERT_TRUE(function.program) << function.skipped << " " << constant;
    EXPECT_EQ(function.part, "");
    EXPECT_EQ(function.spelled, 20);
    EXPECT_EQ(function.program->arguments.size(), 1u);
    ASSERT_EQ(function.program->constants.size(), 1u);
    EXPECT_EQ(DataToHex(function.program->constants[0]), "00000001 00000020");
  }
}

TEST(MlirImport, ResourcesOfTheFileAreItsConstants) {
  const auto of = [](absl::string_view resources) {
    return Only(absl::StrCat(R"(func.func @f() -> tensor<2xf16> {
      %c = "tosa.const"() <{values = dense_resource<some> : tensor<2xf16>}> : () -> tensor<2xf16>
      %0 = tosa.abs %c : (tensor<2xf16>) -> tensor<2xf16>
      return %0 : tensor<2xf16>
    })",
                             resources));
  };
  const ImportedFunction read = of("\n{-# dialect_resources: { builtin: { some: \"0x02000000003c01fe\" } } #-}");
  ASSERT_TRUE(read.program) << read.skipped;
  EXPECT_EQ(DataToHex(read.program->constants.at(0)), "3c00 fe01");
  EXPECT_EQ(of("\n{-# dialect_resources: { builtin: { some: \"0x02000000003c01\" } } #-}").skipped,
            "a constant's resource has 3 bytes, not 4");
  EXPECT_EQ(of("").skipped, "a constant's resource is not in the file");
  // What does not parse beside it does not take the section along.
  const std::vector<ImportedFunction> beside = ImportMlir(R"(func.func @f() -> tensor<2xf16> {
    %c = "tosa.const"() <{values = dense_resource<some> : tensor<2xf16>}> : () -> tensor<2xf16>
    %0 = tosa.abs %c : (tensor<2xf16>) -> tensor<2xf16>
    return %0 : tensor<2xf16>
  }
  func.func @g(%a: tensor<2xf16>) -> tensor<2xf16> {
    %0 = tosa.abs %undefined : (tensor<2xf16>) -> tensor<2xf16>
    return %0 : tensor<2xf16>
  }
  {-# dialect_resources: { builtin: { some: "0x02000000003c01fe" } } #-})",
                                                          /*split=*/false);
  ASSERT_EQ(beside.size(), 2u);
  EXPECT_TRUE(beside[0].program) << beside[0].skipped;
}

// No data may stand for what the file states: here the first part has nothing, and what is behind it would be drawn.
TEST(MlirImport, WhatTheFileStatesIsNoArgument) {
  constexpr absl::string_view kMaker[] = {
      "\"tosa.const\"() {values = dense_resource<some> : tensor<2xf32>} : () -> tensor<2xf32>",
      "\"tosa.const\"() {values = sparse<0, 1.0> : tensor<2xf32>} : () -> tensor<2xf32>",
      "arith.constant dense_resource<some> : tensor<2xf32>",
      "\"tosa.const\"() : () -> tensor<2xf32>",
      "tosa.identity %k : (tensor<2xf32>) -> tensor<2xf32>\n%c = tosa.reverse %i {axis = 0 : i32} : (tensor<2xf32>) -> "
      "tensor<2xf32>",
      "\"util.global.load\"() {global = @g} : () -> tensor<2xf32>",
      "tensor.empty() : tensor<2xf32>",
  };
  for (const absl::string_view maker : kMaker) {
    const absl::string_view name = absl::StrContains(maker, "%c =") ? "%i" : "%c";
    const std::vector<ImportedFunction> functions = ImportMlir(
        absl::StrCat(
            "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n%k = \"tosa.const\"() {values = dense<1.0> : "
            "tensor<2xf32>} : () -> tensor<2xf32>\n",
            name, " = ", maker,
            "\n%0 = tosa.add %a, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\nreturn %0 : tensor<2xf32> }"),
        false);
    for (const ImportedFunction& function : functions) {
      if (!function.program) continue;
      EXPECT_EQ(function.program->ops.front().op, OpKind::kIdentity) << maker << " " << function.part;
      EXPECT_EQ(function.program->ops.size(), 1u) << maker;
    }
    EXPECT_EQ(functions.size(), functions.front().program ? 2u : 1u);
    if (functions.front().program) {
      EXPECT_EQ(functions.back().skipped, "takes what tosa.reverse makes of the file's constants");
    }
  }
}

// A value that is computed from constants alone, before an op that is left out, is computed again behind it.
TEST(MlirImport, WhatIsComputedFromConstantsIsComputedAgainBehind) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
    func.func @main(%a: tensor<2x3xf32>) -> tensor<2x1xf32> {
      %c = "tosa.const"() {values = dense<2.0> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
      %0 = tosa.exp %c : (tensor<1x1xf32>) -> tensor<1x1xf32>
      %1 = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
      %2 = tosa.add %1, %0 : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
      return %2 : tensor<2x1xf32>
    })",
                                                             false);
  ASSERT_EQ(functions.size(), 2u);
  const ImportedFunction& behind = functions[1];
  ASSERT_TRUE(behind.program) << behind.skipped;
  EXPECT_EQ(behind.program->arguments.size(), 1u);
  EXPECT_EQ(behind.program->ops.size(), 2u);
  EXPECT_EQ(behind.program->ops[0].op, OpKind::kExp);
}

TEST(MlirImport, ShapesThatTheFileTellsAreTakenIn) {
  const auto text = [](absl::string_view type) {
    return absl::StrReplaceAll(R"(func.func @f(%a: TYPE) -> tensor<3x2xf32> {
  %d = "tosa.dim"(%a) {axis = 1 : i32} : (TYPE) -> !tosa.shape<1>
  %two = "tosa.const_shape"() {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %s = "tosa.concat_shape"(%d, %two) : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %0 = "tosa.reshape"(%a, %s) : (TYPE, !tosa.shape<2>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
})",
                               {{"TYPE", type}});
  };
  const ImportedFunction function = Only(text("tensor<2x3xf32>"));
  ASSERT_TRUE(function.program) << function.skipped;
  EXPECT_EQ(function.part, "");
  EXPECT_EQ(function.program->ops[0].attributes.new_shape, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(function.program->results.size(), 1u);
  EXPECT_EQ(Only(text("tensor<2x?xf32>")).skipped, "uses tosa.dim, which is not elementwise");
}

TEST(MlirImport, WhatNoVersionSpellsIsSaidSo) {
  const struct {
    Dialect dialect;
    absl::string_view op, why;
  } rows[] = {
      {Dialect::k22, "\"tosa.mul\"(%a, %a)",
       "tosa.mul has 2 operands where MLIR 22's has 3: as older versions spell it"},
      {Dialect::k22, "\"tosa.int_div\"(%a)", "uses tosa.int_div, as MLIR 19 spells it; MLIR 22 has tosa.intdiv"},
      {Dialect::k22, "\"tosa.const\"() {elements = dense<2> : tensor<3xi32>}", "a constant has no elements"},
      {Dialect::k19, "\"tosa.mul\"(%a, %a)", "tosa.mul has 2 operands and no 'shift', as no version spells it"},
      {Dialect::k19, "\"tosa.negate\"(%a)",
       "a negate of integers without quantization_info wraps, which no case can say"},
      {Dialect::k22, "\"tosa.negate\"(%a)",
       "a negate of integers without quantization_info wraps, which no case can say"},
      {Dialect::k22, "\"tosa.cast\"(%a) {input_signed = true}",
       "tosa.cast has 'input_signed', which is no attribute that it has in MLIR 22"},
      {Dialect::k22, "\"tosa.clamp\"(%a) {min_int = 0 : i64, max_val = 1 : i32}",
       "tosa.clamp has 'min_int', as MLIR 20 spells it, and MLIR 22 does not"},
      {Dialect::k22, "\"tosa.abs\"(%a) {other.note = 1 : i32}", ""},
  };
  for (const auto& row : rows) {
    const auto operands = static_cast<size_t>(std::count(row.op.begin(), row.op.end(), '%'));
    const std::string types = absl::StrJoin(std::vector<std::string>(operands, "tensor<3xi32>"), ", ");
    const std::string text = absl::StrCat("func.func @f(%a: tensor<3xi32>) -> tensor<3xi32> { %0 = ", row.op, " : (",
                                          types, ") -> tensor<3xi32>\n return %0 : tensor<3xi32> }");
    const ImportedFunction function = row.dialect == Dialect::k22 ? Only(text) : OnlyOf(row.dialect, text);
    EXPECT_EQ(function.program.has_value(), row.why.empty()) << text;
    EXPECT_EQ(function.skipped, row.why) << text;
  }
}

TEST(MlirImport, TheNewestSpellingIsReadInEachOfItsForms) {
  for (const bool is_unsigned : {false, true}) {
    const absl::string_view value = is_unsigned ? "true" : "false";
    for (const std::string& op : {absl::StrCat("\"tosa.cast\"(%a) {input_unsigned = ", value, "}"),
                                  absl::StrCat("\"tosa.cast\"(%a) <{input_unsigned = ", value, "}>"),
                                  absl::StrCat("tosa.cast %a {input_unsigned = ", value, "}"),
                                  absl::StrCat("tosa.cast %a input_unsigned(", value, ")")}) {
      const ImportedFunction function =
          Only(absl::StrCat("func.func @f(%a: tensor<3xi8>) -> tensor<3xi32> {\n  %0 = ", op,
                            " : (tensor<3xi8>) -> tensor<3xi32>\n  return %0 : tensor<3xi32>\n}"));
      ASSERT_TRUE(function.program) << op << ": " << function.skipped;
      EXPECT_EQ(function.program->ops[0].attributes.input_unsigned.value_or(false), is_unsigned) << op;
      EXPECT_EQ(function.spelled.has_value(), is_unsigned) << op;
    }
  }
}

TEST(MlirImport, WhatNoParserKnowsIsSaidPlainly) {
  const struct {
    absl::string_view op, why;
  } rows[] = {
      {"tosa.int_div %a, %a",  // it does, at the beginning of a line
       "does not parse: line 1: uses tosa.int_div, as MLIR 19 spells it; MLIR 22 has tosa.intdiv"},
      {"tosa.brand_new %a, %a", "does not parse: line 1: uses tosa.brand_new, which MLIR 22 does not know"},
      {"util.barrier %a, %a", "does not parse: line 1: uses util.barrier, which MLIR 22 does not know"},
      {"tosa.add %a %a", "does not parse: line 1: expected ':'"},
  };
  for (const auto& row : rows) {
    const std::string text = absl::StrCat("func.func @f(%a: tensor<3xi32>) { %0 = ", row.op,
                                          " : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>\n return }");
    EXPECT_EQ(Only(text).skipped, row.why);
  }
  const Spelling tools = {
      .dialect = Dialect::k19, .to_generic = [](absl::string_view) {
        return absl::StatusOr<std::string>(absl::InvalidArgumentError(
            "mlir-opt 19 refuses it: custom op 'tosa.intdiv' is unknown (tried 'func.tosa.intdiv' as well)"));
      }};
  const auto functions = ImportMlir("func.func @f(", false, tools);
  ASSERT_EQ(functions.size(), 1u);
  EXPECT_EQ(functions[0].skipped,
            "does not parse: mlir-opt 19 refuses it: uses tosa.intdiv, as MLIR 21 spells it; MLIR 19 has tosa.int_div");
}

TEST(MlirImport, WhatTheToolsRefuseIsParsedHereOrSaidSo) {
  const Spelling refusing = {.dialect = Dialect::k19, .to_generic = [](absl::string_view) {
                               return absl::StatusOr<std::string>(absl::InvalidArgumentError("it refuses it: why"));
                             }};
  const auto parsed = ImportMlir(
      "func.func @f(%a: tensor<3xf32>) { %0 = tosa.abs %a : (tensor<3xf32>) -> "
      "tensor<4xf32>\n return }",
      false, refusing);
  ASSERT_EQ(parsed.size(), 1u);
  EXPECT_TRUE(parsed[0].program) << parsed[0].skipped;
  // Pretty ops beside an older constant in properties, which this parser's own constant does not have.
  const auto older = ImportMlir(
      "func.func @f(%a: tensor<3xi32>) { %c = \"tosa.const\"() <{value = dense<2> : tensor<3xi32>}> : () -> "
      "tensor<3xi32>\n %0 = tosa.add %a, %c : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>\n return }",
      false, refusing);
  ASSERT_EQ(older.size(), 1u);
  ASSERT_TRUE(older[0].program) << older[0].skipped;
  EXPECT_EQ(older[0].program->constants[0].Bits(1), 2u);
  const auto odd = ImportMlir("func.func @f(", false, refusing);
  ASSERT_EQ(odd.size(), 1u);
  EXPECT_EQ(odd[0].skipped, "does not parse: it refuses it: why");
}

TEST(MlirImport, SkipsWithTheReason) {
  const struct {
    absl::string_view text, why;
  } rows[] = {
      {"func.func private @f(tensor<2xf32>)", "a declaration"},
      {"func.func @f(%a: memref<2xf32>) { return }", "an argument is of type memref<2xf32>"},
      {"func.func @f(%a: tensor<2xindex>) { return }", "an argument is of type tensor<2xindex>"},
      {"func.func @f(%a: tensor<2xf32>) { return }", "has no elementwise TOSA op"},
      {"func.func @f(%a: tensor<2xf32>) { cf.br ^b\n^b:\n return }", "has several blocks"},
      {"func.func @f(%a: tensor<2xf32>) { %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<2xf32>) -> tensor<2xf32>\n "
       "return }",
       "uses tosa.reverse, which is not elementwise"},
      {"func.func @f(%a: tensor<2xf32>) { %0 = \"odd.op\"(%a) : (tensor<2xf32>) -> tensor<2xf32>\n return }",
       "uses odd.op"},
      {"func.func @f(%a: tensor<2xf32>) { %0 = \"tosa.abs\"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> "
       "tensor<2xf32>\n return }",
       "operands"},
      {"func.func @f(%a: tensor<2xf32, \"x\">) { return }", "an argument is of type tensor<2xf32, \"x\">"},
      {"func.func @f(", "does not parse: "},
  };
  for (const auto& row : rows) {
    const ImportedFunction function = Only(row.text);
    EXPECT_FALSE(function.program) << row.text;
    EXPECT_TRUE(absl::StrContains(function.skipped, row.why)) << function.skipped << " for " << row.text;
  }
}

TEST(MlirImport, IllegalProgramsAreTakenAsTheyAre) {
  const ImportedFunction function = Only(R"(
    func.func @f(%a: tensor<2xf32>, %b: tensor<3xi8>) -> tensor<4xi1> {
      %0 = "tosa.add"(%a, %b) : (tensor<2xf32>, tensor<3xi8>) -> tensor<4xi1>
      return %0 : tensor<4xi1>
    })");
  ASSERT_TRUE(function.program) << function.skipped;
  EXPECT_EQ(Signature(*function.program, function.program->ops[0]), "add(tensor<2xf32>, tensor<3xi8>) -> tensor<4xi1>");
}

TEST(MlirImport, WhatDoesNotParseIsCalledByItsNameOrElseByItsLine) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(#map = affine_map<(d0) -> (d0)>
func.func private @half.of_it$1(%a: tensor<2xf32>) {
  %0 = tosa.abs
}
func.func(%a: tensor<2xf32>) {
}
)",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].name, "@half.of_it$1");
  EXPECT_EQ(functions[0].skipped, "does not parse: line 3: expected ':'");
  EXPECT_EQ(functions[1].name, "line 5");
  EXPECT_TRUE(absl::StartsWith(functions[1].skipped, "does not parse: custom op")) << functions[1].skipped;
}

TEST(MlirImport, WhatDoesNotParseSpoilsNoCallAndNoResource) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
func.func @constant() -> tensor<2xf16> {
  %c = "tosa.const"() <{values = dense_resource<some> : tensor<2xf16>}> : () -> tensor<2xf16>
  %0 = tosa.abs %c : (tensor<2xf16>) -> tensor<2xf16>
  return %0 : tensor<2xf16>
}
func.func @bad() -> tensor<2xf16> {
  return %none : tensor<2xf16>
}
func.func @caller(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = func.call @called(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @called(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
{-# dialect_resources: { builtin: { some: "0x02000000003c01fe" } } #-}
)",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 4u);
  ASSERT_TRUE(functions[0].program) << functions[0].skipped;
  EXPECT_EQ(DataToHex(functions[0].program->constants.at(0)), "3c00 fe01");
  EXPECT_TRUE(absl::StrContains(functions[1].skipped, "does not parse: line 8: ")) << functions[1].skipped;
  EXPECT_TRUE(functions[2].program) << functions[2].skipped;
  EXPECT_TRUE(functions[3].program) << functions[3].skipped;
}

TEST(MlirImport, SplitsAndAttributesAnnotations) {
  constexpr absl::string_view kText = R"(
func.func @a(%a: tensor<2xf32>) {
  // expected-error@+1 {{bad}}
  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func @b(%a: tensor<2xf32>) {
  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// expected-error @below {{bad}}
func.func @c(%a: tensor<2xf32>) {
  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @d(%a tensor<2xf32>) {
)";
  const std::vector<ImportedFunction> functions = ImportMlir(kText, /*split=*/true);
  ASSERT_EQ(functions.size(), 4u);
  EXPECT_EQ(functions[0].name, "@a");
  EXPECT_TRUE(functions[0].expects_error);
  EXPECT_FALSE(functions[1].expects_error);
  EXPECT_TRUE(functions[2].expects_error);
  EXPECT_TRUE(functions[2].program);
  EXPECT_FALSE(functions[3].program);
  EXPECT_EQ(functions[3].name, "@d");
  EXPECT_EQ(functions[3].skipped, "does not parse: line 18: expected ':'");
  // In one piece the last part does not spoil the others.
  const std::vector<ImportedFunction> in_one = ImportMlir(kText, /*split=*/false);
  ASSERT_EQ(in_one.size(), 4u);
  EXPECT_TRUE(in_one[2].program);
  EXPECT_EQ(in_one[3].skipped, functions[3].skipped);
}

// The idiom of bug reports.
// The case lacks the op of which the error is expected.
TEST(MlirImport, AnErrorExpectedOfAnotherOpIsNotExpectedOfTheCase) {
  const auto text = [](absl::string_view before_exp, absl::string_view before_sum) {
    return absl::StrCat("func.func @f(%a: tensor<2x3xf32>) -> tensor<2x1xf32> {\n", before_exp,
                        "  %0 = tosa.exp %a : (tensor<2x3xf32>) -> tensor<2x3xf32>\n", before_sum,
                        "  %1 = tosa.reduce_sum %0 {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>\n"
                        "  %2 = tosa.abs %1 : (tensor<2x1xf32>) -> tensor<2x1xf32>\n"
                        "  return %2 : tensor<2x1xf32>\n}\n");
  };
  constexpr absl::string_view kNext = "  // expected-error @+1 {{bad}}\n";
  const std::vector<ImportedFunction> of_exp = ImportMlir(text(kNext, ""), false),
                                      of_sum = ImportMlir(text("", kNext), false);
  ASSERT_EQ(of_exp.size(), 2u);
  EXPECT_TRUE(of_exp[0].expects_error);
  EXPECT_FALSE(of_exp[1].expects_error) << "it begins behind tosa.reduce_sum";
  ASSERT_EQ(of_sum.size(), 2u);
  EXPECT_FALSE(of_sum[0].expects_error);
  EXPECT_FALSE(of_sum[1].expects_error);
}

// The parser lets both pass.
TEST(MlirImport, WhatMlirCanNotVerifyIsSkipped) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
    func.func @other_type(%a: tensor<4xf32>) -> tensor<3xf32> {
      %0 = tosa.exp %a : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @of_itself() -> tensor<4xf32> {
      %0 = tosa.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @of_another(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = tosa.add %a, %z : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @fine(%a: tensor<4xf32>) -> tensor<4xf32> {
      %z = tosa.exp %a : (tensor<4xf32>) -> tensor<4xf32>
      return %z : tensor<4xf32>
    }
    func.func @endless(%a: tensor<4xf32>) {
      %0 = tosa.exp %a : (tensor<4xf32>) -> tensor<4xf32>
    })",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 5u);
  EXPECT_EQ(functions[2].skipped, "is not valid: tosa.add uses a value that is not there");
  EXPECT_TRUE(functions[3].program);
  EXPECT_EQ(functions[4].skipped, "is not valid: nothing ends it");
  EXPECT_EQ(functions[0].skipped, "is not valid: it returns other types than it declares");
  EXPECT_EQ(functions[1].skipped, "is not valid: tosa.exp uses a value that is not there");
}

TEST(MlirImport, AFunctionThatReturnsNothingReturnsWhatNoOpTakes) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
    func.func @f(%a: tensor<2xf32>) {
      %0 = tosa.exp %a : (tensor<2xf32>) -> tensor<2xf32>
      %1 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
      %2 = tosa.log %1 : (tensor<2xf32>) -> tensor<2xf32>
      return
    })",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 1u);
  ASSERT_TRUE(functions[0].program);
  EXPECT_EQ(functions[0].program->results, (std::vector<ValueRef>{{ValueRef::Kind::kOp, 2}, {ValueRef::Kind::kOp, 0}}));
}

TEST(MlirImport, WhatIsPrintedIsWhatTheProgramReturns) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
    module {
      func.func private @printMemrefF32(tensor<*xf32>)
      func.func @main() {
        %0 = "tosa.const"() {values = dense<[1.0, -2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
        %1 = tosa.abs %0 : (tensor<2xf32>) -> tensor<2xf32>
        %2 = tosa.exp %1 : (tensor<2xf32>) -> tensor<2xf32>
        %3 = tosa.log %1 : (tensor<2xf32>) -> tensor<2xf32>
        %4 = tensor.cast %2 : tensor<2xf32> to tensor<*xf32>
        call @printMemrefF32(%4) : (tensor<*xf32>) -> ()
        return
      }
    })",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].skipped, "a declaration");
  ASSERT_TRUE(functions[1].program) << functions[1].skipped;
  EXPECT_EQ(functions[1].part, "");
  EXPECT_EQ(functions[1].program->results, (std::vector<ValueRef>{{ValueRef::Kind::kOp, 1}}));
}

TEST(MlirImport, WhatIsBehindAnotherKindOfOpIsAProgramOfItsOwn) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
    func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %0 = tosa.abs %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %1 = tosa.reduce_sum %0 {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
      %2 = tosa.exp %1 : (tensor<2x1xf32>) -> tensor<2x1xf32>
      %3 = tosa.add %2, %0 : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      return %3 : tensor<2x3xf32>
    })",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 2u);
  const ImportedFunction& before = functions[0];
  EXPECT_EQ(before.name, "@main");
  ASSERT_TRUE(before.program) << before.skipped;
  EXPECT_EQ(before.part, "up to tosa.reduce_sum");
  ASSERT_EQ(before.program->ops.size(), 1u);
  EXPECT_EQ(before.program->results, (std::vector<ValueRef>{{ValueRef::Kind::kOp, 0}}));
  const ImportedFunction& behind = functions[1];
  EXPECT_EQ(behind.name, "@main.behind");
  ASSERT_TRUE(behind.program) << behind.skipped;
  EXPECT_EQ(behind.part, "behind tosa.reduce_sum");
  ASSERT_EQ(behind.program->ops.size(), 2u);
  EXPECT_EQ(behind.program->arguments, (std::vector<TensorType>{{Shape::OfSizes({2, 1}), ElementType::kF32},
                                                                {Shape::OfSizes({2, 3}), ElementType::kF32}}));
  EXPECT_EQ(behind.program->results, (std::vector<ValueRef>{{ValueRef::Kind::kOp, 1}}));
}

// Front ends put a reshape before an op to make ranks equal.
TEST(MlirImport, AReshapeIsPartOfTheCase) {
  const ImportedFunction function = Only(R"(
    func.func @main(%a: tensor<3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %s = tosa.const_shape {values = dense<[1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %0 = tosa.reshape %a, %s : (tensor<3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
      %1 = tosa.add %0, %b : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      return %1 : tensor<2x3xf32>
    })");
  ASSERT_TRUE(function.program) << function.skipped;
  EXPECT_EQ(function.part, "");
  EXPECT_EQ(Signature(*function.program, function.program->ops[0]), "reshape(tensor<3xf32>) -> tensor<1x3xf32>");
  EXPECT_EQ(function.program->ops[0].attributes.new_shape, (std::vector<int64_t>{1, 3}));
}

TEST(MlirImport, FunctionsOfTheFileAreCalled) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
    func.func @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = tosa.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = call @twice(%a) : (tensor<2xf32>) -> tensor<2xf32>
      %1 = call @twice(%0) : (tensor<2xf32>) -> tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    func.func @endless(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
      %1 = call @endless(%0) : (tensor<2xf32>) -> tensor<2xf32>
      return %1 : tensor<2xf32>
    })",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 3u);
  ASSERT_TRUE(functions[1].program) << functions[1].skipped;
  const Program& program = *functions[1].program;
  ASSERT_EQ(program.ops.size(), 2u);
  EXPECT_EQ(program.ops[1].operands, (std::vector<ValueRef>(2, {ValueRef::Kind::kOp, 0})));
  EXPECT_EQ(program.results, (std::vector<ValueRef>{{ValueRef::Kind::kOp, 1}}));
  EXPECT_EQ(functions[2].skipped, "calls itself, or too deep");
}

// A second call knows nothing of the values that the first had.
TEST(MlirImport, WhatASecondCallLeavesOutHasNoValueOfTheFirst) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
    func.func @magnitude(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
      %0 = tosa.abs %x : (tensor<1x2xf32>) -> tensor<1x2xf32>
      return %0 : tensor<1x2xf32>
    }
    func.func @main(%a: tensor<1x2xf32>, %b: tensor<3x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
      %0 = call @magnitude(%a) : (tensor<1x2xf32>) -> tensor<1x2xf32>
      %sum = tosa.reduce_sum %b {axis = 0 : i32} : (tensor<3x2xf32>) -> tensor<1x2xf32>
      %1 = call @magnitude(%sum) : (tensor<1x2xf32>) -> tensor<1x2xf32>
      %2 = tosa.exp %1 : (tensor<1x2xf32>) -> tensor<1x2xf32>
      return %0, %2 : tensor<1x2xf32>, tensor<1x2xf32>
    })",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 2u);
  ASSERT_TRUE(functions[1].program) << functions[1].skipped;
  const Program& program = *functions[1].program;
  ASSERT_EQ(program.ops.size(), 1u);
  EXPECT_EQ(program.ops[0].op, OpKind::kAbs);
  EXPECT_EQ(program.results, (std::vector<ValueRef>{{ValueRef::Kind::kOp, 0}}));
  EXPECT_TRUE(functions[1].has_other_results);
}

// As IREE's end-to-end tests have them.
TEST(MlirImport, ConstantsThatTheCompilerDoesNotSeeAreArgumentsWithTheirData) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
    #map = affine_map<(d0) -> (d0)>
    util.global private @g : tensor<2xf32>
    func.func @sum() {
      %0 = util.unfoldable_constant dense<[1.0, 2.0]> : tensor<2xf32>
      %1 = "tosa.const"() {values = dense<3.0> : tensor<2xf32>} : () -> tensor<2xf32>
      %2 = tensor.cast %1 : tensor<2xf32> to tensor<?xf32>
      %3 = tosa.add %0, %2 : (tensor<2xf32>, tensor<?xf32>) -> tensor<2xf32>
      %4 = tosa.abs %3 : (tensor<2xf32>) -> tensor<2xf32>
      check.expect_almost_eq_const(%3, dense<[4.0,
          5.0]> : tensor<2xf32>) : tensor<2xf32>
      return
    }
    func.func @odd(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = flow.dispatch.region[] -> (tensor<2xf32>) {
        flow.return %a : tensor<2xf32>
      }
      %1 = tosa.abs %0 : (tensor<2xf32>) -> tensor<2xf32>
      return %1 : tensor<2xf32>
    })",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].name, "@sum");
  ASSERT_TRUE(functions[0].program) << functions[0].skipped;
  const Program& program = *functions[0].program;
  ASSERT_EQ(program.arguments.size(), 2u);
  EXPECT_EQ(ToString(program.arguments[1]), "tensor<?xf32>");
  ASSERT_TRUE(functions[0].data[0] && functions[0].data[1]);
  EXPECT_EQ(DataToHex(*functions[0].data[0]), "3f800000 40000000");
  EXPECT_EQ(DataToHex(*functions[0].data[1]), "40400000 40400000");
  EXPECT_EQ(program.results, (std::vector<ValueRef>{{ValueRef::Kind::kOp, 0}}));
  EXPECT_EQ(functions[1].name, "@odd");
  EXPECT_TRUE(absl::StartsWith(functions[1].skipped, "does not parse: line 18: ")) << functions[1].skipped;
}

// A case of a function says nothing of what stands in the regions of other ops in it.
TEST(MlirImport, OpsInRegionsAreNamedAsUntested) {
  const ImportedFunction function = Only(R"(
    func.func @f(%c: tensor<i1>, %a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
      "foo.region"(%a) ({
        ^bb0(%x: tensor<2xf32>):
        %1 = tosa.exp %x : (tensor<2xf32>) -> tensor<2xf32>
        %2 = tosa.reverse %1 {axis = 0 : i32} : (tensor<2xf32>) -> tensor<2xf32>
        "foo.yield"(%2) : (tensor<2xf32>) -> ()
      }) : (tensor<2xf32>) -> ()
      foo.region {
        %3 = tosa.log %a : (tensor<2xf32>) -> tensor<2xf32>
      }
      return %0 : tensor<2xf32>
    })");
  ASSERT_TRUE(function.program) << function.skipped;
  EXPECT_EQ(function.program->ops.size(), 1u);
  EXPECT_EQ(function.untested,
            (std::vector<std::string>{"tosa.exp in foo.region (line 6)", "tosa.log in foo.region (line 11)"}));
}

// What is in the second program of a function, or is called, is tested.
TEST(MlirImport, WhatAnyProgramOfAFunctionHasIsNotUntested) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
    func.func private @twice(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = tosa.add %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    func.func @split(%a: tensor<2xf32>) -> tensor<1xf32> {
      %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
      %1 = tosa.reduce_sum %0 {axis = 0 : i32} : (tensor<2xf32>) -> tensor<1xf32>
      %2 = tosa.exp %1 : (tensor<1xf32>) -> tensor<1xf32>
      return %2 : tensor<1xf32>
    }
    func.func @calls(%a: tensor<2xf32>) -> tensor<1xf32> {
      %0 = call @twice(%a) : (tensor<2xf32>) -> tensor<2xf32>
      %1 = tosa.reduce_sum %0 {axis = 0 : i32} : (tensor<2xf32>) -> tensor<1xf32>
      %2 = tosa.exp %1 : (tensor<1xf32>) -> tensor<1xf32>
      return %2 : tensor<1xf32>
    })",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 4u);
  for (const ImportedFunction& function : functions) {
    ASSERT_TRUE(function.program) << function.name << function.skipped;
    // The ops behind one that ends a case are a second case of functions without calls alone.
    const bool is_open = function.name == "@calls";
    EXPECT_EQ(function.untested, std::vector<std::string>(is_open ? 1 : 0, "tosa.exp (line 15)")) << function.name;
  }
}

TEST(MlirImport, OpsOutsideOfFunctionsAreSkippedWithAReason) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
    func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    // -----
    %0 = "foo.source"() : () -> tensor<2xf32>
    %1 = tosa.exp %0 : (tensor<2xf32>) -> tensor<2xf32>
    ml_program.func @g(%a: tensor<2xf32>) -> tensor<2xf32> {
      %2 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
      %3 = tosa.abs %2 : (tensor<2xf32>) -> tensor<2xf32>
      ml_program.return %3 : tensor<2xf32>
    }
    util.func @h(%a: tensor<2xf32>) -> tensor<2xf32> {
      %4 = tosa.log %a : (tensor<2xf32>) -> tensor<2xf32>
      util.return %4 : tensor<2xf32>
    }
    %5 = tosa.log %1 : (tensor<2xf32>) -> tensor<2xf32>
    )",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 4u);
  EXPECT_TRUE(functions[0].program);
  const std::pair<std::string, std::vector<std::string>> expected[] = {
      {"line 8", {"tosa.exp (line 8)", "tosa.log (line 18)"}},
      {"@g", {"tosa.abs in ml_program.func (line 10)", "tosa.abs in ml_program.func (line 11)"}},
      {"line 14", {"tosa.log in util.func (line 15)"}}};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(functions[i + 1].name, expected[i].first);
    EXPECT_EQ(functions[i + 1].skipped, "elementwise ops outside of any func.func");
    EXPECT_EQ(functions[i + 1].untested, expected[i].second);
  }
}

TEST(MlirImport, TheOpsOfASkippedFunctionAreNamed) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
    func.func @if(%p: tensor<i1>, %a: tensor<2xf32>) -> tensor<2xf32> {
      %1 = tosa.cond_if %p : tensor<i1> -> tensor<2xf32> {
        %2 = tosa.exp %a : (tensor<2xf32>) -> tensor<2xf32>
        tosa.yield %2 : tensor<2xf32>
      } else {
        tosa.yield %a : tensor<2xf32>
      }
      return %1 : tensor<2xf32>
    })",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 1u);
  EXPECT_FALSE(functions[0].program);
  EXPECT_EQ(functions[0].untested, std::vector<std::string>{"tosa.exp in tosa.cond_if (line 4)"});
}

// The weights of a network take longer to hand on than all else.
TEST(MlirImport, ConstantsOfOtherOpsAreNoPartOfAProgram) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
    func.func @f(%a: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) {
      %0 = "tosa.const"() <{values = dense<1.0> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
      %1 = "tosa.const"() <{values = dense<2.0> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
      %2 = "tosa.const"() <{values = dense<3.0> : tensor<2xf32>}> : () -> tensor<2xf32>
      %3 = linalg.matmul ins(%a, %0 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%0 : tensor<2x2xf32>) -> tensor<2x2xf32>
      %4 = tosa.add %a, %1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      return %3, %4, %2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>
    })",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 1u);
  ASSERT_TRUE(functions[0].program) << functions[0].skipped;
  ASSERT_EQ(functions[0].program->constants.size(), 2u);
  EXPECT_EQ(functions[0].program->constants[0].Bits(0), 0x40000000u);
  EXPECT_EQ(functions[0].program->constants[1].sizes(), std::vector<int64_t>{2}) << "it is returned";
}

TEST(MlirImport, FunctionsBehindAMissingBraceAreRead) {
  const std::vector<ImportedFunction> functions = ImportMlir(R"(
func.func @brace(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>

func.func @plain(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
)",
                                                             /*split=*/false);
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].name, "@brace");
  EXPECT_TRUE(absl::StartsWith(functions[0].skipped, "does not parse: line ")) << functions[0].skipped;
  EXPECT_EQ(functions[1].name, "@plain");
  EXPECT_TRUE(functions[1].program) << functions[1].skipped;
}

}  // namespace
}  // namespace tosaic
