// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies of tables written by hand: proved for all tables, or refuted by a table that shows the mistake.
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "model/operand_roles.h"
#include "model/tensor.h"
#include "proving/body_terms.h"
#include "proving/decision.h"
#include "proving/questions.h"
#include "proving/terms.h"

namespace tosaic {
namespace {

// As MLIR prints the elements of the program's table.
std::string ElementsOf(const Program& program) {
  const std::vector<uint8_t>& bytes = AsConstant(program, program.ops[0].operands[1])->bytes();
  const std::string hex = absl::BytesToHexString(std::string(bytes.begin(), bytes.end()));
  return absl::StrCat("\"0x", absl::AsciiStrToUpper(hex), "\"");
}

Program TableOf(ElementType input) {
  const ProofTile tile = ProofTiles({OpKind::kTable}, {input}).at(0);
  EXPECT_EQ(tile.settings.size(), 1u);
  return tile.settings[0].program;
}

// A body of the lines, whose argument is %a and whose table is %t.
ScalarBody BodyWithTable(ElementType input, const std::vector<std::string>& lines) {
  const absl::StatusOr<ScalarBody> body = ReadScalarBody(
      absl::StrCat("#map = affine_map<() -> ()>\nfunc.func @main(%arg0: tensor<", Name(input), ">) -> tensor<i8> {\n",
                   "%t = arith.constant dense<", ElementsOf(TableOf(input)), "> : tensor<",
                   input == ElementType::kI8 ? "256xi8" : "513xi16", ">\n%1 = linalg.generic {indexing_maps = [#map]} ",
                   "ins(%arg0 : t) outs(%0 : t) {\n^bb0(%a: ", Name(input), ", %out: i1):\n",
                   absl::StrJoin(lines, "\n"), "\nlinalg.yield %r : x\n}\nreturn %1 : t\n}\n"));
  EXPECT_TRUE(body.ok()) << body.status();
  return body.ok() ? *body : ScalarBody();
}

Decision DecidedTable(ElementType input, const std::vector<std::string>& lines) {
  return DecideBody(TableOf(input), BodyWithTable(input, lines), 20'000);
}

TEST(Decision, ATableStandsForAllTables) {
  const auto decided = [](absl::string_view cast, int offset) {
    return DecidedTable(
        ElementType::kI8,
        {absl::StrCat("%i = ", cast, " %a : i8 to index"), absl::StrCat("%c = arith.constant ", offset, " : index"),
         "%j = arith.addi %i, %c : index", "%r = tensor.extract %t[%j] : tensor<256xi8>"});
  };
  const Decision right = decided("arith.index_cast", 128);
  EXPECT_EQ(right.verdict, ProofVerdict::kProved) << right.why;
  const Decision before = decided("arith.index_cast", 127), wide = decided("arith.index_castui", 128);
  EXPECT_EQ(before.verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(wide.verdict, ProofVerdict::kUnknown) << "no op that is understood";
}

TEST(BodyTerms, AnEntryBeyondATableIsUndefined) {
  const ScalarBody body = BodyWithTable(
      ElementType::kI8, {"%i = arith.index_cast %a : i8 to index", "%r = tensor.extract %t[%i] : tensor<256xi8>"});
  for (const auto& [bits, is_undefined] : {std::pair(127, false), std::pair(0xff, true)}) {
    z3::context context;
    const z3::sort element = SortOf(context, ElementType::kI8);
    const z3::expr table = z3::const_array(*SortOf(context, "index"), Constant(element, 5));
    const absl::StatusOr<BodyTerm> term = TermOf(body, {Constant(element, static_cast<uint64_t>(bits))},
                                                 {{ElementsOf(TableOf(ElementType::kI8)), table}});
    ASSERT_TRUE(term.ok()) << term.status();
    EXPECT_EQ(term->undefined.simplify().is_true(), is_undefined) << bits;
    EXPECT_EQ(BitsOf(term->value), 5u);
  }
  z3::context context;
  EXPECT_FALSE(TermOf(body, {Constant(SortOf(context, ElementType::kI8), 0)}).ok()) << "another table";
}

// The program's own table may not show the mistake: the solver's is put into it.
TEST(Decision, ARefutationHasTheTableThatShowsIt) {
  const auto decided = [](int mask, int next) {
    return DecidedTable(
        ElementType::kI16,
        {"%x = arith.extsi %a : i16 to i32", "%half = arith.constant 32768 : i32", "%p = arith.addi %x, %half : i32",
         "%seven = arith.constant 7 : i32", "%i = arith.shrui %p, %seven : i32",
         absl::StrCat("%mask = arith.constant ", mask, " : i32"), "%f = arith.andi %p, %mask : i32",
         absl::StrCat("%d = arith.constant ", next, " : i32"), "%j = arith.addi %i, %d : i32",
         "%k = arith.index_cast %i : i32 to index", "%l = arith.index_cast %j : i32 to index",
         "%b = tensor.extract %t[%k] : tensor<513xi16>", "%n = tensor.extract %t[%l] : tensor<513xi16>",
         "%y = arith.extsi %b : i16 to i32", "%z = arith.extsi %n : i16 to i32", "%s = arith.subi %z, %y : i32",
         "%m = arith.muli %s, %f : i32", "%w = arith.shli %y, %seven : i32", "%r = arith.addi %w, %m : i32"});
  };
  const Decision right = decided(127, 1);
  EXPECT_EQ(right.verdict, ProofVerdict::kProved) << right.why;
  const Decision beyond = decided(127, 2);
  EXPECT_EQ(beyond.verdict, ProofVerdict::kRefuted);
  const Decision wrong = decided(63, 1);
  ASSERT_EQ(wrong.verdict, ProofVerdict::kRefuted);
  const Tensor& table = *AsConstant(wrong.program, wrong.program.ops[0].operands[1]);
  const size_t first = LookupIn(ElementType::kI16).FirstFor(ElementType::kI16, wrong.inputs[0]);
  EXPECT_NE(table.Bits(first), table.Bits(first + 1));
  EXPECT_GE(wrong.inputs[0] & 127, 64u);
}

}  // namespace
}  // namespace tosaic
