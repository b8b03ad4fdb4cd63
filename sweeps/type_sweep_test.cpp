// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/type_sweep.h"

#include <algorithm>
#include <memory>
#include <set>

#include "absl/strings/match.h"
#include "codec/codec.h"
#include "gtest/gtest.h"
#include "tests/fake_toolchain.h"
#include "toolchain/mlir/mlir_toolchain.h"

namespace tosaic {
namespace {

uint64_t Decisions(const std::vector<SweepSpace>& spaces) {
  uint64_t decisions = 0;
  for (const SweepSpace& space : spaces) decisions += space.decisions();
  return decisions;
}

TEST(SweepSpaces, AreAsManyAsCounted) {
  TypeSweepOptions options;
  for (const int max_rank : {0, 1, 2}) {
    options.max_rank = max_rank;
    EXPECT_EQ(static_cast<double>(Decisions(SweepSpaces(options))), CountDecisions(options)) << max_rank;
  }
  options = {.max_rank = 3, .dims = {Dim::Dynamic(), Dim::Static(0)}, .ops = {OpKind::kSelect, OpKind::kMul}};
  EXPECT_EQ(static_cast<double>(Decisions(SweepSpaces(options))), CountDecisions(options));
  options.tosa = false;
  EXPECT_EQ(static_cast<double>(Decisions(SweepSpaces(options))), CountDecisions(options));
}

// 86 types up to rank 3 over four dimensions, and every combination of a binary op's.
TEST(SweepSpaces, TheFullSweepOfABinaryOp) {
  TypeSweepOptions options;
  options.max_rank = 3;
  options.ops = {OpKind::kAdd};
  options.probe = false;
  EXPECT_EQ(SweepSpaces(options).front().decisions(), 636056u);
  options.ops = {OpKind::kAbs};
  EXPECT_EQ(SweepSpaces(options).front().decisions(), 86u * 86);
}

TEST(SweepSpaces, TypesAreThoseOfTheOp) {
  TypeSweepOptions options;
  options.ops = {OpKind::kSelect};
  options.probe = false;
  const SweepSpace space = SweepSpaces(options).front();
  EXPECT_EQ(space.types[space.tuples.back()[0]].type.element_type, ElementType::kI1);
  const ElementType input = space.types[space.tuples.back()[1]].type.element_type;
  EXPECT_EQ(space.types[space.tuples.back()[2]].type.element_type, input);
  EXPECT_EQ(space.types[space.results.back()].type.element_type, input);
}

TEST(SweepSpaces, SpecialOperandsAreSweptWhereTheDialectHasThem) {
  TypeSweepOptions options;
  options.ops = {OpKind::kMul, OpKind::kNegate};
  options.probe = false;
  for (const auto& [dialect, mul, negate] : {std::tuple(Dialect::k19, 2u, 1u), {Dialect::k22, 3u, 3u}}) {
    options.policies.dialect = dialect;
    const std::vector<SweepSpace> spaces = SweepSpaces(options);
    EXPECT_EQ(static_cast<double>(Decisions(spaces)), CountDecisions(options));
    size_t most_of_mul = 0, most_of_negate = 0;
    for (const SweepSpace& space : spaces) {
      size_t& most = space.op == "mul" ? most_of_mul : most_of_negate;
      most = std::max(most, space.tuples.front().size());
    }
    EXPECT_EQ(most_of_mul, mul);
    EXPECT_EQ(most_of_negate, negate);
  }
}

TEST(OneOrderEach, EveryMultisetOnceInOrdersOfEveryKind) {
  const std::vector<std::vector<size_t>> tuples = OneOrderEach(5, 3);
  EXPECT_EQ(tuples.size(), 35u);  // 5 + 3 - 1 over 3
  std::set<std::vector<size_t>> multisets;
  bool ascending = false, descending = false, neither = false;
  for (std::vector<size_t> tuple : tuples) {
    const bool up = std::is_sorted(tuple.begin(), tuple.end());
    const bool down = std::is_sorted(tuple.rbegin(), tuple.rend());
    ascending |= up && !down;
    descending |= down && !up;
    neither |= !up && !down;
    std::sort(tuple.begin(), tuple.end());
    EXPECT_TRUE(multisets.insert(tuple).second);
  }
  EXPECT_TRUE(ascending && descending && neither);
}

TypeSweepOptions Small(std::vector<OpKind> ops) {
  TypeSweepOptions options;
  options.max_rank = 1;
  options.dims = {Dim::Dynamic(), Dim::Static(1), Dim::Static(2)};
  options.ops = std::move(ops);
  options.probe = false;
  return options;
}

SweepSummary Sweep(Toolchain& toolchain, const TypeSweepOptions& options) {
  absl::StatusOr<SweepSummary> summary = RunTypeSweep(toolchain, options, nullptr, [](uint64_t, uint64_t) {});
  EXPECT_TRUE(summary.ok()) << summary.status();
  return *std::move(summary);
}

Toolchain& Mlir() {
  static std::unique_ptr<Toolchain> toolchain = *CreateMlirToolchain();
  return *toolchain;
}

TEST(RunTypeSweep, AddAgreesEverywhere) {
  const TypeSweepOptions options = Small({OpKind::kAdd});
  const SweepSummary summary = Sweep(Mlir(), options);
  EXPECT_EQ(static_cast<double>(summary.total.decisions), CountDecisions(options));
  EXPECT_GT(summary.total.accepted, 0u);
  EXPECT_GT(summary.total.rules.at("bcast.verify.equal"), 0u);
  EXPECT_GT(summary.total.rules.at("legal.element-type"), 0u);
  EXPECT_TRUE(summary.total.disagreements.empty()) << ToString(summary.total.disagreements.begin()->first);
}

TEST(RunTypeSweep, WhatMulAcceptsIsAFindingAndKnownIfListed) {
  TypeSweepOptions options = Small({OpKind::kMul});
  const FindingSignature signature = ParseFindingSignature("false-accept/mul/bcast.verify.different");
  const SweepSummary summary = Sweep(Mlir(), options);
  ASSERT_TRUE(summary.total.disagreements.contains(signature));
  const Finding& disagreement = summary.total.disagreements.at(signature);
  EXPECT_TRUE(IsNew(disagreement));
  EXPECT_EQ(disagreement.judgement.expected, "refuse [bcast.verify.different]");
  EXPECT_TRUE(absl::StrContains(disagreement.types().decisions.front(), "mul(tensor<"));
  options.known =
      *KnownDivergences::FromText(R"({"known": [{"signature": "false-accept/mul/*", "reason": "own verifier"}]})");
  EXPECT_FALSE(IsNew(Sweep(Mlir(), options).total.disagreements.at(signature)));
}

TEST(RunTypeSweep, WorkersDoNotMatter) {
  TypeSweepOptions options = Small({OpKind::kMul, OpKind::kAbs});
  options.probe = true;
  const SweepSummary one = Sweep(Mlir(), options);
  options.jobs = 3;
  const SweepSummary three = Sweep(Mlir(), options);
  EXPECT_EQ(ToJson(one.total), ToJson(three.total));
}

// Accept everything, infer rank 0; die if asked for a result of dimension 2.
class YesDeciders : public DeciderFactory {
 public:
  std::unique_ptr<Decider> CreateDecider(const Program*, absl::Span<const ValueType> types) override {
    class YesDecider : public Decider {
     public:
      explicit YesDecider(absl::Span<const ValueType> types) : types_(types) {}
      const Answer& Decide(absl::Span<const size_t> operands, size_t) override {
        const Shape& shape = types_[operands[0]].type.shape;
        if (shape.IsRanked() && shape.rank() == 1 && shape[0].Is(2)) abort();
        return answer_;
      }

     private:
      const absl::Span<const ValueType> types_;
      const Answer answer_{.accepted = true, .diagnostic = "", .inferred = TensorType{Shape(), ElementType::kI8}};
    };
    return std::make_unique<YesDecider>(types);
  }
};

TEST(RunTypeSweep, SaysOfAToolchainWithoutDecidersThatItHasNone) {
  AdderToolchain without;
  const auto summary = RunTypeSweep(without, Small({OpKind::kAbs}), nullptr, [](uint64_t, uint64_t) {});
  EXPECT_EQ(summary.status().message(), "adder decides on no op alone");
}

TEST(RunTypeSweep, SeesWrongDecisionsWrongInferencesAndDeaths) {
  YesDeciders deciders;
  AdderToolchain yes({.deciders = &deciders});
  TypeSweepOptions options = Small({OpKind::kAbs});
  options.jobs = 3;
  const SweepSummary summary = Sweep(yes, options);
  options.jobs = 1;
  EXPECT_EQ(ToJson(summary.total), ToJson(Sweep(yes, options).total));
  const std::map<FindingSignature, Finding>& found = summary.total.disagreements;
  EXPECT_TRUE(found.contains(ParseFindingSignature("false-accept/abs/legal.rank")));
  EXPECT_TRUE(found.contains(ParseFindingSignature("false-accept/abs/bcast.verify.different")));
  EXPECT_TRUE(found.contains(ParseFindingSignature("wrong-inference/abs/infer.shape")));
  EXPECT_TRUE(found.contains(ParseFindingSignature("wrong-inference/abs/infer.unranked-operands")));
  ASSERT_TRUE(found.contains(ParseFindingSignature("crash/abs/run.signal/build")));
  const Finding& death = found.at(ParseFindingSignature("crash/abs/run.signal/build"));
  EXPECT_EQ(death.types().decisions.size(), 5u);  // one for each result type
  EXPECT_TRUE(absl::StrContains(death.types().decisions.front(), "abs(tensor<2xi")) << death.types().decisions.front();
  // All others are decided.
  EXPECT_EQ(static_cast<double>(summary.total.decisions), CountDecisions(options) - 5);
}

}  // namespace
}  // namespace tosaic
