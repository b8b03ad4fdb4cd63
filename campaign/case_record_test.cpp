// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/case_record.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "oracle/explain.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

CaseRecord Full() {
  CaseRecord record;
  record.number = 12345678901234567890u;
  record.verdict = Verdict::kWrongValue;
  record.op = OpKind::kCast;
  record.types = {ElementType::kF32, ElementType::kI8};
  record.shapes = ShapeClass::kDynamicStatic;
  record.route = "loops";
  record.twin = "after-cse";
  record.category = "rank";
  record.patterns = {"lower-add"};
  record.rule.id = RuleId::kValueCastToBool;
  record.signature = {.verdict = Verdict::kWrongValue, .op = "cast", .rule = "\"quoted\"\n", .detail = "\xff"};
  record.beyond_spec = true;
  record.of_twin = true;
  record.runs = 8;
  record.compared = 1000;
  record.masked = 17;
  record.judged = {{.computed = "cast", .types = "f32-i8", .elements = 1017}};
  record.judged[0].widths.Add(0);
  record.notes = {"infer.less-precise", "infer.less-precise"};
  record.first_preceding = 12;
  return record;
}

TEST(CaseRecordTest, ALineReadsBackAsItself) {
  const std::string line = ToLine(Full());
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const absl::StatusOr<CaseRecord> record = FromText<CaseRecord>(line);
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(ToLine(*record), line);
  EXPECT_EQ(record->number, 12345678901234567890u);
  EXPECT_EQ(record->verdict, Verdict::kWrongValue);
  EXPECT_TRUE(record->beyond_spec);
  EXPECT_TRUE(record->of_twin);
  EXPECT_EQ(record->notes.size(), 2u);
  EXPECT_EQ(record->judged, Full().judged);
  EXPECT_EQ(record->op, OpKind::kCast);
  EXPECT_EQ(record->types, Full().types);
  EXPECT_EQ(record->shapes, ShapeClass::kDynamicStatic);
  EXPECT_EQ(record->twin, "after-cse");
  EXPECT_EQ(record->category, "rank");
  EXPECT_EQ(record->patterns, (std::vector<std::string>{"lower-add"}));
  EXPECT_EQ(record->first_preceding, 12u);
  // Invalid UTF-8 is replaced, never fatal.
  EXPECT_TRUE(absl::StartsWith(ToString(record->signature), "wrong-value/cast/\"quoted\"\n/"));
}

TEST(CaseRecordTest, EveryPrefixOfALineIsRefused) {
  const std::string line = ToLine(Full());
  for (size_t size = 0; size < line.size(); ++size) {
    EXPECT_FALSE(FromText<CaseRecord>(absl::string_view(line).substr(0, size)).ok()) << size;
  }
}

// Whatever byte changes, the line is refused or says what it said.
TEST(CaseRecordTest, AChangedByteOfAJournalLineIsSeen) {
  const std::string line = JournalLine(Full()), content = ToLine(Full());
  ASSERT_TRUE(RecordIn(line).ok()) << RecordIn(line).status();
  EXPECT_EQ(ToLine(*RecordIn(line)), content);
  size_t refused = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = line;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      const absl::StatusOr<CaseRecord> record = RecordIn(changed);
      EXPECT_EQ(CheckJournalLine(changed).ok(), record.ok()) << changed;
      if (record.ok()) EXPECT_EQ(ToLine(*record), content) << changed;
      if (!record.ok()) ++refused;
    }
  }
  EXPECT_GT(refused, 8 * (line.size() - 8)) << "but where the key 'sum' itself gets another name";
}

TEST(CaseRecordTest, ALineOfAnEarlierTosaicHasNoChecksum) {
  EXPECT_EQ(ToLine(*RecordIn(ToLine(Full()))), ToLine(Full()));
  const std::string elsewhere = absl::StrReplaceAll(ToLine(Full()), {{"{\"case\"", "{\"sum\":\"00000000\",\"case\""}});
  EXPECT_FALSE(RecordIn(elsewhere).ok());
  EXPECT_FALSE(RecordIn("").ok());
  EXPECT_FALSE(RecordIn(",\"sum\":\"00000000\"}").ok());
}

TEST(CaseRecordTest, RefusesWrongTypesAndMissingKeys) {
  const std::string line = ToLine(Full());
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"runs\":8", "\"runs\":-8"},
                                                        {"\"runs\":8", "\"runs\":\"8\""},
                                                        {"\"runs\":8", "\"walks\":8"},
                                                        {"\"wrong-value\"", "\"wrong-valve\""},
                                                        {"\"beyond_spec\":true", "\"beyond_spec\":1"},
                                                        {"\"of_twin\":true", "\"of_twin\":null"},
                                                        {"\"notes\":[\"", "\"notes\":[1,\""},
                                                        {"\"patterns\":[\"", "\"patterns\":[1,\""},
                                                        {"\"twin\":\"", "\"twin\":0,\"x\":\""},
                                                        {"\"op\":\"cast\"", "\"op\":null"},
                                                        {"\"op\":\"cast\"", "\"op\":\"moon\""},
                                                        {"\"types\":\"f32-i8\"", "\"types\":\"f32-\""},
                                                        {"\"dynamic-static\"", "\"round\""}}) {
    const std::string changed = absl::StrReplaceAll(line, {{from, to}});
    ASSERT_NE(changed, line) << from;
    EXPECT_FALSE(FromText<CaseRecord>(changed).ok()) << changed;
  }
  for (const char* other : {"", "[]", "null", "7", "{}", "{\"tosaic_campaign\":1,\"seed\":1}"}) {
    EXPECT_FALSE(FromText<CaseRecord>(other).ok()) << other;
  }
}

TEST(CaseRecordTest, RecordsTheCaseAndItsJudgement) {
  Case test_case;
  test_case.program = ParseSignature("cast(tensor<1xf32>) -> tensor<1xi8>").value();
  test_case.route = "loops";
  CheckedCase checked;
  checked.observation.runs.resize(3);
  checked.judgement.verdict = Verdict::kLeak;
  checked.judgement.rule = RuleId::kRunLeak;
  checked.signature = ParseFindingSignature("leak/cast/f32-i8/loops/run.leak");
  const CaseRecord leak = RecordOf(7, test_case, checked);
  EXPECT_EQ(leak.number, 7u);
  EXPECT_EQ(leak.op, OpKind::kCast);
  EXPECT_EQ(ToString(leak.types), "f32-i8");
  EXPECT_EQ(leak.shapes, ShapeClass::kStaticEqual);
  EXPECT_EQ(leak.route, "loops");
  EXPECT_EQ(leak.runs, 3u);
  EXPECT_EQ(leak.signature, checked.signature);
  EXPECT_FALSE(leak.of_twin);
  checked.twin = test_case;
  checked.twin->route = "canonicalized";
  EXPECT_TRUE(RecordOf(7, test_case, checked).of_twin);
  EXPECT_EQ(RecordOf(7, test_case, checked).route, "canonicalized");
}

TEST(CaseRecordTest, KnowsWhatSomebodyKilled) {
  Case test_case;
  test_case.program = ParseSignature("abs(tensor<1xf32>) -> tensor<1xf32>").value();
  for (const std::string& why : {KilledFromOutside(9), std::string("cannot fork")}) {
    CheckedCase checked;
    checked.observation.outcome = Outcome::kToolFailure;
    checked.observation.diagnostics = {why};
    checked.judgement.verdict = Verdict::kHarnessFault;
    const CaseRecord record = RecordOf(7, test_case, checked);
    EXPECT_EQ(IsKilled(record), why != "cannot fork") << why;
    EXPECT_EQ(IsKilled(FromText<CaseRecord>(ToLine(record)).value()), IsKilled(record));
  }
}

}  // namespace
}  // namespace tosaic
