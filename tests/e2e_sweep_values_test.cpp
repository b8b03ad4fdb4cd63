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

TEST(E2eSweepValues, WrongUseIsSaidInOneLine) {
  struct Row {
    std::vector<std::string> flags;
    const char* part;
  };
  for (const Row& row : std::vector<Row>{{{"--ops=moon"}, "unknown op 'moon'"},
                                         {{"--types=f31"}, "unknown element type 'f31'"},
                                         {{"--ops=clz", "--types=f32"}, "no op asked for"},
                                         {{"--inputs=0"}, "--inputs"},
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
