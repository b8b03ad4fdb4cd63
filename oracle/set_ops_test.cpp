// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of sets: sound (nothing that the scalar reference allows for a member is missing), and where the documents
// leave one value, or few, as tight as that.
#include "oracle/set_ops.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/tensor.h"
#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

class Random {
 public:
  uint64_t Bits() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 24;
  }
  int64_t Below(int64_t end) { return static_cast<int64_t>(Bits() % static_cast<uint64_t>(end)); }

 private:
  uint64_t state_ = 11;
};

// Values at which ops change their behaviour.
std::vector<double> Landmarks(E type) {
  if (type == E::kI1) return {0, 1};
  const double least = static_cast<double>(LeastOrdinal(type)), greatest = static_cast<double>(GreatestOrdinal(type));
  if (IsInteger(type)) return {least, least + 1, -2, -1, 0, 1, 2, 7, greatest - 1, greatest};
  const FloatFormat& format = Format(type);
  return {0.0,
          0.5,
          0.99,
          1.0,
          1.5,
          2.0,
          3.14159,
          4.0,
          10.0,
          88.7,
          128.0,
          1e3,
          1e-3,
          60000,
          2147483648.0,
          format.normal_min,
          format.normal_min / 2,
          format.normal_max,
          kInf};
}

// A landmark, something beside one, or anything.
int64_t RandomOrdinal(E type, Random& random) {
  if (random.Below(4) == 0) {
    const Wide count = Wide{GreatestOrdinal(type)} - LeastOrdinal(type) + 1;
    return static_cast<int64_t>(LeastOrdinal(type) + ((Wide{random.Bits()} << 24) ^ random.Bits()) % count);
  }
  const std::vector<double> landmarks = Landmarks(type);
  int64_t ordinal = OrdinalOf(type, BitsOf(type, landmarks[random.Below(static_cast<int64_t>(landmarks.size()))]));
  if (IsFloat(type) && random.Below(2) == 0) ordinal = -1 - ordinal;
  const Wide beside = Wide{ordinal} + random.Below(5) - 2;
  return static_cast<int64_t>(std::clamp(beside, Wide{LeastOrdinal(type)}, Wide{GreatestOrdinal(type)}));
}

// From one to six spans: points, a few neighbours, a stretch, or far into the type; now and then with NaN, or of each
// nth pattern.
AllowedSet RandomSet(E type, Random& random) {
  AllowedSet set(type);
  const bool has_grid = random.Below(3) == 0;
  const int64_t spans = random.Below(4) == 0 ? 1 + random.Below(6) : 1;
  for (int64_t i = 0; i < spans; ++i) {
    const int64_t first = RandomOrdinal(type, random);
    const int64_t reaches[] = {0, 0, random.Below(4), random.Below(1000),
                               random.Below(int64_t{1} << (BitWidth(type) - 1))};
    const int64_t reach = reaches[random.Below(5)];
    const auto last = static_cast<int64_t>(std::min(Wide{first} + reach, Wide{GreatestOrdinal(type)}));
    const int64_t strides[] = {2, 3, 8, 1 + random.Below(100)};
    const int64_t stride = has_grid ? strides[random.Below(4)] : 1;
    set.Add({first, last - static_cast<int64_t>((Wide{last} - first) % stride), stride});
  }
  if (IsFloat(type) && random.Below(6) == 0) set.AddNan();
  return set;
}

uint64_t RandomMember(const AllowedSet& set, Random& random) {
  if (set.has_nan() && random.Below(4) == 0) return BitsOf(set.type(), kNan);
  if (set.spans().empty()) return BitsOf(set.type(), kNan);
  const OrdinalSpan span = set.spans()[random.Below(static_cast<int64_t>(set.spans().size()))];
  const Wide others = (Wide{span.last} - span.first) / span.stride;
  const Wide between = span.first + Wide{random.Bits()} % (others + 1) * span.stride;
  const int64_t choices[] = {span.first, span.last, static_cast<int64_t>(between)};
  uint64_t bits = BitsOfOrdinal(set.type(), choices[random.Below(3)]);
  AllowedSet itself = AllowedSet::OfBits(set.type(), bits);
  itself.AddFlushedZeros();
  if (itself.Count() > 1 && random.Below(2) == 0) bits &= SignMask(set.type());  // flushed
  return bits;
}

Attributes RandomAttributes(E type, Random& random) {
  Attributes attributes;
  attributes.nan_mode = random.Below(2) == 0 ? NanMode::kPropagate : NanMode::kIgnore;
  attributes.round = random.Below(2) == 0;
  attributes.scale32 = random.Below(2) == 0;
  attributes.rounding_mode = All<RoundingMode>()[random.Below(*attributes.scale32 ? 3 : 2)];
  attributes.input_unsigned = random.Below(3) == 0;
  attributes.output_unsigned = !*attributes.input_unsigned && random.Below(2) == 0;
  const int64_t a = RandomOrdinal(type, random), b = RandomOrdinal(type, random);
  attributes.min_val = {type, BitsOfOrdinal(type, std::min(a, b))};
  attributes.max_val = {type, BitsOfOrdinal(type, std::max(a, b))};
  return attributes;
}

std::string Explain(const ScalarInput& in, const std::vector<AllowedSet>& operands, const AllowedSet& image) {
  std::string text = absl::StrCat(in.op.name, " ", Name(in.input_type), " -> ", Name(in.result_type), ":");
  for (size_t k = 0; k < operands.size(); ++k) {
    absl::StrAppend(&text, " {", Describe(operands[k]), "} at ", ElementToString(operands[k].type(), in.bits[k]), " (",
                    BitsToString(operands[k].type(), in.bits[k]), "),");
  }
  return absl::StrCat(text, " image {", Describe(image), "}");
}

AllowedSet ImageOf(const ScalarInput& in, const std::vector<AllowedSet>& operands,
                   FirstTwo first_two = FirstTwo::kMayDiffer) {
  std::vector<const AllowedSet*> pointers;
  for (const AllowedSet& operand : operands) pointers.push_back(&operand);
  return tosaic::ImageOf(in, pointers, std::nullopt, first_two);
}

OperandRole RoleOf(const ScalarInput& in, size_t read) {
  return in.op.operands[std::min(read, in.op.operands.size() - 1)];
}

std::vector<AllowedSet> RandomOperands(const ScalarInput& in, Random& random) {
  std::vector<AllowedSet> operands;
  for (size_t k = 0; k < in.ReadCount(); ++k) {
    const E type = in.OperandType(k);
    const OperandRole role = RoleOf(in, k);
    const bool is_special = IsSpecial(role);
    const bool is_integer_mul = in.input_type == E::kI32;
    const bool is_i8_negate = in.input_type == E::kI8;
    if (!is_special) {
      operands.push_back(RandomSet(type, random));
    } else if (role == OperandRole::kMultiplier) {
      operands.push_back(AllowedSet::OfBits(type, random.Below(SignMask(type))));
    } else if (role == OperandRole::kChannelShift) {
      operands.push_back(AllowedSet::OfBits(type, 2 + random.Below(61)));
    } else if (role == OperandRole::kTable) {
      operands.push_back(random.Below(4) == 0 ? RandomSet(type, random)
                                              : AllowedSet::OfBits(type, random.Below(SignMask(type))));
    } else if (role == OperandRole::kShift ? is_integer_mul : is_i8_negate) {
      operands.push_back(AllowedSet::OfBits(type, random.Below(40)));
    } else {
      operands.push_back(AllowedSet::OfBits(type, 0));
    }
  }
  return operands;
}

// Calls check(input) for every op of the catalogue and all element types on which it has values.
template <typename Check>
void ForEachTuple(Check check) {
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : TuplesWithValues(op)) {
      const Attributes attributes;
      const Policies policies;
      ScalarInput in = {.op = op,
                        .input_type = tuple.input,
                        .result_type = tuple.result,
                        .attributes = attributes,
                        .policies = policies};
      check(in);
    }
  }
}

TEST(ImageTest, HasWhateverTheScalarReferenceAllowsForMembers) {
  Random random;
  ForEachTuple([&](const ScalarInput& tuple) {
    const bool is_beyond = FindSpecTuple(tuple.op, tuple.input_type, tuple.result_type) == nullptr;
    for (int i = 0; i < (is_beyond ? 60 : 300); ++i) {
      const Attributes attributes = RandomAttributes(tuple.input_type, random);
      ScalarInput in = {.op = tuple.op,
                        .input_type = tuple.input_type,
                        .result_type = tuple.result_type,
                        .attributes = attributes,
                        .policies = tuple.policies};
      const std::vector<AllowedSet> operands = RandomOperands(in, random);
      const AllowedSet image = ImageOf(in, operands);
      for (int k = 0; k < 12; ++k) {
        for (size_t o = 0; o < operands.size(); ++o) in.bits[o] = RandomMember(operands[o], random);
        const Expected expected = EvaluateScalar(in);
        if (expected.kind == Expected::Kind::kUndefined) {
          ASSERT_TRUE(image.IsUndefined()) << Explain(in, operands, image);
          continue;
        }
        if (MovesElements(in.op)) {  // a zero instead of a subnormal is no member: nothing is flushed
          ASSERT_EQ(image.Contains(in.bits[0]), operands[0].Contains(in.bits[0])) << Explain(in, operands, image);
          continue;
        }
        for (const BitRange range : AllowedRanges(in.result_type, expected)) {
          ASSERT_TRUE(image.Contains(range.first) && image.Contains(range.last))
              << Explain(in, operands, image) << " lacks " << DescribeExpected(in.result_type, expected);
        }
      }
    }
  });
}

// Calls check(input) for each combination of members of the operands that are no NaNs.
template <typename Check>
void ForEachCombination(ScalarInput in, const std::vector<AllowedSet>& operands, size_t k, Check check) {
  if (k == operands.size()) return check(in);
  for (const OrdinalSpan span : operands[k].spans()) {
    for (int64_t ordinal = span.first; ordinal <= span.last; ordinal += span.stride) {
      in.bits[k] = BitsOfOrdinal(operands[k].type(), ordinal);
      ForEachCombination(in, operands, k + 1, check);
    }
  }
}

bool IsSmall(E type) { return BitWidth(type) <= 8; }

// From few members to half of the type, mostly on a grid.
AllowedSet SetOnAGrid(E type, Random& random) {
  const int64_t first = LeastOrdinal(type) + random.Below(GreatestOrdinal(type) - LeastOrdinal(type));
  const int64_t stride = 1 + random.Below(9), count = 10 + random.Below(30);
  AllowedSet set(type);
  set.Add({first, first, 1});
  set.Add({first, first + std::min((GreatestOrdinal(type) - first) / stride, count) * stride, stride});
  if (random.Below(3) == 0) set.Unite(RandomSet(type, random));
  return set;
}

// Every combination of members of sets that are too large to be evaluated one by one: grids above all.
TEST(ImageTest, HasTheResultOfEachCombinationOfMembers) {
  Random random;
  uint64_t on_a_grid = 0;
  ForEachTuple([&](const ScalarInput& tuple) {
    if (!IsSmall(tuple.input_type) || BitWidth(tuple.input_type) < 4) return;
    for (int i = 0; i < 30; ++i) {
      const Attributes attributes = RandomAttributes(tuple.input_type, random);
      ScalarInput in = {.op = tuple.op,
                        .input_type = tuple.input_type,
                        .result_type = tuple.result_type,
                        .attributes = attributes,
                        .policies = tuple.policies};
      std::vector<AllowedSet> operands = RandomOperands(in, random);
      for (size_t k = 0; k < operands.size(); ++k) {
        AllowedSet& operand = operands[k];
        const bool is_parameter = IsSpecial(RoleOf(in, k));
        if (!is_parameter && (operand.Count() != 1 || random.Below(2) == 0))
          operand = SetOnAGrid(operand.type(), random);
        if (k >= 2 && !is_parameter) operand = AllowedSet::OfBits(operand.type(), 0);
        if (is_parameter && operand.Count() > 1) operand = AllowedSet::OfBits(operand.type(), 5);
      }
      const AllowedSet image = ImageOf(in, operands);
      on_a_grid += std::any_of(image.spans().begin(), image.spans().end(), [](OrdinalSpan s) { return s.stride > 1; });
      ForEachCombination(in, operands, 0, [&](const ScalarInput& at) {
        const Expected expected = EvaluateScalar(at);
        const bool undefined = expected.kind == Expected::Kind::kUndefined;
        ASSERT_TRUE(undefined ? image.IsUndefined() : true) << Explain(at, operands, image);
        if (undefined) return;
        for (const BitRange range : AllowedRanges(in.result_type, expected)) {
          ASSERT_TRUE(image.Contains(range.first) && image.Contains(range.last))
              << Explain(at, operands, image) << " lacks " << DescribeExpected(in.result_type, expected);
        }
      });
    }
  });
  EXPECT_GT(on_a_grid, 200u);
}

// Each member as both operands, with members as the third.
TEST(ImageTest, OfOneValueTwiceHasTheResultOfEachMember) {
  Random random;
  ForEachTuple([&](const ScalarInput& tuple) {
    const bool takes_two = BroadcastOperandCount(tuple.op) > 1 && tuple.OperandType(0) == tuple.OperandType(1);
    if (!takes_two || tuple.op.kind == K::kSelect || BitWidth(tuple.input_type) > 16) return;
    for (int i = 0; i < 12; ++i) {
      const Attributes attributes = RandomAttributes(tuple.input_type, random);
      ScalarInput in = {.op = tuple.op,
                        .input_type = tuple.input_type,
                        .result_type = tuple.result_type,
                        .attributes = attributes,
                        .policies = tuple.policies};
      std::vector<AllowedSet> operands = RandomOperands(in, random);
      if (i % 2 == 0 && BitWidth(in.input_type) >= 4) operands[0] = SetOnAGrid(in.input_type, random);
      operands[1] = operands[0];
      if (operands[0].Count() > 1000) continue;
      const AllowedSet image = ImageOf(in, operands, FirstTwo::kAreOneValue);
      for (uint64_t bits = 0; bits <= BitMask(in.input_type); ++bits) {
        if (!operands[0].Contains(bits)) continue;
        in.bits = {bits, bits, operands.size() > 2 ? RandomMember(operands[2], random) : 0};
        const Expected expected = EvaluateScalar(in);
        const bool undefined = expected.kind == Expected::Kind::kUndefined;
        ASSERT_TRUE(undefined ? image.IsUndefined() : true) << Explain(in, operands, image);
        if (undefined) continue;
        for (const BitRange range : AllowedRanges(in.result_type, expected)) {
          ASSERT_TRUE(image.Contains(range.first) && image.Contains(range.last))
              << Explain(in, operands, image) << " lacks " << DescribeExpected(in.result_type, expected);
        }
      }
    }
  });
}

// All floats of a narrow type, span by span: what they become in a wider type, or as integers.
TEST(ImageTest, HasTheCastOfEachNumber) {
  const Attributes attributes;
  const Policies policies;
  Random random;
  for (E from : {E::kF8E4M3FN, E::kF8E5M2, E::kF16, E::kBF16}) {
    for (E to : {E::kF16, E::kBF16, E::kF32, E::kF64, E::kI8, E::kI16, E::kI32, E::kI64}) {
      ScalarInput in = {
          .op = Info(K::kCast), .input_type = from, .result_type = to, .attributes = attributes, .policies = policies};
      if (!HasValues(in.op, from, to)) continue;
      for (int64_t first = LeastOrdinal(from); first < GreatestOrdinal(from) - 40; first += 37 + random.Below(60)) {
        const int64_t stride = int64_t{1} << random.Below(5);
        const int64_t last = first + std::min<int64_t>(stride * 25, (GreatestOrdinal(from) - first) / stride * stride);
        AllowedSet members(from);
        members.Add({first, last, stride});
        const AllowedSet image = ImageOf(in, {members});
        for (int64_t ordinal = first; ordinal <= last; ordinal += stride) {
          in.bits[0] = BitsOfOrdinal(from, ordinal);
          const AllowedSet one = AllowedSet::OfExpected(to, EvaluateScalar(in));
          for (const BitRange range : RangesOf(one)) {
            ASSERT_TRUE(image.Contains(range.first) && image.Contains(range.last)) << Explain(in, {members}, image);
          }
        }
      }
    }
  }
}

TEST(ImageTest, OfPointsIsWhatIsExpected) {
  Random random;
  ForEachTuple([&](ScalarInput in) {
    for (int i = 0; i < 40; ++i) {
      std::vector<AllowedSet> operands;
      bool may_flush = false;
      for (size_t k = 0; k < in.ReadCount(); ++k) {
        in.bits[k] = BitsOfOrdinal(in.OperandType(k), RandomOrdinal(in.OperandType(k), random));
        operands.push_back(AllowedSet::OfBits(in.OperandType(k), in.bits[k]));
        AllowedSet flushed = operands.back();
        flushed.AddFlushedZeros();
        may_flush |= flushed.Count() > 1;
      }
      if (may_flush) continue;
      const AllowedSet image = ImageOf(in, operands);
      ASSERT_EQ(image, AllowedSet::OfExpected(in.result_type, EvaluateScalar(in))) << Explain(in, operands, image);
    }
  });
}

TEST(ImageTest, OfAnUndefinedOperandIsUndefined) {
  ForEachTuple([&](const ScalarInput& in) {
    for (size_t undefined = 0; undefined < in.ReadCount(); ++undefined) {
      std::vector<AllowedSet> operands;
      for (size_t k = 0; k < in.ReadCount(); ++k) {
        operands.push_back(k == undefined ? AllowedSet::Undefined(in.OperandType(k))
                                          : AllowedSet::OfBits(in.OperandType(k), 0));
      }
      const bool not_chosen = in.op.kind == K::kSelect && undefined == 1;  // the condition is false
      EXPECT_EQ(ImageOf(in, operands).IsUndefined(), !not_chosen) << in.op.name << " " << undefined;
    }
  });
}

// Sets given as values, NaN among them, and one span from lo to hi.
AllowedSet Values(E type, const std::vector<double>& values) {
  AllowedSet set(type);
  for (double value : values) set.Unite(AllowedSet::OfBits(type, BitsOf(type, value)));
  return set;
}
AllowedSet Span(E type, double lo, double hi) {
  return AllowedSet::OfSpan(type, {OrdinalOf(type, BitsOf(type, lo)), OrdinalOf(type, BitsOf(type, hi))});
}

AllowedSet Apply(K op, E input, E result, std::vector<AllowedSet> operands, const Attributes& attributes = {}) {
  const Policies policies;
  const ScalarInput in = {
      .op = Info(op), .input_type = input, .result_type = result, .attributes = attributes, .policies = policies};
  while (operands.size() < in.op.operands.size()) {
    operands.push_back(AllowedSet::OfBits(in.OperandType(operands.size()), 0));
  }
  return ImageOf(in, operands);
}
AllowedSet Apply(K op, E type, std::vector<AllowedSet> operands, const Attributes& attributes = {}) {
  return Apply(op, type, type, std::move(operands), attributes);
}

TEST(ImageTest, NegateOfExpExcludesExp) {
  for (E type : kFloats) {
    const AllowedSet exp = Apply(K::kExp, type, {Values(type, {1})});
    const AllowedSet negated = Apply(K::kNegate, type, {exp});
    EXPECT_GT(exp.Count(), 1u);
    EXPECT_EQ(negated.Count(), exp.Count());
    EXPECT_FALSE(negated.Contains(BitsOf(type, std::exp(1.0))));
    EXPECT_TRUE(negated.Contains(BitsOf(type, -std::exp(1.0))));
    EXPECT_EQ(Apply(K::kNegate, type, {negated}), exp);
  }
}

// (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24, and half a unit too long: rounded first, the last term is lost.
TEST(ImageTest, AddOfMulExcludesTheSumOfOneRounding) {
  const AllowedSet a = Values(E::kF32, {1 + 0x1p-12});
  const AllowedSet product = Apply(K::kMul, E::kF32, {a, Values(E::kF32, {1 + 0x1p-13})});
  EXPECT_EQ(Describe(product), "1.00036621");
  const double exact = (1 + 0x1p-12) * (1 + 0x1p-13);
  const double rounded = ElementToDouble(E::kF32, product.OnlyBits());
  ASSERT_NE(exact, rounded);
  const AllowedSet sum = Apply(K::kAdd, E::kF32, {product, Values(E::kF32, {-rounded})});
  EXPECT_EQ(Describe(sum), "[-0, 0]");
  EXPECT_FALSE(sum.Contains(BitsOf(E::kF32, exact - rounded)));
}

// A product half way between two numbers may be either, and a sum of it one of two numbers.
TEST(ImageTest, OfTwoCandidatesIsTwoCandidates) {
  const AllowedSet x = Values(E::kF32, {1 + 0x1p-12});
  const AllowedSet square = Apply(K::kMul, E::kF32, {x, x});
  EXPECT_EQ(square, Values(E::kF32, {1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-23}));
  EXPECT_EQ(Apply(K::kSub, E::kF32, {square, Values(E::kF32, {0.75})}),
            Values(E::kF32, {0.25 + 0x1p-11, 0.25 + 0x1p-11 + 0x1p-23}));
}

TEST(ImageTest, ChainsOfExpStayNarrow) {
  AllowedSet set = Values(E::kF32, {0.1});
  const uint64_t widths[] = {20, 150, 1500};
  for (const uint64_t width : widths) {
    set = Apply(K::kExp, E::kF32, {set});
    EXPECT_LT(set.Count(), width);
    EXPECT_FALSE(set.has_nan());
  }
  EXPECT_LT(Apply(K::kLog, E::kF32, {set}).Count(), 500u);
}

// Where both ends of a rule's bound rise with the operand, the image of a span is that of its ends.
TEST(ImageTest, OfARisingFunctionIsThatOfTheEnds) {
  for (const E type : kFloats) {
    const AllowedSet tanh = Apply(K::kTanh, type, {Values(type, {3.67578125})});
    const OrdinalSpan span = tanh.spans()[0];
    const AllowedSet low = Apply(K::kExp, type, {AllowedSet::OfSpan(type, {span.first, span.first})});
    const AllowedSet high = Apply(K::kExp, type, {AllowedSet::OfSpan(type, {span.last, span.last})});
    const OrdinalSpan image = Apply(K::kExp, type, {tanh}).spans()[0];
    EXPECT_EQ(image, (OrdinalSpan{low.spans()[0].first, high.spans()[0].last})) << Describe(tanh);
  }
}

TEST(ImageTest, FloorAcrossAnIntegerIsOneOfTwo) {
  const AllowedSet floor = Apply(K::kFloor, E::kF32, {Span(E::kF32, 2.9, 3.2)});
  EXPECT_EQ(floor, Values(E::kF32, {2, std::nextafterf(2, 0), 3}));
  EXPECT_EQ(Apply(K::kFloor, E::kF32, {Span(E::kF32, 3.1, 3.2)}), Values(E::kF32, {3}));
  EXPECT_EQ(Apply(K::kCeil, E::kF32, {Span(E::kF32, 2.9, 3.2)}).Contains(BitsOf(E::kF32, 3.5)), false);
  EXPECT_EQ(Apply(K::kCeil, E::kF32, {Span(E::kF32, -0.7, -0.3)}), Values(E::kF32, {0.0, -0.0}));
}

TEST(ImageTest, SelectOfAnUncertainConditionIsEither) {
  const AllowedSet a = Values(E::kF32, {1}), b = Values(E::kF32, {5, kNan});
  const AllowedSet maybe = Values(E::kI1, {0, 1}), yes = Values(E::kI1, {1});
  EXPECT_EQ(Apply(K::kSelect, E::kF32, {maybe, a, b}), Values(E::kF32, {1, 5, kNan}));
  EXPECT_EQ(Apply(K::kSelect, E::kF32, {yes, a, AllowedSet::Undefined(E::kF32)}), a);
  EXPECT_TRUE(Apply(K::kSelect, E::kF32, {maybe, a, AllowedSet::Undefined(E::kF32)}).IsUndefined());
}

TEST(ImageTest, ComparisonsOfOverlappingSetsAreUncertain) {
  const auto greater = [](const AllowedSet& a, const AllowedSet& b) {
    return Describe(Apply(K::kGreater, E::kF32, E::kI1, {a, b}));
  };
  const AllowedSet low = Span(E::kF32, 1, 2), high = Span(E::kF32, 3, 4), middle = Span(E::kF32, 2, 3);
  EXPECT_EQ(greater(high, low), "true");
  EXPECT_EQ(greater(low, high), "false");
  EXPECT_EQ(greater(low, middle), "false");
  EXPECT_EQ(greater(middle, low), "anything");
  EXPECT_EQ(Describe(Apply(K::kEqual, E::kF32, E::kI1, {low, high})), "false");
  EXPECT_EQ(Describe(Apply(K::kGreaterEqual, E::kF32, E::kI1, {middle, low})), "true");
}

TEST(ImageTest, MaximumKeepsTheHigherSet) {
  const AllowedSet low = Span(E::kF32, 1, 2), high = Span(E::kF32, 3, 4);
  EXPECT_EQ(Apply(K::kMaximum, E::kF32, {low, high}), high);
  EXPECT_EQ(Apply(K::kMinimum, E::kF32, {low, high}), low);
  AllowedSet low_or_nan = low;
  low_or_nan.AddNan();
  AllowedSet high_or_nan = high;
  high_or_nan.AddNan();
  EXPECT_EQ(Apply(K::kMaximum, E::kF32, {low_or_nan, high}), high_or_nan);
  EXPECT_EQ(Apply(K::kMaximum, E::kF32, {low_or_nan, high}, {.nan_mode = NanMode::kIgnore}), high);
  EXPECT_EQ(Apply(K::kMinimum, E::kF32, {low, high_or_nan}, {.nan_mode = NanMode::kIgnore}), low);
}

TEST(ImageTest, InfinityMinusInfinityIsAddedToASumOfOverflows) {
  const AllowedSet great = Span(E::kF32, 1e38, kInf);
  const AllowedSet difference = Apply(K::kSub, E::kF32, {great, great});
  EXPECT_TRUE(difference.has_nan());
  EXPECT_FALSE(Apply(K::kAdd, E::kF32, {great, great}).has_nan());
  EXPECT_EQ(Describe(Apply(K::kAdd, E::kF32, {Values(E::kF32, {kInf}), Span(E::kF32, -1, 1)})), "inf");
  EXPECT_TRUE(Apply(K::kMul, E::kF32, {great, Span(E::kF32, 0, 1)}).has_nan());
}

TEST(ImageTest, CastsToIntegersRoundAndSaturate) {
  EXPECT_EQ(Describe(Apply(K::kCast, E::kF32, E::kI8, {Span(E::kF32, 1.4, 2.6)})), "[1, 3]");
  EXPECT_EQ(Describe(Apply(K::kCast, E::kF32, E::kI8, {Span(E::kF32, 126.4, 1e30)})), "[126, 127]");
  EXPECT_EQ(Describe(Apply(K::kCast, E::kF32, E::kI8, {Span(E::kF32, 2.6, 3.4)})), "3");
  EXPECT_TRUE(Apply(K::kCast, E::kF32, E::kI8, {Values(E::kF32, {1, kNan})}).IsUndefined());
  EXPECT_EQ(Describe(Apply(K::kCast, E::kI32, E::kI8, {Span(E::kI32, -100, 100)})), "[-100, 100]");
  EXPECT_EQ(Describe(Apply(K::kCast, E::kI32, E::kI8, {Span(E::kI32, 0, 200)})), "anything");
  EXPECT_EQ(Describe(Apply(K::kCast, E::kI32, E::kI1, {Span(E::kI32, 1, 200)})), "true");
}

TEST(ImageTest, IntegerOverflowOfAMemberIsUndefined) {
  EXPECT_EQ(Describe(Apply(K::kAdd, E::kI32, {Span(E::kI32, 0, 1000), Span(E::kI32, 5, 6)})), "[5, 1006]");
  EXPECT_TRUE(Apply(K::kAdd, E::kI32, {Span(E::kI32, 0, 1000), Values(E::kI32, {kMax32})}).IsUndefined());
  EXPECT_TRUE(Apply(K::kNegate, E::kI32, {Values(E::kI32, {kMin32})}).IsUndefined());
  EXPECT_TRUE(Apply(K::kIntdiv, E::kI32, {Span(E::kI32, 1, 1000), Span(E::kI32, -500, 500)}).IsUndefined());
  EXPECT_EQ(Describe(Apply(K::kIntdiv, E::kI32, {Span(E::kI32, -10, 1000), Span(E::kI32, 2, 500)})), "[-5, 500]");
}

// A member decides, not what lies between members.
TEST(ImageTest, ADivisorIsOneOfItsMembers) {
  const AllowedSet many = Span(E::kI32, 10, 1000), either = Values(E::kI32, {-2, 3});
  EXPECT_EQ(Describe(Apply(K::kIntdiv, E::kI32, {many, either})), "[-500, -5] or [3, 333]");
  EXPECT_TRUE(Apply(K::kIntdiv, E::kI32, {many, Values(E::kI32, {-2, 0, 3})}).IsUndefined());
  const AllowedSet from_least = Span(E::kI32, kMin32, 0);
  EXPECT_FALSE(Apply(K::kIntdiv, E::kI32, {from_least, either}).IsUndefined());
  EXPECT_TRUE(Apply(K::kIntdiv, E::kI32, {from_least, Values(E::kI32, {-1, 3})}).IsUndefined());
  // Two divisors on one grid, which steps over 0.
  AllowedSet odd(E::kI32);
  odd.Add({-201, 199, 2});
  EXPECT_EQ(Describe(Apply(K::kIntdiv, E::kI32, {many, odd})), "[-1000, 1000]");
  odd.Add({0, 0});
  EXPECT_TRUE(Apply(K::kIntdiv, E::kI32, {many, odd}).IsUndefined());
}

TEST(ImageTest, AShiftIsOneOfItsMembers) {
  const AllowedSet many = Span(E::kI32, 0, 999), either = Values(E::kI32, {1, 4});
  EXPECT_EQ(Describe(Apply(K::kArithmeticRightShift, E::kI32, {many, either})), "[0, 499]");
  EXPECT_TRUE(Apply(K::kArithmeticRightShift, E::kI32, {many, Values(E::kI32, {-1, 4})}).IsUndefined());
  EXPECT_TRUE(Apply(K::kArithmeticRightShift, E::kI32, {many, Values(E::kI32, {4, 32})}).IsUndefined());
  const AllowedSet shifts = Values(E::kI8, {1, 4});
  EXPECT_EQ(Describe(Apply(K::kMul, E::kI32, {many, Values(E::kI32, {1}), shifts})), "[0, 500]");
  EXPECT_TRUE(Apply(K::kMul, E::kI32, {many, Values(E::kI32, {1}), Values(E::kI8, {-1, 4})}).IsUndefined());
  EXPECT_TRUE(Apply(K::kMul, E::kI32, {many, Values(E::kI32, {1}), Values(E::kI8, {4, 64})}).IsUndefined());
}

TEST(ImageTest, WhatLiesBetweenMembersIsNoMember) {
  AllowedSet far = Span(E::kF32, 1, 2);
  far.Unite(Span(E::kF32, 5, 6));
  const AllowedSet three = Values(E::kF32, {3});
  EXPECT_EQ(Describe(Apply(K::kEqual, E::kF32, E::kI1, {far, three})), "false");
  EXPECT_FALSE(Apply(K::kAdd, E::kF32, {far, three}).Contains(BitsOf(E::kF32, 7)));
}

// With itself, of a wide set and of one of a few members.
TEST(ImageTest, OfOneValueTwiceIsItsDiagonal) {
  const auto with_itself = [](K op, E type, E result, const AllowedSet& set) {
    const Attributes attributes;
    const Policies policies;
    const ScalarInput in = {
        .op = Info(op), .input_type = type, .result_type = result, .attributes = attributes, .policies = policies};
    std::vector<AllowedSet> operands(in.op.operands.size(), AllowedSet::OfBits(E::kI8, 0));
    operands[0] = operands[1] = set;
    return Describe(ImageOf(in, operands, FirstTwo::kAreOneValue));
  };
  for (const AllowedSet& floats : {Span(E::kF32, 2, 3), Values(E::kF32, {2, 3})}) {
    EXPECT_EQ(with_itself(K::kSub, E::kF32, E::kF32, floats), "[-0, 0]");
    EXPECT_EQ(with_itself(K::kEqual, E::kF32, E::kI1, floats), "true");
    EXPECT_EQ(with_itself(K::kGreater, E::kF32, E::kI1, floats), "false");
    EXPECT_EQ(with_itself(K::kGreaterEqual, E::kF32, E::kI1, floats), "true");
    EXPECT_EQ(with_itself(K::kMaximum, E::kF32, E::kF32, floats), Describe(floats));
  }
  EXPECT_EQ(with_itself(K::kMul, E::kF32, E::kF32, Span(E::kF32, -3, 3)), "[-0, 9]");
  AllowedSet with_nan = Span(E::kF32, 1, kInf);
  with_nan.AddNan();
  EXPECT_EQ(with_itself(K::kEqual, E::kF32, E::kI1, with_nan), "anything") << "a NaN is not equal to itself";
  EXPECT_EQ(with_itself(K::kSub, E::kF32, E::kF32, with_nan), "[-0, 0] or NaN");
  const AllowedSet integers = Span(E::kI32, -40, 50);
  EXPECT_EQ(with_itself(K::kAdd, E::kI32, E::kI32, integers), "[-80, 100] in steps of 2");
  EXPECT_EQ(with_itself(K::kMul, E::kI32, E::kI32, integers), "[0, 2500]");
  EXPECT_EQ(with_itself(K::kIntdiv, E::kI32, E::kI32, integers), "anything") << "0 / 0";
  EXPECT_EQ(with_itself(K::kIntdiv, E::kI32, E::kI32, Span(E::kI32, 1, 500)), "1");
  EXPECT_EQ(with_itself(K::kBitwiseXor, E::kI32, E::kI32, integers), "0");
  EXPECT_EQ(with_itself(K::kBitwiseAnd, E::kI32, E::kI32, integers), "[-40, 50]");
}

TEST(ImageTest, AWideFloatOfANarrowOneHasLowZeros) {
  const AllowedSet wide = Apply(K::kCast, E::kF16, E::kF32, {Span(E::kF16, 3, 4)});
  EXPECT_EQ(Describe(wide), "[3, 4] in steps of 8192 ulp");
  EXPECT_EQ(wide.Count(), 513u);
  EXPECT_EQ(Describe(Apply(K::kNegate, E::kF32, {wide})), "[-4, -3] in steps of 8192 ulp");
  EXPECT_EQ(Describe(Apply(K::kCast, E::kF32, E::kF16, {wide})), "[3, 4]");
  EXPECT_EQ(Describe(Apply(K::kCast, E::kF32, E::kF64, {wide})), "[3, 4] in steps of 4398046511104 ulp");
  EXPECT_EQ(Describe(Apply(K::kCast, E::kBF16, E::kF32, {Span(E::kBF16, -4, -3)})), "[-4, -3] in steps of 65536 ulp");
  EXPECT_EQ(Describe(Apply(K::kCast, E::kF16, E::kBF16, {Span(E::kF16, 3, 4)})), "[3, 4]") << "rounded";
  EXPECT_EQ(Describe(Apply(K::kMaximum, E::kF32, {wide, Values(E::kF32, {3.5})})), "[3.5, 4] in steps of 8192 ulp");
}

TEST(ImageTest, ALargeFloatIsAnIntegerOnAGrid) {
  EXPECT_EQ(Describe(Apply(K::kCast, E::kF16, E::kI32, {Span(E::kF16, 20000, 24000)})),
            "[20000, 24000] in steps of 16");
  EXPECT_EQ(Describe(Apply(K::kCast, E::kF16, E::kI16, {Span(E::kF16, 30000, 40000)})), "[30000, 32767]");
  EXPECT_EQ(Describe(Apply(K::kCast, E::kF16, E::kI32, {Span(E::kF16, 1000, 4000)})), "[1000, 4000]");
}

TEST(ImageTest, AFloatOfAnIntegerAndAnExactProductHaveLowZeros) {
  EXPECT_EQ(Describe(Apply(K::kCast, E::kI32, E::kF32, {Span(E::kI32, 1100, 2000)})),
            "[1100, 2000] in steps of 8192 ulp");
  EXPECT_EQ(Describe(Apply(K::kCast, E::kI32, E::kF32, {Span(E::kI32, -2000, -1100)})),
            "[-2000, -1100] in steps of 8192 ulp");
  EXPECT_EQ(Describe(Apply(K::kCast, E::kI32, E::kF32, {Span(E::kI32, 1024, 2000)})),
            "1023.99994 or [1024, 2000] in steps of 8192 ulp")
      << "half a unit below a power of two";
  EXPECT_EQ(Describe(Apply(K::kCast, E::kI32, E::kF16, {Span(E::kI32, 2100, 4000)})), "[2100, 4000]") << "rounded";
  AllowedSet half = AllowedSet(E::kF32);  // as a cast of f16 to f32 makes it
  half.Unite(Apply(K::kCast, E::kF16, E::kF32, {Span(E::kF16, 1.25, 1.5)}));
  EXPECT_EQ(Describe(Apply(K::kMul, E::kF32, {half, Values(E::kF32, {-5}), AllowedSet::OfBits(E::kI8, 0)})),
            "[-7.5, -6.25] in steps of 1024 ulp");
  EXPECT_EQ(Describe(Apply(K::kMul, E::kF32, {half, Values(E::kF32, {0.1}), AllowedSet::OfBits(E::kI8, 0)})),
            "[0.125, 0.150000006]");
}

// The number below a power of two is allowed of an exact product.
TEST(ImageTest, HasTheExactProductsOfGrids) {
  const Attributes attributes;
  const Policies policies;
  Random random;
  for (E type : {E::kF16, E::kBF16, E::kF8E4M3FN, E::kF8E5M2}) {
    ScalarInput in = {
        .op = Info(K::kMul), .input_type = type, .result_type = type, .attributes = attributes, .policies = policies};
    for (int i = 0; i < 400; ++i) {
      std::vector<AllowedSet> operands = {AllowedSet(type), AllowedSet(type), AllowedSet::OfBits(E::kI8, 0)};
      for (AllowedSet& operand : {std::ref(operands[0]), std::ref(operands[1])}) {
        const int64_t stride = int64_t{1} << random.Below(Info(type).mantissa_bits + 1);
        const int64_t first = random.Below(GreatestOrdinal(type) / stride) * stride, last = first + 9 * stride;
        operand.Add({first, std::min(last, GreatestOrdinal(type) / stride * stride), stride});
      }
      if (random.Below(2) == 0) operands[0] = Apply(K::kNegate, type, {operands[0]});
      const AllowedSet image = ImageOf(in, operands);
      ForEachCombination(in, operands, 0, [&](const ScalarInput& at) {
        for (const BitRange range : AllowedRanges(type, EvaluateScalar(at))) {
          ASSERT_TRUE(image.Contains(range.first) && image.Contains(range.last)) << Explain(at, operands, image);
        }
      });
    }
  }
}

TEST(ImageTest, IntegersKeepTheirGrid) {
  const AllowedSet many = Span(E::kI32, -50, 50), one = Values(E::kI32, {1}), three = Values(E::kI32, {3});
  const AllowedSet even = Apply(K::kLogicalLeftShift, E::kI32, {many, one});
  EXPECT_EQ(Describe(even), "[-100, 100] in steps of 2");
  const AllowedSet triple = Apply(K::kMul, E::kI32, {many, three});
  EXPECT_EQ(Describe(triple), "[-150, 150] in steps of 3");
  EXPECT_EQ(Describe(Apply(K::kAdd, E::kI32, {even, one})), "[-99, 101] in steps of 2");
  EXPECT_EQ(Describe(Apply(K::kSub, E::kI32, {triple, triple})), "[-300, 300] in steps of 3");
  EXPECT_EQ(Describe(Apply(K::kAdd, E::kI32, {even, triple})), "[-250, 250]");
  EXPECT_EQ(Describe(Apply(K::kBitwiseNot, E::kI32, {even})), "[-101, 99] in steps of 2");
  EXPECT_EQ(Describe(Apply(K::kArithmeticRightShift, E::kI32, {even, one})), "[-50, 50]");
  EXPECT_EQ(Describe(Apply(K::kIntdiv, E::kI32, {triple, three})), "[-50, 50]");
  EXPECT_EQ(Describe(Apply(K::kIntdiv, E::kI32, {Apply(K::kMul, E::kI32, {triple, even}), three})),
            "[-5000, 5000] in steps of 2");
  EXPECT_EQ(Describe(Apply(K::kCast, E::kI32, E::kI8, {Apply(K::kMul, E::kI32, {many, Values(E::kI32, {12})})})),
            "[-128, 124] in steps of 4")
      << "of a step, its power of two survives the lost bits";
  EXPECT_EQ(Describe(Apply(K::kBitwiseAnd, E::kI8, {Span(E::kI8, -100, 100), Values(E::kI8, {-8})})),
            "[-128, 120] in steps of 8");
}

// Flushed before the calculation: an infinity instead of a number.
TEST(ImageTest, ASubnormalOperandMayBeZero) {
  const AllowedSet subnormal = Values(E::kF32, {0x1.8p-127});
  const AllowedSet reciprocal = Apply(K::kReciprocal, E::kF32, {subnormal});
  EXPECT_TRUE(reciprocal.Contains(BitsOf(E::kF32, kInf)));
  EXPECT_TRUE(reciprocal.Contains(BitsOf(E::kF32, 1 / 0x1.8p-127)));
  EXPECT_FALSE(reciprocal.Contains(BitsOf(E::kF32, 1)));
  EXPECT_EQ(Apply(K::kEqual, E::kF32, E::kI1, {subnormal, Values(E::kF32, {0})}).Count(), 2u);
  EXPECT_TRUE(Apply(K::kLog, E::kF32, {subnormal}).Contains(BitsOf(E::kF32, -kInf)));
}

TEST(ImageTest, SineReachesItsExtremaWhereTheyAre) {
  const uint64_t above_one = BitsOf(E::kF32, 1.01);
  const AllowedSet across = Apply(K::kSin, E::kF32, {Span(E::kF32, 1.5, 1.7)});
  EXPECT_TRUE(across.Contains(BitsOf(E::kF32, 1)));
  EXPECT_FALSE(across.Contains(above_one));
  EXPECT_FALSE(across.Contains(BitsOf(E::kF32, 0.9)));
  EXPECT_FALSE(Apply(K::kSin, E::kF32, {Span(E::kF32, 0.5, 0.7)}).Contains(BitsOf(E::kF32, 0.8)));
  EXPECT_TRUE(Apply(K::kCos, E::kF32, {Span(E::kF32, 1, 100)}).Contains(BitsOf(E::kF32, -1)));
}

// Where the set is wide the ends still keep their sign: the bound is a share of the result.
TEST(ImageTest, WideSetsKeepTheirSign) {
  EXPECT_FALSE(Apply(K::kExp, E::kF32, {Span(E::kF32, -10, 80)}).Contains(BitsOf(E::kF32, -1e-3)));
  EXPECT_FALSE(Apply(K::kSigmoid, E::kF32, {Span(E::kF32, -20, 20)}).Contains(BitsOf(E::kF32, -1e-3)));
  EXPECT_FALSE(Apply(K::kReciprocal, E::kF32, {Span(E::kF32, 0.001, 1000)}).Contains(BitsOf(E::kF32, 0.0009)));
  EXPECT_FALSE(Apply(K::kMul, E::kF32, {Span(E::kF32, 1, 1e10), Span(E::kF32, 2, 1e10)}).Contains(BitsOf(E::kF32, 1)));
}

}  // namespace
}  // namespace tosaic
