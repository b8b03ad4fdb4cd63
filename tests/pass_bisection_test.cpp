// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which pass is named, of the real MLIR's divergences and of broken lowerings that were put in.
#include "diagnosis/pass_bisection.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "checking/files.h"
#include "checking/library_function.h"
#include "diagnosis/blame_of_base.h"
#include "diagnosis/edit_to_blame.h"
#include "gtest/gtest.h"
#include "model/pass_pipeline.h"
#include "mutants/broken_lowering.h"
#include "toolchain/mlir/mlir_import.h"
#include "toolchain/mlir/mlir_toolchain.h"

namespace tosaic {
namespace {

Case Read(const std::string& name) {
  absl::StatusOr<Case> read = ReadCase(absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/", name, ".json"));
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? *read : Case();
}

std::unique_ptr<Toolchain> Create(ToolchainOptions options = {}) {
  options.library_function = OracleLibrary();
  absl::StatusOr<std::unique_ptr<Toolchain>> created = CreateMlirToolchain(options);
  EXPECT_TRUE(created.ok()) << created.status();
  return created.ok() ? *std::move(created) : nullptr;
}

PassBisection Bisect(Toolchain& toolchain, const Case& test_case) {
  absl::StatusOr<PassBisection> bisection =
      BisectPasses(toolchain, test_case, {}, {}, [](absl::string_view text) { return ReadWholeFunction(text); });
  EXPECT_TRUE(bisection.ok()) << bisection.status();
  return bisection.ok() ? *bisection : PassBisection();
}

// "canonicalize", or "affine-super-vectorize to convert-vector-to-llvm".
std::string Suspects(const PassBisection& bisection) {
  const auto name = [&](size_t index) {
    const std::string& text = bisection.passes[index].text;
    return text.substr(0, text.find('{'));
  };
  if (bisection.suspects.empty()) return "nobody";
  const std::string first = name(bisection.suspects.front());
  return bisection.suspects.size() == 1 ? first : absl::StrCat(first, " to ", name(bisection.suspects.back()));
}

struct Known {
  const char* name;
  const char* suspects;
};

void PrintTo(const Known& known, std::ostream* out) { *out << known.name; }

class KnownBisection : public testing::TestWithParam<Known> {};

TEST_P(KnownBisection, NamesThePass) {
  const std::unique_ptr<Toolchain> toolchain = Create();
  const PassBisection bisection = Bisect(*toolchain, Read(absl::StrCat("regressions/", GetParam().name)));
  EXPECT_EQ(Suspects(bisection), GetParam().suspects) << bisection.evidence;
  for (const size_t suspect : bisection.suspects) {
    EXPECT_TRUE(bisection.passes[suspect].suspect && bisection.passes[suspect].changes);
  }
  EXPECT_EQ(bisection.passes.size(), SplitPipeline(bisection.pipeline)->size());
}

INSTANTIATE_TEST_SUITE_P(
    Each, KnownBisection,
    testing::Values(
        // IR that does not verify, a refusal, a death, a rule that the IR breaks.
        Known{"intdiv-zero-fold-type", "tosa-to-linalg"},
        Known{"reciprocal-constant-fold-type", "tosa-layerwise-constant-fold"},
        Known{"sub-zero-fold-illegal-ir", "canonicalize to tosa-infer-shapes"},
        Known{"clz-linalg-vectorized", "convert-math-to-libm"},
        Known{"clamp-unranked-canonicalize-crash", "canonicalize"},
        Known{"reciprocal-constant-fold-dynamic-constant", "canonicalize"},
        Known{"add-superfluous-broadcast", "tosa-to-linalg"},
        // These show only when they run.
        Known{"clamp-nan-mode-canonicalize", "canonicalize"}, Known{"ceil-math-expanded-large", "math-expand-ops"},
        Known{"cos-math-polynomial-large", "tosaic-polynomial-math"},
        // Nobody but the route itself lowers vectors; and nobody leaves out the passes that fold.
        Known{"intdiv-affine-vectorized-padding", "affine-super-vectorize to convert-vector-to-llvm"},
        Known{"equal-linalg-vectorized-i1", "tosaic-vectorize-linalg to convert-vector-to-llvm"},
        // Where the IR is TOSA, it is read, so that folding has a place.
        Known{"mul-zero-fold-infinity", "tosa-make-broadcastable"}),
    [](const testing::TestParamInfo<Known>& info) { return absl::StrReplaceAll(info.param.name, {{"-", "_"}}); });

// R4 shows with math-expand-ops alone; F5 shows without it, too.
// x * 0 is folded by canonicalize, which is a pass of the route canonicalized, and none of loops.
TEST(IsPassOfBaseToBlame, IsAPassThatTheBaseHasToo) {
  Case test_case = Read("regressions/mul-zero-fold-infinity");
  test_case.route = std::string(kCustomRoute);
  const auto is_blamed = [&](const char* route, const char* before, const char* added) {
    ToolchainOptions options;
    options.custom_like = route;
    options.pipeline = *InsertPass(FindRoute(route)->pipeline, PassPlace::kBefore, before, added);
    const std::unique_ptr<Toolchain> toolchain = Create(options);
    const PatchBase base = *PatchBase::OfEdit(*toolchain);
    return IsPassOfBaseToBlame(*toolchain, base, test_case, {}, {},
                               [](absl::string_view text) { return ReadWholeFunction(text); });
  };
  EXPECT_TRUE(is_blamed("canonicalized", "canonicalize", "control-flow-sink"));
  EXPECT_FALSE(is_blamed("loops", "tosa-infer-shapes", "canonicalize"));
  EXPECT_FALSE(is_blamed("canonicalized", "canonicalize", "cse")) << "as of another build: the base has all passes";
}

TEST(LeftByPatch, IsTheProgramIfItIsRight) {
  Case test_case = Read("regressions/mul-zero-fold-infinity");
  test_case.route = std::string(kCustomRoute);
  const auto left_by = [&](const char* added, const ProgramReader& read) {
    ToolchainOptions options;
    options.custom_like = "loops";
    options.pipeline = *InsertPass(FindRoute("loops")->pipeline, PassPlace::kBefore, "tosa-infer-shapes", added);
    const std::unique_ptr<Toolchain> toolchain = Create(options);
    return LeftByPatch(*toolchain, *PatchBase::OfEdit(*toolchain), test_case, {}, {}, read);
  };
  const auto read = [](absl::string_view text) { return ReadWholeFunction(text); };
  const std::optional<Case> left = left_by("control-flow-sink", read);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->route, "loops");
  EXPECT_EQ(left->runs, test_case.runs);
  EXPECT_EQ(left->program.ops.size(), test_case.program.ops.size());
  EXPECT_FALSE(left_by("canonicalize", read)) << "x * 0 is folded to 0, which is wrong of an infinity";
  EXPECT_FALSE(left_by("control-flow-sink", nullptr));
}

TEST(EditToBlame, IsWhatTheRouteIsRightWithout) {
  ToolchainOptions options;
  options.custom_like = "loops";
  options.pipeline =
      InsertPass(FindRoute("loops")->pipeline, PassPlace::kBefore, "arith-expand", "math-expand-ops").value();
  const std::unique_ptr<Toolchain> toolchain = Create(options);
  const auto edit_to_blame = [&](const char* name, absl::string_view route) {
    Case test_case = Read(absl::StrCat("regressions/", name));
    test_case.route = std::string(route);
    return EditToBlame(*toolchain, test_case, {}, {});
  };
  EXPECT_EQ(edit_to_blame("ceil-math-expanded-large", kCustomRoute), "math-expand-ops");
  EXPECT_EQ(edit_to_blame("ceil-math-expanded-large", "math-expanded"), "") << "no edited route";
  EXPECT_EQ(edit_to_blame("mul-zero-fold-infinity", kCustomRoute), "");
}

TEST(PassBisection, SaysThatConstantsMatter) {
  const std::unique_ptr<Toolchain> toolchain = Create();
  const Case folded = Read("regressions/mul-zero-fold-infinity");
  const absl::StatusOr<PassBisection> unread = BisectPasses(*toolchain, folded, {}, {});
  ASSERT_TRUE(unread.ok()) << unread.status();
  EXPECT_EQ(Suspects(*unread), "tosa-make-broadcastable to convert-to-llvm");
  EXPECT_TRUE(absl::StrContains(unread->evidence, "with its constants as arguments the case is right"));
  const PassBisection read = Bisect(*toolchain, folded);
  EXPECT_TRUE(read.folded);
  EXPECT_TRUE(absl::StartsWith(read.evidence,
                               "the IR after it, read again as a TOSA program, is wrong: it returns 0 instead of NaN"))
      << read.evidence;
  EXPECT_FALSE(read.code_generation);
}

// F4: the passes are right, and what LLVM makes of their IR is not.
TEST(PassBisection, SuspectsCodeGenerationWhereNoPassPipelineMakesRightCode) {
  const PassBisection bisection = Bisect(*Create(), Read("regressions/cast-i32-bf16-double-rounding"));
  EXPECT_TRUE(bisection.code_generation);
  EXPECT_FALSE(bisection.folded);
  EXPECT_EQ(PassToBlame(bisection), "");
}

TEST(PassBisection, WhatIsNoPassesBusinessIsAnError) {
  const std::unique_ptr<Toolchain> toolchain = Create();
  const auto error = [&](const std::string& name) {
    return std::string(BisectPasses(*toolchain, Read(name), {}, {}).status().message());
  };
  EXPECT_EQ(error("spec/rfc.case.add-2d-all-dynamic"), "the verdict is agree; only a divergence can be bisected");
  EXPECT_EQ(error("regressions/mul-result-shape"),
            "the verdict is false-accept at verify: no pass of a route takes part");
}

constexpr ValueRef kFirst = {ValueRef::Kind::kArgument, 0};

Case AddCase() { return Read("spec/rfc.case.add-1d-all-dynamic"); }

Case OneOp(OpKind op, const std::vector<ValueRef>& operands, ElementType type, ElementType result, uint64_t bits) {
  Case test_case;
  const Shape shape({Dim::Dynamic()});
  for (const ValueRef operand : operands) {
    if (static_cast<size_t>(operand.index) < test_case.program.arguments.size()) continue;
    test_case.program.arguments.push_back({shape, type});
  }
  test_case.program.ops = {{op, operands, {}, {shape, result}}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  Tensor data(type, {2});
  data.SetBits(1, bits);
  test_case.runs = {Run(test_case.program.arguments.size(), data)};
  test_case.runs[0][0].SetBits(0, bits);
  return test_case;
}

Case EqualNan() {
  Case test_case = OneOp(OpKind::kEqual, {kFirst, kFirst}, ElementType::kF32, ElementType::kI1, 0x7fc00000);
  test_case.program.arguments[0].shape = test_case.program.ops[0].result.shape = Shape::OfSizes({2});
  return test_case;
}

Case SubOfF16() {
  return OneOp(OpKind::kSub, {kFirst, {ValueRef::Kind::kArgument, 1}}, ElementType::kF16, ElementType::kF16, 0x3c00);
}

// exp(abs(x)): abs(x) is a buffer to be freed.
Case Nested() {
  Case nested = OneOp(OpKind::kAbs, {kFirst}, ElementType::kF16, ElementType::kF16, 0x3c00);
  nested.program.ops.push_back({OpKind::kExp, nested.program.results, {}, nested.program.ops[0].result});
  nested.program.results = {{ValueRef::Kind::kOp, 1}};
  return nested;
}

struct Broken {
  const char* name;
  Case (*test_case)();
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

class BrokenBisection : public testing::TestWithParam<Broken> {};

TEST_P(BrokenBisection, NamesThePassThatWasPutIn) {
  ToolchainOptions options;
  options.plugins = {TOSAIC_PLUGIN};
  ASSERT_NE(Create(options), nullptr);  // so that the list can be asked for
  const absl::StatusOr<std::vector<BrokenLowering>> list = BrokenLoweringsOf(TOSAIC_PLUGIN);
  ASSERT_TRUE(list.ok()) << list.status();
  for (const BrokenLowering& broken : *list) {
    if (broken.name != GetParam().name) continue;
    options.custom_like = broken.route;
    options.pipeline =
        InsertPass(FindRoute(broken.route)->pipeline, PassPlace::kAfter, broken.after, broken.pass).value();
  }
  ASSERT_NE(options.pipeline, "");
  const std::unique_ptr<Toolchain> toolchain = Create(options);
  Case test_case = GetParam().test_case();
  test_case.route = std::string(kCustomRoute);
  const PassBisection bisection = Bisect(*toolchain, test_case);
  ASSERT_EQ(bisection.suspects.size(), 1u) << Suspects(bisection) << "; " << bisection.evidence;
  EXPECT_EQ(bisection.passes[bisection.suspects[0]].text, absl::StrCat("tosaic-break{what=", GetParam().name, "}"));
}

INSTANTIATE_TEST_SUITE_P(Each, BrokenBisection,
                         testing::Values(Broken{"minimum-extent", AddCase}, Broken{"read-past-end", AddCase},
                                         Broken{"swap-sub", SubOfF16}, Broken{"fold-equal-itself", EqualNan},
                                         Broken{"never-free", Nested}, Broken{"free-twice", Nested}),
                         [](const testing::TestParamInfo<Broken>& info) {
                           return absl::StrReplaceAll(info.param.name, {{"-", "_"}});
                         });

}  // namespace
}  // namespace tosaic
