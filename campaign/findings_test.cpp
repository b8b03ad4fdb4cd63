#include "campaign/findings.h"

#include "gtest/gtest.h"

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

std::vector<Finding> Of(const std::vector<CaseRecord>& records) {
  std::vector<const CaseRecord*> pointers;
  for (const CaseRecord& record : records) pointers.push_back(&record);
  return FindingsOf(pointers, [](const CaseRecord& record) {
    Case test_case;
    test_case.route = record.route;
    test_case.twin = "after-cse";
    return test_case;
  });
}

TEST(FindingsTest, OnePerSignatureShownByItsFirstCase) {
  const std::vector<Finding> findings =
      Of({Record(1, ""), Record(4, "leak/add/i32/loops/run.leak"), Record(5, "crash/abs/run.signal"),
          Record(9, "leak/add/i32/loops/run.leak")});
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].signature, "crash/abs/run.signal");
  EXPECT_EQ(findings[1].case_number, 4u);
  EXPECT_EQ(findings[1].count, 2u);
  EXPECT_EQ(findings[1].judgement.verdict, Verdict::kLeak);
  EXPECT_EQ(findings[1].original.twin, "") << "the twin shows nothing of it";
  EXPECT_EQ(findings[1].reduced, findings[1].original);
}

TEST(FindingsTest, WhatDiffersFromATwinKeepsIt) {
  CaseRecord record = Record(1, "wrong-value/several-ops/loops/metamorphic.after-cse/number-for-number");
  record.rule = "metamorphic.after-cse";
  EXPECT_EQ(Of({record}).front().original.twin, "after-cse");
}

TEST(FindingsTest, ThoseThatShowTheSameOnceReducedAreOne) {
  Finding finding;
  finding.signature = "leak/add/i32/loops/run.leak";
  finding.count = 2;
  finding.case_number = 4;
  Finding same = finding;
  same.case_number = 7;
  Finding other;
  other.signature = "crash/abs/run.signal";
  const KnownDivergences known =
      KnownDivergences::FromText(R"({"known": [{"signature": "leak/*", "cause": "F1", "reason": "r"}]})").value();
  const std::vector<Finding> named = Named({finding, same, other}, known);
  ASSERT_EQ(named.size(), 2u);
  EXPECT_EQ(named[0].cause, "crash/abs/run.signal");
  EXPECT_EQ(named[0].known_reason, "");
  EXPECT_EQ(named[1].cause, "F1");
  EXPECT_EQ(named[1].known_reason, "r");
  EXPECT_EQ(named[1].count, 4u);
  EXPECT_EQ(named[1].case_number, 4u);
}

}  // namespace
}  // namespace tosaic
