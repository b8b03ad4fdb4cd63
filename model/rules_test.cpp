// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/rules.h"

#include <cctype>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(RulesTest, LabelsAreDistinctAndFoundAgain) {
  std::set<std::string> labels;
  for (const RuleInfo& rule : AllRules()) {
    EXPECT_TRUE(labels.insert(rule.label).second) << rule.label;
    EXPECT_EQ(Find<RuleId>(rule.label), rule.id) << rule.label;
    EXPECT_EQ(Name(rule.id), rule.label);
    EXPECT_EQ(&Info(rule.id), &rule);
  }
  EXPECT_GT(labels.size(), 179u);
  EXPECT_EQ(Find<RuleId>("bcast.verify"), std::nullopt);
}

TEST(RulesTest, NoRuleHasNoLabel) {
  EXPECT_EQ(Name(RuleId::kNone), "");
  EXPECT_EQ(Find<RuleId>(""), RuleId::kNone);
}

TEST(RulesTest, EveryRuleIsStatedAndHasItsDocument) {
  auto is_sentence = [](const std::string& text) {
    return text.size() > 10 && absl::EndsWith(text, ".") && !absl::StrContains(text, '|');
  };
  for (const RuleInfo& rule : AllRules()) {
    EXPECT_TRUE(is_sentence(rule.states)) << rule.label;
    EXPECT_TRUE(is_sentence(rule.broken)) << rule.label;
    EXPECT_FALSE(rule.document.empty()) << rule.label;
    EXPECT_FALSE(rule.section.empty()) << rule.label;
    EXPECT_TRUE(absl::StartsWith(rule.link, rule.is_ours() ? "docs/" : "https://")) << rule.label;
  }
}

TEST(RulesTest, EveryOpHasAValueRuleOfItsSection) {
  for (const OpInfo& op : AllOps()) {
    const RuleId rule = ValueRule(op.kind, op.kind == OpKind::kCast ? ValueCase::kToBool : ValueCase::kPlain);
    ASSERT_NE(rule, RuleId::kNone) << op.name;
    EXPECT_TRUE(absl::StartsWith(Name(rule), absl::StrCat("value.", op.name))) << op.name;
    EXPECT_EQ(Info(rule).section, op.section);
    EXPECT_TRUE(absl::StrContains(Info(rule).link, ".adoc#")) << op.name;
    EXPECT_EQ(ValueRule(op.kind, ValueCase::kBeyondSpec), RuleId::kBeyondSpec);
  }
  EXPECT_EQ(Name(ValueRule(OpKind::kAdd, ValueCase::kOverflow)), "value.add.overflow");
  EXPECT_EQ(ValueRule(OpKind::kAdd, ValueCase::kDomain), RuleId::kNone);
  EXPECT_EQ(Info(RuleId::kValueLogicalLeftShiftPlain).link,
            "https://github.com/arm/tosa-specification/blob/v1.0.2/chapters/ewise_binary.adoc#logical_left_shift");
  EXPECT_EQ(Info(RuleId::kValueCastToBlockScaled).link,
            "https://github.com/arm/tosa-specification/blob/cd5acdd/chapters/type_conversion.adoc#cast");
}

TEST(RulesTest, TwinsAreNamedAsTheirRules) {
  EXPECT_EQ(TwinName(RuleId::kMetamorphicAfterCse), "after-cse");
  EXPECT_EQ(FindTwinRule("after-cse"), RuleId::kMetamorphicAfterCse);
  EXPECT_EQ(FindTwinRule("flushing"), std::nullopt);
}

TEST(RulesTest, CitationsAreForPeopleElsewhere) {
  EXPECT_EQ(Citation(RuleId::kBcastVerifyRank, OpKind::kMul), "Traits: Broadcastable, Verification");
  EXPECT_EQ(Citation(RuleId::kValueMulPlain, OpKind::kMul),
            "TOSA specification 1.0, Elementwise binary operators: MUL");
  EXPECT_EQ(Citation(RuleId::kRunDeadline, OpKind::kMul), "MLIR and its code come to an end, whatever the input is");
}

// A rule of many ops is stated in the section of each, and its row names one.
TEST(RulesTest, ARuleOfManyOpsIsCitedFromTheSectionOfTheOp) {
  EXPECT_EQ(Citation(RuleId::kLegalResultShape, OpKind::kIdentity), "TOSA specification 1.0, Data nodes: IDENTITY");
  EXPECT_EQ(Citation(RuleId::kLegalResultShape, OpKind::kRescale), "TOSA specification 1.0, Type conversion: RESCALE");
  EXPECT_EQ(Citation(RuleId::kLegalZeroPoint, OpKind::kRescale), "TOSA specification 1.0, Type conversion: RESCALE");
  EXPECT_EQ(SourceFor(RuleId::kLegalZeroPoint, OpKind::kRescale).link,
            "https://github.com/arm/tosa-specification/blob/v1.0.2/chapters/type_conversion.adoc#rescale");
  EXPECT_EQ(SourceFor(RuleId::kLegalReshape, OpKind::kReshape).id, RuleId::kLegalReshape);
  EXPECT_EQ(SourceFor(RuleId::kLegalBlockScaled, OpKind::kReshape).id, RuleId::kLegalBlockScaled);
}

}  // namespace
}  // namespace tosaic
