// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/repair.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "generators/element_bits.h"

namespace tosaic {
namespace {

using Wide = __int128;

// An integer operand under repair.
class Integers {
 public:
  explicit Integers(Tensor& tensor) : tensor_(tensor) {}
  Wide Get(size_t i) const { return IntegerValue(type(), tensor_.Bits(i)); }
  void Set(size_t i, Wide value) { tensor_.SetBits(i, EncodeInteger(type(), static_cast<int64_t>(value))); }
  Wide Min() const { return IntegerValue(type(), LowestBits(type())); }
  Wide Max() const {
    // u64 does not exist among the element types: every value fits int64_t.
    return IntegerValue(type(), HighestBits(type()));
  }
  size_t size() const { return tensor_.element_count(); }
  ElementType type() const { return tensor_.element_type(); }

 private:
  Tensor& tensor_;
};

Wide Abs(Wide value) { return value < 0 ? -value : value; }

// Calls `mend(i, j)` for each pair of elements of two operands that meet in the result.
template <typename Mend>
void ForEachPair(const Tensor& a, const Tensor& b, Mend mend) {
  if (a.sizes() == b.sizes()) {
    for (size_t i = 0; i < a.element_count(); ++i) mend(i, i);
    return;
  }
  std::vector<int64_t> sizes = a.sizes();
  for (size_t d = 0; d < sizes.size(); ++d) sizes[d] = std::max(sizes[d], b.sizes()[d]);
  const auto count = static_cast<size_t>(ElementCount(sizes));
  for (size_t i = 0; i < count; ++i) mend(BroadcastIndex(i, sizes, a.sizes()), BroadcastIndex(i, sizes, b.sizes()));
}

// |INT_MIN|, and negate's 0 - INT_MIN: the neighbour is defined.
void RepairMin(Tensor& tensor) {
  if (!HasSignedValues(tensor.element_type())) return;
  Integers x(tensor);
  for (size_t i = 0; i < x.size(); ++i) {
    if (x.Get(i) == x.Min()) x.Set(i, x.Min() + 1);
  }
}

void RepairNegate(Tensor& tensor) {
  // Narrower types saturate.
  if (BitWidth(tensor.element_type()) >= 32) RepairMin(tensor);
}

// Where a sum or a difference leaves the type, one operand is moved just inside. Each move goes toward a value that
// suits every partner (0, or -1 for a minuend), so that pairs mended before stay so.
void RepairOverflow(const RepairOperand& first, const RepairOperand& second, bool is_difference) {
  if (!HasSignedValues(first.tensor->element_type())) return;
  Integers a(*first.tensor), b(*second.tensor);
  ForEachPair(*first.tensor, *second.tensor, [&](size_t i, size_t j) {
    const Wide x = a.Get(i), y = b.Get(j);
    const Wide result = is_difference ? x - y : x + y;
    if (result >= a.Min() && result <= a.Max()) return;
    const bool change_second = first.fixed || (!second.fixed && Abs(x) >= Abs(y));
    const Wide excess = result - std::clamp(result, a.Min(), a.Max());
    if (change_second) {
      b.Set(j, is_difference ? y + excess : y - excess);
    } else {
      a.Set(i, x - excess);
    }
  });
}

void RepairDivision(const RepairOperand& dividend, const RepairOperand& divisor) {
  Integers a(*dividend.tensor), b(*divisor.tensor);
  const bool has_sign = HasSignedValues(b.type());
  for (size_t j = 0; j < b.size(); ++j) {
    if (b.Get(j) == 0) b.Set(j, 1 + static_cast<Wide>(j % 3));  // what may be a shift amount stays one
  }
  if (!has_sign) return;
  ForEachPair(*dividend.tensor, *divisor.tensor, [&](size_t i, size_t j) {
    if (b.Get(j) != -1 || a.Get(i) != a.Min()) return;
    if (dividend.fixed) {
      b.Set(j, 1);
    } else {
      a.Set(i, a.Min() + 1);
    }
  });
}

void RepairShiftAmount(Tensor& amounts) {
  const ElementType type = amounts.element_type();
  const uint64_t width = BitWidth(type);
  for (size_t i = 0; i < amounts.element_count(); ++i) {
    // Limits stay limits: type minimum -> 0, -1 and type maximum -> width - 1.
    if (amounts.Bits(i) >= width) amounts.SetBits(i, amounts.Bits(i) % width);
  }
}

// Shrinks factors until a * b + 2^(s-1) fits 64 bits and, shifted right by s, the result. A smaller factor never harms
// another product.
void RepairShiftedProduct(const RepairOperand& first, const RepairOperand& second, int shift, ElementType result) {
  Integers a(*first.tensor), b(*second.tensor);
  const int width = BitWidth(result);
  const Wide half = Wide{1} << (shift - 1);
  const Wide end = std::min(Wide{1} << (width - 1 + shift), Wide{1} << 63);
  // a * b in -end - half .. end - 1 - half; the lower end is no limit where end is 2^63.
  ForEachPair(*first.tensor, *second.tensor, [&](size_t i, size_t j) {
    const Wide x = a.Get(i), y = b.Get(j), product = x * y;
    const Wide limit = product < 0 ? end + half : end - 1 - half;
    if (Abs(product) <= limit) return;
    const bool change_second = first.fixed || (!second.fixed && Abs(x) >= Abs(y));
    if (change_second) {
      const Wide magnitude = limit / Abs(x);
      b.Set(j, y < 0 ? -magnitude : magnitude);
    } else {
      const Wide magnitude = limit / Abs(y);
      a.Set(i, x < 0 ? -magnitude : magnitude);
    }
  });
}

void RepairMul(const RepairOperand& first, const RepairOperand& second, Tensor& shift, ElementType result) {
  const ElementType type = first.tensor->element_type();
  const int64_t amount = IntegerValue(ElementType::kI8, shift.Bits(0));
  const bool may_shift = type == ElementType::kI32;
  if (amount < 0 || amount > 63 || (amount != 0 && !may_shift)) {
    shift.SetBits(0, 0);
  } else if (amount > 0) {
    RepairShiftedProduct(first, second, static_cast<int>(amount), result);
  }
}

// NaN and infinity -> a finite value.
void RepairFinite(Tensor& tensor) {
  const ElementType type = tensor.element_type();
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    const uint64_t bits = tensor.Bits(i);
    if (IsNan(type, bits) || IsInfinite(type, bits)) tensor.SetBits(i, MadeFinite(type, bits));
  }
}

void RepairPow(const RepairOperand& base, const RepairOperand& exponent) {
  Tensor &x = *base.tensor, &y = *exponent.tensor;
  const ElementType type = x.element_type();
  const uint64_t sign = SignMask(type), one = EncodeFloat(type, 1);
  RepairFinite(x);
  RepairFinite(y);
  for (size_t i = 0; i < x.element_count(); ++i) {
    // A negative zero may stay.
    if (x.Bits(i) != sign) x.SetBits(i, x.Bits(i) & ~sign);
  }
  ForEachPair(x, y, [&](size_t i, size_t j) {
    const bool base_is_zero = (x.Bits(i) & ~sign) == 0;
    const bool exponent_is_zero = (y.Bits(j) & ~sign) == 0;
    const bool exponent_is_negative = (y.Bits(j) & sign) != 0;
    if (!base_is_zero || (!exponent_is_zero && !exponent_is_negative)) return;
    if (exponent.fixed || (exponent_is_zero && !base.fixed)) {
      x.SetBits(i, one);
    } else {
      y.SetBits(j, exponent_is_zero ? one : y.Bits(j) & ~sign);
    }
  });
}

void RepairNan(Tensor& tensor) {
  const ElementType type = tensor.element_type();
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    if (IsNan(type, tensor.Bits(i))) tensor.SetBits(i, MadeFinite(type, tensor.Bits(i)));
  }
}

// Entries of a table of i16 that are beside each other differ by an i16.
void RepairTable(Tensor& table) {
  for (size_t i = 1; i < table.element_count(); ++i) {
    const int64_t before = IntegerValue(ElementType::kI16, table.Bits(i - 1));
    const int64_t entry = IntegerValue(ElementType::kI16, table.Bits(i));
    table.SetBits(i, EncodeInteger(ElementType::kI16, std::clamp(entry, before + INT16_MIN, before + INT16_MAX)));
  }
}

// Moves an input of rescale into the range that its channel's multiplier and shift allow, and to which the zero points
// may be added. An input that runs share keeps its values if the shift may be greater instead; else it only comes
// nearer to a zero point that they share as well.
void RepairScaled(const OpApplication& op, absl::Span<const RepairOperand> operands, bool is_shared) {
  constexpr int64_t kGreatestShift = 62;
  Tensor &input = *operands[0].tensor, &shifts = *operands[2].tensor;
  const Tensor& multipliers = *operands[1].tensor;
  const ElementType type = input.element_type();
  const bool is_unsigned = op.attributes.input_unsigned.value_or(false);
  const auto value_of = [&](uint64_t bits) {
    return is_unsigned ? static_cast<Wide>(bits) : static_cast<Wide>(IntegerValue(type, bits));
  };
  const Wide zero_point = value_of(operands[3].tensor->Bits(0));
  for (size_t i = 0; i < input.element_count(); ++i) {
    const size_t channel = i % multipliers.element_count();
    const Wide multiplier = IntegerValue(multipliers.element_type(), multipliers.Bits(channel));
    const int64_t shift = IntegerValue(ElementType::kI8, shifts.Bits(channel % shifts.element_count()));
    if (multiplier < 0 || shift < 2 || shift > kGreatestShift) continue;
    // With 16 bits, it is the scaled value that has to fit i32, the result's zero point included.
    const Wide greatest_sum = (Wide{1} << 31) - (Wide{1} << 16) - 2;
    const Wide limit = HasScale32(op.attributes) ? (Wide{1} << (shift - 1)) - 1
                                                 : (greatest_sum << shift) / std::max<Wide>(multiplier, 1);
    const Wide value = value_of(input.Bits(i)) - zero_point;
    const Wide mended = std::clamp(value, -limit, limit);
    if (mended == value) continue;
    if (is_shared && !operands[2].fixed) {
      shifts.SetBits(channel % shifts.element_count(), kGreatestShift);
    } else if (!is_shared || operands[3].fixed) {
      input.SetBits(i, static_cast<uint64_t>(mended + zero_point) & BitMask(type));
    }
  }
}

}  // namespace

bool CanBeUndefined(const OpInfo& op, ElementType input, ElementType result) {
  switch (op.unpredictable) {
    case Unpredictable::kNever:
      return false;
    case Unpredictable::kAbsOfMin:
    case Unpredictable::kSumOverflow:
    case Unpredictable::kDifferenceOverflow:
      return HasSignedValues(input);
    case Unpredictable::kDivision:
    case Unpredictable::kShiftAmount:
    case Unpredictable::kMulShift:
      return IsInteger(input);
    case Unpredictable::kNegateOverflow:
      return HasSignedValues(input) && BitWidth(input) >= 32;
    case Unpredictable::kPowDomain:
      return IsFloat(input);
    case Unpredictable::kNanToInteger:
      return IsFloat(input) && IsInteger(result) && result != ElementType::kI1;  // in != 0, which holds for a NaN
    case Unpredictable::kScale:
      return true;
    case Unpredictable::kTableStep:
      return input == ElementType::kI16;
  }
  return false;
}

void RepairData(const OpApplication& application, absl::Span<const RepairOperand> operands) {
  const OpInfo& op = Info(application.op);
  const ElementType input = operands[0].tensor->element_type(), result = application.result.element_type;
  if (!CanBeUndefined(op, input, result)) return;
  RepairOperand first = operands[0];
  RepairOperand second = operands.size() > 1 ? operands[1] : RepairOperand{nullptr};
  if (first.fixed && second.fixed) first.fixed = second.fixed = false;
  switch (op.unpredictable) {
    case Unpredictable::kNever:
      return;
    case Unpredictable::kAbsOfMin:
      return RepairMin(*first.tensor);
    case Unpredictable::kSumOverflow:
      return RepairOverflow(first, second, /*is_difference=*/false);
    case Unpredictable::kDifferenceOverflow:
      return RepairOverflow(first, second, /*is_difference=*/true);
    case Unpredictable::kDivision:
      return RepairDivision(first, second);
    case Unpredictable::kShiftAmount:
      return RepairShiftAmount(*second.tensor);
    case Unpredictable::kMulShift:
      return RepairMul(first, second, *operands[2].tensor, result);
    case Unpredictable::kNegateOverflow:
      return RepairNegate(*first.tensor);
    case Unpredictable::kPowDomain:
      return RepairPow(first, second);
    case Unpredictable::kNanToInteger:
      return RepairNan(*first.tensor);
    case Unpredictable::kScale:
      return RepairScaled(application, operands, first.fixed);
    case Unpredictable::kTableStep:
      return second.fixed ? void() : RepairTable(*second.tensor);
  }
}

}  // namespace tosaic
