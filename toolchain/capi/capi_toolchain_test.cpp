// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries that are none, and the real one that ci/install_trunk.sh fetches; without it those tests are skipped.
#include "toolchain/capi/capi_toolchain.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "codec/codec.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"
#include "toolchain/capi/worker/protocol.h"
#include "toolchain/program_testing.h"
#include "toolchain/symbolizer.h"
#include "workers/frames.h"
#include "workers/service_process.h"

namespace tosaic {
namespace {

std::string ErrorOf(const std::string& file) {
  ToolchainOptions options;
  options.worker = TOSAIC_CAPI_WORKER;
  options.limits.wall_seconds = 2;
  const std::string before = absl::StrCat("the library ", file, " cannot be used: ");
  const std::string message(CreateCapiToolchain({.file = file}, options).status().message());
  EXPECT_TRUE(absl::StartsWith(message, before)) << message;
  return message.substr(std::min(before.size(), message.size()));
}

TEST(CapiToolchain, RefusesALibraryThatIsNone) {
  const TemporaryDirectory directory;
  const std::string text = directory / "libText.so";
  std::ofstream(text) << "no library\n";
  EXPECT_EQ(ErrorOf(text), "it is no shared library");
  EXPECT_EQ(ErrorOf(TOSAIC_LACKS_LIBRARY), "it has no function mlirRegisterAllDialects");
  EXPECT_EQ(ErrorOf(TOSAIC_PRINTS_LIBRARY), "it has no function mlirRegisterAllDialects");
  EXPECT_EQ(ErrorOf(TOSAIC_DIES_LIBRARY), "loading it ends in signal 6");
  EXPECT_EQ(ErrorOf(TOSAIC_EXITS_LIBRARY), "loading it ends in exit status 3");
  EXPECT_EQ(ErrorOf(TOSAIC_HANGS_LIBRARY), "it does not load in 2 s");
}

TEST(CapiToolchain, RefusesALibraryOfAnotherArchitecture) {
  const TemporaryDirectory directory;
  std::ifstream in(TOSAIC_LACKS_LIBRARY, std::ios::binary);
  std::string elf(std::istreambuf_iterator<char>(in), {});
  constexpr size_t kMachine = 18;  // e_machine of ELF's header
  elf[kMachine] = '\x28';          // Arm
  const std::string file = directory / "libArm.so";
  std::ofstream(file, std::ios::binary) << elf;
  const std::string error = ErrorOf(file);
  EXPECT_TRUE(absl::StartsWith(error, "it is for another architecture (ELF machine 40, here ")) << error;
}

TEST(CapiToolchain, NeedsItsWorker) {
  ToolchainOptions options;
  options.worker = "/no/such/worker";
  EXPECT_TRUE(absl::StrContains(CreateCapiToolchain({.file = "x.so"}, options).status().message(), "/no/such/worker"));
}

// A worker that greets so, and is gone.
std::string ErrorOfGreeting(absl::string_view greeting) {
  const TemporaryDirectory directory;
  const std::string frame = directory / "frame";
  const std::string worker = directory / "worker";
  const int out = open(frame.c_str(), O_WRONLY | O_CREAT, 0600);
  WriteFrame(out, greeting);
  close(out);
  std::ofstream(worker) << "#!/bin/sh\nexec cat '" << frame << "'\n";
  std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
  ToolchainOptions options;
  options.worker = worker;
  const std::string message(CreateCapiToolchain({.file = "x.so"}, options).status().message());
  return absl::StrReplaceAll(message, {{worker, "WORKER"}});
}

TEST(CapiToolchain, NeedsAWorkerOfItsOwnBuild) {
  const std::string build = OwnGreeting().build;
  EXPECT_EQ(ErrorOfGreeting(R"({"error": "", "version": "24.0.0", "protocol": "12", "build": "revision 34"})"),
            absl::StrCat("the worker WORKER is of another build than this tosaic: of revision 34, not ", build,
                         "; build both anew"));
  EXPECT_EQ(ErrorOfGreeting(R"({"error": "", "version": "24.0.0"})"),
            absl::StrCat("the worker WORKER is of another build than this tosaic: of an older revision, not ", build,
                         "; build both anew"));
  EXPECT_EQ(ErrorOfGreeting("hello"), "the library x.so cannot be used: its worker does not greet");
}

constexpr char kAdd[] = "add(tensor<?xf32>, tensor<2xf32>) -> tensor<?xf32>";
constexpr char kStaticAdd[] = "add(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>";
constexpr char kExp[] = "exp(tensor<2xf32>) -> tensor<2xf32>";
constexpr char kSmallFloat[] = "cast(tensor<2xf8E4M3FN>) -> tensor<2xf32>";
constexpr char kOtherTypes[] = "add(tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>";

// A library that writes twos, whatever the op.
Tensor Twos(const Program&, const OpApplication& op, absl::Span<const Tensor* const>,
            const std::vector<int64_t>& sizes) {
  Tensor result(op.result.element_type, sizes);
  for (size_t i = 0; i < result.element_count(); ++i) result.SetBits(i, 0x40000000);
  return result;
}

class TrunkTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::optional<CapiLibrary> trunk = FindTrunk();
    if (!trunk) GTEST_SKIP() << "not tried: no trunk (ci/install_trunk.sh fetches one)";
    ToolchainOptions options;
    options.worker = TOSAIC_CAPI_WORKER;
    options.library_function = Twos;
    absl::StatusOr<std::unique_ptr<Toolchain>> created = CreateCapiToolchain(*trunk, options);
    ASSERT_TRUE(created.ok()) << created.status();
    toolchain_ = *std::move(created);
  }

  std::unique_ptr<Toolchain> toolchain_;
};

TEST_F(TrunkTest, SaysWhatItIs) {
  EXPECT_EQ(toolchain_->description().name, "mlir-trunk");
  EXPECT_GE(toolchain_->description().mlir_version, 24);
  EXPECT_TRUE(absl::StrContains(toolchain_->description().version, "torch-mlir ")) << toolchain_->description().version;
  EXPECT_NE(FindRoute(toolchain_->description().routes, "loops"), nullptr);
  EXPECT_NE(FindRoute(toolchain_->description().routes, "contract"), nullptr);
  EXPECT_NE(FindRoute(toolchain_->description().routes, "linalg-vectorized"), nullptr);
  EXPECT_EQ(FindRoute(toolchain_->description().routes, "math-polynomial"), nullptr);
  const std::vector<RouteLimit>& limits = toolchain_->description().limits;
  for (const RouteLimit& limit : limits) EXPECT_TRUE(absl::StartsWith(limit.why, "not built here: ")) << limit.why;
  const auto is_missing = [](const RouteLimit& limit) { return limit.is_missing; };
  const auto missing = static_cast<size_t>(std::count_if(limits.begin(), limits.end(), is_missing));
  EXPECT_EQ(toolchain_->description().routes.size() + missing, RoutesOf(toolchain_->description().dialect).size());
}

TEST_F(TrunkTest, RunsAProgramOnEveryRoute) {
  for (const Route* route : toolchain_->description().routes) {
    if (EndsWithIr(*route)) continue;
    const Observation observation = toolchain_->Observe(CaseOf(kStaticAdd, true, route->name));
    ASSERT_EQ(observation.outcome, Outcome::kCompleted) << route->name << ": " << Summarize(observation);
    EXPECT_EQ(observation.stage, Stage::kExecute);
    ASSERT_EQ(observation.runs.size(), 1u);
    EXPECT_EQ(observation.runs[0].results[0].tensor.Bits(0), 0x40000000u) << route->name;
    EXPECT_EQ(observation.runs[0].leaked_buffers, 0);
    EXPECT_EQ(observation.verifies_extents, route->verifies);
    ASSERT_EQ(observation.inferred.size(), 1u);
    EXPECT_EQ(observation.inferred[0], (TensorType{Shape({Dim::Static(2)}), ElementType::kF32}));
  }
}

// upstream's own pipeline would hold programs to version 1.0 at level 8k, were it not told to let that be.
TEST_F(TrunkTest, TakesDynamicShapesAndHighRanksOnUpstreamsPipelineToo) {
  for (const RouteLimit& limit : toolchain_->description().limits)
    EXPECT_TRUE(limit.is_missing) << limit.route << ": " << limit.why;
  for (const char* signature : {kAdd, "abs(tensor<1x1x1x1x1x1x1xf32>) -> tensor<1x1x1x1x1x1x1xf32>"}) {
    const Observation observation = toolchain_->Observe(CaseOf(signature, true, "upstream"));
    EXPECT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  }
}

TEST_F(TrunkTest, CallsTheFunctionsOfTheExecutor) {
  const Observation observation = toolchain_->Observe(CaseOf(kExp));
  ASSERT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  EXPECT_EQ(observation.runs[0].results[0].tensor.Bits(0), 0x402df854u);
}

// A store that is not told of would leave elements that were never stored.
TEST_F(TrunkTest, CountsStores) {
  for (const char* signature : {kStaticAdd, kAdd, kExp}) {
    const Observation observation = toolchain_->Observe(CaseOf(signature, true, "counted"));
    ASSERT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
    for (const RunObservation& run : observation.runs) {
      EXPECT_TRUE(run.results.at(0).not_stored_once.empty()) << signature;
      EXPECT_TRUE(run.uneven_stores.empty()) << signature;
    }
  }
}

// Three ops, the broadcast of the second operand, and a batch whose functions have the same names.
TEST_F(TrunkTest, CallsALibraryForEachGeneric) {
  Case chain = CaseOf(kAdd, true, "library-call");
  const TensorType type = chain.program.ops[0].result;
  for (int i = 0; i < 2; ++i) {
    chain.program.ops.push_back({.op = OpKind::kExp, .operands = {{ValueRef::Kind::kOp, i}}, .result = type});
  }
  chain.program.results = {{ValueRef::Kind::kOp, 2}};
  toolchain_->Prepare({CaseOf(kExp, true, "library-call"), chain, CaseOf(kStaticAdd, true, "library-call")});
  const Observation observation = toolchain_->Observe(chain);
  ASSERT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  EXPECT_TRUE(observation.calls_library);
  std::vector<LibraryCall> calls = observation.runs.at(0).library_calls;
  calls.erase(std::remove_if(calls.begin(), calls.end(), [](const LibraryCall& call) { return call.is_copy; }),
              calls.end());
  ASSERT_EQ(calls.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(calls[i].op, i);
    EXPECT_TRUE(calls[i].computed);
    EXPECT_EQ(calls[i].operands.size(), i == 0 ? 2u : 1u);
    EXPECT_EQ(calls[i].result.tensor.Bits(1), 0x40000000u);
  }
  EXPECT_EQ(calls[0].operands[0].region, "operand 0");
  EXPECT_EQ(calls[1].operands[0].tensor.Bits(0), 0x40000000u) << "what the first call wrote";
}

TEST_F(TrunkTest, NeedsALibraryToCall) {
  ToolchainOptions options;
  options.worker = TOSAIC_CAPI_WORKER;
  const std::unique_ptr<Toolchain> without = CreateCapiToolchain(*FindTrunk(), options).value();
  const Observation observation = without->Observe(CaseOf(kStaticAdd, true, "library-call"));
  EXPECT_EQ(observation.outcome, Outcome::kToolFailure);
  EXPECT_TRUE(absl::StartsWith(observation.diagnostics.at(0), "nobody supplies the library "))
      << Summarize(observation);
}

TEST_F(TrunkTest, RefusesWhatDoesNotVerify) {
  const Observation observation = toolchain_->Observe(CaseOf(kOtherTypes, false));
  EXPECT_EQ(observation.outcome, Outcome::kRefused);
  EXPECT_EQ(observation.stage, Stage::kVerify);
  ASSERT_FALSE(observation.diagnostics.empty());
  EXPECT_TRUE(absl::StrContains(observation.diagnostics[0], "tosa.add")) << observation.diagnostics[0];
}

TEST_F(TrunkTest, NamesThePassThatRefuses) {
  const Observation observation = toolchain_->lowering()->ObserveThrough(
      CaseOf(kAdd), "builtin.module(func.func(tosa-infer-shapes),convert-math-to-llvm,finalize-memref-to-llvm)");
  EXPECT_EQ(observation.outcome, Outcome::kRefused) << Summarize(observation);
  EXPECT_EQ(observation.stage, Stage::kTranslate) << "tosa.add is left over";
  const Observation no_such = toolchain_->lowering()->ObserveThrough(CaseOf(kAdd), "builtin.module(no-such-pass)");
  EXPECT_EQ(no_such.outcome, Outcome::kToolFailure);
  EXPECT_TRUE(absl::StrContains(no_such.diagnostics.at(0), "no-such-pass")) << no_such.diagnostics[0];
}

// So many ops take longer than a worker is given, which is then killed.
TEST_F(TrunkTest, ADeathIsAnObservationAndTheNextCaseGoesOn) {
  Case endless = CaseOf(kExp);
  for (int i = 0; i < 20000; ++i) {
    endless.program.ops.push_back(endless.program.ops.back());
    endless.program.ops.back().operands = {{ValueRef::Kind::kOp, i}};
  }
  endless.program.results = {{ValueRef::Kind::kOp, 20000}};
  ToolchainOptions options;
  options.worker = TOSAIC_CAPI_WORKER;
  options.limits.cpu_seconds = 1;
  absl::StatusOr<std::unique_ptr<Toolchain>> hasty = CreateCapiToolchain(*FindTrunk(), options);
  ASSERT_TRUE(hasty.ok()) << hasty.status();
  const Observation observation = (*hasty)->Observe(endless);
  EXPECT_EQ(observation.outcome, Outcome::kDeadline) << Summarize(observation);
  EXPECT_GE(observation.stage, Stage::kVerify);
  EXPECT_LE(observation.stage, Stage::kCompile);
  (*hasty)->Prepare({CaseOf(kAdd), endless});
  EXPECT_EQ((*hasty)->Observe(CaseOf(kAdd)).outcome, Outcome::kCompleted);
}

// Text that is nested so deep overflows the stack of its parser.
TEST_F(TrunkTest, WhereItDiesItsStackTraceIsTheMessage) {
  SymbolizeDeaths(true);
  const std::string deep = absl::StrCat("module attributes {a = ", std::string(1 << 20, '['), "} {}");
  const absl::StatusOr<std::string> text = toolchain_->lowering()->LowerText(deep, "builtin.module()", false);
  EXPECT_TRUE(absl::StrContains(text.status().message(), "mlir::")) << text.status();
  // In a campaign nobody asks for the names of functions that the library does not export.
  SymbolizeDeaths(false);
  const absl::StatusOr<std::string> brief = toolchain_->lowering()->LowerText(deep, "builtin.module()", false);
  EXPECT_TRUE(absl::StrContains(brief.status().message(), "without symbol names")) << brief.status();
}

TEST_F(TrunkTest, OnlyDecidesWithoutRuns) {
  const Observation observation = toolchain_->Observe(CaseOf(kAdd, false));
  EXPECT_EQ(observation.outcome, Outcome::kCompleted);
  EXPECT_EQ(observation.stage, Stage::kInfer);
  EXPECT_EQ(observation.inferred.size(), 1u);
}

// The RFC's "Dynamic-to-static broadcasting", as MLIR lowers it.
TEST_F(TrunkTest, ReadsTheLoweredIr) {
  const Observation observation = toolchain_->Observe(CaseOf(kAdd, true, "contract"));
  ASSERT_EQ(observation.outcome, Outcome::kCompleted) << Summarize(observation);
  EXPECT_EQ(observation.stage, Stage::kLower);
  EXPECT_TRUE(observation.runs.empty());
  EXPECT_TRUE(observation.extracts);
  ASSERT_TRUE(observation.lowered.has_value());
  std::map<LoweredValue::Kind, int> kinds;
  for (const LoweredValue& value : observation.lowered->values) ++kinds[value.kind];
  EXPECT_EQ(kinds[LoweredValue::Kind::kArgument], 2);
  EXPECT_EQ(kinds[LoweredValue::Kind::kIf], 1);
  EXPECT_EQ(kinds[LoweredValue::Kind::kGeneric], 2);
  EXPECT_GE(kinds[LoweredValue::Kind::kDim], 1);
  EXPECT_EQ(kinds[LoweredValue::Kind::kOther], 0);
  ASSERT_EQ(observation.lowered->returned.size(), 1u);
  const std::vector<LoweredValue>& values = observation.lowered->values;
  const auto last =
      std::find_if(values.rbegin(), values.rend(), [](const LoweredValue& value) { return value.generic.has_value(); });
  ASSERT_NE(last, values.rend());
  EXPECT_EQ(last->generic->inputs, 2);
  EXPECT_EQ(last->generic->iterators, std::vector<std::string>{"parallel"});
  ASSERT_EQ(last->generic->maps.size(), 3u);
  EXPECT_EQ(ToString(last->generic->maps[0]), "(d0)");
  const Payload payload = {
      .arguments = {"f32", "f32", "f32"}, .yields = {"f32"}, .ops = {"arith.addf"}, .captures = {}};
  EXPECT_EQ(last->generic->payload, payload);
}

// ui16 is i16 by way of a cast that touches no memory.
TEST_F(TrunkTest, ReadsACastOfUnsignedNumbersAsAScalarOp) {
  const Observation observation =
      toolchain_->Observe(CaseOf("cast(tensor<?xui16>) -> tensor<?xf8E5M2>", true, "contract"));
  ASSERT_TRUE(observation.lowered.has_value()) << Summarize(observation);
  for (const LoweredValue& value : observation.lowered->values) {
    EXPECT_FALSE(value.generic && value.generic->payload.nested);
  }
}

// One bound is folded away: what is left is the greatest of the element and a number, a scalar operand.
TEST_F(TrunkTest, ReadsCategoryOps) {
  Case test_case = CaseOf("clamp(tensor<3xi8>) -> tensor<3xi8>", true, "category-contract");
  test_case.program.ops[0].attributes.min_val = TypedBits{ElementType::kI8, 0};
  test_case.program.ops[0].attributes.max_val = TypedBits{ElementType::kI8, 127};
  const Observation observation = toolchain_->Observe(test_case);
  ASSERT_TRUE(observation.lowered.has_value()) << Summarize(observation);
  const LoweredValue& last = observation.lowered->values.back();
  ASSERT_TRUE(last.generic.has_value());
  EXPECT_EQ(last.generic->inputs, 1);
  ASSERT_EQ(last.generic->maps.size(), 2u);
  EXPECT_EQ(ToString(last.generic->maps[0]), "(d0)");
  const Payload payload = {
      .arguments = {"i8", "i8"}, .yields = {"i8"}, .ops = {"arith.maxsi"}, .captures = {"arith.constant"}};
  EXPECT_EQ(last.generic->payload, payload);
}

// The pass is Tosaic's own; here a transform script plays it.
TEST_F(TrunkTest, VectorizesSmallStaticOpsAlone) {
  const auto lowered = [&](const std::string& type) {
    const std::string add =
        "func.func @main(%a: TYPE, %b: TYPE) -> TYPE {\n  %0 = \"tosa.add\"(%a, %b) : "
        "(TYPE, TYPE) -> TYPE\n  return %0 : TYPE\n}\n";
    return toolchain_->lowering()
        ->LowerText(absl::StrReplaceAll(add, {{"TYPE", type}}),
                    "builtin.module(func.func(tosa-to-linalg,tosaic-vectorize-linalg))", false)
        .value();
  };
  EXPECT_TRUE(absl::StrContains(lowered("tensor<4x16xf32>"), ": vector<4x16xf32>")) << lowered("tensor<4x16xf32>");
  for (const char* type : {"tensor<5x13xf32>", "tensor<?xf32>"}) {
    EXPECT_FALSE(absl::StrContains(lowered(type), "vector")) << lowered(type);
  }
}

TEST_F(TrunkTest, ValidatesForATarget) {
  const ValidationTarget integers{.capabilities = {Capability::kProInt}, .strict = true};
  Verifier* verifier = toolchain_->verifier();
  const Program program = CaseOf(kStaticAdd).program;
  EXPECT_EQ(verifier->ObserveValidation(program, {}).outcome, Outcome::kCompleted);
  const Observation refused = verifier->ObserveValidation(program, integers);
  EXPECT_EQ(refused.outcome, Outcome::kRefused) << Summarize(refused);
  EXPECT_EQ(refused.stage, Stage::kVerify);
  EXPECT_EQ(refused.pass, "tosa-validate");
  EXPECT_EQ(refused.category, Category::kProfile) << refused.diagnostics.at(0);

  ToolchainOptions options;
  options.worker = TOSAIC_CAPI_WORKER;
  options.validation = integers;
  absl::StatusOr<std::unique_ptr<Toolchain>> validating = CreateCapiToolchain(*FindTrunk(), options);
  ASSERT_TRUE(validating.ok()) << validating.status();
  EXPECT_EQ(ToJson((*validating)->Observe(CaseOf(kStaticAdd))), ToJson(refused));
  (*validating)->Prepare({CaseOf(kStaticAdd)});
  EXPECT_EQ(ToJson((*validating)->Observe(CaseOf(kStaticAdd))), ToJson(refused));
  options.validation->capabilities.insert(Capability::kBf16);
  const absl::Status not_taken = CreateCapiToolchain(*FindTrunk(), options).status();
  EXPECT_TRUE(absl::StartsWith(not_taken.message(), "mlir-trunk does not take the target 1.0,pro_int+bf16,8k,strict: "))
      << not_taken;
}

TEST_F(TrunkTest, TheVerifierDecidesAndInfersAlone) {
  Verifier* verifier = toolchain_->verifier();
  const TensorType two{Shape({Dim::Static(2)}), ElementType::kF32};
  const Observation decision = verifier->ObserveDecision(CaseOf(kAdd).program);
  EXPECT_EQ(decision.stage, Stage::kInfer);
  EXPECT_EQ(decision.inferred, std::vector<std::optional<MadeType>>{two});
  EXPECT_EQ(verifier->ObserveDecision(CaseOf(kOtherTypes).program).outcome, Outcome::kRefused);
  EXPECT_EQ(verifier->ObserveProbe({}).outcome, Outcome::kRefused);
}

TEST_F(TrunkTest, GivesTheTextOfItsIr) {
  const absl::StatusOr<std::string> text =
      toolchain_->lowering()->LowerText("func.func @f() { return }", "builtin.module(convert-func-to-llvm)", false);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_TRUE(absl::StrContains(*text, "llvm.func @f")) << *text;
  const absl::StatusOr<std::string> llvm_ir =
      toolchain_->lowering()->LowerText("func.func @f() { return }", "builtin.module(convert-func-to-llvm)", true);
  ASSERT_TRUE(llvm_ir.ok()) << llvm_ir.status();
  EXPECT_TRUE(absl::StrContains(*llvm_ir, "define void @f()")) << *llvm_ir;
  const absl::StatusOr<std::string> left_over =
      toolchain_->lowering()->LowerText("func.func @f() { return }", "builtin.module(cse)", true);
  EXPECT_TRUE(absl::StrContains(left_over.status().message(), "func.func")) << left_over.status();
}

// convert-math-to-funcs keeps what it made of a module, and calls it in the next, where it is not.
TEST_F(TrunkTest, PassesThatAreNoRoutesAreNewForEachCase) {
  const std::string pipeline = absl::StrReplaceAll(
      toolchain_->description().PipelineOf("loops"),
      {{"func.func(convert-linalg", "convert-math-to-funcs{convert-ctlz=true},func.func(convert-linalg"}});
  const Case test_case = CaseOf("clz(tensor<2xi32>) -> tensor<2xi32>");
  for (int i = 0; i < 3; ++i) {
    const Observation observation = toolchain_->lowering()->ObserveThrough(test_case, pipeline);
    EXPECT_EQ(observation.outcome, Outcome::kCompleted) << i << ": " << Summarize(observation);
  }
}

// MLIR may have read memory that is not its own on the way to IR that does not verify.
TEST_F(TrunkTest, WhatMakesIllegalIrHasAProcessOfItsOwn) {
  absl::StatusOr<std::unique_ptr<ServiceProcess>> worker =
      ServiceProcess::Start({TOSAIC_CAPI_WORKER, FindTrunk()->file, "10", "60"});
  ASSERT_TRUE(worker.ok()) << worker.status();
  ASSERT_TRUE((*worker)->Answer(60).ok());
  constexpr char kModule[] =
      "func.func @f(%c: i1) { affine.for %i = 0 to 2 { scf.if %c { func.call @f(%c) : (i1) -> () } } return }";
  const auto answers_to = [&](const std::vector<std::string>& pipelines) {
    CapiRequest request;
    for (const std::string& pipeline : pipelines) {
      request.jobs.push_back({.module = kModule, .pipeline = pipeline, .lowers = true});
    }
    EXPECT_TRUE((*worker)->Ask(ToLine(request)));
    const absl::StatusOr<std::string> text = (*worker)->Answer(60);
    EXPECT_TRUE(text.ok()) << text.status();
    return FromText<CapiReply>(text->substr(0, text->find('\n')))->answers;
  };
  const std::string right = "builtin.module(cse)";
  const std::string illegal = "builtin.module(convert-scf-to-cf)";  // the body of an affine.for has one block
  EXPECT_EQ(answers_to({right, right}).size(), 2u);
  EXPECT_EQ(answers_to({right, illegal}).size(), 0u);
  const std::vector<CapiAnswer> alone = answers_to({illegal});
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone[0].observation.outcome, Outcome::kIllegalIr) << Summarize(alone[0].observation);
  EXPECT_EQ(answers_to({right, right}).size(), 2u);
}

// A case that is prepared with others is observed as it is alone, also where one of the others cannot be compiled.
TEST_F(TrunkTest, ACaseIsTheSameInAnyCompany) {
  std::vector<Case> cases;
  for (const char* signature : {kAdd, kSmallFloat, kExp, kOtherTypes}) {
    cases.push_back(CaseOf(signature));
    cases.push_back(CaseOf(signature, false));
    cases.push_back(CaseOf(signature, true, "optimized"));
  }
  for (Tensor& tensor : cases[3].runs[0]) tensor.SetBits(0, 0x38);
  std::vector<Observation> alone;
  for (const Case& test_case : cases) alone.push_back(toolchain_->Observe(test_case));
  toolchain_->Prepare(cases);
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(ToJson(toolchain_->Observe(cases[i])), ToJson(alone[i])) << i;
  }
}

}  // namespace
}  // namespace tosaic
