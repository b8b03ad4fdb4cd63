// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A box has one span for each operand of an op; the op's image of it is the set of possible results. ImageOf
// (set_ops.h) splits sets into boxes: in a box, a float's span is a point, or has one sign and no zeros, infinities or
// NaNs.
#ifndef TOSAIC_ORACLE_SET_BOX_H_
#define TOSAIC_ORACLE_SET_BOX_H_

#include <array>
#include <cstddef>

#include "oracle/allowed_set.h"
#include "oracle/interval.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

struct Box {
  ScalarInput in;                                  // without bits
  std::array<OrdinalSpan, kMostReads> spans = {};  // by ScalarInput::bits

  ElementType result_type() const { return in.result_type; }
  bool IsPoint() const;
  // The least and the greatest value of an operand.
  double Least(size_t operand) const { return ValueOfOrdinal(in.OperandType(operand), spans[operand].first); }
  double Greatest(size_t operand) const { return ValueOfOrdinal(in.OperandType(operand), spans[operand].last); }
  Interval Values(size_t operand) const { return {Least(operand), Greatest(operand)}; }
  // The expected value if each operand is the first of its span.
  Expected AtFirst() const;
};

using BoxImage = AllowedSet (*)(const Box&);

// The images of a box, by the op's name. REQUIRES: some span is not a point, and the types have values (HasValues).
#define TOSAIC_OP(name, ...) AllowedSet Image##name(const Box& box);
#include "model/ops.def"
#undef TOSAIC_OP

// The image by the op's name.
AllowedSet ImageOf(const Box& box);
// The image of the members of the first span, each as the first two operands. REQUIRES: the first two spans are equal.
AllowedSet ImageOfOneValue(const Box& box);
// Integer products from `least` to `greatest` in steps, under mul's shift, which is a point.
AllowedSet ShiftedProducts(const Box& box, Wide least, Wide greatest, Wide step);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_SET_BOX_H_
