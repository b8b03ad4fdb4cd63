// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle against dumb_scalar_ops: for every op, tuple of element types, attributes and version of the
// specification, the two allow and refuse the same results, and leave the same inputs undefined. Asked are all inputs
// of 8 bits, all pairs of them, all unary inputs of 16 bits, elsewhere boundaries and a fixed random sample; of the
// results, whatever lies at or beside an end of what is allowed. So an oracle that is too lax is seen as well as one
// that is wrong.
#include "tests/dumb_scalar_ops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "model/op_catalogue.h"
#include "model/tensor.h"
#include "oracle/compare.h"
#include "oracle/flushing.h"
#include "oracle/scalar_ops.h"

namespace tosaic {
namespace {

using dumb::Answer;
using dumb::Fit;
using dumb::Release;
using E = ElementType;
using Operands = std::array<uint64_t, 5>;
static_assert(std::is_same_v<Operands, ElementBits>);

constexpr int kRandomUnary = 16000;   // per tuple of 32 bits and set of attributes
constexpr int kRandomBinary = 12000;  // per tuple of 16 or 32 bits and set of attributes
constexpr int kRandomRescale = 8000;  // per tuple and set of attributes
constexpr int kRandomTable = 100000;
constexpr int kThinned = 16;          // one of so many samples is also asked of a version that has no rule of its own
constexpr size_t kFewInputs = 2000;   // so many are asked of element types beyond the specification at least ...
constexpr size_t kThinnedBeyond = 8;  // ... and of more one of so many
constexpr int kShownFailures = 5;     // per op

// The n-th number of a fixed sequence (splitmix64).
uint64_t RandomAt(uint64_t n) {
  uint64_t z = (n + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// --- Inputs ---

// Half of the floats are of moderate size: functions are busiest there.
uint64_t RandomElement(E type, uint64_t n) {
  const uint64_t random = RandomAt(n), bits = random & BitMask(type);
  if (IsInteger(type) || random >> 63 == 0) return bits;
  const int exponent = static_cast<int>(random >> 56 & 15) - 8;
  const auto fraction = std::ldexp(static_cast<long double>(bits), -BitWidth(type));
  return dumb::Nearest(type, std::ldexp(1 + fraction, exponent)) | (random >> 61 & 1 ? dumb::FormatOf(type).sign() : 0);
}

std::vector<uint64_t> AllElements(E type) {
  std::vector<uint64_t> elements;
  for (uint64_t bits = 0; bits <= BitMask(type); ++bits) elements.push_back(bits);
  return elements;
}

void SortAndUnite(std::vector<uint64_t>& elements) {
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
}

// Both ends of the type and zero, and what matters between; for a binary op every pair of them is asked.
std::vector<uint64_t> Specials(E type) {
  if (BitWidth(type) <= 4) return AllElements(type);
  std::vector<uint64_t> elements;
  auto around = [&](uint64_t bits) {
    for (uint64_t near : {bits - 1, bits, bits + 1}) elements.push_back(near & BitMask(type));
  };
  if (IsInteger(type)) {
    const int width = BitWidth(type);
    for (int i : {0, 3, width / 2 - 1, width / 2, width - 2, width - 1}) around(uint64_t{1} << i);
    for (int i : {3, width / 2}) around(~(uint64_t{1} << i));
    for (int amount : {width - 1, width, -1, 7, 100}) elements.push_back(static_cast<uint64_t>(amount) & BitMask(type));
  } else {
    const dumb::Format& format = dumb::FormatOf(type);
    around(0);
    around(uint64_t{1} << format.fraction_bits);  // the least normal number
    around(format.greatest);
    elements.push_back(format.sign() - 1);  // NaN
    for (double x : {1.0, 2.0, 3.0, 448.0}) around(dumb::Nearest(type, x));
    for (double x : {0.1, 0.25, 0.5, 1.5, 2.5, 6.25, 11.0, 88.75, 127.5, 480.0, 500.0, 65520.0})
      elements.push_back(dumb::Nearest(type, x));
    for (size_t i = 0, count = elements.size(); i < count; ++i) elements.push_back(elements[i] ^ format.sign());
    for (uint64_t& bits : elements) bits &= BitMask(type);
  }
  SortAndUnite(elements);
  return elements;
}

// A denser set for ops with one input of 32 bits: also every power of two, its neighbours and its middle.
std::vector<uint64_t> UnaryElements(E type) {
  if (BitWidth(type) <= 16) return AllElements(type);
  std::vector<uint64_t> elements = Specials(type);
  auto around = [&](uint64_t bits) {
    for (uint64_t near : {bits - 1, bits, bits + 1, ~bits, -bits}) elements.push_back(near & BitMask(type));
  };
  if (IsInteger(type)) {
    for (int i = 0; i < BitWidth(type); ++i) {
      around(uint64_t{1} << i);
      around(uint64_t{3} << i);
    }
  } else {
    const dumb::Format& format = dumb::FormatOf(type);
    const uint64_t one = uint64_t{1} << format.fraction_bits;
    for (uint64_t i = 0; i < uint64_t{1} << format.exponent_bits; ++i) {
      for (uint64_t bits : {i * one, i * one + one / 2}) {
        around(bits);
        around(bits | format.sign());
      }
    }
    // Where a cast to a narrower float or an integer rounds: midway, and a bit beside it.
    for (E narrow : {E::kF16, E::kBF16, E::kF8E4M3FN, E::kF8E5M2}) {
      const dumb::Format& to = dumb::FormatOf(narrow);
      for (uint64_t n = 0; n < 256; ++n) {
        const uint64_t below = BitWidth(narrow) == 8 ? n % to.greatest : RandomAt(n) % to.greatest;
        const long double sum = dumb::Decode(narrow, below) + dumb::Decode(narrow, below + 1);
        around(dumb::Nearest(type, sum / 2));
        around(dumb::Nearest(type, sum / 2) | format.sign());
      }
    }
    for (int n = -40; n < 40; ++n) around(dumb::Nearest(type, n + 0.5));
  }
  SortAndUnite(elements);
  for (int i = 0; i < kRandomUnary; ++i) elements.push_back(RandomElement(type, i));
  return elements;
}

// Pairs of elements: all of 8 bits, else all of the specials and a random sample.
std::vector<Operands> Pairs(E type) {
  std::vector<Operands> pairs;
  const std::vector<uint64_t> elements = BitWidth(type) <= 8 ? AllElements(type) : Specials(type);
  for (uint64_t x : elements) {
    for (uint64_t y : elements) pairs.push_back({x, y, 0});
  }
  if (BitWidth(type) <= 8) return pairs;
  for (uint64_t n = 0; n < kRandomBinary; ++n) {
    const uint64_t x = RandomElement(type, 3 * n), random = RandomAt(3 * n + 2);
    uint64_t y = RandomElement(type, 3 * n + 1);
    if (n % 4 == 1) y = (x ^ (random & 0xff)) & BitMask(type);                                       // close by
    if (n % 4 == 2) y = (x ^ (random & 3) ^ (uint64_t{1} << (BitWidth(type) - 1))) & BitMask(type);  // or opposite
    if (n % 4 == 3 && IsInteger(type)) y = random % BitWidth(type);  // or a shift amount
    pairs.push_back({x, y, 0});
  }
  return pairs;
}

template <typename T>
T OneOf(const std::vector<T>& choices, uint64_t random) {
  return choices[random % choices.size()];
}

std::vector<Operands> TableInputs(E type) {
  std::vector<Operands> inputs;
  const std::vector<uint64_t> entries = Specials(type);
  for (uint64_t n = 0; n < kRandomTable; ++n) {
    const uint64_t random = RandomAt(2 * n), other = RandomAt(2 * n + 1);
    const uint64_t entry = random >> 32 & 1 ? OneOf(entries, random >> 33) : random >> 33 & BitMask(type);
    uint64_t next = other >> 32 & 1 ? OneOf(entries, other >> 33) : other >> 33 & BitMask(type);
    if (other % 4 == 1) next = (entry + (uint64_t{1} << 15) + (other >> 2) % 3 - 1) & BitMask(type);  // a step's limit
    inputs.push_back({random & BitMask(type), entry, next});
  }
  return inputs;
}

// Zero points that are always allowed and others.
std::vector<uint64_t> ZeroPoints(E type) {
  std::vector<uint64_t> points(10, 0);
  for (uint64_t bits : {uint64_t{1}, BitMask(type), BitMask(type) / 2, BitMask(type) / 2 + 1, BitMask(type) / 2 + 1})
    points.push_back(bits);
  if (BitWidth(type) == 8) points.insert(points.end(), {3, 100, 126, 130, 200, 254});
  return points;
}

// A value, not of a type yet, whose product with the multiplier comes close to where the result becomes `target`, or
// to where it does after rounding twice.
__int128 ValueNear(int64_t target, uint64_t multiplier, int shift, uint64_t random) {
  __int128 product = static_cast<__int128>(target) << shift;
  if (random & 1) product -= __int128{1} << (shift - 1);
  if (random & 2) product += random & 4 ? int64_t{1} << 30 : -(int64_t{1} << 30);
  return product / static_cast<__int128>(multiplier) + static_cast<int64_t>((random >> 3) % 3) - 1;
}

// Multipliers and shifts inside, at and beyond their limits, with any values, those at the limit that the shift sets
// them, and those whose results lie at a limit or where they are rounded.
std::vector<Operands> RescaleInputs(const TypeTuple& tuple, const Attributes& attributes) {
  const E multiplier_type = attributes.scale32.value_or(false) ? E::kI32 : E::kI16;
  const uint64_t greatest = BitMask(multiplier_type) / 2, width = BitWidth(tuple.result);
  const std::vector<uint64_t> multipliers = {
      0, 1, 2, 3, greatest - 1, greatest, greatest / 2 + 1, greatest + 1, BitMask(multiplier_type)};
  const std::vector<uint64_t> shifts = {0xff, 0, 1, 2, 3, 14, 30, 31, 32, 33, 47, 61, 62, 63, 64, 127, 128};
  const std::vector<uint64_t> values = Specials(tuple.input), in_points = ZeroPoints(tuple.input),
                              out_points = ZeroPoints(tuple.result);
  const int64_t half = int64_t{1} << (width - 1);
  const int64_t i32 = int64_t{1} << 31;
  const std::vector<int64_t> targets = {0,        1,       -1,        2,        half - 1,     half,
                                        half + 1, -half,   -half - 1, 2 * half, 2 * half - 1, i32 - 1,
                                        i32,      i32 + 1, -i32,      -i32 - 1};
  std::vector<Operands> inputs;
  for (uint64_t n = 0; n < kRandomRescale; ++n) {
    const uint64_t random = RandomAt(4 * n), kind = random % 4;
    const uint64_t in_point = OneOf(in_points, random >> 8), out_point = OneOf(out_points, random >> 24);
    uint64_t multiplier = RandomAt(4 * n + 1) & greatest >> (random >> 40) % 4, shift = 2 + (random >> 48) % 61;
    if (random >> 42 & 1) multiplier = OneOf(multipliers, random >> 43);
    if ((random >> 54) % 4 == 0) shift = OneOf(shifts, random >> 56);
    const uint64_t any = RandomAt(4 * n + 2);
    uint64_t value = any & BitMask(tuple.input);
    const bool suits = 0 < multiplier && multiplier <= greatest && 2 <= shift && shift <= 62;
    if (kind == 1) value = OneOf(values, any);
    if (kind == 2) value = in_point + (any & 1 ? 1 : -1) * (uint64_t{1} << (shift - 1) % 48) + (any >> 1) % 3 - 1;
    if (kind == 3 && suits) {
      const int64_t target = OneOf(targets, any) - static_cast<int64_t>(dumb::Decode(tuple.result, out_point));
      value = static_cast<uint64_t>(ValueNear(target, multiplier, static_cast<int>(shift), any >> 32)) + in_point;
    }
    inputs.push_back({value & BitMask(tuple.input), multiplier, shift, in_point, out_point});
  }
  if (tuple.input != E::kI32 || multiplier_type != E::kI32) return inputs;
  // An end of INEXACT_ROUND's range is another integer here if it is computed in long doubles.
  for (const auto& [value, multiplier] : std::initializer_list<std::array<uint64_t, 2>>{
           {0xad7efb1f, 0x734f1100}, {0xb4b2a4e2, 0x7c4e6cd9}, {0x661ed244, 0x4d8652aa}, {0x521d05a2, 0x4a9970a0}})
    inputs.push_back({value, multiplier, 32});
  return inputs;
}

// Operand patterns for a row's roles.
std::vector<Operands> Inputs(const OpInfo& op, const TypeTuple& tuple, const Attributes& attributes) {
  const E type = tuple.input;
  if (HasRole(op, OperandRole::kTable)) return TableInputs(type);
  if (HasRole(op, OperandRole::kMultiplier)) return RescaleInputs(tuple, attributes);
  std::vector<Operands> inputs;
  size_t of_input = 0;
  for (OperandRole role : op.operands) of_input += role == OperandRole::kInput;
  if (of_input == 1) {
    for (uint64_t x : UnaryElements(type)) inputs.push_back({x, 0, 0});
  } else {
    inputs = Pairs(type);
  }
  if (op.operands[0] == OperandRole::kCondition) {
    std::vector<Operands> with_condition;
    for (const Operands& pair : inputs) {
      for (uint64_t condition : {0, 1}) with_condition.push_back({condition, pair[0], pair[1]});
    }
    return with_condition;
  }
  const OperandRole last = op.operands[op.operands.size() - 1];
  const size_t count = inputs.size();
  if (last == OperandRole::kShift) {
    // Shift 0 everywhere; others, in and out of range, beside it.
    for (size_t i = 0; i < count; ++i) {
      for (uint64_t shift : {RandomAt(2 * i) % 64, (RandomAt(2 * i + 1) % 68 - 2) & 0xff}) {
        if (type == E::kI32 || i % 64 == 0) inputs.push_back({inputs[i][0], inputs[i][1], shift});
      }
    }
    for (uint64_t shift : {64, 127, 128, 255}) inputs.push_back({1, 1, shift});
    for (uint64_t shift = 0; shift < 64 && type == E::kI32; ++shift) {
      for (uint64_t x : Specials(type)) {
        inputs.push_back({x, x, shift});
        inputs.push_back({x, uint64_t{1} << 31, shift});
      }
    }
  }
  if (last == OperandRole::kZeroPoint && type == E::kI8) {  // others have none
    for (size_t i = 0; i < count; ++i) {
      for (uint64_t n = 0; n < 256; ++n) {
        const uint64_t random = RandomAt(256 * i + n);
        inputs.push_back({inputs[i][0], random & 0xff, random >> 8 & 0xff});
      }
    }
  }
  return inputs;
}

std::vector<Attributes> AttributeSets(const OpInfo& op, E type) {
  std::vector<Attributes> sets = {{}};
  // Replaces each set by its variants.
  auto vary = [&](auto variants, auto set_variant) {
    std::vector<Attributes> varied;
    for (const Attributes& attributes : sets) {
      for (const auto& variant : variants) set_variant(varied.emplace_back(attributes), variant);
    }
    sets = varied;
  };
  if (HasAttribute(op, Attribute::kMinVal)) {
    std::vector<std::array<uint64_t, 2>> bounds;
    if (IsInteger(type)) {
      const uint64_t mask = BitMask(type), top = mask / 2;
      const bool has_sign = dumb::Decode(type, mask) < 0;
      if (has_sign) bounds = {{top + 1, top}, {0, top}, {mask - 4, 6}, {7, 7}, {top + 1, top + 1}};
      if (!has_sign) bounds = {{0, mask}, {0, top}, {top, top + 1}, {mask, mask}};
    } else {
      const dumb::Format& format = dumb::FormatOf(type);
      const uint64_t infinity = format.greatest + (format.has_infinity ? 1 : 0), sign = format.sign();
      bounds = {{infinity | sign, infinity},
                {0, dumb::Nearest(type, 6)},
                {dumb::Nearest(type, -1.5), sign | 3},  // up to a subnormal
                {sign, 0}};
    }
    vary(bounds, [&](Attributes& attributes, const std::array<uint64_t, 2>& bound) {
      attributes.min_val = {.type = type, .bits = bound[0]};
      attributes.max_val = {.type = type, .bits = bound[1]};
    });
  }
  if (HasAttribute(op, Attribute::kNanMode) && IsFloat(type)) {
    vary(std::vector<NanMode>{NanMode::kPropagate, NanMode::kIgnore},
         [](Attributes& attributes, NanMode mode) { attributes.nan_mode = mode; });
    sets.push_back(sets[0]);
    sets.back().nan_mode.reset();  // means PROPAGATE
  }
  const auto vary_bool = [&](Attribute attribute, std::optional<bool> Attributes::* member) {
    if (!HasAttribute(op, attribute)) return;
    vary(std::vector<bool>{false, true}, [&](Attributes& attributes, bool value) { attributes.*member = value; });
  };
  vary_bool(Attribute::kRound, &Attributes::round);
  vary_bool(Attribute::kScale32, &Attributes::scale32);
  vary_bool(Attribute::kPerChannel, &Attributes::per_channel);
  vary_bool(Attribute::kInputUnsigned, &Attributes::input_unsigned);
  vary_bool(Attribute::kOutputUnsigned, &Attributes::output_unsigned);
  if (HasAttribute(op, Attribute::kRoundingMode)) {
    vary(std::vector<RoundingMode>{RoundingMode::kSingleRound, RoundingMode::kInexactRound, RoundingMode::kDoubleRound},
         [](Attributes& attributes, RoundingMode mode) { attributes.rounding_mode = mode; });
  }
  return sets;
}

// --- Results to ask about ---

struct Candidates {
  std::array<uint64_t, 40> bits;
  size_t count = 0;
  void Add(uint64_t pattern) { bits[count++] = pattern; }
};

// A pattern, and those beside it in the order of their values.
void AddAround(Candidates& candidates, E type, uint64_t bits) {
  for (uint64_t near : {bits - 1, bits, bits + 1}) candidates.Add(near & BitMask(type));
}

Candidates ResultsToAsk(const Answer& answer, E type) {
  Candidates candidates;
  if (IsInteger(type)) {
    if (type == E::kI1) candidates.Add(0xa5);  // as it may lie in memory
    if (answer.kind == Answer::Kind::kIntegers) {
      AddAround(candidates, type, answer.first);
      AddAround(candidates, type, answer.last);
      const uint64_t size = (answer.last - answer.first) & BitMask(type);
      candidates.Add((answer.first + size / 2) & BitMask(type));
      candidates.Add((answer.last + (BitMask(type) - size) / 2) & BitMask(type));
    }
    for (int i = 0; i < answer.listed_count; ++i) {
      AddAround(candidates, type, answer.listed[i]);
      candidates.Add(answer.listed[i] ^ (uint64_t{1} << (BitWidth(type) - 1)));
    }
    return candidates;
  }
  const dumb::Format& format = dumb::FormatOf(type);
  for (uint64_t bits : {uint64_t{0}, uint64_t{1}, format.greatest, format.greatest + 1}) {
    candidates.Add(bits);
    candidates.Add(bits | format.sign());
  }
  candidates.Add(format.sign() - 1);  // NaN
  candidates.Add(answer.listed[0] ^ format.sign());
  for (int i = 0; i < answer.listed_count; ++i) AddAround(candidates, type, answer.listed[i]);
  if (answer.kind == Answer::Kind::kWithin) {
    candidates.Add(dumb::Nearest(type, answer.reference));
    AddAround(candidates, type, dumb::Nearest(type, answer.reference - answer.bound));
    AddAround(candidates, type, dumb::Nearest(type, answer.reference + answer.bound));
  }
  return candidates;
}

// --- The comparison ---

struct Counts {
  uint64_t undefined = 0;  // inputs
  uint64_t asked = 0;      // results
  uint64_t allowed = 0;
  uint64_t refused = 0;
  uint64_t flushed = 0;  // inputs with subnormals
  uint64_t failures = 0;
};

class DumbScalarOps : public testing::TestWithParam<OpKind> {
 protected:
  // REQUIRES: function_.
  void CompareFlushed(const TypeTuple& tuple, const Attributes& attributes, const Operands& operands);
  void CompareOne(const TypeTuple& tuple, const Attributes& attributes, const Operands& operands, Release release);

  dumb::Function function_ = nullptr;
  Counts counts_;

 private:
  void Fail(const std::string& dumb_opinion, const ScalarInput& in, const Expected& expected);
};

void DumbScalarOps::Fail(const std::string& dumb_opinion, const ScalarInput& in, const Expected& expected) {
  if (counts_.failures++ >= kShownFailures) return;
  std::vector<std::string> operands;
  for (size_t i = 0; i < in.ReadCount(); ++i) {
    operands.push_back(absl::StrCat(ElementToString(in.OperandType(i), in.bits[i]), " (",
                                    BitsToString(in.OperandType(i), in.bits[i]), ")"));
  }
  ADD_FAILURE() << in.op.name << " " << Name(in.input_type) << " -> " << Name(in.result_type) << ", "
                << Name(in.policies.spec_version) << (in.mode == Mode::kEnclose ? ", enclosed" : "") << ", of "
                << absl::StrJoin(operands, ", ") << ": the dumb function says " << dumb_opinion
                << "; the oracle expects " << DescribeExpected(in.result_type, expected) << " ["
                << Name(RuleOf(in.op, expected)) << "]";
}

Policies PoliciesOf(Release release) {
  switch (release) {
    case Release::k1_0_0:
      return {.spec_version = SpecVersion::k1_0_0};
    case Release::k1_0_2:
      break;
    case Release::k1_1:
      return {.spec_version = SpecVersion::k1_1};
  }
  return {.spec_version = SpecVersion::k1_0_2};
}

void DumbScalarOps::CompareOne(const TypeTuple& tuple, const Attributes& attributes, const Operands& operands,
                               Release release) {
  const Answer answer = function_({tuple.input, tuple.result, attributes, release, operands});
  const Policies policies = PoliciesOf(release);
  ScalarInput in = {.op = Info(GetParam()),
                    .input_type = tuple.input,
                    .result_type = tuple.result,
                    .attributes = attributes,
                    .policies = policies,
                    .bits = operands};
  const Expected expected = EvaluateScalar(in);
  ScalarInput enclosing = in;
  enclosing.mode = Mode::kEnclose;
  const Expected enclosed = EvaluateScalar(enclosing);

  const bool undefined = answer.kind == Answer::Kind::kUndefined;
  counts_.undefined += undefined;
  const std::string opinion = undefined ? "undefined" : "defined";
  if (undefined != (expected.kind == Expected::Kind::kUndefined)) return Fail(opinion, in, expected);
  if (undefined != (enclosed.kind == Expected::Kind::kUndefined)) return Fail(opinion, enclosing, enclosed);
  if (undefined) return;

  const E type = tuple.result;
  const Candidates candidates = ResultsToAsk(answer, type);
  for (size_t i = 0; i < candidates.count; ++i) {
    const uint64_t bits = candidates.bits[i];
    const Fit fit = dumb::Judge(answer, type, bits);
    ++counts_.asked;
    if (fit == Fit::kUnsure) continue;
    const bool allowed = fit == Fit::kAllowed;
    ++(allowed ? counts_.allowed : counts_.refused);
    auto opinion = [&] {
      return absl::StrCat(allowed ? "yes to " : "no to ", ElementToString(type, bits), " (", BitsToString(type, bits),
                          ")");
    };
    if (Matches(expected, type, bits) != allowed) Fail(opinion(), in, expected);
    // The enclosure accepts a subset, and leaves the rest to the decision.
    if (Matches(enclosed, type, bits) && !allowed) Fail(opinion(), enclosing, enclosed);
  }
}

// Operands that are subnormal may each be flushed or not, as far as one element tells.
void DumbScalarOps::CompareFlushed(const TypeTuple& tuple, const Attributes& attributes, const Operands& operands) {
  const Policies policies;
  const ScalarInput in = {.op = Info(GetParam()),
                          .input_type = tuple.input,
                          .result_type = tuple.result,
                          .attributes = attributes,
                          .policies = policies,
                          .bits = operands};
  std::vector<Operands> all = {operands};
  for (size_t k = 0; k < in.op.operands.size(); ++k) {
    const E type = in.OperandType(k);
    if (type != E::kF16 && type != E::kBF16 && type != E::kF32) continue;  // that the specification has
    const long double magnitude = std::fabs(dumb::Decode(type, operands[k]));
    if (!(magnitude > 0 && magnitude < dumb::FormatOf(type).normal_min)) continue;
    for (size_t i = 0, count = all.size(); i < count; ++i) {
      all.push_back(all[i]);
      all.back()[k] = dumb::Nearest(type, dumb::Decode(type, operands[k]) < 0 ? -0.0L : 0.0L);
    }
  }
  if (all.size() == 1) return;
  ++counts_.flushed;
  std::vector<Answer> answers;
  for (const Operands& operands : all)
    answers.push_back(function_({tuple.input, tuple.result, attributes, Release::k1_0_2, operands}));
  const auto allows = [&](uint64_t bits) {
    Fit fit = Fit::kRefused;
    for (const Answer& answer : answers) {
      const bool open = answer.kind == Answer::Kind::kUndefined;
      fit = std::max(fit, open ? Fit::kAllowed : dumb::Judge(answer, tuple.result, bits));
    }
    return fit;
  };
  for (const Answer& answer : answers) {
    if (answer.kind == Answer::Kind::kUndefined) continue;
    const Candidates candidates = ResultsToAsk(answer, tuple.result);
    for (size_t i = 0; i < candidates.count; ++i) {
      const Fit fit = allows(candidates.bits[i]);
      if (fit == Fit::kUnsure) continue;
      const ScalarFunction function = FindScalarFunction(in.op, tuple.input, tuple.result, policies.spec_version);
      const bool allowed = CheckElement(in, function, candidates.bits[i]).allowed;
      if (allowed == (fit == Fit::kAllowed)) continue;
      Fail(absl::StrCat(allowed ? "no to " : "yes to ", BitsToString(tuple.result, candidates.bits[i]), ", flushing"),
           in, EvaluateScalar(in));
    }
  }
}

// All element types on which the op has values.
std::vector<TypeTuple> TuplesWithValues(const OpInfo& op) {
  std::vector<TypeTuple> tuples;
  for (const ElementTypeInfo& input : AllElementTypes()) {
    for (const ElementTypeInfo& result : AllElementTypes()) {
      if (HasValues(op, input.type, result.type)) tuples.push_back({input.type, result.type, Profile::kProIntOrFp});
    }
  }
  return tuples;
}

TEST_P(DumbScalarOps, AllowAndRefuseWhatTheOracleDoes) {
  const OpInfo& op = Info(GetParam());
  function_ = dumb::FindFunction(op.name);
  ASSERT_NE(function_, nullptr) << "no dumb function for " << op.name;
  for (const TypeTuple& tuple : TuplesWithValues(op)) {
    const bool is_beyond = FindSpecTuple(op, tuple.input, tuple.result) == nullptr;
    for (const Attributes& attributes : AttributeSets(op, tuple.input)) {
      const std::vector<Operands> inputs = Inputs(op, tuple, attributes);
      const size_t step = is_beyond && inputs.size() > kFewInputs ? kThinnedBeyond : 1;
      for (size_t i = 0; i < inputs.size(); i += step) {
        CompareOne(tuple, attributes, inputs[i], Release::k1_0_2);
        CompareFlushed(tuple, attributes, inputs[i]);
        if (op.has_accuracy_1_0_0 || i % kThinned == 0) CompareOne(tuple, attributes, inputs[i], Release::k1_0_0);
        if (op.has_bf16_accuracy_1_1 || i % kThinned == 0) CompareOne(tuple, attributes, inputs[i], Release::k1_1);
      }
    }
  }
  EXPECT_EQ(counts_.failures, 0);
  const bool takes_floats =
      absl::c_any_of(op.spec_types, [](const TypeTuple& tuple) { return tuple.input == E::kF32; });
  EXPECT_EQ(counts_.flushed > 0, takes_floats);
  EXPECT_GT(counts_.allowed, 0);
  EXPECT_GT(counts_.refused, 0);
  EXPECT_EQ(counts_.undefined > 0, op.unpredictable != Unpredictable::kNever);
  // Unsure are only floats that an end of what is allowed comes as close to as a long double can tell: where functions
  // have all but reached a limit (tanh of 30) or all but left a value (exp of 2^-100). The floats beside are asked too.
  EXPECT_LT((counts_.asked - counts_.allowed - counts_.refused) * 10, counts_.asked);
}

std::vector<OpKind> AllKinds() {
  std::vector<OpKind> kinds;
  for (const OpInfo& op : AllOps()) kinds.push_back(op.kind);
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(AllOps, DumbScalarOps, testing::ValuesIn(AllKinds()),
                         [](const auto& info) { return std::string(Name(info.param)); });

// pow is 1.0.2's own: a result that its rule allows (the model's error is 0.1 y 5.5 units) and that of 1.0.0 refuses.
TEST(DumbScalarOpsVersions, PowHasARuleInEach) {
  const E type = E::kF32;
  const Attributes none;
  const long double y = 1000;
  const Operands operands = {dumb::Nearest(type, 1.0001L), dumb::Nearest(type, y), 0};
  const uint64_t off_by_100_units = dumb::Nearest(type, std::pow(dumb::Decode(type, operands[0]), y)) + 100;
  for (Release release : {Release::k1_0_0, Release::k1_0_2}) {
    const Policies policies = PoliciesOf(release);
    const Expected expected = EvaluateScalar({.op = Info(OpKind::kPow),
                                              .input_type = type,
                                              .result_type = type,
                                              .attributes = none,
                                              .policies = policies,
                                              .bits = operands});
    const Answer answer = dumb::FindFunction("pow")({type, type, none, release, operands});
    const bool allowed = release == Release::k1_0_2;
    EXPECT_EQ(Matches(expected, type, off_by_100_units), allowed);
    EXPECT_EQ(dumb::Judge(answer, type, off_by_100_units), allowed ? Fit::kAllowed : Fit::kRefused);
  }
}

}  // namespace
}  // namespace tosaic
