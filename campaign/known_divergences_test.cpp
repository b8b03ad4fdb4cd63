#include "campaign/known_divergences.h"

#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(KnownDivergencesTest, FindsTheFirstEntryThatMatches) {
  const absl::StatusOr<KnownDivergences> known = KnownDivergences::FromText(R"({"known": [
    {"signature": "crash/add/f32", "reason": "exact", "since": "22.1"},
    {"signature": "crash/*", "reason": "any crash"},
    {"signature": "leak/*", "reason": "any leak"}]})");
  ASSERT_TRUE(known.ok()) << known.status();
  ASSERT_EQ(known->entries().size(), 3u);
  ASSERT_NE(known->Find("crash/add/f32"), nullptr);
  EXPECT_EQ(known->Find("crash/add/f32")->reason, "exact");
  EXPECT_EQ(known->Find("crash/add/f32/loops")->reason, "any crash");
  EXPECT_EQ(known->Find("crash/")->reason, "any crash");
  EXPECT_EQ(known->Find("crash"), nullptr);
  EXPECT_EQ(known->Find("wrong-value/add"), nullptr);
  EXPECT_EQ(known->Find(""), nullptr);
}

TEST(KnownDivergencesTest, AStarStandsForAnythingAnywhere) {
  const KnownDivergences known =
      KnownDivergences::FromText(R"({"known": [{"signature": "crash/*/loops/*signal-11", "reason": "x"}]})").value();
  EXPECT_NE(known.Find("crash/mul/i8-i32/loops/run.signal/canonicalize/signal-11"), nullptr);
  EXPECT_NE(known.Find("crash/add/loops/signal-11"), nullptr);
  EXPECT_EQ(known.Find("crash/add/loops/signal-6"), nullptr);
  EXPECT_EQ(known.Find("crash/add/vector/signal-11"), nullptr);
}

TEST(KnownDivergencesTest, ASignatureMatchesItselfWhateverItHolds) {
  const KnownDivergences known =
      KnownDivergences::FromText(
          R"({"known": [{"signature": "false-reject/add/expected [N] or (\\?", "reason": "x"}]})")
          .value();
  EXPECT_NE(known.Find("false-reject/add/expected [N] or (\\?"), nullptr);
}

TEST(KnownDivergencesTest, AnEmptyListKnowsNothing) {
  const absl::StatusOr<KnownDivergences> known = KnownDivergences::FromText(R"({"known": []})");
  ASSERT_TRUE(known.ok()) << known.status();
  EXPECT_EQ(known->Find("crash/add"), nullptr);
  EXPECT_EQ(KnownDivergences().Find("crash/add"), nullptr);
}

TEST(KnownDivergencesTest, SaysWhatIsWrongAndWhere) {
  const std::pair<const char*, const char*> bad[] = {
      {"", "not a JSON document"},
      {"{\"known\": [", "not a JSON document"},
      {"[]", "an object with an array \"known\""},
      {"{\"known\": {}}", "an object with an array \"known\""},
      {"{\"known\": [1]}", "known[0]: a text \"signature\""},
      {R"({"known": [{"signature": "a", "reason": "b"}, {"signature": "a"}]})", "known[1]: a text \"reason\""},
      {R"({"known": [{"signature": "", "reason": "b"}]})", "known[0]: a text \"signature\""},
      {R"({"known": [{"signature": 7, "reason": "b"}]})", "known[0]: a text \"signature\""},
      {R"({"known": [{"signature": "a", "reason": ""}]})", "known[0]: a text \"reason\""},
  };
  for (const auto& [text, message] : bad) {
    const absl::StatusOr<KnownDivergences> known = KnownDivergences::FromText(text);
    ASSERT_FALSE(known.ok()) << text;
    EXPECT_TRUE(absl::StrContains(known.status().message(), message)) << known.status();
  }
}

TEST(KnownDivergencesTest, RefusesDeepNesting) {
  const std::string deep = "{\"known\": " + std::string(100000, '[') + std::string(100000, ']') + "}";
  EXPECT_FALSE(KnownDivergences::FromText(deep).ok());
}

TEST(KnownDivergencesTest, AMissingFileIsNamed) {
  const absl::StatusOr<KnownDivergences> known = KnownDivergences::FromFile("/nowhere/known.json");
  ASSERT_FALSE(known.ok());
  EXPECT_TRUE(absl::StrContains(known.status().message(), "/nowhere/known.json"));
}

TEST(KnownDivergencesTest, AnEntryWithoutACauseIsOneOfItsOwn) {
  const auto known = KnownDivergences::FromText(
      R"({"known": [{"signature": "a", "cause": "F1", "reason": "r"}, {"signature": "b", "reason": "r"}]})");
  ASSERT_TRUE(known.ok()) << known.status();
  EXPECT_EQ(known->Find("a")->cause, "F1");
  EXPECT_EQ(known->Find("b")->cause, "b");
  EXPECT_FALSE(KnownDivergences::FromText(R"({"known": [{"signature": "a", "cause": 1, "reason": "r"}]})").ok());
}

}  // namespace
}  // namespace tosaic
