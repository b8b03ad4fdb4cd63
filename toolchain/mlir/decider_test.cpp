// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The quick way to a decision says what the slow ones say.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "toolchain/capabilities.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/toolchain.h"

namespace tosaic {
namespace {

Toolchain& Mlir() {
  static std::unique_ptr<Toolchain> toolchain = *CreateMlirToolchain();
  return *toolchain;
}

std::vector<ValueType> SomeTypes(ElementType element) {
  const Dim dynamic = Dim::Dynamic(), one = Dim::Static(1), two = Dim::Static(2), three = Dim::Static(3);
  std::vector<ValueType> types;
  for (const Shape& shape : {Shape::Unranked(), Shape(), Shape({dynamic}), Shape({one}), Shape({two}), Shape({three}),
                             Shape({two, dynamic}), Shape({one, three})}) {
    types.push_back({Container::kTensor, {shape, element}});
  }
  return types;
}

// Same decision, same first diagnostic, same inference.
void ExpectSame(const Decider::Answer& answer, const Observation& observation, const std::string& label) {
  EXPECT_EQ(answer.accepted, observation.outcome == Outcome::kCompleted) << label;
  EXPECT_EQ(answer.diagnostic, observation.diagnostics.empty() ? "" : observation.diagnostics.front()) << label;
  if (answer.accepted) EXPECT_EQ(answer.inferred, observation.inferred.back()) << label;
}

// Of an op with its special operands as constants of 0 behind `broadcast_operands` arguments.
void ExpectSameOnEveryCombination(OpKind kind, size_t broadcast_operands) {
  const std::vector<ValueType> types = SomeTypes(ElementType::kI32);
  Program program;
  OpApplication op;
  op.op = kind;
  for (size_t i = 0; i < Info(kind).operands.size(); ++i) {
    if (i < broadcast_operands) {
      op.operands.push_back({ValueRef::Kind::kArgument, static_cast<int>(i)});
      program.arguments.push_back(types[0].type);
    } else {
      op.operands.push_back({ValueRef::Kind::kConstant, static_cast<int>(program.constants.size())});
      const bool is_shift = Info(kind).operands[i] == OperandRole::kShift;
      program.constants.push_back(Tensor(is_shift ? ElementType::kI8 : ElementType::kI32, {1}));
    }
  }
  program.ops = {op};
  program.results = {{ValueRef::Kind::kOp, 0}};
  const std::unique_ptr<Decider> decider = Mlir().deciders()->CreateDecider(&program, types);
  size_t accepted = 0, refused = 0;
  std::vector<size_t> tuple(broadcast_operands, 0);
  for (bool more = true; more;) {
    for (size_t result = 0; result < types.size(); ++result) {
      for (size_t i = 0; i < tuple.size(); ++i) program.arguments[i] = types[tuple[i]].type;
      program.ops[0].result = types[result].type;
      const Decider::Answer answer = decider->Decide(tuple, result);
      ExpectSame(answer, Mlir().verifier()->ObserveDecision(program), Signature(program, program.ops[0]));
      ++(answer.accepted ? accepted : refused);
    }
    more = false;
    for (size_t i = 0; i < tuple.size() && !more; ++i) {
      tuple[i] = (tuple[i] + 1) % types.size();
      more = tuple[i] != 0;
    }
  }
  EXPECT_GT(accepted, 0u);
  EXPECT_GT(refused, 0u);
}

TEST(Decider, SaysWhatObserveDecisionSays) {
  ExpectSameOnEveryCombination(OpKind::kAbs, 1);
  ExpectSameOnEveryCombination(OpKind::kAdd, 2);
  ExpectSameOnEveryCombination(OpKind::kMul, 2);
  ExpectSameOnEveryCombination(OpKind::kNegate, 1);
}

TEST(Decider, SaysOfTheProbeWhatObserveProbeSays) {
  std::vector<ValueType> types = SomeTypes(ElementType::kI1);
  types.push_back({Container::kVector, {Shape({Dim::Static(2)}), ElementType::kF32}});
  types.push_back({Container::kScalar, {Shape(), ElementType::kI64}});
  const std::unique_ptr<Decider> decider = Mlir().deciders()->CreateDecider(nullptr, types);
  for (size_t a = 0; a < types.size(); ++a) {
    for (size_t b = 0; b < types.size(); ++b) {
      for (size_t result = 0; result < types.size(); ++result) {
        const OpSignature one{kProbeOp, {types[a]}, types[result]};
        const OpSignature two{kProbeOp, {types[a], types[b]}, types[result]};
        ExpectSame(decider->Decide({a}, result), Mlir().verifier()->ObserveProbe(one), ToString(one));
        ExpectSame(decider->Decide({a, b}, result), Mlir().verifier()->ObserveProbe(two), ToString(two));
      }
    }
  }
}

TEST(Probe, HasTheTraitAndNothingElse) {
  auto observe = [](absl::string_view text) { return Mlir().verifier()->ObserveProbe(*ParseOpSignature(text)); };
  const Observation expanded =
      observe("broadcastable(tensor<4xi1>, tensor<*xi8>, tensor<2x3x?xf64>) -> tensor<2x3x4xbf16>");
  EXPECT_EQ(expanded.outcome, Outcome::kCompleted);
  EXPECT_EQ(expanded.inferred.back()->shape, Shape::OfSizes({2, 3, 4}));
  const Observation differ = observe("broadcastable(tensor<2xi1>, tensor<3xi1>) -> tensor<*xi1>");
  EXPECT_EQ(differ.outcome, Outcome::kRefused);
  EXPECT_TRUE(absl::StrContains(differ.diagnostics.front(), "broadcast-compatible shapes"));
  EXPECT_EQ(observe("broadcastable(tensor<2xi1>) -> tensor<3xi1>").outcome, Outcome::kRefused);
}

}  // namespace
}  // namespace tosaic
