// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/element_accuracy.h"

#include <cmath>

#include "model/tensor.h"
#include "oracle/flushing.h"
#include "oracle/plausible.h"

namespace tosaic {
namespace {

// Flushed operands may be outside the domain although the operands are inside.
bool FlushesOutOfTheDomain(const ScalarInput& in, ScalarFunction function) {
  ScalarInput flushed = in;
  return in.op.unpredictable != Unpredictable::kNever && FlushOperands(&flushed) &&
         function(flushed).kind == Expected::Kind::kUndefined;
}

void Measure(ElementType type, const Expected& expected, uint64_t raw_bits, ElementAccuracy* accuracy) {
  const uint64_t bits = raw_bits & BitMask(type);
  if (IsInteger(type) || expected.kind == Expected::Kind::kNan || std::isnan(ElementToDouble(type, bits))) return;
  if (expected.kind == Expected::Kind::kBits && std::isnan(ElementToDouble(type, expected.bits))) return;
  accuracy->fate = FateOfSubnormal(type, expected, bits);
  accuracy->is_flushed = PassesByFlushing(type, expected, raw_bits);
  if (accuracy->is_flushed) return;
  accuracy->is_measured = true;
  accuracy->error = UlpDistance(type, expected, bits);
  if (accuracy->error > 0) accuracy->bound_used = BoundUsed(type, expected, raw_bits);
}

}  // namespace

ElementAccuracy MeasureElement(const ScalarInput& in, ScalarFunction function, const Expected& expected,
                               uint64_t actual_raw_bits) {
  const ElementType type = in.result_type;
  if (expected.kind == Expected::Kind::kUndefined || FlushesOutOfTheDomain(in, function)) {
    return {.is_unpredictable = true};
  }
  ElementAccuracy accuracy = {.is_open = IsMostOf(type, WidthOf(type, expected))};
  const bool matches = Matches(expected, type, actual_raw_bits);
  // The value is right for flushed operands, however far it is from the true value.
  if (!matches && CheckElement(in, function, actual_raw_bits).allowed) {
    accuracy.is_flushed = true;
    return accuracy;
  }
  Measure(type, expected, actual_raw_bits, &accuracy);
  accuracy.is_wrong = !matches;
  accuracy.is_implausible = matches && MayBeImplausible(in.op, type, expected, actual_raw_bits) &&
                            !FindImplausibility(in, function, actual_raw_bits).empty();
  return accuracy;
}

}  // namespace tosaic
