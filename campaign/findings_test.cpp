// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/findings.h"

#include "absl/strings/str_cat.h"
#include "campaign/finding_group.h"
#include "gtest/gtest.h"
#include "tests/fake_toolchain.h"

namespace tosaic {
namespace {

CaseRecord Record(uint64_t number, const char* signature) {
  CaseRecord record;
  record.number = number;
  record.signature = ParseFindingSignature(signature);
  record.verdict = record.signature.verdict.value_or(Verdict::kAgree);
  record.route = "loops";
  return record;
}

// The op of the cases with odd numbers is abs, of the others ceil.
std::vector<Finding> FindingsOf(const std::vector<CaseRecord>& records, const KnownDivergences& known = {}) {
  std::vector<const CaseRecord*> pointers;
  for (const CaseRecord& record : records) pointers.push_back(&record);
  const auto judged_case = [](const CaseRecord& record) {
    Case test_case;
    const TensorType type{Shape({Dim::Static(1)}), ElementType::kI32};
    test_case.program.arguments = {type};
    test_case.program.ops = {
        {record.number % 2 == 1 ? OpKind::kAbs : OpKind::kCeil, {{ValueRef::Kind::kArgument, 0}}, {}, type}};
    test_case.route = record.route;
    test_case.twin = "after-cse";
    return test_case;
  };
  return FindingsOf(pointers, judged_case, known, AdderToolchain());
}

TEST(FindingsTest, OnePerSignatureShownByItsFirstCase) {
  const std::vector<Finding> findings =
      FindingsOf({Record(1, ""), Record(4, "leak/add/i32/loops/run.leak"), Record(5, "crash/abs/run.signal"),
                  Record(9, "leak/add/i32/loops/run.leak")});
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(ToString(findings[0].signature), "crash/abs/run.signal");
  EXPECT_EQ(findings[1].cases().case_number, 4u);
  EXPECT_EQ(findings[1].count, 2u);
  EXPECT_EQ(findings[1].judgement.verdict, Verdict::kLeak);
  EXPECT_EQ(findings[1].cases().original.twin, "") << "the twin shows nothing of it";
  EXPECT_EQ(findings[1].cases().reduced, findings[1].cases().original);
}

// The first of them may reduce to a known cause, which would hide the others.
TEST(FindingsTest, WhereAnyOfSeveralOpsMayBeToBlameOtherOpsAreAnotherFinding) {
  constexpr char kAny[] = "crash/several-ops/loops/run.signal/tosa-to-linalg/signal-11";
  std::vector<Finding> findings = FindingsOf({Record(1, kAny), Record(2, kAny), Record(3, kAny)});
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].cases().case_numbers, (std::vector<uint64_t>{1, 3}));
  EXPECT_EQ(findings[1].cases().case_numbers, std::vector<uint64_t>{2});
  const std::vector<FindingGroup> groups = GroupsOf(findings);
  EXPECT_EQ(groups[0].key, absl::StrCat(kAny, " in abs"));
  EXPECT_EQ(groups[1].key, absl::StrCat(kAny, " in ceil"));
  findings = UnitedBySignature(Named(std::move(findings), {}, AdderToolchain()));
  ASSERT_EQ(findings.size(), 1u) << "unless reducing tells them apart";
  EXPECT_EQ(findings[0].count, 3u);
}

TEST(FindingsTest, WhatDiffersFromATwinKeepsIt) {
  CaseRecord record = Record(1, "wrong-value/several-ops/loops/metamorphic.after-cse/number-for-number");
  record.rule.id = RuleId::kMetamorphicAfterCse;
  EXPECT_EQ(FindingsOf({record}).front().cases().original.twin, "after-cse");
  record = Record(1, "wrong-value/several-ops/loops/value.flushing");
  record.rule.id = RuleId::kValueFlushing;
  EXPECT_EQ(FindingsOf({record}).front().cases().original.twin, "after-cse") << "one flushes, the other does not";
}

TEST(FindingsTest, AKnownCauseHidesNoOtherOfTheSameSignature) {
  const KnownDivergences known =
      KnownDivergences::FromText(
          R"({"known": [{"signature": "crash/*", "cause": "F1", "ops": ["abs(*"], "reason": "r"}]})")
          .value();
  const char* crash = "crash/several-ops/loops/run.signal/cse/signal-11";
  std::vector<Finding> findings =
      FindingsOf({Record(1, crash), Record(2, crash), Record(3, crash), Record(4, crash)}, known);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].cases().case_numbers, (std::vector<uint64_t>{2, 4}));
  EXPECT_EQ(findings[1].cases().case_numbers, (std::vector<uint64_t>{1, 3}));
  const std::vector<Finding> named = UnitedBySignature(Named(findings, known, AdderToolchain()));
  ASSERT_EQ(named.size(), 2u) << "what is known hides nothing, and is hidden by nothing";
  EXPECT_EQ(named[0].cause, "F1");
  EXPECT_EQ(named[0].cases().case_number, 1u);
  EXPECT_TRUE(IsNew(named[1]));
  EXPECT_EQ(named[1].cases().case_number, 2u);
  EXPECT_EQ(named[1].count, 2u);
}

TEST(FindingsTest, WhatTheBaseHasRightIsOfNoKnownCause) {
  KnownDivergences known =
      KnownDivergences::FromText(R"({"known": [{"signature": "crash/*", "cause": "F1", "reason": "r"}]})").value();
  // As a user's copy may have it, or another Tosaic's list.
  const KnownDivergences of_mlir =
      KnownDivergences::FromText(R"({"known": [{"signature": "crash/abs/*", "cause": "F1", "reason": "r."}]})").value();
  known.NoteThoseOfMlir(of_mlir);
  constexpr char kCrash[] = "crash/abs/f32/loops/run.signal/cse/signal-11";
  CaseRecord of_patch = Record(2, kCrash);
  of_patch.base_agrees = true;
  const std::vector<Finding> findings = FindingsOf({Record(1, kCrash), of_patch}, known);
  ASSERT_EQ(findings.size(), 2u);
  const std::vector<FindingGroup> groups = GroupsOf(findings);
  EXPECT_NE(groups[0].key, groups[1].key);
  const std::vector<Finding> named = UnitedBySignature(Named(findings, known, AdderToolchain()));
  ASSERT_EQ(named.size(), 2u);
  EXPECT_EQ(named[0].known_reason, "r");
  EXPECT_EQ(named[1].known_reason, "");
  EXPECT_TRUE(named[1].cases().base_agrees);
}

TEST(FindingsTest, ThoseThatShowTheSameOnceReducedAreOne) {
  Finding finding;
  finding.signature = ParseFindingSignature("leak/add/i32/loops/run.leak");
  finding.count = 2;
  finding.cases().case_number = 4;
  Finding same = finding;
  same.cases().case_number = 7;
  Finding other;
  other.signature = ParseFindingSignature("crash/abs/run.signal");
  const KnownDivergences known =
      KnownDivergences::FromText(R"({"known": [{"signature": "leak/*", "cause": "F1", "reason": "r"}]})").value();
  const std::vector<Finding> named = UnitedBySignature(Named({finding, same, other}, known, AdderToolchain()));
  ASSERT_EQ(named.size(), 2u);
  EXPECT_EQ(named[0].cause, "crash/abs/run.signal");
  EXPECT_EQ(named[0].known_reason, "");
  EXPECT_EQ(named[1].cause, "F1");
  EXPECT_EQ(named[1].known_reason, "r");
  EXPECT_EQ(named[1].count, 4u);
  EXPECT_EQ(named[1].cases().case_number, 4u);
}

}  // namespace
}  // namespace tosaic
