// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The truth table of Judge: synthetic observations of small cases, a row per way a case can end.
#include "oracle/judge.h"

#include <csignal>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/routes.h"
#include "oracle/explain.h"
#include "oracle/float_format.h"
#include "oracle/rule_cases_testing.h"
#include "oracle/run_values.h"

namespace tosaic {
namespace {

using E = ElementType;
using Kind = ValueRef::Kind;

Tensor I32(std::vector<int64_t> sizes, absl::string_view hex) {
  return TensorFromHex(E::kI32, std::move(sizes), hex).value();
}
Tensor F32(absl::string_view hex) {
  return TensorFromHex(E::kF32, {static_cast<int64_t>(hex.size() / 9 + 1)}, hex).value();
}
Tensor I32(absl::string_view hex) { return I32({static_cast<int64_t>(hex.size() / 9 + 1)}, hex); }

Case CaseOf(absl::string_view signature, std::vector<Run> runs) {
  Case test_case;
  test_case.program = ParseSignature(signature).value();
  test_case.runs = std::move(runs);
  EXPECT_TRUE(CheckWellFormed(test_case).ok()) << CheckWellFormed(test_case);
  return test_case;
}

constexpr char kDynamicAdd[] = "add(tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>";

// Two runs; the second repeats its first operand. Expected: {11, 22} and {7, 8}.
Case Add() {
  return CaseOf(kDynamicAdd,
                {{I32("00000001 00000002"), I32("0000000a 00000014")}, {I32("00000003"), I32("00000004 00000005")}});
}
Case Divide(absl::string_view divisor) {
  return CaseOf("intdiv(tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>", {{I32("00000008"), I32(divisor)}});
}
// Run-time extents that do not fit: 2 against 3.
Case Conflict() { return CaseOf(kDynamicAdd, {{I32("00000001 00000002"), I32("00000001 00000002 00000003")}}); }
// The second op's result is one of two elements; the run has one.
Case AddThenMissStaticResult() {
  Case test_case = CaseOf(kDynamicAdd, {{I32("00000001"), I32("00000002")}});
  Program& program = test_case.program;
  const ValueRef sum = {Kind::kOp, 0};
  program.ops.push_back({OpKind::kAbs, {sum}, {}, {Shape::OfSizes({2}), E::kI32}});
  program.results.push_back({Kind::kOp, 1});
  EXPECT_TRUE(CheckWellFormed(test_case).ok()) << CheckWellFormed(test_case);
  return test_case;
}
// The second op's operands have ranks 0 and 1, which an unranked type hides.
Case AbsThenAnotherRank() {
  Case test_case = CaseOf("abs(tensor<i32>) -> tensor<*xi32>", {});
  Program& program = test_case.program;
  const TensorType single = {Shape::OfSizes({1}), E::kI32};
  program.arguments.push_back(single);
  program.ops.push_back({OpKind::kMinimum, {{Kind::kOp, 0}, {Kind::kArgument, 1}}, {}, single});
  program.results = {{Kind::kOp, 1}};
  test_case.runs = {{I32({}, "00000001"), I32("00000002")}};
  EXPECT_TRUE(CheckWellFormed(test_case).ok()) << CheckWellFormed(test_case);
  return test_case;
}
// Expected in the first run: {11, 22}.
Case AddThenConflict() {
  Case test_case = Add();
  test_case.runs[1] = Conflict().runs[0];
  return test_case;
}
// 8 / (2 - x); only the quotient is returned.
Case SubtractAndDivide(absl::string_view x) {
  Case test_case;
  Program& program = test_case.program;
  const TensorType type{Shape({Dim::Dynamic()}), E::kI32};
  program.arguments = {type, type, type};
  program.ops = {{OpKind::kSub, {{Kind::kArgument, 1}, {Kind::kArgument, 2}}, {}, type},
                 {OpKind::kIntdiv, {{Kind::kArgument, 0}, {Kind::kOp, 0}}, {}, type}};
  program.results = {{Kind::kOp, 1}};
  test_case.runs = {{I32("00000008"), I32("00000002"), I32(x)}};
  EXPECT_TRUE(CheckWellFormed(test_case).ok()) << CheckWellFormed(test_case);
  return test_case;
}
// {INT_MAX + 1, 2 + 1} / x; only the quotients are returned.
Case AddAndDivide(absl::string_view x) {
  Case test_case = SubtractAndDivide(x);
  test_case.program.ops[0].op = OpKind::kAdd;
  test_case.program.ops[1].operands = {{Kind::kOp, 0}, {Kind::kArgument, 2}};
  test_case.program.ops[0].operands = {{Kind::kArgument, 0}, {Kind::kArgument, 1}};
  test_case.runs = {{I32("7fffffff 00000002"), I32("00000001"), I32(x)}};
  return test_case;
}
// Looks one element up in a table of that length.
Case LooksUpIn(int64_t entries) {
  const Tensor one(E::kI8, {1}), table(E::kI8, {entries});
  return CaseOf(absl::StrCat("table(tensor<1xi8>, tensor<", entries, "xi8>) -> tensor<1xi8>"), {{one, table}});
}
Case Illegal() { return CaseOf("add(tensor<2xi32>, tensor<3xi32>) -> tensor<?xi32>", {}); }
Case OnlyDecision() { return CaseOf("add(tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>", {}); }

// One result per run, and what the op's own inference says.
Observation Completed(std::vector<Tensor> results, const std::optional<Shape>& inferred) {
  Observation observation;
  const ElementType type = results.empty() ? E::kI32 : results.front().element_type();
  for (Tensor& tensor : results) observation.runs.push_back({{{std::move(tensor), {}}}});
  observation.inferred = {std::nullopt};
  if (inferred) observation.inferred = {TensorType{*inferred, type}};
  return observation;
}
Observation Completed(std::vector<Tensor> results) { return Completed(std::move(results), Shape({Dim::Dynamic()})); }
Observation AddsUp() { return Completed({I32("0000000b 00000016"), I32("00000007 00000008")}); }

Observation Ended(Outcome outcome, Stage stage, std::vector<Tensor> results_before = {}) {
  Observation observation = Completed(std::move(results_before));
  observation.outcome = outcome;
  observation.stage = stage;
  if (stage == Stage::kExecute) observation.run = static_cast<uint32_t>(observation.runs.size());
  observation.diagnostics = {"'tosa.add' op says why"};
  return observation;
}
Observation Died(Stage stage, int signal, std::vector<Tensor> results_before = {}) {
  Observation observation = Ended(Outcome::kSignal, stage, std::move(results_before));
  observation.signal = signal;
  return observation;
}
Observation Faulted(std::vector<Tensor> results_before = {}) {
  Observation observation = Ended(Outcome::kMemoryFault, Stage::kExecute, std::move(results_before));
  observation.fault = MemoryFault{.is_write = true, .region = "operand 1", .offset = 8, .region_bytes = 8};
  return observation;
}
Observation Read() {
  Observation observation = Faulted();
  observation.fault->is_write = false;
  return observation;
}
Observation Changed(Observation observation, const std::function<void(Observation&)>& change) {
  change(observation);
  return observation;
}

// Returns its result twice.
Case Twice(Case test_case) {
  test_case.program.results.push_back(test_case.program.results.front());
  return test_case;
}

// Returns its first argument beside the sum.
Case AddPassingOn(std::vector<std::vector<Tensor>> runs) {
  Case test_case = CaseOf(kDynamicAdd, std::move(runs));
  test_case.program.results = {{ValueRef::Kind::kArgument, 0}, {ValueRef::Kind::kOp, 0}};
  return test_case;
}
Observation PassedOn(Tensor argument, Tensor sum) {
  Observation observation = Completed({std::move(sum)});
  std::vector<ResultObservation>& results = observation.runs[0].results;
  results.insert(results.begin(), ResultObservation{std::move(argument), {}});
  return observation;
}

// A tensor of one element, whose bytes in memory are these.
Tensor Stored(E type, uint64_t raw_bits) {
  Tensor tensor(type, {1});
  std::memcpy(tensor.mutable_bytes().data(), &raw_bits, tensor.bytes().size());
  return tensor;
}

struct JudgedRow {
  const char* name;
  Case test_case;
  Observation observation;
  Verdict verdict;
  RuleId rule;
  JudgeOptions options = {};
};

// What a route that makes a graph shows of abs of an argument.
Observation MadeGraph(Outcome outcome, absl::string_view instruction = "") {
  Observation observation = Ended(outcome, Stage::kLower);
  observation.makes_graph = true;
  if (instruction.empty()) return observation;
  const TensorType type = {Shape::OfSizes({1}), E::kI32};
  observation.graph.emplace();
  observation.graph->values = {
      {.kind = SpirvValue::Kind::kInput, .type = type},
      {.kind = SpirvValue::Kind::kInstruction, .name = std::string(instruction), .operands = {0}, .type = type}};
  observation.graph->outputs = {1};
  return observation;
}

std::vector<JudgedRow> GraphRows() {
  const Case in_set = CaseOf("abs(tensor<1xi32>) -> tensor<1xi32>", {{I32("00000001")}});
  const Case beyond = CaseOf("abs(tensor<1xi64>) -> tensor<1xi64>", {{Tensor(E::kI64, {1})}});
  const Case dynamic = CaseOf("abs(tensor<?xi32>) -> tensor<?xi32>", {{I32("00000001")}});
  return {
      {"a right graph", in_set, MadeGraph(Outcome::kCompleted, "Abs"), Verdict::kAgree, RuleId::kBcastVerifyEqual},
      {"another instruction", in_set, MadeGraph(Outcome::kCompleted, "BitwiseNot"), Verdict::kContractViolation,
       RuleId::kSpirvOp},
      {"no graph of what the set has", in_set, MadeGraph(Outcome::kRefused), Verdict::kLoweringFailed,
       RuleId::kLowerComplete},
      {"no legal graph of what the set has", in_set, MadeGraph(Outcome::kIllegalIr), Verdict::kLoweringFailed,
       RuleId::kLowerLegalIr},
      {"no legal graph of what the set lacks", beyond, MadeGraph(Outcome::kIllegalIr), Verdict::kUnsupported,
       RuleId::kSupportSpirv},
      {"a graph of what the set lacks is not compared", beyond, MadeGraph(Outcome::kCompleted, "Abs"),
       Verdict::kUnsupported, RuleId::kSupportSpirv},
      {"no graph of a dynamic shape", dynamic, MadeGraph(Outcome::kRefused), Verdict::kUnsupported,
       RuleId::kSupportSpirv},
      {"a wrong graph of a dynamic shape", dynamic, MadeGraph(Outcome::kCompleted, "Abs"), Verdict::kContractViolation,
       RuleId::kSpirvType},
      {"a pass that dies of what the set lacks", beyond, Died(Stage::kLower, SIGSEGV), Verdict::kCrash,
       RuleId::kRunSignal},
  };
}

std::vector<JudgedRow> DecisionRows() {
  const Case unranked = CaseOf("abs(tensor<*xi32>) -> tensor<*xi32>", {{I32("00000001")}});
  const Case fp8 = CaseOf("cast(tensor<1xf32>) -> tensor<1xf8E4M3FN>", {{Tensor(E::kF32, {1})}});
  Case inexact = CaseOf("rescale(tensor<1xi8>) -> tensor<1xi16>", {{Tensor(E::kI8, {1})}});
  const Case rescale = inexact;
  inexact.program.ops[0].attributes.rounding_mode = RoundingMode::kInexactRound;
  Observation of_other_type = Completed({Tensor(E::kI16, {1})});
  of_other_type.inferred = {*ParseTensorType("tensor<1xi8>")};
  const Case f64 = CaseOf("abs(tensor<1xf64>) -> tensor<1xf64>", {{Tensor(E::kF64, {1})}});
  const Case logarithm = CaseOf("log(tensor<1xi8>) -> tensor<1xi8>", {{Tensor(E::kI8, {1})}});
  const Case zero_point = CaseOf("negate(tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1xi8>",
                                 {{Tensor(E::kI8, {1}), Tensor(E::kI8, {1}), Tensor(E::kI8, {1})}});
  const Observation not_lowered = Ended(Outcome::kRefused, Stage::kLower);
  return {
      {"a legal case without runs, accepted", OnlyDecision(), Completed({}, Shape({Dim::Static(2)})), Verdict::kAgree,
       RuleId::kBcastVerifyEqual},
      {"an illegal case, refused", Illegal(), Ended(Outcome::kRefused, Stage::kVerify), Verdict::kAgree,
       RuleId::kBcastInferConflict},
      {"an illegal case that cannot even be built", Illegal(), Ended(Outcome::kRefused, Stage::kBuild),
       Verdict::kUnsupported, RuleId::kSupportNotBuilt},
      {"a legal case, refused", Add(), Ended(Outcome::kRefused, Stage::kVerify), Verdict::kFalseReject,
       RuleId::kBcastVerifyDynDyn},
      {"an illegal case, accepted", Illegal(), Completed({}, std::nullopt), Verdict::kFalseAccept,
       RuleId::kBcastInferConflict},
      {"an illegal case that only the lowering refuses", Illegal(), not_lowered, Verdict::kFalseAccept,
       RuleId::kBcastInferConflict},
      {"an illegal case that becomes illegal IR", Illegal(), Ended(Outcome::kIllegalIr, Stage::kLower),
       Verdict::kFalseAccept, RuleId::kBcastInferConflict},
      {"a legal case that is not lowered", Add(), not_lowered, Verdict::kLoweringFailed, RuleId::kLowerComplete},
      {"a legal case that is not translated", Add(), Ended(Outcome::kRefused, Stage::kTranslate),
       Verdict::kLoweringFailed, RuleId::kLowerComplete},
      {"a legal case that does not compile", Add(), Ended(Outcome::kRefused, Stage::kCompile), Verdict::kLoweringFailed,
       RuleId::kLowerComplete},
      {"a legal case that becomes illegal IR", Add(), Ended(Outcome::kIllegalIr, Stage::kLower),
       Verdict::kLoweringFailed, RuleId::kLowerLegalIr},
      {"shapes that contradict each other, refused once they are inferred", AbsThenAnotherRank(),
       Ended(Outcome::kIllegalIr, Stage::kLower), Verdict::kUndefined, RuleId::kRunUndefined},
      {"shapes that contradict each other, not lowered", AbsThenAnotherRank(), not_lowered, Verdict::kUndefined,
       RuleId::kRunUndefined},
      {"shapes that contradict each other are no reason to die", AbsThenAnotherRank(),
       Ended(Outcome::kSignal, Stage::kLower), Verdict::kCrash, RuleId::kRunSignal},
      {"illegal IR is never a matter of support", unranked, Ended(Outcome::kIllegalIr, Stage::kLower),
       Verdict::kLoweringFailed, RuleId::kLowerLegalIr},
      {"unranked tensors, not lowered", unranked, not_lowered, Verdict::kUnsupported, RuleId::kSupportUnranked},
      {"unranked tensors, refused by the verifier", unranked, Ended(Outcome::kRefused, Stage::kVerify),
       Verdict::kFalseReject, RuleId::kBcastVerifyUnrankedResult},
      {"zero points at run time, not lowered", zero_point, not_lowered, Verdict::kUnsupported,
       RuleId::kSupportSpecialOperand},
      {"fp8, not lowered", fp8, not_lowered, Verdict::kUnsupported, RuleId::kSupportFp8},
      {"an inferred element type that is not the declared one", rescale, of_other_type, Verdict::kAgree,
       RuleId::kLegalResultShape},
      {"INEXACT_ROUND, not lowered", inexact, not_lowered, Verdict::kUnsupported, RuleId::kSupportInexactRound},
      {"fp8, illegal IR", fp8, Ended(Outcome::kIllegalIr, Stage::kTranslate), Verdict::kLoweringFailed,
       RuleId::kLowerLegalIr},
      {"a type beyond the specification, not lowered", f64, not_lowered, Verdict::kUnsupported,
       RuleId::kSupportBeyondSpec},
      {"a type beyond the specification has values by extension", f64,
       Completed({Tensor(E::kF64, {1})}, Shape({Dim::Static(1)})), Verdict::kAgree, RuleId::kBcastVerifyEqual},
      {"an op that no document has on integers has none", logarithm,
       Completed({Tensor(E::kI8, {1})}, Shape({Dim::Static(1)})), Verdict::kUndefined, RuleId::kRunUndefined},
  };
}

std::vector<JudgedRow> EndingRows() {
  const Case by_zero = Divide("00000000");
  const Case by_two = Divide("00000002");
  const Tensor first = I32("0000000b 00000016");
  return {
      {"the harness could not go on", Add(), Ended(Outcome::kToolFailure, Stage::kLower), Verdict::kHarnessFault,
       RuleId::kHarnessToolchain},
      {"the harness could not go on with an illegal case", Illegal(), Ended(Outcome::kToolFailure, Stage::kBuild),
       Verdict::kHarnessFault, RuleId::kHarnessToolchain},
      {"the verifier hangs", Add(), Ended(Outcome::kDeadline, Stage::kVerify), Verdict::kTimeout, RuleId::kRunDeadline},
      {"a pass hangs on an illegal case", Illegal(), Ended(Outcome::kDeadline, Stage::kLower), Verdict::kTimeout,
       RuleId::kRunDeadline},
      {"the code hangs", Add(), Ended(Outcome::kDeadline, Stage::kExecute, {first}), Verdict::kTimeout,
       RuleId::kRunDeadline},
      {"a pass eats memory", Add(), Ended(Outcome::kOutOfMemory, Stage::kLower), Verdict::kCrash,
       RuleId::kRunMemoryLimit},
      {"the verifier crashes", Add(), Died(Stage::kVerify, SIGSEGV), Verdict::kCrash, RuleId::kRunSignal},
      {"the verifier crashes on an illegal case", Illegal(), Died(Stage::kVerify, SIGABRT), Verdict::kCrash,
       RuleId::kRunSignal},
      {"a pass crashes", Add(), Died(Stage::kLower, SIGSEGV), Verdict::kCrash, RuleId::kRunSignal},
      {"a pass crashes on unranked tensors", CaseOf("abs(tensor<*xi32>) -> tensor<*xi32>", {{I32("00000001")}}),
       Died(Stage::kLower, SIGSEGV), Verdict::kCrash, RuleId::kRunSignal},
      {"a pass crashes on undefined data", by_zero, Died(Stage::kLower, SIGFPE), Verdict::kCrash, RuleId::kRunSignal},
      {"the code crashes", Add(), Died(Stage::kExecute, SIGILL, {first}), Verdict::kCrash, RuleId::kRunSignal},
      {"a defined division traps", by_two, Died(Stage::kExecute, SIGFPE), Verdict::kCrash, RuleId::kRunSignal},
      {"a division by zero traps", by_zero, Died(Stage::kExecute, SIGFPE), Verdict::kUndefined, RuleId::kRunUndefined},
      {"undefined data stop the code", by_zero, Died(Stage::kExecute, SIGABRT), Verdict::kUndefined,
       RuleId::kRunUndefined},
      {"undefined data excuse no access that a tool dies of", by_zero, Died(Stage::kExecute, SIGSEGV), Verdict::kCrash,
       RuleId::kRunSignal},
      {"nor one of another kind", by_zero, Died(Stage::kExecute, SIGBUS), Verdict::kCrash, RuleId::kRunSignal},
      {"the code touches foreign memory", Add(), Faulted(), Verdict::kMemoryFault, RuleId::kRunMemory},
      {"in the second run", Add(), Faulted({first}), Verdict::kMemoryFault, RuleId::kRunMemory},
      {"undefined data excuse no foreign memory", by_zero, Faulted(), Verdict::kMemoryFault, RuleId::kRunMemory},
      {"extents that do not fit excuse foreign memory", Conflict(), Faulted(), Verdict::kUndefined,
       RuleId::kRunUndefined},
      {"a table of the right length excuses no read outside it", LooksUpIn(256), Read(), Verdict::kMemoryFault,
       RuleId::kRunMemory},
      {"a table of another length does", LooksUpIn(255), Read(), Verdict::kUndefined, RuleId::kRunUndefined},
      {"but no write", LooksUpIn(255), Faulted(), Verdict::kMemoryFault, RuleId::kRunMemory},
      {"extents that do not fit excuse a signal", Conflict(), Died(Stage::kExecute, SIGABRT), Verdict::kUndefined,
       RuleId::kRunUndefined},
      {"they excuse code that hangs", Conflict(), Ended(Outcome::kDeadline, Stage::kExecute), Verdict::kUndefined,
       RuleId::kRunUndefined},
      {"and code that eats memory", Conflict(), Ended(Outcome::kOutOfMemory, Stage::kExecute), Verdict::kUndefined,
       RuleId::kRunUndefined},
      {"but no pass that hangs", Conflict(), Ended(Outcome::kDeadline, Stage::kLower), Verdict::kTimeout,
       RuleId::kRunDeadline},
      {"undefined data excuse no code that hangs", by_zero, Ended(Outcome::kDeadline, Stage::kExecute),
       Verdict::kTimeout, RuleId::kRunDeadline},
      {"what the code did before an excused end counts", AddThenConflict(),
       Died(Stage::kExecute, SIGABRT, {I32("0000000b 00000017")}), Verdict::kWrongValue, RuleId::kValueAddPlain},
      {"an excused end after a right run", AddThenConflict(), Died(Stage::kExecute, SIGABRT, {first}),
       Verdict::kUndefined, RuleId::kRunUndefined},
      {"an end that nothing excuses comes before a wrong value", Add(),
       Died(Stage::kExecute, SIGILL, {I32("0000000b 00000017")}), Verdict::kCrash, RuleId::kRunSignal},
      {"a trap behind a defined intermediate", SubtractAndDivide("00000001"), Died(Stage::kExecute, SIGFPE),
       Verdict::kCrash, RuleId::kRunSignal},
      {"a trap behind an intermediate of zero", SubtractAndDivide("00000002"), Died(Stage::kExecute, SIGFPE),
       Verdict::kUndefined, RuleId::kRunUndefined},
  };
}

// Observations that cannot be of the case they are said to be of.
std::vector<JudgedRow> ContradictionRows() {
  const Tensor first = I32("0000000b 00000016"), second = I32("00000007 00000008");
  const auto no_result = [](Observation& o) { o.runs[1].results.clear(); };
  const auto in_no_run = [](Observation& o) { o.run = 2; };
  return {
      {"a run too few", Add(), Completed({first}), Verdict::kHarnessFault, RuleId::kHarnessObservation},
      {"no run at all", Add(), Completed({}), Verdict::kHarnessFault, RuleId::kHarnessObservation},
      {"a run too many", Add(), Completed({first, second, second}), Verdict::kHarnessFault,
       RuleId::kHarnessObservation},
      {"runs of a case that has none", OnlyDecision(), Completed({first}), Verdict::kHarnessFault,
       RuleId::kHarnessObservation},
      {"a result too few", Add(), Changed(AddsUp(), no_result), Verdict::kHarnessFault, RuleId::kHarnessObservation},
      {"results of another type", Add(), Completed({Tensor(E::kF32, {2}), second}), Verdict::kHarnessFault,
       RuleId::kHarnessObservation},
      {"an unwritten element that is not there", Add(),
       Changed(AddsUp(), [](Observation& o) { o.runs[0].results[0].unwritten = {2}; }), Verdict::kHarnessFault,
       RuleId::kHarnessObservation},
      {"an end in a run that is not there", Add(), Changed(Died(Stage::kExecute, SIGILL, {first, second}), in_no_run),
       Verdict::kHarnessFault, RuleId::kHarnessObservation},
  };
}

TEST(JudgeTest, SaysWhatAnElementThatDependsOnPoisonIsOtherwise) {
  Observation observation = AddsUp();
  observation.runs[1].results[0].poisoned = {1};
  observation.runs[1].results[0].poisoned_otherwise = {0xa5};
  observation.runs[1].poison = {"%3 = add nsw i32 %1, %2 where %1 = 5 and %2 = 6"};
  const Judgement judgement = Judge(Add(), observation, {});
  EXPECT_EQ(judgement.rule, RuleId::kRunUndefinedBehaviour);
  EXPECT_EQ(judgement.expected, "8, whatever poison is taken for");
  EXPECT_EQ(judgement.actual,
            "run 1, %0: 1 element depends on poison, of which LLVM may make anything: element 1 is 8 here, and 165 "
            "where poison is taken for another value; poison is %3 = add nsw i32 %1, %2 where %1 = 5 and %2 = 6");
  ASSERT_TRUE(judgement.mismatch);
  EXPECT_EQ(judgement.mismatch->run, 1);
  EXPECT_EQ(judgement.mismatch->index, 1u);
  EXPECT_EQ(judgement.mismatch->inputs.size(), 2u);
}

TEST(JudgeTest, NotesWhereUndefinedBehaviourMayHaveGoneUnseen) {
  Observation observation = AddsUp();
  observation.poison_unseen = {"icmp"};
  const Judgement judgement = Judge(Add(), observation, {});
  EXPECT_EQ(judgement.verdict, Verdict::kAgree);
  EXPECT_EQ(judgement.notes, std::vector<std::string>{"run.undefined-behaviour.open: icmp"});
}

std::vector<JudgedRow> RunRows() {
  const Case sum_overflows = CaseOf(kDynamicAdd, {{I32("7fffffff 00000001"), I32("00000001 00000001")}});
  const Case all_overflow = CaseOf(kDynamicAdd, {{I32("7fffffff"), I32("00000001")}});
  const Tensor first = I32("0000000b 00000016"), second = I32("00000007 00000008");
  const Case by_zero_and_two = Divide("00000000 00000002"), by_one_and_two = Divide("00000001 00000002");
  auto unwritten = [](Observation& o) { o.runs[1].results[0].unwritten = {1}; };
  auto first_unwritten = [](Observation& o) { o.runs[0].results[0].unwritten = {0}; };
  auto second_unwritten = [](Observation& o) { o.runs[0].results[0].unwritten = {1}; };
  auto first_poisoned = [](Observation& o) { o.runs[0].results[0].poisoned = {0}; };
  auto second_poisoned = [](Observation& o) { o.runs[0].results[0].poisoned = {1}; };
  const Case no_value = CaseOf("floor(tensor<1xi8>) -> tensor<1xi8>", {{Tensor(E::kI8, {1})}});
  constexpr char kExp[] = "exp(tensor<?xf32>) -> tensor<?xf32>";
  const Case twice_exp = Twice(CaseOf(kExp, {{F32("2e800000")}}));  // 2^-34: both bits are allowed
  const Case twice_exp_of_nan = Twice(CaseOf(kExp, {{F32("7fc00000")}}));
  const Case twice_sub =
      Twice(CaseOf("sub(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>", {{F32("3f800000"), F32("3f800000")}}));
  const Case twice_overflow = Twice(sum_overflows), twice_no_value = Twice(no_value);
  const Tensor one_two = I32("00000001 00000002"), sum = I32("00000002 00000004");
  const Case passes_on = AddPassingOn({{one_two, one_two}});
  const Case returns_twice = Twice(CaseOf(kDynamicAdd, {{one_two, one_two}}));
  const Case conflict_passes_on = AddPassingOn({{one_two, I32("00000001 00000002 00000003")}});
  auto leaks = [](Observation& o) { o.runs[1].leaked_buffers = 2; };
  auto overwritten = [](Observation& o) { o.runs[0].results[0].overwritten = true; };
  auto not_owned = [](Observation& o) { o.runs[1].results[0].not_owned = "operand 1"; };
  return {
      {"a value before extents that do not fit", AddThenMissStaticResult(),
       Changed(Completed({I32("00000003 00000000")}),
               [](Observation& o) { o.runs[0].results.push_back({I32("00000003 00000000"), {}}); }),
       Verdict::kUndefined, RuleId::kRunUndefined},
      {"all as expected", Add(), AddsUp(), Verdict::kAgree, RuleId::kBcastVerifyDynDyn},
      {"a wrong value", Add(), Completed({I32("0000000b 00000017"), second}), Verdict::kWrongValue,
       RuleId::kValueAddPlain},
      {"a wrong value in the second run", Add(), Completed({first, I32("00000007 00000007")}), Verdict::kWrongValue,
       RuleId::kValueAddPlain},
      {"an undefined element is not compared", sum_overflows, Completed({I32("deadbeef 00000002")}), Verdict::kAgree,
       RuleId::kBcastVerifyDynDyn},
      {"its neighbour is", sum_overflows, Completed({I32("deadbeef 00000003")}), Verdict::kWrongValue,
       RuleId::kValueAddPlain},
      {"nothing left to compare", all_overflow, Completed({I32("deadbeef")}), Verdict::kUndefined,
       RuleId::kRunUndefined},
      {"what stands beside a division by zero", by_zero_and_two, Completed({I32("00000000 00000003")}),
       Verdict::kUndefined, RuleId::kRunUndefined},
      {"the same never written", by_zero_and_two, Changed(Completed({I32("00000000 00000004")}), second_unwritten),
       Verdict::kUndefined, RuleId::kRunUndefined},
      {"a quotient beside another", by_one_and_two, Completed({I32("00000008 00000003")}), Verdict::kWrongValue,
       RuleId::kValueIntdivPlain},
      {"a sum that overflows, divided by 2", AddAndDivide("00000002"), Completed({I32("00000000 00000007")}),
       Verdict::kWrongValue, RuleId::kValueIntdivPlain},
      {"divided by -1", AddAndDivide("ffffffff"), Completed({I32("00000000 00000007")}), Verdict::kUndefined,
       RuleId::kRunUndefined},
      {"what is made of both", SubtractAndDivide("00000002 00000000"), Completed({I32("00000000 00000003")}),
       Verdict::kUndefined, RuleId::kRunUndefined},
      {"extents that do not fit", Conflict(), Completed({I32("00000001")}), Verdict::kUndefined, RuleId::kRunUndefined},
      {"a wrong size", Add(), Completed({first, I32("00000007")}), Verdict::kWrongShape, RuleId::kRuntimeBroadcast},
      {"a wrong rank", Add(), Completed({I32({1, 2}, "0000000b 00000016"), second}), Verdict::kWrongShape,
       RuleId::kRuntimeEqual},
      {"undefined data excuse no wrong size", all_overflow, Completed({I32("00000001 00000002")}), Verdict::kWrongShape,
       RuleId::kRuntimeEqual},
      {"an element never written", Add(), Changed(AddsUp(), unwritten), Verdict::kUninitializedResult,
       RuleId::kRunEveryElementWritten},
      {"an undefined element never written", sum_overflows,
       Changed(Completed({I32("deadbeef 00000002")}), first_unwritten), Verdict::kAgree, RuleId::kBcastVerifyDynDyn},
      {"its neighbour never written", sum_overflows, Changed(Completed({I32("deadbeef 00000002")}), second_unwritten),
       Verdict::kUninitializedResult, RuleId::kRunEveryElementWritten},
      {"an element that depends on poison", Add(), Changed(AddsUp(), first_poisoned), Verdict::kWrongValue,
       RuleId::kRunUndefinedBehaviour},
      {"code that was not searched for poison", Add(),
       Changed(AddsUp(), [](Observation& o) { o.poison_unseen = {"icmp"}; }), Verdict::kAgree,
       RuleId::kBcastVerifyDynDyn},
      {"a poisoned element that is not there", Add(),
       Changed(AddsUp(), [](Observation& o) { o.runs[0].results[0].poisoned = {2}; }), Verdict::kHarnessFault,
       RuleId::kHarnessObservation},
      {"an undefined element that depends on poison", sum_overflows,
       Changed(Completed({I32("deadbeef 00000002")}), first_poisoned), Verdict::kAgree, RuleId::kBcastVerifyDynDyn},
      {"its neighbour depends on poison", sum_overflows,
       Changed(Completed({I32("deadbeef 00000002")}), second_poisoned), Verdict::kWrongValue,
       RuleId::kRunUndefinedBehaviour},
      {"an element without a value depends on poison", no_value,
       Changed(Completed({Tensor(E::kI8, {1})}, Shape({Dim::Static(1)})), first_poisoned), Verdict::kUndefined,
       RuleId::kRunUndefined},
      {"an element without a value of an op that is always predictable", no_value,
       Changed(Completed({Tensor(E::kI8, {1})}, Shape({Dim::Static(1)})), first_unwritten),
       Verdict::kUninitializedResult, RuleId::kRunEveryElementWritten},
      {"a result returned twice", returns_twice, PassedOn(sum, sum), Verdict::kAgree, RuleId::kBcastVerifyDynDyn},
      {"a result returned twice with other bits", twice_exp, PassedOn(F32("3f800000"), F32("3f800001")),
       Verdict::kWrongValue, RuleId::kRunReturnedTwice},
      {"a result returned twice with another NaN", twice_exp_of_nan, PassedOn(F32("7fc00000"), F32("7fc00001")),
       Verdict::kWrongValue, RuleId::kRunReturnedTwice},
      {"a result returned twice with another zero", twice_sub, PassedOn(F32("00000000"), F32("80000000")),
       Verdict::kWrongValue, RuleId::kRunReturnedTwice},
      {"an undefined result returned twice with other bits", twice_overflow,
       PassedOn(I32("deadbeef 00000002"), I32("00000000 00000002")), Verdict::kAgree, RuleId::kBcastVerifyDynDyn},
      {"its neighbour returned twice with other bits", twice_overflow,
       PassedOn(I32("deadbeef 00000002"), I32("00000000 00000003")), Verdict::kWrongValue, RuleId::kRunReturnedTwice},
      {"a result without a rule returned twice with other bits", twice_no_value,
       PassedOn(Tensor(E::kI8, {1}), TensorFromHex(E::kI8, {1}, "01").value()), Verdict::kWrongValue,
       RuleId::kRunReturnedTwice},
      {"an argument passed on", passes_on, PassedOn(I32("00000001 00000002"), sum), Verdict::kAgree,
       RuleId::kBcastVerifyDynDyn},
      {"an argument passed on with another bit", passes_on, PassedOn(I32("00000001 00000003"), sum),
       Verdict::kWrongValue, RuleId::kRunPassedOn},
      {"an argument passed on with an element less", passes_on, PassedOn(I32("00000001"), sum), Verdict::kWrongShape,
       RuleId::kRunPassedOn},
      {"extents that do not fit excuse what is passed on", conflict_passes_on,
       PassedOn(I32("00000005"), I32("00000001")), Verdict::kUndefined, RuleId::kRunUndefined},
      {"a result that a later call changes", Add(), Changed(AddsUp(), overwritten), Verdict::kContractViolation,
       RuleId::kRunFresh},
      {"a result that is not the caller's", Add(), Changed(AddsUp(), not_owned), Verdict::kContractViolation,
       RuleId::kRunOwned},
      {"a wrong value comes before whose it is", Add(),
       Changed(Completed({I32("0000000b 00000017"), second}), not_owned), Verdict::kWrongValue, RuleId::kValueAddPlain},
      {"extents that do not fit excuse both", Conflict(),
       Changed(Completed({I32("00000001")}),
               [](Observation& o) {
                 o.runs[0].results[0].overwritten = true;
                 o.runs[0].results[0].not_owned = "operand 0";
               }),
       Verdict::kUndefined, RuleId::kRunUndefined},
      {"a buffer lost", Add(), Changed(AddsUp(), leaks), Verdict::kLeak, RuleId::kRunLeak},
      {"extents that do not fit excuse a lost buffer", Conflict(),
       Changed(Completed({I32("00000001")}), [](Observation& o) { o.runs[0].leaked_buffers = 1; }), Verdict::kUndefined,
       RuleId::kRunUndefined},
      {"a wrong value comes before a lost buffer", Add(), Changed(Completed({I32("0000000b 00000017"), second}), leaks),
       Verdict::kWrongValue, RuleId::kValueAddPlain},
  };
}

std::vector<JudgedRow> InferenceRows() {
  const Case fixed = CaseOf("add(tensor<2x?xi32>, tensor<1x?xi32>) -> tensor<?x?xi32>", {});
  const Case unranked = CaseOf("abs(tensor<*xi32>) -> tensor<*xi32>", {});
  const Dim any = Dim::Dynamic();
  auto infers = [](const std::optional<Shape>& shape) { return Completed({}, shape); };
  return {
      {"the trait's shape", fixed, infers(Shape({Dim::Static(2), any})), Verdict::kAgree,
       RuleId::kBcastVerifyStaticDyn},
      {"less precise", fixed, infers(Shape({any, any})), Verdict::kAgree, RuleId::kBcastVerifyStaticDyn},
      {"no shape at all", fixed, infers(std::nullopt), Verdict::kAgree, RuleId::kBcastVerifyStaticDyn},
      {"another size", fixed, infers(Shape({Dim::Static(1), any})), Verdict::kWrongInference, RuleId::kInferShape},
      {"a size where none is known", fixed, infers(Shape({Dim::Static(2), Dim::Static(1)})), Verdict::kWrongInference,
       RuleId::kInferShape},
      {"another rank", fixed, infers(Shape({any})), Verdict::kWrongInference, RuleId::kInferShape},
      {"unranked stays unranked", unranked, infers(Shape::Unranked()), Verdict::kAgree,
       RuleId::kBcastVerifyUnrankedResult},
      {"a shape out of unranked operands", unranked, infers(Shape({any})), Verdict::kWrongInference,
       RuleId::kInferUnrankedOperands},
      {"a wrong value comes before a wrong shape", Add(),
       Completed({I32("00000000 00000000"), I32("00000007 00000008")}, Shape({Dim::Static(9)})), Verdict::kWrongValue,
       RuleId::kValueAddPlain},
      {"right values excuse no wrong shape", Add(),
       Completed({I32("0000000b 00000016"), I32("00000007 00000008")}, Shape({Dim::Static(9)})),
       Verdict::kWrongInference, RuleId::kInferShape},
  };
}

// The observation of a route that ends with the IR and runs nothing.
Observation Left(const LoweredIr& ir) {
  Observation observation = Completed({});
  observation.stage = Stage::kLower;
  observation.lowered = ir;
  observation.extracts = true;
  return observation;
}

std::vector<JudgedRow> ContractRows() {
  const Case abs = CaseOf("abs(tensor<2xi32>) -> tensor<2xi32>", {{I32("00000001 00000002")}});
  const LoweredValue argument{.kind = LoweredValue::Kind::kArgument, .type = abs.program.arguments[0]};
  const LoweredIr folded{.values = {argument}, .returned = {0}};
  LoweredIr left_over = folded;
  left_over.values.push_back({.name = "tosa.abs"});
  LoweredIr nothing = folded;
  nothing.returned = {};
  auto with_a_run = [](Observation& o) { o.runs = AddsUp().runs; };
  auto extracts = [](Observation& o) { o.extracts = true; };
  Case reshape = CaseOf("reshape(tensor<2xi32>) -> tensor<2x1xi32>", {{I32("00000001 00000002")}});
  reshape.route = "custom";
  return {
      {"IR that keeps the contract", abs, Left(folded), Verdict::kAgree, RuleId::kBcastVerifyEqual},
      {"an op that is left over", abs, Left(left_over), Verdict::kContractViolation, RuleId::kContractLeftover},
      {"no value", abs, Left(nothing), Verdict::kContractViolation, RuleId::kContractResult},
      {"IR and a run", abs, Changed(Left(folded), with_a_run), Verdict::kHarnessFault, RuleId::kHarnessObservation},
      {"IR of a reshape, on an edited route", reshape, Left(left_over), Verdict::kUnsupported,
       RuleId::kSupportNotBuilt},
      {"a reshape that is refused there", reshape, Changed(Ended(Outcome::kRefused, Stage::kLower), extracts),
       Verdict::kUnsupported, RuleId::kSupportNotBuilt},
      {"IR of an illegal case", Illegal(), Left(folded), Verdict::kFalseAccept, RuleId::kBcastInferConflict},
  };
}

JudgeOptions Of(Dialect dialect) {
  JudgeOptions options;
  options.policies.dialect = dialect;
  return options;
}

// 32 times the same element; of f6E2M3FN, 0x7f08 is 1 * 2^0, and 0x7d18 is 4 * 2^-2.
Tensor Filled(ElementType type, uint64_t bits) {
  Tensor tensor(type, {32});
  for (size_t i = 0; i < 32; ++i) tensor.SetBits(i, bits);
  return tensor;
}

JudgeOptions DraftOf24() {
  JudgeOptions options = Of(Dialect::k24);
  options.policies.spec_version = SpecVersion::k1_1;
  return options;
}

// An older dialect cannot spell newer ops, types and attributes; a case with them is unsupported, and no divergence.
std::vector<JudgedRow> DialectRows() {
  const Observation not_built = Ended(Outcome::kRefused, Stage::kBuild);
  const Case sin = CaseOf("sin(tensor<1xf32>) -> tensor<1xf32>", {{Tensor(E::kF32, {1})}});
  const Case fp8 = CaseOf("cast(tensor<1xf32>) -> tensor<1xf8E4M3FN>", {{Tensor(E::kF32, {1})}});
  const Case shift = CaseOf("mul(tensor<1xi32>, tensor<1xi32>, tensor<1xi8>) -> tensor<1xi32>", {});
  Case unranked = CaseOf("reshape(tensor<1xf32>) -> tensor<1xf32>", {});
  unranked.program.ops[0].result.shape = Shape::Unranked();
  Case bounds = CaseOf("clamp(tensor<1xf32>) -> tensor<1xf32>", {});
  Case ignoring = bounds;
  Case as_unsigned = CaseOf("cast(tensor<1xi8>) -> tensor<1xi32>", {});
  as_unsigned.program.ops[0].attributes.input_unsigned = true;
  const Case blocks =
      CaseOf("cast(tensor<4x32xf32>) -> tensor<4x32x!tosa.block_scaled<BLOCK_SHAPE_32 : f8E8M0FNU : f4E2M1FN>>", {});
  const Case half =
      CaseOf("cast(tensor<4x16xf32>) -> tensor<4x16x!tosa.block_scaled<BLOCK_SHAPE_32 : f8E8M0FNU : f4E2M1FN>>", {});
  const Case of_ones =
      CaseOf("cast(tensor<32xf32>) -> tensor<32x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f6E2M3FN>>",
             {{Filled(E::kF32, 0x3f800000)}});
  const Case to_floats =
      CaseOf("cast(tensor<32x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f6E2M3FN>>) -> tensor<32xf32>",
             {{Filled(E::kBlockF6E2M3FN, 0x7f08)}});
  Case behind = of_ones;  // only the identity of the blocks is returned
  behind.program.ops.push_back({OpKind::kIdentity, {{Kind::kOp, 0}}, {}, behind.program.ops[0].result});
  behind.program.results = {{Kind::kOp, 1}};
  bounds.program.ops[0].attributes.max_val = TypedBits{E::kF16, 0};
  ignoring.program.ops[0].attributes.nan_mode = NanMode::kIgnore;
  return {
      {"an op", sin, not_built, Verdict::kUnsupported, RuleId::kSupportNoSuchOp, Of(Dialect::k16)},
      {"an element type", fp8, not_built, Verdict::kUnsupported, RuleId::kSupportNoSuchType, Of(Dialect::k16)},
      {"a shift at run time", shift, not_built, Verdict::kUnsupported, RuleId::kSupportNoSuchAttribute,
       Of(Dialect::k19)},
      {"a bound of another type", bounds, not_built, Verdict::kUnsupported, RuleId::kSupportOtherBounds,
       Of(Dialect::k19)},
      {"a NaN that is ignored", ignoring, not_built, Verdict::kUnsupported, RuleId::kSupportNanMode, Of(Dialect::k19)},
      {"an unsigned number", as_unsigned, not_built, Verdict::kUnsupported, RuleId::kSupportNoSuchWord,
       Of(Dialect::k22)},
      {"an unranked result", unranked, not_built, Verdict::kUnsupported, RuleId::kSupportRankedResult,
       Of(Dialect::k19)},
      {"block-scaled types", blocks, not_built, Verdict::kUnsupported, RuleId::kSupportNoBlocks, Of(Dialect::k22)},
      {"block-scaled types, not lowered", blocks, Ended(Outcome::kRefused, Stage::kLower), Verdict::kUnsupported,
       RuleId::kSupportBlockScaled, DraftOf24()},
      {"block-scaled types, refused by the verifier", blocks, Ended(Outcome::kRefused, Stage::kVerify),
       Verdict::kFalseReject, RuleId::kBcastVerifyEqual, DraftOf24()},
      {"a block as CAST makes it", of_ones, Completed({Filled(E::kBlockF6E2M3FN, 0x7d18)}, Shape::OfSizes({32})),
       Verdict::kAgree, RuleId::kBcastVerifyEqual, DraftOf24()},
      {"a block with the same numbers and a larger scale", of_ones,
       Completed({Filled(E::kBlockF6E2M3FN, 0x7f08)}, Shape::OfSizes({32})), Verdict::kAgree, RuleId::kBcastVerifyEqual,
       DraftOf24()},
      {"a block of other numbers", of_ones, Completed({Filled(E::kBlockF6E2M3FN, 0x7f09)}, Shape::OfSizes({32})),
       Verdict::kWrongValue, RuleId::kValueCastToBlockScaled, DraftOf24()},
      {"a block of other numbers, behind an identity", behind, Completed({Filled(E::kBlockF6E2M3FN, 0x7f09)}),
       Verdict::kWrongValue, RuleId::kValueCastToBlockScaled, DraftOf24()},
      {"a block as CAST makes it, behind an identity", behind, Completed({Filled(E::kBlockF6E2M3FN, 0x7d18)}),
       Verdict::kAgree, RuleId::kLegalResultShape, DraftOf24()},
      {"floats of another block", to_floats, Completed({Filled(E::kF32, 0x40000000)}, Shape::OfSizes({32})),
       Verdict::kWrongValue, RuleId::kValueCastFromBlockScaled, DraftOf24()},
      {"half a block, accepted", half, Ended(Outcome::kRefused, Stage::kLower), Verdict::kFalseAccept,
       RuleId::kLegalBlockScaled, DraftOf24()},
      {"a route", sin, not_built, Verdict::kUnsupported, RuleId::kSupportNotBuilt, Of(Dialect::k19)},
  };
}

// sin(x), which may be any number for this x, between the bounds, and two ops on this; neither of the first two is
// returned.
Case OfHiddenSine(float bound, OpKind one, OpKind other) {
  Case test_case = CaseOf("sin(tensor<1xf32>) -> tensor<1xf32>", {{TensorFromHex(E::kF32, {1}, "7149f2ca").value()}});
  Program& program = test_case.program;
  const TensorType type = program.arguments[0];
  const auto op = [](int index) { return ValueRef{ValueRef::Kind::kOp, index}; };
  Attributes bounds;
  bounds.min_val = TypedBits{E::kF32, NearestBits(E::kF32, -bound)};
  bounds.max_val = TypedBits{E::kF32, NearestBits(E::kF32, bound)};
  program.ops.push_back({OpKind::kClamp, {op(0)}, bounds, type});
  program.ops.push_back({one, {op(1)}, {}, type});
  program.ops.push_back({other, {op(1)}, {}, type});
  program.results = {op(2), op(3)};
  return test_case;
}

Observation CompletedWithTwo(absl::string_view first, absl::string_view second) {
  Observation observation = Completed({TensorFromHex(E::kF32, {1}, first).value()});
  observation.runs[0].results.push_back({TensorFromHex(E::kF32, {1}, second).value(), {}});
  return observation;
}

// Properties that only some routes observe, or that belong to the whole case and to no run.
std::vector<JudgedRow> PropertyRows() {
  auto verifies = [](Observation& o) { o.verifies_extents = true; };
  auto reads = [](Observation& o) { o.fault->is_write = false; };
  auto stops = [](Observation& o) { o.runs[0] = {.stopped = "ERROR: Runtime op verification failed\n"}; };
  auto calls_library = [](Observation& o) { o.calls_library = true; };
  auto stores_twice = [](Observation& o) { o.runs[1].results[0].not_stored_once = {{0, 2}}; };
  auto for_its_rank = [](Observation& o) { o.category = Category::kRank; };
  const auto hex = [](E type, absl::string_view digits) { return TensorFromHex(type, {2}, digits).value(); };
  const Case abs = CaseOf("abs(tensor<?xf32>) -> tensor<?xf32>", {{hex(E::kF32, "00000001 80000002")}});
  const Case tanh = CaseOf("tanh(tensor<?xbf16>) -> tensor<?xbf16>", {{hex(E::kBF16, "41a0 41a0")}});
  JudgeOptions strict;
  strict.policies.strict_values = true;
  return {
      {"a stop that is missed", Conflict(), Changed(Completed({I32("00000001")}), verifies),
       Verdict::kContractViolation, RuleId::kVerificationMissedStop},
      {"a stop without a reason", Add(), Changed(Changed(AddsUp(), verifies), stops), Verdict::kContractViolation,
       RuleId::kVerificationFalseStop},
      {"a write outside, noted", Conflict(), Faulted(), Verdict::kUndefined, RuleId::kRunUndefined},
      {"a read outside, noted", Conflict(), Changed(Faulted(), reads), Verdict::kUndefined, RuleId::kRunUndefined},
      {"a library that is not called", Add(), Changed(AddsUp(), calls_library), Verdict::kContractViolation,
       RuleId::kLinalg5Call},
      {"an element stored to twice", Add(), Changed(AddsUp(), stores_twice), Verdict::kContractViolation,
       RuleId::kLinalg6Once},
      {"a refusal for another reason, noted", Illegal(),
       Changed(Ended(Outcome::kRefused, Stage::kVerify), for_its_rank), Verdict::kAgree, RuleId::kBcastInferConflict},
      {"a subnormal kept and one flushed", abs, Completed({hex(E::kF32, "00000001 00000000")}), Verdict::kWrongValue,
       RuleId::kValueFlushing},
      {"a value that nobody would call right", tanh, Completed({hex(E::kBF16, "0000 0000")}), Verdict::kWrongValue,
       RuleId::kValueImplausible, strict},
      {"two contents of one value", OfHiddenSine(3, OpKind::kAbs, OpKind::kIdentity),
       CompletedWithTwo("3f800000", "3f800001"), Verdict::kWrongValue, RuleId::kValueOneContent},
      {"contents that are too many to look at, noted", OfHiddenSine(300, OpKind::kSin, OpKind::kCos),
       CompletedWithTwo("3f000000", "3f000000"), Verdict::kAgree, RuleId::kBcastVerifyEqual},
  };
}

std::vector<JudgedRow> AllRows() {
  std::vector<JudgedRow> rows;
  for (auto part : {DecisionRows, GraphRows, EndingRows, ContradictionRows, RunRows, InferenceRows, ContractRows,
                    DialectRows, PropertyRows}) {
    for (JudgedRow& row : part()) rows.push_back(std::move(row));
  }
  return rows;
}

TEST(JudgeTest, TruthTable) {
  for (const JudgedRow& row : AllRows()) {
    SCOPED_TRACE(row.name);
    const Judgement judgement = Judge(row.test_case, row.observation, row.options);
    EXPECT_EQ(Name(judgement.verdict), Name(row.verdict));
    EXPECT_EQ(judgement.rule, row.rule);
    EXPECT_EQ(judgement.stage, row.verdict == Verdict::kFalseAccept ? Stage::kVerify : row.observation.stage);
    if (IsDivergence(row.verdict) || row.verdict == Verdict::kUnsupported) {
      EXPECT_NE(judgement.expected, "");
      EXPECT_NE(judgement.actual, "");
    }
  }
}

TEST(JudgeTest, EveryVerdictHasARow) {
  std::set<Verdict> seen;
  for (const JudgedRow& row : AllRows()) seen.insert(row.verdict);
  seen.insert(Verdict::kJudgesDisagree);  // of another suite's tests alone: arm_conformance_test.cpp
  for (Verdict verdict : All<Verdict>()) EXPECT_TRUE(seen.contains(verdict)) << Name(verdict);
}

TEST(JudgeTest, ExplainsTheFirstElementThatDisagrees) {
  const Judgement judgement = Judge(Add(), Completed({I32("0000000b 00000016"), I32("00000006 00000006")}));
  ASSERT_TRUE(judgement.mismatch.has_value());
  EXPECT_EQ(judgement.mismatch->run, 1);
  EXPECT_EQ(judgement.mismatch->op, 0);
  EXPECT_EQ(judgement.mismatch->index, 0u);
  EXPECT_EQ(judgement.mismatch->count, 2u);
  EXPECT_EQ(judgement.mismatch->inputs, (std::vector<std::string>{"3", "4"}));
  EXPECT_EQ(judgement.expected, "7");
  EXPECT_EQ(judgement.actual, "6");
}

TEST(JudgeTest, CountsWhatWasComparedAndWhatWasMasked) {
  Judgement judgement = Judge(Add(), AddsUp());
  EXPECT_EQ(judgement.compared, 4u);
  EXPECT_EQ(judgement.masked, 0u);
  const Case overflow = CaseOf(kDynamicAdd, {{I32("7fffffff 00000001"), I32("00000001 00000001")}});
  judgement = Judge(overflow, Completed({I32("deadbeef 00000002")}));
  EXPECT_EQ(judgement.compared, 1u);
  EXPECT_EQ(judgement.masked, 1u);
}

TEST(JudgeTest, LessPreciseInferenceIsANote) {
  const Case fixed = CaseOf("add(tensor<2x?xi32>, tensor<1x?xi32>) -> tensor<?x?xi32>", {});
  const std::vector<std::string> note = {"infer.less-precise"};
  EXPECT_EQ(Judge(fixed, Completed({}, Shape({Dim::Dynamic(), Dim::Dynamic()}))).notes, note);
  EXPECT_EQ(Judge(fixed, Completed({}, Shape::Unranked())).notes, note);
  EXPECT_EQ(Judge(fixed, Completed({}, std::nullopt)).notes, note);
  EXPECT_TRUE(Judge(fixed, Completed({}, Shape({Dim::Static(2), Dim::Dynamic()}))).notes.empty());
}

TEST(JudgeTest, AnotherInferredElementTypeIsANote) {
  const Case rescale = CaseOf("rescale(tensor<1xi8>) -> tensor<1xi16>", {{Tensor(E::kI8, {1})}});
  Observation observation = Completed({Tensor(E::kI16, {1})});
  for (const auto& [inferred, verdict] : std::vector<std::pair<const char*, Verdict>>{
           {"tensor<1xi8>", Verdict::kAgree}, {"tensor<2xi8>", Verdict::kWrongInference}}) {
    observation.inferred = {*ParseTensorType(inferred)};
    const Judgement judgement = Judge(rescale, observation);
    EXPECT_EQ(judgement.verdict, verdict) << inferred;
    EXPECT_EQ(judgement.notes.empty(), verdict != Verdict::kAgree) << inferred;
  }
}

TEST(JudgeTest, BeyondTheSpecificationIsAFlagOnAnyVerdict) {
  const Case f64 = CaseOf("abs(tensor<?xf64>) -> tensor<?xf64>", {{Tensor(E::kF64, {2})}});
  const Observation wrong_size = Completed({Tensor(E::kF64, {3})});
  for (const auto& [observation, verdict] : std::vector<std::pair<Observation, Verdict>>{
           {Ended(Outcome::kRefused, Stage::kVerify), Verdict::kFalseReject},
           {Ended(Outcome::kIllegalIr, Stage::kLower), Verdict::kLoweringFailed},
           {Died(Stage::kCompile, SIGSEGV), Verdict::kCrash},
           {Faulted(), Verdict::kMemoryFault},
           {wrong_size, Verdict::kWrongShape}}) {
    const Judgement judgement = Judge(f64, observation);
    EXPECT_EQ(Name(judgement.verdict), Name(verdict));
    EXPECT_TRUE(judgement.beyond_spec);
  }
  EXPECT_FALSE(Judge(Add(), Faulted()).beyond_spec);
}

// A constant shift that the specification's REQUIRE forbids: the verifier may refuse it, and may let it
// pass; so may the lowering.
TEST(JudgeTest, WhatTheDocumentsLeaveOpenMayBeRefused) {
  Case mul = CaseOf("mul(tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>", {{I32("00000002"), I32("00000003")}});
  mul.program.constants[0].SetBits(0, 64);
  for (const Stage stage : {Stage::kVerify, Stage::kLower}) {
    const Judgement refused = Judge(mul, Ended(Outcome::kRefused, stage));
    EXPECT_EQ(Name(refused.verdict), Name(Verdict::kUndefined));
    EXPECT_EQ(refused.rule, RuleId::kLegalShift);
  }
  const Judgement accepted = Judge(mul, Completed({I32("12345678")}, Shape({Dim::Static(1)})));
  EXPECT_EQ(Name(accepted.verdict), Name(Verdict::kUndefined));
  EXPECT_EQ(Name(Judge(mul, Died(Stage::kLower, SIGSEGV)).verdict), Name(Verdict::kCrash));
  // To accept it is as much of an answer to tosa-validate as to refuse it.
  mul.runs.clear();
  JudgeOptions options;
  options.validation.emplace();
  Observation validated = Ended(Outcome::kCompleted, Stage::kVerify);
  for (const Outcome outcome : {Outcome::kCompleted, Outcome::kRefused}) {
    validated.outcome = outcome;
    EXPECT_EQ(Name(Judge(mul, validated, options).verdict), Name(Verdict::kUndefined));
  }
}

TEST(JudgeTest, ARowOfTheSupportTableHoldsForItsDialectsOnly) {
  const Case zero_point = CaseOf("negate(tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1xi8>",
                                 {{Tensor(E::kI8, {1}), Tensor(E::kI8, {1}), Tensor(E::kI8, {1})}});
  const Observation not_lowered = Ended(Outcome::kRefused, Stage::kLower);
  JudgeOptions options;
  EXPECT_EQ(Judge(zero_point, not_lowered, options).verdict, Verdict::kUnsupported);
  options.policies.dialect = Dialect::k19;
  EXPECT_EQ(Judge(zero_point, not_lowered, options).verdict, Verdict::kLoweringFailed);
}

// Where the toolchain has nothing that runs what it lowered, all before the run is judged all the same.
TEST(JudgeTest, WhatIsNotRunIsJudgedUpToTheRun) {
  Observation not_run = Ended(Outcome::kRefused, Stage::kExecute);
  const Case legal = CaseOf("abs(tensor<?xi32>) -> tensor<?xi32>", {{I32("00000001 00000002")}});
  const Judgement judgement = Judge(legal, not_run);
  EXPECT_EQ(judgement.verdict, Verdict::kUnsupported);
  EXPECT_EQ(judgement.rule, RuleId::kSupportNotBuilt);
  const Case illegal = CaseOf("abs(tensor<2xi32>) -> tensor<3xi32>", {{I32("00000001 00000002")}});
  EXPECT_EQ(Judge(illegal, not_run).verdict, Verdict::kFalseAccept);
  const Case undefined_shape = CaseOf("add(tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>",
                                      {{I32("00000001 00000002"), I32("00000001 00000002 00000003")}});
  EXPECT_EQ(Judge(undefined_shape, not_run).verdict, Verdict::kUnsupported);
  not_run.inferred = {ParseTensorType("tensor<3xi32>").value()};
  EXPECT_EQ(Judge(CaseOf("abs(tensor<2xi32>) -> tensor<2xi32>", {{I32("00000001 00000002")}}), not_run).verdict,
            Verdict::kWrongInference);
}

TEST(JudgeTest, StrictPolicyRefusesAStaticResultOfADynamicOne) {
  const Case relaxed = CaseOf("abs(tensor<?xi32>) -> tensor<2xi32>", {{I32("00000001 00000002")}});
  const Observation observation = Completed({I32("00000001 00000002")});
  EXPECT_EQ(Judge(relaxed, observation).verdict, Verdict::kAgree);
  JudgeOptions strict;
  strict.policies.refuse_static_result_of_dynamic_inference = true;
  EXPECT_EQ(Judge(relaxed, observation, strict).verdict, Verdict::kFalseAccept);
}

// %0 = add(%arg0, %arg1); %1 = mul(%0, %0); both returned, in this order or the other.
Case Square(bool inner_first) {
  Case test_case = CaseOf(kDynamicAdd, {{I32("00000001 00000002"), I32("0000000a 00000014")}});
  Program& program = test_case.program;
  program.constants.push_back(Tensor(E::kI8, {1}));
  program.ops.push_back(
      {OpKind::kMul, {{Kind::kOp, 0}, {Kind::kOp, 0}, {Kind::kConstant, 0}}, {}, program.ops[0].result});
  program.results = {{Kind::kOp, inner_first ? 0 : 1}, {Kind::kOp, inner_first ? 1 : 0}};
  EXPECT_TRUE(CheckWellFormed(test_case).ok());
  return test_case;
}

Observation Returned(std::vector<Tensor> results) {
  Observation observation;
  observation.runs.emplace_back();
  for (Tensor& tensor : results) observation.runs[0].results.push_back({std::move(tensor), {}});
  return observation;
}

TEST(JudgeTest, JudgesEachOpOnTheInputsItReallyGot) {
  const Tensor sum = I32("0000000b 00000016"), square = I32("00000079 000001e4");
  EXPECT_EQ(Judge(Square(true), Returned({sum, square})).verdict, Verdict::kAgree);
  EXPECT_EQ(Judge(Square(true), Returned({sum, square})).compared, 4u);
  // A wrong sum that is squared correctly is the sum's fault, whatever the order of the results.
  const Tensor wrong_sum = I32("0000000c 00000016"), its_square = I32("00000090 000001e4");
  for (const bool inner_first : {true, false}) {
    const Judgement judgement =
        Judge(Square(inner_first), inner_first ? Returned({wrong_sum, its_square}) : Returned({its_square, wrong_sum}));
    EXPECT_EQ(Name(judgement.verdict), "wrong-value");
    EXPECT_EQ(judgement.rule, RuleId::kValueAddPlain);
    ASSERT_TRUE(judgement.mismatch.has_value());
    EXPECT_EQ(judgement.mismatch->op, 0);
  }
  const Judgement judgement = Judge(Square(true), Returned({sum, its_square}));
  ASSERT_TRUE(judgement.mismatch.has_value());
  EXPECT_EQ(judgement.mismatch->op, 1);
  EXPECT_EQ(judgement.mismatch->index, 0u);
}

TEST(JudgeTest, AnIntermediateThatIsNotReturnedIsWhatItHasToBe) {
  Case test_case = Square(true);
  test_case.program.results = {{Kind::kOp, 1}};
  const Judgement wrong = Judge(test_case, Returned({I32("00000001 00000001")}));
  EXPECT_EQ(Name(wrong.verdict), "wrong-value");
  EXPECT_EQ(wrong.rule, RuleId::kValueMulPlain);
  const Judgement right = Judge(test_case, Returned({I32("00000079 000001e4")}));
  EXPECT_EQ(Name(right.verdict), "agree");
  EXPECT_EQ(right.compared, 2u);
}

TEST(JudgeTest, CountsElementsByWhatComputedThem) {
  const Tensor sum = I32("0000000b 00000016"), square = I32("00000079 000001e4");
  const Judgement both = Judge(Square(true), Returned({sum, square}));
  ASSERT_EQ(both.judged.size(), 2u);
  EXPECT_EQ(both.judged[0].computed, "add");
  EXPECT_EQ(both.judged[1].computed, "mul");
  EXPECT_EQ(both.judged[1].types, "i32");
  EXPECT_EQ(both.judged[1].elements, 2u);
  EXPECT_EQ(both.judged[1].compared(), 2u);
  EXPECT_EQ(both.judged[1].widths.Median(), 0u) << "one value alone";
  Case last = Square(true);
  last.program.results = {{Kind::kOp, 1}};
  const Judgement chain = Judge(last, Returned({square}));
  ASSERT_EQ(chain.judged.size(), 1u);
  EXPECT_EQ(chain.judged[0].computed, "mul(add, add)");
  // An overflow is unpredictable: its element is counted, and masked.
  last.runs = {{I32("00010000 7fffffff"), I32("00000001 00000001")}};
  last.program.results = {{Kind::kOp, 0}};
  last.program.ops.pop_back();
  const Judgement masked = Judge(last, Returned({I32("00010001 00000000")}));
  ASSERT_EQ(masked.judged.size(), 1u);
  EXPECT_EQ(masked.judged[0].elements, 2u);
  EXPECT_EQ(masked.judged[0].compared(), 1u);
}

TEST(JudgeTest, NamesOfComputationsAreThreeDeepAtMost) {
  Case test_case = CaseOf("abs(tensor<?xf32>) -> tensor<?xf32>", {{Tensor(E::kF32, {1})}});
  Program& program = test_case.program;
  for (const OpKind op : {OpKind::kExp, OpKind::kTanh, OpKind::kSin}) {
    const int last = static_cast<int>(program.ops.size()) - 1;
    program.ops.push_back({op, {{Kind::kOp, last}}, {}, program.ops[0].result});
  }
  program.results = {{Kind::kOp, 3}};
  EXPECT_EQ(ComputationOf(program, {Kind::kOp, 3}), "sin(tanh(exp))");
  program.results.push_back({Kind::kOp, 1});
  EXPECT_EQ(ComputationOf(program, {Kind::kOp, 3}), "sin(tanh)") << "what exp made is seen";
  EXPECT_EQ(ComputationOf(program, {Kind::kOp, 1}), "exp(abs)");
  EXPECT_EQ(ComputationOf(program, {Kind::kArgument, 0}), "argument");
}

// What is passed on, and what is returned twice, is compared as a store writes it.
TEST(JudgeTest, WhatNoOpComputesHasTheBytesThatItCameWith) {
  const auto judge = [](E type, uint64_t passed_on, uint64_t computed, uint64_t again) {
    const std::string tensor = absl::StrCat("tensor<1x", Name(type), ">");
    const std::string op = type == E::kI1 ? "logical_not" : "bitwise_not";
    Case test_case = CaseOf(absl::StrCat(op, "(", tensor, ") -> ", tensor), {{Stored(type, 1)}});
    test_case.program.results = {{Kind::kArgument, 0}, {Kind::kOp, 0}, {Kind::kOp, 0}};
    Observation observation = Completed({Stored(type, passed_on)}, Shape({Dim::Static(1)}));
    for (const uint64_t bits : {computed, again}) observation.runs[0].results.push_back({Stored(type, bits), {}});
    return Judge(test_case, observation);
  };
  EXPECT_EQ(judge(E::kI1, 1, 0, 0).verdict, Verdict::kAgree);
  EXPECT_EQ(judge(E::kI1, 3, 0, 0).rule, RuleId::kRunPassedOn);
  EXPECT_EQ(judge(E::kI1, 1, 0, 2).rule, RuleId::kRunReturnedTwice);
  EXPECT_EQ(judge(E::kI1, 1, 0, 2).mismatch->actual, "the byte 0x02");
  EXPECT_EQ(judge(E::kI4, 1, 0xe, 0xe).verdict, Verdict::kAgree);
  EXPECT_EQ(judge(E::kI4, 0xf1, 0xe, 0xe).rule, RuleId::kRunPassedOn);
  EXPECT_EQ(judge(E::kI4, 1, 0xe, 0xfe).rule, RuleId::kRunReturnedTwice);
  // Of an i48, a store leaves two bytes of eight alone.
  const uint64_t all_but_one = 0xfffffffffffe, beyond = uint64_t{0xa5a5} << 48;
  EXPECT_EQ(judge(E::kI48, beyond | 1, all_but_one, beyond | all_but_one).verdict, Verdict::kAgree);
}

// The division comes before the check of the result's size.
TEST(JudgeTest, ADivisionMayTrapBeforeRunTimeVerificationStopsTheRun) {
  const auto judge = [](std::vector<uint64_t> divisors, int signal) {
    Tensor divisor(E::kI32, {2});
    for (size_t i = 0; i < divisors.size(); ++i) divisor.SetBits(i, divisors[i]);
    const Case misfit =
        CaseOf("intdiv(tensor<?xi32>, tensor<?xi32>) -> tensor<1xi32>", {{Tensor(E::kI32, {1}), divisor}});
    Observation observation;
    observation.outcome = Outcome::kSignal;
    observation.stage = Stage::kExecute;
    observation.signal = signal;
    observation.verifies_extents = true;
    return Judge(misfit, observation);
  };
  EXPECT_EQ(judge({1, 0}, SIGFPE).verdict, Verdict::kUndefined);
  EXPECT_EQ(judge({0xffffffff, 1}, SIGFPE).verdict, Verdict::kUndefined);
  EXPECT_EQ(judge({1, 2}, SIGFPE).rule, RuleId::kVerificationMissedStop);
  EXPECT_EQ(judge({1, 0}, SIGSEGV).rule, RuleId::kVerificationMissedStop);
}

// TABLE: REQUIRE(length(table) == TABLE_SIZE). What breaks it may do anything but write outside a tensor.
TEST(JudgeTest, RunTimeVerificationMayStopAtATableOfAnotherLength) {
  const Case table =
      CaseOf("table(tensor<4xi8>, tensor<2xi8>) -> tensor<4xi8>", {{Tensor(E::kI8, {4}), Tensor(E::kI8, {2})}});
  Observation observation;
  observation.verifies_extents = true;
  observation.runs = {{.stopped = "ERROR: Runtime op verification failed\n"}};
  EXPECT_EQ(Judge(table, observation).verdict, Verdict::kUndefined);
}

// As a signal would be.
TEST(JudgeTest, CodeMayStopAtUndefinedDataWhereNothingVerifiesExtents) {
  const auto judge = [](int32_t least, int32_t divisor, bool verifies) {
    Tensor dividends(E::kI32, {1}), divisors(E::kI32, {1});
    dividends.SetBits(0, static_cast<uint32_t>(least));
    divisors.SetBits(0, static_cast<uint32_t>(divisor));
    Observation observation;
    observation.verifies_extents = verifies;
    observation.runs = {{.stopped = "division by zero"}};
    return Judge(CaseOf("intdiv(tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>", {{dividends, divisors}}), observation);
  };
  EXPECT_EQ(judge(1, 0, false).verdict, Verdict::kUndefined);
  EXPECT_EQ(judge(INT32_MIN, -1, false).verdict, Verdict::kUndefined);
  EXPECT_EQ(judge(1, 1, false).rule, RuleId::kVerificationFalseStop);
  EXPECT_EQ(judge(1, 0, true).rule, RuleId::kVerificationFalseStop);
}

TEST(JudgeTest, RunTimeVerificationStopsWhatDoesNotFitAndNothingElse) {
  // [2] + [3] conflicts, [1] + [2] broadcasts.
  const Case dynamic =
      CaseOf("add(tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>",
             {{Tensor(E::kI32, {2}), Tensor(E::kI32, {3})}, {Tensor(E::kI32, {1}), Tensor(E::kI32, {2})}});
  const RunObservation stop = {.stopped = "ERROR: Runtime op verification failed\n"};
  const RunObservation sum = {{{Tensor(E::kI32, {2}), {}}}};
  auto judge = [&](std::vector<RunObservation> runs) {
    Observation observation;
    observation.verifies_extents = true;
    observation.runs = std::move(runs);
    return Judge(dynamic, observation);
  };
  EXPECT_EQ(judge({stop, sum}).verdict, Verdict::kAgree);
  EXPECT_EQ(judge({stop, stop}).rule, RuleId::kVerificationFalseStop);
  const Judgement missed = judge({{{{Tensor(E::kI32, {3}), {}}}}, sum});
  EXPECT_EQ(missed.verdict, Verdict::kContractViolation);
  EXPECT_EQ(missed.rule, RuleId::kVerificationMissedStop);
  EXPECT_EQ(missed.expected, "a stop: runtime.conflict in dimension 0");
  // Passes of the user's may leave nothing to verify, but what they leave must not stop where the extents fit.
  Case edited = dynamic;
  edited.route = std::string(kCustomRoute);
  Observation unstopped;
  unstopped.verifies_extents = true;
  unstopped.runs = {{{{Tensor(E::kI32, {3}), {}}}}, sum};
  EXPECT_EQ(Judge(edited, unstopped).verdict, Verdict::kAgree);
  EXPECT_EQ(Judge(edited, unstopped).notes, std::vector<std::string>{"verification.missed-stop"});
  unstopped.runs[1] = stop;
  EXPECT_EQ(Judge(edited, unstopped).rule, RuleId::kVerificationFalseStop);
  // Without verification the conflict is undefined, whatever it ends in; what was touched is a note.
  Observation fault = Faulted();
  EXPECT_EQ(Judge(dynamic, fault).verdict, Verdict::kUndefined);
  EXPECT_EQ(Judge(dynamic, fault).notes, std::vector<std::string>{"extents.guarded-write"});
  fault.verifies_extents = true;
  EXPECT_EQ(Judge(dynamic, fault).rule, RuleId::kVerificationMissedStop);
  // A case of which all runs had to stop, and did, was judged.
  Case only_conflict = dynamic;
  only_conflict.runs.pop_back();
  Observation stopped;
  stopped.verifies_extents = true;
  stopped.runs = {stop};
  EXPECT_EQ(Judge(only_conflict, stopped).verdict, Verdict::kAgree);
}

// The elements that nothing but a division in their run leaves open are counted by themselves.
TEST(JudgeTest, WhatADivisionLeavesOpenIsCounted) {
  const Judgement by_zero = Judge(Divide("00000000 00000002"), Completed({I32("00000000 00000004")}));
  EXPECT_EQ(by_zero.masked, 2u);
  EXPECT_EQ(SumOf(by_zero.judged, "").masked_by_division, 2u);
  const Judgement by_one = Judge(Divide("00000001 00000002"), Completed({I32("00000008 00000004")}));
  EXPECT_EQ(SumOf(by_one.judged, "").masked_by_division, 0u);
  const Judgement extents = Judge(Conflict(), Completed({I32("00000000")}));
  EXPECT_EQ(extents.masked, 1u);
  EXPECT_EQ(SumOf(extents.judged, "").masked_by_division, 0u);
}

// ---- Subnormals of a type: all flushed or none, over the whole case ----

Judgement OfAbs(std::vector<const char*> operands, std::vector<const char*> results) {
  std::vector<Run> runs;
  std::vector<Tensor> actual;
  for (const char* operand : operands) runs.push_back({F32(operand)});
  for (const char* result : results) actual.push_back(F32(result));
  return Judge(CaseOf("abs(tensor<?xf32>) -> tensor<?xf32>", std::move(runs)), Completed(std::move(actual)));
}

TEST(JudgeTest, FlushingNowAndThenIsAWrongValue) {
  const char* subnormals = "00000001 80000002";
  EXPECT_EQ(OfAbs({subnormals}, {"00000001 00000002"}).verdict, Verdict::kAgree);
  EXPECT_EQ(OfAbs({subnormals}, {"00000000 00000000"}).verdict, Verdict::kAgree);
  const Judgement mixed = OfAbs({subnormals}, {"00000001 00000000"});
  EXPECT_EQ(mixed.verdict, Verdict::kWrongValue);
  EXPECT_EQ(mixed.rule, RuleId::kValueFlushing);
  EXPECT_EQ(mixed.expected, "all subnormals of a type kept, as in run 0, %0[0] = abs(1.40129846e-45) = 1.40129846e-45");
  EXPECT_EQ(mixed.actual, "flushed: run 0, %0[1] = abs(-2.80259693e-45) = 0");
  ASSERT_TRUE(mixed.mismatch.has_value());
  EXPECT_EQ(mixed.mismatch->index, 1u);
  EXPECT_EQ(mixed.mismatch->expected_bits, "0x00000002");
  EXPECT_EQ(mixed.mismatch->actual_bits, "0x00000000");
  EXPECT_EQ(mixed.compared, 2u);
}

TEST(JudgeTest, AMixtureIsOneAcrossRuns) {
  EXPECT_EQ(OfAbs({"00000001", "00000001"}, {"00000000", "00000001"}).rule, RuleId::kValueFlushing);
  EXPECT_EQ(OfAbs({"00000001", "00000001"}, {"00000000", "00000000"}).verdict, Verdict::kAgree);
  // A wrong value comes first.
  EXPECT_EQ(OfAbs({"00000001", "00000001"}, {"00000000", "00000002"}).rule, RuleId::kValueAbsPlain);
}

// abs of f32 and of f16, or the same and a comparison.
Judgement OfTwo(TensorType second_result, OpKind second, Tensor of_second, Tensor abs_result, Tensor second_actual) {
  Case test_case;
  const Shape dynamic({Dim::Dynamic()});
  Program& program = test_case.program;
  const TensorType f32{dynamic, E::kF32}, argument{dynamic, of_second.element_type()};
  program.arguments = {f32, argument, argument};
  OpApplication op{second, {{Kind::kArgument, 1}}, {}, second_result};
  if (second != OpKind::kAbs) op.operands.push_back({Kind::kArgument, 2});
  program.ops = {{OpKind::kAbs, {{Kind::kArgument, 0}}, {}, f32}, op};
  program.results = {{Kind::kOp, 0}, {Kind::kOp, 1}};
  test_case.runs = {{F32("00000001"), of_second, Tensor(of_second.element_type(), {1})}};
  EXPECT_TRUE(CheckWellFormed(test_case).ok()) << CheckWellFormed(test_case);
  Observation observation;
  observation.runs = {{{{std::move(abs_result), {}}, {std::move(second_actual), {}}}}};
  return Judge(test_case, observation);
}

TEST(JudgeTest, AMixtureIsOneAcrossOpsButNotAcrossTypes) {
  const Shape dynamic({Dim::Dynamic()});
  const auto f16 = [](absl::string_view hex) { return TensorFromHex(E::kF16, {1}, hex).value(); };
  const auto of_f16 = [&](const char* abs_result) {
    return OfTwo({dynamic, E::kF16}, OpKind::kAbs, f16("0001"), F32(abs_result), f16("0001")).verdict;
  };
  EXPECT_EQ(of_f16("00000000"), Verdict::kAgree);
  EXPECT_EQ(of_f16("00000001"), Verdict::kAgree);
  // equal(s, 0) is true where s is flushed before the calculation.
  const auto of_equal = [&](const char* abs_result, const char* equal) {
    return OfTwo({dynamic, E::kI1}, OpKind::kEqual, F32("00000001"), F32(abs_result),
                 TensorFromHex(E::kI1, {1}, equal).value());
  };
  EXPECT_EQ(of_equal("00000000", "1").verdict, Verdict::kAgree);
  EXPECT_EQ(of_equal("00000001", "0").verdict, Verdict::kAgree);
  EXPECT_EQ(of_equal("00000000", "0").rule, RuleId::kValueFlushing);
  EXPECT_EQ(of_equal("00000001", "1").rule, RuleId::kValueFlushing);
  EXPECT_EQ(of_equal("00000001", "1").mismatch->op, 1);
}

// The f16 that was flushed first is at odds with nothing.
TEST(JudgeTest, AMixtureNamesTwoElementsOfItsType) {
  const Shape dynamic({Dim::Dynamic()});
  const TensorType f32{dynamic, E::kF32}, f16{dynamic, E::kF16};
  Case test_case;
  test_case.program.arguments = {f16, f32};
  for (const auto& [argument, type] : {std::pair(0, f16), {1, f32}, {1, f32}}) {
    test_case.program.ops.push_back({OpKind::kAbs, {{Kind::kArgument, argument}}, {}, type});
  }
  test_case.program.results = {{Kind::kOp, 0}, {Kind::kOp, 1}, {Kind::kOp, 2}};
  const auto of_f16 = [](absl::string_view hex) { return TensorFromHex(E::kF16, {1}, hex).value(); };
  test_case.runs = {{of_f16("0001"), F32("00000001")}};
  ASSERT_TRUE(CheckWellFormed(test_case).ok()) << CheckWellFormed(test_case);
  Observation observation;
  observation.runs = {{{{of_f16("0000"), {}}, {F32("00000001"), {}}, {F32("00000000"), {}}}}};
  const Judgement judgement = Judge(test_case, observation);
  EXPECT_EQ(judgement.rule, RuleId::kValueFlushing);
  EXPECT_EQ(judgement.expected,
            "all subnormals of a type kept, as in run 0, %1[0] = abs(1.40129846e-45) = 1.40129846e-45");
  EXPECT_EQ(judgement.actual, "flushed: run 0, %2[0] = abs(1.40129846e-45) = 0");
}

TEST(JudgeTest, AWriteToAnOperandIsCalledOne) {
  Observation observation = Faulted();
  EXPECT_EQ(Judge(Add(), observation).expected, "no access outside a buffer");
  observation.fault = {.is_write = true, .region = "operand 0", .offset = 0, .region_bytes = 4};
  EXPECT_EQ(Judge(Add(), observation).expected, "no write to an operand, which is the caller's");
  observation.fault->offset = 4;
  EXPECT_EQ(Judge(Add(), observation).expected, "no access outside a buffer");
}

// ---- Plausible values ----

TEST(JudgeTest, AnImplausibleValueIsANoteOrUnderThePolicyWrong) {
  const Case tanh =
      CaseOf("tanh(tensor<?xbf16>) -> tensor<?xbf16>", {{TensorFromHex(E::kBF16, {2}, "41a0 41a0").value()}});
  const Observation zero = Completed({TensorFromHex(E::kBF16, {2}, "0000 0000").value()});
  const Judgement lenient = Judge(tanh, zero);
  EXPECT_EQ(lenient.verdict, Verdict::kAgree);
  EXPECT_EQ(lenient.notes, std::vector<std::string>{"value.implausible: tanh"});
  JudgeOptions options;
  options.policies.strict_values = true;
  const Judgement strict = Judge(tanh, zero, options);
  EXPECT_EQ(strict.verdict, Verdict::kWrongValue);
  EXPECT_EQ(strict.rule, RuleId::kValueImplausible);
  EXPECT_EQ(strict.mismatch->count, 2u);
  EXPECT_EQ(strict.mismatch->expected, "1");
  EXPECT_EQ(strict.mismatch->actual, "0");
  const Observation observation = Completed({TensorFromHex(E::kBF16, {2}, "3f80 3f7f").value()});
  EXPECT_EQ(Judge(tanh, observation, options).verdict, Verdict::kAgree);
  EXPECT_TRUE(Judge(tanh, observation).notes.empty());
}

// ---- Linalg's properties in a run (the rules themselves: run_properties_test) ----

TEST(Judge, StoresThatAreNotOneToAnElementAreAContractViolation) {
  const auto twice = [](Observation& o) { o.runs[1].results[0].not_stored_once = {{0, 2}}; };
  const auto elsewhere = [](Observation& o) { o.runs[1].uneven_stores = {{"allocation 3", 8, 0, 4, 4, 2}}; };
  for (const auto& spoil : std::vector<std::function<void(Observation&)>>{twice, elsewhere}) {
    const Judgement judgement = Judge(Add(), Changed(AddsUp(), spoil));
    EXPECT_EQ(judgement.verdict, Verdict::kContractViolation);
    EXPECT_EQ(judgement.rule, RuleId::kLinalg6Once);
    EXPECT_TRUE(absl::StrContains(judgement.actual, "run 1")) << judgement.actual;
    // Where the extents do not fit, anything may happen.
    EXPECT_EQ(Judge(AddThenConflict(), Changed(AddsUp(), spoil)).verdict, Verdict::kAgree);
  }
}

TEST(Judge, AWrongValueComesBeforeAWrongStore) {
  Observation observation = Completed({I32("0000000b 00000017"), I32("00000007 00000008")});
  observation.runs[0].results[0].not_stored_once = {{0, 2}};
  EXPECT_EQ(Judge(Add(), observation).verdict, Verdict::kWrongValue);
}

TEST(Judge, ACountOfNoElementOfTheResultIsAHarnessFault) {
  const auto beyond = [](Observation& o) { o.runs[0].results[0].not_stored_once = {{2, 0}}; };
  EXPECT_EQ(Judge(Add(), Changed(AddsUp(), beyond)).verdict, Verdict::kHarnessFault);
}

// So that it is one finding, whatever the lowering made of it.
TEST(JudgeTest, AFalseAcceptanceIsTheVerifiersHoweverFarTheWalkWent) {
  Observation not_lowered;
  not_lowered.outcome = Outcome::kRefused;
  for (const Stage stage : {Stage::kInfer, Stage::kLower, Stage::kTranslate}) {
    not_lowered.stage = stage;
    const Judgement judgement = Judge(Illegal(), not_lowered);
    EXPECT_EQ(judgement.verdict, Verdict::kFalseAccept);
    EXPECT_EQ(judgement.stage, Stage::kVerify);
  }
}

}  // namespace

std::set<RuleId> RulesOfObservations() {
  std::set<RuleId> named;
  for (const JudgedRow& row : AllRows()) {
    const Judgement judgement = Judge(row.test_case, row.observation, row.options);
    named.insert(judgement.rule);
    for (const absl::string_view note : judgement.notes) named.insert(*Find<RuleId>(note.substr(0, note.find(':'))));
  }
  return named;
}

}  // namespace tosaic
