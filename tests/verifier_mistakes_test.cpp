// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mistakes that no pass of a plugin can make: verifiers that accept or refuse too much, and shape inference that is
// wrong. The real MLIR makes them through a toolchain that changes its answers; campaigns have to find each.
//
// TOSAIC_SEEDS=5 runs so many campaigns against each in the default mix of ops, in place of one of the ops concerned,
// and prints a row for each (docs/selftest.md).
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "gtest/gtest.h"
#include "mutants/selftest.h"
#include "toolchain/mlir/mlir_toolchain.h"

namespace tosaic {
namespace {

using Types = std::vector<TensorType>;  // of an op's operands
using Matches = std::function<bool(const OpApplication& op, const Types& operands)>;

// A mistake changes the answer about programs with an op of that kind.
struct VerifierMistake {
  std::string name;
  OpKind op;
  // One of these three:
  std::optional<Category> accepts = std::nullopt;  // refusals for this reason become acceptances, if `matches`
  Matches refuses = nullptr;                       // programs with such an op are refused
  std::function<void(const Types& operands, TensorType* inferred)> infers =
      nullptr;  // the op's inferred type becomes it
  Matches matches = [](const OpApplication&, const Types&) { return true; };
};

bool IsRanked(const Types& operands) {
  return absl::c_all_of(operands, [](const TensorType& type) { return type.shape.IsRanked(); });
}

bool HasDim(const Shape& shape, Dim wanted) { return shape.IsRanked() && absl::c_linear_search(shape.dims(), wanted); }

bool IsOf(const Types& operands, ElementType type) { return operands[0].element_type == type; }

const std::vector<VerifierMistake>& Mistakes() {
  static const auto* mistakes = new std::vector<VerifierMistake>{
      {.name = "add-accepts-what-does-not-broadcast", .op = OpKind::kAdd, .accepts = Category::kNotBroadcastable},
      {.name = "select-accepts-other-ranks", .op = OpKind::kSelect, .accepts = Category::kRank},
      {.name = "cast-accepts-any-types", .op = OpKind::kCast, .accepts = Category::kElementType},
      {.name = "mul-accepts-any-shift-operand", .op = OpKind::kMul, .accepts = Category::kSpecialOperand},
      {.name = "negate-accepts-zero-points-of-floats", .op = OpKind::kNegate, .accepts = Category::kZeroPoint},
      {.name = "clamp-accepts-any-bounds", .op = OpKind::kClamp, .accepts = Category::kAttribute},
      {.name = "exp-accepts-an-extent-of-0", .op = OpKind::kExp, .accepts = Category::kDimensionSize},
      {.name = "reshape-accepts-another-result", .op = OpKind::kReshape, .accepts = Category::kResultIncompatible},
      {.name = "greater-accepts-another-result-of-rank-3",
       .op = OpKind::kGreater,
       .accepts = Category::kResultIncompatible,
       .matches = [](const OpApplication&, const Types& x) { return IsRanked(x) && x[0].shape.rank() == 3; }},
      {.name = "maximum-accepts-other-ranks-of-f16",
       .op = OpKind::kMaximum,
       .accepts = Category::kRank,
       .matches = [](const OpApplication&, const Types& x) { return IsOf(x, ElementType::kF16); }},
      {.name = "add-refuses-rank-5",
       .op = OpKind::kAdd,
       .refuses = [](const OpApplication&, const Types& x) { return IsRanked(x) && x[0].shape.rank() == 5; }},
      {.name = "minimum-refuses-1-beside-dynamic",
       .op = OpKind::kMinimum,
       .refuses =
           [](const OpApplication&, const Types& x) {
             return HasDim(x[0].shape, Dim::Static(1)) && HasDim(x[1].shape, Dim::Dynamic());
           }},
      {.name = "select-refuses-a-dynamic-condition",
       .op = OpKind::kSelect,
       .refuses = [](const OpApplication&, const Types& x) { return HasDim(x[0].shape, Dim::Dynamic()); }},
      {.name = "pow-refuses-bf16",
       .op = OpKind::kPow,
       .refuses = [](const OpApplication&, const Types& x) { return IsOf(x, ElementType::kBF16); }},
      {.name = "logical-left-shift-refuses-i8",
       .op = OpKind::kLogicalLeftShift,
       .refuses = [](const OpApplication&, const Types& x) { return IsOf(x, ElementType::kI8); }},
      {.name = "sub-refuses-an-unranked-result",
       .op = OpKind::kSub,
       .refuses = [](const OpApplication& op, const Types&) { return !op.result.shape.IsRanked(); }},
      {.name = "bitwise-and-refuses-rank-0",
       .op = OpKind::kBitwiseAnd,
       .refuses = [](const OpApplication&, const Types& x) { return IsRanked(x) && x[0].shape.rank() == 0; }},
      {.name = "add-infers-1-beside-dynamic",
       .op = OpKind::kAdd,
       .infers =
           [](const Types& x, TensorType* inferred) {
             if (!IsRanked(x) || !inferred->shape.IsRanked()) return;
             const size_t both = std::min(x[0].shape.rank(), x[1].shape.rank());
             for (size_t i = 0; i < std::min(both, inferred->shape.rank()); ++i) {
               const bool is_one = x[0].shape[i].Is(1) && x[1].shape[i].IsDynamic();
               if (is_one) inferred->shape.mutable_dims()[i] = Dim::Static(1);
             }
           }},
      {.name = "select-infers-the-condition",
       .op = OpKind::kSelect,
       .infers = [](const Types& x, TensorType* inferred) { inferred->shape = x[0].shape; }},
      {.name = "mul-infers-the-first-operand",
       .op = OpKind::kMul,
       .infers = [](const Types& x, TensorType* inferred) { inferred->shape = x[0].shape; }},
      {.name = "equal-infers-7-for-dynamic-behind-rank-2",
       .op = OpKind::kEqual,
       .infers =
           [](const Types&, TensorType* inferred) {
             if (!inferred->shape.IsRanked() || inferred->shape.rank() < 3) return;
             for (Dim& dim : inferred->shape.mutable_dims()) dim = dim.IsDynamic() ? Dim::Static(7) : dim;
           }},
  };
  return *mistakes;
}

// MLIR 22, but for the mistake on the custom route.
class MistakenVerifier : public Toolchain {
 public:
  MistakenVerifier(std::unique_ptr<Toolchain> mlir, const VerifierMistake& mistake)
      : Toolchain(mlir->description()), mlir_(std::move(mlir)), mistake_(mistake) {}

  Observation Observe(const Case& test_case) override {
    if (test_case.route != kCustomRoute) return mlir_->Observe(test_case);
    Case on_loops = test_case;
    on_loops.route = "loops";
    Observation observation = mlir_->Observe(on_loops);
    const Program& program = test_case.program;
    for (size_t i = 0; i < program.ops.size(); ++i) {
      if (program.ops[i].op == mistake_.op)
        Change(program.ops[i], OperandTypes(program, program.ops[i]), i, &observation);
    }
    return observation;
  }

 private:
  void Change(const OpApplication& op, const Types& operands, size_t index, Observation* observation) const {
    const bool is_refused = observation->outcome == Outcome::kRefused && observation->stage <= Stage::kVerify;
    if (mistake_.accepts && is_refused && observation->category == mistake_.accepts && mistake_.matches(op, operands)) {
      *observation = Observation();
    } else if (mistake_.refuses && !is_refused && mistake_.refuses(op, operands)) {
      *observation = Observation();
      observation->outcome = Outcome::kRefused;
      observation->stage = Stage::kVerify;
      observation->diagnostics = {"'tosa' op is refused by mistake"};
    } else if (mistake_.infers && index < observation->inferred.size() && observation->inferred[index]) {
      mistake_.infers(operands, &*observation->inferred[index]);
    }
  }

  const std::unique_ptr<Toolchain> mlir_;
  const VerifierMistake& mistake_;
};

uint64_t SeedsAskedFor() {
  uint64_t seeds = 0;
  if (const char* asked_for = std::getenv("TOSAIC_SEEDS")) (void)absl::SimpleAtoi(asked_for, &seeds);
  return seeds;
}

class VerifierMistakes : public testing::TestWithParam<VerifierMistake> {};

TEST_P(VerifierMistakes, IsFound) {
  const VerifierMistake& mistake = GetParam();
  MistakenVerifier toolchain(*CreateMlirToolchain(), mistake);
  BrokenLowering broken;
  broken.name = mistake.name;
  broken.ops = {mistake.op};
  broken.route = "loops";
  SelftestOptions options;
  options.broken_ops_only = SeedsAskedFor() == 0;
  options.cases = 10000;
  std::vector<uint64_t> cases;
  for (uint64_t seed = 1; seed <= std::max<uint64_t>(SeedsAskedFor(), 1); ++seed) {
    const auto campaign = RunSelftestCampaign(toolchain, broken, seed, options, nullptr);
    ASSERT_TRUE(campaign.ok()) << campaign.status();
    EXPECT_TRUE(campaign->found) << "by seed " << seed << " in " << campaign->cases << " cases";
    cases.push_back(campaign->cases);
  }
  absl::c_sort(cases);
  if (SeedsAskedFor() > 0)
    std::printf("| %s | %d |\n", mistake.name.c_str(), static_cast<int>(cases[cases.size() / 2]));
}

INSTANTIATE_TEST_SUITE_P(All, VerifierMistakes, testing::ValuesIn(Mistakes()),
                         [](const testing::TestParamInfo<VerifierMistake>& info) {
                           std::string name = info.param.name;
                           absl::c_replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace tosaic
