// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The quick path (Mode::kEnclose) against the decision (Mode::kDecide): it accepts no element that the decision does
// not, and leaves few to it.
#include <cmath>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "model/tensor.h"
#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

class RandomDoubles {
 public:
  uint64_t Bits() { return state_ = state_ * 6364136223846793005u + 1442695040888963407u; }
  double Between(double lo, double hi) { return lo + std::ldexp(static_cast<double>(Bits() >> 11), -53) * (hi - lo); }

 private:
  uint64_t state_ = 7;
};

// Elements at which functions, formats and intervals change their behaviour.
std::vector<uint64_t> SpecialBits(E type) {
  std::vector<uint64_t> bits;
  for (double x : {0.0, 0.5, 1.0, 2.0, 3.125, 3.75, 6.0, 10.0, 88.0, 89.0, 700.0, 710.0, 745.0, 1e10, 1e18, 2e18, 1e19,
                   1e30, kInf, kNan,
                   // Where the reference is all but a number of few bits, so that its rounding to double decides.
                   1e-20, 1e-12, 0x1p-54, 0x1p-53, 0x1p-52, 20.0, 37.0, 40.0}) {
    for (uint64_t off : {-1, 0, 1}) bits.push_back((BitsOf(type, x) + off) & BitMask(type));
  }
  const uint64_t sign = SignMask(type);
  for (uint64_t magnitude : {BitsOf(type, 1) & 0xff, BitsOf(type, Format(type).normal_min),
                             BitsOf(type, Format(type).normal_max), uint64_t{1}}) {
    bits.push_back(magnitude);
  }
  const size_t count = bits.size();
  for (size_t i = 0; i < count; ++i) bits.push_back(bits[i] ^ sign);
  return bits;
}

// Results to ask about: the reference, both ends of what is expected, and what lies one past them.
std::set<uint64_t> Tests(E type, const Expected& decision) {
  std::set<uint64_t> tests = {0, BitsOf(type, -0.0), BitsOf(type, kInf), BitsOf(type, -kInf), BitsOf(type, kNan)};
  auto add = [&](double value, int64_t reach) {
    for (int64_t off = -reach; off <= reach; ++off) tests.insert((BitsOf(type, value) + off) & BitMask(type));
  };
  add(decision.reference, 12);
  for (double end : {decision.lo, decision.hi}) add(end, 2);
  for (double normal : {Format(type).normal_min, Format(type).normal_max}) {
    add(normal, 1);
    add(-normal, 1);
  }
  return tests;
}

void ExpectSubset(ScalarInput& in) {
  in.mode = Mode::kDecide;
  const Expected decision = EvaluateScalar(in);
  in.mode = Mode::kEnclose;
  const Expected enclosure = EvaluateScalar(in);
  const bool undecided = enclosure.kind == Expected::Kind::kRange && enclosure.lo > enclosure.hi;
  const bool may_be_nan = in.result_type == E::kF8E4M3FN;  // where others have a range up to infinity
  EXPECT_TRUE(undecided || may_be_nan || enclosure.kind == decision.kind)
      << in.op.name << " " << in.bits[0] << " " << in.bits[1];
  for (uint64_t test : Tests(in.result_type, decision)) {
    ASSERT_LE(Matches(enclosure, in.result_type, test), Matches(decision, in.result_type, test))
        << in.op.name << " " << Name(in.input_type) << " " << in.bits[0] << " " << in.bits[1] << " bits " << test;
  }
}

// Calls check(input) for every op with an accuracy rule, each of its tuples with a float result, and each version.
template <typename Check>
void ForEachRule(Check check) {
  for (const OpInfo& op : AllOps()) {
    if (op.accuracy.kind == Accuracy::Kind::kExact) continue;
    for (const TypeTuple& tuple : TuplesWithValues(op)) {
      if (!IsFloat(tuple.result)) continue;
      for (auto version : {SpecVersion::k1_0_0, SpecVersion::k1_0_2, SpecVersion::k1_1}) {
        if (version == SpecVersion::k1_0_0 && !op.has_accuracy_1_0_0) continue;
        if (version == SpecVersion::k1_1 && !op.has_bf16_accuracy_1_1) continue;
        const Policies policies = {.spec_version = version};
        const Attributes attributes;
        ScalarInput in = {.op = op,
                          .input_type = tuple.input,
                          .result_type = tuple.result,
                          .attributes = attributes,
                          .policies = policies};
        check(in);
      }
    }
  }
}

TEST(EnclosureTest, AcceptsNothingThatTheDecisionRefuses) {
  RandomDoubles random;
  ForEachRule([&](ScalarInput& in) {
    const bool is_beyond = FindSpecTuple(in.op, in.input_type, in.result_type) == nullptr;
    for (int i = 0; i < (is_beyond ? 100 : 400); ++i) {
      for (size_t k = 0; k < 2; ++k) {
        const double small = random.Between(-4, 12);
        in.bits[k] = i % 2 == 0 ? (random.Bits() >> 20) & BitMask(in.input_type) : BitsOf(in.input_type, small);
      }
      ExpectSubset(in);
    }
  });
}

TEST(EnclosureTest, AcceptsNothingThatTheDecisionRefusesAtSpecialValues) {
  ForEachRule([&](ScalarInput& in) {
    if (!IsFloat(in.input_type)) return;
    const std::vector<uint64_t> special = SpecialBits(in.input_type);
    const bool binary = BroadcastOperandCount(in.op) == 2;
    for (size_t i = 0; i < special.size(); ++i) {
      in.bits[0] = special[i];
      for (size_t k = i % 7; k < (binary ? special.size() : i % 7 + 1); k += 7) {
        in.bits[1] = binary ? special[k] : 0;
        ExpectSubset(in);
      }
    }
  });
}

// Near 2^(2^30), where Real ends and every number is within the decision's bound. It took these for bounded once.
TEST(EnclosureTest, AcceptsNothingThatTheDecisionRefusesNearTheEndOfReal) {
  ForEachRule([&](ScalarInput& in) {
    if (!IsFloat(in.input_type) || in.input_type == E::kF16) return;
    const bool is_pow = in.op.kind == K::kPow;
    for (double exponent = 1e6; exponent < 1e10; exponent *= 1.09) {
      for (double sign : {1.0, -1.0}) {
        for (double base : {0.0195, 0.99609375, 2.7, 1e30}) {
          in.bits[0] = BitsOf(in.input_type, is_pow ? base : sign * exponent);
          in.bits[1] = is_pow ? BitsOf(in.input_type, sign * exponent / std::log(base)) : 0;
          ExpectSubset(in);
        }
      }
    }
  });
}

// One value in a thousand of a correct result may be so close to the bound that MPFR must decide; none of a function.
TEST(EnclosureTest, AcceptsTheCorrectlyRoundedResult) {
  RandomDoubles random;
  ForEachRule([&](ScalarInput& in) {
    // An interval of doubles is wider than half a unit of theirs.
    if (in.result_type == E::kF64 && (in.op.kind == K::kCast || in.op.accuracy.ulp == 0.5)) return;
    if (in.input_type == E::kI1) return;  // exact
    int undecided = 0;
    for (int i = 0; i < 500; ++i) {
      for (size_t k = 0; k < 2; ++k) in.bits[k] = BitsOf(in.input_type, random.Between(0.25, 9));
      in.mode = Mode::kDecide;
      const Expected decision = EvaluateScalar(in);
      in.mode = Mode::kEnclose;
      const bool is_nan = decision.kind == Expected::Kind::kNan;  // f8E4M3FN overflowed
      const uint64_t nearest = BitsOf(in.result_type, is_nan ? kNan : decision.reference);
      undecided += !Matches(EvaluateScalar(in), in.result_type, nearest);
    }
    EXPECT_LE(undecided, in.op.accuracy.kind == Accuracy::Kind::kUlp && in.op.accuracy.ulp < 1 ? 5 : 0)
        << in.op.name << " " << Name(in.input_type);
  });
}

}  // namespace
}  // namespace tosaic
