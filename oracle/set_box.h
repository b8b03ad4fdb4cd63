// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A box: operands of an op, each anywhere in one span, and the op's image of it. Parts of ImageOf (set_ops.h), which
// cuts sets into boxes: in a box, a float's span is a point, or has one sign and neither zeros, infinities nor NaNs.
#ifndef TOSAIC_ORACLE_SET_BOX_H_
#define TOSAIC_ORACLE_SET_BOX_H_

#include <array>
#include <cstddef>

#include "oracle/allowed_set.h"
#include "oracle/interval.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

struct Box {
  ScalarInput in;  // without bits
  std::array<OrdinalSpan, 3> spans = {};

  ElementType result_type() const { return in.result_type; }
  bool IsPoint() const;
  // The least and the greatest value of an operand.
  double Least(size_t operand) const { return ValueOfOrdinal(in.OperandType(operand), spans[operand].first); }
  double Greatest(size_t operand) const { return ValueOfOrdinal(in.OperandType(operand), spans[operand].last); }
  Interval Values(size_t operand) const { return {Least(operand), Greatest(operand)}; }
  // What is expected where each operand is the first of its span.
  Expected AtFirst() const;
};

using BoxImage = AllowedSet (*)(const Box&);

// What the op makes of a box, by the op's name. REQUIRES: some span is no point, and the types have values (HasValues).
#define TOSAIC_OP(name, ...) AllowedSet Image##name(const Box& box);
#include "model/ops.def"
#undef TOSAIC_OP

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_SET_BOX_H_
