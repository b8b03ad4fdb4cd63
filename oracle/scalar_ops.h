// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numeric reference: one scalar function per row of the op catalogue (tosa-semantics.md, "Ops"), each written to be
// read beside the specification. A function computes the true value, names the special values, and leaves how far
// a result may be off to the row's accuracy rule.
#ifndef TOSAIC_ORACLE_SCALAR_OPS_H_
#define TOSAIC_ORACLE_SCALAR_OPS_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "model/op_catalogue.h"
#include "model/program.h"
#include "oracle/accuracy.h"
#include "oracle/expected.h"
#include "oracle/interval.h"
#include "oracle/policy.h"
#include "oracle/real.h"

namespace tosaic {

using Wide = __int128;  // holds every sum and product of elements

// kDecide evaluates formulas on Real: what is expected, exactly. kEnclose evaluates the same formulas on Interval,
// several times as fast, and gives a subset: an element that matches it matches; one that does not is undecided. What
// a function calls undefined is so in both.
enum class Mode : uint8_t { kDecide, kEnclose };

// The operands' elements that one result element is computed from.
struct ScalarInput {
  const OpInfo& op;
  ElementType input_type;  // of the operands whose role is kInput (and kZeroPoint)
  ElementType result_type;
  const Attributes& attributes;
  const Policies& policies;
  Mode mode = Mode::kDecide;
  std::array<uint64_t, 3> bits = {};  // by operand position, nothing beyond the element type's width

  ElementType OperandType(size_t operand) const;
  // Operand `operand` as the integer that its type says: i1 is 0 or 1. And as a double, exact for all types but i64.
  Wide Integer(size_t operand) const;
  double Value(size_t operand) const;
};

// What an op of a program is computed from, but for the elements.
ScalarInput InputOf(const Program& program, const OpApplication& op, const Policies& policies);

// An element as the integer that its type says.
Wide IntegerOf(ElementType type, uint64_t bits);
Wide LeastInteger(ElementType type);
Wide GreatestInteger(ElementType type);
bool Fits(ElementType type, Wide value);
// An integer as the bits of the result's element type, excess high bits cut off.
Expected ExactInteger(const ScalarInput& in, Wide value);
// The same, unpredictable unless it fits.
Expected IntegerThatFits(const ScalarInput& in, Wide value);
// Whether negate saturates: on types narrower than its accumulator. Elsewhere what does not fit is open, as it is what
// the negative of a number is in a type without a sign.
bool NegateSaturates(ElementType type);
Expected RangeByRule(const ScalarInput& in, const Accuracy& accuracy, const Real& reference, const Real& x,
                     const Real& y);
Expected RangeByRule(const ScalarInput& in, const Accuracy& accuracy, const Interval& reference, const Interval& x,
                     const Interval& y);
// A float result within an accuracy rule of the reference formula(x, y), x and y being operands 0 and 1 (y is 0 if
// there is one operand only). NaN in -> NaN.
template <typename Formula>
Expected WithinRule(const ScalarInput& in, const Accuracy& accuracy, Formula formula) {
  const double x = in.Value(0), y = in.op.operands.size() > 1 ? in.Value(1) : 0.0;
  if (std::isnan(x) || std::isnan(y)) return AnyNan();
  const auto evaluate = [&](const auto& x, const auto& y) { return RangeByRule(in, accuracy, formula(x, y), x, y); };
  return in.mode == Mode::kEnclose ? evaluate(Interval(x), Interval(y)) : evaluate(Real(x), Real(y));
}
// The same with the rule of the op's row.
template <typename Formula>
Expected WithinAccuracy(const ScalarInput& in, Formula formula) {
  return WithinRule(in, AccuracyOf(in.op, in.result_type, in.policies), formula);
}

using ScalarFunction = Expected (*)(const ScalarInput&);

#define TOSAIC_OP(name, ...) Expected Eval##name(const ScalarInput& in);
#include "model/ops.def"
#undef TOSAIC_OP

// Whether the documents or an extension rule (docs/policies.md, "Beyond the specification") say what the op is on these
// element types: the dialect accepts them, and the specification has the op on some integers, or on some floats.
bool HasValues(const OpInfo& op, ElementType input_type, ElementType result_type);

// The op's function; on types that the version of the specification lacks, by the extension rules; or one that says
// "undefined: beyond-spec" where those say nothing either.
ScalarFunction FindScalarFunction(const OpInfo& op, ElementType input_type, ElementType result_type,
                                  SpecVersion version);

// What the documents allow for this element. For many elements, call FindScalarFunction once.
Expected EvaluateScalar(const ScalarInput& in);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_SCALAR_OPS_H_
