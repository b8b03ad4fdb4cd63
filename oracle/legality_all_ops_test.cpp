// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legality of every op of the catalogue: what all ops share. A test's name contains the label it is about, with '.'
// and '-' written '_'.
#include "oracle/legality_testing.h"

namespace tosaic {
namespace {

using E = ElementType;

bool Broadcasts(const OpInfo& op) { return op.result_shape == ResultShape::kBroadcast; }

// The rule by which an op's plain case is accepted; `of_trait` is that of ops with the Broadcastable trait.
RuleId AcceptanceOf(const OpInfo& op, RuleId of_trait) {
  if (HasNewShape(op)) return RuleId::kLegalReshape;
  return Broadcasts(op) ? of_trait : RuleId::kLegalResultShape;
}

TEST(AllOpsTest, PlainStaticCaseOfEverySpecTupleIsAccepted) {
  ForEverySpecTuple([](const OpInfo& op, const TypeTuple& tuple) {
    for (const char* shape : {"", "1", "2x3", "2x3x1x4", "1x2x1x2x1x2"}) {
      const Legality legality = Judge(PlainProgram(op, tuple.input, tuple.result, shape, shape));
      ExpectDecision(legality, Answer::kAccept, AcceptanceOf(op, RuleId::kBcastVerifyEqual), shape);
      EXPECT_FALSE(legality.beyond_spec);
      EXPECT_EQ(TensorType({*legality.inferred, E::kF32}),
                *ParseTensorType(absl::StrCat("tensor<", shape, *shape ? "x" : "", "f32>")));
    }
  });
}

struct ShapesRow {
  const char *operands, *result;
  Answer answer;
  RuleId rule;
};

TEST(AllOpsTest, BroadcastableAppliesToEveryOpOfTheRfc) {
  using Row = ShapesRow;
  constexpr Row kRows[] = {
      {"?x?", "?x?", Answer::kAccept, RuleId::kBcastVerifyDynDyn},
      {"?x3", "2x3", Answer::kAccept, RuleId::kBcastVerifyDynStatic},
      {"2x3", "2x?", Answer::kAccept, RuleId::kBcastVerifyStaticDyn},
      {"2x3", "*", Answer::kAccept, RuleId::kBcastVerifyUnrankedResult},
      {"*", "2x3", Answer::kAccept, RuleId::kBcastVerifyUnrankedOperands},
      {"1x3", "2x3", Answer::kRefuse, RuleId::kBcastVerifyDifferent},
      {"2x3", "2x1", Answer::kRefuse, RuleId::kBcastVerifyDifferent},
      {"2x3", "1x2x3", Answer::kRefuse, RuleId::kLegalRank},
      {"2x3", "3", Answer::kRefuse, RuleId::kLegalRank},
      {"2x0", "2x0", Answer::kRefuse, RuleId::kLegalDimension},
      {"2x?", "2x0", Answer::kRefuse, RuleId::kLegalDimension},
  };
  ForEverySpecTuple([&](const OpInfo& op, const TypeTuple& tuple) {
    for (const Row& row : kRows) {
      if (!Broadcasts(op)) continue;
      const Legality legality = Judge(PlainProgram(op, tuple.input, tuple.result, row.operands, row.result));
      ExpectDecision(legality, row.answer, row.rule, absl::StrCat(row.operands, " -> ", row.result));
    }
  });
}

TEST(AllOpsTest, legal_result_shape) {
  constexpr RuleId kRule = RuleId::kLegalResultShape;
  constexpr ShapesRow kRows[] = {
      {"?x?", "?x?", Answer::kAccept, kRule},   {"?x3", "2x3", Answer::kEither, kRule},
      {"?x3", "2x4", Answer::kRefuse, kRule},   {"2x3", "2x?", Answer::kAccept, kRule},
      {"2x3", "*", Answer::kAccept, kRule},     {"*", "2x3", Answer::kAccept, kRule},
      {"1x3", "2x3", Answer::kRefuse, kRule},   {"2x3", "2x1", Answer::kRefuse, kRule},
      {"2x3", "1x2x3", Answer::kRefuse, kRule}, {"2x3", "3", Answer::kRefuse, kRule},
      {"2x3", "", Answer::kRefuse, kRule},      {"2x0", "2x0", Answer::kRefuse, RuleId::kLegalDimension},
  };
  ForEverySpecTuple([&](const OpInfo& op, const TypeTuple& tuple) {
    for (const ShapesRow& row : kRows) {
      if (op.result_shape != ResultShape::kInput) continue;
      const Legality legality = Judge(PlainProgram(op, tuple.input, tuple.result, row.operands, row.result));
      ExpectDecision(legality, row.answer, row.rule, absl::StrCat(row.operands, " -> ", row.result));
    }
  });
}

TEST(AllOpsTest, OperandsBroadcastInEveryPosition) {
  ForEverySpecTuple([](const OpInfo& op, const TypeTuple& tuple) {
    for (size_t i = 0; Broadcasts(op) && i < BroadcastOperandCount(op); ++i) {
      Program program = PlainProgram(op, tuple.input, tuple.result, "2x3", "2x3");
      const bool alone = BroadcastOperandCount(op) == 1;
      program.arguments[i].shape = Shape({Dim::Static(1), Dim::Static(3)});
      ExpectDecision(Judge(program), alone ? Answer::kRefuse : Answer::kAccept,
                     alone ? RuleId::kBcastVerifyDifferent : RuleId::kBcastVerifyEqual, "1x3");
      program.arguments[i].shape = Shape({Dim::Static(4), Dim::Static(3)});
      ExpectRefused(Judge(program), alone ? RuleId::kBcastVerifyDifferent : RuleId::kBcastInferConflict, "4x3");
      program.arguments[i].shape = Shape({Dim::Static(3)});
      ExpectRefused(Judge(program), RuleId::kLegalRank, "3");
      program.arguments[i].shape = Shape::Unranked();
      EXPECT_EQ(Judge(program).answer, Answer::kAccept) << "unranked";
    }
  });
}

TEST(AllOpsTest, legal_element_type_IsTheDialectsColumn) {
  for (const OpInfo& op : AllOps()) {
    for (const ElementTypeInfo& input : AllElementTypes()) {
      for (const ElementTypeInfo& result : AllElementTypes()) {
        const Legality legality = Judge(PlainProgram(op, input.type, result.type, "2x3", "2x3"));
        const std::string about = absl::StrCat(op.name, " ", input.name, " -> ", result.name);
        if (!DialectAccepts(op, input.type, result.type)) {
          ExpectRefused(legality, RuleId::kLegalElementType, about);
          EXPECT_FALSE(legality.beyond_spec) << about;
        } else {
          ExpectDecision(legality, Answer::kAccept, AcceptanceOf(op, RuleId::kBcastVerifyEqual), about);
          EXPECT_EQ(legality.beyond_spec, FindSpecTuple(op, input.type, result.type) == nullptr) << about;
        }
      }
    }
  }
}

TEST(AllOpsTest, legal_element_type_OfEveryOperand) {
  ForEverySpecTuple([](const OpInfo& op, const TypeTuple& tuple) {
    for (size_t i = 0; i < op.operands.size(); ++i) {
      Program program = PlainProgram(op, tuple.input, tuple.result, "2x3", "2x3");
      const ValueRef operand = program.ops[0].operands[i];
      // No op has f64 or si32 in the specification; a single input of f64 may be fine for the dialect.
      const bool is_table = op.operands[i] == OperandRole::kTable;
      if (operand.kind == ValueRef::Kind::kConstant) {
        program.constants[operand.index] = Tensor(E::kSi32, program.constants[operand.index].sizes());
      } else {
        program.arguments[operand.index].element_type = E::kSi32;
      }
      ExpectDecision(Judge(program), is_table ? Answer::kEither : Answer::kRefuse,
                     i < BroadcastOperandCount(op) ? RuleId::kLegalElementType : RuleId::kLegalSpecialOperandType,
                     absl::StrCat("operand ", i));
    }
  });
}

TEST(AllOpsTest, legal_attribute_missing) {
  size_t with_mandatory = 0;
  ForEverySpecTuple([&](const OpInfo& op, const TypeTuple& tuple) {
    Program program = PlainProgram(op, tuple.input, tuple.result, "2x3", "2x3");
    const std::optional<std::vector<int64_t>> new_shape = program.ops[0].attributes.new_shape;  // well-formed with it
    program.ops[0].attributes = {.new_shape = new_shape};
    const bool mandatory = HasAttribute(op, Attribute::kMinVal) || HasAttribute(op, Attribute::kRound) ||
                           HasAttribute(op, Attribute::kScale32);
    with_mandatory += mandatory;
    ExpectDecision(Judge(program), mandatory ? Answer::kRefuse : Answer::kAccept,
                   mandatory ? RuleId::kLegalAttributeMissing : AcceptanceOf(op, RuleId::kBcastVerifyEqual),
                   "no attributes");
  });
  EXPECT_GT(with_mandatory, 0u);
}

}  // namespace
}  // namespace tosaic
