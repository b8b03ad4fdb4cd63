// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linalg's properties 5 and 6 against the real MLIR, on the routes `library-call` and `counted`: every op and tuple of
// the specification on static, dynamic and broadcast shapes; and a library that is wrong.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checking/library_function.h"
#include "gtest/gtest.h"
#include "model/special_operands.h"
#include "oracle/explain.h"
#include "oracle/judge.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/toolchain.h"

namespace tosaic {
namespace {

using E = ElementType;
using Kind = ValueRef::Kind;

std::unique_ptr<Toolchain> WithLibrary(LibraryFunction function) {
  ToolchainOptions options;
  options.library_function = std::move(function);
  absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = CreateMlirToolchain(options);
  EXPECT_TRUE(toolchain.ok()) << toolchain.status();
  return *std::move(toolchain);
}

Toolchain& Shared() {
  static Toolchain* toolchain = WithLibrary(OracleLibrary()).release();
  return *toolchain;
}

Tensor Filled(E type, const std::vector<int64_t>& sizes, uint64_t first) {
  Tensor tensor(type, sizes);
  for (size_t i = 0; i < tensor.element_count(); ++i) tensor.SetBits(i, (first + i) & BitMask(type) & 0x3f);
  return tensor;
}

// Shapes of the first and of all other operands, the result's, and the sizes of a run.
struct ShapeClass {
  const char* name;
  Shape first, others, result;
  std::vector<int64_t> first_sizes, other_sizes;
};

std::vector<ShapeClass> ShapeClasses() {
  const Dim any = Dim::Dynamic();
  const Shape column({any, Dim::Static(1)}), dynamic({any, any});
  return {{"scalar", Shape(), Shape(), Shape(), {}, {}},
          {"static", Shape::OfSizes({2, 3}), Shape::OfSizes({2, 3}), Shape::OfSizes({2, 3}), {2, 3}, {2, 3}},
          {"static broadcast", Shape::OfSizes({1, 3}), Shape::OfSizes({2, 1}), Shape::OfSizes({2, 3}), {1, 3}, {2, 1}},
          {"dynamic", dynamic, dynamic, dynamic, {2, 3}, {2, 3}},
          {"dynamic, one against one", dynamic, dynamic, dynamic, {1, 1}, {1, 1}},
          {"run-time broadcast", dynamic, dynamic, dynamic, {1, 3}, {2, 1}},
          {"run-time and static broadcast", column, dynamic, dynamic, {1, 1}, {2, 3}},
          {"static against dynamic", dynamic, Shape::OfSizes({2, 3}), dynamic, {1, 3}, {2, 3}}};
}

Case CaseOf(const OpInfo& op, const TypeTuple& tuple, const ShapeClass& shapes) {
  Case test_case;
  Program& program = test_case.program;
  OpApplication application{.op = op.kind, .operands = {}, .attributes = {}, .result = {shapes.result, tuple.result}};
  if (HasAttribute(op, Attribute::kMinVal)) application.attributes.min_val = TypedBits{tuple.input, 0};
  if (HasAttribute(op, Attribute::kMaxVal)) application.attributes.max_val = TypedBits{tuple.input, 3};
  if (HasAttribute(op, Attribute::kNanMode)) application.attributes.nan_mode = NanMode::kPropagate;
  if (HasAttribute(op, Attribute::kRound)) application.attributes.round = true;
  if (op.kind == OpKind::kRescale) {
    application.attributes = {.scale32 = false,
                              .rounding_mode = RoundingMode::kSingleRound,
                              .per_channel = false,
                              .input_unsigned = false,
                              .output_unsigned = false};
  }
  Run run;
  size_t broadcast = 0;
  for (const OperandRole role : op.operands) {
    if (IsSpecial(role)) {
      application.operands.push_back({Kind::kConstant, static_cast<int>(program.constants.size())});
      program.constants.push_back(PlainParameter(role, tuple.input, tuple.result, application.attributes));
      continue;
    }
    const E type = role == OperandRole::kCondition ? E::kI1 : tuple.input;
    application.operands.push_back({Kind::kArgument, static_cast<int>(program.arguments.size())});
    program.arguments.push_back({broadcast == 0 ? shapes.first : shapes.others, type});
    run.push_back(Filled(type, broadcast == 0 ? shapes.first_sizes : shapes.other_sizes, 1 + broadcast));
    ++broadcast;
  }
  if (broadcast == 1) application.result.shape = shapes.first;
  program.ops = {application};
  program.results = {{Kind::kOp, 0}};
  test_case.runs = {run};
  return test_case;
}

bool UsesFp8(const TypeTuple& tuple) { return IsFp8(tuple.input) || IsFp8(tuple.result); }

// Checks the observation and judgement of each case; returns how many cases ran.
template <typename Check>
size_t ForEachCase(const std::string& route, Check check) {
  size_t ran = 0;
  for (const OpInfo& op : AllOps()) {
    if (!IsElementwise(op)) continue;  // the routes are for elementwise ops alone
    for (const TypeTuple& tuple : op.spec_types) {
      if (route != "library-call" && UsesFp8(tuple)) continue;  // MLIR 22 lowers no arithmetic of fp8
      for (const ShapeClass& shapes : ShapeClasses()) {
        Case test_case = CaseOf(op, tuple, shapes);
        test_case.route = route;
        const Observation observation = Shared().Observe(test_case);
        const Judgement judgement = Judge(test_case, observation);
        const std::string name = Signature(test_case.program, test_case.program.ops[0]) + ", " + shapes.name;
        EXPECT_TRUE(judgement.verdict == Verdict::kAgree || judgement.verdict == Verdict::kUndefined)
            << name << ": " << Name(judgement.verdict) << " [" << judgement.rule << "] " << judgement.actual << "; "
            << Summarize(observation);
        EXPECT_EQ(observation.runs.size(), 1u) << name;
        if (observation.runs.size() != 1) continue;
        check(name, test_case, observation);
        ++ran;
      }
    }
  }
  return ran;
}

TEST(RunProperties, EveryOpIsOneCallOfTheLibrary) {
  size_t copies = 0;
  const size_t ran = ForEachCase("library-call", [&](const std::string& name, const Case& test_case,
                                                     const Observation& observation) {
    EXPECT_TRUE(observation.calls_library) << name;
    const std::vector<LibraryCall>& calls = observation.runs[0].library_calls;
    const auto is_copy = [](const LibraryCall& call) { return call.is_copy; };
    const auto of_case = static_cast<size_t>(std::count_if(calls.begin(), calls.end(), is_copy));
    copies += of_case;
    const Program& program = test_case.program;
    // RFC, "Fully dynamic broadcasting": a copy where `dim == 1` is asked and true.
    const std::vector<RuntimeBroadcast> asked = PredictRuntimeBroadcasts(program, program.ops[0]);
    const auto is_one = [&](const RuntimeBroadcast& broadcast) {
      return test_case.runs[0][static_cast<size_t>(broadcast.operand)].sizes()[static_cast<size_t>(broadcast.dim)] == 1;
    };
    EXPECT_EQ(of_case, static_cast<size_t>(std::count_if(asked.begin(), asked.end(), is_one))) << name;
    const bool same_type_cast = program.ops[0].op == OpKind::kCast &&
                                InputElementType(program, program.ops[0]) == program.ops[0].result.element_type;
    const bool is_operand = same_type_cast || program.ops[0].op == OpKind::kIdentity;
    EXPECT_EQ(calls.size() - of_case, is_operand ? 0u : 1u) << name;
    for (const LibraryCall& call : calls) EXPECT_TRUE(call.computed) << name;
  });
  EXPECT_GT(ran, 1000u);
  EXPECT_GT(copies, 500u);
}

TEST(RunProperties, EveryOpStoresItsWholeResultOnce) {
  const size_t ran = ForEachCase("counted", [](const std::string& name, const Case&, const Observation& observation) {
    EXPECT_TRUE(observation.runs[0].results[0].not_stored_once.empty()) << name;
    EXPECT_FALSE(observation.calls_library) << name;
  });
  EXPECT_GT(ran, 1000u);
}

Case Sum(const std::string& route) {
  Case test_case;
  test_case.program = ParseSignature("add(tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>").value();
  test_case.runs = {{Filled(E::kI32, {3}, 1), Filled(E::kI32, {1}, 10)}};
  test_case.route = route;
  return test_case;
}

TEST(RunProperties, AWrongLibraryIsAWrongValue) {
  const LibraryFunction right = OracleLibrary();
  const std::unique_ptr<Toolchain> toolchain =
      WithLibrary([&](const Program& program, const OpApplication& op, absl::Span<const Tensor* const> operands,
                      const std::vector<int64_t>& sizes) {
        Tensor result = right(program, op, operands, sizes);
        result.SetBits(2, result.Bits(2) + 1);
        return result;
      });
  const Case test_case = Sum("library-call");
  const Judgement judgement = Judge(test_case, toolchain->Observe(test_case));
  EXPECT_EQ(judgement.verdict, Verdict::kWrongValue);
  EXPECT_EQ(judgement.rule, RuleId::kValueAddPlain);
  ASSERT_TRUE(judgement.mismatch.has_value());
  EXPECT_EQ(judgement.mismatch->index, 2u);
}

TEST(RunProperties, WhatMlirDidSpoiledAfterwardsIsAContractViolation) {
  Case test_case = Sum("library-call");
  Observation observation = Shared().Observe(test_case);
  EXPECT_EQ(Judge(test_case, observation).verdict, Verdict::kAgree);
  LibraryCall& call = observation.runs[0].library_calls.back();
  std::swap(call.operands[0], call.operands[1]);
  EXPECT_EQ(Judge(test_case, observation).verdict, Verdict::kAgree) << "add commutes";
  call.operands[0].tensor.SetBits(0, 99);
  EXPECT_EQ(Judge(test_case, observation).rule, RuleId::kLinalg5Operand);
  observation.runs[0].library_calls.clear();
  Judgement judgement = Judge(test_case, observation);
  EXPECT_EQ(judgement.verdict, Verdict::kContractViolation);
  EXPECT_EQ(judgement.rule, RuleId::kLinalg5Call);

  test_case = Sum("counted");
  observation = Shared().Observe(test_case);
  EXPECT_EQ(Judge(test_case, observation).verdict, Verdict::kAgree);
  observation.runs[0].results[0].not_stored_once = {{1, 2}};
  judgement = Judge(test_case, observation);
  EXPECT_EQ(judgement.verdict, Verdict::kContractViolation);
  EXPECT_EQ(judgement.rule, RuleId::kLinalg6Once);
}

// A chain in which each op has one use: where bufferization would reuse a buffer, if it did.
TEST(RunProperties, EachOpOfAChainHasABufferOfItsOwn) {
  Case test_case = Sum("counted");
  Program& program = test_case.program;
  const TensorType type = program.ops[0].result;
  for (int i = 0; i < 4; ++i) {
    program.ops.push_back({OpKind::kAdd, {{Kind::kOp, i}, {Kind::kArgument, i % 2}}, {}, type});
  }
  program.results = {{Kind::kOp, 4}};
  for (const char* route : {"counted", "library-call"}) {
    test_case.route = route;
    const Observation observation = Shared().Observe(test_case);
    ASSERT_EQ(observation.runs.size(), 1u) << Summarize(observation);
    EXPECT_TRUE(observation.runs[0].uneven_stores.empty());
    // The last op's operands are not known to the judge of values; the calls still are.
    EXPECT_FALSE(IsDivergence(Judge(test_case, observation).verdict));
    if (observation.calls_library) {
      std::vector<std::string> regions;
      for (const LibraryCall& call : observation.runs[0].library_calls) regions.push_back(call.result.region);
      std::sort(regions.begin(), regions.end());
      EXPECT_EQ(std::unique(regions.begin(), regions.end()), regions.end());
    }
  }
}

}  // namespace
}  // namespace tosaic
