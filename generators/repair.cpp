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
  const Wide substitutes[] = {1, b.Max(), 2, has_sign ? b.Min() : 1, 3, has_sign ? -1 : 1};
  for (size_t j = 0; j < b.size(); ++j) {
    if (b.Get(j) == 0) b.Set(j, substitutes[j % std::size(substitutes)]);
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
      return IsFloat(input) && IsInteger(result);
  }
  return false;
}

void RepairData(const OpInfo& op, ElementType result, absl::Span<const RepairOperand> operands) {
  const ElementType input = operands[0].tensor->element_type();
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
  }
}

}  // namespace tosaic
