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
#include <optional>

#include "model/op_catalogue.h"
#include "model/program.h"
#include "oracle/accuracy.h"
#include "oracle/expected.h"
#include "oracle/interval.h"
#include "oracle/policy.h"
#include "oracle/real.h"

namespace tosaic {

using Wide = __int128;  // holds every sum and product of elements

// kDecide evaluates formulas on double, as the specification does, or on Real where the doubles do not reach, which
// gives exactly the expected values. kEnclose evaluates the same formulas on
// Interval, which is several times as fast and gives a subset: an element that matches the subset matches; any other
// element is undecided. Both modes call the same elements undefined.
enum class Mode : uint8_t { kDecide, kEnclose };

// The bits of the operands' elements that a result's element is computed from: one of each operand, in order; of a
// table as many entries as a lookup reads (ReadCount). Bits above the element type's width are 0.
using ElementBits = std::array<uint64_t, kMostReads>;

struct ScalarInput {
  const OpInfo& op;
  ElementType input_type;  // of the first input
  ElementType result_type;
  const Attributes& attributes;
  const Policies& policies;
  Mode mode = Mode::kDecide;
  ElementBits bits = {};

  size_t ReadCount() const { return tosaic::ReadCount(op, input_type); }
  // The operand that an element of `bits` is of, and its type.
  OperandRole RoleOf(size_t read) const;
  ElementType OperandType(size_t read) const;
  // The same as an integer by its type (i1 is 0 or 1), and as a double, which is exact for all types but i64.
  Wide Integer(size_t read) const;
  double Value(size_t read) const;
};

// The inputs of an op of a program except for the elements.
ScalarInput InputOf(const Program& program, const OpApplication& op, const Policies& policies);

// An element as an integer by its type.
Wide IntegerOf(ElementType type, uint64_t bits);
Wide LeastInteger(ElementType type);
Wide GreatestInteger(ElementType type);
bool Fits(ElementType type, Wide value);
// An integer as bits of the result's element type, without excess high bits.
Expected ExactInteger(const ScalarInput& in, Wide value);
// The same, but unpredictable if it does not fit.
Expected IntegerThatFits(const ScalarInput& in, Wide value);
// Whether negate saturates, which it does on types narrower than its accumulator. On other types, a result that does
// not fit is left open, and so is the negative of a number in an unsigned type.
bool NegateSaturates(ElementType type);
// The range that an accuracy rule allows around a reference computed from x and y. On doubles: nullopt where their
// precision does not suffice, for f64, and for a bound that overflows (docs/policies.md, "the reference is a double").
std::optional<Expected> RangeByRule(const ScalarInput& in, const Accuracy& accuracy, double reference, double x,
                                    double y);
Expected RangeByRule(const ScalarInput& in, const Accuracy& accuracy, const Real& reference, const Real& x,
                     const Real& y);
Expected RangeByRule(const ScalarInput& in, const Accuracy& accuracy, const Interval& reference, const Interval& x,
                     const Interval& y);
// A float result within an accuracy rule of the reference formula(x, y), where x and y are operands 0 and 1 (y is 0 if
// there is only one operand). A NaN operand gives NaN.
template <typename Formula>
Expected WithinRule(const ScalarInput& in, const Accuracy& accuracy, Formula formula) {
  const double x = in.Value(0), y = in.op.operands.size() > 1 ? in.Value(1) : 0.0;
  if (std::isnan(x) || std::isnan(y)) return AnyNan();
  const auto evaluate = [&](const auto& x, const auto& y) { return RangeByRule(in, accuracy, formula(x, y), x, y); };
  if (in.mode == Mode::kEnclose) return evaluate(Interval(x), Interval(y));
  if (const std::optional<Expected> expected = evaluate(x, y)) return *expected;
  return evaluate(Real(x), Real(y));
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

// Whether the documents or an extension rule (docs/policies.md, "Beyond the specification") define the op on these
// element types: the dialect accepts them, and the specification has the op on some integers, or on some floats.
bool HasValues(const OpInfo& op, ElementType input_type, ElementType result_type);

// The op's function. On types that the version of the specification lacks, it follows the extension rules or, if those
// say nothing, returns "undefined: beyond-spec".
ScalarFunction FindScalarFunction(const OpInfo& op, ElementType input_type, ElementType result_type,
                                  SpecVersion version);

// The values that the documents allow for one element. For many elements, call FindScalarFunction once.
Expected EvaluateScalar(const ScalarInput& in);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_SCALAR_OPS_H_
