// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kind of reproducer, executed: repro.sh and test.mlir show what MLIR does wrong, and are quiet where it does
// right.
#include "reports/reproducer/reproducer.h"

#include <stdlib.h>
#include <sys/wait.h>

#include <memory>
#include <regex>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "checking/check_case.h"
#include "checking/files.h"
#include "checking/library_function.h"
#include "diagnosis/reproduction.h"
#include "generators/twins.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "model/pass_pipeline.h"
#include "mutants/broken_lowering.h"
#include "oracle/twins.h"
#include "reports/reproducer/expected.h"
#include "tests/temporary_directory.h"
#include "toolchain/mlir/mlir_import.h"
#include "toolchain/mlir/mlir_toolchain.h"

namespace tosaic {
namespace {

struct Ran {
  int status = -1;
  std::string last_line;
  std::string output;
  std::string errors;
};

// A folder with a reproducer's files.
class Folder {
 public:
  explicit Folder(const Reproduction& reproduction) : files_(ReproducerFiles(reproduction)) {
    EXPECT_TRUE(WriteReproducer(directory_.path(), files_).ok());
  }
  const TemporaryDirectory& directory() const { return directory_; }
  const std::string& file(const std::string& name) const {
    static const std::string kNone;
    return files_.contains(name) ? files_.at(name) : kNone;
  }

  Ran Script(const std::string& environment = "", const std::string& flags = "", const std::string& from = ".") const {
    return Run(absl::StrCat("cd ", from, " && ", environment, " PASS_PLUGIN=", TOSAIC_PLUGIN, " ",
                            directory_ / "repro.sh ", flags));
  }
  // Whether lit says that test.mlir passes.
  bool TestPasses() const {
    std::error_code ignored;
    std::filesystem::copy_file(absl::StrCat(TOSAIC_SOURCE_DIR, "/tests/lit.cfg.py"), directory_ / "lit.cfg.py",
                               ignored);
    const Ran lit =
        Run(absl::StrCat("PASS_PLUGIN=", TOSAIC_PLUGIN, " ", TOSAIC_LLVM_TOOLS, "/lit -v ", directory_ / "test.mlir"));
    const bool passed = absl::StrContains(lit.output, "Passed: 1"), failed = absl::StrContains(lit.output, "Failed: 1");
    EXPECT_NE(passed, failed) << lit.output;
    return passed;
  }

 private:
  Ran Run(const std::string& command) const {
    const std::string out = directory_ / "output";
    const int status = system(absl::StrCat(command, " > ", out, " 2> ", directory_ / "errors").c_str());
    Ran ran{WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", Slurp(out), Slurp(directory_ / "errors")};
    const std::vector<std::string> lines = absl::StrSplit(ran.output, '\n', absl::SkipEmpty());
    if (!lines.empty()) ran.last_line = lines.back();
    return ran;
  }

  TemporaryDirectory directory_;
  std::map<std::string, std::string> files_;
};

class ReproducerTest : public testing::Test {
 protected:
  // Of the toolchain as it is, or of one with a broken lowering of the plugin.
  void Load(const std::string& broken = "") {
    ToolchainOptions options;
    options.library_function = OracleLibrary();
    if (!broken.empty()) {
      options.plugins = {TOSAIC_PLUGIN};
      const absl::StatusOr<std::unique_ptr<Toolchain>> plain = CreateMlirToolchain(options);
      ASSERT_TRUE(plain.ok()) << plain.status();
      const absl::StatusOr<std::vector<BrokenLowering>> list = BrokenLoweringsOf(TOSAIC_PLUGIN);
      ASSERT_TRUE(list.ok()) << list.status();
      for (const BrokenLowering& lowering : *list) {
        if (lowering.name != broken) continue;
        options.custom_like = lowering.route;
        options.pipeline =
            InsertPass(FindRoute(lowering.route)->pipeline, PassPlace::kAfter, lowering.after, lowering.pass).value();
      }
      ASSERT_FALSE(options.pipeline.empty());
    }
    absl::StatusOr<std::unique_ptr<Toolchain>> created = CreateMlirToolchain(options);
    ASSERT_TRUE(created.ok()) << created.status();
    toolchain_ = *std::move(created);
  }
  Case Read(const std::string& name) {
    absl::StatusOr<Case> read = ReadCase(absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/", name, ".json"));
    EXPECT_TRUE(read.ok()) << read.status();
    return read.ok() ? *read : Case();
  }
  // `looked_for`: the reproducer is made as if that were the verdict.
  Reproduction Of(const Case& test_case, std::optional<Judgement> looked_for = std::nullopt) {
    if (toolchain_ == nullptr) Load();
    CheckedCase checked = CheckCase(*toolchain_, test_case, {}, {});
    verdict_ = checked.judgement.verdict;
    if (looked_for) checked.judgement = *looked_for;
    return ReproductionOf(*toolchain_, test_case, checked, "", {}, {});
  }
  // The same, with a look for one pass that is enough.
  Reproduction OfOnePass(const Case& test_case) {
    if (toolchain_ == nullptr) Load();
    return ReproductionOf(*toolchain_, test_case, CheckCase(*toolchain_, test_case, {}, {}), "", {}, {},
                          [](absl::string_view text) { return ReadWholeFunction(text); });
  }
  void ExpectShows(const Reproduction& reproduction, absl::string_view text) {
    ASSERT_EQ(reproduction.obstacle, "");
    const Folder folder(reproduction);
    const Ran ran = folder.Script();
    EXPECT_EQ(ran.status, 1) << ran.output << Slurp(folder.directory() / "errors");
    EXPECT_TRUE(absl::StartsWith(ran.last_line, "diverges: ")) << ran.last_line;
    EXPECT_TRUE(absl::StrContains(ran.last_line, text)) << ran.last_line;
    EXPECT_FALSE(folder.TestPasses()) << folder.file("test.mlir");
    ExpectIssueShows(reproduction, folder.file("issue.md"));
    EXPECT_TRUE(CaseFromText(folder.file("case.json")).ok());
  }
  void ExpectQuiet(const Reproduction& reproduction) {
    ASSERT_EQ(reproduction.obstacle, "");
    const Folder folder(reproduction);
    const Ran ran = folder.Script();
    EXPECT_EQ(ran.status, 0) << ran.output << Slurp(folder.directory() / "errors");
    EXPECT_EQ(ran.last_line, "conforms");
    EXPECT_TRUE(folder.TestPasses()) << folder.file("test.mlir");
  }
  // Follows issue.md by hand: its files, its command.
  static void ExpectIssueShows(const Reproduction& r, const std::string& issue) {
    TemporaryDirectory elsewhere;
    std::string file, language, text, command;
    bool in_block = false;
    for (const absl::string_view line : absl::StrSplit(issue, '\n')) {
      if (in_block && line == "```") {
        if (language == "sh") command = text;
        if (!file.empty() && language != "sh") Spill(elsewhere / file, text);
        in_block = false, file.clear(), text.clear();
      } else if (in_block) {
        absl::StrAppend(&text, line, "\n");
      } else if (absl::StartsWith(line, "```")) {
        in_block = true, language = std::string(line.substr(3));
      } else if (absl::StartsWith(line, "`") || absl::StartsWith(line, "<details>")) {
        for (const char* name : {"repro.mlir", "twin.mlir", "driver.c", "shown.ll"}) {
          if (absl::StrContains(line, name)) file = name;
        }
      }
    }
    Spill(elsewhere / "command", command);
    const std::string out = elsewhere / "output";
    const int ended =
        system(absl::StrCat("cd ", elsewhere.path(), " && PATH=", TOSAIC_LLVM_TOOLS,
                            ":$PATH PASS_PLUGIN=", TOSAIC_PLUGIN, " bash -o pipefail command > ", out, " 2> errors")
                   .c_str());
    const int status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    const std::string printed = Slurp(out), all = absl::StrCat(issue, "\n", printed, Slurp(elsewhere / "errors"));
    EXPECT_TRUE(absl::StrContains(issue, "Found with Tosaic"));
    EXPECT_EQ(absl::StrContains(issue, "Run, with the plugin's file in `PASS_PLUGIN`:\n"), r.has_plugin) << issue;
    EXPECT_NE(command, "");
    switch (r.showing) {
      case Showing::kRefuses:
      case Showing::kStops:
        EXPECT_EQ(status, 0) << all;
        break;
      case Showing::kAccepts:
      case Showing::kLowers:
      case Showing::kRereads:
        EXPECT_GT(status, 0) << all;
        EXPECT_NE(status, 127) << all;
        break;
      case Showing::kInfers:
        EXPECT_EQ(status, 0) << all;
        EXPECT_FALSE(absl::StrContains(printed, absl::StrCat("-> ", r.judgement.expected))) << all;
        break;
      case Showing::kGuards:
      case Showing::kPoison:
        EXPECT_EQ(status, 1) << all;
        EXPECT_TRUE(absl::StartsWith(printed, "diverges: ")) << all;
        break;
      case Showing::kIr:
        EXPECT_EQ(status, 0) << all;
        EXPECT_EQ(absl::StripAsciiWhitespace(printed), absl::StripAsciiWhitespace(r.lowered)) << all;
        break;
      case Showing::kExecutes: {
        const std::optional<ExpectedLine> line = LineOf(r);
        if (!line || r.judgement.verdict == Verdict::kCrash ||
            FamilyOf(r.judgement.rule) == RuleFamily::kVerification) {
          EXPECT_GT(status, 127) << all;
          break;
        }
        EXPECT_EQ(status, 0) << all;
        const std::vector<std::string> lines = absl::StrSplit(printed, '\n', absl::SkipEmpty());
        ASSERT_EQ(lines.size(), r.twin ? 2u : 1u) << all;
        const std::string squeezed = std::regex_replace(lines[0], std::regex(" +"), " ");
        const std::regex right(absl::StrCat(line->regex, " ?"), std::regex::extended);
        EXPECT_FALSE(std::regex_match(squeezed, right)) << all;
        break;
      }
    }
  }
  static Judgement LookFor(Verdict verdict, Stage stage, RuleId rule = RuleId::kNone) {
    Judgement judgement;
    judgement.verdict = verdict;
    judgement.stage = stage;
    judgement.rule = rule;
    return judgement;
  }

  std::unique_ptr<Toolchain> toolchain_;
  Verdict verdict_ = Verdict::kAgree;
};

// A fold that is wrong by its value, one by the sizes that it leaves: mlir-opt alone shows them.
TEST_F(ReproducerTest, OnePassIsEnoughWhereItLeavesTosa) {
  for (const char* name : {"mul-zero-fold-infinity", "add-zero-fold-read-beyond", "clamp-nan-mode-canonicalize"}) {
    SCOPED_TRACE(name);
    const Reproduction reproduction = OfOnePass(Read(absl::StrCat("regressions/", name)));
    EXPECT_EQ(reproduction.one_pass.pipeline, "builtin.module(func.func(canonicalize))");
    const Folder folder(reproduction);
    const Ran alone = folder.Script("MLIR_RUNNER=/nowhere MLIR_TRANSLATE=/nowhere");
    EXPECT_EQ(alone.status, 1) << alone.output << alone.errors;
    EXPECT_TRUE(absl::StrContains(alone.last_line, reproduction.one_pass.wrong)) << alone.last_line;
    EXPECT_FALSE(folder.TestPasses()) << folder.file("test.mlir");
    // Other IR may be as wrong: then the code decides.
    Spill(folder.directory() / "lowered.mlir", "module {\n}\n");
    const Ran executed = folder.Script();
    EXPECT_EQ(executed.status, 1) << executed.output << executed.errors;
    EXPECT_FALSE(absl::StrContains(executed.last_line, reproduction.one_pass.wrong)) << executed.last_line;
  }
}

// Where the code is wrong and TOSA is not, or nothing is, there is none.
TEST_F(ReproducerTest, OnePassIsNotWhereTosaIsRight) {
  for (const char* name : {"regressions/ceil-math-expanded-large", "regressions/abs-abs-type"}) {
    EXPECT_EQ(OfOnePass(Read(name)).one_pass.pipeline, "") << name;
  }
}

constexpr char kConforms[] = "spec/rfc.case.add-2d-all-dynamic";

struct Known {
  const char* name;
  Showing showing;
  const char* says;
};

void PrintTo(const Known& known, std::ostream* out) { *out << known.name; }

class KnownReproducer : public ReproducerTest, public testing::WithParamInterface<Known> {};

TEST_P(KnownReproducer, Shows) {
  const Reproduction reproduction = Of(Read(absl::StrCat("regressions/", GetParam().name)));
  EXPECT_EQ(reproduction.showing, GetParam().showing);
  ExpectShows(reproduction, GetParam().says);
}

INSTANTIATE_TEST_SUITE_P(
    Each, KnownReproducer,
    testing::Values(
        Known{"mul-result-shape", Showing::kRefuses, "mlir-opt accepts it; false-accept, rule bcast.verify.different"},
        Known{"intdiv-zero-fold-type", Showing::kLowers, "mlir-opt refuses; lowering-failed"},
        Known{"cast-f16-bf16", Showing::kLowers, "refuses; lowering-failed"},
        Known{"reciprocal-constant-fold-dynamic-constant", Showing::kRereads, "does not read what it printed"},
        Known{"reshape-constant-minus-one", Showing::kLowers, "mlir-opt dies of signal 11; lowering-failed"},
        Known{"reshape-constant-minus-one-greater", Showing::kLowers, "mlir-opt dies of signal 11; lowering-failed"},
        Known{"clamp-unranked-canonicalize-crash", Showing::kLowers, "mlir-opt dies of signal 11; crash"},
        Known{"intdiv-affine-vectorized-padding", Showing::kExecutes, "the program dies of signal 8; crash"},
        Known{"mul-zero-fold-infinity", Showing::kExecutes, "wrong-value, rule value.mul"},
        Known{"cast-i32-bf16-double-rounding", Showing::kExecutes, "wrong-value"},
        Known{"ceil-math-expanded-large", Showing::kExecutes, "wrong-value, rule value.ceil"},
        Known{"negate-negate-i8-minimum", Showing::kExecutes, "wrong-value"},
        Known{"sub-zero-fold-broadcast", Showing::kExecutes, "wrong-shape, rule runtime.broadcast"},
        Known{"clamp-nan-mode-upstream", Showing::kExecutes, "wrong-value, rule value.clamp"},
        // mlir-opt has the pass under another name; and of one that it lacks, what it leaves is the reproducer.
        Known{"cos-math-polynomial-large", Showing::kExecutes, "wrong-value, rule value.cos"},
        Known{"select-linalg-vectorized-i1", Showing::kExecutes, "wrong-value, rule value.select"},
        Known{"equal-linalg-vectorized-i1", Showing::kGuards, "element 1 of the result depends on memory"},
        Known{"cos-math-polynomial-infinity", Showing::kPoison,
              "element 0 of the result changes with what poison is taken for"},
        Known{"add-superfluous-broadcast", Showing::kIr, "contract-violation"},
        Known{"equal-fold-dynamic-constant", Showing::kIr, "contract.folded.constant"}),
    [](const testing::TestParamInfo<Known>& info) { return absl::StrReplaceAll(info.param.name, {{"-", "_"}}); });

class QuietReproducer : public ReproducerTest, public testing::WithParamInterface<const char*> {};

TEST_P(QuietReproducer, OfWhatConforms) {
  const Case conforms = Read(GetParam());
  for (const auto& [verdict, stage] : {std::pair(Verdict::kFalseReject, Stage::kVerify),
                                       {Verdict::kWrongInference, Stage::kInfer},
                                       {Verdict::kLoweringFailed, Stage::kLower},
                                       {Verdict::kCrash, Stage::kVerify},
                                       {Verdict::kCrash, Stage::kLower},
                                       {Verdict::kCrash, Stage::kExecute},
                                       {Verdict::kTimeout, Stage::kLower},
                                       {Verdict::kMemoryFault, Stage::kExecute},
                                       {Verdict::kUninitializedResult, Stage::kExecute},
                                       {Verdict::kWrongShape, Stage::kExecute},
                                       {Verdict::kWrongValue, Stage::kExecute}}) {
    SCOPED_TRACE(Name(verdict));
    ExpectQuiet(Of(conforms, LookFor(verdict, stage)));
    EXPECT_EQ(verdict_, Verdict::kAgree);
  }
  Case loose = conforms;
  loose.route = "canonicalized";
  Reproduction rereads = Of(loose, LookFor(Verdict::kLoweringFailed, Stage::kLower));
  rereads.showing = Showing::kRereads;
  ExpectQuiet(rereads);
}

INSTANTIATE_TEST_SUITE_P(Each, QuietReproducer, testing::Values(kConforms, "rules/value.reshape"),
                         [](const auto& info) {
                           return absl::StrReplaceAll(info.param, {{"/", "_"}, {".", "_"}, {"-", "_"}});
                         });

// Which NaN comes out is nobody's business, and the program says so.
TEST_F(ReproducerTest, AnyNanIsQuietWhereOneIsAllowed) {
  const Reproduction of_nan =
      Of(Read("rules/value.log.special-values"), LookFor(Verdict::kWrongValue, Stage::kExecute));
  EXPECT_TRUE(absl::StrContains(ReproducerModule(of_nan), "arith.cmpf uno"));
  ExpectQuiet(of_nan);
}

TEST_F(ReproducerTest, OfWhatMlirRefusesIsQuietIfItMustAndShowsIfItMustNot) {
  const Case refused = Read("spec/rfc.case.rank-equality");
  ExpectQuiet(Of(refused, LookFor(Verdict::kFalseAccept, Stage::kVerify)));
  ExpectShows(Of(refused, LookFor(Verdict::kFalseReject, Stage::kVerify)), "mlir-opt refuses; false-reject");
  ExpectShows(Of(Read(kConforms), LookFor(Verdict::kFalseAccept, Stage::kVerify)), "mlir-opt accepts it");
}

TEST_F(ReproducerTest, OfAWrongInferenceLooksForTheRightType) {
  Reproduction reproduction = Of(Read(kConforms), LookFor(Verdict::kWrongInference, Stage::kInfer));
  reproduction.judgement.expected = "tensor<7x?xf32>";
  ExpectShows(reproduction, "wrong-inference");
}

TEST_F(ReproducerTest, OfAMissedStopAndAFalseOne) {
  Case fits = Read(kConforms), conflicts = fits;
  fits.route = conflicts.route = "verified";
  conflicts.runs = {{Tensor(ElementType::kF32, {2, 2}), Tensor(ElementType::kF32, {2, 3})}};
  const Judgement missed = LookFor(Verdict::kContractViolation, Stage::kExecute, RuleId::kVerificationMissedStop);
  ExpectShows(Of(fits, missed), "it goes on to its end");
  ExpectQuiet(Of(conflicts, missed));
  const Judgement false_stop = LookFor(Verdict::kContractViolation, Stage::kExecute, RuleId::kVerificationFalseStop);
  ExpectShows(Of(conflicts, false_stop), "dies of signal 6");
  ExpectQuiet(Of(fits, false_stop));
}

TEST_F(ReproducerTest, OfAMemoryFaultSaysWhere) {
  Load("read-past-end");
  Case test_case = Read("spec/rfc.case.add-1d-all-dynamic");
  test_case.route = std::string(kCustomRoute);
  const Reproduction reproduction = Of(test_case);
  EXPECT_EQ(verdict_, Verdict::kMemoryFault);
  ExpectShows(reproduction, "read at byte");
  const Folder folder(reproduction);
  EXPECT_TRUE(absl::StrContains(folder.file("repro.ll"), "define void @_mlir_ciface_test("));
}

TEST_F(ReproducerTest, OfAWriteIntoAnOperandSaysWhich) {
  Load("write-into-operand");
  Case test_case = Read(kConforms);
  const TensorType type = ParseTensorType("tensor<2xi8>").value();
  test_case.program.arguments = {type, type};
  test_case.program.ops[0].op = OpKind::kBitwiseAnd;
  test_case.program.ops[0].result = type;
  test_case.runs = {{Tensor(ElementType::kI8, {2}), Tensor(ElementType::kI8, {2})}};
  test_case.route = std::string(kCustomRoute);
  ExpectShows(Of(test_case), "write at byte 0 of operand");
}

// exp(exp(x)) of f16: the inner result is a buffer to free.
Case Nested() {
  Case nested;
  const TensorType type = ParseTensorType("tensor<?xf16>").value();
  nested.program.arguments = {type};
  nested.program.ops = {{OpKind::kAbs, {{ValueRef::Kind::kArgument, 0}}, {}, type},
                        {OpKind::kExp, {{ValueRef::Kind::kOp, 0}}, {}, type}};
  nested.program.results = {{ValueRef::Kind::kOp, 1}};
  nested.runs = {{Tensor(ElementType::kF16, {3})}};
  nested.route = "loops-dealloc";
  return nested;
}

TEST_F(ReproducerTest, OfALeakCountsWhatIsLost) {
  ExpectQuiet(Of(Nested(), LookFor(Verdict::kLeak, Stage::kExecute)));
  Load("never-free");
  Case leaks = Nested();
  leaks.route = std::string(kCustomRoute);
  const Reproduction reproduction = Of(leaks);
  EXPECT_EQ(verdict_, Verdict::kLeak);
  ExpectShows(reproduction, "1 allocation is neither freed nor returned");
}

TEST_F(ReproducerTest, OfWhatIsFreedTwiceOrUsedAfterwards) {
  for (const auto& [broken, says] : {std::pair("free-twice", "it frees what is not allocated, or twice"),
                                     {"free-early", "of freed an allocation"}}) {
    SCOPED_TRACE(broken);
    Load(broken);
    Case test_case = Nested();
    test_case.route = std::string(kCustomRoute);
    ExpectShows(Of(test_case), says);
  }
}

TEST_F(ReproducerTest, OfADifferenceToATwinHasBoth) {
  // abs(infinity) * 0, folded to 0; as an argument the 0 is not.
  Case test_case = Nested();
  test_case.route = "loops";
  const TensorType type = ParseTensorType("tensor<3xf16>").value();
  test_case.program.arguments[0] = test_case.program.ops[0].result = type;
  test_case.program.constants = {Tensor(ElementType::kF16, {3}), Tensor(ElementType::kI8, {1})};
  test_case.program.ops[1] = {
      OpKind::kMul,
      {{ValueRef::Kind::kOp, 0}, {ValueRef::Kind::kConstant, 0}, {ValueRef::Kind::kConstant, 1}},
      {},
      type};
  test_case.runs[0][0].SetBits(1, 0xfc00);
  test_case.twin = "constants-as-arguments";
  // The values that the arguments allow show it already; here the twin alone has to.
  Load();
  const Case twin = TwinOf(test_case).value();
  CheckedCase checked;
  checked.observation = toolchain_->Observe(test_case);
  JudgeTwin(test_case, checked.observation, twin, toolchain_->Observe(twin), {}, &checked.judgement);
  const Reproduction reproduction = ReproductionOf(*toolchain_, test_case, checked, "", {}, {});
  ASSERT_TRUE(reproduction.twin.has_value()) << Name(reproduction.judgement.rule);
  ExpectShows(reproduction, "metamorphic.constants-as-arguments");
  const Folder folder(reproduction);
  EXPECT_TRUE(absl::StrContains(folder.file("twin.mlir"), "func.func @main()"));
  const Ran ran = folder.Script();
  EXPECT_TRUE(absl::StrContains(ran.output, "actual:   3: 0x0000 0x0000 0x0000")) << ran.output;
  EXPECT_TRUE(absl::StrContains(ran.output, "its twin, constants-as-arguments: 3: 0x0000 0x7e00 0x0000") ||
              absl::StrContains(ran.output, "its twin, constants-as-arguments: 3: 0x0000 0xfe00 0x0000"))
      << ran.output;
}

TEST_F(ReproducerTest, AScalarIsCalledSo) {
  const Folder folder(Of(Read("regressions/mul-zero-fold-infinity")));
  const Ran ran = folder.Script();
  EXPECT_TRUE(absl::StrContains(ran.output, "expected: scalar: NaN\nactual:   scalar: 0x0000\n")) << ran.output;
}

TEST_F(ReproducerTest, TakesAllKindsOfTypes) {
  // Dynamic, unranked, rank 0; types that take no whole number of bytes, or are no numbers to arith.
  for (const char* types : {"tensor<?x?xi1> bitwise_not", "tensor<2x1xi16> abs", "tensor<*xf32> abs",
                            "tensor<bf16> abs", "tensor<2x?x1xf32> exp", "tensor<?xi32> clz"}) {
    SCOPED_TRACE(types);
    const std::vector<std::string> parts = absl::StrSplit(types, ' ');
    const TensorType type = ParseTensorType(parts[0]).value();
    Case test_case;
    test_case.program.arguments = {type};
    test_case.program.ops = {{*FindOp(parts[1] == "bitwise_not" ? "logical_not" : parts[1]), {{}}, {}, type}};
    test_case.program.results = {{ValueRef::Kind::kOp, 0}};
    std::vector<int64_t> sizes;
    for (size_t i = 0; type.shape.IsRanked() && i < type.shape.rank(); ++i) {
      sizes.push_back(type.shape[i].IsStatic() ? type.shape[i].size() : 2);
    }
    if (!type.shape.IsRanked()) sizes = {2};
    Tensor data(type.element_type, sizes);
    for (size_t i = 0; i < data.element_count(); ++i) data.SetBits(i, i & BitMask(type.element_type));
    test_case.runs = {{data}};
    const Reproduction reproduction = Of(test_case, LookFor(Verdict::kWrongValue, Stage::kExecute));
    if (verdict_ != Verdict::kAgree) continue;  // an unranked one may not be lowered
    ExpectQuiet(reproduction);
  }
}

TEST_F(ReproducerTest, SaysWhatStockToolsCannotShow) {
  for (const auto& [route, verdict] : {std::pair("library-call", Verdict::kWrongValue),
                                       {"counted", Verdict::kContractViolation},
                                       {"aligned", Verdict::kMemoryFault}}) {
    SCOPED_TRACE(route);
    Case test_case = Read(kConforms);
    test_case.route = route;
    const Folder folder(Of(test_case, LookFor(verdict, Stage::kExecute)));
    const Ran ran = folder.Script();
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(absl::StartsWith(ran.last_line, "cannot tell: on this route")) << ran.last_line;
    EXPECT_EQ(folder.file("test.mlir"), "");
  }
}

TEST_F(ReproducerTest, TakesToolsFromTheEnvironmentAndSaysWhichIsMissing) {
  const Folder folder(Of(Read("regressions/mul-zero-fold-infinity")));
  EXPECT_EQ(folder.Script(absl::StrCat("MLIR_BIN=", TOSAIC_LLVM_TOOLS)).status, 1);
  for (const char* missing :
       {"MLIR_BIN=/nonexistent", "MLIR_OPT=/nonexistent", "MLIR_RUNNER=/nonexistent", "MLIR_LIB=/nonexistent"}) {
    const Ran ran = folder.Script(missing);
    EXPECT_EQ(ran.status, 2) << missing;
    EXPECT_TRUE(absl::StartsWith(ran.last_line, "cannot tell: no ")) << ran.last_line;
  }
  EXPECT_TRUE(absl::StrContains(folder.Script("MLIR_OPT=/nonexistent").errors, "(set MLIR_BIN or MLIR_OPT)"));
}

TEST_F(ReproducerTest, OfAHangSaysSo) {
  const Folder folder(Of(Read(kConforms), LookFor(Verdict::kTimeout, Stage::kLower)));
  Spill(folder.directory() / "hangs", "#!/bin/sh\ncase \"$*\" in *repro.mlir*) sleep 100 ;; esac\n");
  std::filesystem::permissions(folder.directory() / "hangs", std::filesystem::perms::owner_all);
  const Ran ran = folder.Script(absl::StrCat("LIMIT=1 MLIR_OPT=", folder.directory() / "hangs"));
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(absl::StrContains(ran.last_line, "mlir-opt hangs")) << ran.last_line;
}

// Another version's answer is none where it does not know the ops as they are spelled, or lacks a pass.
TEST_F(ReproducerTest, OnAnMlirThatDoesNotKnowTheFileItCannotTell) {
  for (const char* name : {"regressions/mul-result-shape", "regressions/mul-zero-fold-infinity",
                           "regressions/clamp-unranked-canonicalize-crash"}) {
    const Folder folder(Of(Read(name)));
    for (const char* version : {"16", "19"}) {
      const std::string tools = absl::StrCat("/usr/lib/llvm-", version, "/bin");
      if (!std::filesystem::exists(tools + "/mlir-opt")) GTEST_SKIP() << "not tried: no " << tools;
      const Ran ran = folder.Script(absl::StrCat("MLIR_BIN=", tools));
      EXPECT_EQ(ran.status, 2) << name << " on " << version << ": " << ran.output;
      EXPECT_TRUE(absl::StartsWith(ran.last_line, "cannot tell: this mlir-opt does not ")) << ran.last_line;
      EXPECT_EQ(folder.Script(absl::StrCat("MLIR_BIN=", tools), "--bisect").status, 125);
    }
  }
  Reproduction later = Of(Read(kConforms), LookFor(Verdict::kLoweringFailed, Stage::kLower));
  later.pipeline = "builtin.module(no-such-pass)";
  const Ran ran = Folder(later).Script();
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(absl::StrContains(ran.last_line, "does not run the passes on an empty module: error: ")) << ran.last_line;
}

// A program that another version refuses, or that fails there behind the passes that go wrong here, is no answer.
TEST_F(ReproducerTest, WhereTheProgramOrTheRestOfThePassesFailItCannotTell) {
  const std::string tools = "/usr/lib/llvm-16/bin";
  if (!std::filesystem::exists(tools + "/mlir-opt")) GTEST_SKIP() << "not tried: no " << tools;
  for (const char* name : {"regressions/equal-fold-unranked-crash", "regressions/arithmetic-right-shift-unsigned"}) {
    const Folder folder(Of(Read(name)));
    const Ran ran = folder.Script(absl::StrCat("MLIR_BIN=", tools));
    EXPECT_EQ(ran.status, 2) << name << ": " << ran.output;
    EXPECT_EQ(folder.Script(absl::StrCat("MLIR_BIN=", tools), "--bisect").status, 125) << name;
  }
  const auto of_inference_alone = [&](const std::string& whole) {
    Reproduction early = Of(Read(kConforms), LookFor(Verdict::kLoweringFailed, Stage::kLower));
    early.pipeline = "builtin.module(func.func(tosa-infer-shapes))";
    early.whole_pipeline = whole.empty() ? early.whole_pipeline : whole;
    return Folder(early).Script();
  };
  const Ran fails = of_inference_alone("builtin.module(one-shot-bufferize)");
  EXPECT_EQ(fails.status, 2) << fails.output;
  EXPECT_TRUE(absl::StartsWith(fails.last_line, "cannot tell: the passes that went wrong are right, and the whole"))
      << fails.last_line;
  EXPECT_EQ(of_inference_alone("builtin.module(no-such-pass)").status, 2);
  EXPECT_EQ(of_inference_alone("builtin.module(func.func(tosa-to-linalg))").last_line, "conforms");
}

// A program that is refused on the way to a wrong value has no wrong value.
TEST_F(ReproducerTest, ARefusalOnTheWayToAValueCannotTell) {
  Reproduction refused = Of(Read("regressions/mul-zero-fold-infinity"));
  refused.pipeline = "builtin.module(convert-func-to-llvm)";
  const Ran ran = Folder(refused).Script();
  EXPECT_EQ(ran.status, 2) << ran.output;
  EXPECT_TRUE(absl::StartsWith(ran.last_line, "cannot tell: ")) << ran.last_line;
}

TEST_F(ReproducerTest, PathsAreSeenFromWhereTheScriptIsCalled) {
  const Folder folder(Of(Read("regressions/mul-zero-fold-infinity")));
  const std::string from = std::filesystem::path(TOSAIC_LLVM_TOOLS).parent_path();
  EXPECT_EQ(folder.Script("MLIR_BIN=./bin", "", from).status, 1);
}

TEST_F(ReproducerTest, OfIrThatIsAnotherByNowCannotTell) {
  Reproduction reproduction = Of(Read("regressions/add-superfluous-broadcast"));
  reproduction.lowered = "module {\n}\n";
  const Ran ran = Folder(reproduction).Script();
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(absl::StrContains(ran.last_line, "the IR is no longer that of lowered.mlir")) << ran.last_line;
}

}  // namespace
}  // namespace tosaic
