// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/counting.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

CaseRecord RecordOfTypes(const char* op, const char* types, const char* signature = "") {
  CaseRecord record;
  record.op = FindOp(op).value();
  record.types = FindTypePair(types).value();
  record.route = "loops";
  record.runs = 8;
  record.signature = ParseFindingSignature(signature);
  record.verdict = record.signature.verdict.value_or(Verdict::kAgree);
  return record;
}

std::vector<const CaseRecord*> Pointers(const std::vector<CaseRecord>& records) {
  std::vector<const CaseRecord*> pointers;
  for (const CaseRecord& record : records) pointers.push_back(&record);
  return pointers;
}

TEST(CountingTest, CountsCasesRunsVerdictsAndNotes) {
  CaseRecord noted = RecordOfTypes("add", "f32");
  noted.notes = {"infer.less-precise", "infer.less-precise"};
  CaseRecord fault = RecordOfTypes("mul", "i8-i32");
  fault.verdict = Verdict::kHarnessFault;
  fault.number = 7;
  fault.rule.fault = "harness.what";
  CampaignSummary summary;
  std::vector<JudgedElements> chains;
  Count(Pointers({noted, RecordOfTypes("add", "i32"), fault}), &summary, &chains);
  EXPECT_EQ(summary.cases, 3u);
  EXPECT_EQ(summary.runs, 24u);
  EXPECT_EQ(summary.verdicts[Verdict::kAgree], 2u);
  EXPECT_EQ(summary.by_op["add"].types["f32"], 1u);
  EXPECT_EQ(summary.notes["infer.less-precise"], 1u) << "cases, not notes";
  ASSERT_EQ(summary.harness_faults.size(), 1u);
  EXPECT_EQ(summary.harness_faults[0].text, "harness.what");
}

JudgedElements Judged(const char* computed, const char* types, uint64_t elements, uint64_t width) {
  JudgedElements judged = {.computed = computed, .types = types, .elements = elements};
  judged.widths.Add(width);
  return judged;
}

TEST(CountingTest, AddsUpWhatWasComparedByWhatComputedIt) {
  CaseRecord one = RecordOfTypes("exp", "f32"), other = RecordOfTypes("exp", "f16");
  one.judged = {Judged("exp", "f32", 4, 2), Judged("negate(exp)", "f32", 8, 4)};
  other.judged = {Judged("exp", "f16", 1, 2), Judged("negate(exp)", "f16", 2, 16)};
  CampaignSummary summary, turned;
  std::vector<JudgedElements> chains, turned_chains;
  Count(Pointers({one, other, one}), &summary, &chains);
  Count(Pointers({other, one, one}), &turned, &turned_chains);
  ASSERT_EQ(summary.judged_ops.size(), 2u) << "ops by their types";
  EXPECT_EQ(summary.judged_ops[1].elements, 8u);
  EXPECT_EQ(summary.judged_ops[1].compared(), 2u);
  ASSERT_EQ(chains.size(), 1u) << "chains over all types";
  EXPECT_EQ(chains[0].elements, 18u);
  EXPECT_EQ(chains[0].widths.Median(), 4u);
  EXPECT_EQ(summary.judged_ops, turned.judged_ops);
  EXPECT_EQ(chains, turned_chains);
}

TEST(CountingTest, ASummaryHasABoundedNumberOfChains) {
  CaseRecord record = RecordOfTypes("exp", "f32");
  for (int i = 0; i < 300; ++i) AddTo(&record.judged, Judged(absl::StrCat("abs(op", i, ")").c_str(), "f32", 7, 0));
  CampaignSummary summary;
  std::vector<JudgedElements> chains;
  Count(Pointers({record}), &summary, &chains);
  EXPECT_EQ(chains.size(), 300u);
  const std::vector<JudgedElements> largest = LargestChains(chains);
  EXPECT_LE(largest.size(), 101u);
  EXPECT_EQ(largest.back().computed, "others");
  EXPECT_EQ(SumOf(largest, "all").elements, 2100u);
}

TEST(CountingTest, EntriesOfOneCauseAreUnseenTogether) {
  const KnownDivergences known = KnownDivergences::FromText(R"({"known": [
    {"signature": "leak/add/*", "cause": "F1", "reason": "r"}, {"signature": "crash/add/*", "cause": "F1", "reason": "r"},
    {"signature": "leak/mul/*", "cause": "F2", "reason": "r"}, {"signature": "leak/abs/*", "reason": "r"}]})")
                                     .value();
  const std::vector<CaseRecord> records = {RecordOfTypes("add", "f32"), RecordOfTypes("mul", "i32"),
                                           RecordOfTypes("mul", "i32"),
                                           RecordOfTypes("add", "f32", "crash/add/f32/loops/run.signal")};
  const auto no_case = [](const std::string&) { return false; };
  EXPECT_EQ(UnseenKnown(KindsOf(Pointers(records)), known, 2, {"F1"}, no_case),
            (std::vector<std::string>{"leak/mul/*"}));
  EXPECT_TRUE(UnseenKnown(KindsOf(Pointers(records)), known, 3, {"F1"}, no_case).empty());
  EXPECT_EQ(UnseenKnown(KindsOf(Pointers(records)), known, 2, {}, no_case),
            (std::vector<std::string>{"leak/add/*", "crash/add/*", "leak/mul/*"}));
  CaseRecord unsupported = RecordOfTypes("mul", "i32");
  unsupported.verdict = Verdict::kUnsupported;
  EXPECT_TRUE(UnseenKnown(KindsOf(Pointers({unsupported, unsupported})), known, 2, {}, no_case).empty());
}

TEST(CountingTest, WhatAKeptCaseStillShowsIsNotUnseen) {
  const KnownDivergences known = KnownDivergences::FromText(R"({"known": [
    {"signature": "leak/add/*", "cause": "F1", "reason": "r"}, {"signature": "crash/add/*", "cause": "F1", "reason": "r"},
    {"signature": "leak/mul/*", "cause": "F2", "reason": "r"}, {"signature": "leak/abs/*", "reason": "r"}]})")
                                     .value();
  const std::vector<CaseRecord> records = {RecordOfTypes("add", "f32"), RecordOfTypes("mul", "i32")};
  std::vector<std::string> asked;
  const auto still_shows = [&](const std::string& cause) {
    asked.push_back(cause);
    return cause == "F1";
  };
  EXPECT_EQ(UnseenKnown(KindsOf(Pointers(records)), known, 1, {}, still_shows),
            (std::vector<std::string>{"leak/mul/*"}));
  EXPECT_EQ(asked, (std::vector<std::string>{"F1", "F2"})) << "once each, and only of what might have been seen";
}

TEST(CountingTest, SupportIsUnusedThatNoCaseNeeded) {
  const std::vector<std::string> all = UnusedSupport(Dialect::k22, {});
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(UnusedSupport(Dialect::k22, {{all[0], 1}}).size(), all.size() - 1);
}

}  // namespace
}  // namespace tosaic
