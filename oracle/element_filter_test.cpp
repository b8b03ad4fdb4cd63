// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The filters against the exact way (MeasureElement) and the C library's functions against MPFR.
#include "oracle/element_filter.h"

#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/tensor.h"
#include "oracle/element_accuracy.h"
#include "oracle/filter_values.h"
#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

// The pattern that is nearest to what is expected.
uint64_t NearestOf(E type, const Expected& expected) {
  return expected.kind == Expected::Kind::kRange ? BitsOf(type, expected.reference) : AllowedBits(type, expected);
}

class RandomF32 {
 public:
  uint64_t Next() { return state_ = state_ * 6364136223846793005u + 1442695040888963407u; }
  uint32_t Bits() { return static_cast<uint32_t>(Next() >> 32); }
  // Of a magnitude between two powers of two.
  uint32_t Between(int least, int greatest) {
    const auto exponent = static_cast<uint32_t>(127 + least + static_cast<int>(Next() >> 40) % (greatest - least));
    return (Bits() & 0x807fffff) | exponent << 23;
  }

 private:
  uint64_t state_ = 20;
};

// A unary op on f32, or a binary one on two types of 16 bits, with its filter, and all that goes with it.
struct Subject {
  Subject(K op, E input, E result, Attributes given = {}, Policies how = {})
      : attributes(std::move(given)),
        policies(how),
        in({.op = Info(op),
            .input_type = input,
            .result_type = result,
            .attributes = attributes,
            .policies = policies}),
        function(FindScalarFunction(in.op, input, result, policies.spec_version)),
        filter(ElementFilter::For(in)) {}
  Subject(K op, E result, Attributes given = {}) : Subject(op, E::kF32, result, std::move(given)) {}

  std::string name() const {
    return absl::StrCat(Name(in.op.kind), " ", Name(in.input_type), " -> ", Name(in.result_type));
  }

  Expected ExpectedAt(uint32_t x) {
    const bool is_pair = in.input_type != E::kF32;
    in.bits[0] = is_pair ? x & 0xffff : x;
    if (is_pair) in.bits[1] = x >> 16;
    return function(in);
  }
  void Filter(uint32_t x, uint64_t y) {
    uint8_t memory[8];
    std::memcpy(memory, &y, sizeof(y));
    filter->Apply(x, 1, memory, &elements);
  }

  Attributes attributes;
  Policies policies;
  ScalarInput in;
  ScalarFunction function;
  std::optional<ElementFilter> filter;
  FilteredElements elements;
};

std::vector<Subject*> Subjects() {
  static const auto* subjects = [] {
    auto* all = new std::vector<Subject*>();
    for (K op : {K::kAbs, K::kCeil, K::kCos, K::kErf, K::kExp, K::kFloor, K::kIdentity, K::kLog, K::kNegate,
                 K::kReciprocal, K::kReshape, K::kRsqrt, K::kSigmoid, K::kSin, K::kTanh}) {
      all->push_back(new Subject(op, E::kF32));
    }
    for (E result : {E::kI8, E::kI16, E::kI32, E::kF16, E::kBF16}) all->push_back(new Subject(K::kCast, result));
    for (const auto& [low, high] : {std::pair(-1.5, 6.0), {-0.0, kInf}, {3.0, 3.0}}) {
      for (NanMode mode : {NanMode::kPropagate, NanMode::kIgnore}) {
        Attributes attributes;
        attributes.min_val = TypedBits{E::kF32, BitsOf(E::kF32, low)};
        attributes.max_val = TypedBits{E::kF32, BitsOf(E::kF32, high)};
        attributes.nan_mode = mode;
        all->push_back(new Subject(K::kClamp, E::kF32, attributes));
      }
    }
    return all;
  }();
  return *subjects;
}

std::vector<Subject*> Pairs() {
  static const auto* pairs = [] {
    auto* all = new std::vector<Subject*>();
    for (E type : {E::kF16, E::kBF16}) {
      for (K op : {K::kAdd, K::kSub, K::kMul, K::kPow}) all->push_back(new Subject(op, type, type));
      for (K op : {K::kMaximum, K::kMinimum}) {
        for (NanMode mode : {NanMode::kPropagate, NanMode::kIgnore}) {
          Attributes attributes;
          attributes.nan_mode = mode;
          all->push_back(new Subject(op, type, type, attributes));
        }
      }
      for (K op : {K::kEqual, K::kGreater, K::kGreaterEqual}) all->push_back(new Subject(op, type, E::kI1));
    }
    const Policies draft = {.spec_version = SpecVersion::k1_1};
    all->push_back(new Subject(K::kAdd, E::kBF16, E::kBF16, {}, draft));
    return all;
  }();
  return *pairs;
}

// Pairs of patterns of 16 bits where formats change, a step to either side of them and near to each other.
std::vector<uint32_t> HardPairs(E type) {
  std::set<uint32_t> patterns;
  const auto infinity = static_cast<uint32_t>(BitsOf(type, kInf));
  const uint32_t hidden = 1u << Info(type).mantissa_bits, one = static_cast<uint32_t>(BitsOf(type, 1.0));
  for (uint32_t bits : {0u, hidden, 2 * hidden, one, one + hidden / 2, one - 7 * hidden, one + 8 * hidden, infinity}) {
    for (uint32_t off : {0u, 1u}) patterns.insert({(bits + off) & 0x7fff, (bits - off) & 0x7fff});
  }
  std::vector<uint32_t> pairs;
  for (uint32_t a : patterns) {
    for (uint32_t b : patterns) {
      pairs.push_back((b << 16 | a) ^ (pairs.size() % 2 == 0 ? 0u : 0x8000u));
    }
  }
  return pairs;
}

// Where functions, formats and filters change their behaviour, of either sign and with what is beside it.
std::vector<uint32_t> HardInputs() {
  std::vector<uint32_t> inputs;
  for (double x :
       {0.0,       0.25,    0.5,      1.0,      1.5,          2.0,           2.5,       4.0,        9.010913,
        17.32868,  37.0,    87.33654, 88.72284, 103.27893,    103.97208,     127.5,     128.5,      709.78271,
        745.13321, 1e3,     32767.5,  65504.0,  65520.0,      65536.0,       8388607.5, 16777216.0, 2147483648.0,
        1e10,      1e19,    0x1p126,  0x1p127,  3.3895314e38, 3.40282347e38, kInf,      0x1p-149,   0x1p-126,
        0x1p-127,  0x1p-25, 0x1p-24,  0x1p-14,  0x1p-12,      1e-30,         M_PI,      M_PI_2,     kNan}) {
    const auto bits = static_cast<uint32_t>(BitsOf(E::kF32, x));
    for (uint32_t off = 0; off < 7; ++off) {
      inputs.push_back(bits + off - 3);
      inputs.push_back((bits + off - 3) ^ 0x80000000);
    }
  }
  return inputs;
}

// Results to ask about: the nearest, the ends of what is allowed, what lies beside them, and special values.
std::set<uint64_t> Results(E type, const Expected& expected) {
  std::set<uint64_t> results = {0, SignMask(type), 1, BitMask(type)};
  if (!IsFloat(type)) {
    for (uint64_t off : {-1, 0, 1}) results.insert((expected.bits + off) & BitMask(type));
    return results;
  }
  const auto add = [&](double value, int64_t reach) {
    for (int64_t off = -reach; off <= reach; ++off) results.insert((BitsOf(type, value) + off) & BitMask(type));
  };
  for (double value : {kInf, -kInf, kNan, 1.0, -1.0, 0.0, -0.0, Format(type).normal_min, -Format(type).normal_min}) {
    add(value, 1);
  }
  add(ReferenceOf(type, expected), 6);
  for (double value : {-ReferenceOf(type, expected), 1.5, -1.5, 1e30}) add(value, 0);
  if (expected.kind != Expected::Kind::kRange) return results;
  for (double end : {expected.lo, expected.hi}) add(end, 2);
  return results;
}

// That what the filter says is what the exact way says; whether it says something.
bool CheckFilter(Subject& subject, uint32_t x, uint64_t y, const Expected& expected) {
  subject.Filter(x, y);
  const uint8_t flags = subject.elements.flags[0];
  if ((flags & kIsDecided) == 0) return false;
  const ElementAccuracy exact = MeasureElement(subject.in, subject.function, expected, y);
  const std::string label =
      absl::StrCat(subject.name(), " of ", BitsToString(E::kF32, x), ": ", BitsToString(subject.in.result_type, y));
  const int as_flags = kIsDecided | (exact.is_open ? kIsOpen : 0) | (exact.is_measured ? kIsMeasured : 0) |
                       (exact.is_flushed ? kIsFlushed : 0) | (exact.is_unpredictable ? kIsUnpredictable : 0) |
                       (exact.fate == SubnormalFate::kKept ? kIsKept : 0) | (exact.is_wrong ? kIsWrong : 0) |
                       (exact.is_implausible ? kIsImplausible : 0);
  EXPECT_EQ(int{flags}, as_flags) << label;
  EXPECT_NE(exact.fate, SubnormalFate::kFlushed) << label;
  const auto expect_near = [&](double of_filter, double of_exact) {
    EXPECT_LE(std::fabs(of_filter - of_exact), subject.filter->slack(of_exact)) << label;
  };
  if (exact.is_measured) {
    expect_near(subject.elements.error[0], exact.error);
    expect_near(subject.elements.bound_used[0], exact.bound_used);
  }
  if (!exact.is_wrong) return true;
  // All that the filter calls wrong is one finding, and another of infinities.
  const ElementMismatch mismatch = ExplainMismatch(subject.in, expected, y);
  const double actual = std::strtod(mismatch.actual.c_str(), nullptr);
  EXPECT_TRUE(std::isnormal(actual) || std::isinf(actual)) << label;
  EXPECT_FALSE(absl::StrContains(mismatch.expected, "inf") || absl::StrContains(mismatch.expected, "na")) << label;
  EXPECT_EQ(RuleOf(subject.in.op, expected), ValueRule(subject.in.op.kind, ValueCase::kPlain)) << label;
  return true;
}

void CheckInput(Subject& subject, uint32_t x) {
  const Expected expected = subject.ExpectedAt(x);
  for (uint64_t y : Results(subject.in.result_type, expected)) CheckFilter(subject, x, y, expected);
}

TEST(ElementFilterTest, NeverDiffersFromTheExactWay) {
  RandomF32 random;
  for (Subject* subject : Subjects()) {
    ASSERT_TRUE(subject->filter) << subject->name();
    for (uint32_t x : HardInputs()) CheckInput(*subject, x);
    for (int i = 0; i < 1500; ++i) CheckInput(*subject, random.Bits());
    for (int i = 0; i < 1500; ++i) CheckInput(*subject, random.Between(-20, 10));
    if (HasFailure()) return;
  }
}

// The exponents that bring powers to the ends of the format, of its subnormals and of the doubles, with bases near to
// 1, too, for which the bound counts more than the power.
void CheckPowers(Subject& subject, RandomF32& random) {
  const E type = subject.in.input_type;
  const auto one = static_cast<uint32_t>(BitsOf(type, 1.0));
  for (int i = 0; i < 1'500; ++i) {
    const uint32_t x = i % 4 == 0 ? one + (random.Bits() & 15) - 8 : random.Bits() & 0x7fff;
    const double base = ElementToDouble(type, x);
    constexpr double kPowers[] = {88.7, -87.3, -92.2, -103.3, 11.09, -9.7, -16.6, 700, -700, 709.7, -745, 1e4, 0.01};
    const double power = kPowers[random.Bits() % std::size(kPowers)] * (0.98 + 0x1p-37 * random.Bits());
    if (!std::isfinite(base) || base <= 0 || base == 1) continue;
    CheckInput(subject, x | static_cast<uint32_t>(BitsOf(type, power / std::log(base))) << 16);
  }
}

TEST(ElementFilterTest, NeverDiffersFromTheExactWayOnPairs) {
  RandomF32 random;
  for (Subject* subject : Pairs()) {
    ASSERT_TRUE(subject->filter) << subject->name();
    for (uint32_t x : HardPairs(subject->in.input_type)) CheckInput(*subject, x);
    for (int i = 0; i < 200; ++i) CheckInput(*subject, random.Bits());
    for (int i = 0; i < 200; ++i) {  // of like magnitudes
      const uint32_t x = random.Bits() & 0xffff;
      CheckInput(*subject, x | (x ^ (random.Bits() & 0x83ff)) << 16);
    }
    if (subject->in.op.kind == K::kPow) CheckPowers(*subject, random);
    if (HasFailure()) return;
  }
}

// NaNs, infinities and zeros are left to the exact way by most.
TEST(ElementFilterTest, DecidesMostRightResultsOfPairs) {
  RandomF32 random;
  for (Subject* subject : Pairs()) {
    const E type = subject->in.result_type;
    int undecided = 0;
    for (int i = 0; i < 4'000; ++i) {
      const uint32_t x = random.Bits();
      const Expected expected = subject->ExpectedAt(x);
      undecided += CheckFilter(*subject, x, NearestOf(type, expected), expected) ? 0 : 1;
    }
    EXPECT_LE(undecided, subject->in.input_type == E::kF16 ? 400 : 80) << subject->name();
  }
}

TEST(ElementFilterTest, DecidesNearlyAllRightResults) {
  RandomF32 random;
  for (Subject* subject : Subjects()) {
    int undecided = 0;
    for (int i = 0; i < 20'000; ++i) {
      const uint32_t x = i % 2 == 0 ? random.Bits() : random.Between(-20, 10);
      const Expected expected = subject->ExpectedAt(x);
      const E type = subject->in.result_type;
      undecided += CheckFilter(*subject, x, NearestOf(type, expected), expected) ? 0 : 1;
    }
    EXPECT_LE(undecided, 2) << subject->name();
  }
}

// Those that are no normal numbers, and those beside the bound, are left to the exact way.
TEST(ElementFilterTest, DecidesMostWrongResultsOfFunctions) {
  Subject exp(K::kExp, E::kF32);
  const auto flags = [&](uint32_t x, uint32_t y) {
    exp.Filter(x, y);
    return int{exp.elements.flags[0]};
  };
  EXPECT_EQ(flags(0x3f800000, 0x402df854), kIsDecided | kIsMeasured);  // e
  EXPECT_EQ(flags(0x3f800000, 0x402df864), kIsDecided | kIsMeasured | kIsWrong);
  EXPECT_EQ(flags(0x3f800000, 0xc02df854), kIsDecided | kIsMeasured | kIsWrong);
  EXPECT_EQ(flags(0x3f800000, 0xff800000), kIsDecided | kIsMeasured | kIsWrong);
  for (const uint32_t y : {0x00000000u, 0x00400000u, 0x7fc00000u}) EXPECT_EQ(flags(0x3f800000, y), 0) << y;
  EXPECT_EQ(flags(0x00400000, 0x40000000), 0) << "a subnormal operand may be flushed";
  EXPECT_EQ(flags(0xc2b00000, 0x3f800000), 0) << "exp(-88) is subnormal";
  EXPECT_EQ(flags(0x42b17217, 0x3f800000), 0) << "an infinity may be right";
}

// Where the bound is so wide that it allows what no sine is.
TEST(ElementFilterTest, DecidesMostImplausibleResultsOfWaves) {
  Subject sin(K::kSin, E::kF32);
  const auto flags = [&](float x, float y) {
    sin.Filter(std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y));
    return int{sin.elements.flags[0]};
  };
  constexpr int kAllowed = kIsDecided | kIsMeasured | kIsOpen;
  EXPECT_EQ(flags(1e10F, -0.5F), kAllowed);  // -0.4875
  EXPECT_EQ(flags(1e10F, 1.5F), kAllowed | kIsImplausible);
  EXPECT_EQ(flags(1e10F, 0.5F), kAllowed) << "so near to a root the sign says nothing";
  EXPECT_EQ(flags(2e10F, 0.5F), kAllowed | kIsImplausible) << "-0.85";
  EXPECT_EQ(flags(2e10F, -0.0F), kAllowed | kIsImplausible);
  EXPECT_EQ(flags(1e10F, 0), kAllowed);
  EXPECT_EQ(flags(2e10F, -1.0000001F), 0);
  EXPECT_EQ(flags(2e10F, 1e9F), kAllowed | kIsWrong) << "open is what most values are right for; not this one";
  Subject strict(K::kSin, E::kF32, E::kF32, {}, {.strict_values = true});
  strict.Filter(std::bit_cast<uint32_t>(1e10F), std::bit_cast<uint32_t>(1.5F));
  EXPECT_EQ(int{strict.elements.flags[0]}, 0);
}

TEST(ElementFilterTest, OtherOpsAndTypesHaveNone) {
  const Attributes attributes;
  const Policies policies;
  const auto filter = [&](K op, E input, E result) {
    return ElementFilter::For(
        {.op = Info(op), .input_type = input, .result_type = result, .attributes = attributes, .policies = policies});
  };
  EXPECT_FALSE(filter(K::kExp, E::kF16, E::kF16));
  EXPECT_FALSE(filter(K::kAdd, E::kF32, E::kF32));
  EXPECT_FALSE(filter(K::kPow, E::kF32, E::kF32));
  EXPECT_FALSE(filter(K::kAdd, E::kI16, E::kI16));
  EXPECT_FALSE(filter(K::kAdd, E::kF8E4M3FN, E::kF8E4M3FN));
  EXPECT_FALSE(filter(K::kClamp, E::kF32, E::kF32));  // without bounds
  EXPECT_FALSE(filter(K::kCast, E::kF32, E::kF8E4M3FN));
}

// The C library's functions, on which all depends. bench/filter_bound does this at millions of points.
TEST(ElementFilterTest, TheFunctionsKeepTheirBound) {
  RandomF32 random;
  for (Subject* subject : Subjects()) {
    double value = 0, worst = 0;
    if (!FilterReferences(subject->in.op.kind, 0, 1, &value)) continue;
    std::vector<uint32_t> inputs = HardInputs();
    for (int i = 0; i < 50'000; ++i) inputs.push_back(random.Bits());
    for (int i = 0; i < 50'000; ++i) inputs.push_back(random.Between(-20, 10));
    for (uint32_t x : inputs) {
      const Expected expected = subject->ExpectedAt(x);
      FilterReferences(subject->in.op.kind, x, 1, &value);
      if (expected.kind != Expected::Kind::kRange || !std::isnormal(value)) continue;
      worst = std::max(worst, std::fabs(value - expected.reference) / std::fabs(expected.reference));
    }
    EXPECT_LE(worst, kFunctionError / 4) << subject->name();  // with a margin that another library may use up
  }
}

}  // namespace
}  // namespace tosaic
