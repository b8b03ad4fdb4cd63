// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tosaic sweep --values` as a user runs it, over the real MLIR.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

TEST(E2eSweepValues, AllOfF16AgreesAndIsProfiled) {
  TemporaryDirectory directory;
  const std::string out = directory / "profile.json";
  const Ran ran = RunTosaic({"sweep", "--values", "--ops=rsqrt,negate", "--types=f16", absl::StrCat("--out=", out)});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "2 sweeps (2 exhaustive, 1 without any error), route loops: 131072 inputs"))
      << ran.out;
  const Json json = ParseJson(Slurp(out)).value();
  EXPECT_TRUE(absl::StrContains(json["provenance"]["command_line"].get<std::string>(), "--ops=rsqrt"));
  ASSERT_EQ(json["sweeps"].size(), 2u);
  for (const Json& sweep : json["sweeps"]) {
    EXPECT_EQ(sweep["compared"], 65536) << sweep;
    EXPECT_EQ(sweep["disagreements"], 0) << sweep;
    const double used = sweep["max_bound_used"].is_null() ? 0 : sweep["max_bound_used"]["value"].get<double>();
    EXPECT_LE(used, 1) << sweep;
    if (sweep["op"] == "rsqrt") EXPECT_GT(used, 0) << sweep;
  }
}

TEST(E2eSweepValues, ADisagreementIsNewUnlessItIsKnown) {
  const std::vector<std::string> arguments = {"sweep", "--values", "--ops=cast", "--types=i32", "--inputs=1"};
  std::vector<std::string> without_list = arguments;
  without_list.push_back("--known=none");
  const Ran unknown = RunTosaic(without_list);
  EXPECT_EQ(unknown.status, 1) << unknown.out;
  EXPECT_TRUE(absl::StrContains(unknown.out, "new    wrong-value/cast/i32-bf16/loops/")) << unknown.out;
  std::vector<std::string> with_list = arguments;
  with_list.push_back(kKnownFlag);
  const Ran known = RunTosaic(with_list);
  EXPECT_EQ(known.status, 0) << known.out;
  EXPECT_TRUE(absl::StrContains(known.out, "known  wrong-value/cast/i32-bf16/loops/")) << known.out;
}

// Two of the 1024 programs of all inputs of an f32, by shards that are put together, which is what a sweep that goes on
// does too.
TEST(E2eSweepValues, AllInputsByShards) {
  TemporaryDirectory directory;
  const std::string one = directory / "one", two = directory / "two", out = directory / "all.json";
  const std::vector<std::string> all = {"sweep", "--values", "--all", "--ops=reciprocal", "--types=f32"};
  const auto run = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), all.begin(), all.end());
    return RunTosaic(flags);
  };
  const std::string of_one = directory / "one.json";
  const Ran first = run({"--shard=255/1024", absl::StrCat("--work=", one), absl::StrCat("--out=", of_one)});
  EXPECT_EQ(first.status, 0);
  EXPECT_TRUE(absl::StrContains(first.out, "1023 programs left to other shards")) << first.out;
  const Ran compared = RunTosaic({"compare", of_one, of_one});
  EXPECT_EQ(compared.status, 2);
  EXPECT_TRUE(absl::StrContains(compared.err, "one.json: it is of one shard alone")) << compared.err;
  const Ran both = run(
      {"--shard=256/1024", absl::StrCat("--work=", two), absl::StrCat("--take=", one), absl::StrCat("--out=", out)});
  EXPECT_EQ(both.status, 0) << both.out << both.err;
  EXPECT_TRUE(absl::StrContains(both.out, "1 sweep (0 exhaustive, 0 without any error), route loops: 8388608 inputs"))
      << both.out;
  const Json row = ParseJson(Slurp(out)).value()["sweeps"][0];
  EXPECT_EQ(row["compared"], 8388608);
  EXPECT_EQ(row["disagreements"], 0);
  EXPECT_NEAR(row["max_error_ulp"]["value"].get<double>(), 0.5, 1e-3);
  EXPECT_EQ(row["curve"].size(), 2u);
  const Ran again = run({"--shard=256/1024", absl::StrCat("--work=", two), "--spec-version=1.0.0"});
  EXPECT_EQ(again.status, 2) << again.err;
  EXPECT_TRUE(absl::StrContains(again.err, "it holds another sweep (")) << again.err;
}

TEST(E2eSweepValues, AllOfBf16ByTheSameFlag) {
  const Ran ran = RunTosaic({"sweep", "--values", "--all", "--ops=exp,select", "--types=bf16"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "1 sweep (1 exhaustive, 0 without any error), route loops: 65536 inputs"))
      << ran.out;
}

TEST(E2eSweepValues, CompareSaysWhatChangesInTheValues) {
  TemporaryDirectory directory;
  const std::string base = directory / "base.json", patch = directory / "patch.json";
  const std::vector<std::string> all = {"sweep", "--values", "--all", "--ops=tanh", "--types=f16", kKnownFlag};
  const auto run = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), all.begin(), all.end());
    return RunTosaic(flags);
  };
  ASSERT_EQ(run({absl::StrCat("--out=", base)}).status, 0);
  ASSERT_LE(run({absl::StrCat("--out=", patch), "--route=math-expanded"}).status, 1);
  const Ran same = RunTosaic({"compare", base, base});
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_EQ(same.out, "1 sweep compared, 0 changed, 0 regressed\n");
  const Ran changed = RunTosaic({"compare", base, patch});
  EXPECT_EQ(changed.status, 1) << changed.err;
  EXPECT_TRUE(absl::StrContains(changed.out,
                                "regressed tanh f16: worst error 0.5 -> 2048.0 ulp at 0x0800, 0 -> 1 wrong "
                                "input; now tanh f16: 1 wrong input, 0x8000\n"))
      << changed.out;
  EXPECT_EQ(RunTosaic({"compare", base, patch, "--format=html"}).status, 2);
}

TEST(E2eSweepValues, WrongUseIsSaidInOneLine) {
  struct Row {
    std::vector<std::string> flags;
    const char* part;
  };
  for (const Row& row :
       std::vector<Row>{{{"--ops=moon"}, "unknown op 'moon'"},
                        {{"--types=f31"}, "unknown element type 'f31'"},
                        {{"--ops=clz", "--types=f32"}, "no sweep of values of the ops asked for with inputs of f32"},
                        {{"--inputs=0"}, "--inputs"},
                        {{"--all", "--inputs=5"}, "--inputs"},
                        {{"--ops=abs", "--types=f32,i4"}, "no sweep of values of the ops asked for with inputs of i4"},
                        {{"--all", "--ops=bitwise_and"}, "no sweep of values of the ops asked for\n"},
                        {{"--all", "--shard=0/2"}, "--shard=0/2: it must be I/N"},
                        {{"--all", "--ops=abs", "--take=/moon"}, "/moon"},
                        {{"--known=/moon"}, "/moon"},
                        {{"--ops=clz", "--out=/moon/x.json"}, "/moon/x.json"}}) {
    std::vector<std::string> arguments = {"sweep", "--values"};
    arguments.insert(arguments.end(), row.flags.begin(), row.flags.end());
    const Ran ran = RunTosaic(arguments);
    EXPECT_EQ(ran.status, 2) << row.part;
    EXPECT_EQ(ran.out, "") << row.part;
    EXPECT_TRUE(absl::StrContains(ran.err, row.part)) << ran.err;
  }
}

}  // namespace
}  // namespace tosaic
