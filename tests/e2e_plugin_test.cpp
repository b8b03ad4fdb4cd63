// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass plugins, and the selftest that uses one, as a user has them.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "model/pass_pipeline.h"
#include "model/routes.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

// --pipeline of the route `loops`, as a campaign's summary has it, with the plugin's pass.
std::string Loops(const std::string& options) {
  TemporaryDirectory temporary;
  RunTosaic({"fuzz", "--cases=1", "--route=loops", absl::StrCat("--out=", temporary / "out")});
  const Json summary = Parsed(Slurp(temporary / "out/summary.json"));
  const std::string pipeline = summary["provenance"]["pipeline"].get<std::string>();
  const std::string changed =
      absl::StrReplaceAll(pipeline, {{",tosa-to-linalg,", absl::StrCat(",tosa-to-linalg,tosaic-break", options, ",")}});
  EXPECT_NE(changed, pipeline);
  return absl::StrCat("--pipeline=", changed);
}

TEST(E2ePlugin, ItsPassTakesPartWhereverAPipelineIsGiven) {
  TemporaryDirectory temporary;
  const std::string pipeline = Loops("{what=minimum-extent}");
  EXPECT_EQ(RunTosaic({"check", kGoodCase}).status, 0);
  EXPECT_EQ(RunTosaic({"check", kPluginFlag, Loops(""), kGoodCase}).status, 0);
  EXPECT_EQ(RunTosaic({"check", kPluginFlag, pipeline, kGoodCase}).status, 1);
  const std::string reduced = temporary / "reduced.json";
  EXPECT_EQ(RunTosaic({"reduce", kPluginFlag, pipeline, kGoodCase, absl::StrCat("--out=", reduced)}).status, 1);
  EXPECT_TRUE(fs::exists(reduced));
  const std::vector<std::string> fuzz = {"fuzz",      "--cases=200", "--seed=1",
                                         "--ops=add", "--types=i32", "--no-reduce",
                                         kPluginFlag, pipeline,      absl::StrCat("--out=", temporary / "out")};
  EXPECT_EQ(RunTosaic(fuzz).status, 1);
}

TEST(E2ePlugin, WithoutAMistakeItChangesNothing) {
  TemporaryDirectory temporary;
  // A seed of which no twin crashes: a pipeline has no twins on other routes.
  const auto verdicts = [&](const std::string& name, std::vector<std::string> flags) {
    flags.insert(flags.begin(),
                 {"fuzz", "--cases=150", "--seed=5", "--no-reduce", absl::StrCat("--out=", temporary / name)});
    RunTosaic(flags);
    return Parsed(Slurp(temporary / (name + "/summary.json")))["by_op"];
  };
  const Json plain = verdicts("plain", {"--route=loops"});
  EXPECT_FALSE(plain.empty());
  EXPECT_EQ(verdicts("plugin", {kPluginFlag, Loops("")}), plain);
}

// A route with a pass put in keeps its known divergences and its limits on programs.
TEST(E2ePlugin, APassThatDoesNothingIsNoMistakeOnAnyRoute) {
  for (const char* route :
       {"loops-dealloc", "affine-vectorized", "linalg-vectorized", "math-expanded", "math-polynomial", "library-call",
        "contract", "verified", "counted", "fused", "aligned", "category-contract", "transposed-contract"}) {
    TemporaryDirectory temporary;
    const std::string out = temporary / "out";
    const Ran edited =
        RunTosaic({"fuzz", "--cases=120", "--seed=4", "--quiet", absl::StrCat("--route=", route), kPluginFlag,
                   "--insert-after=tosa-to-linalg:tosaic-break", absl::StrCat("--out=", out)});
    EXPECT_EQ(edited.status, 0) << route << "\n" << edited.out;
    EXPECT_GT(Parsed(Slurp(out + "/summary.json"))["verdicts"]["agree"].get<int>(), 30) << route;
  }
}

// Programs that die without the pass die with it, too: that is no change.
TEST(E2ePlugin, NothingIsRunBecauseOfAPassThatDoesNothing) {
  TemporaryDirectory temporary;
  const Ran ran = RunTosaic({"fuzz", "--changed-only", "--cases=1000", "--seed=1", "--ops=abs", kPluginFlag,
                             "--insert-before=tosa-to-linalg:tosaic-break", absl::StrCat("--out=", temporary / "out")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "The patch leaves 1000 of 1000 cases as they are")) << ran.out;
}

// F2, F3, F23, F24 and F27 are of operands that MLIR reads where it should not, and of no value that is right without
// the mistake.
TEST(E2ePlugin, AMistakeBesideAKnownOneIsNew) {
  TemporaryDirectory temporary;
  const std::string file = temporary / "programs.mlir";
  Spill(file, R"(
func.func @rescaled(%x: tensor<4xi8>, %iz: tensor<1xi8>, %oz: tensor<1xi8>) -> tensor<4xi8> {
  %m = "tosa.const"() {values = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<30> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %iz, %oz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
func.func @negated(%x: tensor<4xi8>, %iz: tensor<1xi8>, %oz: tensor<1xi8>) -> tensor<4xi8> {
  %0 = tosa.negate %x, %iz, %oz : (tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
func.func @multiplied(%x: tensor<4xi32>, %y: tensor<4xi32>, %s: tensor<1xi8>) -> tensor<4xi32> {
  %0 = tosa.mul %x, %y, %s : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @looked_up(%x: tensor<4xi16>, %t: tensor<513xi16>) -> tensor<4xi32> {
  %u = tosa.identity %x : (tensor<4xi16>) -> tensor<*xi16>
  %0 = tosa.table %u, %t : (tensor<*xi16>, tensor<513xi16>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
)");
  const std::pair<const char*, const char*> rows[] = {{"rescaled", "rescale-output-zp-off"},
                                                      {"negated", "wrap-for-saturate"},
                                                      {"multiplied", "scale-no-rounding"},
                                                      {"looked_up", "table-step-of-two"}};
  for (const auto& [function, mistake] : rows) {
    const std::string name = absl::StrCat("--function=", function);
    EXPECT_EQ(RunTosaic({"check", file, name, "--known=default"}).status, 0) << function;
    const Ran ran = RunTosaic({"check", file, name, "--known=default", kPluginFlag,
                               absl::StrCat("--insert-after=tosa-to-linalg:tosaic-break{what=", mistake, "}")});
    EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
    EXPECT_TRUE(absl::StrContains(ran.out, "wrong-value")) << ran.out;
  }
}

TEST(E2ePlugin, WhatThePatchChangesIsRunAlone) {
  TemporaryDirectory temporary;
  const auto verdicts = [&](const std::string& mistake) {
    const std::string out = temporary / ("out" + mistake);
    RunTosaic({"fuzz", "--seed=3", "--cases=100", "--changed-only", "--no-reduce", kPluginFlag,
               absl::StrCat("--insert-after=tosa-to-linalg:tosaic-break", mistake), absl::StrCat("--out=", out)});
    return Parsed(Slurp(out + "/summary.json"))["verdicts"];
  };
  const Json nothing = verdicts("");
  EXPECT_EQ(nothing["unsupported"], 100) << "nothing is changed, so nothing is run: " << nothing;
  const Json some = verdicts("{what=unsigned-to-float}");
  EXPECT_GT(some["unsupported"], 50) << some;
  EXPECT_LT(some["unsupported"], 100) << some;
  const Ran without = RunTosaic({"fuzz", "--changed-only"});
  EXPECT_EQ(without.status, 2);
  EXPECT_TRUE(absl::StrContains(without.err, "--changed-only: no route is edited")) << without.err;
}

// The lines of a campaign's journal that are of cases.
std::vector<std::string> CasesIn(const std::string& out) {
  std::vector<std::string> lines = absl::StrSplit(Slurp(out + "/journal.jsonl"), '\n', absl::SkipEmpty());
  std::erase_if(lines, [](const std::string& line) { return !absl::StartsWith(line, "{\"case\":"); });
  return lines;
}

// The first rounds show that the patch is about cos, or that it changes no op alone.
TEST(E2ePlugin, ACampaignAboutAPatchLearnsItsOps) {
  TemporaryDirectory temporary;
  const auto fuzz = [&](const std::string& options, const std::string& out, std::vector<std::string> more) {
    more.insert(more.begin(), {"fuzz", "--seed=1", "--changed-only", "--no-reduce", "--quiet", kPluginFlag,
                               absl::StrCat("--insert-after=tosa-to-linalg:tosaic-break", options),
                               absl::StrCat("--out=", temporary / out)});
    RunTosaic(more);
    return CasesIn(temporary / out);
  };
  const auto share = [](const std::vector<std::string>& cases, size_t begin, absl::string_view text) {
    const auto count = std::count_if(cases.begin() + static_cast<std::ptrdiff_t>(begin), cases.end(),
                                     [&](const std::string& line) { return absl::StrContains(line, text); });
    return static_cast<double>(count) / static_cast<double>(cases.size() - begin);
  };
  const std::vector<std::string> of_cos = fuzz("{what=cos-of-zero}", "cos", {"--cases=320", "--jobs=2"});
  ASSERT_EQ(of_cos.size(), 320u);
  EXPECT_LT(share({of_cos.begin(), of_cos.begin() + 64}, 0, R"("op":"cos")"), 0.1);
  EXPECT_GT(share(of_cos, 256, R"("op":"cos")"), 0.6);
  fuzz("{what=cos-of-zero}", "again", {"--cases=280", "--jobs=1"});
  EXPECT_EQ(fuzz("{what=cos-of-zero}", "again", {"--cases=320", "--jobs=1"}), of_cos);

  const std::vector<std::string> of_corpus =
      fuzz("{what=cos-of-zero}", "guided", {"--cases=320", "--guided", "--mutant-percent=20", "--no-swarm"});
  EXPECT_GT(share(of_corpus, 256, R"("op":"cos")"), 0.4);

  const auto several = [&](const std::vector<std::string>& cases, size_t begin) {
    return share(cases, begin, R"("shapes":"several-ops")");
  };
  const std::vector<std::string> of_none = fuzz("", "none", {"--cases=500"});
  EXPECT_GT(several(of_none, 256), 1.3 * several({of_none.begin(), of_none.begin() + 256}, 0));
}

// The approximation of the sine is wrong for small negative numbers (R5), which is listed. The plugin is right, but
// makes it wrong for small positive ones, for which MLIR is right without the plugin.
TEST(E2ePlugin, AKnownBugThatAPatchBringsToLightIsKnownAndHidesNoMistakeBesideIt) {
  TemporaryDirectory temporary;
  const std::string out = absl::StrCat("--out=", temporary / "out");
  const auto run = [&](const char* mistake, std::vector<std::string> command) {
    const std::vector<std::string> flags = {
        "--ops=sin",
        "--types=f32",
        "--route=math-polynomial",
        "--quiet",
        absl::StrCat("--load-pass-plugin=", TOSAIC_NEGATED_SINE_PLUGIN),
        absl::StrCat("--insert-before=tosa-to-tensor:tosaic-negated-sine", mistake)};
    command.insert(command.end(), flags.begin(), flags.end());
    return RunTosaic(command);
  };
  for (const char* reduces : {"--details", "--no-reduce"}) {
    const Ran right = run("", {"fuzz", "--seed=1", "--cases=24", "--beyond-spec-percent=0", reduces,
                               absl::StrCat("--out=", temporary / reduces)});
    EXPECT_EQ(right.status, 0) << right.out << right.err;
    EXPECT_TRUE(absl::StrContains(right.out, "R5: ")) << right.out;
  }
  EXPECT_EQ(run("{wrong=true}", {"fuzz", "--seed=1", "--cases=200", "--beyond-spec-percent=0", "--no-reduce",
                                 absl::StrCat("--out=", temporary / "wrong")})
                .status,
            1);
  const std::vector<std::string> sweep = {"sweep", "--values", "--inputs=100000", out};
  const Ran right = run("", sweep), wrong = run("{wrong=true}", sweep);
  EXPECT_EQ(right.status, 0) << right.out;
  EXPECT_FALSE(absl::StrContains(right.out, "new ")) << right.out;
  EXPECT_EQ(wrong.status, 1) << "one of the many wrong inputs is the plugin's";
  EXPECT_TRUE(absl::StrContains(wrong.out, "known  wrong-value/sin/f32/custom/value.sin/number-for-number"))
      << wrong.out;
  EXPECT_TRUE(absl::StrContains(wrong.out, "new    wrong-value/sin/f32/custom/value.sin/number-for-number"))
      << wrong.out;
}

// x - x folded to 0 is right of a number. Only the 0 lets MLIR fold the product, which is F5.
TEST(E2ePlugin, ACheckKnowsTheBugThatARightPatchBringsToLight) {
  TemporaryDirectory temporary;
  const std::string numbers = temporary / "numbers.json", infinity = temporary / "infinity.json";
  const auto case_of = [](const char* subtrahend) {
    return absl::StrCat(R"({"tosaic_case": 1, "origin": "hand", "route": "loops", "program": {
      "arguments": ["tensor<1xf32>", "tensor<1xf32>"],
      "constants": [{"type": "i8", "shape": [1], "data": "00"}],
      "ops": [{"op": "sub", "operands": ["%arg0", "%arg0"], "attributes": {}, "result": "tensor<1xf32>"},
              {"op": "mul", "operands": ["%arg1", "%0", "%cst0"], "attributes": {}, "result": "tensor<1xf32>"}],
      "results": ["%1"]}, "runs": [[{"type": "f32", "shape": [1], "data": ")",
                        subtrahend, R"("}, {"type": "f32", "shape": [1], "data": "7f800000"}]]})");
  };
  Spill(numbers, case_of("3f800000"));
  Spill(infinity, case_of("7f800000"));
  const auto check = [&](const std::string& file, const char* known) {
    return RunTosaic({"check", kPluginFlag, "--insert-after=tosa-make-broadcastable:tosaic-break{what=fold-sub-itself}",
                      absl::StrCat("--known=", known), file});
  };
  const Ran known = check(numbers, "default");
  EXPECT_EQ(known.status, 0) << known.out << known.err;
  EXPECT_TRUE(absl::StrContains(known.out, "1 case: wrong-value 1; known: 1")) << known.out;
  EXPECT_EQ(check(numbers, "none").status, 1);
  EXPECT_EQ(check(infinity, "default").status, 1) << "infinity - infinity is NaN, which is the plugin's mistake";
}

// Beyond 4,096 elements the mistake forgets the last one: the IR names the number, and no draw by chance soon exceeds
// it.
TEST(E2ePlugin, ACampaignAboutAPatchFavoursItsNumbers) {
  TemporaryDirectory temporary;
  const auto fuzz = [&](const std::string& out, const std::string& cases) {
    const Ran ran = RunTosaic({"fuzz", "--seed=1", "--changed-only", "--ops=abs,negate", "--no-reduce", "--quiet",
                               cases, kPluginFlag, absl::StrCat("--out=", temporary / out),
                               "--insert-after=convert-linalg-to-loops:tosaic-break{what=forget-last-of-many}"});
    EXPECT_LE(ran.status, 1) << ran.err;
    return CasesIn(temporary / out);
  };
  const std::vector<std::string> all = fuzz("out", "--cases=180");
  const auto count = [&](absl::string_view text) {
    return std::count_if(all.begin(), all.end(),
                         [&](const std::string& line) { return absl::StrContains(line, text); });
  };
  EXPECT_GT(count(R"("new_numbers":[4096.0])"), 5);
  EXPECT_GT(count("uninitialized-result"), 0);
  fuzz("again", "--cases=90");
  EXPECT_EQ(fuzz("again", "--cases=180"), all) << "a start that goes on reads the numbers in the journal";
}

// F24 kills MLIR before the pass is reached: that is no change of the patch, and says nothing of its ops.
TEST(E2ePlugin, WhatMlirDiesOfWithAndWithoutThePatchIsLeftAsItIs) {
  TemporaryDirectory temporary;
  const Ran ran =
      RunTosaic({"fuzz", "--seed=1", "--changed-only", "--ops=table", "--cases=150", "--no-reduce", "--quiet",
                 kPluginFlag, "--insert-after=tosa-to-linalg:tosaic-break", absl::StrCat("--out=", temporary / "out")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "150 of 150 cases as they are")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "No case tests the patch")) << ran.out;
  const Ran page = RunTosaic({"report", temporary / "out", "--format=markdown"});
  EXPECT_TRUE(absl::StrContains(page.out, "Nothing new, no case tests the patch: nothing is known of it")) << page.out;
  EXPECT_TRUE(absl::StrContains(page.out, "`150 cases, not run`")) << page.out;
}

// Tools of 22 through a script that puts a mistake into each pipeline are a patched build.
std::string PatchedTools(const TemporaryDirectory& temporary, absl::string_view mistake) {
  const std::string tools = temporary / "tools";
  fs::create_directories(tools);
  for (const auto& tool : fs::directory_iterator(TOSAIC_LLVM_TOOLS)) {
    if (tool.path().filename() == "mlir-opt") continue;
    fs::create_symlink(tool.path(), tools + "/" + tool.path().filename().string());
  }
  Spill(tools + "/mlir-opt",
        absl::StrCat("#!/bin/bash\nnew='tosaic-break{what=", mistake, "},tosa-to-tensor'\nexec ", TOSAIC_LLVM_TOOLS,
                     "/mlir-opt --load-pass-plugin=", TOSAIC_PLUGIN, " \"${@/tosa-to-tensor/$new}\"\n"));
  fs::permissions(tools + "/mlir-opt", fs::perms::owner_all);
  return tools;
}

TEST(E2ePlugin, ACampaignOnTwoBuildsRunsWhatThePatchChangesAndKnowsWhatTheBaseShows) {
  TemporaryDirectory temporary;
  const std::string tools = absl::StrCat("--patch=", PatchedTools(temporary, "floor-division")),
                    base = "--base=mlir-22";
  const auto fuzz = [&](const std::string& ops, const std::string& known) {
    const std::string out = temporary / ops;
    const Ran ran = RunTosaic({"fuzz", "--seed=3", "--cases=20", "--no-reduce", "--route=loops", "--ops=" + ops, base,
                               tools, "--known=" + known, absl::StrCat("--out=", out)});
    return std::make_pair(ran, Parsed(Slurp(out + "/summary.json")));
  };
  const auto [untouched, of_abs] = fuzz("abs", "default");
  EXPECT_EQ(untouched.status, 0) << untouched.out;
  EXPECT_TRUE(absl::StrContains(untouched.out, "The patch leaves ")) << untouched.out;
  EXPECT_EQ(of_abs["cases_executed"], 0) << "the same MLIR makes the same IR, whatever way it is asked";
  // MLIR dies of some of these in this process, and says otherwise by tools what it refuses.
  EXPECT_LE(fuzz("rescale", "default").second["cases_executed"], 2);
  const auto [broken, of_division] = fuzz("intdiv", "default");
  EXPECT_EQ(broken.status, 1) << broken.out;
  EXPECT_GT(of_division["cases_executed"], 0);
  // Both accept what the specification forbids of identity (F17), which no list says here.
  const auto [old, of_identity] = fuzz("identity", "none");
  EXPECT_EQ(old.status, 0) << old.out;
  ASSERT_FALSE(of_identity["findings"].empty()) << old.out;
  EXPECT_EQ(of_identity["findings"][0]["reason"], "mlir-22 (LLVM 22.1.8) shows it too.") << of_identity["findings"];
  // A list hides nothing that the base has right.
  const std::string all = temporary / "all.json";
  Spill(all, R"({"known": [{"signature": "*", "reason": "everything"}]})");
  fs::remove_all(temporary / "intdiv");
  const auto [listed, of_listed] = fuzz("intdiv", all);
  EXPECT_EQ(listed.status, 1) << listed.out;
  for (const Json& finding : of_listed["findings"]) EXPECT_EQ(finding["reason"], "") << finding;
  fs::remove_all(temporary / "identity");
  EXPECT_EQ(fuzz("identity", all).second["findings"][0]["reason"], "everything");
  const Ran plugin = RunTosaic({"fuzz", base, kPluginFlag, "--insert-after=tosa-to-linalg:tosaic-break"});
  EXPECT_EQ(plugin.status, 2);
  EXPECT_TRUE(absl::StrContains(plugin.err, "--base: the plugin's passes would run on both sides")) << plugin.err;
  const Ran both = RunTosaic({"fuzz", base, "--changed-only"});
  EXPECT_EQ(both.status, 2);
}

// A cast from f32 that rounds half away from zero looks like R4, whose row takes any number. Stock MLIR, without the
// plugin or in this process for tools of its release, has the case right; F17 it has not.
TEST(E2ePlugin, AListHidesNoMistakeThatStockMlirDoesNotMake) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out", night = temporary / "night.json";
  const auto fuzz = [&](const std::string& ops, std::vector<std::string> more) {
    fs::remove_all(out);
    more.insert(more.begin(), {"fuzz", "--seed=3", "--cases=60", "--beyond-spec-percent=0", "--route=math-expanded",
                               "--types=f32,i16", "--ops=" + ops, "--out=" + out});
    const Ran ran = RunTosaic(more);
    return std::make_pair(ran, Parsed(Slurp(out + "/summary.json"))["findings"]);
  };
  const std::vector<std::string> plugin = {kPluginFlag,
                                           "--insert-before=tosa-to-tensor:tosaic-break{what=round-half-away}"};
  const std::vector<std::string> tools = {"--no-reduce",
                                          absl::StrCat("--toolchain=", PatchedTools(temporary, "round-half-away"))};
  for (const std::vector<std::string>& flags : {plugin, tools}) {
    const auto [broken, of_cast] = fuzz("cast", flags);
    EXPECT_EQ(broken.status, 1) << broken.out << broken.err;
    EXPECT_TRUE(absl::StrContains(broken.out, "Without the patch MLIR is right.")) << broken.out;
    EXPECT_EQ(of_cast[0]["base_agrees"], true) << of_cast;
    const auto [stock, of_identity] = fuzz("identity", flags);
    EXPECT_EQ(stock.status, 0) << stock.out << stock.err;
    ASSERT_FALSE(of_identity.empty()) << stock.out;
    EXPECT_EQ(of_identity[0]["cause"], "F17") << of_identity;
    EXPECT_FALSE(of_identity[0].contains("base_agrees")) << of_identity;
  }
  // A pass that the tools alone have is no error: then stock MLIR cannot be asked.
  const std::string pipeline = *InsertPass(FindRoute("loops")->pipeline, PassPlace::kBefore, "tosa-to-linalg",
                                           "tosaic-break{what=round-half-away}");
  const Ran alone = RunTosaic({"check", tools.back(), "--known=default", "--pipeline=" + pipeline, kGoodCase});
  EXPECT_EQ(alone.status, 0) << alone.out << alone.err;
  // What a night has reported is no claim about stock MLIR, and stays known.
  Spill(night, R"({"known": [{"signature": "wrong-value/cast/*", "cause": "N1", "reason": "of last night"}]})");
  std::vector<std::string> again = plugin;
  again.push_back("--known=" + night);
  const auto [known, of_cast] = fuzz("cast", again);
  EXPECT_EQ(known.status, 0) << known.out << known.err;
  EXPECT_EQ(of_cast[0]["cause"], "N1") << of_cast;
}

// The plugin folds x * 0 where stock MLIR does not. Reduced as long as it is wrong, its case becomes one of F5, which
// stock MLIR has wrong too.
TEST(E2ePlugin, ReducingDoesNotLeadFromTheMistakeToOneOfStockMlir) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out";
  const Ran ran = RunTosaic({"fuzz", "--seed=3", "--cases=250", "--beyond-spec-percent=0", "--ops=mul", "--types=f32",
                             "--route=loops", kPluginFlag, "--out=" + out,
                             "--insert-after=tosa-make-broadcastable:tosaic-break{what=fold-product-with-zero}"});
  EXPECT_EQ(ran.status, 1) << ran.err;
  const Json findings = Parsed(Slurp(out + "/summary.json"))["findings"];
  int shown = 0;
  for (const Json& finding : findings) {
    if (finding["status"] != "new") continue;
    ++shown;
    const std::string reduced = absl::StrCat(out, "/", finding["reduced"].get<std::string>());
    EXPECT_EQ(RunTosaic({"check", "--route=loops", reduced}).status, 0) << "stock MLIR has it right";
    EXPECT_EQ(Parsed(Slurp(reduced))["program"]["ops"].size(), 1u) << "and it is reduced";
  }
  EXPECT_EQ(shown, 1) << findings;
}

TEST(E2ePlugin, AResultSaysWhichWasLoadedAndAWorkDirectoryStaysWithIt) {
  TemporaryDirectory temporary;
  const std::string copy = temporary / "copy.so", out = absl::StrCat("--out=", temporary / "out");
  fs::copy(TOSAIC_PLUGIN, copy);
  const std::vector<std::string> fuzz = {"fuzz", "--cases=5", "--insert-after=tosa-to-linalg:tosaic-break", out};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), fuzz.begin(), fuzz.end());
    return RunTosaic(more);
  };
  const std::string flag = absl::StrCat("--load-pass-plugin=", copy);
  with({flag});
  const Json summary = Parsed(Slurp(temporary / "out/summary.json"));
  ASSERT_EQ(summary["provenance"]["plugins"].size(), 1u) << summary["provenance"];
  const std::string plugin = summary["provenance"]["plugins"][0].get<std::string>();
  EXPECT_TRUE(absl::StartsWith(plugin, "copy.so (tosaic-broken-lowerings ")) << plugin;
  const Ran without = RunTosaic({"fuzz", "--cases=5", "--route=loops", out});
  EXPECT_EQ(without.status, 2);
  EXPECT_TRUE(absl::StrContains(without.err, "another campaign")) << without.err;
  Spill(copy, Slurp(TOSAIC_PLUGIN) + "changed");
  EXPECT_EQ(with({flag}).status, 2);
  EXPECT_EQ(with({flag, absl::StrCat("--load-pass-plugin=", TOSAIC_EMPTY_PLUGIN)}).status, 2);
}

TEST(E2ePlugin, PassesArePutIntoARoute) {
  const std::string broken = "tosa-to-linalg:tosaic-break{what=minimum-extent}";
  EXPECT_EQ(RunTosaic({"check", kPluginFlag, absl::StrCat("--insert-after=", broken), kGoodCase}).status, 1);
  EXPECT_EQ(RunTosaic({"check", kPluginFlag, "--insert-after=tosa-to-linalg:tosaic-break", kGoodCase}).status, 0);
  EXPECT_EQ(
      RunTosaic({"check", kPluginFlag, "--route=optimized", "--replace=tosa-to-tensor:tosa-to-tensor,tosaic-break",
                 "--insert-before=tosa-to-arith:canonicalize", kGoodCase})
          .status,
      0);
  const Ran on_tools = RunTosaic(
      {"check", kPluginFlag, "--toolchain=mlir-22-tools", absl::StrCat("--insert-after=", broken), kGoodCase});
  EXPECT_EQ(on_tools.status, 1) << on_tools.err;
}

TEST(E2ePlugin, WhatWouldTestNothingIsRefused) {
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } rows[] = {
      {{"check", kPluginFlag, kGoodCase}, "--load-pass-plugin: no route calls its passes"},
      {{"check", kGoodCase, "--replace=tosa-to-linalg:no-pass"},
       "tosaic: the pass pipeline does not parse: 'no-pass' does not refer to a registered pass"},
      {{"conform", kPluginFlag, "--route=loops", "--out=/dev/null"}, "--load-pass-plugin: no route calls its passes"},
      {{"check", kPluginFlag, "--insert-after=tosa-to-linalg:canonicalize", kGoodCase},
       "calls none of its passes: builtin."},
      {{"check", "--insert-after=tosa-to-linalg", kGoodCase}, "--insert-after=tosa-to-linalg: it must be PASS:NEW"},
      {{"check", "--replace=tosa-to-linalgg:cse", kGoodCase},
       "has no pass 'tosa-to-linalgg'; did you mean 'tosa-to-linalg'?"},
      {{"check", "--insert-before=no-pass:cse", kGoodCase},
       "--insert-before=no-pass:cse: the route 'loops' has no pass 'no-pass'"},
      {{"check", "--replace=tosa-to-linalg:no-such-pass", kGoodCase}, "no-such-pass"},
      {{"fuzz", "--cases=5", "--pipeline=builtin.module(func.func(tosa-to-linalg))"},
       "--pipeline: its passes do not end in LLVM IR: "},
      {{"check", "--pipeline=builtin.module(canonicalize)", kGoodCase},
       "--pipeline: its passes do not end in LLVM IR: "},
      {{"blame", "--replace=one-shot-bufferize:cse", kGoodCase},
       "--insert-before, --insert-after, --replace: the route's passes then do not end in LLVM IR: "},
      {{"check", "--toolchain=mlir-22-tools", "--route=optimized", "--insert-after=tosa-to-linalg:cse", kGoodCase},
       "mlir-22-tools cannot edit it, for there it is more than its pipeline; mlir-22 can"},
  };
  for (const auto& row : rows) {
    const Ran ran = RunTosaic(row.arguments);
    EXPECT_EQ(ran.status, 2) << row.says;
    EXPECT_TRUE(absl::StrContains(ran.err, row.says)) << ran.err;
    EXPECT_EQ(ran.err.find('\n'), ran.err.size() - 1) << ran.err;
  }
}

// The patch alone has the passes that are put in.
TEST(E2ePlugin, CompareIsOfARouteWithThemAndWithout) {
  const Ran ran =
      RunTosaic({"compare", "--base=mlir-22", "--patch=mlir-22", "--ops=add", "--profile=pro-int", kPluginFlag,
                 "--no-reduce", "--insert-after=tosa-to-linalg:tosaic-break{what=minimum-extent}"});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "regressed")) << ran.out;
}

TEST(E2eSelftest, TellsWhatItFoundAndWhatNot) {
  const Ran found = RunTosaic({"selftest", "--seeds=3", "--only=forget-last,fold-cast-pair", "--broken-ops-only"});
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_TRUE(absl::StrContains(found.out, "uninitialized-result [run.every-element-written]")) << found.out;
  EXPECT_TRUE(absl::StrContains(found.out, "2 broken lowerings: 2 found within 60 CPU seconds")) << found.out;
  const Ran unmixed = RunTosaic({"selftest", "--seeds=1", "--cases=2", "--only=linalg-lose-transpose", "--mixed"});
  EXPECT_EQ(unmixed.status, 1) << unmixed.err;
  EXPECT_TRUE(absl::StrContains(unmixed.out, " on the route transposed-contract, which the mix does not have\n"))
      << unmixed.out;
  const Ran missed = RunTosaic({"selftest", "--seeds=1", "--cases=2", "--only=exp-range"});
  EXPECT_EQ(missed.status, 1) << missed.err;
  EXPECT_TRUE(absl::StrContains(missed.out, "1 broken lowering: 0 found")) << missed.out;
  EXPECT_TRUE(absl::StrContains(missed.out, "not found: exp-range\n")) << missed.out;
  // As many cases as one of the two seeds needs.
  const Ran rare = RunTosaic({"selftest", "--seeds=2", "--cases=80", "--only=forget-last", "--broken-ops-only"});
  EXPECT_EQ(rare.status, 1) << rare.err;
  EXPECT_TRUE(absl::StrContains(rare.out, "; found by some seeds, but not by the median: forget-last\n")) << rare.out;
}

// Other routes lack the mistake, which a real patch has on all of them.
TEST(E2eSelftest, ATwinOnAnotherRouteFindsNothing) {
  const Ran ran = RunTosaic({"selftest", "--seeds=2", "--only=unsigned-factor"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "wrong-value [value.mul]")) << ran.out;
}

TEST(E2eSelftest, OnlyTheTimeDependsOnTheNumberOfWorkers) {
  const auto results = [](const std::string& jobs) {
    const Ran ran = RunTosaic({"selftest", "--seeds=2", "--only=or-for-xor,no-remainder", "--json", jobs});
    EXPECT_EQ(ran.status, 0) << ran.err;
    Json json = Parsed(ran.out);
    EXPECT_TRUE(absl::StrContains(json["provenance"]["plugins"].dump(), "tosaic-broken-lowerings"));
    Json rows = json["broken_lowerings"];
    for (Json& row : rows) {
      EXPECT_GT(row["cpu_seconds"].get<double>(), 0);
      row.erase("cpu_seconds");
      for (Json& campaign : row["campaigns"]) campaign.erase("cpu_seconds");
    }
    return rows;
  };
  const Json entry = results("--jobs=1");
  EXPECT_EQ(entry.size(), 2u);
  EXPECT_EQ(results("--jobs=5"), entry);
}

}  // namespace
}  // namespace tosaic
