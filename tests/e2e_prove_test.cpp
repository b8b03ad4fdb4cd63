// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tosaic prove` as a user runs it, over the real MLIR.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

TEST(E2eProve, ALinePerOpAndTypes) {
  TemporaryDirectory directory;
  const std::string out = directory / "proofs.json";
  const Ran ran = RunTosaic({"prove", "--ops=add,exp", "--types=i32,f32", absl::StrCat("--out=", out)});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "add i32: proved\nadd f32: proved\nexp f32: unknown: ")) << ran.out;
  const Json json = Parsed(Slurp(out));
  EXPECT_EQ(json["kind"], "proofs");
  EXPECT_EQ(json["proved"], 2);
  EXPECT_EQ(json["route"], "contract");
  const Ran report = RunTosaic({"report", out, "--format=tap"});
  EXPECT_TRUE(absl::StrContains(report.out, "ok 2 - add f32 every-value")) << report.out;
}

TEST(E2eProve, AMistakeIsRefutedAndARunShowsIt) {
  const Ran ran = RunTosaic({"prove", "--ops=intdiv", kPluginFlag, "--known=none",
                             "--insert-after=tosa-to-linalg:tosaic-break{what=floor-division}"});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_TRUE(absl::StartsWith(ran.out, "intdiv i32: refuted: another value at 0x")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "; run: wrong-value [value.intdiv]\nnew    wrong-value/intdiv/i32/"))
      << ran.out;
}

// F5 is known; what a patch adds to it is not hidden behind it.
TEST(E2eProve, FoldersAreProvedAndWhatIsNewIsShownBeforeWhatIsKnown) {
  TemporaryDirectory directory;
  const std::string out = directory / "folds.json";
  const Ran stock = RunTosaic({"prove", "--folders", "--ops=mul", "--types=i8,f32", "--quiet", "--out=" + out});
  EXPECT_EQ(stock.status, 0) << stock.out << stock.err;
  EXPECT_TRUE(absl::StartsWith(stock.out, "mul i8-i32: proved\nmul f32: refuted: another value with operand 1 = 0 at "))
      << stock.out;
  EXPECT_TRUE(absl::StrContains(stock.out, "known  wrong-value/mul/f32/after-canonicalize/value.mul/zero-for-nan\n"));
  EXPECT_EQ(Parsed(Slurp(out))["folders"], true);
  const Ran patch = RunTosaic({"prove", "--folders", "--ops=mul", "--types=f32", "--quiet", kPluginFlag,
                               "--insert-before=tosa-to-linalg:tosaic-break{what=mul-of-itself}"});
  EXPECT_EQ(patch.status, 1) << patch.out << patch.err;
  EXPECT_TRUE(absl::StartsWith(patch.out, "mul f32: refuted: another value with operands 1 and 2 equal at "))
      << patch.out;
  EXPECT_TRUE(absl::StrContains(patch.out, "\nnew    wrong-value/mul/f32/after-canonicalize/value.mul/inf-for-inf"))
      << patch.out;
}

TEST(E2eProve, TwoResultsAreCompared) {
  TemporaryDirectory directory;
  const std::string base = directory / "base.json", patch = directory / "patch.json";
  RunTosaic({"prove", "--ops=intdiv,clz", absl::StrCat("--out=", base)});
  RunTosaic({"prove", "--ops=intdiv,clz", kPluginFlag, absl::StrCat("--out=", patch),
             "--insert-after=tosa-to-linalg:tosaic-break{what=floor-division}"});
  const Ran ran = RunTosaic({"compare", base, patch});
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_TRUE(absl::StartsWith(ran.out, "regressed intdiv i32: proved -> refuted: another value at 0x")) << ran.out;
  EXPECT_TRUE(absl::EndsWith(ran.out, "2 proofs compared, 1 changed, 1 regressed\n")) << ran.out;
  EXPECT_EQ(RunTosaic({"compare", base, base}).out, "2 proofs compared, 0 changed, 0 regressed\n");
  EXPECT_EQ(RunTosaic({"compare", base, patch, "--format=html"}).status, 2);
}

// A lost proof may be a matter of time; a pass that fails is not.
TEST(E2eProve, APatchThatRefusesWhatTheBaseTakesIsARegression) {
  TemporaryDirectory directory;
  const std::string base = directory / "base.json", patch = directory / "patch.json";
  RunTosaic({"prove", "--ops=clz,cos", "--types=i32,f32", absl::StrCat("--out=", base)});
  RunTosaic({"prove", "--ops=clz,cos", "--types=i32,f32", kPluginFlag, absl::StrCat("--out=", patch),
             "--insert-after=tosa-to-linalg:tosaic-break{what=nonsense}"});
  const Ran ran = RunTosaic({"compare", base, patch});
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "regressed clz i32: proved -> unknown: tosaic-break: ")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "regressed cos f32: unknown -> unknown: tosaic-break: ")) << ran.out;
  EXPECT_EQ(RunTosaic({"compare", patch, base}).status, 0);
  const Ran none = RunTosaic({"prove", "--ops=abs", "--types=f32", "--pipeline=builtin.module()"});
  EXPECT_FALSE(absl::StrContains(none.out, "does not parse")) << none.out;
}

TEST(E2eProve, WrongUseIsSaidInOneLine) {
  for (const auto& [flag, part] : std::vector<std::pair<std::string, std::string>>{
           {"--ops=moon", "unknown op 'moon'"},
           {"--timeout=0", "--timeout"},
           {"--ops=reshape", "no proof of the ops asked for"},
           {"--types=i64", "no proof of the ops asked for with inputs of i64"}}) {
    const Ran ran = RunTosaic({"prove", flag});
    EXPECT_EQ(ran.status, 2) << flag;
    EXPECT_TRUE(absl::StrContains(ran.err, part)) << ran.err;
  }
}

}  // namespace
}  // namespace tosaic
