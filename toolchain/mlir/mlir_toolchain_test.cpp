// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The in-process MLIR, stage by stage, on the real thing.
#include "toolchain/mlir/mlir_toolchain.h"

#include <signal.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "toolchain/execution/joined_toolchain.h"
#include "toolchain/program_testing.h"
#include "toolchain/toolchain.h"
#include "workers/progress.h"

namespace tosaic {
namespace {

using E = ElementType;
using Value = ValueRef::Kind;

// A library that writes zeros, whatever the op.
Tensor Zeros(const Program&, const OpApplication& op, absl::Span<const Tensor* const>,
             const std::vector<int64_t>& sizes) {
  return Tensor(op.result.element_type, sizes);
}

std::unique_ptr<Toolchain> Fresh(const std::string& pipeline = "") {
  ToolchainOptions options;
  options.pipeline = pipeline;
  options.library_function = Zeros;
  auto toolchain = CreateMlirToolchain(options);
  EXPECT_TRUE(toolchain.ok()) << toolchain.status();
  return toolchain.ok() ? *std::move(toolchain) : nullptr;
}

// A toolchain that all tests share, as all cases of a worker do. Lives until the process ends.
Toolchain& Shared() {
  static Toolchain* toolchain = Fresh().release();
  return *toolchain;
}

Tensor F32(std::vector<int64_t> sizes, const std::vector<float>& values) {
  Tensor tensor(E::kF32, std::move(sizes));
  for (size_t i = 0; i < values.size(); ++i) tensor.SetBits(i, std::bit_cast<uint32_t>(values[i]));
  return tensor;
}

Case AddOf(const Shape& a, const Shape& b, const Shape& result, const Run& run) {
  return CaseOf(OpKind::kAdd, {{a, E::kF32}, {b, E::kF32}}, {result, E::kF32}, run);
}

Shape Sizes(const std::vector<int64_t>& sizes) { return Shape::OfSizes(sizes); }

bool AnyContains(const std::vector<std::string>& texts, absl::string_view part) {
  for (const std::string& text : texts) {
    if (absl::StrContains(text, part)) return true;
  }
  return false;
}

void ExpectResult(const Observation& observation, const Tensor& expected) {
  EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  ASSERT_EQ(observation.runs.size(), 1u);
  ASSERT_EQ(observation.runs[0].results.size(), 1u);
  EXPECT_EQ(observation.runs[0].results[0].tensor, expected)
      << SizesToString(observation.runs[0].results[0].tensor.sizes()) << ": "
      << DataToHex(observation.runs[0].results[0].tensor);
  EXPECT_TRUE(observation.runs[0].results[0].unwritten.empty());
}

// ---- Verify and infer ----

TEST(MlirToolchain, RefusesAnIllegalProgramAtVerifyWithDiagnostics) {
  const Case test_case = AddOf(Sizes({2}), Sizes({3}), Sizes({3}), {F32({2}, {1, 2}), F32({3}, {1, 2, 3})});
  const Observation observation = Shared().Observe(test_case);
  EXPECT_EQ(observation.outcome, Outcome::kRefused);
  EXPECT_EQ(observation.stage, Stage::kVerify);
  EXPECT_TRUE(AnyContains(observation.diagnostics, "'tosa.add' op")) << Summarize(observation);
  EXPECT_TRUE(observation.runs.empty());
}

TEST(MlirToolchain, SaysWhatShapeInferenceFinds) {
  const Shape a({Dim::Dynamic(), Dim::Static(1), Dim::Static(4)});
  const Shape b({Dim::Static(1), Dim::Dynamic(), Dim::Static(4)});
  const Observation observation = Shared().verifier()->ObserveDecision(AddOf(a, b, Dynamic(3), {}).program);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  ASSERT_EQ(observation.inferred.size(), 1u);
  EXPECT_EQ(observation.inferred[0]->shape, Shape({Dim::Dynamic(), Dim::Dynamic(), Dim::Static(4)}));
  EXPECT_TRUE(observation.diagnostics.empty());
}

TEST(MlirToolchain, DecidesOnlyWhereACaseHasNoRuns) {
  Case test_case = AddOf(Sizes({2}), Sizes({2}), Sizes({2}), {});
  test_case.runs.clear();
  const Observation observation = Shared().Observe(test_case);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted);
  EXPECT_EQ(observation.stage, Stage::kInfer);
}

TEST(MlirToolchain, DecidesAloneAsOnTheWay) {
  const Shape shapes[] = {Shape(),    Sizes({1}),    Sizes({2}), Sizes({0}),
                          Dynamic(1), Sizes({1, 2}), Dynamic(2), Shape::Unranked()};
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      for (const Shape& result : shapes) {
        Case test_case = AddOf(a, b, result, {});
        test_case.runs.clear();
        const Observation decision = Shared().verifier()->ObserveDecision(test_case.program);
        EXPECT_EQ(Shared().Observe(test_case), decision) << Signature(test_case.program, test_case.program.ops[0]);
        EXPECT_EQ(decision.diagnostics.empty(), decision.outcome == Outcome::kCompleted);
      }
    }
  }
}

TEST(MlirToolchain, GoesOnAfterARefusalAsIfNothingHadBeen) {
  const Case legal = AddOf(Sizes({2}), Sizes({2}), Sizes({2}), {F32({2}, {1, 2}), F32({2}, {3, 4})});
  const Case illegal = AddOf(Sizes({2}), Sizes({3}), Sizes({3}), {F32({2}, {1, 2}), F32({3}, {1, 2, 3})});
  const Observation first = Shared().Observe(illegal);
  ExpectResult(Shared().Observe(legal), F32({2}, {4, 6}));
  EXPECT_EQ(Shared().Observe(illegal), first);
}

// ---- Lower and translate ----

TEST(MlirToolchain, RefusesUnrankedOperandsCleanlyAtLower) {
  const Case test_case =
      AddOf(Shape::Unranked(), Shape::Unranked(), Shape::Unranked(), {F32({2}, {1, 2}), F32({2}, {1, 2})});
  const Observation observation = Shared().Observe(test_case);
  EXPECT_EQ(observation.outcome, Outcome::kRefused);
  EXPECT_EQ(observation.stage, Stage::kLower);
  EXPECT_EQ(observation.pass, "tosa-to-linalg");
  EXPECT_TRUE(AnyContains(observation.diagnostics, "failed to legalize")) << Summarize(observation);
}

TEST(MlirToolchain, TellsIllegalIrFromARefusal) {
  // The dialect accepts i1 here; the lowering truncates i1 to i1.
  const Observation illegal =
      Shared().Observe(OnOnes(OneOp(Info(OpKind::kArithmeticRightShift), E::kI1, E::kI1, Dynamic(1)), {3}));
  EXPECT_EQ(illegal.outcome, Outcome::kIllegalIr) << Summarize(illegal);
  EXPECT_EQ(illegal.stage, Stage::kLower);
  EXPECT_EQ(illegal.pass, "tosa-to-linalg");
  EXPECT_EQ(illegal.diagnostics.size(), 1u);
  EXPECT_TRUE(AnyContains(illegal.diagnostics, "'arith.trunci' op")) << Summarize(illegal);
  // And it accepts i8 here, for which there is no pattern.
  const Observation refused = Shared().Observe(OnOnes(OneOp(Info(OpKind::kErf), E::kI8, E::kI8, Dynamic(1)), {3}));
  EXPECT_EQ(refused.outcome, Outcome::kRefused) << Summarize(refused);
  EXPECT_EQ(refused.pass, "tosa-to-linalg");
}

const Case& SomeAdd() {
  static const Case* test_case =
      new Case(AddOf(Dynamic(1), Dynamic(1), Dynamic(1), {F32({2}, {1, 2}), F32({2}, {3, 4})}));
  return *test_case;
}

Case ByCustomRoute() {
  Case test_case = SomeAdd();
  test_case.route = std::string(kCustomRoute);
  return test_case;
}

TEST(MlirToolchain, RunsThePassesThatACaseLists) {
  const std::unique_ptr<Toolchain> toolchain = Fresh("");
  Case test_case = SomeAdd();
  test_case.route = "sequence(to-loops:convert-linalg-to-affine-loops,affine:affine-parallelize,llvm:canonicalize)";
  EXPECT_EQ(toolchain->Observe(test_case).outcome, Outcome::kCompleted);
  test_case.route = "sequence(tosa:tosa-to-linalg,tosa:no-such-pass)";
  const Observation observation = toolchain->Observe(test_case);
  EXPECT_EQ(observation.outcome, Outcome::kToolFailure);
  EXPECT_TRUE(absl::StrContains(observation.diagnostics.front(), "no-such-pass")) << observation.diagnostics.front();
}

TEST(MlirToolchain, RefusesAtTranslateWhatAPipelineLeavesHalfLowered) {
  const Observation observation = Fresh("builtin.module(func.func(tosa-to-linalg))")->Observe(ByCustomRoute());
  EXPECT_EQ(observation.outcome, Outcome::kRefused);
  EXPECT_EQ(observation.stage, Stage::kTranslate);
  EXPECT_FALSE(observation.diagnostics.empty());
}

TEST(MlirToolchain, NamesThePassThatRefuses) {
  const Observation observation =
      Fresh("builtin.module(canonicalize,tosa-attach-target{profiles=pro_int},tosa-validate)")
          ->Observe(ByCustomRoute());
  EXPECT_EQ(observation.outcome, Outcome::kRefused) << Summarize(observation);
  EXPECT_EQ(observation.stage, Stage::kLower);
  EXPECT_EQ(observation.pass, "tosa-validate");
}

TEST(MlirToolchain, GoesOnFromThePassesOfAnother) {
  const std::unique_ptr<Toolchain> first = Fresh(), second = Fresh();
  const tosaic::Run run = {F32({2}, {1, 2}), F32({2}, {3, 4})};
  const Case add = AddOf(Sizes({2}), Sizes({2}), Sizes({2}), run);
  const auto observe = [&](const std::string& pipeline, const std::string& rest) {
    return CreateJoinedToolchain({first.get(), pipeline}, {second.get(), rest})->Observe(add);
  };
  const std::string loops(FindRoute("loops")->pipeline);
  ExpectResult(observe("builtin.module(func.func(canonicalize))", loops), F32({2}, {4, 6}));
  for (const auto& [pipeline, rest] :
       {std::pair(loops.substr(1), loops), {std::string("builtin.module(cse)"), std::string()}}) {
    const Observation refused = observe(pipeline, rest);
    EXPECT_EQ(refused.stage, Stage::kExecute) << pipeline;
    EXPECT_EQ(refused.outcome, Outcome::kRefused) << pipeline;
    EXPECT_FALSE(refused.diagnostics.empty()) << pipeline;
  }
}

TEST(MlirToolchain, RefusesAPipelineThatDoesNotParseInOneLine) {
  struct BadPipeline {
    const char* text;
    const char* why;
  };
  const BadPipeline bad_pipelines[] = {
      {"builtin.module(no-such-pass)", "'no-such-pass' does not refer to a registered pass"},
      {"builtin.module(canonicalize", "does not parse"},
      {"canonicalize", "anchor operation"},
      {"func.func(canonicalize)", "it must be builtin.module(...)"},
      {"builtin.module(func.func(convert-linalg-to-loops{no-such-option=1}))", "no-such-option"},
      {"builtin.module(func.func(one-shot-bufferize))", "restricted to 'builtin.module'"},
  };
  for (const BadPipeline& bad : bad_pipelines) {
    ToolchainOptions options;
    options.pipeline = bad.text;
    const auto toolchain = CreateMlirToolchain(options);
    ASSERT_FALSE(toolchain.ok()) << bad.text;
    EXPECT_EQ(toolchain.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::EndsWith(toolchain.status().message(), absl::StrCat("; the pipeline is ", bad.text)));
    EXPECT_TRUE(absl::StrContains(toolchain.status().message(), bad.why)) << toolchain.status();
    EXPECT_FALSE(absl::StrContains(toolchain.status().message(), "\n")) << toolchain.status();
  }
}

TEST(MlirToolchain, AGivenPipelineIsARouteOfItsOwn) {
  const std::unique_ptr<Toolchain> toolchain = Fresh("builtin.module(func.func(tosa-to-linalg))");
  EXPECT_EQ(toolchain->description().PipelineOf("custom"), "builtin.module(func.func(tosa-to-linalg))");
  EXPECT_EQ(toolchain->Observe(SomeAdd()).runs, Shared().Observe(SomeAdd()).runs);
  EXPECT_EQ(toolchain->Observe(ByCustomRoute()).stage, Stage::kTranslate);  // it stops short of LLVM's dialect
  EXPECT_EQ(Shared().Observe(ByCustomRoute()).outcome, Outcome::kToolFailure);
}

TEST(MlirToolchain, SaysThatARouteIsUnknown) {
  Case test_case = SomeAdd();
  test_case.route = "scenic";
  const Observation observation = Shared().Observe(test_case);
  EXPECT_EQ(observation.outcome, Outcome::kToolFailure);
  EXPECT_EQ(observation.diagnostics, std::vector<std::string>{"no route is named 'scenic'"});
  EXPECT_EQ(Shared().description().PipelineOf("scenic"), "");
  EXPECT_EQ(Shared().description().PipelineOf("loops"), std::string(FindRoute("loops")->pipeline));
}

// ---- Execute ----

TEST(MlirToolchain, AddsStaticAndDynamicTensors) {
  const std::vector<Tensor> run = {F32({2, 3}, {1, 2, 3, 4, 5, 6}), F32({2, 3}, {10, 20, 30, 40, 50, 60})};
  const Tensor sum = F32({2, 3}, {11, 22, 33, 44, 55, 66});
  const Shape fixed = Sizes({2, 3});
  const Shape mixed({Dim::Dynamic(), Dim::Static(3)});
  ExpectResult(Shared().Observe(AddOf(fixed, fixed, fixed, run)), sum);
  ExpectResult(Shared().Observe(AddOf(Dynamic(2), Dynamic(2), Dynamic(2), run)), sum);
  ExpectResult(Shared().Observe(AddOf(mixed, fixed, mixed, run)), sum);
  ExpectResult(Shared().Observe(AddOf(Shape(), Shape(), Shape(), {F32({}, {1}), F32({}, {2})})), F32({}, {3}));
}

TEST(MlirToolchain, BroadcastsADynamicDimensionThatIsOneAtRunTime) {
  ExpectResult(Shared().Observe(AddOf(Dynamic(1), Dynamic(1), Dynamic(1), {F32({1}, {1}), F32({3}, {10, 20, 30})})),
               F32({3}, {11, 21, 31}));
  ExpectResult(
      Shared().Observe(AddOf(Dynamic(2), Dynamic(2), Dynamic(2), {F32({2, 1}, {1, 2}), F32({1, 3}, {10, 20, 30})})),
      F32({2, 3}, {11, 21, 31, 12, 22, 32}));
}

TEST(MlirToolchain, RunsOneCompiledCaseOnManyShapes) {
  Case test_case = AddOf(Dynamic(1), Dynamic(1), Dynamic(1), {});
  test_case.runs.clear();
  for (int64_t n = 1; n <= 70; ++n) test_case.runs.push_back({Filled(E::kF32, {n}, One(E::kF32)), F32({1}, {2})});
  const Observation observation = Shared().Observe(test_case);
  ASSERT_EQ(observation.runs.size(), 70u) << Summarize(observation);
  for (int64_t n = 1; n <= 70; ++n) {
    EXPECT_EQ(observation.runs[n - 1].results[0].tensor, Filled(E::kF32, {n}, std::bit_cast<uint32_t>(3.0f)));
  }
}

TEST(MlirToolchain, ReturnsIntermediateValuesArgumentsAndConstants) {
  const TensorType type = {Dynamic(1), E::kF32};
  Case test_case;
  test_case.program.arguments = {type};
  test_case.program.constants = {F32({2}, {100, 200})};
  test_case.program.ops = {
      {.op = OpKind::kAdd,
       .operands = {{Value::kArgument, 0}, {Value::kArgument, 0}},
       .attributes = {},
       .result = type},
      {.op = OpKind::kSub, .operands = {{Value::kOp, 0}, {Value::kConstant, 0}}, .attributes = {}, .result = type}};
  test_case.program.results = {
      {Value::kOp, 1}, {Value::kOp, 0}, {Value::kArgument, 0}, {Value::kConstant, 0}, {Value::kOp, 1}};
  test_case.runs = {{F32({2}, {1, 2})}};
  for (absl::string_view route : {"loops", "loops-dealloc"}) {
    test_case.route = std::string(route);
    const Observation observation = Shared().Observe(test_case);
    ASSERT_EQ(observation.runs.size(), 1u) << Summarize(observation);
    const std::vector<ResultObservation>& results = observation.runs[0].results;
    ASSERT_EQ(results.size(), 5u);
    EXPECT_EQ(results[0].tensor, F32({2}, {-98, -196}));
    EXPECT_EQ(results[1].tensor, F32({2}, {2, 4}));
    EXPECT_EQ(results[2].tensor, F32({2}, {1, 2}));
    EXPECT_EQ(results[3].tensor, F32({2}, {100, 200}));
    EXPECT_EQ(results[4].tensor, results[0].tensor);
    EXPECT_EQ(observation.runs[0].leaked_buffers, 0);
  }
}

TEST(MlirToolchain, CopiesOutAResultThatIsItsOperand) {
  // Beyond the specification, accepted by the dialect: cast to the same type folds to its argument.
  Case test_case = CaseOf(OpKind::kCast, {{Dynamic(1), E::kF32}}, {Dynamic(1), E::kF32},
                          {TensorOf(E::kF32, {3}, {0xa5a5a5a5, 0x7fa00001, 0x80000000})});
  for (absl::string_view route : {"loops", "loops-dealloc"}) {
    test_case.route = std::string(route);
    ExpectResult(Shared().Observe(test_case), test_case.runs[0][0]);
  }
}

TEST(MlirToolchain, VerifiesExtentsAtRunTime) {
  Case test_case = AddOf(Dynamic(1), Dynamic(1), Dynamic(1), {F32({2}, {1, 2}), F32({3}, {10, 20, 30})});
  test_case.runs.push_back({F32({1}, {1}), F32({2}, {10, 20})});
  test_case.route = "verified";
  const Observation observation = Shared().Observe(test_case);
  ASSERT_EQ(observation.runs.size(), 2u) << Summarize(observation);
  EXPECT_TRUE(observation.verifies_extents);
  EXPECT_TRUE(absl::StrContains(observation.runs[0].stopped, "dimension")) << observation.runs[0].stopped;
  EXPECT_EQ(observation.runs[1].results[0].tensor, F32({2}, {11, 21}));
  EXPECT_FALSE(TakeRetirement());
}

// i1 -> f16 -> f32 and the like need helpers that the JIT must resolve.
TEST(MlirToolchain, ResolvesTheConversionHelpersOfHalfPrecision) {
  struct Conversion {
    E from, to;
    uint64_t value, expected;
  };
  const Conversion conversions[] = {
      {E::kF16, E::kF32, 0x3e00, 0x3fc00000},
      {E::kF32, E::kF16, 0x3fc00000, 0x3e00},
      {E::kBF16, E::kF32, 0x3fc0, 0x3fc00000},
      {E::kF32, E::kBF16, 0x3fc00000, 0x3fc0},
      {E::kF16, E::kI32, 0x4500, 5},
      {E::kI32, E::kBF16, 3, 0x4040},
      {E::kF64, E::kF16, 0x3ff8000000000000, 0x3e00},
      {E::kF64, E::kBF16, 0x3ff8000000000000, 0x3fc0},
      {E::kF16, E::kF64, 0x3e00, 0x3ff8000000000000},
      {E::kBF16, E::kF64, 0x3fc0, 0x3ff8000000000000},
      {E::kI64, E::kF16, 5, 0x4500},
      {E::kBF16, E::kI64, 0x4040, 3},
      {E::kUi8, E::kF16, 5, 0x4500},
  };
  for (const Conversion& conversion : conversions) {
    const Observation observation =
        Shared().Observe(CaseOf(OpKind::kCast, {{Dynamic(1), conversion.from}}, {Dynamic(1), conversion.to},
                                {Filled(conversion.from, {2}, conversion.value)}));
    if (conversion.from == E::kUi8) continue;  // refused at lower; it must not end at compile
    ExpectResult(observation, Filled(conversion.to, {2}, conversion.expected));
  }
}

// docs/findings.md, R1 to R3: what vectors do to padding lanes of a division, to i1, and to clz.
bool IsFinding(absl::string_view route, const OpInfo& op, ElementType input, ElementType result) {
  if (route == "affine-vectorized") return op.kind == OpKind::kIntdiv;
  return route == "linalg-vectorized" && (input == E::kI1 || result == E::kI1 || op.kind == OpKind::kSelect);
}

std::vector<Route> RoutesThatRun() {
  std::vector<Route> routes(AllRoutes().begin(), AllRoutes().end());
  std::erase_if(routes, [](const Route& route) { return route.extracts; });
  return routes;
}

class EveryTuple : public testing::TestWithParam<Route> {};

TEST_P(EveryTuple, CompletesWithoutLeakOrGap) {
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : op.spec_types) {
      // MLIR 22 lowers these on one route only.
      if ((IsFp8(tuple.input) || IsFp8(tuple.result)) && GetParam().name != "apfloat") continue;
      if (IsFinding(GetParam().name, op, tuple.input, tuple.result)) continue;
      if (GetParam().calls_library && !IsElementwise(op) && !MovesElements(op)) continue;  // as the route says
      for (const Shape& shape : {Dynamic(1), Sizes({3})}) {
        Case test_case = OnOnes(OneOp(op, tuple, shape), {3});
        test_case.route = std::string(GetParam().name);
        if (!shape.IsStatic()) test_case.runs.push_back(OnOnes(test_case.program, {1}).runs[0]);
        const Observation observation = Shared().Observe(test_case);
        const std::string name = Signature(test_case.program, test_case.program.ops[0]);
        EXPECT_EQ(observation.outcome, Outcome::kCompleted) << name << ": " << Summarize(observation);
        EXPECT_EQ(observation.runs.size(), test_case.runs.size()) << name;
        for (const RunObservation& run : observation.runs) {
          EXPECT_TRUE(run.results[0].unwritten.empty()) << name;
          EXPECT_EQ(run.leaked_buffers, 0) << name;
          EXPECT_TRUE(run.results[0].not_stored_once.empty()) << name;
        }
      }
    }
  }
}

TEST(MlirToolchain, LibraryComputesWhatTheCodeReturns) {
  Case test_case = AddOf(Dynamic(2), Dynamic(2), Dynamic(2), {F32({2, 1}, {1, 2}), F32({1, 3}, {10, 20, 30})});
  test_case.route = "library-call";
  const Observation observation = Shared().Observe(test_case);
  ExpectResult(observation, F32({2, 3}, {0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(observation.calls_library);
  const std::vector<LibraryCall>& calls = observation.runs[0].library_calls;
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_TRUE(calls[0].is_copy && calls[1].is_copy && !calls[2].is_copy);
  ASSERT_EQ(calls[2].operands.size(), 2u);
  EXPECT_EQ(calls[2].operands[0].tensor, F32({2, 3}, {1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(calls[2].operands[1].tensor, F32({2, 3}, {10, 20, 30, 10, 20, 30}));
  EXPECT_EQ(calls[2].op, 0);
  EXPECT_TRUE(calls[2].computed);
}

TEST(MlirToolchain, WithoutALibraryTheRouteThatCallsOneIsAToolFailure) {
  Case test_case = SomeAdd();
  test_case.route = "library-call";
  const Observation observation = (*CreateMlirToolchain())->Observe(test_case);
  EXPECT_EQ(observation.outcome, Outcome::kToolFailure);
  EXPECT_TRUE(AnyContains(observation.diagnostics, "nobody supplies the library")) << Summarize(observation);
}

std::string RouteInTestName(const testing::TestParamInfo<Route>& info) {
  std::string name(info.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(MlirToolchain, EveryTuple, testing::ValuesIn(RoutesThatRun()), RouteInTestName);

// ---- A context that has seen many cases ----

// Case `number` of a mixed walk: legal, illegal, refused on the way, trapping, of many types and shapes.
Case MixedCase(size_t number) {
  const OpInfo& op = AllOps()[number % AllOps().size()];
  const TypeTuple& tuple = op.spec_types[number / 7 % op.spec_types.size()];
  const Shape shapes[] = {Dynamic(1), Sizes({4}), Dynamic(2), Shape::Unranked(), Shape(), Sizes({2, 3})};
  const bool is_reshaped = HasNewShape(op);  // unranked, it ends the process (F20)
  const Shape& shape = shapes[is_reshaped ? 1 : number / 3 % std::size(shapes)];
  std::vector<int64_t> sizes = {4};
  if (shape.IsRanked()) sizes = std::vector<std::vector<int64_t>>{{}, {4}, {2, 3}}[shape.rank()];
  Case test_case = OnOnes(OneOp(op, tuple, shape), sizes);
  if (number % 5 == 0) test_case.program.ops[0].result.shape = Sizes({9, 9});  // does not fit
  if (number % 9 == 0) test_case.program.ops[0].result.element_type = E::kI8;
  if (op.kind == OpKind::kIntdiv && number / AllOps().size() % 2 == 0) {
    for (size_t i = 0; i < test_case.runs[0][1].element_count(); ++i) test_case.runs[0][1].SetBits(i, 0);
  }
  if (number % 4 == 0) test_case.route = "loops-dealloc";
  return test_case;
}

TEST(MlirToolchain, ObservesTheSameInAContextThatHasSeenManyCases) {
  const std::unique_ptr<Toolchain> reused = Fresh();
  size_t completed = 0, refused = 0, others = 0;
  for (size_t number = 0; number < 300; ++number) {
    const Case test_case = MixedCase(number);
    const Observation observation = reused->Observe(test_case);
    completed += observation.outcome == Outcome::kCompleted;
    refused += observation.outcome == Outcome::kRefused;
    others += observation.outcome != Outcome::kCompleted && observation.outcome != Outcome::kRefused;
    EXPECT_EQ(Fresh()->Observe(test_case), observation)
        << number << ": " << Signature(test_case.program, test_case.program.ops[0]) << ": " << Summarize(observation);
  }
  EXPECT_GT(completed, 100u);
  EXPECT_GT(refused, 50u);
  EXPECT_GT(others, 0u);
  (void)TakeRetirement();  // asked for by what traps among them: the next test is in the same process
}

TEST(MlirToolchain, SurvivesATrapInCompiledCodeAndSaysSo) {
  const std::unique_ptr<Toolchain> toolchain = Fresh();
  const TensorType type = {Dynamic(1), E::kI32};
  const Case by_zero =
      CaseOf(OpKind::kIntdiv, {type, type}, type, {TensorOf(E::kI32, {2}, {1, 2}), TensorOf(E::kI32, {2}, {1, 0})});
  EXPECT_FALSE(TakeRetirement());
  const Observation observation = toolchain->Observe(by_zero);
  EXPECT_EQ(observation.outcome, Outcome::kSignal) << Summarize(observation);
  EXPECT_EQ(observation.signal, SIGFPE);
  EXPECT_TRUE(TakeRetirement());
  ExpectResult(toolchain->Observe(SomeAdd()), F32({2}, {4, 6}));
}

TEST(CustomRoute, IsLikeTheRouteItNames) {
  ToolchainOptions options;
  options.pipeline = "builtin.module(func.func(tosa-to-linalg))";
  options.custom_like = "contract";
  const absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = CreateMlirToolchain(options);
  ASSERT_TRUE(toolchain.ok()) << toolchain.status();
  EXPECT_EQ((*toolchain)->description().PipelineOf(kCustomRoute), options.pipeline);
  Case test_case;
  test_case.program.arguments = {{Shape::OfSizes({1}), ElementType::kF32}};
  test_case.program.ops = {{OpKind::kExp, {{}}, {}, test_case.program.arguments[0]}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  test_case.runs = {{Tensor(ElementType::kF32, {1})}};
  test_case.route = std::string(kCustomRoute);
  const Observation observation = (*toolchain)->Observe(test_case);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted);
  EXPECT_EQ(observation.stage, Stage::kLower);
  EXPECT_TRUE(observation.extracts);
  EXPECT_TRUE(observation.lowered.has_value());
}

}  // namespace
}  // namespace tosaic
