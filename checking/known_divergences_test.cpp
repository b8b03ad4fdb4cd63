// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/known_divergences.h"

#include <fnmatch.h>

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/routes.h"
#include "tests/example_signatures.h"
#include "toolchain/toolchain.h"

namespace tosaic {
namespace {

const KnownDivergences::Entry* FindIn(const KnownDivergences& known, absl::string_view signature) {
  return known.Find(ParseFindingSignature(signature), {});
}

TEST(KnownDivergencesTest, FindsTheFirstEntryThatMatches) {
  const absl::StatusOr<KnownDivergences> known = KnownDivergences::FromText(R"({"known": [
    {"signature": "crash/add/f32", "reason": "exact", "since": "22.1"},
    {"signature": "crash/*", "reason": "any crash"},
    {"signature": "leak/*", "reason": "any leak"}]})");
  ASSERT_TRUE(known.ok()) << known.status();
  ASSERT_EQ(known->entries().size(), 3u);
  ASSERT_NE(FindIn(*known, "crash/add/f32"), nullptr);
  EXPECT_EQ(FindIn(*known, "crash/add/f32")->reason, "exact");
  EXPECT_EQ(FindIn(*known, "crash/add/f32/loops")->reason, "any crash");
  EXPECT_EQ(FindIn(*known, "crash/")->reason, "any crash");
  EXPECT_EQ(FindIn(*known, "crash"), nullptr);
  EXPECT_EQ(FindIn(*known, "wrong-value/add"), nullptr);
  EXPECT_EQ(FindIn(*known, ""), nullptr);
}

TEST(KnownDivergencesTest, AStarStandsForAnythingAnywhere) {
  const KnownDivergences known =
      KnownDivergences::FromText(R"({"known": [{"signature": "crash/*/loops/*signal-11", "reason": "x"}]})").value();
  EXPECT_NE(FindIn(known, "crash/mul/i8-i32/loops/run.signal/canonicalize/signal-11"), nullptr);
  EXPECT_NE(FindIn(known, "crash/add/loops/signal-11"), nullptr);
  EXPECT_EQ(FindIn(known, "crash/add/loops/signal-6"), nullptr);
  EXPECT_EQ(FindIn(known, "crash/add/vector/signal-11"), nullptr);
}

TEST(KnownDivergencesTest, ASignatureMatchesItselfWhateverItHolds) {
  const KnownDivergences known =
      KnownDivergences::FromText(
          R"({"known": [{"signature": "false-reject/add/expected [N] or (\\?", "reason": "x"}]})")
          .value();
  EXPECT_NE(FindIn(known, "false-reject/add/expected [N] or (\\?"), nullptr);
}

TEST(KnownDivergencesTest, AnEmptyListKnowsNothing) {
  const absl::StatusOr<KnownDivergences> known = KnownDivergences::FromText(R"({"known": []})");
  ASSERT_TRUE(known.ok()) << known.status();
  EXPECT_EQ(FindIn(*known, "crash/add"), nullptr);
  EXPECT_EQ(FindIn(KnownDivergences(), "crash/add"), nullptr);
}

TEST(KnownDivergencesTest, SaysWhatIsWrongAndWhere) {
  const std::pair<const char*, const char*> bad[] = {
      {"", "not a JSON document"},
      {"{\"known\": [", "not a JSON document"},
      {"[]", "an object with an array \"known\""},
      {"{\"known\": {}}", "an object with an array \"known\""},
      {"{\"known\": [1]}", "known[0]: an object is needed here"},
      {R"({"known": [{"signature": "a", "reason": "b"}, {"signature": "a"}]})",
       "known[1]: the key \"reason\" is missing"},
      {R"({"known": [{"signature": "", "reason": "b"}]})", "known[0].signature: a text or an object"},
      {R"({"known": [{"signature": {}, "reason": "b"}]})", "known[0].signature: it names no part"},
      {R"({"known": [{"signature": 7, "reason": "b"}]})", "known[0].signature: a string is needed"},
      {R"({"known": [{"signature": "a", "reason": ""}]})", "known[0].reason: it says nothing"},
      {R"({"known": [{"signature": "a", "reason": "b", "version": ["22"]}]})",
       "known[0]: the key \"version\" is none of"},
      {R"({"known": [{"signature": "a", "reason": "b", "versions": ["22-21"]}]})",
       "known[0].versions[0]: the range of versions 22-21 ends before it begins"},
      {R"({"known": [{"signature": "a", "reason": "b", "ops": []}]})", "known[0].ops: at least one is needed"},
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
  EXPECT_EQ(FindIn(*known, "a")->cause, "F1");
  EXPECT_EQ(FindIn(*known, "b")->cause, "b");
  EXPECT_FALSE(KnownDivergences::FromText(R"({"known": [{"signature": "a", "cause": 1, "reason": "r"}]})").ok());
}

TEST(KnownDivergencesTest, VersionsSayWhereAnEntryApplies) {
  const auto known = KnownDivergences::FromText(R"({"known": [
    {"signature": "a", "reason": "r"}, {"signature": "b", "reason": "r", "versions": ["19", "22.1"]}]})");
  ASSERT_TRUE(known.ok()) << known.status();
  for (const auto& [version, applies] : {std::pair("LLVM 22.1.8", true),
                                         {"LLVM 22.1", true},
                                         {"LLVM 22.10.0", false},
                                         {"LLVM 19.1.7", true},
                                         {"LLVM 2.1", false},
                                         {"LLVM 23.0.0", false}}) {
    EXPECT_EQ(known->For(version).entries().size(), applies ? 2u : 1u) << version;
  }
  for (const char* versions : {"22", "[]", "[22]", "[\"\"]", "[\"new\"]", "[\"22.\"]", "[\"22.1+\"]", "[\"+\"]"}) {
    const auto bad = KnownDivergences::FromText(
        absl::StrCat(R"({"known": [{"signature": "a", "reason": "r", "versions": )", versions, "}]}"));
    ASSERT_FALSE(bad.ok()) << versions;
    EXPECT_TRUE(absl::StrContains(bad.status().message(), "known[0].versions")) << bad.status();
  }
}

TEST(KnownDivergencesTest, CpusSayWhereAnEntryApplies) {
  const auto known = KnownDivergences::FromText(R"({"known": [
    {"signature": "a", "reason": "r"}, {"signature": "b", "reason": "r", "cpus": ["aarch64"]},
    {"signature": "c", "reason": "r", "cpus": ["host"]}]})");
  ASSERT_TRUE(known.ok()) << known.status();
  EXPECT_EQ(known->For("LLVM 22.1.8", "aarch64").entries().size(), 2u);
  EXPECT_EQ(known->For("LLVM 22.1.8", "riscv64").entries().size(), 1u);
  const KnownDivergences own = known->For("LLVM 22.1.8");
  ASSERT_EQ(own.entries().size(), 2u);
  EXPECT_EQ(own.entries()[1].signature, "c");
  const auto bad = KnownDivergences::FromText(R"({"known": [{"signature": "a", "reason": "r", "cpus": ["vax"]}]})");
  EXPECT_TRUE(absl::StrContains(bad.status().message(), "no CPU is called 'vax': host, aarch64, riscv64"))
      << bad.status();
}

TEST(KnownDivergencesTest, APlusIsForAllLaterVersions) {
  const auto known =
      KnownDivergences::FromText(R"({"known": [{"signature": "a", "reason": "r", "versions": ["16", "19+"]}]})");
  ASSERT_TRUE(known.ok()) << known.status();
  for (const auto& [version, applies] : {std::pair("LLVM 16.0.6", true),
                                         {"LLVM 18.1.8", false},
                                         {"LLVM 19.1.7", true},
                                         {"LLVM 22.1.8", true},
                                         {"LLVM 100.0.0git", true},
                                         {"LLVM 2.0", false}}) {
    EXPECT_EQ(known->For(version).entries().size(), applies ? 1u : 0u) << version;
  }
}

TEST(KnownDivergencesTest, TheListsOfTheCorpusAreReadable) {
  for (const char* list : {"known-divergences", "known-divergences-validate"}) {
    const auto known = KnownDivergences::FromFile(absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/", list, ".json"));
    ASSERT_TRUE(known.ok()) << known.status();
    EXPECT_FALSE(known->entries().empty()) << list;
  }
}

// Entries with a pattern for the whole signature match by fnmatch or equality, as in versions before fields.
TEST(KnownDivergencesTest, APatternForAWholeTextMatchesWhatItAlwaysDid) {
  int matches = 0;
  for (const char* list : {"known-divergences", "known-divergences-validate"}) {
    const auto known = KnownDivergences::FromFile(absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/", list, ".json"));
    ASSERT_TRUE(known.ok()) << known.status();
    for (const char* text : kExampleSignatures) {
      for (const KnownDivergences::Entry& entry : known->entries()) {
        if (!entry.ops.empty() || !entry.types.empty() || !entry.shapes.empty() || !entry.passes.empty()) continue;
        const bool matched = entry.signature == text || fnmatch(entry.signature.c_str(), text, 0) == 0;
        EXPECT_EQ(entry.Matches(ParseFindingSignature(text), {}), matched) << entry.signature << " " << text;
        matches += matched ? 1 : 0;
      }
    }
  }
  EXPECT_GT(matches, 40);
}

TEST(KnownDivergencesTest, AnEntryMayHaveAPatternForEachPart) {
  const auto known = KnownDivergences::FromText(R"({"known": [
    {"signature": {"op": "mul", "rule": "value.mul", "detail": "zero-for-*"}, "cause": "F5", "reason": "folded"},
    {"signature": {"verdict": "crash", "types": "beyond-spec"}, "reason": "no such type"}]})");
  ASSERT_TRUE(known.ok()) << known.status();
  ASSERT_NE(FindIn(*known, "wrong-value/mul/f16/loops/value.mul/zero-for-nan"), nullptr);
  EXPECT_EQ(FindIn(*known, "wrong-value/mul/f16/loops/value.mul/zero-for-nan")->cause, "F5");
  EXPECT_EQ(FindIn(*known, "wrong-value/mul/f16/loops/value.mul/number-for-nan"), nullptr);
  EXPECT_EQ(FindIn(*known, "wrong-value/add/f16/loops/value.mul/zero-for-nan"), nullptr);
  const KnownDivergences::Entry* crash = FindIn(*known, "crash/add/beyond-spec/loops/run.signal/cse/signal-11");
  ASSERT_NE(crash, nullptr);
  EXPECT_EQ(crash->cause, "crash/*/beyond-spec/*/*/*/*");
  EXPECT_TRUE(crash->MayBeShownBy("add", "f64", "loops"));
  EXPECT_FALSE(known->entries()[0].MayBeShownBy("add", "f16", "loops"));
  for (const char* parts : {R"({"opp": "mul"})", R"({"op": 1})"}) {
    const auto bad =
        KnownDivergences::FromText(absl::StrCat(R"({"known": [{"signature": )", parts, R"(, "reason": "r"}]})"));
    ASSERT_FALSE(bad.ok()) << parts;
    EXPECT_TRUE(absl::StrContains(bad.status().message(), "known[0].signature")) << bad.status();
  }
}

// The entry, if it matches.
const KnownDivergences::Entry* FindIn(const char* entry, const char* signature, const Circumstances& circumstances) {
  static KnownDivergences known;
  known = KnownDivergences::FromText(absl::StrCat(R"({"known": [)", entry, "]}")).value();
  return known.Find(ParseFindingSignature(signature), circumstances);
}

// A summary shows one reason of a cause, whichever entry matched first.
TEST(KnownDivergencesTest, EachReasonStandsByItself) {
  for (const char* list : {"known-divergences", "known-divergences-validate"}) {
    const auto known = KnownDivergences::FromFile(absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/", list, ".json"));
    ASSERT_TRUE(known.ok()) << known.status();
    for (const KnownDivergences::Entry& entry : known->entries()) {
      for (const char* of_another : {"the same", "and ", "so is ", "so are ", "nor ", "other "}) {
        EXPECT_FALSE(absl::StartsWith(entry.reason, of_another)) << entry.cause << ": " << entry.reason;
      }
    }
  }
}

TEST(KnownDivergencesTest, AnEntryMayAskForOpsAndAPass) {
  const char* folded = R"x({"signature": "lowering-failed/*", "ops": ["negate(negate(*", "abs(x)"], "reason": "r"})x";
  const char* signature = "lowering-failed/several-ops/loops/lower.legal-ir/cse/type";
  EXPECT_NE(FindIn(folded, signature, {.ops = {"negate(x)", "negate(negate(x))"}}), nullptr);
  EXPECT_NE(FindIn(folded, signature, {.ops = {"abs(x)", "ceil(abs(x))"}}), nullptr);
  EXPECT_EQ(FindIn(folded, signature, {.ops = {"abs(y)", "abs(abs(x))"}}), nullptr);
  EXPECT_EQ(FindIn(folded, "crash/abs/run.signal", {.ops = {"abs(x)"}}), nullptr);
  EXPECT_EQ(FindIn(folded, signature, {}), nullptr) << "nobody knows";
  const char* by_types = R"({"signature": "wrong-value/*", "types": ["i48-*", "*-i48"], "reason": "r"})";
  EXPECT_NE(FindIn(by_types, "wrong-value/cast/beyond-spec/loops/extension.cast", {.types = {"f32", "i48-bf16"}}),
            nullptr);
  EXPECT_EQ(FindIn(by_types, "wrong-value/cast/beyond-spec/loops/extension.cast", {.types = {"i64-bf16"}}), nullptr);
  EXPECT_EQ(FindIn(by_types, "wrong-value/cast/beyond-spec/loops/extension.cast", {}), nullptr);
  const char* by_pass = R"({"signature": "wrong-value/*", "passes": ["canonicalize"], "reason": "r"})";
  EXPECT_NE(FindIn(by_pass, "wrong-value/abs/f32/upstream/value.abs", {.passes = {"canonicalize", "cse"}}), nullptr);
  EXPECT_EQ(FindIn(by_pass, "wrong-value/abs/f32/upstream/value.abs", {.passes = {"cse"}}), nullptr);
  const char* by_shapes = R"({"signature": "crash/*", "shapes": ["unranked"], "reason": "r"})";
  EXPECT_NE(FindIn(by_shapes, "crash/abs/run.signal", {.shapes = {"rank-0", "unranked"}}), nullptr);
  EXPECT_EQ(FindIn(by_shapes, "crash/abs/run.signal", {.shapes = {"rank-0", "static-equal"}}), nullptr);
  for (const char* bad : {R"("ops": "a")", R"("ops": [])", R"("ops": [1])", R"("passes": "cse")", R"("types": [])",
                          R"("cases": "x")", R"("shapes": ["ranked"])"}) {
    const auto read =
        KnownDivergences::FromText(absl::StrCat(R"({"known": [{"signature": "a", "reason": "r", )", bad, "}]}"));
    EXPECT_FALSE(read.ok()) << bad;
  }
}

class WithAllRoutes : public Toolchain {
 public:
  WithAllRoutes() : Toolchain(Description(), {}) {}
  Observation Observe(const Case&) override { return {}; }

 private:
  static ToolchainDescription Description() {
    ToolchainDescription description{.name = "none", .version = "22"};
    description.custom_like = "math-expanded";
    for (const Route& route : AllRoutes()) description.routes.push_back(&route);
    return description;
  }
};

TEST(KnownDivergencesTest, WhatIsKnownOfARouteIsKnownOfASequenceWithItsPasses) {
  const absl::StatusOr<KnownDivergences> known = KnownDivergences::FromText(
      R"({"known": [{"signature": "wrong-value/ceil/f32/math-expanded/value.ceil", "reason": "r"}]})");
  ASSERT_TRUE(known.ok());
  const FindingSignature found = ParseFindingSignature("wrong-value/ceil/f32/sequence/value.ceil/number-for-zero");
  const WithAllRoutes toolchain;
  Case test_case;
  test_case.route = "sequence(tosa:cse,scalars:math-expand-ops)";
  EXPECT_NE(known->Find(found, &test_case, toolchain), nullptr);
  test_case.route = "sequence(tosa:cse)";
  EXPECT_EQ(known->Find(found, &test_case, toolchain), nullptr);
}

TEST(KnownDivergencesTest, WhatIsKnownOfARouteIsKnownOfTheSameRouteEdited) {
  const FindingSignature found = ParseFindingSignature("wrong-value/ceil/f32/custom/value.ceil/number-for-zero");
  Case test_case;
  test_case.route = std::string(kCustomRoute);
  for (const bool is_like : {true, false}) {
    const absl::StatusOr<KnownDivergences> known =
        KnownDivergences::FromText(absl::StrCat(R"({"known": [{"signature": "wrong-value/ceil/f32/)",
                                                is_like ? "math-expanded" : "fused", R"(/*", "reason": "r"}]})"));
    ASSERT_TRUE(known.ok());
    EXPECT_EQ(known->Find(found, &test_case, WithAllRoutes()) != nullptr, is_like);
  }
}

// Lists of others name findings as they were called when the list was written.
TEST(KnownDivergencesTest, OldNamesAreRead) {
  const auto finds = [](const char* listed, const char* found) {
    const std::string entry = absl::StrCat(R"({"signature": ")", listed, R"(", "reason": "r"})");
    return FindIn(entry.c_str(), found, {}) != nullptr;
  };
  const char* number = "wrong-value/add/i32/loops/value.add/number-for-number";
  EXPECT_TRUE(finds("wrong-value/add/i32/loops/value.add/zero-for-number", number));
  EXPECT_TRUE(finds("wrong-value/add/i32/loops/value.add/number-for-zero", number));
  EXPECT_TRUE(finds(number, number));
  EXPECT_FALSE(finds("wrong-value/add/i32/loops/value.add/zero-for-nan", number));
  EXPECT_FALSE(finds("wrong-value/add/i32/loops/value.add/zero-for-number",
                     "wrong-value/add/i32/loops/value.add/zero-for-zero"));
  const char* several = "wrong-shape/several-ops/loops/runtime.broadcast/clamp(add(x, 0))";
  EXPECT_TRUE(finds("wrong-shape/several-ops/loops/runtime.broadcast", several));
  EXPECT_TRUE(finds("wrong-shape/several-ops/*/runtime.broadcast", several));
  EXPECT_TRUE(finds(several, several));
  EXPECT_FALSE(finds(several, "wrong-shape/several-ops/loops/runtime.broadcast/abs(abs(x))"));
}

TEST(KnownDivergencesTest, MayShowGoesByOpTypesAndRoute) {
  const auto may_show = [](const char* signature, const char* op, const char* types, const char* route) {
    const std::string list = absl::StrCat(R"({"known": [{"signature": ")", signature, R"(", "reason": "r"}]})");
    return KnownDivergences::FromText(list).value().entries().front().MayBeShownBy(op, types, route);
  };
  EXPECT_TRUE(may_show("wrong-value/mul/*/value.mul/zero-for-nan", "mul", "f16", "loops"));
  EXPECT_FALSE(may_show("wrong-value/mul/*/value.mul/zero-for-nan", "add", "f16", "loops"));
  EXPECT_TRUE(may_show("wrong-value/cast/i32-bf16/*/value.cast*", "cast", "i32-bf16", "loops"));
  EXPECT_FALSE(may_show("wrong-value/cast/i32-bf16/*/value.cast*", "cast", "i32-f32", "loops"));
  EXPECT_FALSE(may_show("wrong-value/negate/i8/*", "negate", "i16", "loops"));
  EXPECT_FALSE(may_show("contract-violation/*/contract/x", "add", "i8", "loops"));
  EXPECT_TRUE(may_show("contract-violation/*/contract/x", "add", "i8", "contract"));
  EXPECT_TRUE(may_show("lowering-failed/several-ops/*", "several-ops", "", "fused"));
  EXPECT_FALSE(may_show("lowering-failed/several-ops/*", "add", "f32", "fused"));
  EXPECT_FALSE(may_show("false-accept/broadcastable/*", "add", "f32", "loops"));
}

}  // namespace
}  // namespace tosaic
