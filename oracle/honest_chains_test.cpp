// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing right is blamed: random programs, computed by someone who takes any of the values that the scalar reference
// allows for each element, once, and returns some of the results.
#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "codec/codec.h"
#include "gtest/gtest.h"
#include "model/special_operands.h"
#include "oracle/flushing.h"
#include "oracle/judge.h"
#include "oracle/operand_reads.h"
#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

size_t Below(std::mt19937_64& random, size_t end) { return static_cast<size_t>(random() % end); }

constexpr E kTypes[] = {E::kF16, E::kF32, E::kI32, E::kI8, E::kI1};

// A number near those at which something happens, or any.
uint64_t RandomBits(E type, std::mt19937_64& random) {
  if (Below(random, 5) == 0) return random() & BitMask(type);
  constexpr double kNumbers[] = {0, 1, 2, 3, -1, -2, 5, 7, 20, 100};
  const double number = kNumbers[Below(random, std::size(kNumbers))];
  if (!IsFloat(type)) return static_cast<uint64_t>(static_cast<int64_t>(number)) & BitMask(type);
  return NearestBits(type, number * (0.5 + static_cast<double>(Below(random, 1000)) / 1000));
}

bool IsSubnormal(E type, uint64_t bits) { return MayBeFlushed(type, bits); }

// One of the allowed patterns, often at an end of a range; no subnormal.
std::optional<uint64_t> AnyAllowed(E type, const Expected& expected, std::mt19937_64& random) {
  if (expected.kind == Expected::Kind::kUndefined) return random() & BitMask(type);
  const std::vector<BitRange> ranges = AllowedRanges(type, expected);
  const BitRange range = ranges[Below(random, ranges.size())];
  const uint64_t choices[] = {range.first, range.last, range.first + random() % (range.last - range.first + 1)};
  const uint64_t bits = choices[Below(random, 3)];
  return IsSubnormal(type, bits) ? std::nullopt : std::optional(bits);
}

class HonestChain {
 public:
  // `two_contents`: as someone computes it who makes each value once more for some of its uses.
  explicit HonestChain(std::mt19937_64& random, bool two_contents = false)
      : random_(random), two_contents_(two_contents) {
    test_case_.runs.resize(1);
    for (const E type : kTypes) {
      for (const int64_t size : {1, 2}) AddArgument(type, size);
    }
    const size_t ops = 2 + Below(random_, 6);
    for (int tries = 0; program().ops.size() < ops && tries < 100; ++tries) AddOp();
    for (size_t op = 0; op < made_.size(); ++op) {
      const bool is_returned = op + 1 == made_.size() || (op > 0 && Below(random_, 2) == 0);
      if (is_returned) program().results.push_back({ValueRef::Kind::kOp, static_cast<int>(op)});
    }
  }

  const Case& test_case() const { return test_case_; }
  Observation Observed() const {
    Observation observation;
    observation.runs.resize(1);
    for (const ValueRef result : test_case_.program.results) {
      observation.runs[0].results.push_back({made_[result.index], {}});
    }
    return observation;
  }

 private:
  Program& program() { return test_case_.program; }
  const Tensor& Value(ValueRef ref) const {
    switch (ref.kind) {
      case ValueRef::Kind::kArgument:
        return test_case_.runs[0][ref.index];
      case ValueRef::Kind::kConstant:
        return test_case_.program.constants[ref.index];
      case ValueRef::Kind::kOp:
        break;
    }
    return made_[ref.index];
  }

  void AddArgument(E type, int64_t size) {
    Tensor tensor(type, {size});
    for (int64_t i = 0; i < size; ++i) {
      uint64_t bits = RandomBits(type, random_);
      if (IsSubnormal(type, bits)) bits = 0;
      tensor.SetBits(i, bits);
    }
    by_type_[type].push_back({ValueRef::Kind::kArgument, static_cast<int>(program().arguments.size())});
    program().arguments.push_back({Shape({Dim::Static(size)}), type});
    test_case_.runs[0].push_back(std::move(tensor));
  }

  // Results of ops more often than arguments, so that chains are long and values have several uses.
  ValueRef AnyOf(E type) {
    const std::vector<ValueRef>& values = by_type_[type];
    const size_t results = values.size() - 2;
    return Below(random_, 5) == 0 || results == 0 ? values[Below(random_, 2)] : values[2 + Below(random_, results)];
  }

  void AddOp() {
    constexpr K kUncertain[] = {K::kExp, K::kLog, K::kSin, K::kTanh, K::kReciprocal, K::kRsqrt, K::kSigmoid, K::kPow};
    const bool first = program().ops.empty();
    const OpInfo& info =
        first ? Info(kUncertain[Below(random_, std::size(kUncertain))]) : AllOps()[Below(random_, AllOps().size())];
    const std::vector<TypeTuple> tuples = TuplesWithValues(info);
    const TypeTuple tuple = tuples[Below(random_, tuples.size())];
    const bool is_used = by_type_[tuple.input].size() > 2 || first || Below(random_, 8) == 0;
    if (!is_used || MovesElements(info) || by_type_[tuple.input].empty()) return;
    if (std::find(std::begin(kTypes), std::end(kTypes), tuple.result) == std::end(kTypes)) return;
    OpApplication op{.op = info.kind};
    if (info.kind == K::kRescale) {
      op.attributes = {.scale32 = Below(random_, 2) == 0 && tuple.input != E::kI48,
                       .rounding_mode = RoundingMode::kSingleRound,
                       .per_channel = false,
                       .input_unsigned = false,
                       .output_unsigned = false};
    }
    for (const OperandRole role : info.operands) {
      if (IsSpecial(role)) {
        program().constants.push_back(PlainParameter(role, tuple.input, tuple.result, op.attributes));
        op.operands.push_back({ValueRef::Kind::kConstant, static_cast<int>(program().constants.size()) - 1});
      } else {
        op.operands.push_back(AnyOf(TypeOfOperand(role, tuple.input, tuple.result)));
      }
    }
    if (info.kind == K::kClamp) {
      op.attributes.min_val = TypedBits{tuple.input, BitsOf(tuple.input, IsFloat(tuple.input) ? -2.5 : 0)};
      op.attributes.max_val = TypedBits{tuple.input, BitsOf(tuple.input, tuple.input == E::kI1 ? 1 : 3)};
    }
    if (info.kind == K::kArithmeticRightShift) op.attributes.round = Below(random_, 2) == 0;
    Make(std::move(op), tuple.result);
  }

  // The elements of an op's result; nullopt if there would be a subnormal.
  std::optional<Tensor> Computed(const OpApplication& op, const std::vector<int64_t>& sizes) {
    Tensor tensor(op.result.element_type, sizes);
    const Policies policies;
    ScalarInput in = InputOf(program(), op, policies);
    for (size_t i = 0; i < tensor.element_count(); ++i) {
      std::vector<const Tensor*> operands;
      for (const ValueRef ref : op.operands) {
        const bool other = two_contents_ && ref.kind == ValueRef::Kind::kOp && Below(random_, 2) == 0;
        operands.push_back(other ? &made_again_[ref.index] : &Value(ref));
      }
      OperandReader(Info(op.op), operands, sizes).Read(i, &in.bits);
      const std::optional<uint64_t> bits = AnyAllowed(tensor.element_type(), EvaluateScalar(in), random_);
      if (!bits) return std::nullopt;
      tensor.SetBits(i, *bits);
    }
    return tensor;
  }

  void Make(OpApplication op, E result) {
    int64_t size = 1;
    for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
      size = std::max(size, Value(op.operands[k]).sizes()[0]);
    }
    op.result = {Shape({Dim::Static(size)}), result};
    const std::optional<Tensor> computed = Computed(op, {size}), again = Computed(op, {size});
    if (!computed || !again) return;
    by_type_[result].push_back({ValueRef::Kind::kOp, static_cast<int>(program().ops.size())});
    program().ops.push_back(std::move(op));
    made_.push_back(*computed);
    made_again_.push_back(*again);
  }

  std::mt19937_64& random_;
  bool two_contents_;
  Case test_case_;
  std::vector<Tensor> made_, made_again_;  // by op
  std::map<E, std::vector<ValueRef>> by_type_;
};

constexpr int kChains = 2000;

TEST(HonestChainsTest, AreNotBlamed) {
  std::mt19937_64 random(7);
  int agreeing = 0;
  for (int i = 0; i < kChains; ++i) {
    const HonestChain chain(random);
    if (chain.test_case().program.ops.empty()) continue;
    const Judgement judgement = Judge(chain.test_case(), chain.Observed());
    if (judgement.rule == RuleId::kValueFlushing) continue;  // a zero in place of a number that underflows
    agreeing += judgement.verdict == Verdict::kAgree;
    ASSERT_FALSE(IsDivergence(judgement.verdict)) << i << ": " << Name(judgement.rule) << ", expected "
                                                  << judgement.expected << ", actual " << judgement.actual << "\n"
                                                  << ToJson(chain.test_case()).dump();
  }
  EXPECT_GT(agreeing, kChains / 2);
}

// Which shows that the test above could find a search that drops too much.
TEST(HonestChainsTest, AreBlamedWhereAHiddenValueHasTwoContents) {
  std::mt19937_64 random(7);
  int by_itself = 0, together = 0;
  for (int i = 0; i < kChains; ++i) {
    const HonestChain chain(random, true);
    if (chain.test_case().program.ops.empty()) continue;
    const Judgement judgement = Judge(chain.test_case(), chain.Observed());
    together += judgement.rule == RuleId::kValueOneContent;
    by_itself += judgement.verdict == Verdict::kWrongValue && judgement.rule != RuleId::kValueOneContent;
  }
  EXPECT_GT(together, kChains / 200);
  EXPECT_GT(by_itself, kChains / 40);
}

}  // namespace
}  // namespace tosaic
