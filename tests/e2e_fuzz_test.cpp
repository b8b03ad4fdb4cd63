// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Campaigns of the real tosaic on the real MLIR.
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "model/op_catalogue.h"
#include "model/routes.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Fuzz(const std::string& out, std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"fuzz", "--seed=1", absl::StrCat("--out=", out)});
  return flags;
}

// A mix that is rich in divergences whose cause is understood, and that do not depend on memory: illegal cases and
// element types beyond the specification.
std::vector<std::string> RichCampaign(const std::string& out, int jobs) {
  return Fuzz(out, {"--cases=150", "--ops=mul,cast,abs", "--illegal-percent=30", "--beyond-spec-percent=30",
                    absl::StrCat("--jobs=", jobs)});
}

Json Summary(const std::string& out) {
  absl::StatusOr<Json> json = ParseJson(Slurp(out + "/summary.json"));
  EXPECT_TRUE(json.ok()) << json.status();
  Json summary = json.ok() ? *json : Json::object();
  // So that a failure is no access to what is not there.
  for (const char* key : {"verdicts", "by_op", "provenance"}) summary.emplace(key, Json::object());
  for (const char* key : {"findings", "harness_faults", "unseen_known"}) summary.emplace(key, Json::array());
  for (const char* key : {"cases", "new_findings"}) summary.emplace(key, uint64_t{0});
  return summary;
}

Json Timeless(Json summary) {
  for (const char* key : {"elapsed_seconds", "cases_per_second", "provenance"}) summary.erase(key);
  for (Json& fault : summary["harness_faults"]) fault.erase("preceding_cases_from");
  return summary;
}

// The journal's lines by case number, without what depends on the number of workers.
std::map<uint64_t, std::string> Journal(const std::string& out) {
  std::map<uint64_t, std::string> lines;
  std::string text = Slurp(out + "/journal.jsonl");
  // A line that is being written, or that a kill cut short, has no newline yet.
  text.resize(text.rfind('\n') + 1);
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    Json json = ParseJson(line).value();
    json.erase("first_preceding");
    json.erase("patterns");  // those new to its worker
    if (json.contains("case")) lines[json["case"].get<uint64_t>()] = Dump(json, -1);
  }
  return lines;
}

uint64_t Sum(const Json& counts) {
  uint64_t sum = 0;
  for (const auto& [key, count] : counts.items()) sum += count.get<uint64_t>();
  return sum;
}

void ExpectContract(const Json& summary, uint64_t cases) {
  for (const char* key :
       {"seed", "cases", "runs", "verdicts", "by_op", "findings", "elapsed_seconds", "cases_per_second"}) {
    ASSERT_TRUE(summary.contains(key)) << key;
  }
  EXPECT_GT(summary["provenance"]["other_pipelines"].size(), 10u);  // by default the routes are mixed
  ASSERT_EQ(summary["provenance"].size(), 7u);
  for (const char* key : {"command_line", "tosaic_revision", "toolchain", "toolchain_version", "pipeline", "runtime"}) {
    EXPECT_TRUE(summary["provenance"][key].is_string()) << key;
  }
  EXPECT_EQ(summary["cases"], cases);
  EXPECT_EQ(Sum(summary["verdicts"]), cases);
  Json verdicts = Json::object();
  uint64_t types = 0;
  for (const auto& [op, entry] : summary["by_op"].items()) {
    EXPECT_TRUE(FindOp(op).has_value()) << op;
    EXPECT_FALSE(absl::StartsWith(op, "tosa."));
    EXPECT_EQ(Sum(entry["types"]), Sum(entry["verdicts"])) << op;
    types += Sum(entry["types"]);
    for (const auto& [verdict, count] : entry["verdicts"].items()) {
      verdicts[verdict] = verdicts.value(verdict, uint64_t{0}) + count.get<uint64_t>();
    }
  }
  EXPECT_EQ(types, cases);
  for (const auto& [verdict, count] : summary["verdicts"].items()) EXPECT_EQ(verdicts[verdict], count) << verdict;
  std::map<std::string, uint64_t> divergent;
  for (const Json& finding : summary["findings"]) {
    divergent[finding["verdict"].get<std::string>()] += finding["count"].get<uint64_t>();
  }
  for (const auto& [verdict, count] : divergent) EXPECT_EQ(summary["verdicts"][verdict], count) << verdict;
}

TEST(E2eFuzz, LeavesAWorkDirectoryThatReplays) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out";
  const Ran ran = RunTosaic(RichCampaign(out, 2));
  const Json summary = Summary(out);
  ExpectContract(summary, 150);
  EXPECT_EQ(summary["seed"], 1);
  EXPECT_EQ(summary["interrupted"], false);
  EXPECT_TRUE(summary["harness_faults"].empty()) << summary["harness_faults"];
  EXPECT_GE(summary["findings"].size(), 2u);
  EXPECT_EQ(ran.status, summary["new_findings"] > 0 ? 1 : 0) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "150 cases, "));
  // Results go to standard output; here are the lines of progress, if it took long enough for some.
  for (absl::string_view line : absl::StrSplit(ran.err, '\n', absl::SkipEmpty())) {
    EXPECT_TRUE(absl::StrContains(line, "cases/s") || absl::StrContains(line, "replayed alone") ||
                absl::StrContains(line, "findings reduced") || absl::StrContains(line, "reproducers"))
        << line;
  }
  std::set<std::string> signatures;
  for (const Json& finding : summary["findings"]) {
    EXPECT_TRUE(signatures.insert(finding["signature"].get<std::string>()).second);
    for (const char* key : {"case", "reduced"}) {
      const std::string file = out + "/" + finding[key].get<std::string>();
      ASSERT_TRUE(fs::exists(file)) << file;
      const Ran check = RunTosaic({"check", "--json", file});
      const Json results = ParseJson(check.out).value();
      ASSERT_EQ(results.size(), 1u);
      EXPECT_EQ(results[0]["judgement"]["verdict"], finding["verdict"]) << file;
      // A finding is named by its reduced case, which may be another op's than the original.
      if (std::string(key) == "reduced") EXPECT_EQ(finding["signature"], results[0]["signature"]) << file;
      EXPECT_EQ(check.status, 1);
    }
    const std::string folder = fs::path(out + "/" + finding["reduced"].get<std::string>()).parent_path().string();
    for (const char* name :
         {"original.mlir", "reduced.mlir", "finding.json", "finding.txt", "repro.mlir", "repro.sh", "issue.md"}) {
      EXPECT_GT(fs::file_size(folder + "/" + name), 0u) << folder << " " << name;
    }
    EXPECT_EQ(Slurp(folder + "/case.json"), Slurp(folder + "/reduced.json"));
  }
}

TEST(E2eFuzz, IsTheSameEveryTimeWithAnyNumberOfWorkers) {
  TemporaryDirectory temporary;
  std::map<std::string, std::string> files;
  std::map<uint64_t, std::string> journal;
  Json summary;
  for (const int jobs : {2, 2, 1, 3}) {
    const std::string out = temporary / absl::StrCat("out", jobs);
    fs::remove_all(out);
    RunTosaic(RichCampaign(out, jobs));
    std::map<std::string, std::string> now = FilesBelow(out);
    now.erase("summary.json");
    now.erase("journal.jsonl");
    if (summary.is_null()) {
      files = now;
      journal = Journal(out);
      summary = Timeless(Summary(out));
    }
    EXPECT_EQ(now, files) << jobs;
    EXPECT_EQ(Journal(out), journal) << jobs;
    EXPECT_EQ(Timeless(Summary(out)), summary) << jobs;
  }
}

TEST(E2eFuzz, ShardsAreThePartsOfTheWhole) {
  TemporaryDirectory temporary;
  const std::vector<std::string> flags = {"--cases=60", "--no-reduce", "--jobs=2"};
  RunTosaic(Fuzz(temporary / "whole", flags));
  std::map<uint64_t, std::string> parts;
  for (const char* shard : {"--shard=1/2", "--shard=2/2"}) {
    std::vector<std::string> sharded = flags;
    sharded.push_back(shard);
    const std::string out = temporary / shard;
    fs::create_directories(out);
    RunTosaic(Fuzz(out, sharded));
    const std::map<uint64_t, std::string> part = Journal(out);
    EXPECT_EQ(part.size(), 30u);
    parts.insert(part.begin(), part.end());
  }
  EXPECT_EQ(parts, Journal(temporary / "whole"));
}

TEST(E2eFuzz, FewerCasesThanThereAreDropNothing) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out";
  RunTosaic(Fuzz(out, {"--cases=40", "--no-reduce"}));
  const std::map<std::string, std::string> files = FilesBelow(out);
  const Ran fewer = RunTosaic(Fuzz(out, {"--cases=20", "--no-reduce"}));
  EXPECT_EQ(fewer.status, 2);
  EXPECT_TRUE(absl::StrContains(fewer.err, "its journal has case 39, which --cases=20 leaves out")) << fewer.err;
  EXPECT_EQ(FilesBelow(out), files);
  EXPECT_LE(RunTosaic(Fuzz(out, {"--cases=41", "--no-reduce"})).status, 1);
}

TEST(E2eFuzz, AnInterruptEndsItCleanlyAndTheSameCommandGoesOn) {
  TemporaryDirectory temporary;
  const std::vector<std::string> flags = {"--cases=160", "--jobs=2", "--ops=mul,cast,add", "--illegal-percent=30"};
  const Ran whole = RunTosaic(Fuzz(temporary / "whole", flags));
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = temporary / absl::StrCat("signal", signal);
    const Ran interrupted = StoppedInTheMidst(Fuzz(out, flags), out, out + "/journal.jsonl", 21, signal);
    const Json summary = Summary(out);
    EXPECT_EQ(summary["interrupted"], true);
    EXPECT_EQ(summary["new_findings"], 0) << "what was not reduced may be known";
    EXPECT_LT(summary["cases"], 160);
    ExpectContract(summary, summary["cases"].get<uint64_t>());
    EXPECT_TRUE(absl::StrContains(interrupted.out, "(interrupted)"));

    const Ran resumed = RunTosaic(Fuzz(out, flags));
    EXPECT_EQ(resumed.status, whole.status);
    EXPECT_EQ(Journal(out), Journal(temporary / "whole"));
    EXPECT_EQ(Timeless(Summary(out)), Timeless(Summary(temporary / "whole")));
  }
}

TEST(E2eFuzz, AKilledCampaignLosesNothing) {
  TemporaryDirectory temporary;
  const std::vector<std::string> flags = {"--cases=300", "--jobs=2", "--no-reduce"};
  const std::string out = temporary / "out";
  StoppedInTheMidst(Fuzz(out, flags), out, out + "/journal.jsonl", 21, SIGKILL);
  const size_t kept = Journal(out).size();
  EXPECT_GE(kept, 20u);
  RunTosaic(Fuzz(out, flags));
  ExpectContract(Summary(out), 300);
}

TEST(E2eFuzz, KnownDivergencesMakeTheExitStatusZero) {
  TemporaryDirectory temporary;
  const std::vector<std::string> flags = {"--cases=60", "--ops=mul", "--illegal-percent=95", "--jobs=2"};
  const Ran by_default = RunTosaic(Fuzz(temporary / "default", flags));
  EXPECT_EQ(by_default.status, 0) << "it is in corpus/known-divergences.json: " << by_default.out;
  EXPECT_GE(Summary(temporary / "default")["findings"].size(), 1u);
  std::vector<std::string> none = flags;
  none.push_back("--known=none");
  const Ran without = RunTosaic(Fuzz(temporary / "without", none));
  EXPECT_EQ(without.status, 1) << without.err;
  EXPECT_GE(Summary(temporary / "without")["new_findings"], 1);
  Json known = Json{{"known", Json::array()}};
  const Json before = Summary(temporary / "without");
  for (const Json& finding : before["findings"]) {
    known["known"].push_back(Json{{"signature", finding["signature"]}, {"reason", "understood"}});
  }
  known["known"].push_back(Json{{"signature", "crash/never/*"}, {"reason", "gone"}});
  Spill(temporary / "known.json", Dump(known, 2));
  std::vector<std::string> with = flags;
  with.push_back(absl::StrCat("--known=", temporary / "known.json"));
  const Ran ran = RunTosaic(Fuzz(temporary / "with", with));
  EXPECT_EQ(ran.status, 0) << ran.out;
  const Json summary = Summary(temporary / "with");
  EXPECT_EQ(summary["new_findings"], 0);
  EXPECT_EQ(summary["unseen_known"], Json::array()) << "60 cases are too few to tell";
  for (const Json& finding : summary["findings"]) {
    EXPECT_EQ(finding["status"], "known");
    EXPECT_EQ(finding["reason"], "understood");
    const Ran check = RunTosaic({"check", absl::StrCat("--known=", temporary / "known.json"),
                                 (temporary / "with/") + finding["reduced"].get<std::string>()});
    EXPECT_EQ(check.status, 0) << check.out;
    EXPECT_TRUE(absl::StrContains(check.out, "(known)"));
  }
}

TEST(E2eFuzz, BeyondTheSpecificationDoesNotDecideTheExitStatus) {
  TemporaryDirectory temporary;
  const Ran ran = RunTosaic(
      Fuzz(temporary / "out", {"--cases=80", "--ops=cast", "--types=f8E4M3FN,f8E5M2", "--beyond-spec-percent=100",
                               "--illegal-percent=0", "--jobs=2", "--known=none"}));
  EXPECT_EQ(ran.status, 0) << ran.out;
  const Json summary = Summary(temporary / "out");
  EXPECT_GE(summary["findings"].size(), 1u);
  for (const Json& finding : summary["findings"]) EXPECT_EQ(finding["status"], "beyond-spec");
}

// The short campaign of CI: whatever it finds, the harness holds, and every op is really judged.
TEST(E2eFuzz, AShortCampaignOverEverything) {
  TemporaryDirectory temporary;
  const std::string known = absl::StrCat("--known=", TOSAIC_SOURCE_DIR, "/corpus/known-divergences.json");
  const Ran ran = RunTosaic(Fuzz(temporary / "out", {"--cases=1500", "--jobs=2", known}));
  EXPECT_EQ(ran.status, 0) << ran.out;
  const Json summary = Summary(temporary / "out");
  ExpectContract(summary, 1500);
  EXPECT_TRUE(summary["harness_faults"].empty()) << summary["harness_faults"];
  for (const OpInfo& op : AllOps()) {
    const std::string name(op.name);
    ASSERT_TRUE(summary["by_op"].contains(name)) << name;
    EXPECT_GT(summary["by_op"][name]["verdicts"].value("agree", 0), 0) << name;
    EXPECT_GT(summary["by_op"][name]["elements_compared"], 0) << name;
  }
}

// convert-math-to-funcs keeps what it made of a module, and calls it in the next, where it is not: it dies, or leaves a
// call of no function. That is no finding, for it is not so of any case alone, and no fault of the harness.
TEST(E2eFuzz, APassThatKeepsStateIsNewForEachCase) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out";
  const std::string pipeline = absl::StrReplaceAll(
      FindRoute("loops")->pipeline,
      {{"func.func(convert-linalg", "convert-math-to-funcs{convert-ctlz=true},func.func(convert-linalg"}});
  const Ran ran = RunTosaic(Fuzz(out, {"--cases=400", "--ops=clz,add,select", "--illegal-percent=0", "--jobs=2",
                                       "--beyond-spec-percent=0", "--no-reduce", "--pipeline=" + pipeline}));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  const Json summary = Summary(out);
  EXPECT_TRUE(summary["harness_faults"].empty()) << summary["harness_faults"];
  EXPECT_EQ(summary["not_reduced_findings"], 0) << ran.out;
  EXPECT_GT(summary["by_op"]["clz"]["verdicts"].value("agree", 0), 30) << summary["by_op"]["clz"];
}

// The library is there, and the stores are counted: what is not known of MLIR would be a divergence.
TEST(E2eFuzz, RoutesThatWatchARunAgree) {
  for (const std::string route : {"library-call", "counted"}) {
    TemporaryDirectory temporary;
    const std::string out = temporary / "out";
    const Ran ran = RunTosaic({"fuzz", "--seed=3", "--cases=150", "--route=" + route, "--out=" + out, "--no-reduce",
                               std::string("--known=") + TOSAIC_SOURCE_DIR "/corpus/known-divergences.json"});
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    const Json summary = Summary(out);
    EXPECT_TRUE(summary["harness_faults"].empty()) << summary["harness_faults"];
    EXPECT_GT(summary["verdicts"].value("agree", 0), 100);
    // Ops whose operands were exchanged or folded away show in the calls alone.
    EXPECT_EQ(summary["notes"].contains("contract.commuted"), route == "library-call") << summary["notes"];
  }
}

}  // namespace
}  // namespace tosaic
