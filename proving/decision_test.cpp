// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies written by hand: right ones are proved, wrong ones refuted with inputs, and what has no formula is unknown.
#include "proving/decision.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/tensor.h"
#include "proving/body_terms.h"
#include "proving/questions.h"
#include "proving/terms.h"

namespace tosaic {
namespace {

// A body of the lines, whose arguments are %a and %b; the last line's value is %r.
ScalarBody BodyOf(const std::vector<std::string>& arguments, const std::vector<std::string>& lines) {
  std::string inputs, types, block, names = "ab";
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::StrAppend(&inputs, i == 0 ? "" : ", ", "%arg", i, ": tensor<", arguments[i], ">");
    absl::StrAppend(&types, i == 0 ? "" : ", ", "%arg", i);
    absl::StrAppend(&block, "%", names.substr(i, 1), ": ", arguments[i], ", ");
  }
  std::string text = absl::StrCat("#map = affine_map<() -> ()>\nfunc.func @main(", inputs, ") -> tensor<f32> {\n");
  absl::StrAppend(&text, "%1 = linalg.generic {indexing_maps = [#map]} ins(", types, " : t) outs(%0 : t) {\n^bb0(",
                  block, "%out: i1):\n");
  for (const std::string& line : lines) absl::StrAppend(&text, line, "\n");
  absl::StrAppend(&text, "linalg.yield %r : x\n}\nreturn %1 : t\n}\n");
  const absl::StatusOr<ScalarBody> body = ReadScalarBody(text);
  EXPECT_TRUE(body.ok()) << body.status() << text;
  return body.ok() ? *body : ScalarBody();
}

Decision Decided(OpKind op, ElementType type, const std::vector<std::string>& lines, ElementType result,
                 size_t setting = 0) {
  for (const ProofTile& tile : ProofTiles({op}, {type})) {
    if (tile.result != result) continue;
    const Program& program = tile.settings.at(setting).program;
    std::vector<std::string> arguments;
    for (const TensorType& argument : program.arguments) arguments.emplace_back(Name(argument.element_type));
    return DecideBody(program, BodyOf(arguments, lines), 20'000);
  }
  ADD_FAILURE() << Name(op) << " lacks the types";
  return {};
}

TEST(Decision, ASumThatWrapsIsRightWhereTheSpecificationDefinesIt) {
  const Decision right = Decided(OpKind::kAdd, ElementType::kI32, {"%r = arith.addi %a, %b : i32"}, ElementType::kI32);
  EXPECT_EQ(right.verdict, ProofVerdict::kProved) << right.why;
  const Decision flagged =
      Decided(OpKind::kAdd, ElementType::kI32, {"%r = arith.addi %a, %b overflow<nsw> : i32"}, ElementType::kI32);
  EXPECT_EQ(flagged.verdict, ProofVerdict::kProved) << "a sum that does not fit is unpredictable";
  const Decision unsigned_flag =
      Decided(OpKind::kAdd, ElementType::kI32, {"%r = arith.addi %a, %b overflow<nuw> : i32"}, ElementType::kI32);
  EXPECT_EQ(unsigned_flag.verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(unsigned_flag.why, "poison or undefined behaviour");
}

TEST(Decision, ARefutationNamesInputs) {
  const Decision wrong = Decided(OpKind::kSub, ElementType::kI32, {"%r = arith.subi %b, %a : i32"}, ElementType::kI32);
  ASSERT_EQ(wrong.verdict, ProofVerdict::kRefuted);
  ASSERT_EQ(wrong.inputs.size(), 2u);
  EXPECT_NE(static_cast<uint32_t>(wrong.inputs[0] - wrong.inputs[1]),
            static_cast<uint32_t>(wrong.inputs[1] - wrong.inputs[0]));
}

// The decision on a variant of FolderTiles, of i32, whose body has one argument.
Decision DecidedFold(OpKind op, absl::string_view text, const std::vector<std::string>& lines) {
  const std::vector<ProofTile> tiles = FolderTiles({op}, {ElementType::kI32});
  for (const ProofSetting& setting : tiles.at(0).settings) {
    if (setting.text == text) return DecideBody(setting.program, BodyOf({"i32"}, lines), 20'000);
  }
  ADD_FAILURE() << Name(op) << " lacks " << text;
  return {};
}

TEST(Decision, AConstantOperandHasItsValueOnEitherSide) {
  const std::vector<std::string> same = {"%z = arith.constant 0 : i32", "%r = arith.addi %a, %z : i32"};
  const std::vector<std::string> negated = {"%z = arith.constant 0 : i32", "%r = arith.subi %z, %a : i32"};
  EXPECT_EQ(DecidedFold(OpKind::kSub, "operand 2 = 0", same).verdict, ProofVerdict::kProved);
  EXPECT_EQ(DecidedFold(OpKind::kSub, "operand 1 = 0", negated).verdict, ProofVerdict::kProved);
  const Decision wrong = DecidedFold(OpKind::kSub, "operand 1 = 0", same);
  EXPECT_EQ(wrong.verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(wrong.inputs.size(), 1u);
  EXPECT_EQ(DecidedFold(OpKind::kSub, "operand 2 = 1", same).verdict, ProofVerdict::kRefuted);
}

TEST(Decision, EqualOperandsAreOneArgument) {
  const std::vector<std::string> zero = {"%r = arith.constant 0 : i32"};
  EXPECT_EQ(DecidedFold(OpKind::kSub, "operands 1 and 2 equal", zero).verdict, ProofVerdict::kProved);
  EXPECT_EQ(DecidedFold(OpKind::kAdd, "operands 1 and 2 equal", zero).verdict, ProofVerdict::kRefuted);
}

// The decision on a rescale of i16 to i8 with scales of channels, whose body computes with 64 bits. `scale` makes %y of
// the channel's multiplier %n; `round` makes of %half what is added to the product, %t.
Decision DecidedScales(RoundingMode mode, absl::string_view scale, absl::string_view round) {
  const std::vector<ProofTile> tiles = ProofTiles({OpKind::kRescale}, {ElementType::kI16});
  const auto setting = absl::c_find_if(tiles.at(0).settings, [&](const ProofSetting& candidate) {
    const OpApplication& op = candidate.program.ops[0];
    return IsByChannel(op, 1) && !HasScale32(op.attributes) && op.attributes.rounding_mode == mode &&
           op.attributes.input_unsigned == false && op.attributes.output_unsigned == false;
  });
  if (setting == tiles.at(0).settings.end()) return {};
  const Program program = OfRank(setting->program, 1);
  EXPECT_EQ(program.ops[0].result.element_type, ElementType::kI8);
  std::string shifts, multipliers;
  for (int channel = 0; channel < 61; ++channel) {
    absl::StrAppend(&multipliers, channel == 0 ? "" : ", ", channel + 1);
    absl::StrAppend(&shifts, channel == 0 ? "" : ", ", channel + 2);
  }
  const absl::StatusOr<ScalarBody> body = ReadScalarBody(absl::StrCat(
      R"(#map = affine_map<(d0) -> (d0)>
func.func @main(%arg0: tensor<61xi16>) -> tensor<61xi8> {
%m = arith.constant dense<[)",
      multipliers, R"(]> : tensor<61xi32>
%s = arith.constant dense<[)",
      shifts, R"(]> : tensor<61xi8>
%1 = linalg.generic {indexing_maps = [#map, #map, #map, #map]} ins(%arg0, %m, %s : t) outs(%0 : t) {
^bb0(%a: i16, %b: i32, %c: i8, %out: i8):
%one = arith.constant 1 : i64
%zp = arith.constant 19 : i64
%low = arith.constant -128 : i64
%high = arith.constant 127 : i64
%x = arith.extsi %a : i16 to i64
%n = arith.extsi %b : i32 to i64
%w = arith.extsi %c : i8 to i64
)",
      scale, R"(
%p = arith.muli %x, %y : i64
%h = arith.subi %w, %one : i64
%half = arith.shli %one, %h : i64
)",
      round, R"(
%q = arith.addi %p, %t : i64
%v = arith.shrsi %q, %w : i64
%z = arith.addi %v, %zp : i64
%g = arith.maxsi %z, %low : i64
%i = arith.minsi %g, %high : i64
%r = arith.trunci %i : i64 to i8
linalg.yield %r : i8
}
return %1 : t
})"));
  EXPECT_TRUE(body.ok()) << body.status();
  return DecideBody(program, *body, 60'000);
}

constexpr char kAsItIs[] = "%y = arith.muli %n, %one : i64", kHalfUp[] = "%t = arith.muli %half, %one : i64";

// A shift is one of the constant's, a multiplier any: a body that is right for the multipliers of the program alone is
// refuted, by a program with another one.
TEST(Decision, ScalesOfChannelsStandForAllMultipliers) {
  const Decision right = DecidedScales(RoundingMode::kSingleRound, kAsItIs, kHalfUp);
  EXPECT_EQ(right.verdict, ProofVerdict::kProved) << right.why;
  const Decision wrong = DecidedScales(RoundingMode::kSingleRound,
                                       "%large = arith.constant 100 : i64\n%y = arith.minsi %n, %large : i64", kHalfUp);
  ASSERT_EQ(wrong.verdict, ProofVerdict::kRefuted) << wrong.why;
  const Tensor& shown = *AsConstant(wrong.program, wrong.program.ops[0].operands[1]);
  EXPECT_GT(shown.Bits(0), 100u) << "the program has the multiplier that shows it";
  EXPECT_EQ(shown.Bits(1), 2u) << "the other channels have their own";
}

// INEXACT_ROUND lets a body choose in the middle of two integers, as SINGLE_ROUND does not, and nothing farther away.
TEST(Decision, AnInexactRoundingIsWithinAHalf) {
  constexpr char kHalfDown[] = "%t = arith.subi %half, %one : i64", kDown[] = "%t = arith.subi %half, %half : i64";
  const auto verdict = [](RoundingMode mode, const char* round) { return DecidedScales(mode, kAsItIs, round).verdict; };
  EXPECT_EQ(verdict(RoundingMode::kInexactRound, kHalfUp), ProofVerdict::kProved);
  EXPECT_EQ(verdict(RoundingMode::kInexactRound, kHalfDown), ProofVerdict::kProved);
  EXPECT_EQ(verdict(RoundingMode::kSingleRound, kHalfDown), ProofVerdict::kRefuted);
  const Decision wrong = DecidedScales(RoundingMode::kInexactRound, kAsItIs, kDown);
  EXPECT_EQ(wrong.verdict, ProofVerdict::kRefuted);
  EXPECT_FALSE(wrong.is_exact);
}

// A select does not hand on the poison of what it does not choose; arithmetic does.
TEST(Decision, PoisonGoesNoFurtherThanWhereItIsChosen) {
  const std::vector<std::string> shift = {"%z = arith.constant 0 : i8",       "%w = arith.constant 1 : i8",
                                          "%c = arith.cmpi eq, %b, %z : i8",  "%m = arith.subi %b, %w : i8",
                                          "%t = arith.shli %a, %m : i8",      "%u = arith.shli %t, %w : i8",
                                          "%r = arith.select %c, %a, %u : i8"};
  EXPECT_EQ(Decided(OpKind::kLogicalLeftShift, ElementType::kI8, shift, ElementType::kI8).verdict,
            ProofVerdict::kProved);
  std::vector<std::string> without_select = shift;
  without_select.back() = "%r = arith.ori %u, %z : i8";
  const Decision wrong = Decided(OpKind::kLogicalLeftShift, ElementType::kI8, without_select, ElementType::kI8);
  EXPECT_EQ(wrong.verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(wrong.inputs, (std::vector<uint64_t>{wrong.inputs[0], 0}));
}

TEST(Decision, ADivisionThatIsNotChosenIsUndefinedAllTheSame) {
  const Decision wrong = Decided(OpKind::kAdd, ElementType::kI32,
                                 {"%q = arith.divsi %a, %b : i32", "%c = arith.constant false",
                                  "%s = arith.addi %a, %b : i32", "%r = arith.select %c, %q, %s : i32"},
                                 ElementType::kI32);
  EXPECT_EQ(wrong.verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(wrong.why, "poison or undefined behaviour");
}

TEST(Decision, FastMathIsPoisonOfWhatItRulesOut) {
  const auto with = [](const std::string& flags) {
    return Decided(OpKind::kMul, ElementType::kF32, {absl::StrCat("%r = arith.mulf %a, %b", flags, " : f32")},
                   ElementType::kF32);
  };
  EXPECT_EQ(with("").verdict, ProofVerdict::kProved);
  EXPECT_EQ(with(" fastmath<nnan>").verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(with(" fastmath<ninf>").verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(with(" fastmath<nsz>").verdict, ProofVerdict::kUnknown);
  EXPECT_EQ(with(" fastmath<fast>").verdict, ProofVerdict::kUnknown);
}

TEST(Decision, WhatHasNoFormulaIsUnknown) {
  const Decision exp = Decided(OpKind::kExp, ElementType::kF32, {"%r = math.exp %a : f32"}, ElementType::kF32);
  EXPECT_EQ(exp.verdict, ProofVerdict::kUnknown);
  EXPECT_EQ(exp.why, "the specification's exp has no formula here; the body is math.exp of the operand");
  const Decision swapped = Decided(OpKind::kPow, ElementType::kF32, {"%r = math.powf %b, %a : f32"}, ElementType::kF32);
  EXPECT_EQ(swapped.why, "the specification's pow has no formula here");
  const Decision other = Decided(OpKind::kAbs, ElementType::kF32, {"%r = math.exp %a : f32"}, ElementType::kF32);
  EXPECT_EQ(other.verdict, ProofVerdict::kUnknown);
  EXPECT_EQ(other.why, "math.exp of f32 has no formula");
}

// Of two zeros maxnumf returns any: where the sign is free that is right.
TEST(Decision, AChoiceOfTheImplementationIsRightOnlyIfAllChoicesAre) {
  EXPECT_EQ(
      Decided(OpKind::kMaximum, ElementType::kF32, {"%r = arith.maxnumf %a, %b : f32"}, ElementType::kF32, 1).verdict,
      ProofVerdict::kProved)
      << "nan_mode=IGNORE";
  EXPECT_EQ(
      Decided(OpKind::kMaximum, ElementType::kF32, {"%r = arith.maxnumf %a, %b : f32"}, ElementType::kF32).verdict,
      ProofVerdict::kRefuted);
  EXPECT_EQ(Decided(OpKind::kAbs, ElementType::kF32, {"%n = arith.negf %a : f32", "%r = arith.maxnumf %a, %n : f32"},
                    ElementType::kF32)
                .verdict,
            ProofVerdict::kRefuted)
      << "-0";
}

// Through the bits of a float, whose NaNs keep theirs.
TEST(Decision, ABitcastOfAnArgumentHasItsBits) {
  const std::vector<std::string> halves = {"%i = arith.bitcast %a : f32 to i32", "%m = arith.constant 2147483647 : i32",
                                           "%j = arith.andi %i, %m : i32", "%r = arith.bitcast %j : i32 to f32"};
  EXPECT_EQ(Decided(OpKind::kAbs, ElementType::kF32, halves, ElementType::kF32).verdict, ProofVerdict::kProved);
}

// f8E4M3FN has no infinity: a number beyond its range is a NaN ("the non-saturating conversion mode"), and arithmetic
// of its own is not understood.
TEST(Decision, ACastToF8E4M3FNDoesNotSaturate) {
  const auto decided = [](const std::vector<std::string>& lines) {
    return Decided(OpKind::kCast, ElementType::kF32, lines, ElementType::kF8E4M3FN);
  };
  const std::string round = "arith.truncf %c : f32 to f8E4M3FN";
  EXPECT_EQ(decided({"%r = arith.truncf %a : f32 to f8E4M3FN"}).verdict, ProofVerdict::kProved);
  const std::vector<std::string> saturating = {"%l = arith.constant 4.480000e+02 : f32",
                                               "%c = arith.minimumf %a, %l : f32", "%r = " + round};
  const Decision wrong = decided(saturating);
  ASSERT_EQ(wrong.verdict, ProofVerdict::kRefuted);
  const double input = ElementToDouble(ElementType::kF32, wrong.inputs[0]);
  EXPECT_GT(input, 464) << "the middle of 448 and the next number that four bits of significand make";
  EXPECT_EQ(decided({"%h = arith.truncf %a : f32 to f16", "%r = arith.truncf %h : f16 to f8E4M3FN"}).verdict,
            ProofVerdict::kRefuted)
      << "rounds twice";
  EXPECT_EQ(decided({"%c = arith.truncf %a : f32 to f8E4M3FN", "%r = arith.addf %c, %c : f8E4M3FN"}).verdict,
            ProofVerdict::kUnknown);
}

TEST(Decision, AnF8E4M3FNIsWidenedWithItsSubnormals) {
  const auto decided = [](const std::vector<std::string>& lines) {
    return Decided(OpKind::kCast, ElementType::kF8E4M3FN, lines, ElementType::kF32).verdict;
  };
  EXPECT_EQ(decided({"%r = arith.extf %a : f8E4M3FN to f32"}), ProofVerdict::kProved);
  EXPECT_EQ(decided({"%c = arith.extf %a : f8E4M3FN to bf16", "%r = arith.extf %c : bf16 to f32"}),
            ProofVerdict::kProved);
  EXPECT_EQ(decided({"%i = arith.bitcast %a : f8E4M3FN to i8", "%b = arith.bitcast %i : i8 to f8E5M2",
                     "%r = arith.extf %b : f8E5M2 to f32"}),
            ProofVerdict::kRefuted);
}

// Terms of ops on constants, against numbers worked out by hand.
TEST(BodyTerms, ComputeWhatTheDialectsSay) {
  struct Row {
    std::string type, result, line;
    uint64_t a, b, expected;
  };
  const Row rows[] = {{"i8", "i8", "arith.divsi %a, %b : i8", 0xf9, 2, 0xfd},
                      {"i8", "i8", "arith.floordivsi %a, %b : i8", 0xf9, 2, 0xfc},
                      {"i8", "i8", "arith.ceildivsi %a, %b : i8", 7, 2, 4},
                      {"i8", "i8", "arith.remsi %a, %b : i8", 0xf9, 2, 0xff},
                      {"i8", "i8", "arith.shrsi %a, %b : i8", 0x80, 7, 0xff},
                      {"i8", "i8", "arith.shrui %a, %b : i8", 0x80, 7, 1},
                      {"i8", "i8", "arith.maxui %a, %b : i8", 0x80, 7, 0x80},
                      {"i8", "i8", "arith.maxsi %a, %b : i8", 0x80, 7, 7},
                      {"i8", "i8", "math.ctlz %a : i8", 1, 0, 7},
                      {"i8", "i8", "%l, %r = arith.mulsi_extended %a, %b : i8", 0x80, 3, 0xfe},
                      {"i8", "i8", "%l, %r = arith.mului_extended %a, %b : i8", 0x80, 3, 1},
                      {"i8", "i1", "arith.cmpi ult, %a, %b : i8", 0x80, 7, 0},
                      {"i8", "i1", "arith.cmpi slt, %a, %b : i8", 0x80, 7, 1},
                      {"f32", "i1", "arith.cmpf ult, %a, %b : f32", 0x7fc00000, 0, 1},
                      {"f32", "i1", "arith.cmpf olt, %a, %b : f32", 0x7fc00000, 0, 0},
                      {"f32", "f32", "arith.minimumf %a, %b : f32", 0, 0x80000000, 0x80000000},
                      {"f32", "f32", "math.roundeven %a : f32", 0x40200000, 0, 0x40000000},
                      {"f32", "f32", "math.round %a : f32", 0x40200000, 0, 0x40400000},
                      {"bf16", "bf16", "math.floor %a : bf16", 0xbfc0, 0, 0xc000},
                      {"f32", "bf16", "arith.truncf %a : f32 to bf16", 0x3f808000, 0, 0x3f80},
                      {"f32", "i8", "arith.fptosi %a : f32 to i8", 0xc2ff0000, 0, 0x81},
                      {"bf16", "i16", "arith.fptosi %a : bf16 to i16", 0xc2ff, 0, 0xff81},
                      {"i8", "f16", "arith.sitofp %a : i8 to f16", 0xff, 0, 0xbc00},
                      {"i8", "f16", "arith.uitofp %a : i8 to f16", 0xff, 0, 0x5bf8}};
  for (const Row& row : rows) {
    z3::context context;
    const z3::sort sort = *SortOf(context, row.type);
    const bool has_two = row.line[0] == '%';
    const ScalarBody body = BodyOf({row.type, row.type}, {absl::StrCat(has_two ? "" : "%r = ", row.line)});
    const absl::StatusOr<BodyTerm> term = TermOf(body, {Constant(sort, row.a), Constant(sort, row.b)});
    ASSERT_TRUE(term.ok()) << term.status();
    EXPECT_EQ(BitsOf(term->value), row.expected) << row.line << ": " << term->value.simplify();
    EXPECT_TRUE((term->poison || term->undefined).simplify().is_false()) << row.line;
  }
}

TEST(BodyTerms, WhatIsOutOfRangeIsPoison) {
  const std::tuple<std::string, uint64_t, std::string> rows[] = {
      {"f32", 0x43000000, "arith.fptosi %a : f32 to i8"},  // 128
      {"f32", 0xc3010000, "arith.fptosi %a : f32 to i8"},  // -129
      {"f32", 0x7fc00000, "arith.fptosi %a : f32 to i8"},  // NaN
      {"f16", 0xfc00, "arith.fptosi %a : f16 to i32"},     // -inf
      {"f32", 0xbf800000, "arith.fptoui %a : f32 to i8"},  // -1
      {"i8", 8, "arith.shli %a, %a : i8"},                 // the width
      {"i16", 0x100, "arith.trunci %a overflow<nuw> : i16 to i8"}};
  for (const auto& [type, bits, line] : rows) {
    z3::context context;
    const ScalarBody body = BodyOf({type}, {absl::StrCat("%r = ", line)});
    const absl::StatusOr<BodyTerm> term = TermOf(body, {Constant(*SortOf(context, type), bits)});
    ASSERT_TRUE(term.ok()) << term.status();
    EXPECT_TRUE(term->poison.simplify().is_true()) << line;
  }
}

}  // namespace
}  // namespace tosaic
