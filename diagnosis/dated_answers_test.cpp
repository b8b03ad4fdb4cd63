// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/dated_answers.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "diagnosis/history_testing.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

// A letter per build: 'r'ight, 'w'rong, un'd'efined, '?'. Of what was asked, the letters, else '.'.
std::string Asked(absl::string_view builds, std::vector<size_t> between) {
  std::string asked;
  const auto answers = AskWhereItChanges(builds.size(), between, [&](size_t build) { return AnswerOf(builds[build]); });
  for (size_t i = 0; i < answers.size(); ++i) asked += answers[i] ? builds[i] : '.';
  return asked;
}

// The same letters, in upper case where the build's day is only the latest that it can be of; '-' has no words for it.
std::string SpanOf(absl::string_view builds) {
  std::vector<DatedAnswer> answers;
  for (const char letter : builds) {
    const char answer = absl::ascii_tolower(static_cast<unsigned char>(letter));
    answers.push_back({std::string(1, static_cast<char>('A' + answers.size())), AnswerOf(letter == '-' ? '?' : answer),
                       answer != letter, letter == '-'});
  }
  return DatedSpan(answers);
}

TEST(DatedAnswers, AsksEndsAndMiddleOfWhatIsAlike) {
  EXPECT_EQ(Asked("", {}), "");
  EXPECT_EQ(Asked("w", {0}), "w");
  EXPECT_EQ(Asked("wwwwwwww", {5}), "w....w.w");
  EXPECT_EQ(Asked("rrrrrrrr", {0}), "r......r");
}

TEST(DatedAnswers, NarrowsEachChangeToNeighbours) {
  EXPECT_EQ(Asked("rrrrrwww", {}), "r..rrw.w");
  EXPECT_EQ(Asked("rrrwwrrr", {4}), "r.rwwr.r") << "what is wrong for a time alone is found in between";
  EXPECT_EQ(Asked("wwrrrwwwr", {3, 6}), "wwrrrwwwr");
  for (size_t change = 1; change < 16; ++change) {
    const std::string asked = Asked(std::string(change, 'w') + std::string(16 - change, 'r'), {8});
    EXPECT_EQ(asked[change - 1], 'w') << asked;
    EXPECT_EQ(asked[change], 'r') << asked;
    EXPECT_LE(16 - std::count(asked.begin(), asked.end(), '.'), 7) << asked;
  }
}

TEST(DatedAnswers, StepsOverBuildsThatCannotTell) {
  EXPECT_EQ(Asked("????", {2}), "????");
  EXPECT_EQ(Asked("??w??", {1}), "??w??");
  EXPECT_EQ(Asked("r??????w", {4}), "r??????w")
      << "all of them are asked before the interval is called as wide as this";
  EXPECT_EQ(Asked("rd?w", {1}), "rd?w");
  EXPECT_EQ(Asked("wwwwdddd", {}), "w..wdd.d") << "what is undefined is not wrong, and tells";
  EXPECT_EQ(Asked("rrrrdddd", {}), "r......d");
}

TEST(DatedAnswers, SaysSinceWhenAndUntilWhen) {
  EXPECT_EQ(SpanOf("wwrr"), "wrong since A or before; fixed between B and C");
  EXPECT_EQ(SpanOf("r?ww"), "a regression between A and C; still wrong on D");
  EXPECT_EQ(SpanOf("rwwr"), "a regression between A and B; fixed between C and D");
  EXPECT_EQ(SpanOf("ww"), "wrong on each build that was asked and can tell (A to B)");
  EXPECT_EQ(SpanOf("rr?"), "wrong on no dated build that was asked (B is the newest that can tell)");
  EXPECT_EQ(SpanOf("wWRr"), "wrong since A or before; fixed between A and C")
      << "a build that is wrong and may be older says nothing of its day, and one that is right does";
  EXPECT_EQ(SpanOf("rWwRr"), "a regression between A and B; fixed between C and D");
  EXPECT_EQ(SpanOf("?d"), "wrong on no dated build that was asked (B is the newest that can tell)");
  EXPECT_EQ(SpanOf("w?dd"), "wrong since A or before; no longer wrong but undefined since a day between A and C")
      << "it was called wrong as long as there are builds";
  EXPECT_EQ(SpanOf("rdw"), "undefined until it became wrong between B and C; still wrong on C");
  EXPECT_EQ(SpanOf("??"), "no dated build can tell");
  EXPECT_EQ(SpanOf(""), "no dated build can tell");
}

// What no build could say before was called wrong "or before", as if it were a bug that is older than the builds.
TEST(DatedAnswers, SaysThatWordsCame) {
  EXPECT_EQ(SpanOf("--wwrr"), "wrong since its words came to the dialect, between B and C; fixed between D and E");
  EXPECT_EQ(SpanOf("-?w"), "wrong on each build that was asked and can tell (C to C); A has no words for it");
  EXPECT_EQ(SpanOf("-rw"), "a regression between B and C; still wrong on C");
  EXPECT_EQ(SpanOf("w-r"), "wrong since A or before; fixed between A and C");
}

TEST(DatedAnswers, ProbableDuplicatesHaveOneIntervalAndOneCulprit) {
  const std::vector<PlacedCase> cases = {{"a", "f"}, {"a", "g"}, {"b", "f"}, {"a", "f"}, {"a", ""},
                                         {"a", ""},  {"", "f"},  {"", "f"},  {"b", "f"}};
  EXPECT_EQ(ProbableDuplicates(cases), (std::vector<std::vector<size_t>>{{0, 3}, {2, 8}}));
  EXPECT_TRUE(ProbableDuplicates({}).empty());
}

}  // namespace
}  // namespace tosaic
